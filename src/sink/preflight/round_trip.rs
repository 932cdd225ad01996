//! What the sink does to a table, done once to a table that is nobody's.
//!
//! Grants say what may be done; whether it can be done shows only when it is: a disk, Keeper, a quota, a policy of the cluster
//! may say no. So a table with a name of its own is made by the statements that make mirrored ones, altered, filled by an insert with
//! the settings of all inserts, emptied, and dropped, whatever happened in between. It is not tried where it could not be
//! dropped.

use uuid::Uuid;

use crate::config::sink::SinkConfig;
use crate::error::{Classify, chain};
use crate::sink::apply::server::Server;
use crate::sink::clickhouse::client::Query;
use crate::sink::clickhouse::error::ClickHouseError;
use crate::sink::clickhouse::insert::{InsertStatement, Rows};
use crate::sink::preflight::finding::{Finding, Severity};
use crate::sink::table::column_type::{ColumnType, Width};
use crate::sink::table::definition::{SourceTable, TableDefinition, TableOptions};
use crate::sink::table::identifier::{qualified, quoted};
use crate::sink::table::mapping::added_default::AddedDefault;
use crate::sink::table::mapping::{AddedValue, MappedColumn, SourceColumn, SourceType};

/// What the names of such tables begin with.
pub const PREFIX: &str = "_tidewire_preflight_";

/// Goes round in a database; what stood in the way.
pub fn go_round(server: &Server, config: &SinkConfig, database: &str) -> Vec<Finding> {
    let name = format!("{PREFIX}{}", Uuid::new_v4().simple());
    let columns = [integer("id", 8), integer("a", 2)];
    let key = ["id".to_owned()];
    let source = SourceTable { columns: &columns, key: &key, low_cardinality: &|_| false };
    // Keys of the configuration are those of other tables.
    let options =
        TableOptions { order_by: None, partition_by: None, ..TableOptions::of(&config.tables, &name) };
    let what = format!("database {database}");
    let expected = "a table that can be made, altered, filled, emptied and dropped";
    let table = match TableDefinition::new(database, &name, source, &server.mapping, &options) {
        Ok(table) => table,
        Err(error) => return vec![Finding::of_error(what, expected, &error, "see the error")],
    };
    let mut found = Vec::new();
    let mut fails = |step: &str, error: &ClickHouseError| {
        found.push(Finding::new(
            Severity::Error,
            &what,
            expected,
            format!("{step}: {}", chain(error)),
            error.remedy().unwrap_or_else(|| "see the server's log".to_owned()),
        ));
    };
    if let Err((step, error)) = steps(server, &table) {
        fails(step, &error);
    }
    if let Err(error) = server.run(&format!("drop {database}.{name}"), &table.drop_table()) {
        fails(
            &format!("the table {name} of this check could not be dropped, and is to be dropped by hand"),
            &error,
        );
    }
    found
}

fn integer(name: &str, bytes: u8) -> SourceColumn {
    SourceColumn {
        name: name.to_owned(),
        source_type: SourceType::Integer { bytes, unsigned: false },
        nullable: false,
        exact: true,
        added: AddedValue::Implicit,
    }
}

fn steps(server: &Server, table: &TableDefinition) -> Result<(), (&'static str, ClickHouseError)> {
    let what = format!("try out {}.{}", table.database, table.table);
    let run = |step: &'static str, statement: String, settings: &[(&str, &str)]| {
        server.run_with(&what, &statement, settings).map_err(|error| (step, error))
    };
    run("CREATE TABLE", table.create_table("made by tidewire validate, which drops it again"), &[])?;
    let Some(wide) = table.columns.last() else { return Ok(()) };
    let added = MappedColumn { name: "b".to_owned(), ..wide.clone() };
    run(
        "ALTER TABLE … ADD COLUMN",
        table.add_column(&added, &AddedDefault::Expression("7".to_owned()), 0, Some("a")),
        &[],
    )?;
    run("ALTER TABLE … MATERIALIZE COLUMN", table.materialize_column("b"), &[("mutations_sync", "1")])?;
    let wider = ColumnType::Int(Width::Eight);
    let is_nullable = wide.column_type != *wide.column_type.value_type();
    let column_type = if is_nullable { wider.nullable() } else { wider };
    let wide = MappedColumn { column_type, ..wide.clone() };
    run("ALTER TABLE … MODIFY COLUMN", table.widen_column(&wide), &[])?;
    run("ALTER TABLE … MODIFY COMMENT", table.modify_comment("tried out by tidewire validate"), &[])?;
    let (long, version, deleted) =
        (ColumnType::Int(Width::Eight), ColumnType::UInt(Width::Eight), ColumnType::UInt(Width::One));
    let columns =
        [("id", &long), (table.meta.version.as_str(), &version), (table.meta.deletion.name(), &deleted)];
    let row = [&1_i64.to_le_bytes()[..], &1_u64.to_le_bytes(), &[0]].concat();
    let rows = Rows {
        bytes: &row,
        token: Some("tidewire validate"),
        guard: None,
        compression: server.compression,
        settings: &[],
        id_prefix: "tidewire",
    };
    InsertStatement::new(&table.database, &table.table, &columns)
        .send(&server.client, rows, &mut Vec::new())
        .map_err(|error| ("INSERT", error))?;
    let sql = format!("SELECT toUInt64(count()) FROM {} FINAL", qualified(&table.database, &table.table));
    let read: Result<Vec<(u64,)>, _> = server.client.rows(Query::new(&what, &sql));
    read.map_err(|error| ("SELECT … FINAL", error))?;
    let delete = format!("{} DELETE WHERE {} <= 0", table.alter_table(), quoted(&table.meta.version));
    run("ALTER TABLE … DELETE", delete, &[("mutations_sync", "2")])?;
    run("TRUNCATE TABLE", table.truncate(), &[])
}
