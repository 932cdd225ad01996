-- defaults that are expressions, functions, signs and literals with prefixes
-- @config time.precision.mode=adaptive_time_microseconds
-- @before
create database ex;
create table ex.t(id int primary key, a int default (1+2), b varchar(40) default (uuid()), c date default (curdate()), d decimal(6,2) default -1.5, e double default 1e3, f int not null default -0, g varchar(9) default N'n', h varchar(9) default _latin1'h', i datetime default '2024-01-01 00:00:00', j bigint default +5, k char(3) default '', l tinyint(1) default true, m float default .5, n int default 0x1F, o varchar(5) default x'4142', p json default (json_array(1)), q point default (point(1,2)), r set('a','b') default '', s enum('0','1') default '1', t text default ('txt'), u blob default ('b'));
insert into ex.t(id,b,c) values(1,'uuid','2024-01-01');
-- @after
insert into ex.t(id,b,c) values(2,'uuid','2024-01-01');
create table ex.u(id int primary key, a int default (1+2), d decimal(6,2) default -1.5, e double default 1e3, f int not null default -0, g varchar(9) default N'n', j bigint default +5, k char(3) default '', l tinyint(1) default true, m float default .5, p json default (json_array(1)), r set('a','b') default '', s enum('0','1') default '1', t text default ('txt'));
insert into ex.u(id) values(1);
alter table ex.u alter column d set default 2.25, alter column k drop default, add column nn bigint unsigned not null default 18446744073709551615;
insert into ex.u(id,k) values(2,'abc');
