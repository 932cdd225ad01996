-- propagation of source types by column and by type, and which of several rules of one column counts
-- @config column.propagate.source.type=pr\.r\.(a.*|k1|bth)
-- @config datatype.propagate.source.type=pr\.r\.(VARCHAR|BIGINT UNSIGNED|DECIMAL),.*\.S.*T
-- @config column.truncate.to.3.chars=pr\.r\.(a_tr|c_both|b_tr|a_short)
-- @config column.mask.with.2.chars=pr\.r\.(a_mask|c_both)
-- @config column.mask.hash.v2.MD5.with.salt.s=pr\.r\.(a_hash|h_only|d_hash|i_hash|th)
-- @config column.mask.hash.SHA-256.with.salt.s=pr\.r\.(h_only)
-- @config include.schema.comments=true
-- @before
create database pr;
create table pr.r(k1 int not null, k2 varchar(8) not null, a int comment 'plain', a_tr varchar(20) comment 'cut', a_short varchar(2), a_mask varchar(20), a_hash varchar(20) comment 'hash', h_only varchar(80), d_hash varchar(20), i_hash text, c_both varchar(20), bth varchar(9) default 'd', b_tr varchar(20), th varchar(40), bu bigint unsigned, bs bigint, si smallint(4), st set('a','b'), dc decimal(7,2) default 1.5, ty tinyint(1) default 1, fl float(7,3), ts timestamp(3) null, primary key(k1,k2)) comment 'the table';
insert into pr.r values(1,'k',1,'abcdef','ab','abcdef','abcdef','abcdef','abcdef','abcdef','abcdef','bo','abcdef','abcdef',1,-1,2,'a',2.5,0,1.25,'2024-01-02 03:04:05.6');
insert into pr.r(k1,k2) values(2,'k');
-- @after
insert into pr.r values(3,'k',1,'abcdef','ab','abcdef','abcdef','abcdef','abcdef','abcdef','abcdef','bo','abcdef','abcdef',1,-1,2,'a',2.5,0,1.25,'2024-01-02 03:04:05.6');
alter table pr.r add column a_new numeric(5) unsigned zerofill comment 'new', add column v_new varchar(12) character set latin1, modify a bigint;
insert into pr.r(k1,k2,a_new,v_new) values(4,'k',7,'é');
update pr.r set k2='kk' where k1=1;
delete from pr.r where k1=2;
