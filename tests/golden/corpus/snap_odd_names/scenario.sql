-- Databases, tables and columns with dots, quotes, blanks, per cent signs and letters beyond ASCII.
-- @config key.converter.schemas.enable=false
-- @config value.converter.schemas.enable=false
-- @before
create database `s n.ü` character set utf8mb4;
use `s n.ü`;
create table `a-b.c`(id int primary key, `x.y` int);
insert into `a-b.c` values(1,1);
create table `per%cent's`(id int primary key, `it's` int, `say "x"` int);
insert into `per%cent's` values(2,2,3);
create table `ba``ck`(id int primary key, `v``w` int);
insert into `ba``ck` values(3,3);
create table `Größe 表`(`schlüssel` varchar(10) primary key, `列` int);
insert into `Größe 表` values('ä',4);
create table `123`(`1` int primary key, `select` int);
insert into `123` values(5,5);
create table `\\`(`a\\b` int primary key);
insert into `\\` values(6);
-- @after
use `s n.ü`;
insert into `Größe 表` values('ö',5);
insert into `a-b.c` values(2,2);
