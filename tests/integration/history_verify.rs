//! `tidewire history verify` on tables of every kind: what was followed statement by statement is what the server prints.

use crate::mysql_server::database;
use crate::support::connector::Connector;
use crate::support::database::{Database, MYSQL57, MYSQL80, MYSQL97, MYSQL97_RESTARTED};
use crate::support::restarted::mysql;

/// Statements, with the first version that takes them (major, minor, patch).
const STATEMENTS: [(u32, &str); 58] = [
    // Numbers, with the spellings that the server rewrites.
    (
        0,
        "CREATE TABLE n (a TINYINT(1), b BOOL DEFAULT TRUE, c SMALLINT UNSIGNED ZEROFILL, d MEDIUMINT(5) DEFAULT '7', e INTEGER \
         DEFAULT -0, f INT8 UNSIGNED DEFAULT 18446744073709551615, g DEC(7), h NUMERIC(65,30) DEFAULT 1e2, i FIXED(5,2) UNSIGNED, \
         j FLOAT(7,3), k FLOAT(53), l DOUBLE PRECISION DEFAULT 1.50, m REAL, n BIT, o BIT(13) DEFAULT b'101', p SERIAL)",
    ),
    (
        0,
        "ALTER TABLE n MODIFY a TINYINT UNSIGNED NOT NULL DEFAULT 0x10, ALTER b SET DEFAULT false, ALTER d DROP DEFAULT",
    ),
    // Text in character sets: of the column, the table, the database; by collation, by spelling, converted.
    (
        0,
        "CREATE TABLE s (a CHAR, b VARCHAR(20) COLLATE latin2_bin, c TEXT(300), d TINYTEXT CHARACTER SET ucs2, e LONG VARCHAR, f \
         NCHAR(3), g NATIONAL VARCHAR(4), h CHAR(3) BINARY, i CHAR(3) ASCII, j CHAR(3) UNICODE, k ENUM('a','it''s','ω',''), l \
         SET('x','y ') DEFAULT 'y', m CHAR BYTE, n VARCHAR(10) CHARACTER SET binary, o BLOB(70000), p VARBINARY(9) DEFAULT 0x4142, \
         q CHAR(0), r CHARACTER VARYING(7)) DEFAULT COLLATE greek_bin COMMENT 'it''s \\\\ \"q\"'",
    ),
    (0, "ALTER TABLE s ADD x VARCHAR(3), CHARSET cp1251, ADD y VARCHAR(3)"),
    (
        0,
        "CREATE TABLE conv (a VARCHAR(10), t TEXT, t2 TINYTEXT CHARACTER SET latin1, e ENUM('x') CHARACTER SET latin1, b BLOB) CHARSET \
         latin1",
    ),
    (0, "ALTER TABLE conv CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"),
    (0, "ALTER DATABASE DEFAULT CHARACTER SET hebrew"),
    (0, "CREATE TABLE inherits (a VARCHAR(3))"),
    (0, "ALTER TABLE inherits CONVERT TO CHARACTER SET DEFAULT, ADD b VARCHAR(4)"),
    (0, "ALTER DATABASE DEFAULT CHARACTER SET utf8mb4"),
    // Times and their automatic properties.
    (
        0,
        "CREATE TABLE d (a DATE DEFAULT '2024-1-2', b DATETIME(6) DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE NOW(6), c TIMESTAMP NULL, d \
         TIMESTAMP NOT NULL DEFAULT '2001-02-03 04:05:06', e TIME(3) DEFAULT '-1:2:3.4', f YEAR DEFAULT 70, g YEAR(4), h TIMESTAMP DEFAULT LOCALTIME)",
    ),
    (0, "ALTER TABLE d MODIFY c TIMESTAMP(2) NULL DEFAULT NULL ON UPDATE LOCALTIMESTAMP(2)"),
    // Generated columns and keys on them.
    (
        0,
        "CREATE TABLE g (id INT PRIMARY KEY, a INT, v INT AS (a + 1), st VARCHAR(9) GENERATED ALWAYS AS (CONCAT(a, 'x')) STORED NOT \
         NULL COMMENT 'c', UNIQUE (v), KEY (st))",
    ),
    (0, "ALTER TABLE g ADD w INT AS (v * 2) VIRTUAL AFTER v, MODIFY v BIGINT AS (a + 2)"),
    (0, "ALTER TABLE g MODIFY st VARCHAR(9) NOT NULL DEFAULT 'q'"),
    (
        80_013,
        "CREATE TABLE fk1 (a INT NOT NULL, j JSON DEFAULT (JSON_ARRAY(1, 2)), u BINARY(16) DEFAULT (UUID_TO_BIN(UUID())), UNIQUE \
              ufunc ((a + 1)), UNIQUE ua (a), KEY kf ((a * 2) DESC, a))",
    ),
    (80_013, "ALTER TABLE fk1 ADD UNIQUE both_ ((ABS(a)), a), ADD PRIMARY KEY (a)"),
    (80_013, "ALTER TABLE fk1 DROP INDEX ufunc, RENAME INDEX ua TO ub, ALTER INDEX kf INVISIBLE"),
    // Hidden columns: made invisible, and the primary key that nobody wrote.
    (80_023, "CREATE TABLE hid (id INT PRIMARY KEY, a INT INVISIBLE, b INT DEFAULT 3 VISIBLE)"),
    (
        80_023,
        "ALTER TABLE hid ALTER COLUMN b SET INVISIBLE, ALTER COLUMN a SET VISIBLE, ADD c INT INVISIBLE FIRST",
    ),
    (80_030, "SET SESSION sql_generate_invisible_primary_key = ON"),
    (80_030, "CREATE TABLE gipk (a INT, b VARCHAR(3), UNIQUE (a))"),
    (80_030, "CREATE TABLE gipk_like LIKE gipk"),
    (80_030, "ALTER TABLE gipk ALTER COLUMN my_row_id SET VISIBLE, ADD x INT"),
    (80_030, "CREATE TABLE gipk_part (a INT)"),
    (80_030, "SET SESSION sql_generate_invisible_primary_key = OFF"),
    (
        80_016,
        "CREATE TABLE ch (a INT CHECK (a > 0), b INT CONSTRAINT pos CHECK (b > 0) NOT ENFORCED, CONSTRAINT CHECK (a < b))",
    ),
    (80_016, "ALTER TABLE ch DROP CHECK pos, ADD CONSTRAINT later CHECK (b <> 5)"),
    (90_000, "CREATE TABLE vec (id INT PRIMARY KEY, v VECTOR(3), w VECTOR)"),
    // Partitions.
    (
        0,
        "CREATE TABLE pr (id INT NOT NULL, y YEAR NOT NULL, UNIQUE KEY u (y, id)) PARTITION BY RANGE (y) SUBPARTITION BY HASH (id) \
         SUBPARTITIONS 2 (PARTITION a VALUES LESS THAN (2000), PARTITION b VALUES LESS THAN MAXVALUE COMMENT = 'rest')",
    ),
    (0, "ALTER TABLE pr ADD z INT DEFAULT 5"),
    (
        0,
        "ALTER TABLE pr REORGANIZE PARTITION b INTO (PARTITION b VALUES LESS THAN (2010), PARTITION c VALUES LESS THAN MAXVALUE)",
    ),
    (
        0,
        "CREATE TABLE pl (a VARCHAR(5) NOT NULL, n INT, PRIMARY KEY (a)) PARTITION BY LIST COLUMNS (a) (PARTITION p VALUES IN ('x', 'y'))",
    ),
    (0, "ALTER TABLE pl ADD PARTITION (PARTITION q VALUES IN ('z'))"),
    (0, "CREATE TABLE pk (a INT PRIMARY KEY) PARTITION BY LINEAR KEY ALGORITHM = 2 () PARTITIONS 3"),
    (0, "ALTER TABLE pk COALESCE PARTITION 1"),
    (0, "ALTER TABLE pk REMOVE PARTITIONING"),
    // Keys: chosen among unique ones, prefixes, nullable, foreign, full text.
    (
        0,
        "CREATE TABLE k (a INT NOT NULL, b INT, c VARCHAR(30) NOT NULL, d TEXT NOT NULL, UNIQUE ub (b), UNIQUE uc (c(5)), UNIQUE ucd (c, \
         a), KEY (d(10)), FULLTEXT ft (d))",
    ),
    (0, "ALTER TABLE k MODIFY b INT NOT NULL"),
    (0, "ALTER TABLE k ADD UNIQUE INDEX (a), DROP INDEX ub, MODIFY a INT NULL"),
    (
        0,
        "CREATE TABLE parent (id INT UNSIGNED AUTO_INCREMENT, n INT UNIQUE COMMENT 'n', PRIMARY KEY (id) USING BTREE) AUTO_INCREMENT = 7",
    ),
    (
        0,
        "CREATE TABLE child (id INT KEY, p INT UNSIGNED, CONSTRAINT fp FOREIGN KEY fkey (p) REFERENCES parent (id) ON DELETE SET NULL)",
    ),
    (0, "ALTER TABLE child DROP FOREIGN KEY fp, ADD UNIQUE up (p)"),
    (0, "ALTER TABLE child DROP PRIMARY KEY, MODIFY p INT UNSIGNED NOT NULL"),
    // Other engines, names, copies, space.
    (
        0,
        "CREATE TABLE `we``ird \"n\".ä` (`sel``ect` INT, `from` INT, `Ünï` INT, PRIMARY KEY (`sel``ect`)) ENGINE = MyISAM",
    ),
    (0, "ALTER TABLE `we``ird \"n\".ä` CHANGE `from` `key` BIGINT FIRST, CHANGE `ÜNÏ` ünï INT"),
    (0, "CREATE TABLE mem (id INT, KEY USING HASH (id)) ENGINE = MEMORY MAX_ROWS = 10"),
    (0, "CREATE TABLE arch (a INT, b VARCHAR(9)) ENGINE = ARCHIVE"),
    (0, "CREATE TABLE csv (a INT NOT NULL, b VARCHAR(9) NOT NULL) ENGINE = CSV"),
    (
        0,
        "CREATE TABLE sp (g GEOMETRY NOT NULL, p POINT, m MULTIPOLYGON, gc GEOMETRYCOLLECTION, SPATIAL KEY (g))",
    ),
    (80_003, "ALTER TABLE sp MODIFY p POINT SRID 4326, ADD q LINESTRING NOT NULL SRID 0 FIRST"),
    (0, "CREATE TABLE j (id INT PRIMARY KEY, d JSON NOT NULL, t LONGTEXT)"),
    (0, "CREATE TABLE cp LIKE s"),
    (
        80_021,
        "CREATE TABLE sel (PRIMARY KEY (id), extra INT DEFAULT 4) SELECT id, v + 1 AS n, st, CONCAT(st, 'é') AS c, NULL AS nothing, 1.5 AS \
         d, NOW(3) AS t FROM g",
    ),
    (0, "CREATE TEMPORARY TABLE parent (other INT)"),
    (0, "ALTER TABLE parent ADD shadow INT"),
    (0, "DROP TEMPORARY TABLE parent"),
    (0, "CREATE VIEW vw AS SELECT * FROM k"),
];

fn verified(server: &Database, name: &str) {
    let mut session = database(server.variable(), name);
    let version = server.sql("SELECT VERSION()").pop().unwrap();
    let mut parts = version.split(['.', '-']).map_while(|part| part.parse::<u32>().ok());
    let mut next = || parts.next().unwrap_or(0);
    let version = next() * 10_000 + next() * 100 + next();
    session.execute("SET SESSION sql_mode = ''").unwrap();
    let connector = Connector::to_files(server, name);
    let process = connector.start_streaming();
    for (since, statement) in STATEMENTS {
        if version >= since {
            session.execute(statement).unwrap_or_else(|error| panic!("{error}: {statement}"));
        }
    }
    session.execute("CREATE TABLE last (id INT PRIMARY KEY)").unwrap();
    session.execute("INSERT INTO last VALUES (1)").unwrap();
    connector.wait_for_records("last", 1);
    process.terminate().expect(0, &["stopped"]);
    let tables = server.sql(&format!(
        "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = '{name}' AND table_type = 'BASE TABLE'"
    ));
    let tables = tables.last().unwrap();
    connector.history("verify", &[]).expect(0, &[&format!("verify: {tables} tables, 0 differences")]);

    // One that took its definitions from the server, and followed nothing, agrees with it, too.
    let late = Connector::to_files(server, name);
    late.start_streaming().terminate().expect(0, &["stopped"]);
    late.history("verify", &[]).expect(0, &[&format!("verify: {tables} tables, 0 differences")]);

    // A difference in a hidden, a generated and a key column is named with its remedy.
    for (statement, said) in [
        (
            "ALTER TABLE g DROP COLUMN w",
            format!("{name}.g: columns in order\n  believed: id, a, v, w, st\n  actual:   id, a, v, st\n"),
        ),
        (
            "ALTER TABLE s MODIFY b VARCHAR(20) COLLATE greek_bin",
            format!("{name}.s.b: character set\n  believed: latin2\n  actual:   greek\n"),
        ),
        ("ALTER TABLE k DROP INDEX uc", format!("{name}.k: unique keys\n  believed: ")),
        (
            "ALTER TABLE pl DROP PRIMARY KEY, DROP n",
            format!("{name}.pl: record key\n  believed: a\n  actual:   none\n"),
        ),
    ] {
        session.execute("SET sql_log_bin = 0").unwrap();
        session.execute(statement).unwrap();
        session.execute("SET sql_log_bin = 1").unwrap();
        connector
            .history("verify", &[])
            .expect(1, &[&said, "  remedy:   if the server is ahead of the position"]);
    }
}

#[test]
fn tables_of_every_kind_on_mysql_97() {
    verified(&MYSQL97, "verified97");
}

#[test]
fn tables_of_every_kind_on_mysql_80() {
    verified(&MYSQL80, "verified80");
}

#[test]
fn tables_of_every_kind_on_mysql_57() {
    verified(&MYSQL57, "verified57");
}

/// Definitions are read as a snapshot reads them: a server that prints names in double quotes and TIMESTAMP defaults in a zone
/// of its own has the same tables.
#[test]
fn the_servers_own_modes_make_no_difference() {
    const MODES: [(&str, &str); 2] =
        [("time_zone", "+05:00"), ("sql_mode", "ANSI_QUOTES,PAD_CHAR_TO_FULL_LENGTH")];
    let _alone = mysql();
    let name = "verify_modes";
    let mut session = database(MYSQL97_RESTARTED.variable(), name);
    session
        .execute("CREATE TABLE t (id INT PRIMARY KEY, ts TIMESTAMP NOT NULL DEFAULT '2024-01-02 03:04:05')")
        .unwrap();
    let mut set = |variable: &str, value: &str| {
        let before = session.query(&format!("SHOW GLOBAL VARIABLES LIKE '{variable}'")).unwrap();
        let before = before.get(0, "Value").unwrap().to_owned();
        session.execute(&format!("SET GLOBAL {variable} = '{value}'")).unwrap();
        before
    };
    let before = MODES.map(|(variable, value)| set(variable, value));
    let connector = Connector::to_files(&MYSQL97_RESTARTED, name);
    connector.start_streaming().terminate().expect(0, &[]);
    let ended = connector.history("verify", &[]);
    for ((variable, _), value) in MODES.iter().zip(before) {
        set(variable, &value);
    }
    ended.expect(0, &["verify: 1 tables, 0 differences"]);
}
