-- CREATE, ALTER, DROP DATABASE, USE, and what new tables get from them

CREATE DATABASE ddl_b;
CREATE TABLE ddl_b.t (v VARCHAR(3));
CREATE DATABASE IF NOT EXISTS ddl_b CHARACTER SET latin1;
CREATE TABLE ddl_b.t2 (v VARCHAR(3));
CREATE SCHEMA ddl_c DEFAULT CHARACTER SET greek;
CREATE TABLE ddl_c.t (v VARCHAR(3));
CREATE SCHEMA IF NOT EXISTS ddl_d CHARSET = hebrew COLLATE = hebrew_bin;
CREATE TABLE ddl_d.t (v VARCHAR(3));
CREATE DATABASE ddl_e COLLATE latin2_bin;
CREATE TABLE ddl_e.t (v VARCHAR(3));
CREATE DATABASE ddl_f DEFAULT COLLATE = 'cp1251_general_ci';
CREATE TABLE ddl_f.t (v VARCHAR(3));
CREATE DATABASE ddl_g CHARACTER SET 'latin5' DEFAULT COLLATE 'latin5_bin';
CREATE TABLE ddl_g.t (v VARCHAR(3));
-- @on mysql97
CREATE DATABASE ddl_h ENCRYPTION='N';
-- @on mysql97
CREATE DATABASE ddl_i DEFAULT ENCRYPTION 'N' CHARSET utf8mb4;
-- @on mariadb
CREATE DATABASE ddl_j COMMENT 'x';
CREATE DATABASE `ddl_k k` CHARSET=ascii;
CREATE TABLE `ddl_k k`.`t t` (v VARCHAR(3));
-- @on mysql57 mariadb
CREATE DATABASE ddl_l CHARSET DEFAULT;
-- @on mysql57 mariadb
CREATE TABLE ddl_l.t (v VARCHAR(3));
CREATE DATABASE ddl_m CHARACTER SET binary;
CREATE TABLE ddl_m.t (v VARCHAR(3), e ENUM('x'), l TEXT, c CHAR(2) CHARSET latin1);

ALTER DATABASE ddl_b CHARACTER SET latin1;
CREATE TABLE ddl_b.t3 (v VARCHAR(3));
ALTER SCHEMA ddl_b DEFAULT CHARACTER SET = greek;
CREATE TABLE ddl_b.t4 (v VARCHAR(3));
ALTER DATABASE ddl_b COLLATE utf8mb4_bin;
CREATE TABLE ddl_b.t5 (v VARCHAR(3));
ALTER DATABASE ddl_b DEFAULT COLLATE = 'latin1_bin' CHARSET latin1;
CREATE TABLE ddl_b.t6 (v VARCHAR(3));
-- @on mysql57 mariadb
ALTER DATABASE ddl_b CHARSET DEFAULT;
CREATE TABLE ddl_b.t7 (v VARCHAR(3));
USE ddl_b;
ALTER DATABASE CHARACTER SET hebrew;
CREATE TABLE t8 (v VARCHAR(3));
ALTER SCHEMA COLLATE greek_bin;
CREATE TABLE t9 (v VARCHAR(3));
ALTER DATABASE DEFAULT CHARSET = latin2;
CREATE TABLE t10 (v VARCHAR(3));
ALTER DATABASE DEFAULT COLLATE utf8mb4_bin;
CREATE TABLE t11 (v VARCHAR(3));
-- @on mysql97
ALTER DATABASE ddl_b READ ONLY = 1;
-- @on mysql97
ALTER DATABASE ddl_b READ ONLY DEFAULT;
-- @on mysql97
ALTER DATABASE ddl_b ENCRYPTION = 'N' CHARSET utf8mb4;
-- @on mariadb
ALTER DATABASE ddl_b COMMENT = 'x';
CREATE TABLE t12 (v VARCHAR(3));
USE ddl_a;
ALTER TABLE ddl_b.t12 CONVERT TO CHARACTER SET latin1;
CREATE TABLE ddl_b.t13 LIKE ddl_b.t4;
-- @on mysql57 mariadb
CREATE TABLE ddl_b.t14 (v VARCHAR(3)) COLLATE DEFAULT;
-- @on mysql57 mariadb
CREATE TABLE ddl_b.t15 (v VARCHAR(3)) CHARSET DEFAULT;

SET SESSION collation_server = latin1_swedish_ci;
CREATE DATABASE ddl_s1;
CREATE TABLE ddl_s1.t (v VARCHAR(3));
SET SESSION character_set_server = greek;
CREATE DATABASE ddl_s2;
CREATE TABLE ddl_s2.t (v VARCHAR(3));
-- @on mysql57 mariadb
CREATE DATABASE ddl_s3 CHARACTER SET DEFAULT;
-- @on mysql57 mariadb
CREATE TABLE ddl_s3.t (v VARCHAR(3));
-- @on mysql57 mariadb
ALTER DATABASE ddl_s1 CHARACTER SET DEFAULT;
CREATE TABLE ddl_s1.t2 (v VARCHAR(3));
SET SESSION collation_server = DEFAULT;
SET collation_database = latin1_bin;
CREATE TABLE ddl_s2.t3 (v VARCHAR(3));
SET collation_database = DEFAULT;
SET collation_connection = utf8mb4_bin, character_set_results = latin1;
CREATE TABLE ddl_s2.t4 (v VARCHAR(3));

DROP DATABASE ddl_c;
DROP SCHEMA ddl_d;
DROP DATABASE IF EXISTS ddl_e;
drop schema if exists ddl_never;
CREATE DATABASE ddl_c;
CREATE TABLE ddl_c.t (v VARCHAR(3));
DROP DATABASE ddl_c;
CREATE DATABASE ddl_c CHARSET latin1;
CREATE TABLE ddl_c.u (v VARCHAR(3));
DROP DATABASE ddl_b;
DROP DATABASE `ddl_k k`;
DROP DATABASE ddl_a;
CREATE DATABASE ddl_a;
USE ddl_a;
CREATE TABLE again (x INT);
