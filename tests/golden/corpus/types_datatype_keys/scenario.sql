-- datatype.propagate.source.type over all types, converters on key columns of message.key.columns; names adjusted
-- @config datatype.propagate.source.type=dk\..*\.(INT|TINYINT.*|ENUM|TIMESTAMP|BLOB)
-- @config message.key.columns=dk.t:flag,en;dk.u:en
-- @config converters=tiny
-- @config tiny.type=io.debezium.connector.binlog.converters.TinyIntOneToBooleanConverter
-- @config tiny.selector=dk.t.flag,dk.u.f.*
-- @config schema.name.adjustment.mode=avro_unicode
-- @before
create database dk;
create table dk.t(id int unsigned not null primary key, flag tinyint(1) not null default 1, other tinyint(1), en enum('a','b') default 'b', ts timestamp(2) null, bl blob, n int zerofill);
create table dk.u(id int not null primary key, fa tinyint(1) not null, fb tinyint(1) default 1, en enum('x','y') not null default 'y');
insert into dk.t values(1,0,2,'a','2024-01-02 03:04:05.5','b',7),(2,default,null,null,null,null,null);
insert into dk.u values(1,2,0,'x');
-- @after
insert into dk.t values(3,0,2,'a','2024-01-02 03:04:05.5','b',7),(4,default,null,null,null,null,null);
update dk.t set flag=0 where id=2;
update dk.t set flag=1, en=null where id=1;
insert into dk.u values(2,3,null,default);
update dk.u set en='y', fb=1 where id=1;
delete from dk.u where id=2;
