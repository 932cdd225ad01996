-- Tables without a primary key: unique keys that allow null or not, none at all, several columns.
-- @before
create database sn;
create table sn.none(a int, b varchar(5));
insert into sn.none values(1,'x'),(1,'x'),(null,null);
create table sn.uniq(a int not null, b varchar(5), unique key u(a));
insert into sn.uniq values(1,'x'),(2,'y');
create table sn.uniqnull(a int, b varchar(5), unique key u(a));
insert into sn.uniqnull values(1,'x'),(null,'y');
create table sn.two(a int not null, b varchar(5) not null, c int, unique key u(b,a), unique key v(c));
insert into sn.two values(1,'x',2),(2,'y',null);
create table sn.pk2(b varchar(5), a int, c int, primary key(a,b));
insert into sn.pk2 values('x',1,1),('a',2,2);
-- @after
insert into sn.none values(5,'z');
update sn.uniq set b='q' where a=1;
delete from sn.two where a=1;
