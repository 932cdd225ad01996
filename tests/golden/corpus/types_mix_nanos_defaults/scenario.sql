-- nanoseconds; defaults of every temporal type, with fractions and functions
-- @config time.precision.mode=nanoseconds
-- @config bigint.unsigned.handling.mode=long
-- @config decimal.handling.mode=double
-- @before
create database nd;
create table nd.t(id bigint unsigned primary key, d date default '1900-03-01', t0 time default '-838:59:59', t6 time(6) not null default '00:00:00.000001', dt0 datetime default '2000-01-01', dt4 datetime(4) not null default '1969-12-31 23:59:59.9999', ts0 timestamp not null default '2038-01-19 03:14:07', ts3 timestamp(3) null default '1970-01-01 00:00:01.5', cur timestamp(6) null default current_timestamp(6) on update current_timestamp(6), now datetime default (now()), y year default '2024', dc decimal(20,10) default -0.0000000001);
insert into nd.t(id,cur,now) values(1,'2024-05-06 07:08:09.123456','2024-05-06 07:08:09');
-- @after
insert into nd.t(id,cur,now) values(9223372036854775808,'2024-05-06 07:08:09.100000',null);
insert into nd.t values(3,null,null,'00:00:00',null,'2024-01-01','2024-01-01',null,null,null,null,null);
create table nd.u(id int primary key, d date default '1900-3-1', t6 time(6) not null default '0:0:1', dt4 datetime(4) not null default '2001-01-01 01:01:01.00005', dt2 datetime(2) default 20240102030405.678, t3 time(3) default 123, ts timestamp(3) not null default '2020-01-01T00:00:00');
insert into nd.u(id) values(1);
