-- Partitioned tables, MyISAM, MEMORY, a temporary one, an archive.
-- @config key.converter.schemas.enable=false
-- @config value.converter.schemas.enable=false
-- @before
create database sn;
create table sn.part(id int, y int, primary key(id,y)) partition by range(y) (partition p0 values less than (10), partition p1 values less than maxvalue);
insert into sn.part values(3,20),(1,5),(2,15),(4,1);
create table sn.my(id int primary key, v varchar(5)) engine=myisam;
insert into sn.my values(2,'b'),(1,'a');
create table sn.mem(id int primary key, v varchar(5)) engine=memory;
insert into sn.mem values(2,'b'),(1,'a');
create table sn.arc(id int auto_increment key, v varchar(5)) engine=archive;
insert into sn.arc values(1,'a'),(2,'b');
create table sn.hash(id int primary key) partition by hash(id) partitions 3;
insert into sn.hash values(1),(2),(3),(4);
-- @after
insert into sn.my values(3,'c');
insert into sn.part values(5,1);
