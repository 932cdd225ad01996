-- A statement of one's own: WHERE, ORDER BY, fewer columns, an expression, no rows at all.
-- @config snapshot.select.statement.overrides=sn.a,sn.b,sn.c
-- @config snapshot.select.statement.overrides.sn.a=select id, v from sn.a where v like 't%' order by v
-- @config snapshot.select.statement.overrides.sn.b=select * from sn.b where id > 100
-- @config snapshot.select.statement.overrides.sn.c=select id, upper(v) as v, d from sn.c order by id desc limit 2
-- @before
create database sn;
create table sn.a(id int primary key, v varchar(10));
insert into sn.a values(1,'one'),(2,'two'),(3,'three'),(4,'ten');
create table sn.b(id int primary key, v int);
insert into sn.b values(1,1),(2,2);
create table sn.c(id int primary key, v varchar(10), d decimal(10,2));
insert into sn.c values(1,'x',1.5),(2,'y',2.5),(3,'z',3.5);
create table sn.d(id int primary key);
insert into sn.d values(1);
-- @after
insert into sn.b values(101,1);
