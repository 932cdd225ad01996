-- Comments, versioned comments, sql_mode, character_set_client

CREATE TABLE a (x INT) /* c */;
/* c */ CREATE TABLE b (x INT);
-- c
CREATE TABLE c (x INT);
# c
CREATE TABLE d (x INT);
/* a
   b */ CREATE /**/ TABLE /* ' */ e /* " */ (/* ` */ x /* ( */ INT /* ) */, y INT -- , z INT
, w INT # , v INT
) -- )
;
CREATE/**/TABLE/**/f(x/**/INT);
CREATE TABLE g (x INT --
, y INT);
CREATE TABLE i (`/* x */` INT, `-- y` INT, `# z` INT) COMMENT '/* x */ -- y # z';
DROP TABLE IF EXISTS a, b, c, d, e, f, g, h, i;

/*! CREATE TABLE a (x INT) */;
/*!50000 CREATE TABLE b (x INT) */;
/*!40101 CREATE */ /*!40101 TABLE c (x INT) */;
CREATE TABLE d (x INT /*!50000 , y INT */ /*!99999 , z INT */ /*!999999 , w INT */);
CREATE TABLE e (x INT /*! , y INT */, z INT /*!*/);
CREATE TABLE f (x INT /*!50001, y INT /* inner */ , z INT */);
CREATE TABLE g (x INT /*!80000 , y INT */ /*!80013 , y13 INT */ /*!80400 , z INT */ /*!90000 , w INT */ /*!90700 , v INT */);
-- @on mysql97 mariadb
CREATE TABLE h (x INT /*!080000 , y INT */ /*!090700 , z INT */ /*!090799 , w INT */ /*!100000 , v INT */ /*!101100 , u INT */);
CREATE TABLE i (x INT /*M! , y INT */ /*M!50000 , z INT */ /*M!100100 , w INT */ /*M!101199 , v INT */ /*M!130000 , u INT */);
CREATE TABLE j (x INT /*!50699 , y INT */ /*!50700 , z INT */ /*!50701 , w INT */ /*!50719 , v INT */ /*!50720 , u INT */);
CREATE TABLE k (x INT /*!57000 , y INT */ /*!60000 , z INT */ /*!99997 , w INT */);
CREATE TABLE m (x INT /*!50000, y INT*/ /*!50000,z INT*/);
CREATE TABLE n (x INT) /*!50100 COMMENT 'a' */ /*!99999 COMMENT 'b' */;
CREATE TABLE o (x INT /*+ no hint */ , y INT);
CREATE TABLE p (x VARCHAR(20) DEFAULT '/*!99999 x */', y VARCHAR(20) DEFAULT '*/');
/*!50003 CREATE*/ /*!50017 DEFINER=`root`@`localhost`*/ /*!50003 TRIGGER trg BEFORE INSERT ON a FOR EACH ROW SET @x = 1 */;
ALTER TABLE a ADD y INT /*!50000 , ADD z INT */ /*!99999 , ADD w INT */;
/*!50000 ALTER TABLE a */ /*!50000 ADD v INT */;
/*!99999 DROP TABLE a */;
/*!50000 DROP TABLE a */;
DROP TABLE IF EXISTS b, c, d, e, f, g, h, i, j, k, m, n, o, p;

SET sql_mode = 'ANSI_QUOTES,STRICT_TRANS_TABLES';
CREATE TABLE "a" ("x" INT, "y z" INT DEFAULT 5, `w` INT, v VARCHAR(9) DEFAULT 'a"b');
CREATE TABLE "q""q" ("a""b" INT COMMENT 'it''s "x"');
ALTER TABLE "a" ADD "new" INT AFTER "x", DROP "w", RENAME TO "A b";
ALTER TABLE "A b" ADD UNIQUE "k" ("x"), COMMENT 'c';
RENAME TABLE "A b" TO "ddl_a"."c";
DROP INDEX "k" ON "c";
TRUNCATE TABLE "c";
CREATE TABLE "like" LIKE "c";
-- @on mysql97 mariadb
CREATE TABLE "sel" SELECT "x", 'x' AS "y y" FROM "c";
DROP TABLE IF EXISTS "c", "like", "sel";
SET sql_mode = 'NO_BACKSLASH_ESCAPES,STRICT_TRANS_TABLES';
CREATE TABLE n1 (x VARCHAR(20) DEFAULT 'a\', y VARCHAR(20) DEFAULT 'b\n', z VARCHAR(20) DEFAULT '\', w VARCHAR(20) DEFAULT "\");
ALTER TABLE n1 ADD c INT COMMENT 'back\slash\', ADD e ENUM('a\', 'b\\') DEFAULT 'a\', COMMENT 'tab\le';
CREATE TABLE n2 (x INT) COMMENT '\' /* c */;
SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,STRICT_TRANS_TABLES';
CREATE TABLE "n\3" ("x\" INT, y VARCHAR(9) DEFAULT '\');
ALTER TABLE "n\3" ADD "z" INT COMMENT '"\"';
SET sql_mode = 'PIPES_AS_CONCAT,IGNORE_SPACE,STRICT_TRANS_TABLES';
CREATE TABLE n4 (x INT, y VARCHAR(9) AS ('a' || x));
SET sql_mode = 'REAL_AS_FLOAT,STRICT_TRANS_TABLES';
CREATE TABLE n5 (x REAL, y REAL(8,2), z DOUBLE);
ALTER TABLE n5 ADD w REAL UNSIGNED DEFAULT 1.5;
SET sql_mode = 'STRICT_TRANS_TABLES';
CREATE TABLE n6 (x REAL, y REAL(8,2), z DOUBLE);
SET sql_mode = '';
CREATE TABLE n7 (x INT DEFAULT 0, y DATE DEFAULT '0000-00-00', z DATETIME NOT NULL DEFAULT '0000-00-00 00:00:00');
SET sql_mode = 'ALLOW_INVALID_DATES';
CREATE TABLE n8 (y DATE DEFAULT '2024-02-31', z DATETIME DEFAULT '2024-02-31 01:02:03');
SET sql_mode = 'TRADITIONAL';
CREATE TABLE n9 (x INT NOT NULL, y DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP);
SET sql_mode = 'STRICT_TRANS_TABLES';
DROP TABLE n1, n2, `n\3`, n4, n5, n6, n7, n8, n9, `q"q`;

SET NAMES latin1;
CREATE TABLE c1 (x INT COMMENT 'ascii only');
SET NAMES utf8mb4;
CREATE TABLE c2 (`é` INT COMMENT 'ñ', d VARCHAR(9) DEFAULT 'ü' COMMENT 'ж') COMMENT '日本';
SET NAMES utf8;
CREATE TABLE c3 (`é` INT COMMENT 'ñ', e ENUM('ä','Ω')) COMMENT '日本';
SET @s = CONVERT('CREATE TABLE `tä` (`cö` INT COMMENT ''ß'', v VARCHAR(9) DEFAULT ''é'', e ENUM(''ü'',''x''))' USING utf8mb4);
SET NAMES latin1;
PREPARE p FROM @s;
EXECUTE p;
SET NAMES utf8mb4;
SET @s = CONVERT('CREATE TABLE `Ω` (`ж` INT COMMENT ''д'')' USING utf8mb4);
SET NAMES cp1251;
PREPARE p FROM @s;
EXECUTE p;
SET NAMES utf8mb4;
SET @s = 'ALTER TABLE c3 ADD `日本` INT COMMENT ''表''';
SET NAMES gbk;
PREPARE p FROM @s;
EXECUTE p;
SET NAMES utf8mb4;
SET @s = 'ALTER TABLE c3 ADD `ソ表` INT COMMENT ''能''';
SET NAMES sjis;
PREPARE p FROM @s;
EXECUTE p;
DEALLOCATE PREPARE p;
SET NAMES utf8mb4;
DROP TABLE c1, c2, c3, `tä`;
