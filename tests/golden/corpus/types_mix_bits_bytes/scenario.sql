-- bits of all widths, bytes cut, tiny and long
-- @config column.truncate.to.2.chars=bb\.t\.(v|bl|tb|bi|b1.*|x)
-- @config binary.handling.mode=bytes
-- @before
create database bb;
create table bb.t(id bit(3) not null, n bit(1) not null default 0, b8 bit(8) default b'10101010', b16 bit(16) default 0xff00, b17 bit(17), b63 bit(63) not null default 1, b64 bit(64), v varbinary(10) default 'default', bl blob, tb tinyblob, bi binary(5) default 'abc', x varbinary(2), primary key(n,id));
insert into bb.t(id,n,b8,b16,b17,b63,b64,v,bl,tb,bi,x) values(b'101',1,b'1',1,1,1,1,'abcdef','abcdef','abcdef','a','ab');
insert into bb.t(id,b17,b64,bl,tb) values(0,b'10000000000000001',0xffffffffffffffff,'','');
-- @after
insert into bb.t(id,n,b8,b16,b17,b63,b64,v,bl,tb,bi,x) values(b'111',1,b'1',1,1,1,1,'abcdef','abcdef','abcdef','a','ab');
insert into bb.t(id,b17,b64,bl,tb) values(2,b'10000000000000001',0xffffffffffffffff,'','');
update bb.t set n=1 where id=0;
create table bb.u(id int primary key, b bit default 1, b2 bit(2) default b'10', b5 bit(5) not null default 31);
insert into bb.u(id) values(1);
