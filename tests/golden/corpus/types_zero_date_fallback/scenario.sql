-- ZeroDateFallbackConverter with fallbacks: zero dates, NULL, defaults, keys
-- @config converters=zero
-- @config zero.type=io.debezium.connector.binlog.converters.ZeroDateFallbackConverter
-- @config zero.fallback.date=1970-01-02
-- @config zero.fallback.datetime=1970-01-03 04:05:06
-- @config zero.fallback.timestamp=1999-12-31T23:59:59+01:00
-- @config zero.column.zf.z.do.fallback=2000-02-29
-- @config zero.column.zf.z.to.fallback=NULL
-- @before
set sql_mode='';
create database zf;
create table zf.z(id int not null primary key, d date, dn date not null, do date not null, dd date not null default '2020-05-05', dx date default '2021-05-05', t0 datetime, t3 datetime(3) not null, t6 datetime(6) not null, td datetime not null default '2020-05-05 01:02:03', s0 timestamp null, s3 timestamp(3) null, s6 timestamp(6) not null default '2020-05-05 01:02:03', `to` timestamp not null default '2001-01-01 00:00:00', tm time, yr year);
insert into zf.z values(1,'2024-01-02','2024-01-02','2024-01-02','2024-01-02','2024-01-02','2024-01-02 03:04:05','2024-01-02 03:04:05.678','2024-01-02 03:04:05.678901','2024-01-02 03:04:05','2024-01-02 03:04:05','2024-01-02 03:04:05.120','2024-01-02 03:04:05.678900','2024-01-02 03:04:05','01:02:03',2024);
insert into zf.z values(2,'0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','00:00:00',0);
insert into zf.z(id,dn,do,t3,t6) values(3,'2024-00-10','2024-01-00','2024-00-10','2024-01-00');
insert into zf.z(id,dn,do,t3,t6) values(4,'2024-01-02','2024-01-02','2024-01-02','2024-01-02');
-- @after
set sql_mode='';
insert into zf.z values(11,'2024-01-02','2024-01-02','2024-01-02','2024-01-02','2024-01-02','2024-01-02 03:04:05','2024-01-02 03:04:05.678','2024-01-02 03:04:05.678901','2024-01-02 03:04:05','2024-01-02 03:04:05','2024-01-02 03:04:05.120','2024-01-02 03:04:05.678900','2024-01-02 03:04:05','01:02:03',2024);
insert into zf.z values(12,'0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','00:00:00',0);
insert into zf.z(id,dn,do,t3,t6) values(13,'2024-00-10','2024-01-00','2024-00-10','2024-01-00');
insert into zf.z(id,dn,do,t3,t6) values(14,'2024-01-02','2024-01-02','2024-01-02','2024-01-02');
update zf.z set d='0000-00-00' where id=1;
delete from zf.z where id=2;
