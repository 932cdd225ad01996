//! Every column that a golden scenario has can be made, is there in the type that was meant, and can be added with its default.

use std::collections::BTreeSet;

use tidewire::sink::table::column_type::ColumnType;
use tidewire::sink::table::definition::{SourceTable, TableDefinition};
use tidewire::sink::table::mapping::added_default::{AddedDefault, added_default};
use tidewire::sink::table::mapping::mysql_type::ChangedColumn;
use tidewire::sink::table::mapping::{AddedValue, ColumnRole, SourceColumn, SourceType, map_column};

use super::golden::{existing, mapping, options, scenarios, schema_changes};
use crate::support::clickhouse::{client, new_database, run, values};

/// The columns of all scenarios, each kind once, and whether it is part of a key.
fn columns() -> Vec<(SourceColumn, bool)> {
    let mut seen = BTreeSet::new();
    let mut columns = Vec::new();
    for change in scenarios("").iter().flat_map(|scenario| schema_changes(scenario)) {
        for table in change.table_changes.into_iter().filter_map(|change| change.table) {
            let key = table.primary_key_column_names.unwrap_or_default();
            for column in &table.columns {
                let is_key = key.contains(&column.name) && column.optional == Some(false);
                let mut column = column.source_column().expect("a type of MySQL's");
                column.name = "c".to_owned();
                if seen.insert(format!("{column:?} {is_key}")) {
                    column.name = format!("c{}", columns.len());
                    columns.push((column, is_key));
                }
            }
        }
    }
    assert!(columns.len() > 300, "{} kinds of columns", columns.len());
    columns
}

fn id() -> SourceColumn {
    SourceColumn {
        name: "id".to_owned(),
        source_type: SourceType::Integer { bytes: 4, unsigned: false },
        nullable: false,
        exact: true,
        added: AddedValue::Implicit,
    }
}

fn defined(table: &str, columns: &[SourceColumn], key: &[String]) -> TableDefinition {
    let source = SourceTable { columns, key, low_cardinality: &|_| false };
    TableDefinition::new("tables_definitions", table, source, &mapping(), &options()).expect("a table")
}

#[test]
fn every_column_of_the_golden_records_is_what_it_was_meant_to_be() {
    let client = client();
    new_database(&client, "tables_definitions");
    let all = columns();
    let keys: Vec<SourceColumn> =
        all.iter().filter(|(_, is_key)| *is_key).map(|(column, _)| column.clone()).collect();
    let names: Vec<String> = keys.iter().map(|column| column.name.clone()).collect();
    let all: Vec<SourceColumn> =
        std::iter::once(id()).chain(all.into_iter().map(|(column, _)| column)).collect();
    for (table, columns, key) in [("all", &all, &["id".to_owned()][..]), ("keys", &keys, &names)] {
        let definition = defined(table, columns, key);
        run(&client, &definition.create_table("a comment"));
        let there = existing(&client, "tables_definitions", table);
        for column in &definition.columns {
            let found = there.columns.iter().find(|found| found.name == column.name).expect("the column");
            assert_eq!(found.column_type, column.column_type.to_string(), "{:?}", column.source_type);
            assert_eq!(ColumnType::parse(&found.column_type), column.column_type);
        }
        let adoption = there.adopt(&definition).expect("a table of ours fits");
        assert_eq!((adoption.wider.len(), &adoption.meta), (0, &definition.meta));
    }
}

/// The row is there before the columns are.
#[test]
fn every_column_of_the_golden_records_can_be_added_with_its_default() {
    let client = client();
    new_database(&client, "tables_added");
    let base = [id()];
    let key = ["id".to_owned()];
    let source = SourceTable { columns: &base, key: &key, low_cardinality: &|_| false };
    let table = TableDefinition::new("tables_added", "t", source, &mapping(), &options()).expect("a table");
    run(&client, &table.create_table(""));
    run(&client, "INSERT INTO tables_added.t (id, _version) VALUES (1, 1)");
    let mut seen = BTreeSet::new();
    for (column, _) in columns() {
        let mapped = map_column(&column, ColumnRole::default(), &mapping()).expect("a type");
        let default = added_default(&column, &mapped, &mapping());
        if !seen.insert(format!("{} {default:?}", mapped.column_type)) {
            continue;
        }
        run(&client, &table.add_column(&mapped, &default, 1_577_934_245, Some("id")));
        if matches!(default, AddedDefault::Expression(_) | AddedDefault::StatementTime) {
            run(&client, &table.materialize_column(&mapped.name));
        }
    }
    run(&client, "SELECT * FROM tables_added.t FINAL SETTINGS max_threads = 1 FORMAT Null");
    let failed = "SELECT latest_fail_reason FROM system.mutations WHERE database = 'tables_added' AND latest_fail_reason != ''";
    assert_eq!(values(&client, failed), []);
}

/// What MySQL puts into old rows, by its manual ("Data Type Default Values"), as ClickHouse prints it.
#[test]
fn old_rows_hold_the_default() {
    let client = client();
    new_database(&client, "tables_defaults");
    let base = [id()];
    let key = ["id".to_owned()];
    let source = SourceTable { columns: &base, key: &key, low_cardinality: &|_| false };
    let table =
        TableDefinition::new("tables_defaults", "t", source, &mapping(), &options()).expect("a table");
    run(&client, &table.create_table(""));
    run(&client, "INSERT INTO tables_defaults.t (id, _version) VALUES (1, 1)");
    for (number, (type_name, length, scale, optional, default, wanted)) in (0..).zip([
        ("INT", None, None, true, None, None),
        ("INT", None, None, true, Some("-7"), Some("-7")),
        ("INT", None, None, false, None, Some("0")),
        ("BIGINT UNSIGNED", None, None, false, Some("18446744073709551615"), Some("18446744073709551615")),
        ("BOOLEAN", None, None, false, Some("true"), Some("1")),
        ("BIT", Some(1), None, true, Some("1"), Some("true")),
        ("BIT", Some(10), None, true, Some("1000000001"), Some("513")),
        (
            "DECIMAL",
            Some(65),
            Some(30),
            true,
            Some("-1.000000000000000000000000000001"),
            Some("-1.000000000000000000000000000001"),
        ),
        ("DOUBLE", None, None, true, Some("1e300"), Some("1e300")),
        ("VARCHAR", Some(9), None, true, Some("it is ü"), Some("it is ü")),
        ("ENUM", Some(1), None, false, None, Some("x")),
        ("SET", None, None, false, Some("x,y"), Some("x,y")),
        ("BINARY", Some(2), None, false, None, Some("\0\0")),
        ("DATE", None, None, true, Some("9999-12-31"), Some("9999-12-31")),
        ("DATE", None, None, true, Some("1000-01-01"), Some("1000-01-01")),
        ("DATETIME", Some(3), None, true, Some("2024-02-29 12:34:56.5"), Some("2024-02-29 12:34:56.500")),
        (
            "DATETIME",
            Some(6),
            None,
            true,
            Some("1000-01-01 00:00:00.000001"),
            Some("1000-01-01 00:00:00.000001"),
        ),
        ("DATETIME", None, None, false, None, Some("0000-01-01 00:00:00")),
        ("TIMESTAMP", None, None, false, Some("1970-01-01 00:00:00"), Some("2020-01-02 03:04:05")),
        ("TIME", Some(3), None, true, Some("-838:59:58.5"), Some("-838:59:58.500")),
        ("YEAR", None, None, false, Some("2155"), Some("2155")),
        ("JSON", None, None, true, None, None),
    ]) {
        let json = serde_json::json!({"name": format!("c{number}"), "typeName": type_name, "length": length, "scale": scale,
            "optional": optional, "defaultValueExpression": default, "enumValues": ["'x'", "'y'"]});
        let column: ChangedColumn = serde_json::from_value(json).expect("a column");
        let column = column.source_column().expect("a type of MySQL's");
        let mapped = map_column(&column, ColumnRole::default(), &mapping()).expect("a type");
        let default_value = added_default(&column, &mapped, &mapping());
        run(&client, &table.add_column(&mapped, &default_value, 1_577_934_245, None));
        let found = values(&client, &format!("SELECT toString(c{number}) FROM tables_defaults.t"));
        assert_eq!(found, [wanted.map(str::to_owned)], "{type_name} {default:?}: {default_value:?}");
    }
}
