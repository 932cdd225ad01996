-- internal.schema.history.internal.ddl.filter: statements that match it are neither stored nor followed.
-- @config key.converter.schemas.enable=false
-- @config value.converter.schemas.enable=false
-- @config internal.schema.history.internal.ddl.filter=(?i)create table .*ignored.*,DROP TABLE IF EXISTS .*
-- @before
create database fe;
create table fe.a(id int primary key);
insert into fe.a values(1);
-- @after
use fe;
create table ignored(id int);
create table b(id int primary key);
drop table b;
create table b(id int primary key, v int);
insert into b values(1,1);
insert into a values(2);
flush tables;
drop table a, b;
