-- Every word that is not reserved, bare, as the name of tables, columns and keys

CREATE DATABASE ddl_words;
USE ddl_words;
CREATE TABLE absent (absent INT, KEY absent (absent));
ALTER TABLE absent ADD c INT AFTER absent;
CREATE TABLE ddl_words.account (a INT, account INT UNSIGNED, UNIQUE account (account), CONSTRAINT c_account CHECK (a > 0));
-- @on mariadb
ALTER TABLE account ADD account_2 INT FIRST, MODIFY account TEXT;
CREATE TABLE action (action TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE action ADD action_2 INT FIRST, MODIFY action TEXT;
CREATE TABLE active (x INT, active INT AS (x + 1), z INT);
CREATE TABLE admin (x INT NOT NULL, admin CHAR(3) CHARSET latin1, UNIQUE KEY (x, admin));
ALTER TABLE admin CHANGE admin admin BIGINT;
CREATE TABLE after (after INT, KEY after (after));
CREATE TABLE against (id INT PRIMARY KEY, against VARCHAR(9) NOT NULL DEFAULT 'against');
ALTER TABLE against DROP against;
CREATE TABLE ddl_words.aggregate (a INT, aggregate INT UNSIGNED, UNIQUE aggregate (aggregate), CONSTRAINT c_aggregate CHECK (a > 0));
ALTER TABLE aggregate RENAME TO aggregate_t;
CREATE TABLE algorithm (algorithm TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE algorithm RENAME TO algorithm_t;
CREATE TABLE allow_missing_files (x INT, allow_missing_files INT AS (x + 1), z INT);
RENAME TABLE allow_missing_files TO x_allow_missing_files;
CREATE TABLE always (x INT NOT NULL, always CHAR(3) CHARSET latin1, UNIQUE KEY (x, always));
RENAME TABLE always TO x_always;

CREATE TABLE any (any INT, KEY any (any));
ALTER TABLE any ADD c INT AFTER any;
CREATE TABLE array (id INT PRIMARY KEY, array VARCHAR(9) NOT NULL DEFAULT 'array');
ALTER TABLE array ADD c INT AFTER array;
CREATE TABLE ddl_words.ascii (a INT, ascii INT UNSIGNED, UNIQUE ascii (ascii), CONSTRAINT c_ascii CHECK (a > 0));
-- @on mariadb
ALTER TABLE ascii ADD ascii_2 INT FIRST, MODIFY ascii TEXT;
CREATE TABLE assign_gtids_to_anonymous_transactions (assign_gtids_to_anonymous_transactions TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE assign_gtids_to_anonymous_transactions ADD assign_gtids_to_anonymous_transactions_2 INT FIRST, MODIFY assign_gtids_to_anonymous_transactions TEXT;
CREATE TABLE at (x INT, at INT AS (x + 1), z INT);
CREATE TABLE attribute (x INT NOT NULL, attribute CHAR(3) CHARSET latin1, UNIQUE KEY (x, attribute));
ALTER TABLE attribute CHANGE attribute attribute BIGINT;
CREATE TABLE authentication (authentication INT, KEY authentication (authentication));
CREATE TABLE auto (id INT PRIMARY KEY, auto VARCHAR(9) NOT NULL DEFAULT 'auto');
ALTER TABLE auto DROP auto;
CREATE TABLE ddl_words.auto_increment (a INT, auto_increment INT UNSIGNED, UNIQUE auto_increment (auto_increment), CONSTRAINT c_auto_increment CHECK (a > 0));
ALTER TABLE auto_increment RENAME TO auto_increment_t;
CREATE TABLE auto_refresh (auto_refresh TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE auto_refresh RENAME TO auto_refresh_t;
CREATE TABLE auto_refresh_source (x INT, auto_refresh_source INT AS (x + 1), z INT);
RENAME TABLE auto_refresh_source TO x_auto_refresh_source;
CREATE TABLE autoextend_size (x INT NOT NULL, autoextend_size CHAR(3) CHARSET latin1, UNIQUE KEY (x, autoextend_size));
RENAME TABLE autoextend_size TO x_autoextend_size;

CREATE TABLE avg (avg INT, KEY avg (avg));
ALTER TABLE avg ADD c INT AFTER avg;
CREATE TABLE ddl_words.backup (a INT, backup INT UNSIGNED, UNIQUE backup (backup), CONSTRAINT c_backup CHECK (a > 0));
-- @on mariadb
ALTER TABLE backup ADD backup_2 INT FIRST, MODIFY backup TEXT;
CREATE TABLE begin (begin TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE begin ADD begin_2 INT FIRST, MODIFY begin TEXT;
CREATE TABLE bernoulli (x INT, bernoulli INT AS (x + 1), z INT);
CREATE TABLE binlog (x INT NOT NULL, binlog CHAR(3) CHARSET latin1, UNIQUE KEY (x, binlog));
ALTER TABLE binlog CHANGE binlog binlog BIGINT;
CREATE TABLE bit (bit INT, KEY bit (bit));
CREATE TABLE block (id INT PRIMARY KEY, block VARCHAR(9) NOT NULL DEFAULT 'block');
ALTER TABLE block DROP block;
CREATE TABLE ddl_words.body (a INT, body INT UNSIGNED, UNIQUE body (body), CONSTRAINT c_body CHECK (a > 0));
ALTER TABLE body RENAME TO body_t;
CREATE TABLE bool (bool TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE bool RENAME TO bool_t;
CREATE TABLE boolean (x INT, boolean INT AS (x + 1), z INT);
RENAME TABLE boolean TO x_boolean;
CREATE TABLE btree (x INT NOT NULL, btree CHAR(3) CHARSET latin1, UNIQUE KEY (x, btree));
RENAME TABLE btree TO x_btree;

CREATE TABLE buckets (buckets INT, KEY buckets (buckets));
ALTER TABLE buckets ADD c INT AFTER buckets;
CREATE TABLE bulk (id INT PRIMARY KEY, bulk VARCHAR(9) NOT NULL DEFAULT 'bulk');
ALTER TABLE bulk ADD c INT AFTER bulk;
CREATE TABLE ddl_words.byte (a INT, byte INT UNSIGNED, UNIQUE byte (byte), CONSTRAINT c_byte CHECK (a > 0));
-- @on mariadb
ALTER TABLE byte ADD byte_2 INT FIRST, MODIFY byte TEXT;
CREATE TABLE cache (cache TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE cache ADD cache_2 INT FIRST, MODIFY cache TEXT;
CREATE TABLE cascaded (x INT, cascaded INT AS (x + 1), z INT);
CREATE TABLE catalog_name (x INT NOT NULL, catalog_name CHAR(3) CHARSET latin1, UNIQUE KEY (x, catalog_name));
ALTER TABLE catalog_name CHANGE catalog_name catalog_name BIGINT;
CREATE TABLE chain (chain INT, KEY chain (chain));
CREATE TABLE ddl_words.changed (a INT, changed INT UNSIGNED, UNIQUE changed (changed), CONSTRAINT c_changed CHECK (a > 0));
ALTER TABLE changed RENAME TO changed_t;
CREATE TABLE channel (channel TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE channel RENAME TO channel_t;
CREATE TABLE charset (x INT, charset INT AS (x + 1), z INT);
RENAME TABLE charset TO x_charset;
CREATE TABLE checksum (x INT NOT NULL, checksum CHAR(3) CHARSET latin1, UNIQUE KEY (x, checksum));
RENAME TABLE checksum TO x_checksum;

CREATE TABLE cipher (cipher INT, KEY cipher (cipher));
ALTER TABLE cipher ADD c INT AFTER cipher;
CREATE TABLE ddl_words.client (a INT, client INT UNSIGNED, UNIQUE client (client), CONSTRAINT c_client CHECK (a > 0));
-- @on mariadb
ALTER TABLE client ADD client_2 INT FIRST, MODIFY client TEXT;
CREATE TABLE clob (clob TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE clob ADD clob_2 INT FIRST, MODIFY clob TEXT;
CREATE TABLE clone (x INT, clone INT AS (x + 1), z INT);
CREATE TABLE close (x INT NOT NULL, close CHAR(3) CHARSET latin1, UNIQUE KEY (x, close));
ALTER TABLE close CHANGE close close BIGINT;
CREATE TABLE coalesce (coalesce INT, KEY coalesce (coalesce));
CREATE TABLE code (id INT PRIMARY KEY, code VARCHAR(9) NOT NULL DEFAULT 'code');
ALTER TABLE code DROP code;
CREATE TABLE ddl_words.collation (a INT, collation INT UNSIGNED, UNIQUE collation (collation), CONSTRAINT c_collation CHECK (a > 0));
ALTER TABLE collation RENAME TO collation_t;
CREATE TABLE column_format (column_format TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE column_format RENAME TO column_format_t;
CREATE TABLE column_name (x INT, column_name INT AS (x + 1), z INT);
RENAME TABLE column_name TO x_column_name;
CREATE TABLE columns (x INT NOT NULL, columns CHAR(3) CHARSET latin1, UNIQUE KEY (x, columns));
RENAME TABLE columns TO x_columns;

CREATE TABLE comment (comment INT, KEY comment (comment));
ALTER TABLE comment ADD c INT AFTER comment;
CREATE TABLE commit (id INT PRIMARY KEY, commit VARCHAR(9) NOT NULL DEFAULT 'commit');
ALTER TABLE commit ADD c INT AFTER commit;
CREATE TABLE ddl_words.committed (a INT, committed INT UNSIGNED, UNIQUE committed (committed), CONSTRAINT c_committed CHECK (a > 0));
-- @on mariadb
ALTER TABLE committed ADD committed_2 INT FIRST, MODIFY committed TEXT;
CREATE TABLE compact (compact TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE compact ADD compact_2 INT FIRST, MODIFY compact TEXT;
CREATE TABLE completion (x INT, completion INT AS (x + 1), z INT);
CREATE TABLE component (x INT NOT NULL, component CHAR(3) CHARSET latin1, UNIQUE KEY (x, component));
ALTER TABLE component CHANGE component component BIGINT;
CREATE TABLE compressed (compressed INT, KEY compressed (compressed));
CREATE TABLE ddl_words.concurrent (a INT, concurrent INT UNSIGNED, UNIQUE concurrent (concurrent), CONSTRAINT c_concurrent CHECK (a > 0));
ALTER TABLE concurrent RENAME TO concurrent_t;
CREATE TABLE connection (connection TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE connection RENAME TO connection_t;
CREATE TABLE consistent (x INT, consistent INT AS (x + 1), z INT);
RENAME TABLE consistent TO x_consistent;
CREATE TABLE constraint_catalog (x INT NOT NULL, constraint_catalog CHAR(3) CHARSET latin1, UNIQUE KEY (x, constraint_catalog));
RENAME TABLE constraint_catalog TO x_constraint_catalog;

CREATE TABLE constraint_name (constraint_name INT, KEY constraint_name (constraint_name));
ALTER TABLE constraint_name ADD c INT AFTER constraint_name;
CREATE TABLE ddl_words.contains (a INT, contains INT UNSIGNED, UNIQUE contains (contains), CONSTRAINT c_contains CHECK (a > 0));
-- @on mariadb
ALTER TABLE contains ADD contains_2 INT FIRST, MODIFY contains TEXT;
CREATE TABLE context (context TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE context ADD context_2 INT FIRST, MODIFY context TEXT;
CREATE TABLE cpu (x INT, cpu INT AS (x + 1), z INT);
CREATE TABLE current (x INT NOT NULL, current CHAR(3) CHARSET latin1, UNIQUE KEY (x, current));
ALTER TABLE current CHANGE current current BIGINT;
CREATE TABLE cursor_name (cursor_name INT, KEY cursor_name (cursor_name));
CREATE TABLE cycle (id INT PRIMARY KEY, cycle VARCHAR(9) NOT NULL DEFAULT 'cycle');
ALTER TABLE cycle DROP cycle;
CREATE TABLE ddl_words.data (a INT, data INT UNSIGNED, UNIQUE data (data), CONSTRAINT c_data CHECK (a > 0));
ALTER TABLE data RENAME TO data_t;
CREATE TABLE datafile (datafile TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE datafile RENAME TO datafile_t;
CREATE TABLE date (x INT, date INT AS (x + 1), z INT);
RENAME TABLE date TO x_date;
CREATE TABLE datetime (x INT NOT NULL, datetime CHAR(3) CHARSET latin1, UNIQUE KEY (x, datetime));
RENAME TABLE datetime TO x_datetime;

CREATE TABLE day (day INT, KEY day (day));
ALTER TABLE day ADD c INT AFTER day;
CREATE TABLE ddl_words.default_auth (a INT, default_auth INT UNSIGNED, UNIQUE default_auth (default_auth), CONSTRAINT c_default_auth CHECK (a > 0));
-- @on mariadb
ALTER TABLE default_auth ADD default_auth_2 INT FIRST, MODIFY default_auth TEXT;
CREATE TABLE definer (definer TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE definer ADD definer_2 INT FIRST, MODIFY definer TEXT;
CREATE TABLE definition (x INT, definition INT AS (x + 1), z INT);
CREATE TABLE delay_key_write (x INT NOT NULL, delay_key_write CHAR(3) CHARSET latin1, UNIQUE KEY (x, delay_key_write));
ALTER TABLE delay_key_write CHANGE delay_key_write delay_key_write BIGINT;
CREATE TABLE description (description INT, KEY description (description));
CREATE TABLE ddl_words.directory (a INT, directory INT UNSIGNED, UNIQUE directory (directory), CONSTRAINT c_directory CHECK (a > 0));
ALTER TABLE directory RENAME TO directory_t;
CREATE TABLE disable (disable TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE disable RENAME TO disable_t;
CREATE TABLE discard (x INT, discard INT AS (x + 1), z INT);
RENAME TABLE discard TO x_discard;
CREATE TABLE disk (x INT NOT NULL, disk CHAR(3) CHARSET latin1, UNIQUE KEY (x, disk));
RENAME TABLE disk TO x_disk;

CREATE TABLE do (do INT, KEY do (do));
ALTER TABLE do ADD c INT AFTER do;
CREATE TABLE duality (id INT PRIMARY KEY, duality VARCHAR(9) NOT NULL DEFAULT 'duality');
ALTER TABLE duality ADD c INT AFTER duality;
CREATE TABLE ddl_words.dumpfile (a INT, dumpfile INT UNSIGNED, UNIQUE dumpfile (dumpfile), CONSTRAINT c_dumpfile CHECK (a > 0));
-- @on mariadb
ALTER TABLE dumpfile ADD dumpfile_2 INT FIRST, MODIFY dumpfile TEXT;
CREATE TABLE duplicate (duplicate TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE duplicate ADD duplicate_2 INT FIRST, MODIFY duplicate TEXT;
CREATE TABLE dynamic (x INT, dynamic INT AS (x + 1), z INT);
CREATE TABLE elsif (x INT NOT NULL, elsif CHAR(3) CHARSET latin1, UNIQUE KEY (x, elsif));
ALTER TABLE elsif CHANGE elsif elsif BIGINT;
CREATE TABLE enable (enable INT, KEY enable (enable));
CREATE TABLE ddl_words.end (a INT, end INT UNSIGNED, UNIQUE end (end), CONSTRAINT c_end CHECK (a > 0));
ALTER TABLE end RENAME TO end_t;
CREATE TABLE ends (ends TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE ends RENAME TO ends_t;
CREATE TABLE enforced (x INT, enforced INT AS (x + 1), z INT);
RENAME TABLE enforced TO x_enforced;
CREATE TABLE engine (x INT NOT NULL, engine CHAR(3) CHARSET latin1, UNIQUE KEY (x, engine));
RENAME TABLE engine TO x_engine;

CREATE TABLE engine_attribute (engine_attribute INT, KEY engine_attribute (engine_attribute));
ALTER TABLE engine_attribute ADD c INT AFTER engine_attribute;
CREATE TABLE engines (id INT PRIMARY KEY, engines VARCHAR(9) NOT NULL DEFAULT 'engines');
ALTER TABLE engines ADD c INT AFTER engines;
CREATE TABLE ddl_words.enum (a INT, enum INT UNSIGNED, UNIQUE enum (enum), CONSTRAINT c_enum CHECK (a > 0));
-- @on mariadb
ALTER TABLE enum ADD enum_2 INT FIRST, MODIFY enum TEXT;
CREATE TABLE error (error TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE error ADD error_2 INT FIRST, MODIFY error TEXT;
CREATE TABLE errors (x INT, errors INT AS (x + 1), z INT);
CREATE TABLE escape (x INT NOT NULL, escape CHAR(3) CHARSET latin1, UNIQUE KEY (x, escape));
ALTER TABLE escape CHANGE escape escape BIGINT;
CREATE TABLE event (event INT, KEY event (event));
CREATE TABLE events (id INT PRIMARY KEY, events VARCHAR(9) NOT NULL DEFAULT 'events');
ALTER TABLE events DROP events;
CREATE TABLE ddl_words.every (a INT, every INT UNSIGNED, UNIQUE every (every), CONSTRAINT c_every CHECK (a > 0));
ALTER TABLE every RENAME TO every_t;
CREATE TABLE exception (exception TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE exception RENAME TO exception_t;
CREATE TABLE exchange (x INT, exchange INT AS (x + 1), z INT);
RENAME TABLE exchange TO x_exchange;
CREATE TABLE exclude (x INT NOT NULL, exclude CHAR(3) CHARSET latin1, UNIQUE KEY (x, exclude));
RENAME TABLE exclude TO x_exclude;

CREATE TABLE execute (execute INT, KEY execute (execute));
ALTER TABLE execute ADD c INT AFTER execute;
CREATE TABLE expansion (id INT PRIMARY KEY, expansion VARCHAR(9) NOT NULL DEFAULT 'expansion');
ALTER TABLE expansion ADD c INT AFTER expansion;
CREATE TABLE ddl_words.expire (a INT, expire INT UNSIGNED, UNIQUE expire (expire), CONSTRAINT c_expire CHECK (a > 0));
-- @on mariadb
ALTER TABLE expire ADD expire_2 INT FIRST, MODIFY expire TEXT;
CREATE TABLE export (export TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE export ADD export_2 INT FIRST, MODIFY export TEXT;
CREATE TABLE extended (x INT, extended INT AS (x + 1), z INT);
CREATE TABLE extent_size (x INT NOT NULL, extent_size CHAR(3) CHARSET latin1, UNIQUE KEY (x, extent_size));
ALTER TABLE extent_size CHANGE extent_size extent_size BIGINT;
CREATE TABLE external_format (external_format INT, KEY external_format (external_format));
CREATE TABLE factor (id INT PRIMARY KEY, factor VARCHAR(9) NOT NULL DEFAULT 'factor');
ALTER TABLE factor DROP factor;
CREATE TABLE ddl_words.failed_login_attempts (a INT, failed_login_attempts INT UNSIGNED, UNIQUE failed_login_attempts (failed_login_attempts), CONSTRAINT c_failed_login_attempts CHECK (a > 0));
ALTER TABLE failed_login_attempts RENAME TO failed_login_attempts_t;
CREATE TABLE fast (fast TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE fast RENAME TO fast_t;
CREATE TABLE faults (x INT, faults INT AS (x + 1), z INT);
RENAME TABLE faults TO x_faults;
CREATE TABLE fields (x INT NOT NULL, fields CHAR(3) CHARSET latin1, UNIQUE KEY (x, fields));
RENAME TABLE fields TO x_fields;

CREATE TABLE file (file INT, KEY file (file));
ALTER TABLE file ADD c INT AFTER file;
CREATE TABLE ddl_words.file_format (a INT, file_format INT UNSIGNED, UNIQUE file_format (file_format), CONSTRAINT c_file_format CHECK (a > 0));
-- @on mariadb
ALTER TABLE file_format ADD file_format_2 INT FIRST, MODIFY file_format TEXT;
CREATE TABLE file_name (file_name TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE file_name ADD file_name_2 INT FIRST, MODIFY file_name TEXT;
CREATE TABLE file_pattern (x INT, file_pattern INT AS (x + 1), z INT);
CREATE TABLE file_prefix (x INT NOT NULL, file_prefix CHAR(3) CHARSET latin1, UNIQUE KEY (x, file_prefix));
ALTER TABLE file_prefix CHANGE file_prefix file_prefix BIGINT;
CREATE TABLE files (files INT, KEY files (files));
CREATE TABLE filter (id INT PRIMARY KEY, filter VARCHAR(9) NOT NULL DEFAULT 'filter');
ALTER TABLE filter DROP filter;
CREATE TABLE ddl_words.finish (a INT, finish INT UNSIGNED, UNIQUE finish (finish), CONSTRAINT c_finish CHECK (a > 0));
ALTER TABLE finish RENAME TO finish_t;
CREATE TABLE first (first TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE first RENAME TO first_t;
CREATE TABLE fixed (x INT, fixed INT AS (x + 1), z INT);
RENAME TABLE fixed TO x_fixed;
CREATE TABLE flush (x INT NOT NULL, flush CHAR(3) CHARSET latin1, UNIQUE KEY (x, flush));
RENAME TABLE flush TO x_flush;

CREATE TABLE following (following INT, KEY following (following));
ALTER TABLE following ADD c INT AFTER following;
CREATE TABLE follows (id INT PRIMARY KEY, follows VARCHAR(9) NOT NULL DEFAULT 'follows');
ALTER TABLE follows ADD c INT AFTER follows;
CREATE TABLE ddl_words.format (a INT, format INT UNSIGNED, UNIQUE format (format), CONSTRAINT c_format CHECK (a > 0));
-- @on mariadb
ALTER TABLE format ADD format_2 INT FIRST, MODIFY format TEXT;
CREATE TABLE found (found TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE found ADD found_2 INT FIRST, MODIFY found TEXT;
CREATE TABLE full (x INT, full INT AS (x + 1), z INT);
CREATE TABLE general (x INT NOT NULL, general CHAR(3) CHARSET latin1, UNIQUE KEY (x, general));
ALTER TABLE general CHANGE general general BIGINT;
CREATE TABLE generate (generate INT, KEY generate (generate));
CREATE TABLE ddl_words.geometry (a INT, geometry INT UNSIGNED, UNIQUE geometry (geometry), CONSTRAINT c_geometry CHECK (a > 0));
ALTER TABLE geometry RENAME TO geometry_t;
CREATE TABLE geometrycollection (geometrycollection TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE geometrycollection RENAME TO geometrycollection_t;
CREATE TABLE get_format (x INT, get_format INT AS (x + 1), z INT);
RENAME TABLE get_format TO x_get_format;
CREATE TABLE get_master_public_key (x INT NOT NULL, get_master_public_key CHAR(3) CHARSET latin1, UNIQUE KEY (x, get_master_public_key));
RENAME TABLE get_master_public_key TO x_get_master_public_key;

CREATE TABLE get_source_public_key (get_source_public_key INT, KEY get_source_public_key (get_source_public_key));
ALTER TABLE get_source_public_key ADD c INT AFTER get_source_public_key;
CREATE TABLE global (id INT PRIMARY KEY, global VARCHAR(9) NOT NULL DEFAULT 'global');
ALTER TABLE global ADD c INT AFTER global;
CREATE TABLE ddl_words.goto (a INT, goto INT UNSIGNED, UNIQUE goto (goto), CONSTRAINT c_goto CHECK (a > 0));
-- @on mariadb
ALTER TABLE goto ADD goto_2 INT FIRST, MODIFY goto TEXT;
CREATE TABLE grants (grants TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE grants ADD grants_2 INT FIRST, MODIFY grants TEXT;
CREATE TABLE group_replication (x INT, group_replication INT AS (x + 1), z INT);
CREATE TABLE gtid_only (x INT NOT NULL, gtid_only CHAR(3) CHARSET latin1, UNIQUE KEY (x, gtid_only));
ALTER TABLE gtid_only CHANGE gtid_only gtid_only BIGINT;
CREATE TABLE gtids (gtids INT, KEY gtids (gtids));
CREATE TABLE guided (id INT PRIMARY KEY, guided VARCHAR(9) NOT NULL DEFAULT 'guided');
ALTER TABLE guided DROP guided;
CREATE TABLE ddl_words.handler (a INT, handler INT UNSIGNED, UNIQUE handler (handler), CONSTRAINT c_handler CHECK (a > 0));
ALTER TABLE handler RENAME TO handler_t;
CREATE TABLE hard (hard TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE hard RENAME TO hard_t;
CREATE TABLE hash (x INT, hash INT AS (x + 1), z INT);
RENAME TABLE hash TO x_hash;
CREATE TABLE header (x INT NOT NULL, header CHAR(3) CHARSET latin1, UNIQUE KEY (x, header));
RENAME TABLE header TO x_header;

CREATE TABLE help (help INT, KEY help (help));
ALTER TABLE help ADD c INT AFTER help;
CREATE TABLE histogram (id INT PRIMARY KEY, histogram VARCHAR(9) NOT NULL DEFAULT 'histogram');
ALTER TABLE histogram ADD c INT AFTER histogram;
CREATE TABLE ddl_words.history (a INT, history INT UNSIGNED, UNIQUE history (history), CONSTRAINT c_history CHECK (a > 0));
-- @on mariadb
ALTER TABLE history ADD history_2 INT FIRST, MODIFY history TEXT;
CREATE TABLE host (host TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE host ADD host_2 INT FIRST, MODIFY host TEXT;
CREATE TABLE hosts (x INT, hosts INT AS (x + 1), z INT);
CREATE TABLE hour (x INT NOT NULL, hour CHAR(3) CHARSET latin1, UNIQUE KEY (x, hour));
ALTER TABLE hour CHANGE hour hour BIGINT;
CREATE TABLE identified (identified INT, KEY identified (identified));
CREATE TABLE ddl_words.ignored (a INT, ignored INT UNSIGNED, UNIQUE ignored (ignored), CONSTRAINT c_ignored CHECK (a > 0));
ALTER TABLE ignored RENAME TO ignored_t;
CREATE TABLE immediate (immediate TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE immediate RENAME TO immediate_t;
CREATE TABLE import (x INT, import INT AS (x + 1), z INT);
RENAME TABLE import TO x_import;
CREATE TABLE inactive (x INT NOT NULL, inactive CHAR(3) CHARSET latin1, UNIQUE KEY (x, inactive));
RENAME TABLE inactive TO x_inactive;

CREATE TABLE increment (increment INT, KEY increment (increment));
ALTER TABLE increment ADD c INT AFTER increment;
CREATE TABLE indexes (id INT PRIMARY KEY, indexes VARCHAR(9) NOT NULL DEFAULT 'indexes');
ALTER TABLE indexes ADD c INT AFTER indexes;
CREATE TABLE ddl_words.inet4 (a INT, inet4 INT UNSIGNED, UNIQUE inet4 (inet4), CONSTRAINT c_inet4 CHECK (a > 0));
-- @on mariadb
ALTER TABLE inet4 ADD inet4_2 INT FIRST, MODIFY inet4 TEXT;
CREATE TABLE inet6 (inet6 TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE inet6 ADD inet6_2 INT FIRST, MODIFY inet6 TEXT;
CREATE TABLE initial (x INT, initial INT AS (x + 1), z INT);
CREATE TABLE initial_size (x INT NOT NULL, initial_size CHAR(3) CHARSET latin1, UNIQUE KEY (x, initial_size));
ALTER TABLE initial_size CHANGE initial_size initial_size BIGINT;
CREATE TABLE initiate (initiate INT, KEY initiate (initiate));
CREATE TABLE ddl_words.install (a INT, install INT UNSIGNED, UNIQUE install (install), CONSTRAINT c_install CHECK (a > 0));
ALTER TABLE install RENAME TO install_t;
CREATE TABLE instance (instance TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE instance RENAME TO instance_t;
CREATE TABLE invisible (x INT, invisible INT AS (x + 1), z INT);
RENAME TABLE invisible TO x_invisible;
CREATE TABLE invoker (x INT NOT NULL, invoker CHAR(3) CHARSET latin1, UNIQUE KEY (x, invoker));
RENAME TABLE invoker TO x_invoker;

CREATE TABLE io (io INT, KEY io (io));
ALTER TABLE io ADD c INT AFTER io;
CREATE TABLE io_thread (id INT PRIMARY KEY, io_thread VARCHAR(9) NOT NULL DEFAULT 'io_thread');
ALTER TABLE io_thread ADD c INT AFTER io_thread;
CREATE TABLE ddl_words.ipc (a INT, ipc INT UNSIGNED, UNIQUE ipc (ipc), CONSTRAINT c_ipc CHECK (a > 0));
-- @on mariadb
ALTER TABLE ipc ADD ipc_2 INT FIRST, MODIFY ipc TEXT;
CREATE TABLE isolation (isolation TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE isolation ADD isolation_2 INT FIRST, MODIFY isolation TEXT;
CREATE TABLE issuer (x INT, issuer INT AS (x + 1), z INT);
CREATE TABLE json (x INT NOT NULL, json CHAR(3) CHARSET latin1, UNIQUE KEY (x, json));
ALTER TABLE json CHANGE json json BIGINT;
-- @on mysql57 mariadb
CREATE TABLE json_table (json_table INT, KEY json_table (json_table));
CREATE TABLE ddl_words.key_block_size (a INT, key_block_size INT UNSIGNED, UNIQUE key_block_size (key_block_size), CONSTRAINT c_key_block_size CHECK (a > 0));
ALTER TABLE key_block_size RENAME TO key_block_size_t;
CREATE TABLE keyring (keyring TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE keyring RENAME TO keyring_t;
CREATE TABLE language (x INT, language INT AS (x + 1), z INT);
RENAME TABLE language TO x_language;
CREATE TABLE last (x INT NOT NULL, last CHAR(3) CHARSET latin1, UNIQUE KEY (x, last));
RENAME TABLE last TO x_last;

CREATE TABLE lastval (lastval INT, KEY lastval (lastval));
ALTER TABLE lastval ADD c INT AFTER lastval;
CREATE TABLE leaves (id INT PRIMARY KEY, leaves VARCHAR(9) NOT NULL DEFAULT 'leaves');
ALTER TABLE leaves ADD c INT AFTER leaves;
CREATE TABLE ddl_words.less (a INT, less INT UNSIGNED, UNIQUE less (less), CONSTRAINT c_less CHECK (a > 0));
-- @on mariadb
ALTER TABLE less ADD less_2 INT FIRST, MODIFY less TEXT;
CREATE TABLE level (level TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE level ADD level_2 INT FIRST, MODIFY level TEXT;
CREATE TABLE linestring (x INT, linestring INT AS (x + 1), z INT);
CREATE TABLE list (x INT NOT NULL, list CHAR(3) CHARSET latin1, UNIQUE KEY (x, list));
ALTER TABLE list CHANGE list list BIGINT;
CREATE TABLE local (local INT, KEY local (local));
CREATE TABLE locked (id INT PRIMARY KEY, locked VARCHAR(9) NOT NULL DEFAULT 'locked');
ALTER TABLE locked DROP locked;
CREATE TABLE ddl_words.locks (a INT, locks INT UNSIGNED, UNIQUE locks (locks), CONSTRAINT c_locks CHECK (a > 0));
ALTER TABLE locks RENAME TO locks_t;
CREATE TABLE log (log TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE log RENAME TO log_t;
CREATE TABLE logfile (x INT, logfile INT AS (x + 1), z INT);
RENAME TABLE logfile TO x_logfile;
CREATE TABLE logs (x INT NOT NULL, logs CHAR(3) CHARSET latin1, UNIQUE KEY (x, logs));
RENAME TABLE logs TO x_logs;

CREATE TABLE manual (manual INT, KEY manual (manual));
ALTER TABLE manual ADD c INT AFTER manual;
CREATE TABLE masking (id INT PRIMARY KEY, masking VARCHAR(9) NOT NULL DEFAULT 'masking');
ALTER TABLE masking ADD c INT AFTER masking;
CREATE TABLE ddl_words.master (a INT, master INT UNSIGNED, UNIQUE master (master), CONSTRAINT c_master CHECK (a > 0));
-- @on mariadb
ALTER TABLE master ADD master_2 INT FIRST, MODIFY master TEXT;
CREATE TABLE master_auto_position (master_auto_position TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE master_auto_position ADD master_auto_position_2 INT FIRST, MODIFY master_auto_position TEXT;
CREATE TABLE master_connect_retry (x INT, master_connect_retry INT AS (x + 1), z INT);
CREATE TABLE master_delay (x INT NOT NULL, master_delay CHAR(3) CHARSET latin1, UNIQUE KEY (x, master_delay));
ALTER TABLE master_delay CHANGE master_delay master_delay BIGINT;
CREATE TABLE master_heartbeat_period (master_heartbeat_period INT, KEY master_heartbeat_period (master_heartbeat_period));
CREATE TABLE ddl_words.master_log_file (a INT, master_log_file INT UNSIGNED, UNIQUE master_log_file (master_log_file), CONSTRAINT c_master_log_file CHECK (a > 0));
ALTER TABLE master_log_file RENAME TO master_log_file_t;
CREATE TABLE master_log_pos (master_log_pos TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE master_log_pos RENAME TO master_log_pos_t;
CREATE TABLE master_password (x INT, master_password INT AS (x + 1), z INT);
RENAME TABLE master_password TO x_master_password;
CREATE TABLE master_port (x INT NOT NULL, master_port CHAR(3) CHARSET latin1, UNIQUE KEY (x, master_port));
RENAME TABLE master_port TO x_master_port;

CREATE TABLE master_public_key_path (master_public_key_path INT, KEY master_public_key_path (master_public_key_path));
ALTER TABLE master_public_key_path ADD c INT AFTER master_public_key_path;
CREATE TABLE ddl_words.master_server_id (a INT, master_server_id INT UNSIGNED, UNIQUE master_server_id (master_server_id), CONSTRAINT c_master_server_id CHECK (a > 0));
-- @on mariadb
ALTER TABLE master_server_id ADD master_server_id_2 INT FIRST, MODIFY master_server_id TEXT;
CREATE TABLE master_ssl (master_ssl TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE master_ssl ADD master_ssl_2 INT FIRST, MODIFY master_ssl TEXT;
CREATE TABLE master_ssl_ca (x INT, master_ssl_ca INT AS (x + 1), z INT);
CREATE TABLE master_ssl_capath (x INT NOT NULL, master_ssl_capath CHAR(3) CHARSET latin1, UNIQUE KEY (x, master_ssl_capath));
ALTER TABLE master_ssl_capath CHANGE master_ssl_capath master_ssl_capath BIGINT;
CREATE TABLE master_ssl_cert (master_ssl_cert INT, KEY master_ssl_cert (master_ssl_cert));
CREATE TABLE ddl_words.master_ssl_crl (a INT, master_ssl_crl INT UNSIGNED, UNIQUE master_ssl_crl (master_ssl_crl), CONSTRAINT c_master_ssl_crl CHECK (a > 0));
ALTER TABLE master_ssl_crl RENAME TO master_ssl_crl_t;
CREATE TABLE master_ssl_crlpath (master_ssl_crlpath TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE master_ssl_crlpath RENAME TO master_ssl_crlpath_t;
CREATE TABLE master_ssl_key (x INT, master_ssl_key INT AS (x + 1), z INT);
RENAME TABLE master_ssl_key TO x_master_ssl_key;
CREATE TABLE master_tls_version (x INT NOT NULL, master_tls_version CHAR(3) CHARSET latin1, UNIQUE KEY (x, master_tls_version));
RENAME TABLE master_tls_version TO x_master_tls_version;

CREATE TABLE master_user (master_user INT, KEY master_user (master_user));
ALTER TABLE master_user ADD c INT AFTER master_user;
CREATE TABLE ddl_words.max_connections_per_hour (a INT, max_connections_per_hour INT UNSIGNED, UNIQUE max_connections_per_hour (max_connections_per_hour), CONSTRAINT c_max_connections_per_hour CHECK (a > 0));
-- @on mariadb
ALTER TABLE max_connections_per_hour ADD max_connections_per_hour_2 INT FIRST, MODIFY max_connections_per_hour TEXT;
CREATE TABLE max_queries_per_hour (max_queries_per_hour TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE max_queries_per_hour ADD max_queries_per_hour_2 INT FIRST, MODIFY max_queries_per_hour TEXT;
CREATE TABLE max_rows (x INT, max_rows INT AS (x + 1), z INT);
CREATE TABLE max_size (x INT NOT NULL, max_size CHAR(3) CHARSET latin1, UNIQUE KEY (x, max_size));
ALTER TABLE max_size CHANGE max_size max_size BIGINT;
CREATE TABLE max_updates_per_hour (max_updates_per_hour INT, KEY max_updates_per_hour (max_updates_per_hour));
CREATE TABLE ddl_words.medium (a INT, medium INT UNSIGNED, UNIQUE medium (medium), CONSTRAINT c_medium CHECK (a > 0));
ALTER TABLE medium RENAME TO medium_t;
CREATE TABLE member (member TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE member RENAME TO member_t;
CREATE TABLE memory (x INT, memory INT AS (x + 1), z INT);
RENAME TABLE memory TO x_memory;
CREATE TABLE merge (x INT NOT NULL, merge CHAR(3) CHARSET latin1, UNIQUE KEY (x, merge));
RENAME TABLE merge TO x_merge;

CREATE TABLE message_text (message_text INT, KEY message_text (message_text));
ALTER TABLE message_text ADD c INT AFTER message_text;
CREATE TABLE ddl_words.migrate (a INT, migrate INT UNSIGNED, UNIQUE migrate (migrate), CONSTRAINT c_migrate CHECK (a > 0));
-- @on mariadb
ALTER TABLE migrate ADD migrate_2 INT FIRST, MODIFY migrate TEXT;
CREATE TABLE min_rows (min_rows TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE min_rows ADD min_rows_2 INT FIRST, MODIFY min_rows TEXT;
CREATE TABLE minute (x INT, minute INT AS (x + 1), z INT);
CREATE TABLE minvalue (x INT NOT NULL, minvalue CHAR(3) CHARSET latin1, UNIQUE KEY (x, minvalue));
ALTER TABLE minvalue CHANGE minvalue minvalue BIGINT;
CREATE TABLE mode (mode INT, KEY mode (mode));
CREATE TABLE modify (id INT PRIMARY KEY, modify VARCHAR(9) NOT NULL DEFAULT 'modify');
ALTER TABLE modify DROP modify;
CREATE TABLE ddl_words.month (a INT, month INT UNSIGNED, UNIQUE month (month), CONSTRAINT c_month CHECK (a > 0));
ALTER TABLE month RENAME TO month_t;
CREATE TABLE multilinestring (multilinestring TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE multilinestring RENAME TO multilinestring_t;
CREATE TABLE multipoint (x INT, multipoint INT AS (x + 1), z INT);
RENAME TABLE multipoint TO x_multipoint;
CREATE TABLE multipolygon (x INT NOT NULL, multipolygon CHAR(3) CHARSET latin1, UNIQUE KEY (x, multipolygon));
RENAME TABLE multipolygon TO x_multipolygon;

CREATE TABLE mutex (mutex INT, KEY mutex (mutex));
ALTER TABLE mutex ADD c INT AFTER mutex;
CREATE TABLE ddl_words.name (a INT, name INT UNSIGNED, UNIQUE name (name), CONSTRAINT c_name CHECK (a > 0));
-- @on mariadb
ALTER TABLE name ADD name_2 INT FIRST, MODIFY name TEXT;
CREATE TABLE names (names TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE names ADD names_2 INT FIRST, MODIFY names TEXT;
CREATE TABLE national (x INT, national INT AS (x + 1), z INT);
CREATE TABLE nchar (x INT NOT NULL, nchar CHAR(3) CHARSET latin1, UNIQUE KEY (x, nchar));
ALTER TABLE nchar CHANGE nchar nchar BIGINT;
CREATE TABLE ndb (ndb INT, KEY ndb (ndb));
CREATE TABLE ddl_words.nested (a INT, nested INT UNSIGNED, UNIQUE nested (nested), CONSTRAINT c_nested CHECK (a > 0));
ALTER TABLE nested RENAME TO nested_t;
CREATE TABLE network_namespace (network_namespace TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE network_namespace RENAME TO network_namespace_t;
CREATE TABLE never (x INT, never INT AS (x + 1), z INT);
RENAME TABLE never TO x_never;
CREATE TABLE new (x INT NOT NULL, new CHAR(3) CHARSET latin1, UNIQUE KEY (x, new));
RENAME TABLE new TO x_new;

CREATE TABLE next (next INT, KEY next (next));
ALTER TABLE next ADD c INT AFTER next;
CREATE TABLE nextval (id INT PRIMARY KEY, nextval VARCHAR(9) NOT NULL DEFAULT 'nextval');
ALTER TABLE nextval ADD c INT AFTER nextval;
CREATE TABLE ddl_words.no (a INT, no INT UNSIGNED, UNIQUE no (no), CONSTRAINT c_no CHECK (a > 0));
-- @on mariadb
ALTER TABLE no ADD no_2 INT FIRST, MODIFY no TEXT;
CREATE TABLE no_wait (no_wait TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE no_wait ADD no_wait_2 INT FIRST, MODIFY no_wait TEXT;
CREATE TABLE nodegroup (x INT, nodegroup INT AS (x + 1), z INT);
CREATE TABLE none (x INT NOT NULL, none CHAR(3) CHARSET latin1, UNIQUE KEY (x, none));
ALTER TABLE none CHANGE none none BIGINT;
CREATE TABLE nowait (nowait INT, KEY nowait (nowait));
CREATE TABLE nulls (id INT PRIMARY KEY, nulls VARCHAR(9) NOT NULL DEFAULT 'nulls');
ALTER TABLE nulls DROP nulls;
CREATE TABLE ddl_words.number (a INT, number INT UNSIGNED, UNIQUE number (number), CONSTRAINT c_number CHECK (a > 0));
ALTER TABLE number RENAME TO number_t;
CREATE TABLE nvarchar (nvarchar TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE nvarchar RENAME TO nvarchar_t;
CREATE TABLE off (x INT, off INT AS (x + 1), z INT);
RENAME TABLE off TO x_off;
-- @on mysql97 mysql80 mysql57
CREATE TABLE offset (x INT NOT NULL, offset CHAR(3) CHARSET latin1, UNIQUE KEY (x, offset));
-- @on mysql97 mysql80 mysql57
RENAME TABLE offset TO x_offset;

CREATE TABLE oj (oj INT, KEY oj (oj));
ALTER TABLE oj ADD c INT AFTER oj;
CREATE TABLE old (id INT PRIMARY KEY, old VARCHAR(9) NOT NULL DEFAULT 'old');
ALTER TABLE old ADD c INT AFTER old;
CREATE TABLE ddl_words.one (a INT, one INT UNSIGNED, UNIQUE one (one), CONSTRAINT c_one CHECK (a > 0));
-- @on mariadb
ALTER TABLE one ADD one_2 INT FIRST, MODIFY one TEXT;
CREATE TABLE online (online TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE online ADD online_2 INT FIRST, MODIFY online TEXT;
CREATE TABLE only (x INT, only INT AS (x + 1), z INT);
CREATE TABLE open (x INT NOT NULL, open CHAR(3) CHARSET latin1, UNIQUE KEY (x, open));
ALTER TABLE open CHANGE open open BIGINT;
-- @on mariadb
CREATE TABLE optimizer_costs (optimizer_costs INT, KEY optimizer_costs (optimizer_costs));
CREATE TABLE optional (id INT PRIMARY KEY, optional VARCHAR(9) NOT NULL DEFAULT 'optional');
ALTER TABLE optional DROP optional;
CREATE TABLE ddl_words.options (a INT, options INT UNSIGNED, UNIQUE options (options), CONSTRAINT c_options CHECK (a > 0));
ALTER TABLE options RENAME TO options_t;
CREATE TABLE ora (ora TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE ora RENAME TO ora_t;
CREATE TABLE ordinality (x INT, ordinality INT AS (x + 1), z INT);
RENAME TABLE ordinality TO x_ordinality;
CREATE TABLE organization (x INT NOT NULL, organization CHAR(3) CHARSET latin1, UNIQUE KEY (x, organization));
RENAME TABLE organization TO x_organization;

CREATE TABLE others (others INT, KEY others (others));
ALTER TABLE others ADD c INT AFTER others;
CREATE TABLE overlaps (id INT PRIMARY KEY, overlaps VARCHAR(9) NOT NULL DEFAULT 'overlaps');
ALTER TABLE overlaps ADD c INT AFTER overlaps;
CREATE TABLE ddl_words.owner (a INT, owner INT UNSIGNED, UNIQUE owner (owner), CONSTRAINT c_owner CHECK (a > 0));
-- @on mariadb
ALTER TABLE owner ADD owner_2 INT FIRST, MODIFY owner TEXT;
CREATE TABLE pack_keys (pack_keys TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE pack_keys ADD pack_keys_2 INT FIRST, MODIFY pack_keys TEXT;
CREATE TABLE packages (x INT, packages INT AS (x + 1), z INT);
CREATE TABLE page (x INT NOT NULL, page CHAR(3) CHARSET latin1, UNIQUE KEY (x, page));
ALTER TABLE page CHANGE page page BIGINT;
-- @on mysql97 mysql80 mysql57
CREATE TABLE page_checksum (page_checksum INT, KEY page_checksum (page_checksum));
CREATE TABLE parallel (id INT PRIMARY KEY, parallel VARCHAR(9) NOT NULL DEFAULT 'parallel');
ALTER TABLE parallel DROP parallel;
CREATE TABLE ddl_words.parameters (a INT, parameters INT UNSIGNED, UNIQUE parameters (parameters), CONSTRAINT c_parameters CHECK (a > 0));
ALTER TABLE parameters RENAME TO parameters_t;
CREATE TABLE parse_tree (parse_tree TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE parse_tree RENAME TO parse_tree_t;
CREATE TABLE parser (x INT, parser INT AS (x + 1), z INT);
RENAME TABLE parser TO x_parser;
CREATE TABLE partial (x INT NOT NULL, partial CHAR(3) CHARSET latin1, UNIQUE KEY (x, partial));
RENAME TABLE partial TO x_partial;

CREATE TABLE partitioning (partitioning INT, KEY partitioning (partitioning));
ALTER TABLE partitioning ADD c INT AFTER partitioning;
CREATE TABLE ddl_words.password (a INT, password INT UNSIGNED, UNIQUE password (password), CONSTRAINT c_password CHECK (a > 0));
-- @on mariadb
ALTER TABLE password ADD password_2 INT FIRST, MODIFY password TEXT;
CREATE TABLE password_lock_time (password_lock_time TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE password_lock_time ADD password_lock_time_2 INT FIRST, MODIFY password_lock_time TEXT;
CREATE TABLE path (x INT, path INT AS (x + 1), z INT);
CREATE TABLE period (x INT NOT NULL, period CHAR(3) CHARSET latin1, UNIQUE KEY (x, period));
ALTER TABLE period CHANGE period period BIGINT;
-- @on mysql97 mysql57 mariadb
CREATE TABLE persist (persist INT, KEY persist (persist));
CREATE TABLE ddl_words.persistent (a INT, persistent INT UNSIGNED, UNIQUE persistent (persistent), CONSTRAINT c_persistent CHECK (a > 0));
ALTER TABLE persistent RENAME TO persistent_t;
CREATE TABLE phase (phase TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE phase RENAME TO phase_t;
CREATE TABLE plugin (x INT, plugin INT AS (x + 1), z INT);
RENAME TABLE plugin TO x_plugin;
CREATE TABLE plugin_dir (x INT NOT NULL, plugin_dir CHAR(3) CHARSET latin1, UNIQUE KEY (x, plugin_dir));
RENAME TABLE plugin_dir TO x_plugin_dir;

CREATE TABLE plugins (plugins INT, KEY plugins (plugins));
ALTER TABLE plugins ADD c INT AFTER plugins;
CREATE TABLE point (id INT PRIMARY KEY, point VARCHAR(9) NOT NULL DEFAULT 'point');
ALTER TABLE point ADD c INT AFTER point;
CREATE TABLE ddl_words.policy (a INT, policy INT UNSIGNED, UNIQUE policy (policy), CONSTRAINT c_policy CHECK (a > 0));
-- @on mariadb
ALTER TABLE policy ADD policy_2 INT FIRST, MODIFY policy TEXT;
CREATE TABLE polygon (polygon TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE polygon ADD polygon_2 INT FIRST, MODIFY polygon TEXT;
CREATE TABLE port (x INT, port INT AS (x + 1), z INT);
CREATE TABLE precedes (x INT NOT NULL, precedes CHAR(3) CHARSET latin1, UNIQUE KEY (x, precedes));
ALTER TABLE precedes CHANGE precedes precedes BIGINT;
CREATE TABLE preceding (preceding INT, KEY preceding (preceding));
CREATE TABLE prepare (id INT PRIMARY KEY, prepare VARCHAR(9) NOT NULL DEFAULT 'prepare');
ALTER TABLE prepare DROP prepare;
CREATE TABLE ddl_words.preserve (a INT, preserve INT UNSIGNED, UNIQUE preserve (preserve), CONSTRAINT c_preserve CHECK (a > 0));
ALTER TABLE preserve RENAME TO preserve_t;
CREATE TABLE prev (prev TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE prev RENAME TO prev_t;
CREATE TABLE privilege_checks_user (x INT, privilege_checks_user INT AS (x + 1), z INT);
RENAME TABLE privilege_checks_user TO x_privilege_checks_user;
CREATE TABLE privileges (x INT NOT NULL, privileges CHAR(3) CHARSET latin1, UNIQUE KEY (x, privileges));
RENAME TABLE privileges TO x_privileges;

CREATE TABLE process (process INT, KEY process (process));
ALTER TABLE process ADD c INT AFTER process;
CREATE TABLE ddl_words.profile (a INT, profile INT UNSIGNED, UNIQUE profile (profile), CONSTRAINT c_profile CHECK (a > 0));
-- @on mariadb
ALTER TABLE profile ADD profile_2 INT FIRST, MODIFY profile TEXT;
CREATE TABLE profiles (profiles TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE profiles ADD profiles_2 INT FIRST, MODIFY profiles TEXT;
CREATE TABLE proxy (x INT, proxy INT AS (x + 1), z INT);
CREATE TABLE quarter (x INT NOT NULL, quarter CHAR(3) CHARSET latin1, UNIQUE KEY (x, quarter));
ALTER TABLE quarter CHANGE quarter quarter BIGINT;
CREATE TABLE query (query INT, KEY query (query));
CREATE TABLE quick (id INT PRIMARY KEY, quick VARCHAR(9) NOT NULL DEFAULT 'quick');
ALTER TABLE quick DROP quick;
CREATE TABLE ddl_words.random (a INT, random INT UNSIGNED, UNIQUE random (random), CONSTRAINT c_random CHECK (a > 0));
ALTER TABLE random RENAME TO random_t;
CREATE TABLE raw (raw TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE raw RENAME TO raw_t;
CREATE TABLE read_only (x INT, read_only INT AS (x + 1), z INT);
RENAME TABLE read_only TO x_read_only;
CREATE TABLE rebuild (x INT NOT NULL, rebuild CHAR(3) CHARSET latin1, UNIQUE KEY (x, rebuild));
RENAME TABLE rebuild TO x_rebuild;

CREATE TABLE recover (recover INT, KEY recover (recover));
ALTER TABLE recover ADD c INT AFTER recover;
CREATE TABLE ddl_words.redundant (a INT, redundant INT UNSIGNED, UNIQUE redundant (redundant), CONSTRAINT c_redundant CHECK (a > 0));
-- @on mariadb
ALTER TABLE redundant ADD redundant_2 INT FIRST, MODIFY redundant TEXT;
CREATE TABLE reference (reference TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE reference ADD reference_2 INT FIRST, MODIFY reference TEXT;
CREATE TABLE registration (x INT, registration INT AS (x + 1), z INT);
CREATE TABLE relational (x INT NOT NULL, relational CHAR(3) CHARSET latin1, UNIQUE KEY (x, relational));
ALTER TABLE relational CHANGE relational relational BIGINT;
CREATE TABLE relay (relay INT, KEY relay (relay));
CREATE TABLE ddl_words.relay_log_pos (a INT, relay_log_pos INT UNSIGNED, UNIQUE relay_log_pos (relay_log_pos), CONSTRAINT c_relay_log_pos CHECK (a > 0));
ALTER TABLE relay_log_pos RENAME TO relay_log_pos_t;
CREATE TABLE relay_thread (relay_thread TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE relay_thread RENAME TO relay_thread_t;
CREATE TABLE relaylog (x INT, relaylog INT AS (x + 1), z INT);
RENAME TABLE relaylog TO x_relaylog;
CREATE TABLE reload (x INT NOT NULL, reload CHAR(3) CHARSET latin1, UNIQUE KEY (x, reload));
RENAME TABLE reload TO x_reload;

CREATE TABLE remove (remove INT, KEY remove (remove));
ALTER TABLE remove ADD c INT AFTER remove;
CREATE TABLE ddl_words.repair (a INT, repair INT UNSIGNED, UNIQUE repair (repair), CONSTRAINT c_repair CHECK (a > 0));
-- @on mariadb
ALTER TABLE repair ADD repair_2 INT FIRST, MODIFY repair TEXT;
CREATE TABLE repeatable (repeatable TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE repeatable ADD repeatable_2 INT FIRST, MODIFY repeatable TEXT;
CREATE TABLE replica (x INT, replica INT AS (x + 1), z INT);
CREATE TABLE replicas (x INT NOT NULL, replicas CHAR(3) CHARSET latin1, UNIQUE KEY (x, replicas));
ALTER TABLE replicas CHANGE replicas replicas BIGINT;
CREATE TABLE replicate_do_db (replicate_do_db INT, KEY replicate_do_db (replicate_do_db));
CREATE TABLE ddl_words.replicate_ignore_db (a INT, replicate_ignore_db INT UNSIGNED, UNIQUE replicate_ignore_db (replicate_ignore_db), CONSTRAINT c_replicate_ignore_db CHECK (a > 0));
ALTER TABLE replicate_ignore_db RENAME TO replicate_ignore_db_t;
CREATE TABLE replicate_ignore_table (replicate_ignore_table TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE replicate_ignore_table RENAME TO replicate_ignore_table_t;
CREATE TABLE replicate_rewrite_db (x INT, replicate_rewrite_db INT AS (x + 1), z INT);
RENAME TABLE replicate_rewrite_db TO x_replicate_rewrite_db;
CREATE TABLE replicate_wild_do_table (x INT NOT NULL, replicate_wild_do_table CHAR(3) CHARSET latin1, UNIQUE KEY (x, replicate_wild_do_table));
RENAME TABLE replicate_wild_do_table TO x_replicate_wild_do_table;

CREATE TABLE replicate_wild_ignore_table (replicate_wild_ignore_table INT, KEY replicate_wild_ignore_table (replicate_wild_ignore_table));
ALTER TABLE replicate_wild_ignore_table ADD c INT AFTER replicate_wild_ignore_table;
CREATE TABLE ddl_words.require_row_format (a INT, require_row_format INT UNSIGNED, UNIQUE require_row_format (require_row_format), CONSTRAINT c_require_row_format CHECK (a > 0));
-- @on mariadb
ALTER TABLE require_row_format ADD require_row_format_2 INT FIRST, MODIFY require_row_format TEXT;
CREATE TABLE require_table_primary_key_check (require_table_primary_key_check TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE require_table_primary_key_check ADD require_table_primary_key_check_2 INT FIRST, MODIFY require_table_primary_key_check TEXT;
CREATE TABLE reset (x INT, reset INT AS (x + 1), z INT);
CREATE TABLE resource (x INT NOT NULL, resource CHAR(3) CHARSET latin1, UNIQUE KEY (x, resource));
ALTER TABLE resource CHANGE resource resource BIGINT;
CREATE TABLE respect (respect INT, KEY respect (respect));
CREATE TABLE restart (id INT PRIMARY KEY, restart VARCHAR(9) NOT NULL DEFAULT 'restart');
ALTER TABLE restart DROP restart;
CREATE TABLE ddl_words.restore (a INT, restore INT UNSIGNED, UNIQUE restore (restore), CONSTRAINT c_restore CHECK (a > 0));
ALTER TABLE restore RENAME TO restore_t;
CREATE TABLE resume (resume TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE resume RENAME TO resume_t;
CREATE TABLE retain (x INT, retain INT AS (x + 1), z INT);
RENAME TABLE retain TO x_retain;
CREATE TABLE returned_sqlstate (x INT NOT NULL, returned_sqlstate CHAR(3) CHARSET latin1, UNIQUE KEY (x, returned_sqlstate));
RENAME TABLE returned_sqlstate TO x_returned_sqlstate;

-- @on mysql97 mysql80 mysql57
CREATE TABLE returning (returning INT, KEY returning (returning));
-- @on mysql97 mysql80 mysql57
ALTER TABLE returning ADD c INT AFTER returning;
CREATE TABLE returns (id INT PRIMARY KEY, returns VARCHAR(9) NOT NULL DEFAULT 'returns');
ALTER TABLE returns ADD c INT AFTER returns;
CREATE TABLE ddl_words.reuse (a INT, reuse INT UNSIGNED, UNIQUE reuse (reuse), CONSTRAINT c_reuse CHECK (a > 0));
-- @on mariadb
ALTER TABLE reuse ADD reuse_2 INT FIRST, MODIFY reuse TEXT;
CREATE TABLE reverse (reverse TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE reverse ADD reverse_2 INT FIRST, MODIFY reverse TEXT;
CREATE TABLE role (x INT, role INT AS (x + 1), z INT);
CREATE TABLE rollback (x INT NOT NULL, rollback CHAR(3) CHARSET latin1, UNIQUE KEY (x, rollback));
ALTER TABLE rollback CHANGE rollback rollback BIGINT;
CREATE TABLE rollup (rollup INT, KEY rollup (rollup));
CREATE TABLE rotate (id INT PRIMARY KEY, rotate VARCHAR(9) NOT NULL DEFAULT 'rotate');
ALTER TABLE rotate DROP rotate;
CREATE TABLE ddl_words.routine (a INT, routine INT UNSIGNED, UNIQUE routine (routine), CONSTRAINT c_routine CHECK (a > 0));
ALTER TABLE routine RENAME TO routine_t;
CREATE TABLE row_count (row_count TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE row_count RENAME TO row_count_t;
CREATE TABLE row_format (x INT, row_format INT AS (x + 1), z INT);
RENAME TABLE row_format TO x_row_format;
CREATE TABLE rownum (x INT NOT NULL, rownum CHAR(3) CHARSET latin1, UNIQUE KEY (x, rownum));
RENAME TABLE rownum TO x_rownum;

CREATE TABLE rowtype (rowtype INT, KEY rowtype (rowtype));
ALTER TABLE rowtype ADD c INT AFTER rowtype;
CREATE TABLE rtree (id INT PRIMARY KEY, rtree VARCHAR(9) NOT NULL DEFAULT 'rtree');
ALTER TABLE rtree ADD c INT AFTER rtree;
CREATE TABLE ddl_words.s3 (a INT, s3 INT UNSIGNED, UNIQUE s3 (s3), CONSTRAINT c_s3 CHECK (a > 0));
-- @on mariadb
ALTER TABLE s3 ADD s3_2 INT FIRST, MODIFY s3 TEXT;
CREATE TABLE savepoint (savepoint TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE savepoint ADD savepoint_2 INT FIRST, MODIFY savepoint TEXT;
CREATE TABLE schedule (x INT, schedule INT AS (x + 1), z INT);
CREATE TABLE schema_name (x INT NOT NULL, schema_name CHAR(3) CHARSET latin1, UNIQUE KEY (x, schema_name));
ALTER TABLE schema_name CHANGE schema_name schema_name BIGINT;
CREATE TABLE second (second INT, KEY second (second));
CREATE TABLE secondary (id INT PRIMARY KEY, secondary VARCHAR(9) NOT NULL DEFAULT 'secondary');
ALTER TABLE secondary DROP secondary;
CREATE TABLE ddl_words.secondary_engine (a INT, secondary_engine INT UNSIGNED, UNIQUE secondary_engine (secondary_engine), CONSTRAINT c_secondary_engine CHECK (a > 0));
ALTER TABLE secondary_engine RENAME TO secondary_engine_t;
CREATE TABLE secondary_engine_attribute (secondary_engine_attribute TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE secondary_engine_attribute RENAME TO secondary_engine_attribute_t;
CREATE TABLE secondary_load (x INT, secondary_load INT AS (x + 1), z INT);
RENAME TABLE secondary_load TO x_secondary_load;
CREATE TABLE secondary_unload (x INT NOT NULL, secondary_unload CHAR(3) CHARSET latin1, UNIQUE KEY (x, secondary_unload));
RENAME TABLE secondary_unload TO x_secondary_unload;

CREATE TABLE security (security INT, KEY security (security));
ALTER TABLE security ADD c INT AFTER security;
CREATE TABLE sequence (id INT PRIMARY KEY, sequence VARCHAR(9) NOT NULL DEFAULT 'sequence');
ALTER TABLE sequence ADD c INT AFTER sequence;
CREATE TABLE ddl_words.serial (a INT, serial INT UNSIGNED, UNIQUE serial (serial), CONSTRAINT c_serial CHECK (a > 0));
-- @on mariadb
ALTER TABLE serial ADD serial_2 INT FIRST, MODIFY serial TEXT;
CREATE TABLE serializable (serializable TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE serializable ADD serializable_2 INT FIRST, MODIFY serializable TEXT;
CREATE TABLE server (x INT, server INT AS (x + 1), z INT);
CREATE TABLE session (x INT NOT NULL, session CHAR(3) CHARSET latin1, UNIQUE KEY (x, session));
ALTER TABLE session CHANGE session session BIGINT;
CREATE TABLE sets (sets INT, KEY sets (sets));
CREATE TABLE share (id INT PRIMARY KEY, share VARCHAR(9) NOT NULL DEFAULT 'share');
ALTER TABLE share DROP share;
CREATE TABLE ddl_words.shutdown (a INT, shutdown INT UNSIGNED, UNIQUE shutdown (shutdown), CONSTRAINT c_shutdown CHECK (a > 0));
ALTER TABLE shutdown RENAME TO shutdown_t;
CREATE TABLE signed (signed TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE signed RENAME TO signed_t;
CREATE TABLE simple (x INT, simple INT AS (x + 1), z INT);
RENAME TABLE simple TO x_simple;
CREATE TABLE skip (x INT NOT NULL, skip CHAR(3) CHARSET latin1, UNIQUE KEY (x, skip));
RENAME TABLE skip TO x_skip;

CREATE TABLE slave (slave INT, KEY slave (slave));
ALTER TABLE slave ADD c INT AFTER slave;
CREATE TABLE slow (id INT PRIMARY KEY, slow VARCHAR(9) NOT NULL DEFAULT 'slow');
ALTER TABLE slow ADD c INT AFTER slow;
CREATE TABLE ddl_words.snapshot (a INT, snapshot INT UNSIGNED, UNIQUE snapshot (snapshot), CONSTRAINT c_snapshot CHECK (a > 0));
-- @on mariadb
ALTER TABLE snapshot ADD snapshot_2 INT FIRST, MODIFY snapshot TEXT;
CREATE TABLE socket (socket TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE socket ADD socket_2 INT FIRST, MODIFY socket TEXT;
CREATE TABLE soft (x INT, soft INT AS (x + 1), z INT);
CREATE TABLE some (x INT NOT NULL, some CHAR(3) CHARSET latin1, UNIQUE KEY (x, some));
ALTER TABLE some CHANGE some some BIGINT;
CREATE TABLE soname (soname INT, KEY soname (soname));
CREATE TABLE sounds (id INT PRIMARY KEY, sounds VARCHAR(9) NOT NULL DEFAULT 'sounds');
ALTER TABLE sounds DROP sounds;
CREATE TABLE ddl_words.source (a INT, source INT UNSIGNED, UNIQUE source (source), CONSTRAINT c_source CHECK (a > 0));
ALTER TABLE source RENAME TO source_t;
CREATE TABLE source_auto_position (source_auto_position TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE source_auto_position RENAME TO source_auto_position_t;
CREATE TABLE source_bind (x INT, source_bind INT AS (x + 1), z INT);
RENAME TABLE source_bind TO x_source_bind;
CREATE TABLE source_compression_algorithms (x INT NOT NULL, source_compression_algorithms CHAR(3) CHARSET latin1, UNIQUE KEY (x, source_compression_algorithms));
RENAME TABLE source_compression_algorithms TO x_source_compression_algorithms;

CREATE TABLE source_connect_retry (source_connect_retry INT, KEY source_connect_retry (source_connect_retry));
ALTER TABLE source_connect_retry ADD c INT AFTER source_connect_retry;
CREATE TABLE ddl_words.source_delay (a INT, source_delay INT UNSIGNED, UNIQUE source_delay (source_delay), CONSTRAINT c_source_delay CHECK (a > 0));
-- @on mariadb
ALTER TABLE source_delay ADD source_delay_2 INT FIRST, MODIFY source_delay TEXT;
CREATE TABLE source_heartbeat_period (source_heartbeat_period TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE source_heartbeat_period ADD source_heartbeat_period_2 INT FIRST, MODIFY source_heartbeat_period TEXT;
CREATE TABLE source_host (x INT, source_host INT AS (x + 1), z INT);
CREATE TABLE source_log_file (x INT NOT NULL, source_log_file CHAR(3) CHARSET latin1, UNIQUE KEY (x, source_log_file));
ALTER TABLE source_log_file CHANGE source_log_file source_log_file BIGINT;
CREATE TABLE source_log_pos (source_log_pos INT, KEY source_log_pos (source_log_pos));
CREATE TABLE ddl_words.source_port (a INT, source_port INT UNSIGNED, UNIQUE source_port (source_port), CONSTRAINT c_source_port CHECK (a > 0));
ALTER TABLE source_port RENAME TO source_port_t;
CREATE TABLE source_public_key_path (source_public_key_path TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE source_public_key_path RENAME TO source_public_key_path_t;
CREATE TABLE source_retry_count (x INT, source_retry_count INT AS (x + 1), z INT);
RENAME TABLE source_retry_count TO x_source_retry_count;
CREATE TABLE source_ssl (x INT NOT NULL, source_ssl CHAR(3) CHARSET latin1, UNIQUE KEY (x, source_ssl));
RENAME TABLE source_ssl TO x_source_ssl;

CREATE TABLE source_ssl_ca (source_ssl_ca INT, KEY source_ssl_ca (source_ssl_ca));
ALTER TABLE source_ssl_ca ADD c INT AFTER source_ssl_ca;
CREATE TABLE ddl_words.source_ssl_cert (a INT, source_ssl_cert INT UNSIGNED, UNIQUE source_ssl_cert (source_ssl_cert), CONSTRAINT c_source_ssl_cert CHECK (a > 0));
-- @on mariadb
ALTER TABLE source_ssl_cert ADD source_ssl_cert_2 INT FIRST, MODIFY source_ssl_cert TEXT;
CREATE TABLE source_ssl_cipher (source_ssl_cipher TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE source_ssl_cipher ADD source_ssl_cipher_2 INT FIRST, MODIFY source_ssl_cipher TEXT;
CREATE TABLE source_ssl_crl (x INT, source_ssl_crl INT AS (x + 1), z INT);
CREATE TABLE source_ssl_crlpath (x INT NOT NULL, source_ssl_crlpath CHAR(3) CHARSET latin1, UNIQUE KEY (x, source_ssl_crlpath));
ALTER TABLE source_ssl_crlpath CHANGE source_ssl_crlpath source_ssl_crlpath BIGINT;
CREATE TABLE source_ssl_key (source_ssl_key INT, KEY source_ssl_key (source_ssl_key));
CREATE TABLE ddl_words.source_tls_ciphersuites (a INT, source_tls_ciphersuites INT UNSIGNED, UNIQUE source_tls_ciphersuites (source_tls_ciphersuites), CONSTRAINT c_source_tls_ciphersuites CHECK (a > 0));
ALTER TABLE source_tls_ciphersuites RENAME TO source_tls_ciphersuites_t;
CREATE TABLE source_tls_version (source_tls_version TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE source_tls_version RENAME TO source_tls_version_t;
CREATE TABLE source_user (x INT, source_user INT AS (x + 1), z INT);
RENAME TABLE source_user TO x_source_user;
CREATE TABLE source_zstd_compression_level (x INT NOT NULL, source_zstd_compression_level CHAR(3) CHARSET latin1, UNIQUE KEY (x, source_zstd_compression_level));
RENAME TABLE source_zstd_compression_level TO x_source_zstd_compression_level;

CREATE TABLE sql_after_gtids (sql_after_gtids INT, KEY sql_after_gtids (sql_after_gtids));
ALTER TABLE sql_after_gtids ADD c INT AFTER sql_after_gtids;
CREATE TABLE ddl_words.sql_before_gtids (a INT, sql_before_gtids INT UNSIGNED, UNIQUE sql_before_gtids (sql_before_gtids), CONSTRAINT c_sql_before_gtids CHECK (a > 0));
-- @on mariadb
ALTER TABLE sql_before_gtids ADD sql_before_gtids_2 INT FIRST, MODIFY sql_before_gtids TEXT;
CREATE TABLE sql_buffer_result (sql_buffer_result TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE sql_buffer_result ADD sql_buffer_result_2 INT FIRST, MODIFY sql_buffer_result TEXT;
CREATE TABLE sql_no_cache (x INT, sql_no_cache INT AS (x + 1), z INT);
CREATE TABLE sql_thread (x INT NOT NULL, sql_thread CHAR(3) CHARSET latin1, UNIQUE KEY (x, sql_thread));
ALTER TABLE sql_thread CHANGE sql_thread sql_thread BIGINT;
CREATE TABLE sql_tsi_day (sql_tsi_day INT, KEY sql_tsi_day (sql_tsi_day));
CREATE TABLE ddl_words.sql_tsi_minute (a INT, sql_tsi_minute INT UNSIGNED, UNIQUE sql_tsi_minute (sql_tsi_minute), CONSTRAINT c_sql_tsi_minute CHECK (a > 0));
ALTER TABLE sql_tsi_minute RENAME TO sql_tsi_minute_t;
CREATE TABLE sql_tsi_month (sql_tsi_month TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE sql_tsi_month RENAME TO sql_tsi_month_t;
CREATE TABLE sql_tsi_quarter (x INT, sql_tsi_quarter INT AS (x + 1), z INT);
RENAME TABLE sql_tsi_quarter TO x_sql_tsi_quarter;
CREATE TABLE sql_tsi_second (x INT NOT NULL, sql_tsi_second CHAR(3) CHARSET latin1, UNIQUE KEY (x, sql_tsi_second));
RENAME TABLE sql_tsi_second TO x_sql_tsi_second;

CREATE TABLE sql_tsi_week (sql_tsi_week INT, KEY sql_tsi_week (sql_tsi_week));
ALTER TABLE sql_tsi_week ADD c INT AFTER sql_tsi_week;
CREATE TABLE ddl_words.srid (a INT, srid INT UNSIGNED, UNIQUE srid (srid), CONSTRAINT c_srid CHECK (a > 0));
-- @on mariadb
ALTER TABLE srid ADD srid_2 INT FIRST, MODIFY srid TEXT;
CREATE TABLE stacked (stacked TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE stacked ADD stacked_2 INT FIRST, MODIFY stacked TEXT;
CREATE TABLE start (x INT, start INT AS (x + 1), z INT);
CREATE TABLE starts (x INT NOT NULL, starts CHAR(3) CHARSET latin1, UNIQUE KEY (x, starts));
ALTER TABLE starts CHANGE starts starts BIGINT;
-- @on mysql97 mysql80 mysql57
CREATE TABLE stats_auto_recalc (stats_auto_recalc INT, KEY stats_auto_recalc (stats_auto_recalc));
-- @on mysql97 mysql80 mysql57
CREATE TABLE ddl_words.stats_sample_pages (a INT, stats_sample_pages INT UNSIGNED, UNIQUE stats_sample_pages (stats_sample_pages), CONSTRAINT c_stats_sample_pages CHECK (a > 0));
-- @on mysql97 mysql80 mysql57
ALTER TABLE stats_sample_pages RENAME TO stats_sample_pages_t;
CREATE TABLE status (status TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE status RENAME TO status_t;
CREATE TABLE stop (x INT, stop INT AS (x + 1), z INT);
RENAME TABLE stop TO x_stop;
CREATE TABLE storage (x INT NOT NULL, storage CHAR(3) CHARSET latin1, UNIQUE KEY (x, storage));
RENAME TABLE storage TO x_storage;

CREATE TABLE stream (stream INT, KEY stream (stream));
ALTER TABLE stream ADD c INT AFTER stream;
CREATE TABLE ddl_words.string (a INT, string INT UNSIGNED, UNIQUE string (string), CONSTRAINT c_string CHECK (a > 0));
-- @on mariadb
ALTER TABLE string ADD string_2 INT FIRST, MODIFY string TEXT;
CREATE TABLE subclass_origin (subclass_origin TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE subclass_origin ADD subclass_origin_2 INT FIRST, MODIFY subclass_origin TEXT;
CREATE TABLE subject (x INT, subject INT AS (x + 1), z INT);
CREATE TABLE subpartition (x INT NOT NULL, subpartition CHAR(3) CHARSET latin1, UNIQUE KEY (x, subpartition));
ALTER TABLE subpartition CHANGE subpartition subpartition BIGINT;
CREATE TABLE subpartitions (subpartitions INT, KEY subpartitions (subpartitions));
CREATE TABLE super (id INT PRIMARY KEY, super VARCHAR(9) NOT NULL DEFAULT 'super');
ALTER TABLE super DROP super;
CREATE TABLE ddl_words.suspend (a INT, suspend INT UNSIGNED, UNIQUE suspend (suspend), CONSTRAINT c_suspend CHECK (a > 0));
ALTER TABLE suspend RENAME TO suspend_t;
CREATE TABLE swaps (swaps TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE swaps RENAME TO swaps_t;
CREATE TABLE switches (x INT, switches INT AS (x + 1), z INT);
RENAME TABLE switches TO x_switches;
-- @on mysql57 mariadb
CREATE TABLE system (x INT NOT NULL, system CHAR(3) CHARSET latin1, UNIQUE KEY (x, system));
-- @on mysql57 mariadb
RENAME TABLE system TO x_system;

CREATE TABLE table_checksum (table_checksum INT, KEY table_checksum (table_checksum));
ALTER TABLE table_checksum ADD c INT AFTER table_checksum;
CREATE TABLE ddl_words.tables (a INT, tables INT UNSIGNED, UNIQUE tables (tables), CONSTRAINT c_tables CHECK (a > 0));
-- @on mariadb
ALTER TABLE tables ADD tables_2 INT FIRST, MODIFY tables TEXT;
CREATE TABLE tablespace (tablespace TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE tablespace ADD tablespace_2 INT FIRST, MODIFY tablespace TEXT;
CREATE TABLE temporary (x INT, temporary INT AS (x + 1), z INT);
CREATE TABLE temptable (x INT NOT NULL, temptable CHAR(3) CHARSET latin1, UNIQUE KEY (x, temptable));
ALTER TABLE temptable CHANGE temptable temptable BIGINT;
CREATE TABLE text (text INT, KEY text (text));
CREATE TABLE than (id INT PRIMARY KEY, than VARCHAR(9) NOT NULL DEFAULT 'than');
ALTER TABLE than DROP than;
CREATE TABLE ddl_words.thread_priority (a INT, thread_priority INT UNSIGNED, UNIQUE thread_priority (thread_priority), CONSTRAINT c_thread_priority CHECK (a > 0));
ALTER TABLE thread_priority RENAME TO thread_priority_t;
CREATE TABLE ties (ties TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE ties RENAME TO ties_t;
CREATE TABLE time (x INT, time INT AS (x + 1), z INT);
RENAME TABLE time TO x_time;
CREATE TABLE timestamp (x INT NOT NULL, timestamp CHAR(3) CHARSET latin1, UNIQUE KEY (x, timestamp));
RENAME TABLE timestamp TO x_timestamp;

CREATE TABLE timestampadd (timestampadd INT, KEY timestampadd (timestampadd));
ALTER TABLE timestampadd ADD c INT AFTER timestampadd;
CREATE TABLE ddl_words.tls (a INT, tls INT UNSIGNED, UNIQUE tls (tls), CONSTRAINT c_tls CHECK (a > 0));
-- @on mariadb
ALTER TABLE tls ADD tls_2 INT FIRST, MODIFY tls TEXT;
CREATE TABLE transaction (transaction TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE transaction ADD transaction_2 INT FIRST, MODIFY transaction TEXT;
CREATE TABLE transactional (x INT, transactional INT AS (x + 1), z INT);
CREATE TABLE triggers (x INT NOT NULL, triggers CHAR(3) CHARSET latin1, UNIQUE KEY (x, triggers));
ALTER TABLE triggers CHANGE triggers triggers BIGINT;
CREATE TABLE truncate (truncate INT, KEY truncate (truncate));
CREATE TABLE type (id INT PRIMARY KEY, type VARCHAR(9) NOT NULL DEFAULT 'type');
ALTER TABLE type DROP type;
CREATE TABLE ddl_words.types (a INT, types INT UNSIGNED, UNIQUE types (types), CONSTRAINT c_types CHECK (a > 0));
ALTER TABLE types RENAME TO types_t;
CREATE TABLE unbounded (unbounded TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE unbounded RENAME TO unbounded_t;
CREATE TABLE uncommitted (x INT, uncommitted INT AS (x + 1), z INT);
RENAME TABLE uncommitted TO x_uncommitted;
CREATE TABLE undefined (x INT NOT NULL, undefined CHAR(3) CHARSET latin1, UNIQUE KEY (x, undefined));
RENAME TABLE undefined TO x_undefined;

CREATE TABLE undo_buffer_size (undo_buffer_size INT, KEY undo_buffer_size (undo_buffer_size));
ALTER TABLE undo_buffer_size ADD c INT AFTER undo_buffer_size;
CREATE TABLE undofile (id INT PRIMARY KEY, undofile VARCHAR(9) NOT NULL DEFAULT 'undofile');
ALTER TABLE undofile ADD c INT AFTER undofile;
CREATE TABLE ddl_words.unicode (a INT, unicode INT UNSIGNED, UNIQUE unicode (unicode), CONSTRAINT c_unicode CHECK (a > 0));
-- @on mariadb
ALTER TABLE unicode ADD unicode_2 INT FIRST, MODIFY unicode TEXT;
CREATE TABLE uninstall (uninstall TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE uninstall ADD uninstall_2 INT FIRST, MODIFY uninstall TEXT;
CREATE TABLE unknown (x INT, unknown INT AS (x + 1), z INT);
CREATE TABLE unregister (x INT NOT NULL, unregister CHAR(3) CHARSET latin1, UNIQUE KEY (x, unregister));
ALTER TABLE unregister CHANGE unregister unregister BIGINT;
CREATE TABLE until (until INT, KEY until (until));
CREATE TABLE upgrade (id INT PRIMARY KEY, upgrade VARCHAR(9) NOT NULL DEFAULT 'upgrade');
ALTER TABLE upgrade DROP upgrade;
CREATE TABLE ddl_words.uri (a INT, uri INT UNSIGNED, UNIQUE uri (uri), CONSTRAINT c_uri CHECK (a > 0));
ALTER TABLE uri RENAME TO uri_t;
CREATE TABLE url (url TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE url RENAME TO url_t;
CREATE TABLE use_frm (x INT, use_frm INT AS (x + 1), z INT);
RENAME TABLE use_frm TO x_use_frm;
CREATE TABLE user (x INT NOT NULL, user CHAR(3) CHARSET latin1, UNIQUE KEY (x, user));
RENAME TABLE user TO x_user;

CREATE TABLE user_resources (user_resources INT, KEY user_resources (user_resources));
ALTER TABLE user_resources ADD c INT AFTER user_resources;
CREATE TABLE uuid (id INT PRIMARY KEY, uuid VARCHAR(9) NOT NULL DEFAULT 'uuid');
ALTER TABLE uuid ADD c INT AFTER uuid;
CREATE TABLE ddl_words.validate (a INT, validate INT UNSIGNED, UNIQUE validate (validate), CONSTRAINT c_validate CHECK (a > 0));
-- @on mariadb
ALTER TABLE validate ADD validate_2 INT FIRST, MODIFY validate TEXT;
CREATE TABLE validation (validation TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE validation ADD validation_2 INT FIRST, MODIFY validation TEXT;
CREATE TABLE value (x INT, value INT AS (x + 1), z INT);
CREATE TABLE varchar2 (x INT NOT NULL, varchar2 CHAR(3) CHARSET latin1, UNIQUE KEY (x, varchar2));
ALTER TABLE varchar2 CHANGE varchar2 varchar2 BIGINT;
CREATE TABLE variables (variables INT, KEY variables (variables));
CREATE TABLE vcpu (id INT PRIMARY KEY, vcpu VARCHAR(9) NOT NULL DEFAULT 'vcpu');
ALTER TABLE vcpu DROP vcpu;
CREATE TABLE ddl_words.vector (a INT, vector INT UNSIGNED, UNIQUE vector (vector), CONSTRAINT c_vector CHECK (a > 0));
ALTER TABLE vector RENAME TO vector_t;
CREATE TABLE verify_key_constraints (verify_key_constraints TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE verify_key_constraints RENAME TO verify_key_constraints_t;
CREATE TABLE versioning (x INT, versioning INT AS (x + 1), z INT);
RENAME TABLE versioning TO x_versioning;
CREATE TABLE via (x INT NOT NULL, via CHAR(3) CHARSET latin1, UNIQUE KEY (x, via));
RENAME TABLE via TO x_via;

CREATE TABLE view (view INT, KEY view (view));
ALTER TABLE view ADD c INT AFTER view;
-- @on mariadb
CREATE TABLE virtual (id INT PRIMARY KEY, virtual VARCHAR(9) NOT NULL DEFAULT 'virtual');
-- @on mariadb
ALTER TABLE virtual ADD c INT AFTER virtual;
CREATE TABLE ddl_words.visible (a INT, visible INT UNSIGNED, UNIQUE visible (visible), CONSTRAINT c_visible CHECK (a > 0));
-- @on mariadb
ALTER TABLE visible ADD visible_2 INT FIRST, MODIFY visible TEXT;
CREATE TABLE wait (wait TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE wait ADD wait_2 INT FIRST, MODIFY wait TEXT;
CREATE TABLE warnings (x INT, warnings INT AS (x + 1), z INT);
CREATE TABLE week (x INT NOT NULL, week CHAR(3) CHARSET latin1, UNIQUE KEY (x, week));
ALTER TABLE week CHANGE week week BIGINT;
CREATE TABLE weight_string (weight_string INT, KEY weight_string (weight_string));
CREATE TABLE without (id INT PRIMARY KEY, without VARCHAR(9) NOT NULL DEFAULT 'without');
ALTER TABLE without DROP without;
CREATE TABLE ddl_words.work (a INT, work INT UNSIGNED, UNIQUE work (work), CONSTRAINT c_work CHECK (a > 0));
ALTER TABLE work RENAME TO work_t;
CREATE TABLE wrapper (wrapper TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE wrapper RENAME TO wrapper_t;
CREATE TABLE x509 (x INT, x509 INT AS (x + 1), z INT);
RENAME TABLE x509 TO x_x509;
CREATE TABLE xa (x INT NOT NULL, xa CHAR(3) CHARSET latin1, UNIQUE KEY (x, xa));
RENAME TABLE xa TO x_xa;

CREATE TABLE xid (xid INT, KEY xid (xid));
ALTER TABLE xid ADD c INT AFTER xid;
CREATE TABLE xml (id INT PRIMARY KEY, xml VARCHAR(9) NOT NULL DEFAULT 'xml');
ALTER TABLE xml ADD c INT AFTER xml;
CREATE TABLE ddl_words.xmltype (a INT, xmltype INT UNSIGNED, UNIQUE xmltype (xmltype), CONSTRAINT c_xmltype CHECK (a > 0));
-- @on mariadb
ALTER TABLE xmltype ADD xmltype_2 INT FIRST, MODIFY xmltype TEXT;
CREATE TABLE year (year TIMESTAMP NULL, b INT, PRIMARY KEY (b));
ALTER TABLE year ADD year_2 INT FIRST, MODIFY year TEXT;
CREATE TABLE zone (x INT, zone INT AS (x + 1), z INT);
USE ddl_a;
DROP DATABASE ddl_words;
