-- RENAME TABLE, DROP TABLE, TRUNCATE TABLE

CREATE DATABASE ddl_b;
CREATE TABLE a (x INT PRIMARY KEY);
CREATE TABLE b (y TEXT, UNIQUE (y(3)));
CREATE TABLE c (z INT);
RENAME TABLE a TO a2;
RENAME TABLE a2 TO a, b TO b2;
rename tables b2 to b;
RENAME TABLE a TO tmp, b TO a, tmp TO b;
RENAME TABLE ddl_a.a TO ddl_b.a;
RENAME TABLE ddl_b.a TO a;
RENAME TABLE a TO a1, b TO a, c TO b, a1 TO c;
RENAME TABLE a TO `a b`, `a b` TO a;
RENAME TABLE a TO A;
RENAME TABLE A TO a;
RENAME TABLE a TO ddl_b.x1, ddl_b.x1 TO ddl_b.x2, ddl_b.x2 TO ddl_a.a;
RENAME /* gh-ost */ TABLE `a` TO `_a_del`, c TO `a`;
RENAME TABLE _a_del /* c */ TO -- d
c;
CREATE VIEW v AS SELECT * FROM b;
RENAME TABLE v TO w;
DROP VIEW w;
-- @fails
RENAME TABLE a TO a9, nothing TO b9;
-- @fails
RENAME TABLE a TO b;
LOCK TABLES a WRITE, b WRITE;
-- @on mysql97 mysql80
RENAME TABLE a TO a_l, b TO b_l;
UNLOCK TABLES;
-- @on mysql97 mysql80
RENAME TABLE a_l TO a, b_l TO b;
RENAME TABLES a TO a3, b TO b3, a3 TO a, b3 TO b;

DROP TABLE a;
DROP TABLE IF EXISTS a;
drop table if exists nothing, b, `not here`;
CREATE TABLE d1 (x INT);
CREATE TABLE ddl_b.d2 (x INT);
DROP TABLE d1, ddl_b.d2 RESTRICT;
CREATE TABLE d1 (x INT);
DROP TABLES d1 CASCADE;
CREATE TABLE d1 (x INT);
CREATE TABLE d2 (x INT);
-- @fails
DROP TABLE d1, nothing, d2;
DROP TABLE IF EXISTS d1, d2;
CREATE TABLE `d,1` (x INT);
CREATE TABLE `d``2` (x INT);
DROP TABLE `d,1`,`d``2`;
CREATE TABLE p (id INT PRIMARY KEY);
CREATE TABLE ch (id INT, FOREIGN KEY (id) REFERENCES p (id));
-- @fails
DROP TABLE p;
SET foreign_key_checks = 0;
DROP TABLE p;
SET foreign_key_checks = 1;
DROP TABLE /* a */ ch /* b */;

CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY);
INSERT INTO t VALUES (1), (2);
TRUNCATE TABLE t;
TRUNCATE t;
truncate table ddl_a.t;
TRUNCATE ddl_a.`t`;
CREATE TABLE `table` (x INT);
TRUNCATE `table`;
TRUNCATE TABLE `table`;
DROP TABLE t, `table`, c;
DROP DATABASE ddl_b;
