use super::*;
use crate::sink::table::definition::{SourceTable, TableOptions};
use crate::sink::table::mapping::MappingOptions;
use crate::sink::table::mapping::mysql_type::ChangedColumn;

fn wanted() -> TableDefinition {
    let columns = [("id", "INT", false), ("name", "VARCHAR", true), ("at", "DATETIME", true)].map(
        |(name, type_name, optional)| {
            let json = serde_json::json!({"name": name, "typeName": type_name, "optional": optional});
            serde_json::from_value::<ChangedColumn>(json).unwrap().source_column().unwrap()
        },
    );
    let key = ["id".to_owned()];
    let source = SourceTable { columns: &columns, key: &key, low_cardinality: &|_| false };
    TableDefinition::new("d", "t", source, &MappingOptions::default(), &TableOptions::default()).unwrap()
}

fn existing(engine_full: &str, columns: &[(&str, &str, &str)]) -> ExistingTable {
    ExistingTable {
        engine: engine_full.split(['(', ' ']).next().unwrap().to_owned(),
        engine_full: engine_full.to_owned(),
        sorting_key: "id".to_owned(),
        partition_key: String::new(),
        columns: columns
            .iter()
            .map(|&(name, column_type, kind)| ExistingColumn {
                name: name.to_owned(),
                column_type: column_type.to_owned(),
                default_kind: kind.to_owned(),
            })
            .collect(),
    }
}

const OURS: &str = "ReplacingMergeTree(_version, _deleted) ORDER BY id SETTINGS index_granularity = 8192";
const COLUMNS: &[(&str, &str, &str)] = &[
    ("id", "Int32", ""),
    ("name", "Nullable(String)", ""),
    ("at", "Nullable(DateTime64(0, 'UTC'))", "DEFAULT"),
    ("_version", "UInt64", ""),
    ("_deleted", "UInt8", ""),
];

fn messages(result: Result<Adoption, Vec<Difference>>) -> Vec<String> {
    result.expect_err("it does not fit").iter().map(Difference::to_string).collect()
}

#[test]
fn a_table_with_our_columns_is_taken_over_with_all_that_it_has_besides() {
    let columns = [COLUMNS, &[("note", "String", ""), ("id_text", "String", "ALIAS")]].concat();
    let adoption = existing(OURS, &columns).adopt(&wanted()).unwrap();
    assert_eq!(adoption.meta.version, "_version");
    assert_eq!(adoption.meta.deletion, DeletionMarker::IsDeleted("_deleted".to_owned()));
    assert!(!adoption.inserts_materialized && adoption.wider.is_empty());
    let replicated = "ReplicatedReplacingMergeTree('/clickhouse/tables/{uuid}/{shard}', '{replica}', `ver`, del) ORDER BY id";
    let columns: Vec<_> = COLUMNS
        .iter()
        .map(|&(name, column_type, kind)| match name {
            "_version" => ("ver", column_type, kind),
            "_deleted" => ("del", column_type, kind),
            "id" => ("id", "Int64", ""),
            _ => (name, column_type, kind),
        })
        .collect();
    let adoption = existing(replicated, &columns).adopt(&wanted()).unwrap();
    assert_eq!((adoption.meta.version.as_str(), adoption.meta.deletion.name()), ("ver", "del"));
    assert_eq!(adoption.wider, [("id".to_owned(), ColumnType::Int(Width::Eight))]);
    let table = adoption.apply(wanted());
    assert_eq!(table.columns[0].column_type.to_string(), "Int64");
    assert_eq!((table.meta.version.as_str(), table.meta.deletion.name()), ("ver", "del"));
}

/// What MaterializedMySQL made: ClickHouse manual, "MaterializedMySQL", virtual columns and engine.
#[test]
fn a_table_of_materialized_mysql_fits_with_its_sign() {
    let columns = [
        ("id", "Int32", ""),
        ("name", "Nullable(String)", ""),
        ("at", "Nullable(DateTime64(3, 'UTC'))", ""),
        ("_sign", "Int8", "MATERIALIZED"),
        ("_version", "UInt64", "MATERIALIZED"),
    ];
    let mut table = existing(
        "ReplacingMergeTree(_version) PARTITION BY intDiv(id, 4294967) ORDER BY tuple(id)",
        &columns,
    );
    table.partition_key = "intDiv(id, 4294967)".to_owned();
    let adoption = table.adopt(&wanted()).unwrap();
    assert_eq!(adoption.meta.deletion, DeletionMarker::Sign("_sign".to_owned()));
    assert!(adoption.inserts_materialized);
    assert_eq!(adoption.wider.len(), 1);
    assert!(!adoption.partition_by.unwrap().needs_row_before());
}

#[test]
fn what_does_not_fit_is_named_all_at_once() {
    let mut table = existing(
        "ReplacingMergeTree(_version, _deleted) ORDER BY (name, id)",
        &[
            ("ID", "Int32", ""),
            ("name", "String", ""),
            ("at", "Nullable(DateTime64(0, 'UTC'))", "MATERIALIZED"),
            ("_version", "DateTime", ""),
            ("_deleted", "UInt8", ""),
        ],
    );
    table.sorting_key = "name, id".to_owned();
    table.partition_key = "rand()".to_owned();
    assert_eq!(
        messages(table.adopt(&wanted())),
        [
            "version: expected a column UInt64 or Int64 in the engine, found _version DateTime",
            "sorting key: expected (`id`), found (name, id)",
            "partition key: PARTITION BY: the function rand is not known to depend on its arguments alone",
            "column id: missing, but there is ID",
            "column name: expected Nullable(String), found String, which does not hold it",
            "column at: it is MATERIALIZED, so nothing can be inserted into it",
        ]
    );
}

/// an engine without a version, or with the user's own column as version, is refused.
#[test]
fn r_4_an_engine_that_does_not_replace_by_our_version_is_refused() {
    for (engine, wanted_message) in [
        ("MergeTree ORDER BY id", "engine: expected a ReplacingMergeTree with a version, found MergeTree"),
        (
            "ReplacingMergeTree ORDER BY tuple(id)",
            "version: expected a column UInt64 or Int64 in the engine, found ReplacingMergeTree ORDER BY tuple(id)",
        ),
        (
            "ReplacingMergeTree(_version) ORDER BY id",
            "deletion: expected a column UInt8 in the engine or Int8 _sign, found no column _sign",
        ),
        (
            "ReplacingMergeTree(_version, name) ORDER BY id",
            "deletion: expected a column UInt8 in the engine or Int8 _sign, found name Nullable(String)",
        ),
        (
            "CollapsingMergeTree(_deleted) ORDER BY id",
            "engine: expected a ReplacingMergeTree with a version, found CollapsingMergeTree",
        ),
    ] {
        assert_eq!(messages(existing(engine, COLUMNS).adopt(&wanted())), [wanted_message], "{engine}");
    }
    let columns = [
        ("id", "Int64", ""),
        ("name", "Nullable(String)", ""),
        ("at", "Nullable(DateTime64(0, 'UTC'))", ""),
        ("_deleted", "UInt8", ""),
    ];
    assert_eq!(
        messages(existing("ReplacingMergeTree(id, _deleted) ORDER BY id", &columns).adopt(&wanted())),
        ["version: expected a column UInt64 or Int64 in the engine, found id, which is a column of MySQL's"]
    );
}
