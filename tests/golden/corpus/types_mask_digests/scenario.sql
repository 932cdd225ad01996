-- every digest of Java's MessageDigest, by the names it goes by; cut to the column's length
-- @config column.mask.hash.v2.MD2.with.salt.pepper.and=ha\.digest\.c0
-- @config column.mask.hash.v2.MD5.with.salt.pepper.and=ha\.digest\.c1
-- @config column.mask.hash.v2.SHA-1.with.salt.pepper.and=ha\.digest\.c2
-- @config column.mask.hash.v2.SHA.with.salt.pepper.and=ha\.digest\.c3
-- @config column.mask.hash.v2.SHA1.with.salt.pepper.and=ha\.digest\.c4
-- @config column.mask.hash.v2.SHA-224.with.salt.pepper.and=ha\.digest\.c5
-- @config column.mask.hash.v2.SHA-256.with.salt.pepper.and=ha\.digest\.c6
-- @config column.mask.hash.v2.sha-384.with.salt.pepper.and=ha\.digest\.c7
-- @config column.mask.hash.v2.SHA-512.with.salt.pepper.and=ha\.digest\.c8
-- @config column.mask.hash.v2.SHA-512/224.with.salt.pepper.and=ha\.digest\.c9
-- @config column.mask.hash.v2.SHA-512/256.with.salt.pepper.and=ha\.digest\.c10
-- @config column.mask.hash.v2.SHA3-224.with.salt.pepper.and=ha\.digest\.c11
-- @config column.mask.hash.v2.SHA3-256.with.salt.pepper.and=ha\.digest\.c12
-- @config column.mask.hash.v2.SHA3-384.with.salt.pepper.and=ha\.digest\.c13
-- @config column.mask.hash.v2.SHA3-512.with.salt.pepper.and=ha\.digest\.c14
-- @config column.mask.hash.MD5.with.salt.Salz-ö=ha\.digest\.omd55.*
-- @config column.mask.hash.sha-1.with.salt.Salz-ö=ha\.digest\.osha1.*
-- @config column.mask.hash.SHA3-256.with.salt.Salz-ö=ha\.digest\.osha6.*
-- @before
create database ha;
create table ha.digest(id int not null primary key, c0 varchar(200), c1 varchar(200), c2 varchar(200), c3 varchar(200), c4 varchar(200), c5 varchar(200), c6 varchar(200), c7 varchar(200), c8 varchar(200), c9 varchar(200), c10 varchar(200), c11 varchar(200), c12 varchar(200), c13 varchar(200), c14 varchar(200), omd55 varchar(200), omd55_short varchar(7), omd55_text mediumtext, osha1 varchar(200), osha1_short varchar(7), osha6 varchar(200), osha6_short varchar(7)) character set utf8mb4;
insert into ha.digest values(1,'secret é😀','secret é😀','secret é😀','secret é😀','secret é😀','secret é😀','secret é😀','secret é😀','secret é😀','secret é😀','secret é😀','secret é😀','secret é😀','secret é😀','secret é😀','secret é😀','a',concat('nul ',char(0),' end ',repeat('é😀',8200)),'secret é😀','a','secret é😀','a');
insert into ha.digest(id) values(2);
-- @after
insert into ha.digest values(3,'secret é😀','secret é😀','secret é😀','secret é😀','secret é😀','secret é😀','secret é😀','secret é😀','secret é😀','secret é😀','secret é😀','secret é😀','secret é😀','secret é😀','secret é😀','secret é😀','a',concat('nul ',char(0),' end ',repeat('é😀',8200)),'secret é😀','a','secret é😀','a');
insert into ha.digest(id) values(4);
