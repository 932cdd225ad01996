use super::*;
use crate::error::chain;
use crate::sink::record::schema_change::{ChangeType, SchemaChange, read_schema_change};
use crate::sink::table::adoption::ExistingColumn;
use crate::sink::table::definition::TableOptions;
use crate::sink::table::evolution::shape::{Shape, shape_of, shape_of_record};
use crate::sink::table::mapping::mysql_type::ChangedColumn;

const MAPPING: MappingOptions = MappingOptions {
    nullable: crate::config::sink::modes::NullableMode::AsSource,
    tinyint1_as_bool: false,
    time: crate::config::sink::modes::TimeHandlingMode::Auto,
    has_time64: true,
    widen_integer_keys: false,
    zero_dates: crate::config::sink::modes::ZeroDateMode::Min,
    dates: crate::sink::table::mapping::temporal_range::DateRange::Full,
};

fn source_table(shape: &Shape) -> SourceTable<'_> {
    SourceTable { columns: &shape.columns, key: &shape.key, low_cardinality: &|_| false }
}

fn defined(shape: &Shape, options: &TableOptions) -> TableDefinition {
    TableDefinition::new("d", "t", source_table(shape), &MAPPING, options).expect("a table")
}

/// What the server has when a table was made.
fn made(table: &TableDefinition) -> ExistingTable {
    let columns = table.columns.iter().map(|column| ExistingColumn {
        name: column.name.clone(),
        column_type: column.column_type.to_string(),
        default_kind: String::new(),
    });
    ExistingTable { columns: columns.collect(), ..ExistingTable::default() }
}

fn steps(evolution: &Evolution) -> Vec<&str> {
    evolution.steps.iter().map(|step| step.statement.strip_prefix("ALTER TABLE `d`.`t` ").unwrap()).collect()
}

/// The schema changes that the reference wrote in a golden scenario.
fn golden(scenario: &str) -> Vec<SchemaChange> {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/corpus");
    let text = std::fs::read_to_string(corpus.join(scenario).join("records.jsonl")).expect(scenario);
    let records = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("json"));
    let values =
        records.filter(|record| record["topic"] == scenario).map(|record| record["value"].to_string());
    values.filter_map(|value| read_schema_change(Some(value.as_bytes())).expect("a schema change")).collect()
}

/// What each statement of ddl_alter_columns does, by hand from section 4.3. A statement that is refused is taken as done
/// somewhere else, so that the next one starts from what it left.
#[test]
fn r_3_each_statement_of_a_golden_scenario_is_followed_or_refused() {
    let wanted: &[(&str, Result<&[&str], &str>)] = &[
        ("alter table t add d int", Ok(&["ADD COLUMN IF NOT EXISTS `d` Nullable(Int32) AFTER `c`"])),
        (
            "alter table t add column e",
            Ok(&["ADD COLUMN IF NOT EXISTS `e` String DEFAULT 'e' FIRST", "MATERIALIZE COLUMN `e`"]),
        ),
        (
            "alter table t add f bigint unsigned after a",
            Ok(&[
                "ADD COLUMN IF NOT EXISTS `h` Nullable(Float64) FIRST",
                "ADD COLUMN IF NOT EXISTS `f` Nullable(UInt64) AFTER `a`",
                "ADD COLUMN IF NOT EXISTS `g` Nullable(Int8) AFTER `f`",
            ]),
        ),
        (
            "alter table t add column (i int",
            Ok(&[
                "ADD COLUMN IF NOT EXISTS `i` Nullable(Int32) AFTER `d`",
                "ADD COLUMN IF NOT EXISTS `j` Nullable(String) DEFAULT 'j' AFTER `i`",
                "MATERIALIZE COLUMN `j`",
                "ADD COLUMN IF NOT EXISTS `k` Nullable(Decimal(5, 2)) AFTER `j`",
            ]),
        ),
        ("alter table t drop d", Err("table d.t: the column h was dropped or renamed")),
        ("alter table t modify a bigint", Ok(&["MODIFY COLUMN `a` Nullable(Int64)"])),
        (
            "alter table t modify column b varchar(20) null first",
            Ok(&["MODIFY COLUMN `b` Nullable(String)", "MODIFY COLUMN `c` Nullable(DateTime64(6, 'UTC'))"]),
        ),
        ("alter table t change f ff", Err("table da.t: the column f was renamed")),
        ("alter table t rename column i", Err("table da.t: the column i was renamed")),
        ("alter table t change id ident", Err("table da.t: the column id was renamed")),
        (
            "alter table t add l int, drop column k, rename column e",
            Err("table da.t2: the column k was dropped and is there again"),
        ),
        (
            "alter table da.t2 add column m int as",
            Ok(&[
                "ADD COLUMN IF NOT EXISTS `m` Nullable(Int32) AFTER `l`",
                "ADD COLUMN IF NOT EXISTS `n` Nullable(Int32) AFTER `m`",
            ]),
        ),
        ("alter table t2 drop column m", Err("table d.t: the column m was dropped or renamed")),
        ("alter table t2 modify ident", Ok(&[])),
        ("alter table t2 alter column l set invisible", Ok(&[])),
        ("alter table t2 alter l set visible", Ok(&[])),
    ];
    let mut wanted = wanted.iter();
    let mut table: Option<TableDefinition> = None;
    for change in golden("ddl_alter_columns") {
        let [changed] = change.table_changes.as_slice() else { continue };
        let shape = shape_of(&change, changed);
        if changed.kind != ChangeType::Alter {
            if let Some(shape) = shape.expect("a snapshot's record") {
                table = Some(defined(&shape, &TableOptions::default()));
            }
            continue;
        }
        let ddl = change.ddl.clone().unwrap_or_default();
        let (begin, expected) = wanted.next().unwrap_or_else(|| panic!("one too many: {ddl}"));
        assert!(ddl.starts_with(begin), "{ddl}");
        let present = table.take().expect("a table");
        let evolved = shape.and_then(|shape| {
            let shape = shape.expect("a shape");
            evolve(&present, &made(&present), source_table(&shape), shape.statement_seconds, &MAPPING)
        });
        match (evolved, expected) {
            (Ok(evolution), Ok(statements)) => {
                assert_eq!(steps(&evolution), *statements, "{ddl}");
                table = Some(evolution.table);
            }
            (Err(error), Err(text)) => {
                assert_eq!(chain(&error), *text, "{ddl}");
                assert!(error.remedy().is_some());
                let described = changed.table.as_ref().expect("a description");
                let columns =
                    described.columns.iter().map(|column| column.source_column().unwrap()).collect();
                let key = described.primary_key_column_names.clone().unwrap_or_default();
                let shape = Shape { columns, key, statement_seconds: 0 };
                table = Some(defined(&shape, &TableOptions::default()));
            }
            (evolved, expected) => panic!("{ddl}: {evolved:?}, not {expected:?}"),
        }
    }
    assert_eq!(wanted.next(), None);
}

/// A column as (name, type, length, scale, optional, default).
type Column<'a> = (&'a str, &'a str, Option<i64>, Option<i64>, bool, Option<&'a str>);

fn shape(key: &[&str], columns: &[Column<'_>]) -> Shape {
    let column = |(name, type_name, length, scale, optional, default): &Column<'_>| {
        let json = serde_json::json!({"name": name, "typeName": type_name, "length": length, "scale": scale,
            "optional": optional, "defaultValueExpression": default, "enumValues": ["'x'", "'y'"]});
        serde_json::from_value::<ChangedColumn>(json).unwrap().source_column().unwrap()
    };
    Shape {
        columns: columns.iter().map(column).collect(),
        key: key.iter().map(|&name| name.to_owned()).collect(),
        statement_seconds: 1_577_934_245,
    }
}

const ID: Column<'static> = ("id", "INT", None, None, false, None);

/// `v` before and after, in a table with the key `id`.
fn changed(before: Column<'_>, after: Column<'_>) -> Result<Vec<String>, String> {
    let table = defined(&shape(&["id"], &[ID, before]), &TableOptions::default());
    let after = shape(&["id"], &[ID, after]);
    let evolved = evolve(&table, &made(&table), source_table(&after), 0, &MAPPING);
    evolved
        .map(|evolution| steps(&evolution).iter().map(|step| (*step).to_owned()).collect())
        .map_err(|error| chain(&error))
}

/// The lattice of section 4.3. R-5: nothing is ever narrowed, since the server would wrap values without an error.
#[test]
fn r_5_types_only_widen() {
    let v = |type_name, length, scale, optional| ("v", type_name, length, scale, optional, None);
    for (before, after, wanted) in [
        (v("INT", None, None, false), v("BIGINT", None, None, false), Some("Int64")),
        (v("BIGINT", None, None, false), v("INT", None, None, false), None),
        (v("INT", None, None, false), v("INT UNSIGNED", None, None, false), Some("Int64")),
        (v("SMALLINT UNSIGNED", None, None, false), v("INT", None, None, false), Some("Int32")),
        (v("INT", None, None, false), v("INT", None, None, true), Some("Nullable(Int32)")),
        (v("INT", None, None, true), v("INT", None, None, false), None),
        (v("INT", None, None, true), v("BIGINT", None, None, false), Some("Nullable(Int64)")),
        (v("FLOAT", None, None, false), v("DOUBLE", None, None, true), Some("Nullable(Float64)")),
        (
            v("DECIMAL", Some(10), Some(2), true),
            v("DECIMAL", Some(12), Some(4), true),
            Some("Nullable(Decimal(12, 4))"),
        ),
        (
            v("DECIMAL", Some(10), Some(2), true),
            v("DECIMAL", Some(10), Some(4), true),
            Some("Nullable(Decimal(12, 4))"),
        ),
        (v("DECIMAL", Some(10), Some(2), true), v("DECIMAL", Some(8), Some(2), true), None),
        (
            v("DATETIME", None, None, true),
            v("DATETIME", Some(6), None, true),
            Some("Nullable(DateTime64(6, 'UTC'))"),
        ),
        (
            v("TIMESTAMP", None, None, false),
            v("TIMESTAMP", Some(3), None, false),
            Some("DateTime64(3, 'UTC')"),
        ),
        (v("TIME", None, None, true), v("TIME", Some(6), None, true), Some("Nullable(Time64(6))")),
        (v("BIT", Some(1), None, true), v("BIT", Some(9), None, true), Some("Nullable(UInt16)")),
        (v("ENUM", Some(1), None, false), v("VARCHAR", Some(9), None, false), None),
        (
            v("ENUM", Some(1), None, false),
            v("VARCHAR", Some(9), None, true),
            Some("LowCardinality(Nullable(String))"),
        ),
        (v("VARCHAR", Some(9), None, false), v("ENUM", Some(1), None, false), None),
        (v("VARCHAR", Some(9), None, false), v("TEXT", None, None, false), None),
        (v("INT", None, None, true), v("VARCHAR", Some(9), None, true), Some("Nullable(String)")),
        (v("INT", None, None, false), v("DECIMAL", Some(12), Some(2), false), Some("Decimal(12, 2)")),
        (v("VECTOR", Some(2), None, false), v("VECTOR", Some(2), None, true), None),
    ] {
        let wanted: Vec<String> =
            wanted.map(|text| format!("MODIFY COLUMN `v` {text}")).into_iter().collect();
        assert_eq!(changed(before, after), Ok(wanted), "{before:?} {after:?}");
    }
    let refused = |what| Err(format!("table d.t: {what}"));
    for (before, after, wanted) in [
        (
            v("DECIMAL", Some(10), Some(2), true),
            v("DECIMAL", Some(10), Some(1), true),
            "the values of column v were converted by the server",
        ),
        (
            v("DATETIME", Some(6), None, true),
            v("TIMESTAMP", Some(6), None, true),
            "the values of column v were converted by the server",
        ),
        (
            v("VARCHAR", Some(9), None, true),
            v("INT", None, None, true),
            "the values of column v were converted by the server",
        ),
        (
            v("BIGINT UNSIGNED", None, None, true),
            v("BIGINT", None, None, true),
            "the column v is Nullable(UInt64), and no type holds it and Nullable(Int64)",
        ),
        (
            v("INT", None, None, true),
            v("DECIMAL", Some(5), Some(0), true),
            "the column v is Nullable(Int32), and no type holds it and Nullable(Decimal(5, 0))",
        ),
    ] {
        assert_eq!(changed(before, after), refused(wanted), "{before:?} {after:?}");
    }
}

/// a key is what it was made as.
#[test]
fn r_4_a_key_never_changes_its_columns_or_types() {
    let v: Column<'_> = ("v", "INT", None, None, false, None);
    let plain = shape(&["id"], &[ID, v]);
    let custom = TableOptions { order_by: Some("v, id".to_owned()), ..TableOptions::default() };
    let append =
        TableOptions { keyless: crate::config::sink::modes::KeylessMode::Append, ..TableOptions::default() };
    let hash =
        TableOptions { keyless: crate::config::sink::modes::KeylessMode::RowHash, ..TableOptions::default() };
    let wider: Column<'_> = ("v", "BIGINT", None, None, false, None);
    let wider_id: Column<'_> = ("id", "BIGINT", None, None, false, None);
    let nullable_id: Column<'_> = ("id", "INT", None, None, true, None);
    for (before, options, after, wanted) in [
        (&plain, &TableOptions::default(), shape(&["id", "v"], &[ID, v]), "the key was (id) and is (id, v)"),
        (&plain, &TableOptions::default(), shape(&[], &[ID, v]), "the key was (id) and is ()"),
        (&plain, &TableOptions::default(), shape(&["id"], &[nullable_id, v]), "the key was (id) and is ()"),
        (&shape(&[], &[ID, v]), &append, shape(&["id"], &[ID, v]), "the key was () and is (id)"),
        (
            &plain,
            &TableOptions::default(),
            shape(&["id"], &[wider_id, v]),
            "the key column id is Int32 and would have to be Int64",
        ),
        (
            &plain,
            &custom,
            shape(&["id"], &[ID, wider]),
            "the key column v is Int32 and would have to be Int64",
        ),
        (
            &shape(&[], &[ID, v]),
            &hash,
            shape(&[], &[ID, wider]),
            "the hash of its rows would change with the column v",
        ),
        (
            &shape(&[], &[ID]),
            &hash,
            shape(&[], &[ID, v]),
            "the hash of its rows would change with the column v",
        ),
    ] {
        let table = defined(before, options);
        let error = evolve(&table, &made(&table), source_table(&after), 0, &MAPPING).expect_err(wanted);
        assert_eq!(chain(&error), format!("table d.t: {wanted}"));
    }
    // The order of the key's columns tells no rows apart.
    let both = shape(&["id", "v"], &[ID, v]);
    let table = defined(&both, &TableOptions::default());
    let turned = shape(&["v", "id"], &[ID, v]);
    let evolution = evolve(&table, &made(&table), source_table(&turned), 0, &MAPPING).expect("the same key");
    assert_eq!((evolution.steps.len(), evolution.table), (0, table));
}

/// Section 3.6, and the values that MySQL gave to old rows.
#[test]
fn r_5_old_rows_get_the_value_that_they_have_in_mysql() {
    let table = defined(&shape(&["id"], &[ID]), &TableOptions::default());
    let added: &[(Column<'_>, &[&str], Option<&str>)] = &[
        (("c", "INT", None, None, true, None), &["`c` Nullable(Int32)"], None),
        (("c", "INT", None, None, true, Some("7")), &["`c` Nullable(Int32) DEFAULT 7", "MATERIALIZE"], None),
        (("c", "INT", None, None, false, None), &["`c` Int32 DEFAULT 0", "MATERIALIZE"], None),
        (
            ("c", "ENUM", Some(1), None, false, None),
            &["`c` LowCardinality(String) DEFAULT 'x'", "MATERIALIZE"],
            None,
        ),
        (
            ("c", "TIMESTAMP", None, None, false, Some("1970-01-01 00:00:00")),
            &["`c` DateTime('UTC') DEFAULT toDateTime(1577934245, 'UTC')", "MATERIALIZE"],
            None,
        ),
        (
            ("c", "DATETIME", None, None, false, Some("1970-01-01 00:00:00")),
            &["`c` DateTime64(0, 'UTC')"],
            Some("the default has more than one reading"),
        ),
    ];
    for (column, wanted, refresh) in added {
        let after = shape(&["id"], &[ID, *column]);
        let evolution =
            evolve(&table, &made(&table), source_table(&after), after.statement_seconds, &MAPPING)
                .expect("a column");
        let wanted: Vec<String> = wanted
            .iter()
            .map(|step| match *step {
                "MATERIALIZE" => "MATERIALIZE COLUMN `c`".to_owned(),
                added => format!("ADD COLUMN IF NOT EXISTS {added} AFTER `id`"),
            })
            .collect();
        assert_eq!(steps(&evolution), wanted, "{column:?}");
        let reasons: Vec<_> = evolution.refresh.iter().map(|refresh| Some(refresh.reason)).collect();
        assert_eq!(reasons, refresh.map(Some).into_iter().collect::<Vec<_>>(), "{column:?}");
    }
}

/// after a kill between two statements the same call gives what is left; `IF NOT EXISTS` alone would accept any type.
#[test]
fn r_3_a_plan_that_was_cut_off_is_taken_up() {
    let table = defined(&shape(&["id"], &[ID]), &TableOptions::default());
    let after = shape(
        &["id"],
        &[ID, ("a", "INT", None, None, false, Some("7")), ("b", "INT", None, None, true, None)],
    );
    let mut existing = made(&table);
    let there = |column_type: &str, default_kind: &str| ExistingColumn {
        name: "a".to_owned(),
        column_type: column_type.to_owned(),
        default_kind: default_kind.to_owned(),
    };
    let add_b = "ADD COLUMN IF NOT EXISTS `b` Nullable(Int32) AFTER `a`";
    for (column, wanted, column_type) in [
        (there("Int32", "DEFAULT"), Ok(&["MATERIALIZE COLUMN `a`", add_b][..]), "Int32"),
        (there("Int64", ""), Ok(&["MATERIALIZE COLUMN `a`", add_b]), "Int64"),
        (there("Int16", ""), Ok(&["MATERIALIZE COLUMN `a`", "MODIFY COLUMN `a` Int32", add_b]), "Int32"),
        (there("Date", ""), Err("table d.t: the column a is Date, and no type holds it and Int32"), ""),
        (there("Int32", "ALIAS"), Err("table d.t: the new column a is there already and ALIAS"), ""),
    ] {
        existing.columns.truncate(1);
        existing.columns.push(column);
        let evolved = evolve(&table, &existing, source_table(&after), 0, &MAPPING);
        match (&evolved, wanted) {
            (Ok(evolution), Ok(statements)) => {
                assert_eq!(steps(evolution), statements);
                assert_eq!(evolution.table.columns[1].column_type.to_string(), column_type);
            }
            (Err(error), Err(text)) => assert_eq!(chain(error), text),
            _ => panic!("{evolved:?}, not {wanted:?}"),
        }
    }
    existing.columns.clear();
    let error = evolve(&table, &existing, source_table(&after), 0, &MAPPING).expect_err("no columns");
    assert_eq!(chain(&error), "table d.t: the column id is not there any more");
    let ours = shape(&["id"], &[ID, ("_version", "INT", None, None, true, None)]);
    let error = evolve(&table, &made(&table), source_table(&ours), 0, &MAPPING).expect_err("a name of ours");
    assert_eq!(chain(&error), "table d.t: the new column _version has the name of a column of the sink's");
}

/// A record schema of the reference, without MySQL's types: INT32 stays the SMALLINT UNSIGNED that it was, INT64 is more.
#[test]
fn a_changed_record_schema_adds_and_widens() {
    let before = shape(
        &["id"],
        &[ID, ("s", "SMALLINT UNSIGNED", None, None, false, None), ("n", "INT", None, None, true, None)],
    );
    let table = defined(&before, &TableOptions::default());
    let schema = serde_json::json!({"type": "struct", "optional": false, "fields": [
        {"type": "int32", "optional": false, "field": "id"},
        {"type": "int32", "optional": false, "field": "s"},
        {"type": "int64", "optional": true, "field": "n"},
        {"type": "string", "optional": false, "default": "a", "field": "t"},
    ]});
    let row = crate::converter::json::schema_reader::read_schema(&schema).unwrap();
    let after = shape_of_record(&row, &["id".to_owned()], &table, 0).unwrap();
    let evolution = evolve(&table, &made(&table), source_table(&after), 0, &MAPPING).unwrap();
    assert_eq!(
        steps(&evolution),
        [
            "MODIFY COLUMN `n` Nullable(Int64)",
            "ADD COLUMN IF NOT EXISTS `t` String DEFAULT 'a' AFTER `n`",
            "MATERIALIZE COLUMN `t`"
        ]
    );
    assert_eq!(evolution.table.columns[1], table.columns[1]);
}

/// What is no change of columns: dropped and renamed tables of the golden scenarios; those of a snapshot do not count.
#[test]
fn r_3_other_statements_stop_their_table_by_name() {
    let mut found = Vec::new();
    for change in golden("ddl_ptosc") {
        for changed in &change.table_changes {
            match shape_of(&change, changed) {
                Ok(shape) => {
                    found.push(format!("{} {}", changed.id, shape.map_or(0, |shape| shape.columns.len())))
                }
                Err(error) => found.push(chain(&error)),
            }
        }
    }
    assert_eq!(
        found,
        [
            "\"pt\".\"orders\" 0",
            "\"pt\".\"orders\" 3",
            "\"pt\".\"_orders_new\" 3",
            "\"pt\".\"_orders_new\" 3",
            "table pt._orders_old: it was renamed",
            "table pt.orders: it was renamed",
            "table pt._orders_old: it was dropped",
        ]
    );
}
