-- Empty tables first and last, and single rows: the marker of each row.
-- @config key.converter.schemas.enable=false
-- @config value.converter.schemas.enable=false
-- @before
create database sn;
create table sn.a(id int primary key);
create table sn.b(id int primary key);
insert into sn.b values(1);
create table sn.c(id int primary key);
create table sn.d(id int primary key);
insert into sn.d values(1),(2);
create table sn.e(id int primary key);
insert into sn.e values(1);
create table sn.f(id int primary key);
-- @after
insert into sn.a values(1);
insert into sn.f values(1);
