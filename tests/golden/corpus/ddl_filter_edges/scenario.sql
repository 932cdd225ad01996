-- Renames, copies and drops over the edge of table.include.list; the history holds every table.
-- @config key.converter.schemas.enable=false
-- @config value.converter.schemas.enable=false
-- @config table.include.list=e1.keep.*
-- @before
create database e1;
create table e1.keep_a(id int primary key, v varchar(10));
create table e1.out_a(id int primary key, w int not null, unique key uw(w));
create table e1.out_like(id int primary key, n decimal(5,2) default 1.5, e enum("p","q") charset latin1 default "q");
insert into e1.keep_a values(1,"a");
insert into e1.out_a values(1,1);
-- @after
use e1;
insert into keep_a values(2,"b");
rename table keep_a to out_b;
insert into out_b values(3,"c");
rename table out_b to keep_b;
insert into keep_b values(4,"d");
rename table keep_b to out_c, out_a to keep_b;
insert into keep_b values(5,5);
insert into out_c values(5,"e");
alter table keep_b rename to out_d, add column x int;
alter table out_d rename to keep_d, add column y int first;
insert into keep_d values(6,6,6,6);
create table keep_like like out_like;
insert into keep_like values(1,2.25,"p");
create table out_like2 like keep_d;
rename table out_like2 to keep_like2;
insert into keep_like2 values(7,7,7,7);
drop table out_c, keep_like2, out_like;
rename table keep_d to keep_e, keep_like to keep_d, keep_e to keep_like;
insert into keep_d values(8,8.5,null);
insert into keep_like values(8,9,8,8);
