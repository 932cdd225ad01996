-- snapshot.include.collection.list leaves tables out of the rows, not out of the schema.
-- @config key.converter.schemas.enable=false
-- @config value.converter.schemas.enable=false
-- @config snapshot.include.collection.list=sn\.b,sn\.d.*
-- @before
create database sn;
create table sn.a(id int primary key);
insert into sn.a values(1);
create table sn.b(id int primary key);
insert into sn.b values(1),(2);
create table sn.c(id int primary key);
insert into sn.c values(1);
create table sn.d1(id int primary key);
insert into sn.d1 values(1);
create table sn.xd(id int primary key);
insert into sn.xd values(1);
-- @after
insert into sn.a values(2);
insert into sn.b values(3);
