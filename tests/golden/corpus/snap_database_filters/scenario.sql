-- Databases left out, one of them later made, and the history of all tables.
-- @config database.exclude.list=s[xy]
-- @before
create database sn;
create database sx;
create database so default character set latin1 collate latin1_german1_ci;
create table sn.t(id int primary key, v varchar(5));
insert into sn.t values(1,'ä');
create table sx.t(id int primary key);
insert into sx.t values(1);
create table so.t(id int primary key, v varchar(5));
insert into so.t values(1,'ä');
-- @after
create database sy;
create table sy.t(id int primary key);
insert into sy.t values(1);
insert into so.t values(2,'ö');
