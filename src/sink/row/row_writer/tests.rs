use super::*;
use crate::config::sink::modes::KeylessMode;
use crate::error::chain;
use crate::sink::record::envelope::{RecordValue, read_key, read_value};
use crate::sink::table::adoption::ExistingColumn;
use crate::sink::table::definition::{SourceTable, TableOptions};
use crate::sink::table::mapping::mysql_type::ChangedColumn;
use crate::sink::table::mapping::{MappingOptions, SourceColumn};

/// `id INT` and `v VARCHAR(9) NOT NULL`, with a key or without.
fn writer(key: &[&str], options: &TableOptions) -> RowWriter {
    let column = |name: &str, type_name: &str| {
        let json = serde_json::json!({"name": name, "typeName": type_name, "optional": false});
        serde_json::from_value::<ChangedColumn>(json).unwrap().source_column().unwrap()
    };
    let columns: Vec<SourceColumn> = vec![column("id", "INT"), column("v", "VARCHAR")];
    let key: Vec<String> = key.iter().map(|&name| name.to_owned()).collect();
    let source = SourceTable { columns: &columns, key: &key, low_cardinality: &|_| false };
    let table = TableDefinition::new("d", "t", source, &MappingOptions::default(), options).unwrap();
    RowWriter::new(&table, None, RowForm::default()).unwrap()
}

fn envelope(operation: &str, before: &str, after: &str) -> String {
    format!(r#"{{"before":{before},"after":{after},"source":{{"db":"d"}},"op":"{operation}"}}"#)
}

/// The rows of a record, each as its bytes, or the error.
fn written(writer: &mut RowWriter, record: &str, version: u64) -> Result<(usize, Vec<u8>), String> {
    let RecordValue::Row(change) = read_value(Some(record.as_bytes())).unwrap() else { panic!("{record}") };
    let mut out = vec![7];
    let rows = writer.write(&change, Version::new(version).unwrap(), &mut out);
    assert_eq!(out.first(), Some(&7));
    match rows {
        Ok(rows) => Ok((rows, out.split_off(1))),
        Err(error) => {
            assert_eq!(out.len(), 1, "nothing stays of a row that fails");
            Err(chain(&error))
        }
    }
}

/// Of `writer`'s table: id, text, version, deletion.
fn row(id: u8, text: &str, version: u8, deleted: u8) -> Vec<u8> {
    let mut bytes = vec![id, 0, 0, 0, text.len() as u8];
    bytes.extend_from_slice(text.as_bytes());
    bytes.extend_from_slice(&[version, 0, 0, 0, 0, 0, 0, 0, deleted]);
    bytes
}

const A: &str = r#"{"id":1,"v":"a"}"#;
const B: &str = r#"{"id":1,"v":"b"}"#;

#[test]
fn r_4_each_operation_writes_its_rows() {
    let mut keyed = writer(&["id"], &TableOptions::default());
    for (operation, before, after, wanted) in [
        ("c", "null", A, row(1, "a", 5, 0)),
        ("r", "null", A, row(1, "a", 5, 0)),
        ("u", A, B, row(1, "b", 5, 0)),
        ("u", "null", B, row(1, "b", 5, 0)),
        ("d", A, "null", row(1, "a", 5, 1)),
        // An image of the key only (binlog_row_image=MINIMAL).
        ("d", r#"{"id":1,"v":null}"#, "null", row(1, "", 5, 1)),
        ("d", r#"{"id":1}"#, "null", row(1, "", 5, 1)),
        // Members in another order.
        ("c", "null", r#"{"v":"a","id":1}"#, row(1, "a", 5, 0)),
    ] {
        let record = envelope(operation, before, after);
        assert_eq!(written(&mut keyed, &record, 5), Ok((1, wanted)), "{record}");
    }
    for (operation, before, after, wanted) in [
        ("d", "null", "null", "the record has no row before the change, or not all of its sorting key"),
        (
            "d",
            r#"{"v":"a"}"#,
            "null",
            "the record has no row before the change, or not all of its sorting key",
        ),
        ("c", "null", r#"{"id":1}"#, "the row lacks the column v"),
        ("c", "null", r#"{"id":1,"v":"a","w":2}"#, "the table lacks the column w"),
        (
            "c",
            "null",
            r#"{"id":1,"v":null}"#,
            "column v of type String: null in a column that is not nullable",
        ),
        (
            "c",
            "null",
            r#"{"id":"x","v":"a"}"#,
            "column id of type Int32: a string in a column of another type",
        ),
        ("c", "null", r#"{"id":1,"v":}"#, "the row cannot be read: no valid json at byte 12"),
    ] {
        let record = envelope(operation, before, after);
        assert_eq!(written(&mut keyed, &record, 5), Err(wanted.to_owned()), "{record}");
    }
    let columns: Vec<String> =
        keyed.columns().iter().map(|(name, column_type)| format!("{name} {column_type}")).collect();
    assert_eq!(columns, ["id Int32", "v String", "_version UInt64", "_deleted UInt8"]);
}

/// R-4: a change of the sorting key or the partition leaves a deletion at the old place, with the same version.
#[test]
fn r_4_a_row_that_moves_is_deleted_where_it_was() {
    let by_order = TableOptions { order_by: Some("v, id".to_owned()), ..TableOptions::default() };
    let by_partition = TableOptions { partition_by: Some("v".to_owned()), ..TableOptions::default() };
    for options in [by_order, by_partition] {
        let mut custom = writer(&["id"], &options);
        let moved = [row(1, "a", 5, 1), row(1, "b", 5, 0)].concat();
        assert_eq!(written(&mut custom, &envelope("u", A, B), 5), Ok((2, moved)));
        assert_eq!(written(&mut custom, &envelope("u", A, A), 5), Ok((1, row(1, "a", 5, 0))));
        assert_eq!(written(&mut custom, &envelope("d", A, "null"), 5), Ok((1, row(1, "a", 5, 1))));
        let no_row_before =
            Err("the record has no row before the change, or not all of its sorting key".to_owned());
        for before in ["null", r#"{"id":1}"#, r#"{"id":1,"v":null}"#] {
            assert_eq!(written(&mut custom, &envelope("u", before, B), 5), no_row_before, "{before}");
            assert_eq!(written(&mut custom, &envelope("d", before, "null"), 5), no_row_before, "{before}");
        }
    }
}

/// R-4: rows of a table without a key; the hash is `printf '\1\0\0\0\1a' | sha256sum`, its first half.
#[test]
fn r_4_rows_without_a_key_are_told_apart_or_counted() {
    let append = TableOptions { keyless: KeylessMode::Append, ..TableOptions::default() };
    let mut append = writer(&[], &append);
    let both = [row(1, "a", 5, 1), row(1, "b", 5, 0)].concat();
    assert_eq!(written(&mut append, &envelope("u", A, B), 5), Ok((2, both)));
    assert_eq!(written(&mut append, &envelope("d", A, "null"), 5), Ok((1, row(1, "a", 5, 1))));
    assert_eq!(written(&mut append, &envelope("c", "null", A), 5), Ok((1, row(1, "a", 5, 0))));

    let hashed = TableOptions { keyless: KeylessMode::RowHash, ..TableOptions::default() };
    let mut hashed = writer(&[], &hashed);
    let with_hash = |text: &str, hash: [u8; 16], deleted| {
        let plain = row(1, text, 5, deleted);
        [&plain[..6], &hash[..], &plain[6..]].concat()
    };
    assert_eq!(written(&mut hashed, &envelope("c", "null", A), 5), Ok((1, with_hash("a", HASH_OF_A, 0))));
    let both = [with_hash("a", HASH_OF_A, 1), with_hash("b", HASH_OF_B, 0)].concat();
    assert_eq!(written(&mut hashed, &envelope("u", A, B), 5), Ok((2, both)));
    // A row that stays as it is must not be deleted with its own version.
    assert_eq!(written(&mut hashed, &envelope("u", A, A), 5), Ok((1, with_hash("a", HASH_OF_A, 0))));
}

const HASH_OF_A: [u8; 16] =
    [0x73, 0xd3, 0x81, 0x2a, 0x12, 0x75, 0xf4, 0x8e, 0x4d, 0xe, 0x92, 0xad, 0x97, 0xa0, 0x1d, 0xed];
const HASH_OF_B: [u8; 16] =
    [0x6a, 0xe3, 0x56, 0xd6, 0xe6, 0x2, 0x9b, 0xf4, 0x21, 0x2c, 0x34, 0xdd, 0x68, 0xf8, 0x97, 0xe0];

/// R-4: the identity of a table is the key of its records. A key that was changed is in types_keys_none, table uqc; one whose
/// column is masked in the row in types_mask_keys.
#[test]
fn r_4_the_key_of_a_record_is_the_identity_of_its_table() {
    let append = TableOptions { keyless: KeylessMode::Append, ..TableOptions::default() };
    let (both, one) = (writer(&["v", "id"], &append), writer(&["id"], &append));
    let none = writer(&[], &append);
    for (key, fits_both, fits_one) in [
        (Some(r#"{"id":1,"v":"a"}"#), true, false),
        (Some(r#"{"v":"a","id":1}"#), true, false),
        (Some(r#"{"id":1}"#), false, true),
        (Some(r#"{"ID":1}"#), false, false),
        (Some(r#"{"id":2}"#), false, false),
        (Some(r#"{"id":1,"v":"secret"}"#), false, false),
        (None, false, false),
    ] {
        let key = read_key(key.map(str::as_bytes)).unwrap();
        let fits = [&both, &one, &none].map(|writer| writer.fits_key(key.as_ref(), A).unwrap());
        assert_eq!(fits, [fits_both, fits_one, true], "{key:?}");
    }
    // A row that begins like its key, up to the middle of a value.
    for (key, row, fits_one) in [
        (r#"{"id":1}"#, r#"{"id":12,"v":"a"}"#, false),
        (r#"{"id":"1"}"#, r#"{"id":"1,","v":"a"}"#, false),
        (r#"{"id":1}"#, r#"{"id":1}"#, true),
        (r#"{}"#, r#"{"id":1,"v":"a"}"#, false),
        (r#"{ "id" : 1 }"#, r#"{"id":1,"v":"a"}"#, true),
    ] {
        let key = read_key(Some(key.as_bytes())).unwrap();
        assert_eq!(one.fits_key(key.as_ref(), row).unwrap(), fits_one, "{row}");
    }
}

/// R-1: several changes of a row in one transaction differ by their version only, whatever order they arrive in.
#[test]
fn r_1_changes_of_one_transaction_have_versions_of_their_own() {
    let mut keyed = writer(&["id"], &TableOptions::default());
    let mut rows = Vec::new();
    for (number, (operation, before, after)) in
        (10..).zip([("c", "null", A), ("u", A, B), ("d", B, "null"), ("c", "null", A)])
    {
        rows.push(written(&mut keyed, &envelope(operation, before, after), number).unwrap().1);
    }
    assert_eq!(rows, [row(1, "a", 10, 0), row(1, "b", 11, 0), row(1, "b", 12, 1), row(1, "a", 13, 0)]);
}

/// A table that MaterializedMySQL made, and one whose version is signed: the head of an insert has their types.
#[test]
fn an_adopted_table_is_written_in_its_own_types() {
    let columns = vec![SourceColumn {
        name: "id".to_owned(),
        source_type: crate::sink::table::mapping::SourceType::Integer { bytes: 4, unsigned: false },
        nullable: false,
        exact: true,
        added: crate::sink::table::mapping::AddedValue::Implicit,
    }];
    let key = ["id".to_owned()];
    let source = SourceTable { columns: &columns, key: &key, low_cardinality: &|_| false };
    let mut table =
        TableDefinition::new("d", "t", source, &MappingOptions::default(), &TableOptions::default()).unwrap();
    table.meta.deletion = DeletionMarker::Sign("_sign".to_owned());
    let column = |name: &str, column_type: &str| ExistingColumn {
        name: name.to_owned(),
        column_type: column_type.to_owned(),
        default_kind: "MATERIALIZED".to_owned(),
    };
    let existing = ExistingTable {
        columns: vec![column("id", "Int32"), column("_version", "Int64"), column("_sign", "Int8")],
        ..ExistingTable::default()
    };
    let mut adopted = RowWriter::new(&table, Some(&existing), RowForm::default()).unwrap();
    let head: Vec<String> =
        adopted.columns().iter().map(|(name, column_type)| format!("{name} {column_type}")).collect();
    assert_eq!(head, ["id Int32", "_version Int64", "_sign Int8"]);
    let deletion = envelope("d", r#"{"id":2}"#, "null");
    let wanted = vec![2, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0xff];
    assert_eq!(written(&mut adopted, &deletion, 9), Ok((1, wanted)));
}
