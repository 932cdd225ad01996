use super::*;
use crate::error::chain;
use crate::sink::table::mapping::added_default::AddedDefault;
use crate::sink::table::mapping::mysql_type::ChangedColumn;
use crate::sink::version::Version;

/// Columns of basic_crud's `orders`-like shape, as a schema-change record describes them.
fn columns() -> Vec<SourceColumn> {
    [
        ("id", "INT", None, None, false),
        ("tenant", "INT UNSIGNED", None, None, false),
        ("price", "DECIMAL", Some(10), Some(2), true),
        ("state", "ENUM", Some(1), None, false),
        ("created", "DATETIME", Some(3), None, false),
    ]
    .map(|(name, type_name, length, scale, optional)| {
        let json = serde_json::json!({"name": name, "typeName": type_name, "length": length, "scale": scale,
            "optional": optional, "enumValues": ["'a'"]});
        serde_json::from_value::<ChangedColumn>(json).unwrap().source_column().unwrap()
    })
    .to_vec()
}

fn options() -> TableOptions {
    TableOptions { synced_at: true, deduplication_window: 10_000, ..TableOptions::default() }
}

fn define(key: &[&str], options: &TableOptions) -> Result<TableDefinition, DefinitionError> {
    let columns = columns();
    let key: Vec<String> = key.iter().map(|&name| name.to_owned()).collect();
    let source = SourceTable { columns: &columns, key: &key, low_cardinality: &|_| false };
    TableDefinition::new("shop", "orders", source, &MappingOptions::default(), options)
}

#[test]
fn a_table_has_mysqls_columns_and_ours() {
    let table = define(&["id"], &options()).unwrap();
    assert_eq!(
        table.create_table(r#"{"seq":"hlc11"}"#),
        "CREATE TABLE IF NOT EXISTS `shop`.`orders`\n(\n    `id` Int32,\n    `tenant` UInt32,\n    \
         `price` Nullable(Decimal(10, 2)),\n    `state` LowCardinality(String),\n    \
         `created` DateTime64(3, 'UTC'),\n    `_version` UInt64,\n    `_deleted` UInt8,\n    \
         `_synced_at` DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')\n)\n\
         ENGINE = ReplacingMergeTree(`_version`, `_deleted`)\nORDER BY (`id`)\n\
         SETTINGS non_replicated_deduplication_window = 10000\nCOMMENT '{\"seq\":\"hlc11\"}'"
    );
    assert_eq!(table.create_database(), "CREATE DATABASE IF NOT EXISTS `shop`");
    assert_eq!(table.truncate(), "TRUNCATE TABLE `shop`.`orders`");
}

/// These engines need Keeper: their statements are compared as text.
#[test]
fn a_replicated_table_on_a_cluster_differs_in_the_text_only() {
    let replicated = TableOptions {
        engine: TableEngine::ReplicatedReplacingMergeTree,
        replica: Some(("/clickhouse/tables/{shard}/{database}/{table}".to_owned(), "{replica}".to_owned())),
        cluster: Some("{cluster}".to_owned()),
        synced_at: false,
        ..options()
    };
    let table = define(&["id"], &replicated).unwrap();
    let statement = table.create_table("");
    for part in [
        "CREATE TABLE IF NOT EXISTS `shop`.`orders` ON CLUSTER '{cluster}'\n(",
        "ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', `_version`, `_deleted`)\n",
        "SETTINGS replicated_deduplication_window = 10000\n",
    ] {
        assert!(statement.contains(part), "{part} in {statement}");
    }
    assert!(!statement.contains("_synced_at"));
    let defaults = TableOptions { replica: None, ..replicated };
    let statement = define(&["id"], &defaults).unwrap().create_table("");
    assert!(statement.contains("ENGINE = ReplicatedReplacingMergeTree(`_version`, `_deleted`)\n"));
    assert_eq!(
        define(&["id"], &defaults).unwrap().materialize_column("c"),
        "ALTER TABLE `shop`.`orders` ON CLUSTER '{cluster}' MATERIALIZE COLUMN `c`"
    );
}

/// R-4: without a key a table never becomes a ReplacingMergeTree without a sorting key.
#[test]
fn r_4_a_table_without_a_key_is_refused_or_goes_by_its_mode() {
    let error = define(&[], &options()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "table shop.orders: it has neither a primary key nor a unique key without null"
    );
    assert!(error.remedy().unwrap().contains("keyless.mode=append"));
    // NULLs of a unique key are different rows in MySQL.
    assert!(matches!(define(&["price"], &options()), Err(DefinitionError::Keyless { .. })));
    let append = TableOptions { keyless: KeylessMode::Append, ..options() };
    let table = define(&[], &append).unwrap();
    assert_eq!(table.identity, Identity::None);
    let statement = table.create_table("");
    assert!(statement.contains("ENGINE = MergeTree()\nORDER BY (`_version`)\n"), "{statement}");
    let hash = TableOptions { keyless: KeylessMode::RowHash, ..options() };
    let table = define(&[], &hash).unwrap();
    let statement = table.create_table("");
    assert!(statement.contains("    `_row_hash` FixedString(16),\n    `_version` UInt64,\n"), "{statement}");
    assert!(
        statement.contains("ENGINE = ReplacingMergeTree(`_version`, `_deleted`)\nORDER BY (`_row_hash`)\n")
    );
    // With a key the mode does not matter.
    assert_eq!(define(&["id"], &hash).unwrap().identity, Identity::Key(vec!["id".to_owned()]));
}

#[test]
fn r_4_keys_of_the_users_choice_say_which_columns_move_a_row() {
    let custom = TableOptions {
        order_by: Some("tenant, id".to_owned()),
        partition_by: Some("toYYYYMM(created)".to_owned()),
        ..options()
    };
    let table = define(&["id"], &custom).unwrap();
    assert_eq!(table.position_columns(), ["tenant", "created"]);
    let statement = table.create_table("");
    assert!(
        statement.contains("PARTITION BY (toYYYYMM(`created`))\nORDER BY (`tenant`, `id`)\n"),
        "{statement}"
    );
    let wrong = TableOptions { order_by: Some("tenant".to_owned()), ..options() };
    let error = define(&["id"], &wrong).unwrap_err();
    assert_eq!(
        chain(&error),
        "table shop.orders: ORDER BY lacks the key column id: different rows would become one"
    );
}

#[test]
fn a_key_column_must_be_in_the_row_and_no_column_twice() {
    let error = define(&["nr"], &options()).unwrap_err();
    assert_eq!(error.to_string(), "table shop.orders: the key column nr is not in the row");
    let mut columns = columns();
    columns.push(columns[0].clone());
    let key = ["id".to_owned()];
    let source = SourceTable { columns: &columns, key: &key, low_cardinality: &|_| false };
    let error =
        TableDefinition::new("shop", "orders", source, &MappingOptions::default(), &options()).unwrap_err();
    assert_eq!(error.to_string(), "table shop.orders: the column id is there twice");
}

/// Section 3.6: a column is added with its default, which is then materialised.
#[test]
fn a_column_is_added_with_its_default_and_widened() {
    let table = define(&["id"], &options()).unwrap();
    let column = &table.columns[2];
    let expression = AddedDefault::Expression("'1.5'".to_owned());
    assert_eq!(
        table.add_column(column, &expression, 0, Some("tenant")),
        "ALTER TABLE `shop`.`orders` ADD COLUMN IF NOT EXISTS `price` Nullable(Decimal(10, 2)) DEFAULT '1.5' AFTER `tenant`"
    );
    assert_eq!(
        table.add_column(&table.columns[0], &AddedDefault::Null, 0, None),
        "ALTER TABLE `shop`.`orders` ADD COLUMN IF NOT EXISTS `id` Int32 FIRST"
    );
    assert!(
        table
            .add_column(column, &AddedDefault::StatementTime, 1_577_934_245, None)
            .contains(" DEFAULT toDateTime(1577934245, 'UTC') ")
    );
    assert_eq!(
        table.widen_column(column),
        "ALTER TABLE `shop`.`orders` MODIFY COLUMN `price` Nullable(Decimal(10, 2))"
    );
}

/// What is hidden goes before what hides it (section 6.5).
#[test]
fn deletions_are_removed_after_what_they_hide() {
    let cluster = TableOptions { cluster: Some("c".to_owned()), ..options() };
    let cleanup = define(&["id"], &cluster).unwrap().cleanup(Version::new(40).unwrap()).unwrap();
    let dead = "SELECT `id` FROM `shop`.`orders` WHERE (`id`) IN (SELECT `id` FROM `shop`.`orders` WHERE `_deleted` = 1 AND \
                `_version` <= 40) GROUP BY `id` HAVING max(`_version`) <= 40 AND argMax(`_deleted`, `_version`) = 1";
    let delete = format!(
        "ALTER TABLE `shop`.`orders` ON CLUSTER 'c' DELETE WHERE `_version` <= 40 AND (`id`) IN ({dead})"
    );
    assert_eq!(cleanup.count, format!("SELECT count() FROM ({dead})"));
    assert_eq!(cleanup.hidden, format!("{delete} AND `_deleted` != 1"));
    assert_eq!(cleanup.deletions, format!("{delete} AND `_deleted` = 1"));
}

/// Section 5.3, reconciling after a new snapshot; bugs 129.
#[test]
fn r_1_a_sweep_deletes_what_a_snapshot_did_not_find() {
    let custom = TableOptions {
        order_by: Some("tenant, id".to_owned()),
        partition_by: Some("tenant % 7".to_owned()),
        ..options()
    };
    let read_point = Version::new(40).unwrap();
    assert_eq!(
        define(&["id"], &custom).unwrap().sweep(read_point).unwrap(),
        "INSERT INTO `shop`.`orders` (`id`, `tenant`, `_version`, `_deleted`) SELECT `id`, `tenant`, 40, 1 FROM \
         `shop`.`orders` FINAL WHERE `_version` < 40 AND `_deleted` = 0"
    );
    let hash = TableOptions { keyless: KeylessMode::RowHash, ..options() };
    assert_eq!(
        define(&[], &hash).unwrap().sweep(read_point).unwrap(),
        "INSERT INTO `shop`.`orders` (`_row_hash`, `_version`, `_deleted`) SELECT `_row_hash`, 40, 1 FROM \
         `shop`.`orders` FINAL WHERE `_version` < 40 AND `_deleted` = 0"
    );
    let append = TableOptions { keyless: KeylessMode::Append, ..options() };
    assert_eq!(define(&[], &append).unwrap().sweep(read_point), None);
}
