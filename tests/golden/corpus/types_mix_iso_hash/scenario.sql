-- ISO text of times, hashes of text in many character sets, types propagated by type
-- @config time.precision.mode=isostring
-- @config column.mask.hash.SHA-512.with.salt.pinch=ih\.t\.c_.*
-- @config datatype.propagate.source.type=ih\.t\.(DATE|TIME|DATETIME|ENUM|SMALLINT UNSIGNED)
-- @before
create database ih;
create table ih.t(id smallint unsigned primary key, c_u16 varchar(200) character set utf16, c_gbk char(20) character set gbk, c_l1 text character set latin1, c_ucs tinytext character set ucs2, c_koi varchar(10) character set koi8r, c_e enum('eins','zwei') character set latin2, c_s set('a','ž') character set cp1250, d date default '2020-02-29', t2 time(2) default '12:34:56.7', t0 time, dt5 datetime(5) default '1999-12-31 23:59:59.00001', dt0 datetime);
insert into ih.t values(1,'Ünïcødé 😀','中文','é€','日本','да','zwei','a,ž',default,default,'00:00:00',default,'2024-01-01');
insert into ih.t(id) values(2);
-- @after
insert into ih.t values(3,'Ünïcødé 😀','中文','é€','日本','да','zwei','a,ž','0001-01-01','23:59:59.99','23:59:59','9999-12-31 23:59:59.99999','0001-01-01');
insert into ih.t values(65535,'','','','','','eins','',null,null,null,null,null);
update ih.t set c_koi='нет', t0='01:00:00' where id=2;
