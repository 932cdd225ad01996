-- truncation of generated columns, to nothing, to a length that the column has
-- @config column.truncate.to.0.chars=tl\.g\.z.*
-- @config column.truncate.to.3.chars=tl\.g\.(g_.*|e3|l2|l4|tt.*|n.*|dn)
-- @before
create database tl;
create table tl.g(id int not null primary key, src varchar(20), g_v varchar(20) generated always as (upper(src)) virtual, g_s varchar(20) generated always as (concat(src,src)) stored, g_n int generated always as (char_length(src)) stored, z varchar(5), zt text, ze enum('a','b'), zn varchar(5) not null default 'abc', zb varbinary(5), e3 varchar(3), l2 varchar(2), l4 varchar(4), tt tinytext, tt2 text(2), tt9 text(200), nc nchar(5), nv nvarchar(9), dn datetime not null default '2020-01-01 00:00:00');
insert into tl.g(id,src,z,zt,ze,zn,zb,e3,l2,l4,tt,tt2,tt9,nc,nv) values(1,'source','zzzzz','zz','a','zz','zz','eee','ll','llll','tttt','tt','tttttt','ncnc','nvnv');
insert into tl.g(id) values(2);
-- @after
insert into tl.g(id,src,z,zt,ze,zn,zb,e3,l2,l4,tt,tt2,tt9,nc,nv) values(3,'日😀本語','zzzzz','zz','a','zz','zz','eee','ll','llll','tttt','tt','tttttt','ncnc','日本語日');
insert into tl.g(id) values(4);
update tl.g set src='é😀😀' where id=1;
