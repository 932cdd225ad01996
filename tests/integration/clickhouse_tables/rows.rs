//! The data records of the golden scenarios, written as rows and selected back.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use tidewire::connect::schema::Schema;
use tidewire::converter::json::schema_reader::read_schema;
use tidewire::error::chain;
use tidewire::event::operation::Operation;
use tidewire::sink::clickhouse::client::Client;
use tidewire::sink::clickhouse::compression::Compression;
use tidewire::sink::clickhouse::insert::{InsertStatement, Rows};
use tidewire::sink::record::envelope::{RecordKey, RecordValue, read_key, read_value, row_schema};
use tidewire::sink::row::row_writer::{RowForm, RowWriter};
use tidewire::sink::table::definition::{DefinitionError, Identity, SourceTable, TableDefinition};
use tidewire::sink::table::mapping::connect_type::source_column;
use tidewire::sink::version::{Incarnation, VersionScheme};

use super::golden::{Record, mapping, options, records, scenarios};
use crate::support::clickhouse::{client, new_database, run, values};

/// A table of one topic and one schema.
struct Target {
    table: TableDefinition,
    writer: RowWriter,
    rows: Vec<Vec<u8>>,
    /// For each key whether its row lives; without a key how many rows do.
    live: BTreeMap<String, bool>,
    balance: i64,
}

impl Target {
    fn new(
        database: &str,
        topic: &str,
        row: &Schema,
        key: Option<RecordKey<'_>>,
    ) -> Result<Target, DefinitionError> {
        let columns: Vec<_> = row
            .fields
            .iter()
            .map(|field| source_column(&field.name, &field.schema).expect("a column"))
            .collect();
        let key: Vec<String> = key
            .map(|key| {
                read_schema(&serde_json::from_str(key.schema.expect("a schema of the key")).expect("json"))
            })
            .map(|schema| schema.expect("a schema").fields.iter().map(|field| field.name.clone()).collect())
            .unwrap_or_default();
        let source = SourceTable { columns: &columns, key: &key, low_cardinality: &|_| false };
        let table = TableDefinition::new(database, topic, source, &mapping(), &options())?;
        let form = RowForm { schema: Some(row), ..RowForm::default() };
        let writer = RowWriter::new(&table, None, form).expect("a writer");
        Ok(Target { table, writer, rows: Vec::new(), live: BTreeMap::new(), balance: 0 })
    }

    /// Inserts the rows in two batches, the later one first: versions and not arrival decide.
    fn insert(&mut self, client: &Client) {
        run(client, &self.table.create_table(""));
        let columns = self.writer.columns();
        let insert = InsertStatement::new(&self.table.database, &self.table.table, &columns);
        let (first, second) = self.rows.split_at(self.rows.len() / 2);
        for batch in [second, first].into_iter().filter(|batch| !batch.is_empty()) {
            let rows = Rows {
                bytes: &batch.concat(),
                token: None,
                guard: None,
                compression: Compression::Lz4,
                settings: &[],
                id_prefix: "rows",
            };
            insert
                .send(client, rows, &mut Vec::new())
                .unwrap_or_else(|error| panic!("{}: {}", self.table.table, chain(&error)));
        }
    }
}

/// Reads the data records of a scenario into one table a topic and schema: changes of a schema are for other tests. Beside them
/// the tables that cannot be made.
fn targets(database: &str, scenario: &str) -> (BTreeMap<String, Target>, BTreeSet<String>) {
    let offsets = VersionScheme::Offset(Incarnation::new(1).expect("an incarnation"));
    let mut targets: BTreeMap<String, Target> = BTreeMap::new();
    let mut names: BTreeMap<(String, String, String), String> = BTreeMap::new();
    let mut refused = BTreeSet::new();
    for Record { topic, offset, key, value } in records(scenario) {
        let Ok(value) = read_value(value.as_deref().map(str::as_bytes)) else { continue };
        let RecordValue::Row(change) = value else { continue };
        let Some(schema) = change.schema else { continue };
        let key = read_key(key.as_deref().map(str::as_bytes)).expect("a key");
        let of_key = key.and_then(|key| key.schema).unwrap_or_default();
        let known = names.len();
        let name = names
            .entry((topic.clone(), schema.to_owned(), of_key.to_owned()))
            .or_insert_with(|| format!("{topic} {known}"));
        let row = row_schema(schema).expect("a schema");
        let target = match targets.entry(name.clone()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => match Target::new(database, name, &row, key) {
                Ok(target) => new.insert(target),
                Err(error) => {
                    refused.insert(chain(&error));
                    continue;
                }
            },
        };
        let version = offsets.version(None, offset).expect("a version");
        let row = change.after.or(change.before).expect("a row");
        assert_eq!(target.writer.fits_key(key.as_ref(), row), Ok(true), "{scenario} {topic} {offset}");
        let mut bytes = Vec::new();
        match target.writer.write(&change, version, &mut bytes) {
            Ok(_) => target.rows.push(bytes),
            Err(error) => {
                refused.insert(format!("{topic}: {}", chain(&error)));
                continue;
            }
        }
        let lives = change.operation != Operation::Delete;
        if let Some(key) = key {
            target.live.insert(of_one_spelling(key.columns), lives);
        }
        target.balance += match change.operation {
            Operation::Create | Operation::Read => 1,
            Operation::Delete => -1,
            _ => 0,
        };
    }
    (targets, refused)
}

/// Debezium prints the instant of a key without zeros at its end in a snapshot (`00.5Z`), and with them from the log (`00.500Z`):
/// one row in MySQL, and in the table.
fn of_one_spelling(key: &str) -> String {
    let spelled = key.split("Z\"").map(|part| match part.rsplit_once('.') {
        Some((_, digits)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => part.trim_end_matches('0'),
        _ => part,
    });
    spelled.collect::<Vec<_>>().join("Z\"")
}

#[test]
fn rows_of_the_golden_records_are_taken_by_the_server() {
    let client = client();
    new_database(&client, "tables_rows");
    let mut kinds = BTreeSet::new();
    let (mut tables, mut rows, mut refused) = (0, 0, BTreeSet::new());
    // Different rows whose masked keys look alike are refused by their key.
    let is_masked = |scenario: &String| scenario == "types_mask_keys";
    for scenario in
        ["basic_", "types_", "tx_"].into_iter().flat_map(scenarios).filter(|name| !is_masked(name))
    {
        let (targets, without) = targets("tables_rows", &scenario);
        refused.extend(without);
        for (name, mut target) in targets {
            target.insert(&client);
            let table = format!("tables_rows.{}", tidewire::sink::table::identifier::quoted(&name));
            let (query, wanted) = match target.table.identity {
                Identity::Key(_) => {
                    let live = target.live.values().filter(|lives| **lives).count();
                    (format!("SELECT toString(count()) FROM {table} FINAL"), live.to_string())
                }
                Identity::None | Identity::RowHash => {
                    let balance = "toString(sum(if(_deleted = 1, -1, 1)))";
                    (format!("SELECT {balance} FROM {table}"), target.balance.to_string())
                }
            };
            assert_eq!(values(&client, &query), [Some(wanted)], "{scenario} {name}");
            tables += 1;
            rows += target.rows.len();
            kinds.extend(
                target.table.columns.iter().map(|column| column.column_type.value_type().to_string()),
            );
        }
    }
    // Keys without their column (column.exclude.list), dates and times that became text (masks, hashes), and a duration as
    // text (time.precision.mode=isostring): nothing of them is written.
    let wanted = [
        "table tables_rows.types_column_exclude.t.k2 3: the key column k1 is not in the row",
        "table tables_rows.types_columns_operations.ci.w-x 2: the key column id is not in the row",
        "table tables_rows.types_mix_include_tz.ci.a 0: the key column id is not in the row",
        "types_mask_kinds.mk.kinds: column t_tn of type DateTime64(6, 'UTC'): the text is no value of the column's type",
        "types_mask_kinds.mk.kinds: column t_ts of type Nullable(DateTime64(6, 'UTC')): the text is no value of the column's type",
        "types_mask_modes.mm.modes: column t_da of type Nullable(Date32): the text is no value of the column's type",
        "types_mix_iso_hash.ih.t: column t2 of type Nullable(Time64(2)): a string in a column of another type",
        "types_zero_dates_isostring.t.zero: column tn of type Time64(6): a string in a column of another type",
    ];
    assert_eq!(refused.into_iter().collect::<Vec<_>>(), wanted);
    assert!(tables > 100 && rows > 500 && kinds.len() > 30, "{tables} tables, {rows} rows, {kinds:?}");
}

/// The scenario's statements, by hand (`tests/golden/corpus/*/scenario.sql`).
#[test]
fn rows_of_the_golden_records_are_those_of_mysql() {
    let client = client();
    new_database(&client, "tables_values");
    for (scenario, begin, query, wanted) in [
        (
            "types_keys_composite",
            "types_keys_composite.t.ck ",
            "SELECT toString(tuple(v, a, b, c, d, e, hex(f))) FROM {} FINAL ORDER BY v",
            &[
                "(2,'',-1,'1969-12-31 23:59:59.999',-0.01,'y','FF00FF')",
                "(5,'k',1,'2024-01-01 00:00:00.123',2.5,'x','7A7A00')",
            ][..],
        ),
        (
            "types_keys_composite",
            "types_keys_composite.t.kts ",
            "SELECT toString(tuple(k, v)) FROM {} FINAL ORDER BY k",
            &["('2024-01-01 00:00:00.500000',9)", "('2024-01-01 00:00:01.250000',2)"],
        ),
        (
            "basic_crud",
            "basic_crud.inventory.customers ",
            "SELECT toString(tuple(id, first_name, last_name, email)) FROM {} FINAL ORDER BY id",
            &[
                "(1001,'Sally','Kretchmar','sally.thomas@acme.test')",
                "(1002,'George','Bailey','gbailey@foobar.test')",
            ],
        ),
    ] {
        let mut found = Vec::new();
        for (name, mut target) in targets("tables_values", scenario).0 {
            if found.is_empty() && name.starts_with(begin) {
                target.insert(&client);
                let table = format!("tables_values.{}", tidewire::sink::table::identifier::quoted(&name));
                found = values(&client, &query.replace("{}", &table)).into_iter().flatten().collect();
            }
        }
        assert_eq!(found, wanted, "{begin}");
    }
}
