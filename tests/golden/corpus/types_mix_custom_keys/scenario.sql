-- keys of every kind of type by message.key.columns
-- @config message.key.columns=ck\.t(\d):k;ck\.(all):e,s,y,d,t,dt,ts,dc,f,bt,vb,j
-- @config time.precision.mode=adaptive_time_microseconds
-- @config decimal.handling.mode=precise
-- @before
create database ck;
create table ck.t1(id int primary key, k enum('x','y') default 'y');
create table ck.t2(id int primary key, k set('x','y','z'));
create table ck.t3(id int primary key, k geometry);
create table ck.all(id int primary key, e enum('a','b') not null, s set('p','q'), y year not null, d date, t time(1), dt datetime(3) not null default '2000-01-01 00:00:00.001', ts timestamp(5) null, dc decimal(9,4), f float, bt bit(10), vb varbinary(5), j json);
insert into ck.t1 values(1,'x'),(2,null);
insert into ck.t2 values(1,'x,z'),(2,'');
insert into ck.t3 values(1,st_geomfromtext('LINESTRING(0 0,1 1)')),(2,null);
insert into ck.all values(1,'b','p,q',2024,'2024-02-29','-01:02:03.4',default,'2024-01-01 00:00:00.00000',-1.5,1.5,b'1000000001','v','{"a": 1}');
-- @after
insert into ck.t1 values(3,'y');
insert into ck.t2 values(3,'y');
insert into ck.t3 values(3,st_geomfromtext('POINT(0 1)'));
insert into ck.all values(2,'b','p,q',2024,'2024-02-29','-01:02:03.4',default,'2024-01-01 00:00:00.5',-1.5,1.5,b'1','v','{"a": [1, 2.0]}');
insert into ck.all(id,e,y) values(3,'a',1901);
update ck.t2 set k='x' where id=3;
update ck.t1 set id=10 where id=3;
delete from ck.all where id=2;
