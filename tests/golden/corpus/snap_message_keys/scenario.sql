-- message.key.columns in a snapshot: other columns, several, of tables without a key.
-- @config message.key.columns=sn.t:v;sn.(u|x):b,a;.*\.n:a
-- @before
create database sn;
create table sn.t(id int primary key, v varchar(5));
insert into sn.t values(1,'x'),(2,null);
create table sn.u(id int primary key, a int not null, b int);
insert into sn.u values(1,2,3);
create table sn.x(a int, b int);
insert into sn.x values(1,2);
create table sn.n(a datetime(3));
insert into sn.n values('2024-01-02 03:04:05.678'),(null);
-- @after
insert into sn.t values(3,'z');
insert into sn.x values(3,4);
