//! A snapshot by four readers: every row once, whatever the key is, and whatever happens to tables meanwhile.

use std::collections::BTreeMap;

use serde_json::Value;
use tidewire::source::mysql::Connection;

use crate::mysql_server::database;
use crate::support::connector::Connector;
use crate::support::database::{Database, MARIADB, MYSQL57, MYSQL80, MYSQL97};
use crate::support::process::LIMIT;

/// Rows of each table: ten chunks of 125.
const ROWS: u32 = 1_200;

/// Name, definition of the key, the key's value of row `n`, and whether the table is cut.
type Keyed = (&'static str, &'static str, fn(u32) -> String, bool);

/// Scatters numbers, each to another one.
fn scattered(n: u32) -> u32 {
    n.wrapping_mul(2_654_435_761) >> 4 ^ n
}

fn word(n: u32) -> String {
    // Different even to a collation that sees no case and no accents: the number is in it.
    let letters = ["a", "B", "é", "Ü", "z", "ß", "ñ", "O"];
    let pick = |shift: u32| letters[(scattered(n) >> shift) as usize % letters.len()];
    format!("'{}{}{}{n}'", pick(0), pick(3), pick(6))
}

const TABLES: &[Keyed] = &[
    ("k_int", "k INT NOT NULL, PRIMARY KEY (k)", |n| format!("{}", (n * 7).cast_signed() - 9_000), true),
    ("k_zerofill", "k INT(8) UNSIGNED ZEROFILL NOT NULL, PRIMARY KEY (k)", |n| format!("{}", n * 3), true),
    (
        "k_unsigned",
        "k BIGINT UNSIGNED NOT NULL, PRIMARY KEY (k)",
        |n| format!("{}", u64::MAX - u64::from(n) * 3_000_000_000_000_000),
        true,
    ),
    (
        "k_decimal",
        "k DECIMAL(20,4) NOT NULL, PRIMARY KEY (k)",
        |n| format!("{}.{:04}", i64::from(n % 61) - 30, n),
        true,
    ),
    ("k_text_ci", "k VARCHAR(40) CHARACTER SET utf8mb4 NOT NULL, PRIMARY KEY (k)", word, true),
    (
        "k_text_bin",
        "k VARCHAR(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, PRIMARY KEY (k)",
        word,
        true,
    ),
    (
        "k_latin1",
        "k CHAR(20) CHARACTER SET latin1 COLLATE latin1_german2_ci NOT NULL, PRIMARY KEY (k)",
        word,
        true,
    ),
    ("k_utf16", "k VARCHAR(20) CHARACTER SET utf16 NOT NULL, PRIMARY KEY (k)", word, true),
    ("k_sjis", "k VARCHAR(20) CHARACTER SET sjis NOT NULL, PRIMARY KEY (k)", |n| format!("'表{n}ソ'"), true),
    (
        "k_quotes",
        "k VARCHAR(20) CHARACTER SET utf8mb4 NOT NULL, PRIMARY KEY (k)",
        |n| format!("'''\\\\{n}\"`\\n'"),
        true,
    ),
    (
        "k_binary",
        "k VARBINARY(8) NOT NULL, PRIMARY KEY (k)",
        |n| format!("x'00{:08x}00'", scattered(n)),
        true,
    ),
    (
        "k_binary_fixed",
        "k BINARY(16) NOT NULL, PRIMARY KEY (k)",
        |n| format!("x'{:032x}'", u128::from(scattered(n)) << 64 | u128::from(n)),
        true,
    ),
    ("k_date", "k DATE NOT NULL, PRIMARY KEY (k)", |n| format!("'1000-01-01' + INTERVAL {n} DAY"), true),
    (
        "k_datetime",
        "k DATETIME(6) NOT NULL, PRIMARY KEY (k)",
        |n| format!("'2026-01-01 00:00:00.000001' + INTERVAL {} MICROSECOND", u64::from(n) * 777_777),
        true,
    ),
    (
        "k_timestamp",
        "k TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3), PRIMARY KEY (k)",
        |n| format!("FROM_UNIXTIME({}.{:03})", 1_700_000_000 + n / 5, n % 5 * 200),
        true,
    ),
    (
        "k_time",
        "k TIME NOT NULL, PRIMARY KEY (k)",
        |n| format!("SEC_TO_TIME({})", i64::from(n) * 1_900 - 2_800_000),
        true,
    ),
    (
        "k_composite",
        "a INT NOT NULL, k VARCHAR(10) NOT NULL, b DATE NOT NULL, PRIMARY KEY (a, k, b)",
        |n| format!("{}, 'x{}', '2026-01-01' + INTERVAL {} DAY", n % 3, n % 11, n),
        true,
    ),
    ("k_reversed", "k INT NOT NULL, a INT NOT NULL, PRIMARY KEY (a, k)", |n| format!("{n}, {}", n % 4), true),
    ("k_unique", "k INT NOT NULL, UNIQUE KEY u (k)", |n| format!("{n}"), true),
    ("k_none", "k INT", |n| format!("{n}"), false),
    ("k_nullable", "k INT, UNIQUE KEY u (k)", |n| format!("{n}"), false),
    ("k_prefix", "k VARCHAR(60) NOT NULL, PRIMARY KEY (k(10))", |n| format!("'{n:08}-and-more'"), false),
    ("k_double", "k DOUBLE NOT NULL, PRIMARY KEY (k)", |n| format!("{n}e-1"), false),
    (
        "k_enum",
        "k ENUM('z','a','m') NOT NULL, a INT NOT NULL, PRIMARY KEY (k, a)",
        |n| format!("{}, {n}", n % 3 + 1),
        false,
    ),
];

fn fill(session: &mut Connection, table: &str, value: impl Fn(u32) -> String, rows: u32) {
    let numbers: Vec<u32> = (1..=rows).collect();
    for some in numbers.chunks(500) {
        let values: Vec<String> = some.iter().map(|n| format!("({}, {n})", value(*n))).collect();
        session.execute(&format!("INSERT INTO {table} VALUES {}", values.join(", "))).unwrap();
    }
}

/// How often each number was read.
fn numbers(connector: &Connector, table: &str) -> BTreeMap<u64, u32> {
    let mut seen = BTreeMap::new();
    for record in connector.records(table) {
        assert_eq!(record.value["op"], "r", "{table}");
        *seen.entry(record.value["after"]["n"].as_u64().unwrap()).or_default() += 1;
    }
    seen
}

fn markers(connector: &Connector, table: &str, marker: &str) -> usize {
    let is = |value: &Value| value["source"]["snapshot"] == marker;
    connector.records(table).iter().filter(|record| is(&record.value)).count()
}

fn all_keys(server: &Database, name: &str) {
    let mut session = database(server.variable(), name);
    session.execute("SET SESSION time_zone = '+00:00'").unwrap();
    for (table, key, value, _) in TABLES {
        session.execute(&format!("CREATE TABLE {table} ({key}, n INT NOT NULL)")).unwrap();
        fill(&mut session, table, value, ROWS);
    }
    session
        .execute("CREATE TABLE k_engine (k INT NOT NULL PRIMARY KEY, n INT NOT NULL) ENGINE=MyISAM")
        .unwrap();
    fill(&mut session, "k_engine", |n| n.to_string(), ROWS);
    session.execute("CREATE TABLE k_empty (k INT NOT NULL PRIMARY KEY, n INT NOT NULL)").unwrap();
    let mut connector = Connector::to_files(server, name);
    connector
        .set("snapshot.mode", "initial_only")
        .set("snapshot.max.threads", "4")
        .set("snapshot.max.threads.multiplier", "8")
        .set(&format!("snapshot.max.threads.multiplier.{name}.k_int"), "50");
    let ended = connector.start().wait(LIMIT);
    ended.expect(0, &["readers=4"]);
    let whole: BTreeMap<u64, u32> = (1..=u64::from(ROWS)).map(|n| (n, 1)).collect();
    let mut last = 0;
    for (table, is_cut) in
        TABLES.iter().map(|(table, .., is_cut)| (*table, *is_cut)).chain([("k_engine", false)])
    {
        assert_eq!(numbers(&connector, table), whole, "{table}");
        let said = format!("table={name}.{table} reason=");
        assert_eq!(!ended.log.contains(&said), is_cut, "{table}");
        // `last` is the very last record, `first` the first one of the first table.
        let (first, own_last) =
            (markers(&connector, table, "first"), markers(&connector, table, "last_in_data_collection"));
        assert_eq!(first, usize::from(table == "k_binary"), "{table}");
        last += markers(&connector, table, "last");
        assert_eq!(own_last + markers(&connector, table, "last"), 1, "{table}");
    }
    assert_eq!(last, 1);
}

#[test]
fn every_row_once_on_mysql_9_7() {
    all_keys(&MYSQL97, "readers97");
}

#[test]
fn every_row_once_on_mysql_8_0() {
    all_keys(&MYSQL80, "readers80");
}

#[test]
fn every_row_once_on_mysql_5_7() {
    all_keys(&MYSQL57, "readers57");
}

#[test]
fn every_row_once_on_mariadb() {
    all_keys(&MARIADB, "readersmaria");
}
