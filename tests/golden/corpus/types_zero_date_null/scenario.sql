-- ZeroDateFallbackConverter with its defaults: null, and the schemas optional; in keys, by selector and types
-- @config converters=zero
-- @config zero.type=io.debezium.connector.binlog.converters.ZeroDateFallbackConverter
-- @config zero.target.types=DATE, datetime
-- @config zero.selector=zn\.z\.(k|d|dn|t|tn|tm|sn)
-- @config time.precision.mode=connect
-- @before
set sql_mode='';
create database zn;
create table zn.z(id int not null, k date not null, d date, dn date not null, dd date not null default '2020-05-05', t datetime, tn datetime(6) not null, tm datetime(5) default '2020-05-05 01:02:03.5', sn timestamp(2) not null default '2020-05-05 01:02:03', o date not null, primary key(id,k));
insert into zn.z values(1,'2024-01-02','2024-01-02','2024-01-02','2024-01-02','2024-01-02','2024-01-02','2024-01-02','2024-01-02','2024-01-02');
insert into zn.z values(2,'0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00');
insert into zn.z(id,k,dn,tn,o) values(3,'2024-01-02','2024-01-02','2024-01-02','2024-01-02');
-- @after
set sql_mode='';
insert into zn.z values(11,'2024-01-02','2024-01-02','2024-01-02','2024-01-02','2024-01-02','2024-01-02','2024-01-02','2024-01-02','2024-01-02');
insert into zn.z values(12,'0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00','0000-00-00');
insert into zn.z(id,k,dn,tn,o) values(13,'2024-01-02','2024-01-02','2024-01-02','2024-01-02');
update zn.z set k='2024-02-02' where id=11;
