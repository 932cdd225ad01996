-- JdbcSinkDataTypesConverter on other types than it is named for
-- @config converters=js
-- @config js.type=io.debezium.connector.mysql.converters.JdbcSinkDataTypesConverter
-- @config js.selector.boolean=jk\.k\.b_.*
-- @config js.selector.real=jk\.k\.r_.*
-- @config js.selector.string=jk\.k\.s_.*
-- @config js.treat.real.as.double=false
-- @before
create database jk;
create table jk.k(id int not null primary key,
 b_bt bit(1), b_un tinyint unsigned, b_bu bigint unsigned, b_dc decimal(8,3), b_fl float, b_vc varchar(9), b_yr year,
 r_it int, r_un tinyint unsigned, r_bu bigint unsigned, r_dc decimal(20,4), r_db double, r_vc varchar(20), r_yr year,
 s_it int, s_un tinyint unsigned, s_bu bigint unsigned, s_dc decimal(20,8), s_db double, s_fl float, s_yr year, s_ch char(4), s_l1 varchar(9) character set latin1, s_tx text, s_en enum('one','two'), s_st set('x','y'), s_js json, s_bn varbinary(9), s_da date, s_ts timestamp null, s_bo bool);
insert into jk.k values(1, b'1', 200, 18446744073709551615, 0.5, 0.9, '7', 2024, 5, 200, 18446744073709551615, 1234567.5, 1.1, '2.5', 2024, -7, 200, 18446744073709551615, 0.00000012, 1e22, 0.1, 2024, 'c', 'é', 'text é', 'two', 'x,y', '{"a": 1}', 'bin', '2024-01-02', '2024-01-02 03:04:05', true);
insert into jk.k values(2, b'0', 0, 0, -1.5, -3, 'true', 1970, -5, 0, 0, 0, 0, 'abc', 1970, 0, 0, 0, 0, 0, 1e-5, 1970, '', '', '', 'one', '', '[]', '', '1970-01-01', '1970-01-01 00:00:01', false);
insert into jk.k(id) values(3);
-- @after
insert into jk.k values(4, b'1', 200, 18446744073709551615, 0.5, 0.9, '7', 2024, 5, 200, 18446744073709551615, 1234567.5, 1.1, '2.5', 2024, -7, 200, 18446744073709551615, 0.00000012, 1e22, 0.1, 2024, 'c', 'é', 'text é', 'two', 'x,y', '{"a": 1}', 'bin', '2024-01-02', '2024-01-02 03:04:05', true);
insert into jk.k values(5, b'0', 0, 0, -1.5, -3, 'true', 1970, -5, 0, 0, 0, 0, 'abc', 1970, 0, 0, 0, 0, 0, 1e-5, 1970, '', '', '', 'one', '', '[]', '', '1970-01-01', '1970-01-01 00:00:01', false);
insert into jk.k(id) values(6);
