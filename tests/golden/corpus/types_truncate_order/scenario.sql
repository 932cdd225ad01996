-- two rules for one column: which counts
-- @config column.truncate.to.5.chars=mo\.t\..*
-- @config column.truncate.to.3.chars=mo\.t\.(x|b|d)
-- @config column.truncate.to.10.chars=mo\.t\..*
-- @config column.truncate.to.7.chars=mo\.t\.(x|c)
-- @before
create database mo;
create table mo.t(id int primary key, x varchar(20), a varchar(20), b varchar(20), c varchar(20), d varchar(20), e varchar(20));
insert into mo.t values(1,'abcdefghijklmnop','abcdefghijklmnop','abcdefghijklmnop','abcdefghijklmnop','abcdefghijklmnop','abcdefghijklmnop');
-- @after
insert into mo.t values(2,'abcdefghijklmnop','abcdefghijklmnop','abcdefghijklmnop','abcdefghijklmnop','abcdefghijklmnop','abcdefghijklmnop');
