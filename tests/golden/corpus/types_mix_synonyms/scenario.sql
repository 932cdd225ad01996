-- every other name of a type
-- @config column.propagate.source.type=sy\..*
-- @config decimal.handling.mode=precise
-- @before
create database sy;
create table sy.t(id serial, a national char(5), b nchar varying(5), c national varchar(6), d nvarchar(7), e long varchar, f long varbinary, g dec(5,2), h fixed(6,1), i numeric, j int1, k int2, l int3, m int4, n int8, o middleint, p float4, q float8, r character varying(9), s char byte, t character(2), u real, v double precision, w bool, x dec, y int unsigned zerofill, z long, aa integer(5), bb char, cc binary, dd bit, ee blob(100), ff text(70000), gg char varying(3));
insert into sy.t values(1,'a','b','c','d','e','f',1.5,1.5,1,1,1,1,1,1,1,1.5,1.5,'r','s','t',1.5,1.5,1,1,1,'z',1,'b','c',1,'ee','ff','gg');
-- @after
insert into sy.t values(2,'ä','ü','ö','ß','e','f',-1.5,-1.5,-1,-1,-1,-1,-1,-1,-1,-1.5,-1.5,'r','s','t',-1.5,-1.5,0,-1,1,'z',-1,'b','c',1,'ee','ff','gg');
create table sy.s(id bigint unsigned not null auto_increment unique, a national char(5) not null default 'x', b nchar varying(5), c national varchar(6), d nvarchar(7), e long varchar, f long varbinary, g dec(5,2), h fixed(6,1), i numeric, j int1 unsigned, k int2 unsigned, l int3 unsigned, m int4 unsigned, n int8 unsigned, o middleint, p float4, q float8, r character varying(9), s char(1) binary, t character(2), u real, v double precision, x dec, y int(7) unsigned zerofill, z long, aa integer(5), bb char, cc binary, dd bit, ee blob(100), ff text(70000), gg char varying(3), hh tinytext binary, ii varchar(3) ascii, jj varchar(3) unicode);
insert into sy.s values(2,'ä','ü','ö','ß','e','f',-1.5,-1.5,-1,255,65535,16777215,4294967295,18446744073709551615,-1,-1.5,-1.5,'r','s','t',-1.5,-1.5,-1,1,'z',-1,'b','c',1,'ee','ff','gg','hh','ii','jj');
