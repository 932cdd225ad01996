-- only some columns, a key among those left out, bytes for URLs, doubles, precise longs, a time zone to the east
-- @config column.include.list=ci\.a\.(v|u|d|ts|b),ci\.b\..*
-- @config decimal.handling.mode=double
-- @config bigint.unsigned.handling.mode=precise
-- @config binary.handling.mode=base64-url-safe
-- @before
set global time_zone='+09:00';
create database ci;
set time_zone='-03:30';
create table ci.a(id int primary key, v varbinary(8), u bigint unsigned default 18446744073709551615, d decimal(30,10), ts timestamp(4) default '2001-02-03 04:05:06.7891', b bit(9), hidden text, dt datetime(2) default current_timestamp(2));
insert into ci.a(id,v,u,d,ts,b,hidden) values(1,0xfbffbe,9223372036854775808,12345678901234567890.0123456789,default,b'100000001','h');
insert into ci.a(id,v,d) values(2,'',-0.0000000001);
create table ci.b(k bigint unsigned primary key, x decimal(3,0) default 999);
insert into ci.b values(18446744073709551614,default),(1,-999);
-- @after
set time_zone='+05:45';
insert into ci.a(id,v,u,d,ts,b,hidden) values(3,0xfbffbe,9223372036854775808,12345678901234567890.0123456789,'2024-02-29 23:59:59.99999',b'1','h');
update ci.a set hidden='only this' where id=1;
update ci.a set u=0, ts='1970-01-02 00:00:00' where id=2;
delete from ci.a where id=1;
insert into ci.b values(18446744073709551615,null);
update ci.b set k=2 where k=1;
