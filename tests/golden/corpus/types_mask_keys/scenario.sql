-- masked key columns: keys and the headers of a key change hold what is stored, rows the mask
-- @config column.mask.with.3.chars=kk\.a\.k
-- @config column.mask.hash.v2.SHA-256.with.salt.s=kk\.b\.k
-- @config column.truncate.to.2.chars=kk\.c\.k,kk\.m\..*
-- @config message.key.columns=kk.m:mail,code;kk.(n|o):x
-- @before
create database kk;
create table kk.a(k varchar(20) not null primary key, v int);
create table kk.b(k varchar(20) not null, n int not null, v int, primary key(n,k));
create table kk.c(k varchar(20) not null primary key, v varchar(9) not null default 'x');
create table kk.m(id int not null primary key, code varchar(8) not null, mail varchar(30));
create table kk.n(id int not null primary key, x int);
create table kk.o(id int not null primary key, x int, y int);
insert into kk.a values('secret',1),('other',2);
insert into kk.b values('secret',1,1);
insert into kk.c values('secret',default);
insert into kk.m values(1,'codecode','a@b.c');
insert into kk.n values(1,10);
insert into kk.o values(1,10,null);
-- @after
insert into kk.a values('third',3);
update kk.a set k='changed' where k='secret';
update kk.a set v=5 where k='other';
update kk.b set k='changed' where n=1;
update kk.c set k='changed' where k='secret';
update kk.m set mail='d@e.f' where id=1;
update kk.m set code='co' where id=1;
update kk.n set x=null where id=1;
update kk.o set id=2, y=7 where id=1;
delete from kk.a where k='other';
delete from kk.m where id=1;
