-- The include list by regular expressions alone: their order is that of the tables.
-- @config key.converter.schemas.enable=false
-- @config value.converter.schemas.enable=false
-- @config table.include.list=sn\.z.*,so\.t,sn\.(b|a.*)
-- @before
create database sn;
create database so;
create table sn.zeta(id int primary key);
insert into sn.zeta values(1),(2),(3);
create table sn.zb(id int primary key);
insert into sn.zb values(1);
create table sn.b(id int primary key);
insert into sn.b values(1),(2);
create table sn.aa(id int primary key);
create table sn.ab(id int primary key);
insert into sn.ab values(1),(2);
create table so.t(id int primary key);
insert into so.t values(1),(2);
-- @after
insert into sn.aa values(1);
