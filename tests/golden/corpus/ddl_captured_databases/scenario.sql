-- store.only.captured.databases.ddl=true: every table of the captured databases, none of the others.
-- @config key.converter.schemas.enable=false
-- @config value.converter.schemas.enable=false
-- @config database.include.list=cd1
-- @config table.include.list=cd1.keep.*
-- @config schema.history.internal.store.only.captured.databases.ddl=true
-- @before
create database cd1 charset latin1;
create database cd2;
create table cd1.keep(id int primary key, v varchar(5));
create table cd1.skip(id int primary key, v varchar(5));
create table cd2.keep(id int primary key);
insert into cd1.keep values(1,'é');
-- @after
use cd1;
alter table skip add column w int;
rename table skip to keep_s;
insert into keep_s values(1,'é',1);
alter table cd2.keep add column v int;
create table cd2.t(id int primary key, t text);
alter database cd1 charset greek;
create table keep_g(id int primary key, g varchar(5));
insert into keep_g values(1,'Ω');
create database cd3;
create table cd3.x(a int);
drop table cd3.x, cd1.keep_s;
drop database cd3;
use cd2;
create table cd1.keep_o(id int primary key, o varchar(5));
insert into cd1.keep_o values(1,'Ω');
drop database cd2;
