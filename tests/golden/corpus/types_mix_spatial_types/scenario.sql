-- geometry with reference systems, in NOT NULL, generated and invisible columns, and types; vectors
-- @config include.schema.comments=true
-- @config column.propagate.source.type=sp\..*
-- @config column.truncate.to.4.chars=sp\.t\..*
-- @config binary.handling.mode=hex
-- @before
create database sp;
create table sp.t(id int primary key, p point not null srid 4326, x double generated always as (st_latitude(p)) virtual, pt varchar(100) generated always as (st_astext(p)) stored, g geometry, poly polygon srid 3857, mp multipoint invisible, gc geometrycollection not null, v vector(3), b varbinary(3), spatial index(p));
insert into sp.t(id,p,g,poly,mp,gc,v,b) values(1,st_geomfromtext('POINT(47 8)',4326),st_geomfromtext('LINESTRING(0 0,1 1,2 2)'),st_geomfromtext('POLYGON((0 0,0 10,10 10,0 0))',3857),st_geomfromtext('MULTIPOINT(1 1,2 2)'),st_geomfromtext('GEOMETRYCOLLECTION EMPTY'),to_vector('[1,-2.5,3e10]'),'abc');
-- @after
insert into sp.t(id,p,g,poly,mp,gc,v,b) values(2,st_geomfromtext('POINT(-90 180)',4326),st_geomfromtext('MULTIPOLYGON(((0 0,0 3,3 3,0 0)),((5 5,5 6,6 6,5 5)))'),null,null,st_geomfromtext('GEOMETRYCOLLECTION(POINT(1 2),LINESTRING(0 0,1 1))'),null,null);
update sp.t set p=st_geomfromtext('POINT(0 0)',4326) where id=1;
create table sp.v(id int primary key, v vector(2) not null, w vector);
insert into sp.v values(1,to_vector('[0.1,-0.0]'),to_vector('[1]'));
delete from sp.t where id=2;
