-- microseconds, a connection in another zone, years as they are
-- @config time.precision.mode=microseconds
-- @config enable.time.adjuster=false
-- @config driver.connectionTimeZone=Asia/Kathmandu
-- @before
set sql_mode='';
create database mz;
create table mz.t(id int primary key, d date, dt datetime(1), dt6 datetime(6) not null default '1969-12-31 23:59:59.999999', ts timestamp(6) null default '2010-10-10 10:10:10.101010', t time(3), y year default 70, y2 year);
insert into mz.t values(1,'0069-01-02','0070-03-04 05:06:07.8',default,default,'-00:00:00.001',default,69),(2,'70-01-02','69-03-04 05:06:07.8','2024-01-02','2024-07-01 00:00:00','100:00:00.999','2155','1901');
-- @after
set sql_mode='';
insert into mz.t values(3,'0069-01-02','0070-03-04 05:06:07.8',default,default,'-00:00:00.001',default,69),(4,'70-01-02','69-03-04 05:06:07.8','2024-01-02','2024-07-01 00:00:00','100:00:00.999','2155','1901');
create table mz.n(id int primary key, d date not null default '0099-01-01', y year not null default '1999', ts timestamp(2) not null default '2024-06-30 23:59:59.99');
insert into mz.n(id) values(1);
insert into mz.n values(2,'0000-00-00',2000,'0000-00-00');
