//! What is recovered through outlines is what reading every record whole gives.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::config::pattern::JavaPattern;
use crate::schema::database_schema::{DatabaseSchema, SchemaOptions, Statement};
use crate::schema::history::memory::MemorySchemaHistory;
use crate::schema::history::record::HistoryRecord;
use crate::schema::history::recover::{Due, RecoverOptions, Replay, Seen, UpTo, recover};
use crate::schema::history::{SchemaHistory, read_records};

/// How records are stored and read.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    lower_case_table_names: u8,
    /// The position to which they hold.
    up_to: Option<u64>,
    prefer_ddl: bool,
    /// A filter for DROP.
    filtered: bool,
    /// One record for all changes of a statement.
    together: bool,
}

/// A statement and whether it is stored without its table changes.
type Stored = (&'static str, bool);

/// The records of statements, positions 10, 20, ...; a statement that cannot be carried out has none.
fn records(schema: &mut DatabaseSchema, statements: &[Stored], way: Way) -> Vec<HistoryRecord> {
    let mut records = Vec::new();
    for (number, (text, bare)) in (1_u64..).zip(statements) {
        let sql_mode = if text.contains('"') { 4 } else { 0 };
        let Ok(changes) =
            schema.apply_ddl(&Statement { text, database: "d", sql_mode, ..Statement::default() })
        else {
            continue;
        };
        let stored = format!(
            r#"{{"source":{{"server":"s"}},"position":{{"file":"b.000001","pos":{}}},"databaseName":"d"}}"#,
            number * 10
        );
        let record = |ddl: String, table_changes| HistoryRecord {
            ddl: Some(ddl),
            table_changes,
            ..stored.parse().unwrap()
        };
        if *bare || way.together {
            let changes = changes.into_iter().flat_map(|change| change.table_changes);
            records.push(record((*text).to_owned(), changes.filter(|_| !bare).collect()));
        } else {
            records.extend(changes.into_iter().map(|change| record(change.ddl, change.table_changes)));
        }
    }
    records
}

/// Both ways to read them.
fn both(statements: &[Stored], way: Way) -> (DatabaseSchema, DatabaseSchema) {
    let empty = || {
        let options =
            SchemaOptions { lower_case_table_names: way.lower_case_table_names, ..SchemaOptions::default() };
        DatabaseSchema::new(options)
    };
    let mut history = MemorySchemaHistory::default();
    history.record(&records(&mut empty(), statements, way)).unwrap();
    let filter = [JavaPattern::compile("(?i)drop .*").unwrap()];
    let offset =
        way.up_to.map(|pos| serde_json::from_str(&format!(r#"{{"file":"b.000001","pos":{pos}}}"#)).unwrap());
    let options = RecoverOptions {
        server: "s",
        up_to: offset.as_ref().map_or(UpTo::End, |offset| UpTo::Offset { offset, gtid_sources: None }),
        replay: Replay {
            prefer_ddl: way.prefer_ddl,
            passed_over: if way.filtered { &filter } else { &[] },
            skip_unparseable: true,
        },
    };
    let (mut outlined, mut whole) = (empty(), empty());
    recover(&mut history, &mut outlined, &options).unwrap();
    let (due, mut seen) = (Due::new(&options).unwrap(), Seen::default());
    read_records(&mut history, &mut |record| {
        if due.is_due(&record).unwrap() && seen.is_new(&record) {
            whole.apply_history(record, &options.replay).unwrap();
        }
    })
    .unwrap();
    (outlined, whole)
}

fn assert_same(statements: &[Stored], way: Way) -> usize {
    let (outlined, whole) = both(statements, way);
    let (outlined, whole): (Vec<_>, Vec<_>) = (outlined.tables().collect(), whole.tables().collect());
    assert_eq!(outlined, whole, "{statements:?} {way:?}");
    whole.len()
}

const T: Stored = (
    "create table t(a int unsigned not null, e enum('x','y') default 'y' comment 'c', unique ua(a)) charset greek",
    false,
);

#[test]
fn nothing_is_left_in_outline() {
    // The statements, how they are read, and how many tables there are in the end.
    let cases: [(&[Stored], Way, usize); 15] = [
        (&[T], Way::default(), 1),
        (&[T, ("alter table t add c text", false), ("rename table t to u", false)], Way::default(), 1),
        (&[T, ("alter table t rename to u", false), T], Way::default(), 2),
        (
            &[T, ("create table u(b text)", false), ("rename table t to x, u to t, x to u", false)],
            Way::default(),
            2,
        ),
        (
            &[T, ("create table u(b text)", false), ("rename table t to x, u to t, x to u", true)],
            Way::default(),
            2,
        ),
        (&[T, ("drop table t", false)], Way::default(), 0),
        (&[T, ("drop table t", false)], Way { filtered: true, ..Way::default() }, 1),
        (&[T, ("drop table t", true), ("create table t(b year)", false)], Way::default(), 1),
        // Copies and changes of what is known in outline only.
        (&[T, ("create table u like t", true)], Way::default(), 2),
        (&[T, ("create table u like t", false), ("alter table u drop a", true)], Way::default(), 2),
        (&[T, ("alter table t alter e set default 'x', rename to \"u\"", false)], Way::default(), 1),
        (&[T, ("alter table t convert to character set latin1", true)], Way::default(), 1),
        (&[T, ("alter table t modify a bigint", false)], Way { up_to: Some(10), ..Way::default() }, 1),
        (&[T, ("create table u like t", false)], Way { prefer_ddl: true, ..Way::default() }, 2),
        (
            &[
                ("create table T(A int)", false),
                ("rename table t to U", false),
                ("create table u2 like u", true),
            ],
            Way { lower_case_table_names: 2, ..Way::default() },
            2,
        ),
    ];
    for (statements, way, tables) in cases {
        assert_eq!(assert_same(statements, way), tables, "{statements:?}");
    }
}

/// A table that two connectors' filters know only by a statement alone, changed by records with changes.
#[test]
fn a_table_with_columns_only_in_its_record_keeps_them() {
    let (outlined, _) = both(&[T, ("alter table t add b int", false)], Way::default());
    let table = outlined.tables().next().unwrap();
    let kinds: Vec<_> = table.columns.iter().map(|column| column.type_name.as_str()).collect();
    assert_eq!(kinds, ["INT UNSIGNED", "ENUM", "INT"]);
    assert_eq!(table.columns[1].enum_values, ["'x'", "'y'"]);
    assert_eq!(table.columns[1].charset_name.as_deref(), Some("greek"));
    assert_eq!(table.columns[1].default_value_expression.as_deref(), Some("y"));
}

/// A record that is refused is told with its place and passed over, as one that is read whole.
#[test]
fn a_broken_record_is_passed_over_in_both() {
    let mut schema = DatabaseSchema::default();
    let good = records(&mut schema, &[T], Way::default()).remove(0).to_json();
    for (good_part, broken) in [
        (r#""typeExpression":"ENUM""#, r#""typeExpression":5"#),
        (r#""charsetName":"greek""#, r#""charsetName":["greek"]"#),
        (r#""enumValues":["'x'","'y'"]"#, r#""enumValues":["'x'",7]"#),
        (r#""comment":null"#, r#""comment":"\ud800""#),
        (r#""defaultValueExpression":"y""#, r#""defaultValueExpression":y"#),
        (r#""jdbcType":1,"#, ""),
    ] {
        assert!(good.contains(good_part), "{good_part}: {good}");
        let text = good.replacen(good_part, broken, 1);
        assert!(super::read::record(&text).is_err(), "{broken}");
        assert!(super::read::outline(&text).is_err(), "{broken}");
    }
}

const STATEMENTS: [&str; 30] = [
    "create table t(a int unsigned not null, e enum('x','y') default 'y', unique ua(a))",
    "create table if not exists T(id bigint primary key, v varchar(9) charset greek)",
    "create table u(a int not null, b int not null, unique(a), unique(b)) comment 'u'",
    "create table u like t",
    "create table v like u",
    "drop table t",
    "drop table if exists t, u",
    "drop table if exists V",
    "rename table t to u",
    "rename table u to t",
    "rename table t to x, u to t, x to u",
    "rename table t to v, u to t",
    "alter table t rename to v",
    "alter table v rename to \"u\", add \"q\" int not null first",
    "alter table t add c text",
    "alter table t drop c",
    "alter table u add unique uc(c), modify c varchar(5) not null",
    "alter table t modify a bigint null",
    "alter table u alter a set default 5, rename to t",
    "alter table u drop index ua",
    "alter table T convert to character set latin1",
    "create unique index ie on t(e)",
    "drop index ua on t",
    "truncate table t",
    // Whether a key takes a whole column depends on the column's type.
    "alter table t add v varchar(9) charset greek not null first, add unique uv(v(9)), add key k(v(3))",
    "alter table T add unique up(v(3)), drop index k",
    "alter table t add x text not null, add unique ux(x(5)), rename to \"t\"",
    "create unique index uv on u(v(4), b)",
    "create database d2 charset latin1",
    "drop database d",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_history_gives_the_same_tables(
        statements in prop::collection::vec((select(&STATEMENTS[..]), prop::bool::weighted(0.2)), 1..25),
        again in any::<Index>(),
        lower_case_table_names in 0..3_u8,
        up_to in prop::option::of(0..250_u64),
        (prefer_ddl, filtered, together) in (prop::bool::weighted(0.1), prop::bool::weighted(0.2), any::<bool>()),
    ) {
        let mut statements = statements;
        statements.insert(0, (STATEMENTS[0], false));
        statements.insert(again.index(statements.len()), (STATEMENTS[2], false));
        assert_same(&statements, Way { lower_case_table_names, up_to, prefer_ddl, filtered, together });
    }
}
