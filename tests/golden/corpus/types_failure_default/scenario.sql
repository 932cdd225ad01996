-- a default that cannot be converted, mode fail: seen in the stream
-- @config event.converting.failure.handling.mode=fail
-- @config time.precision.mode=connect
-- @before
create database cfb;
create table cfb.a(id int primary key);
insert into cfb.a values(1);
-- @after
create table cfb.t(id int primary key, td time default '25:00:00', tn time not null default '-01:00:00', x int);
insert into cfb.t values(2,'13:00:00','01:00:00',2);
insert into cfb.a values(2);
