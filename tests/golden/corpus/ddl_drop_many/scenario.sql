-- DROP TABLE of several: databases, missing ones, views and temporary tables between; TRUNCATE beside.
-- @config key.converter.schemas.enable=false
-- @config value.converter.schemas.enable=false
-- @config skipped.operations=none
-- @before
create database dm;
create database dm2;
create table dm.a(id int primary key);
create table dm.b(id int primary key);
create table dm2.c(id int primary key);
insert into dm.a values(1);
-- @after
use dm;
create table d(id int primary key);
create table `e, f`(id int primary key);
create table `g``h`(id int primary key);
insert into d values(1);
truncate table d;
truncate dm2.c;
drop table if exists a, nothere, dm2.c;
drop tables b, `e, f`, `g``h` restrict;
create temporary table tmp(id int);
create table a(id int primary key, x int);
insert into a values(1,1);
drop table if exists tmp, a cascade;
create table a(id int primary key, y int not null unique);
insert into a values(2,2);
drop /* c */ table /* d */ d , a ;
drop table if exists nothere;
