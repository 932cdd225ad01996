-- a column that changes its type again and again
-- @config time.precision.mode=connect
-- @config decimal.handling.mode=string
-- @config binary.handling.mode=hex
-- @config column.truncate.to.6.chars=rt\.t\.c
-- @before
create database rt;
create table rt.t(id int primary key, c tinyint default 7);
insert into rt.t values(1,100);
-- @after
insert into rt.t values(2,default);
alter table rt.t modify c bigint unsigned not null default 8;
insert into rt.t values(3,default),(4,18446744073709551615);
delete from rt.t where id=4;
alter table rt.t modify c decimal(12,3) default 1.5;
insert into rt.t values(5,default),(6,-123456.789);
alter table rt.t modify c varchar(30) character set latin1 default 'déjà vu';
insert into rt.t values(7,default),(8,'ÿ');
alter table rt.t modify c varbinary(30) default 'bytes';
insert into rt.t values(9,default),(10,0x00ff00ff00ff00ff);
delete from rt.t;
alter table rt.t modify c datetime(3) default '2001-02-03 04:05:06.789';
insert into rt.t values(11,default);
alter table rt.t modify c date default '2001-02-03';
insert into rt.t values(12,default);
alter table rt.t change c c2 enum('2001-02-03','2001-01-01','x') default 'x';
insert into rt.t values(13,default);
alter table rt.t change c2 c set('2001-02-03','2001-01-01','x');
insert into rt.t values(14,'2001-02-03,x');
alter table rt.t modify c longtext, add j json, add g point after id;
insert into rt.t values(15,st_geomfromtext('POINT(1 2)'),'longer than six','[1]');
