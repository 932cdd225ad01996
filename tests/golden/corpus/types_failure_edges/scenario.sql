-- mode fail and values at the edges that do convert: zero dates, far years, nanoseconds
-- @config event.converting.failure.handling.mode=fail
-- @config time.precision.mode=microseconds
-- @config decimal.handling.mode=double
-- @before
set sql_mode='';
create database cff;
create table cff.t(id int primary key, d date, dn date not null, dt datetime(6), dtn datetime not null, ts timestamp null, tsn timestamp(3) not null, y year, ti time(6), dc decimal(65,30), e enum('a','b'), en enum('a','b') not null, s set('x','y'), j json, g geometry, b bit(64));
insert into cff.t values(1,'0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00',0,'838:59:59',12345678901234567890123456789012345.123456789012345678901234567890,'zzz','',' ',null,null,b'1');
insert into cff.t values(2,'9999-12-31','1000-01-01','9999-12-31 23:59:59.999999','0001-01-01','2038-01-19 03:14:07','1970-01-01 00:00:01',2155,'-838:59:59',-0.000000000000000000000000000001,'b','a','x,y','null',st_geomfromtext('POINT(1 2)'),~0);
-- @after
set sql_mode='';
insert into cff.t values(3,'0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00',0,'838:59:59',12345678901234567890123456789012345.123456789012345678901234567890,'zzz','',' ',null,null,b'1');
insert into cff.t values(4,'9999-12-31','1000-01-01','9999-12-31 23:59:59.999999','0001-01-01','2038-01-19 03:14:07','1970-01-01 00:00:01',2155,'-838:59:59',-0.000000000000000000000000000001,'b','a','x,y','null',st_geomfromtext('POINT(1 2)'),~0);
insert into cff.t(id,dn,dtn,tsn,en) values(5,'2024-00-10','2024-10-00 01:02:03','2024-01-01','a');
