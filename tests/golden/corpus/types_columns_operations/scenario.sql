-- include list, keys, masks, propagation, adjustment of names and plain nulls in one
-- @config column.include.list=ci\.t\.(na me|mail|sum),ci\.u\..*
-- @config message.key.columns=ci.(.*):mail
-- @config column.mask.hash.SHA-512.with.salt.pp=.*\.mail
-- @config column.truncate.to.3.chars=.*\.na me
-- @config column.propagate.source.type=.*\.sum
-- @config field.name.adjustment.mode=avro_unicode
-- @config schema.name.adjustment.mode=avro
-- @config value.converter.replace.null.with.default=false
-- @config key.converter.replace.null.with.default=false
-- @config decimal.handling.mode=double
-- @config include.schema.comments=true
-- @before
create database ci;
create table ci.t(id int not null primary key, `na me` varchar(20) default 'dflt' comment 'a "name"', mail varchar(40) default 'no@mail', `sum` decimal(9,2) default 1.25, hidden int);
create table ci.u(id int not null primary key, `1st` int, mail varchar(200));
create table ci.`w-x`(id int not null primary key, v int);
insert into ci.t values(1,'name','m@x',2.5,3);
insert into ci.t(id,`na me`,mail,`sum`) values(2,null,null,null);
insert into ci.u values(1,2,'m@x');
insert into ci.`w-x` values(1,2);
-- @after
insert into ci.t values(3,'name','m@y',2.5,3);
update ci.t set mail='m@z' where id=1;
update ci.t set hidden=9 where id=1;
update ci.t set mail=null where id=3;
insert into ci.u values(3,4,'m@y');
delete from ci.t where id=2;
insert into ci.`w-x` values(2,3);
