-- snapshot.mode=no_data, and rows, tables and changes behind it.
-- @config snapshot.mode=no_data
-- @before
create database sn;
create table sn.a(id int primary key, v varchar(10));
insert into sn.a values(1,'one');
create table sn.b(id int, e enum('x','y'));
insert into sn.b values(1,'y');
-- @after
insert into sn.a values(2,'two');
update sn.a set v='uno' where id=1;
create table sn.c(id int primary key);
insert into sn.c values(1);
alter table sn.b add column n int default 5;
insert into sn.b values(2,'x',6);
