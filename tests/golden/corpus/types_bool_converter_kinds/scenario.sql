-- TinyIntOneToBooleanConverter by length, without a selector: keys, defaults, unsigned, streamed BOOL, masks
-- @config converters=boolean
-- @config boolean.type=io.debezium.connector.mysql.converters.TinyIntOneToBooleanConverter
-- @config column.propagate.source.type=bk\.b\.p.*
-- @before
create database bk;
create table bk.b(k tinyint(1) not null, id int not null, b bool, u1 tinyint(1) unsigned, z1 tinyint(1) zerofill, t tinyint, t2 tinyint(2), d1 tinyint(1) default 1, d0 boolean not null default 0, d7 tinyint(1) default 7, dm tinyint(1) not null default -1, p bool, primary key(k,id));
insert into bk.b values(1,1,true,1,1,1,1,default,default,default,default,true);
insert into bk.b values(0,2,false,0,0,0,0,0,1,0,0,false);
insert into bk.b values(-1,3,-1,255,9,9,9,-1,2,-5,3,100);
insert into bk.b(k,id) values(5,4);
-- @after
insert into bk.b values(1,5,true,1,1,1,1,default,default,default,default,true);
insert into bk.b values(-1,6,-1,255,9,9,9,-1,2,-5,3,100);
insert into bk.b values(1,8,1,127,9,9,9,1,2,5,3,100);
insert into bk.b(k,id) values(5,7);
create table bk.s(id int primary key, b bool not null default true, t1 tinyint(1) default 0, u1 tinyint(1) unsigned default 1, t tinyint default 3);
insert into bk.s values(1,default,default,default,default),(2,2,2,200,2),(3,0,0,0,0),(4,0,null,null,null);
update bk.b set k=0 where id=1;
delete from bk.b where id=2;
