-- Statements as tools send them: mysqldump, pt-online-schema-change, gh-ost, and the migrations of web frameworks

/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!50503 SET NAMES utf8mb4 */;
/*!40103 SET @OLD_TIME_ZONE=@@TIME_ZONE */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
/*!40111 SET @OLD_SQL_NOTES=@@SQL_NOTES, SQL_NOTES=0 */;
CREATE DATABASE /*!32312 IF NOT EXISTS*/ `ddl_shop` /*!40100 DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci */ /*!80016 DEFAULT ENCRYPTION='N' */;
USE `ddl_shop`;
DROP TABLE IF EXISTS `order_item`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!50503 SET character_set_client = utf8mb4 */;
CREATE TABLE `order_item` (
  `id` int unsigned NOT NULL AUTO_INCREMENT,
  `sku` varchar(64) COLLATE utf8mb4_general_ci NOT NULL DEFAULT '',
  `price` decimal(12,4) DEFAULT '0.0000' COMMENT 'Price; with `ticks`, ''quotes'' and /* marks */',
  `note` text CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci,
  `created_at` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP,
  `updated_at` timestamp NULL DEFAULT NULL ON UPDATE CURRENT_TIMESTAMP,
  PRIMARY KEY (`id`) /*!80000 USING BTREE */,
  KEY `price_k` (`price`,`sku`(10)) /*!80000 INVISIBLE */
) ENGINE=InnoDB AUTO_INCREMENT=1000 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci ROW_FORMAT=DYNAMIC COMMENT='items; of orders'
/*!50100 PARTITION BY RANGE (`id`)
(PARTITION p0 VALUES LESS THAN (1000) ENGINE = InnoDB,
 PARTITION p1 VALUES LESS THAN MAXVALUE ENGINE = InnoDB) */;
DROP TABLE IF EXISTS `order_item`;
CREATE TABLE `order_item` (
  `id` int unsigned NOT NULL AUTO_INCREMENT,
  `sku` varchar(64) COLLATE utf8mb4_general_ci NOT NULL DEFAULT '',
  `price` decimal(12,4) DEFAULT '0.0000' COMMENT 'Price; with `ticks`, ''quotes'' and /* marks */',
  `doc` json DEFAULT NULL,
  `created_at` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (`id`),
  UNIQUE KEY `sku_u` (`sku`) USING BTREE COMMENT 'one',
  KEY `price_k` (`price`,`sku`(10)) /*!80000 INVISIBLE */
) ENGINE=InnoDB AUTO_INCREMENT=1000 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci COMMENT='items; of orders';
/*!40101 SET character_set_client = @saved_cs_client */;
LOCK TABLES `order_item` WRITE;
/*!40000 ALTER TABLE `order_item` DISABLE KEYS */;
INSERT INTO `order_item` VALUES (1,'a',1.5000,'{}','2024-01-01 00:00:00'),(2,'b; c',NULL,NULL,'2024-01-01 00:00:00');
/*!40000 ALTER TABLE `order_item` ENABLE KEYS */;
UNLOCK TABLES;
/*!50001 DROP VIEW IF EXISTS `cheap`*/;
/*!50001 CREATE VIEW `cheap` AS SELECT 
 1 AS `id`,
 1 AS `sku`*/;
/*!50001 CREATE ALGORITHM=UNDEFINED */ /*!50013 DEFINER=`root`@`localhost` SQL SECURITY DEFINER */ /*!50001 VIEW `cheap2` AS select `order_item`.`id` AS `id` from `order_item` */;
/*!50003 CREATE*/ /*!50017 DEFINER=`root`@`localhost`*/ /*!50003 TRIGGER `bi` BEFORE INSERT ON `order_item` FOR EACH ROW SET NEW.sku = UPPER(NEW.sku) */;
DROP TRIGGER bi;
/*!50106 CREATE*/ /*!50117 DEFINER=`root`@`localhost`*/ /*!50106 EVENT `purge` ON SCHEDULE EVERY 1 DAY STARTS '2037-01-01 00:00:00' ON COMPLETION NOT PRESERVE DISABLE DO DELETE FROM order_item */;
DROP EVENT `purge`;
DROP VIEW cheap, cheap2;
/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;
/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
/*!40014 SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS */;
/*!40014 SET UNIQUE_CHECKS=@OLD_UNIQUE_CHECKS */;
/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;

CREATE TABLE `ddl_shop`.`_order_item_new` LIKE `ddl_shop`.`order_item`;
ALTER TABLE `ddl_shop`.`_order_item_new` ADD COLUMN qty INT NOT NULL DEFAULT 1 COMMENT 'pt; osc', DROP KEY price_k;
CREATE TRIGGER `pt_osc_ddl_shop_order_item_del` AFTER DELETE ON `ddl_shop`.`order_item` FOR EACH ROW BEGIN DECLARE CONTINUE HANDLER FOR 1146 begin end; DELETE IGNORE FROM `ddl_shop`.`_order_item_new` WHERE `ddl_shop`.`_order_item_new`.`id` <=> OLD.`id`; END;
INSERT LOW_PRIORITY IGNORE INTO `ddl_shop`.`_order_item_new` (`id`, `sku`) SELECT `id`, `sku` FROM `ddl_shop`.`order_item` LOCK IN SHARE MODE /*pt-online-schema-change 4711 copy table*/;
ANALYZE TABLE `ddl_shop`.`_order_item_new` /* pt-online-schema-change */;
RENAME TABLE `ddl_shop`.`order_item` TO `ddl_shop`.`_order_item_old`, `ddl_shop`.`_order_item_new` TO `ddl_shop`.`order_item`;
DROP TABLE IF EXISTS `ddl_shop`.`_order_item_old`;
DROP TRIGGER IF EXISTS `ddl_shop`.`pt_osc_ddl_shop_order_item_del`;

drop /* gh-ost */ table if exists `ddl_shop`.`_order_item_ghc`;
create /* gh-ost */ table `ddl_shop`.`_order_item_ghc` (
			id bigint unsigned auto_increment,
			last_update timestamp not null DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
			hint varchar(64) charset ascii not null,
			value varchar(4096) charset ascii not null,
			primary key(id),
			unique key hint_uidx(hint)
		) auto_increment=256 comment='gh-ost-cut-over-sentry';
create /* gh-ost */ table `ddl_shop`.`_order_item_gho` like `ddl_shop`.`order_item`;
alter /* gh-ost */ table `ddl_shop`.`_order_item_gho` add column `tags` varchar(99) character set latin1 null after `sku`, AUTO_INCREMENT=1003;
create /* gh-ost */ table `ddl_shop`.`_order_item_del` (
			id int auto_increment primary key
		) engine=InnoDB comment='ghost-cut-over-sentry';
drop /* gh-ost */ table `ddl_shop`.`_order_item_del`;
rename /* gh-ost */ table `ddl_shop`.`order_item` to `ddl_shop`.`_order_item_del`, `ddl_shop`.`_order_item_gho` to `ddl_shop`.`order_item`;
drop /* gh-ost */ table if exists `ddl_shop`.`_order_item_ghc`;
drop /* gh-ost */ table if exists `ddl_shop`.`_order_item_del`;

CREATE TABLE `schema_migrations` (`version` varchar(255) NOT NULL PRIMARY KEY);
CREATE TABLE `ar_internal_metadata` (`key` varchar(255) NOT NULL PRIMARY KEY, `value` varchar(255), `created_at` datetime(6) NOT NULL, `updated_at` datetime(6) NOT NULL);
CREATE TABLE `users` (`id` bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, `email` varchar(255) DEFAULT '' NOT NULL, `admin` tinyint(1) DEFAULT FALSE, `login_count` int DEFAULT 0, `created_at` datetime(6) NOT NULL, `updated_at` datetime(6) NOT NULL,  INDEX `index_users_on_created_at` (`created_at`),  UNIQUE INDEX `index_users_on_email` (`email`)) CHARSET=utf8mb4 /*application:Shop,line:/db/migrate/1.rb:3*/;
ALTER TABLE `users` ADD `nickname` varchar(50) DEFAULT NULL /*application:Shop*/;
ALTER TABLE `users` CHANGE `nickname` `handle` varchar(50) DEFAULT NULL;
ALTER TABLE `users` ADD COLUMN `role` enum('admin','it''s, "me"','') DEFAULT 'admin' NOT NULL, ADD INDEX `i_role` (`role`), ALGORITHM=INPLACE, LOCK=NONE;
CREATE UNIQUE INDEX `index_users_on_handle_and_role` ON `users` (`handle`, `role`) COMMENT 'both' ALGORITHM = INPLACE;
ALTER TABLE `users` RENAME INDEX `index_users_on_created_at` TO `by_creation`;
ALTER TABLE `users` MODIFY `admin` tinyint(1) NOT NULL DEFAULT TRUE;
ALTER TABLE `users` ALTER COLUMN `login_count` DROP DEFAULT;
ALTER TABLE `users` ADD CONSTRAINT `chk_rails_1` CHECK ((login_count >= 0));
DROP INDEX `index_users_on_handle_and_role` ON `users`;

CREATE TABLE `django_migrations` (`id` bigint AUTO_INCREMENT NOT NULL PRIMARY KEY, `app` varchar(255) NOT NULL, `name` varchar(255) NOT NULL, `applied` datetime(6) NOT NULL);
CREATE TABLE `auth_permission` (`id` integer AUTO_INCREMENT NOT NULL PRIMARY KEY, `name` varchar(50) NOT NULL, `is_staff` bool NOT NULL, `ratio` double precision NULL, `age` smallint UNSIGNED NOT NULL CHECK (`age` >= 0), `uid` char(32) NOT NULL UNIQUE, `data` longtext NULL);
CREATE TABLE `auth_group_permissions` (`id` bigint AUTO_INCREMENT NOT NULL PRIMARY KEY, `permission_id` integer NOT NULL);
ALTER TABLE `auth_group_permissions` ADD CONSTRAINT `auth_group_permissions_permission_id_fk` FOREIGN KEY (`permission_id`) REFERENCES `auth_permission` (`id`);
ALTER TABLE `auth_group_permissions` ADD CONSTRAINT `auth_group_permissions_uniq` UNIQUE (`permission_id`, `id`);
ALTER TABLE `auth_permission` ADD COLUMN `codename` varchar(100) DEFAULT '' NOT NULL;
ALTER TABLE `auth_permission` ALTER COLUMN `codename` DROP DEFAULT;
ALTER TABLE `auth_permission` MODIFY `name` varchar(255) NOT NULL;
ALTER TABLE `auth_permission` MODIFY `name` varchar(255) NULL;
ALTER TABLE `auth_group_permissions` DROP FOREIGN KEY `auth_group_permissions_permission_id_fk`;
ALTER TABLE `auth_permission` RENAME TO `auth_right`;
ALTER TABLE `auth_right` DROP COLUMN `codename`, COMMENT '';

create table `migrations` (`id` int unsigned not null auto_increment primary key, `migration` varchar(255) not null, `batch` int not null) default character set utf8mb4 collate 'utf8mb4_unicode_ci';
create table `posts` (`id` bigint unsigned not null auto_increment primary key, `slug` varchar(191) not null, `body` json null, `state` enum('draft', 'live') not null default 'draft', `amount` double null, `published` tinyint(1) not null default '0', `created_at` timestamp null, `updated_at` timestamp null, `deleted_at` timestamp(0) null) default character set utf8mb4 collate 'utf8mb4_unicode_ci' engine = InnoDB;
alter table `posts` add unique `posts_slug_unique`(`slug`);
alter table `posts` add index `posts_state_index` using btree(`state`, `published`);
alter table `posts` add `owner_id` bigint unsigned null after `id`, add `seen_at` datetime null default CURRENT_TIMESTAMP on update CURRENT_TIMESTAMP;
alter table `posts` modify `slug` varchar(100) character set utf8mb4 collate 'utf8mb4_bin' not null default 'x' comment 'the slug' first;
alter table `posts` add `year_made` year as (year(`seen_at`)) stored, add `low` varchar(191) as (lower(`slug`)) virtual after `slug`;
-- @on mysql97 mysql80 mariadb
alter table `posts` rename column `state` to `status`;
alter table `posts` drop index `posts_slug_unique`, drop `amount`, add primary key `p`(`id`), drop primary key;
rename table `posts` to `articles`;
alter table `articles` drop `low`, drop `year_made`;

-- @on mysql97 mariadb
CREATE TABLE `ddl_shop`.`flyway_schema_history` (
    `installed_rank` INT NOT NULL,
    `version` VARCHAR(50),
    `description` VARCHAR(200) NOT NULL,
    `checksum` INT,
    `installed_on` TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    `success` BOOL NOT NULL,
    CONSTRAINT `flyway_schema_history_pk` PRIMARY KEY (`installed_rank`),
    INDEX `flyway_schema_history_s_idx` (`success`)
) ENGINE=InnoDB AS SELECT     1 as "installed_rank",     '1' as "version",     '<< Flyway Baseline >>' as "description",     NULL as "checksum",     CURRENT_TIMESTAMP as "installed_on",     TRUE as "success";
CREATE TABLE wp_posts (
	ID bigint(20) unsigned NOT NULL auto_increment,
	post_author bigint(20) unsigned NOT NULL default '0',
	post_content longtext NOT NULL,
	post_status varchar(20) NOT NULL default 'publish',
	menu_order int(11) NOT NULL default '0',
	PRIMARY KEY  (ID),
	KEY type_status_date (post_status,ID),
	KEY post_author (post_author)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;
ALTER TABLE wp_posts CHANGE COLUMN `post_status` post_status varchar(40) NOT NULL default 'publish';
ALTER TABLE wp_posts ADD COLUMN comment_count bigint(20) NOT NULL default '0';
ALTER TABLE wp_posts ADD FULLTEXT KEY `text_k` (post_content), ADD KEY `type_status` (`post_status`(19));
ALTER TABLE `wp_posts` CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
CREATE TABLE `catalog_product_entity` (`entity_id` int UNSIGNED NOT NULL AUTO_INCREMENT COMMENT 'Entity Id' , `sku` varchar(64) NULL COMMENT 'SKU' , `has_options` smallint NOT NULL DEFAULT 0 COMMENT 'Has Options' , `price` decimal(20, 6) NOT NULL DEFAULT 0 COMMENT 'Price' , `active` BOOLEAN NOT NULL DEFAULT true COMMENT 'Active' , `created_at` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP COMMENT 'Creation Time' , CONSTRAINT PRIMARY KEY (`entity_id`), CONSTRAINT `SKU_U` UNIQUE KEY (`sku`), INDEX `PRICE_K` (`price`)) ENGINE=innodb DEFAULT CHARSET=utf8mb4 DEFAULT COLLATE=utf8mb4_general_ci COMMENT='Catalog Product Table';
ALTER TABLE `catalog_product_entity` MODIFY COLUMN `sku` varchar(64) NOT NULL COMMENT 'SKU' , ADD COLUMN `row_id` int UNSIGNED NOT NULL DEFAULT 0 COMMENT 'Version' , DROP KEY `PRICE_K`, ADD CONSTRAINT `ROW_U` UNIQUE KEY (`row_id`,`sku`), COMMENT='Catalog';
CREATE TABLE `_prisma_migrations` (
    id                      VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum                VARCHAR(64) NOT NULL,
    finished_at             DATETIME(3),
    migration_name          VARCHAR(255) NOT NULL,
    logs                    TEXT,
    started_at              DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    applied_steps_count     INTEGER UNSIGNED NOT NULL DEFAULT 0
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
-- CreateTable
CREATE TABLE `User` (
    `id` INTEGER NOT NULL AUTO_INCREMENT,
    `email` VARCHAR(191) NOT NULL,
    `role` ENUM('USER', 'ADMIN') NOT NULL DEFAULT 'USER',
    `meta` JSON NULL,
    `at` DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),

    UNIQUE INDEX `User_email_key`(`email`),
    PRIMARY KEY (`id`)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
/*
  Warnings:
  - You are about to drop the column `meta` on the `User` table; all the data will be lost.
*/
ALTER TABLE `User` DROP COLUMN `meta`,
    ADD COLUMN `flag` BOOLEAN NOT NULL DEFAULT false,
    MODIFY `role` ENUM('USER', 'ADMIN', 'GUEST') NOT NULL DEFAULT 'GUEST';
create table hib_order (is_open bit not null, total numeric(38,2), version integer not null, id bigint not null auto_increment, placed datetime(6), label varchar(255), kind tinyint check (kind between 0 and 2), body tinyblob, primary key (id)) engine=InnoDB;
create table hibernate_sequence (next_val bigint) engine=InnoDB;
insert into hibernate_sequence values ( 1 );
-- @on mariadb
alter table if exists hib_order add column extra float(53);
alter table hib_order add constraint UK_6dotkott2kjsp8vw4d0m25fb7 unique (label);
alter table hib_order modify column label varchar(500) not null, drop index UK_6dotkott2kjsp8vw4d0m25fb7;
alter table hib_order add column (`a b` int, c2 varchar(3) not null default 'q');

CREATE TABLE DATABASECHANGELOGLOCK (ID INT NOT NULL, `LOCKED` TINYINT NOT NULL, LOCKGRANTED datetime NULL, LOCKEDBY VARCHAR(255) NULL, CONSTRAINT PK_DATABASECHANGELOGLOCK PRIMARY KEY (ID));
ALTER TABLE ddl_shop.DATABASECHANGELOGLOCK ADD CONSTRAINT u UNIQUE (LOCKEDBY), ALTER LOCKEDBY SET DEFAULT 'none';
ALTER TABLE `DATABASECHANGELOGLOCK` FORCE, ORDER BY ID;
OPTIMIZE LOCAL TABLE ddl_shop.DATABASECHANGELOGLOCK;
DROP TABLE IF EXISTS `DATABASECHANGELOGLOCK`, `nothing_there` CASCADE;
ALTER DATABASE `ddl_shop` CHARACTER SET latin1 COLLATE latin1_swedish_ci;
create table `inherits` (`id` binary(16) not null, `name` nvarchar(20) null, `c` char(4) byte, `u` varchar(9) unicode, primary key (`id`));
alter table `inherits` default character set = utf8mb4, default collate utf8mb4_bin;
alter table `inherits` add (`late` varchar(5), `later` text(300), key `late_k` (`late` desc));
alter table `inherits` convert to charset default;
ALTER DATABASE `ddl_shop` CHARACTER SET = utf8mb4 COLLATE = utf8mb4_general_ci;
CREATE TABLE dt (id SERIAL, a INT(11) UNSIGNED ZEROFILL DEFAULT '7', b DEC(6,2) DEFAULT 1e2, c FIXED(4), d DOUBLE PRECISION UNSIGNED, e NATIONAL CHAR(3), f LONG VARCHAR, g MIDDLEINT, h INT8 NOT NULL DEFAULT -1, i BIT(8) DEFAULT b'1010', j CHAR VARYING(5) DEFAULT _latin1'x', k SET('a','b') DEFAULT 'a,b', l YEAR(4), m TIMESTAMP(6) NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6), n DATETIME DEFAULT LOCALTIME);
ALTER TABLE dt CHANGE a b2 BIGINT, CHANGE b a DECIMAL(8,3) NOT NULL FIRST, DROP c, ADD c TINYTEXT AFTER b2;
ALTER TABLE dt ALTER h DROP DEFAULT, ALTER j SET DEFAULT 'y', MODIFY COLUMN k SET('a','b','c') CHARACTER SET ascii;
ALTER TABLE dt MODIFY id BIGINT UNSIGNED NOT NULL, DROP KEY id, ADD UNIQUE KEY (id, h), ADD PRIMARY KEY (h, id);
ALTER TABLE dt DROP PRIMARY KEY, ADD CONSTRAINT PRIMARY KEY USING BTREE (id), ENGINE InnoDB, AVG_ROW_LENGTH 7, STATS_PERSISTENT DEFAULT, CHECKSUM 0;
create table if not exists dt2 (like dt);
-- @on mariadb
alter ignore table dt2 add column z int;
alter table dt2 rename as dt3;
rename tables dt to dt_old, dt3 to dt;
CREATE TABLE parted (id INT NOT NULL, day DATE NOT NULL, PRIMARY KEY (id, day)) PARTITION BY RANGE COLUMNS (day) (PARTITION p202401 VALUES LESS THAN ('2024-02-01') COMMENT = 'jan', PARTITION pmax VALUES LESS THAN (MAXVALUE));
ALTER TABLE parted REORGANIZE PARTITION pmax INTO (PARTITION p202402 VALUES LESS THAN ('2024-03-01'), PARTITION pmax VALUES LESS THAN (MAXVALUE));
ALTER TABLE parted TRUNCATE PARTITION p202401;
ALTER TABLE parted DROP PARTITION p202401, p202402;
ALTER TABLE parted ADD COLUMN w INT REMOVE PARTITIONING;
-- @on mariadb
ALTER TABLE parted ADD COLUMN IF NOT EXISTS v INT DEFAULT 3, DROP COLUMN IF EXISTS nothing, ADD INDEX IF NOT EXISTS w_k (w);
-- @on mysql97
ALTER TABLE parted ADD COLUMN stamp DATETIME INVISIBLE DEFAULT (NOW()), ADD INDEX fx ((CAST(w AS CHAR(8))));
-- @on mysql97
ALTER TABLE parted ALTER COLUMN stamp SET VISIBLE, ALTER INDEX fx INVISIBLE;
-- @on mariadb
ALTER TABLE parted ADD COLUMN doc JSON DEFAULT (JSON_OBJECT('k', JSON_ARRAY())), ALGORITHM=INSTANT;
USE ddl_a;
DROP DATABASE IF EXISTS `ddl_shop`;
