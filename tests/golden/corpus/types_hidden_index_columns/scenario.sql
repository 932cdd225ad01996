-- hidden columns of functional and multi-valued indexes, which MySQL 8.0.15 (where this was recorded) announces among the others
-- @before
create database fi character set utf8mb4 collate utf8mb4_general_ci;
-- @after
create table fi.t(id int primary key, v varchar(20), n int, j json, index((upper(v))), unique index((n+1)), index((cast(j->>'$.a' as char(10))), n));
insert into fi.t values(1,'abc',1,'{"a":"x"}');
insert into fi.t values(2,'def',2,'{"a":"y"}');
update fi.t set v='zzz' where id=1;
create table fi.u(id int primary key, d decimal(10,2), s text, index((d*2)), key((substr(s,1,3)) desc));
insert into fi.u values(1,1.5,'text'),(2,null,null);
alter table fi.u add index((id+1)), add column z int default 3, add column a int first;
insert into fi.u values(7,3,2.5,'more',4);
alter table fi.u drop column z, add column g decimal(9,1) unsigned default 1.5 after s;
insert into fi.u(id) values(4);
update fi.u set s='less', g=99999999.9 where id=3;
delete from fi.u where id=2;
delete from fi.t;
