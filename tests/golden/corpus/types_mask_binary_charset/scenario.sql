-- masks of streamed text columns of the character set binary, which a snapshot would call BINARY
-- @config column.mask.with.3.chars=mn\.t\.(m|n)
-- @config column.mask.hash.v2.SHA-256.with.salt.s=mn\.t\.h
-- @config column.truncate.to.2.chars=mn\.t\.c
-- @before
create database mn;
-- @after
create table mn.t(id int not null primary key, m char(5) character set binary, h varchar(5) character set binary, p varchar(3) character set binary, n char(5) character set binary not null, c tinytext character set binary);
insert into mn.t values(1,'ab','cd','ef','gh','ijkl'),(2,null,null,null,'',null);
