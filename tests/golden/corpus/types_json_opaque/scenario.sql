-- SQL values in JSON
-- @config key.converter.schemas.enable=false
-- @config value.converter.schemas.enable=false
-- @before
create database t;
use t;
create table jo(id int primary key, j json);
insert into jo values(1,json_array(cast(1.50 as decimal(5,2)),cast(-12345678901234567890.123456789 as decimal(40,10)),cast(0 as decimal(5,3)),cast(100 as decimal(10,0)),0.00001,cast(0.00001 as decimal(10,5)),cast(1e7 as decimal(10,0)),cast(12345678.9 as decimal(10,1)), cast(-0.05 as decimal(3,2))));
insert into jo values(2,json_array(date'2024-02-29',time'12:34:56',time'12:34:56.5',timestamp'2024-02-29 12:34:56',timestamp'2024-02-29 12:34:56.123456',date'9999-12-31', cast('838:59:59' as time), cast('100:00:00' as time), cast('00:00:00' as time)));
insert into jo values(3,json_array(x'00ff10',b'101',cast('abc' as binary),cast('' as binary),_binary'x'));
insert into jo values(4,json_array(1e7,12345678.9e0,1e-3,0.001e0,9.99e-4,1e6,9999999.5e0,1e15,1e16,1e17,123456789012345680e0,-1e7,-0e0,1.7e308,5e-324, 0.1e0+0.2e0));
insert into jo values(5,json_object('year',cast(2024 as year),'u',cast(18446744073709551615 as unsigned),'b',true,'s','é😀"\\/\u0000\u001f\u007f',' ',1,'f',cast(1.5 as float),'fl',cast(0.1 as float)));
insert into jo values(6,'"top"'),(7,'18446744073709551615'),(8,cast(cast(1.50 as decimal(5,2)) as json)),(9,cast(time'10:11:12' as json)),(10,cast(x'00ff' as json));
insert into jo values(11,json_array(st_geomfromtext('point(1 2)')));
create table src(id int primary key, bi bit(10), en enum('a','b'), se set('x','y'), bl blob, vb varbinary(10), bin binary(3), ti tinyint, bg bigint unsigned, fl float, db double, de decimal(65,30), ts timestamp(3) null, dt datetime(6), tm time(6), ye year, tx text, ch char(3) charset latin1, bo bool, mb mediumblob);
insert into src values(1,b'1000000001','b','x,y',x'00ff','vb','b',-1,18446744073709551615,1.1,1.1,12345678901234567890.123456789,'2024-02-29 12:34:56.5','2024-02-29 12:34:56.000001','-838:59:58.000001',1999,'tx','é',1,x'01');
insert into jo select 12,json_object('bi',bi,'en',en,'se',se,'bl',bl,'vb',vb,'bin',bin,'ti',ti,'bg',bg,'fl',fl,'db',db,'de',de,'ts',ts,'dt',dt,'ye',ye,'tx',tx,'ch',ch,'bo',bo,'mb',mb) from src;
-- @after
use t;
insert into jo select id+100,j from jo;
insert into jo select 300,json_object('tm',tm) from src;
insert into jo values(301,json_array(cast('-00:00:01.5' as time(1)),cast('-01:02:03' as time),cast('9999-12-31 23:59:59' as datetime)));
