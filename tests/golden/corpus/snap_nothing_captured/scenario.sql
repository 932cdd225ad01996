-- No table is captured.
-- @config key.converter.schemas.enable=false
-- @config value.converter.schemas.enable=false
-- @config table.include.list=sn\.nothing
-- @before
create database sn;
create table sn.t(id int primary key);
insert into sn.t values(1);
-- @after
insert into sn.t values(2);
create table sn.nothing(id int primary key);
insert into sn.nothing values(1);
