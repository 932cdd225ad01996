-- three converters at once, ISO text of times
-- @config converters=jdbc,bool,zero
-- @config jdbc.type=io.debezium.connector.binlog.converters.JdbcSinkDataTypesConverter
-- @config jdbc.selector.boolean=tc\.t\.b_.*
-- @config jdbc.selector.real=tc\.t\.r_.*
-- @config jdbc.selector.string=tc\.t\.s_.*
-- @config jdbc.treat.real.as.double=false
-- @config bool.type=io.debezium.connector.mysql.converters.TinyIntOneToBooleanConverter
-- @config bool.selector=tc\.t\.(n|i).*
-- @config zero.type=io.debezium.connector.binlog.converters.ZeroDateFallbackConverter
-- @config zero.selector=tc\.t\.z.*
-- @config zero.fallback.date=1971-01-01
-- @config time.precision.mode=isostring
-- @before
set sql_mode='';
create database tc;
create table tc.t(id int primary key, b_1 tinyint(1), b_n boolean not null default 1, r_f float, r_d double default 2.5, s_v varchar(10), s_t text, s_c char(3) default 'xyz', n1 tinyint(1) default 1, n2 tinyint, i1 int, z1 date, z2 date not null default '2000-01-01', o date);
insert into tc.t values(1,1,0,1.5,default,'abc','text',default,1,1,1,'2024-01-01','2024-01-01','2024-01-01');
insert into tc.t values(2,0,1,-1.5,1e10,'','','',0,0,0,'0000-00-00','0000-00-00','0000-00-00');
-- @after
set sql_mode='';
insert into tc.t values(3,1,0,1.5,default,'abc','text',default,1,1,1,'2024-01-01','2024-01-01','2024-01-01');
insert into tc.t values(4,0,1,-1.5,1e10,'','','',0,0,0,'0000-00-00','0000-00-00','0000-00-00');
