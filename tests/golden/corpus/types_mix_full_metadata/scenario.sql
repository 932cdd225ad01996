-- full metadata, no tombstones, inserts passed over, keys of precise longs that change
-- @config tombstones.on.delete=false
-- @config skipped.operations=c
-- @config bigint.unsigned.handling.mode=precise
-- @before
set global binlog_row_metadata=full;
create database fm;
create table fm.t(k bigint unsigned, e enum('é','x') character set latin1, s set('1','2','3'), v varchar(10) character set cp1251, g linestring, y year, primary key(k desc, v));
insert into fm.t values(18446744073709551615,'é','1,3','да',st_geomfromtext('LINESTRING(0 0,1 1)'),1999);
insert into fm.t values(0,'x','','',null,null);
-- @after
insert into fm.t values(5,'é','2','нет',null,2000);
update fm.t set k=6 where k=5;
update fm.t set e='x', s='1,2,3' where k=0;
delete from fm.t where k=18446744073709551615;
alter table fm.t add column z tinyint unsigned not null default 255, add index(y);
update fm.t set y=2001;
set global binlog_row_metadata=minimal;
