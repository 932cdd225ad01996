-- columns left out, masked, cut and converted; schemas without changes of the schema
-- @config include.schema.changes=false
-- @config provide.transaction.metadata=false
-- @config column.exclude.list=em\..*\.(secret|blob_.*)
-- @config column.mask.with.0.chars=em\.t\.name
-- @config column.mask.with.3.chars=em\.t\.(no|en)
-- @config column.mask.hash.MD5.with.salt.s=em\.t\.mail
-- @config decimal.handling.mode=string
-- @config value.converter.replace.null.with.default=false
-- @before
create database em;
create table em.t(id int primary key, secret varchar(10), name varchar(10) default 'nobody', mail varchar(100) not null default 'a@b', no int default 5, en enum('x','y') default 'x', blob_1 blob, price decimal(6,3) default 9.5);
insert into em.t(id) values(1);
insert into em.t values(2,'s',null,'c@d.e',null,null,'b',null);
-- @after
insert into em.t(id) values(3);
insert into em.t values(4,'s',null,'ü@d.e',null,null,'b',null);
update em.t set secret='t' where id=1;
update em.t set price=1 where id=1;
alter table em.t drop column secret, add column secret2 int default 3;
update em.t set price=2 where id=2;
delete from em.t where id=3;
