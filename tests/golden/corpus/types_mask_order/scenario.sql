-- two rules for one column: which counts
-- @config column.mask.hash.SHA-256.with.salt.s=mo\.t\.(x|d)
-- @config column.mask.hash.SHA-1.with.salt.t=mo\.t\..*
-- @config column.mask.hash.v2.SHA-512.with.salt.zz=mo\.t\.(x|a|b)
-- @config column.mask.hash.v2.MD5.with.salt.s=mo\.t\..*
-- @config heartbeat.interval.ms=0
-- @config poll.interval.ms=400
-- @config max.batch.size=1024
-- @config max.queue.size=8000
-- @config tombstones.on.delete=true
-- @config snapshot.locking.mode=minimal
-- @config connect.timeout.ms=30000
-- @config snapshot.fetch.size=1000
-- @before
create database mo;
create table mo.t(id int primary key, x varchar(20), a varchar(20), b varchar(20), c varchar(20), d varchar(20), e varchar(20));
insert into mo.t values(1,'abcdefghijklmnop','abcdefghijklmnop','abcdefghijklmnop','abcdefghijklmnop','abcdefghijklmnop','abcdefghijklmnop');
-- @after
insert into mo.t values(2,'abcdefghijklmnop','abcdefghijklmnop','abcdefghijklmnop','abcdefghijklmnop','abcdefghijklmnop','abcdefghijklmnop');
