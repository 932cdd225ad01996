-- The history of captured tables alone.
-- @config schema.history.internal.store.only.captured.tables.ddl=true
-- @config table.include.list=sn\.t
-- @before
create database sn;
create database so;
create table sn.t(id int primary key, v varchar(5));
insert into sn.t values(1,'a');
create table sn.u(id int primary key);
insert into sn.u values(1);
create table so.t(id int primary key);
insert into so.t values(1);
create view sn.v as select 1;
-- @after
alter table sn.u add column x int;
insert into sn.u values(2,2);
alter table sn.t add column x int;
insert into sn.t values(2,'b',2);
