-- compressed transactions with their statements, types of all columns, comments
-- @config include.query=true
-- @config column.propagate.source.type=.*
-- @config include.schema.comments=true
-- @config bigint.unsigned.handling.mode=precise
-- @before
set binlog_rows_query_log_events=on;
create database cq;
create table cq.t(id serial, f float(10,3) comment 'f', d double(12,4) unsigned, n numeric(5), m mediumint unsigned zerofill comment 'zero''s', b bit(33) default b'1', c char(4) character set binary default 'ab', j json, unique(m));
insert into cq.t(f,d,n,m) values(1.0625,2.5,99999,42);
-- @after
set binlog_transaction_compression=on;
set binlog_rows_query_log_events=on;
begin;
insert into cq.t(f,d,n,m,b,c,j) values(-1.0625,1234567.8912,-99999,16777215,8589934591,'a','{"k":[1,2.5,null,true],"ä":"ö"}');
update cq.t set n=n+1, j='[]' where m=16777215;
delete from cq.t where m=42;
commit;
create table cq.u(id int primary key, r real, dp double precision, f4 float4, f8 float8, v varchar(3) character set ucs2 default 'ü');
begin;
insert into cq.u values(1,1e-300,1.7976931348623157e308,3.4028234e38,-0.0,default),(2,0.1,0.2,0.3,1e21,'');
update cq.u set r=1e22 where id=2;
commit;
set binlog_transaction_compression=off;
delete from cq.u where id=1;
