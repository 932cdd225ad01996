-- Views beside tables, and in the include list.
-- @config key.converter.schemas.enable=false
-- @config value.converter.schemas.enable=false
-- @config table.include.list=sn\.t,sn\.v,sn\.w
-- @before
create database sn;
create table sn.t(id int primary key, v int);
insert into sn.t values(1,1),(2,2);
create view sn.v as select id from sn.t;
create table sn.w(id int primary key);
insert into sn.w values(1);
-- @after
insert into sn.t values(3,3);
