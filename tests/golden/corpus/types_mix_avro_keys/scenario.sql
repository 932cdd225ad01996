-- names for Avro, keys by expressions, comments, decimals as text
-- @config schema.name.adjustment.mode=avro
-- @config field.name.adjustment.mode=avro
-- @config decimal.handling.mode=string
-- @config message.key.columns=na-1\.k(ey)?.*:1st col;(.*)\.shop:größe;na-1\.plain:e
-- @config include.schema.comments=true
-- @config column.propagate.source.type=na-1\.shop\..*
-- @before
create database `na-1`;
create table `na-1`.`keyed by-name`(id int not null primary key, `1st col` decimal(10,3) comment 'first ''key''', `a.b` varchar(10) character set gbk default '中', `$x` enum('ja','nein "doch"') default 'ja') comment='a table';
insert into `na-1`.`keyed by-name` values(1,12.5,'中文',default),(2,null,'x','nein "doch"');
create table `na-1`.shop(id int, `größe` varchar(20) character set latin1 not null comment 'größe', p decimal(8,2) unsigned zerofill, primary key(id));
insert into `na-1`.shop values(1,'groß',3.5),(2,'klein',0);
create table `na-1`.plain(e int primary key);
insert into `na-1`.plain values(4);
-- @after
insert into `na-1`.`keyed by-name` values(3,-12.5,'文',default);
update `na-1`.`keyed by-name` set `1st col`=7 where id=1;
update `na-1`.shop set id=9 where id=1;
update `na-1`.shop set `größe`='größer' where id=2;
delete from `na-1`.`keyed by-name` where id=2;
create table `na-1`.`ключ`(id int primary key, `1st col` float, `колонка` year default 1999);
insert into `na-1`.`ключ`(id,`1st col`) values(1,0.1),(2,null);
