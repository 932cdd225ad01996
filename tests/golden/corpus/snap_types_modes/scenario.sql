-- Every handling mode away from its default, in a snapshot and in the stream.
-- @config decimal.handling.mode=string
-- @config bigint.unsigned.handling.mode=precise
-- @config binary.handling.mode=hex
-- @config time.precision.mode=connect
-- @config schema.name.adjustment.mode=avro
-- @config field.name.adjustment.mode=avro_unicode
-- @before
create database sn;
create table sn.`t-1`(`i-d` bigint unsigned primary key, d decimal(20,4), b binary(4), t time(6), dt datetime(6), ts timestamp(3) null, y year, s set('a','b'), e enum('','x'), g point);
insert into sn.`t-1` values(18446744073709551615,-1.5,0x0102,'12:34:56.789012','2024-02-29 01:02:03.456789','2024-02-29 01:02:03.456',2155,'a,b','',st_geomfromtext('point(1 2)')),(1,null,null,null,null,null,null,null,null,null);
-- @after
insert into sn.`t-1` values(2,3,0xff,'00:00:01','1969-12-31 23:59:59.999999','1970-01-01 00:00:01',0,'','x',null);
