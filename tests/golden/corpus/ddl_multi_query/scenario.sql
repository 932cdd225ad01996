-- Several statements in one query: each is logged for itself; with transactions and USE between.
-- @config key.converter.schemas.enable=false
-- @config value.converter.schemas.enable=false
-- @before
create database mq;
create table mq.a(id int primary key);
insert into mq.a values(1);
-- @after
-- @session multi1
use mq; create table b(id int primary key); insert into b values(1); alter table b add column v int; insert into b values(2,2), (3,3); rename table a to a1, b to a; insert into a values(4,4); drop table a1
;
begin; insert into a values(5,5); create table c like a; insert into c values(1,1); commit
;
lock tables a write; alter table a add column w int; unlock tables; insert into a values(6,6,6)
;
