-- Copies of tables that the history does not hold (store.only.captured.tables.ddl=true), and of those that it holds.
-- @config key.converter.schemas.enable=false
-- @config value.converter.schemas.enable=false
-- @config table.include.list=cl.keep.*
-- @config schema.history.internal.store.only.captured.tables.ddl=true
-- @before
create database cl;
create table cl.keep(id int primary key, v varchar(10));
create table cl.hidden(id int primary key, d decimal(6,2) default 1.5);
insert into cl.keep values(1,'a');
-- @after
use cl;
create table hidden2 like keep;
create table keep2 like keep;
insert into keep2 values(2,'b');
create table keep3 like hidden2;
insert into keep3 values(3,'c');
create table hidden3(id int primary key, e enum('x','y'));
create table keep4 like hidden3;
insert into keep4 values(4,'y');
alter table hidden3 add column f int;
drop table keep4, hidden3;
insert into keep values(5,'e');
