-- Generated columns, stored and virtual, invisible ones, and a key that is generated.
-- @before
create database sn;
create table sn.g(id int primary key, a int, v int as (a*2) virtual, s varchar(20) as (concat('s',a)) stored, h int invisible default 7);
insert into sn.g(id,a) values(1,10),(2,null);
create table sn.gk(a int, k varchar(20) as (concat('k',a)) stored not null, primary key(k));
insert into sn.gk(a) values(1),(2);
create table sn.f(id int primary key, d date default (current_date), j json, key((cast(j->'$.a' as unsigned))));
insert into sn.f(id,d,j) values(1,'2024-01-02','{"a": 1, "b": [1, 2]}');
-- @after
insert into sn.g(id,a) values(3,30);
insert into sn.gk(a) values(3);
