-- include.schema.changes=false: statements are stored and followed over restarts all the same.
-- @config key.converter.schemas.enable=false
-- @config value.converter.schemas.enable=false
-- @config include.schema.changes=false
-- @before
create database rn;
create table rn.t(id int primary key, a int);
insert into rn.t values(1,1);
-- @after
alter table rn.t add column b int;
-- @restart
insert into rn.t values(2,2,2);
create table rn.u(id int primary key);
-- @stop
alter table rn.t drop column a;
insert into rn.t values(3,3);
-- @start
insert into rn.u values(1);
drop table rn.u, rn.t;
