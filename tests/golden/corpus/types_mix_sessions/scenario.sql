-- time zones of sessions, of the server and of the connection, timestamps at the edges
-- @config driver.connectionTimeZone=America/St_Johns
-- @config time.precision.mode=adaptive_time_microseconds
-- @before
set global time_zone='-11:00';
create database tz;
set time_zone='+14:00';
create table tz.t(id int primary key, ts timestamp default '2024-01-01 00:00:00', ts6 timestamp(6) null default '2024-07-01 12:00:00.000001', dt datetime default '2024-01-01 00:00:00', upd timestamp(1) null on update current_timestamp(1));
insert into tz.t(id) values(1);
insert into tz.t values(2,'1970-01-01 14:00:01','2038-01-19 17:14:07.999999','1970-01-01 14:00:01','2024-11-03 01:30:00');
-- @after
set time_zone='-12:00';
insert into tz.t(id) values(3);
insert into tz.t values(4,'1969-12-31 12:00:01','2038-01-18 15:14:07.999999','1970-01-01 14:00:01','2024-11-03 01:30:00');
create table tz.u(id int primary key, ts timestamp not null default '2024-01-01 00:00:00', tn timestamp(3) null default '2000-02-29 23:59:59.999');
insert into tz.u(id) values(1);
set time_zone='SYSTEM';
create table tz.w(id int primary key, ts timestamp not null default '2024-01-01 00:00:00');
insert into tz.w(id) values(1);
