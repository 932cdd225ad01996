-- XA transactions that are prepared at the same time and end in another order; rows of several events and tables; a rollback.
-- @before
create database xi;
create table xi.a(id int primary key, v varchar(20));
create table xi.b(id int primary key, a_id int);
insert into xi.a values(1,'snap');
-- @after
use xi;
xa start 'p1','b1',3;
insert into a values(10,'p1'),(11,'p1'),(12,'p1');
insert into b values(10,10),(11,11);
update a set v='p1u' where id in (10,11);
xa end 'p1','b1',3;
xa prepare 'p1','b1',3;
-- @session two
use xi;
xa start 'p1','b2',3;
insert into a values(20,'p2');
delete from a where id=1;
xa end 'p1','b2',3;
xa prepare 'p1','b2',3;
-- @session three
use xi;
xa start 'p3';
insert into a values(30,'p3');
xa end 'p3';
xa prepare 'p3';
-- @session four
use xi;
insert into a values(40,'plain');
create table c(id int primary key);
xa rollback 'p3';
xa commit 'p1','b2',3;
insert into c values(1);
xa commit 'p1','b1',3;
xa start 'p5';
update a set id=41 where id=40;
insert into b values(50,50);
xa end 'p5';
xa commit 'p5' one phase;
insert into a values(60,'last');
