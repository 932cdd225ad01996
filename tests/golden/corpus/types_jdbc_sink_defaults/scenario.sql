-- JdbcSinkDataTypesConverter: defaults, required columns, keys, streamed BOOLEAN, masks behind it
-- @config converters=js, tiny
-- @config js.type=io.debezium.connector.binlog.converters.JdbcSinkDataTypesConverter
-- @config js.selector.boolean=.*\.b.*
-- @config js.selector.real=.*\.r.*
-- @config js.selector.string=.*\.s.*
-- @config tiny.type=io.debezium.connector.binlog.converters.TinyIntOneToBooleanConverter
-- @config column.mask.with.3.chars=jd\.d\.s_mask
-- @config column.truncate.to.2.chars=jd\.d\.(s_cut|r_cut)
-- @config column.mask.hash.v2.MD5.with.salt.s=jd\.d\.s_hash
-- @config column.propagate.source.type=jd\.d\.(s_prop|b_prop)
-- @before
create database jd;
create table jd.d(id int not null, s_key varchar(9) character set latin1 not null, b_key tinyint(1) not null, b1 tinyint(1) not null default 1, b2 bool default 0, b3 bool, t1 bool default 1, r1 real not null default 1.5, r2 float default 0.1, r3 decimal(8,3) not null default 2.25, r4 double, r5 int not null default 3, s1 varchar(20) not null default 'dé', s2 varchar(20) character set latin1 default 'dé', s3 char(5), s4 int default 7, s_mask varchar(20), s_cut varchar(20) default 'cut me', r_cut double, s_hash varchar(40), s_prop varchar(12), b_prop bool, primary key(id,s_key,b_key));
insert into jd.d(id,s_key,b_key) values(1,'é',2);
insert into jd.d values(2,'k',0,0,1,1,0,2.5,1.5,3.125,4.5,6,'é','é','abc',8,'mask','cut me',1.5,'hash','p',true);
-- @after
insert into jd.d(id,s_key,b_key) values(3,'é',2);
insert into jd.d values(4,'k',0,0,1,1,0,2.5,1.5,3.125,4.5,6,'é','é','abc',8,'mask','cut me',1.5,'hash','p',true);
create table jd.e(id int primary key, b1 boolean not null default true, b2 bool, t1 tinyint(1) default 1);
insert into jd.e values(1,default,true,1),(2,0,null,null);
update jd.d set r5=9, b3=1 where id=2;
delete from jd.d where id=3;
