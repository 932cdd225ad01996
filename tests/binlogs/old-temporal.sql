-- Rows of a table in the format before MySQL 5.6.4: TIMESTAMP, TIME and DATETIME as the binlog types 7, 11 and 12. Recorded on
-- MySQL 5.7.19. No server makes such a table any more, but 5.7 keeps one that has not been rebuilt: this one was made by
-- MariaDB 10.11 with mysql56_temporal_format=OFF,
--   create table s(id int primary key, ts timestamp null, dt datetime, ti time, d date) engine=MyISAM charset latin1;
-- and its files (s.frm, s.MYD, s.MYI) put into a database folder of MySQL 5.7. There SHOW CREATE TABLE has with
-- show_old_temporals=ON `timestamp /* 5.5 binary format */` and the like.
flush logs;
use o; set time_zone='+00:00'; set sql_mode=''; set timestamp=1795984446;
insert into s values(31,'2024-02-29 12:34:56','2024-02-29 12:34:56','12:34:56','2024-02-29'),(32,null,null,null,null),(33,'1970-01-01 00:00:01','1000-01-01','-00:00:01','1000-01-01'),(34,'2038-01-19 03:14:07','9999-12-31 23:59:59','-838:59:59','9999-12-31'),(35,'0000-00-00','0000-00-00','838:59:59','0000-00-00'),(36,null,'2024-00-10','00:00:00','2024-10-00');
update s set ti='-12:34:56', dt='2001-02-03 04:05:06', ts='2001-02-03 04:05:06' where id=31;
flush logs;
