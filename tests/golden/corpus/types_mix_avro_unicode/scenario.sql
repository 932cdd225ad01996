-- names for Avro with their code points, no tombstones, hashes of columns with odd names
-- @config schema.name.adjustment.mode=avro_unicode
-- @config field.name.adjustment.mode=avro_unicode
-- @config tombstones.on.delete=false
-- @config column.mask.hash.v2.SHA-256.with.salt.pepper=.*\.(ge heim|密)
-- @config column.truncate.to.4.chars=u-n\.t\.lang.*
-- @config binary.handling.mode=base64
-- @before
create database `u-n`;
create table `u-n`.t(`id-1` bigint unsigned primary key, `ge heim` varchar(70), `密` char(12) character set utf16, `lang text` mediumtext, `lang_bytes` mediumblob, `_u` tinyint unsigned default 200);
insert into `u-n`.t values(1,'geheim','秘密','längerer text','bytes of it',default);
insert into `u-n`.t values(18446744073709551615,null,null,null,null,null);
-- @after
insert into `u-n`.t values(2,'','','', '',0);
update `u-n`.t set `lang text`='öäüßöäüß' where `id-1`=1;
delete from `u-n`.t where `id-1`=18446744073709551615;
create table `u-n`.`t-2`(`a-b` int primary key, `密` char(3) not null default 'abc');
insert into `u-n`.`t-2` values(1,default);
delete from `u-n`.`t-2`;
