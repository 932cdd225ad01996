-- masks and truncation act on what the handling modes made text of
-- @config decimal.handling.mode=string
-- @config binary.handling.mode=hex
-- @config time.precision.mode=isostring
-- @config bigint.unsigned.handling.mode=precise
-- @config column.mask.with.2.chars=mm\.modes\.m_.*
-- @config column.mask.hash.v2.MD5.with.salt.x=mm\.modes\.v_.*
-- @config column.truncate.to.3.chars=mm\.modes\.t_.*
-- @before
create database mm;
create table mm.modes(id int not null primary key, m_dc decimal(6,2), m_vb varbinary(5), m_cb char(5) character set binary, m_da date, v_dc decimal(6,2), v_vb varbinary(5), v_cb char(5) character set binary, v_da date, t_dc decimal(6,2), t_vb varbinary(5), t_cb char(5) character set binary, t_da date, t_dt datetime(3), t_ub bigint unsigned, t_dn decimal(9,3) not null default 12345.678, t_bn binary(4) not null default 'abcd');
insert into mm.modes values(1,1.5,'ab','cd','2024-01-02',1.5,'ab','cd','2024-01-02',1234.56,'abcde','cdefg','2024-01-02','2024-01-02 03:04:05.678',18446744073709551615,default,default);
insert into mm.modes(id) values(2);
-- @after
insert into mm.modes values(3,1.5,'ab','cd','2024-01-02',1.5,'ab','cd','2024-01-02',1234.56,'abcde','cdefg','2024-01-02','2024-01-02 03:04:05.678',18446744073709551615,default,default);
insert into mm.modes(id) values(4);
