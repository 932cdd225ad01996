-- documents: generated columns of them, masks and truncations on them, defaults that are expressions
-- @config column.truncate.to.8.chars=jr\.t\.jt
-- @config column.mask.with.4.chars=jr\.t\.(n|t)
-- @config column.mask.hash.v2.SHA-1.with.salt.q=jr\.t\.h
-- @before
create database jr;
create table jr.t(id int primary key, j json not null default (json_object()), n varchar(20) generated always as (j->>'$.name') virtual, t varchar(10) generated always as (json_type(j)) stored, h varchar(30) generated always as (j->>'$.name'), jt json, a json);
insert into jr.t(id,j,jt) values(1,'{"name":"Ann","age":7}','{"long":"document"}'),(2,default,null);
-- @after
insert into jr.t(id,j,jt,a) values(3,'{"name":"Bo","list":[1,2,{"x":null}],"big":18446744073709551615,"neg":-9223372036854775808}','"text"','[true,false,null,"","ünï","😀\\t\\"q\\"",-0.5,0]');
insert into jr.t(id,a) values(4,json_array(cast('2024-02-29 01:02:03.5' as datetime(3)),cast('12:00:00' as time),cast('2024-01-01' as date),cast(1.50 as decimal(5,2)),cast('x' as binary),st_geomfromtext('POINT(1 2)'),true));
update jr.t set j=json_set(j,'$.name','Cy') where id=1;
delete from jr.t where id=2;
