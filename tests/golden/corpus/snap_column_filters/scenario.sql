-- Column filters, masks, truncations and hashes in a snapshot.
-- @config column.exclude.list=sn\.t\.secret,sn\.u\.id2
-- @config column.mask.with.5.chars=sn\.t\.card
-- @config column.truncate.to.3.chars=sn\.t\.long_.*
-- @config column.mask.hash.SHA-256.with.salt.abc=sn\.u\.mail
-- @config column.propagate.source.type=sn\.t\..*
-- @before
create database sn;
create table sn.t(id int primary key, secret varchar(20), card varchar(30) not null, long_text varchar(50), long_n int);
insert into sn.t values(1,'s','4111','abcdef',5),(2,null,'','ab',null);
create table sn.u(id int, id2 int, mail varchar(50), primary key(id,id2));
insert into sn.u values(1,1,'a@b'),(1,2,null);
-- @after
insert into sn.t values(3,'s','42','xyz123',6);
insert into sn.u values(2,1,'c@d');
