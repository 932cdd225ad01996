-- Character sets and collations of tables and columns.
-- @config key.converter.schemas.enable=false
-- @config value.converter.schemas.enable=false
-- @before
create database sn character set utf8mb4;
use sn;
create table t(id varchar(10) character set latin1 collate latin1_swedish_ci primary key, a char(5) character set utf8mb3, b varchar(10) character set sjis, c text character set utf16, d varchar(5) character set binary, e varchar(20) collate utf8mb4_bin, f char(3) character set cp1251);
insert into t values('ä',' é','表','𝄞x',0xff00,'😀''"\\','Ж'),('Z','','',null,'','',''),('a ','x ','y ','z ','w ','v ','u ');
-- @after
use sn;
insert into t values('ö','ü','ア','ß',0x00,'😁','я');
