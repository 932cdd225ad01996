//! What the sink does with a record: its text is read, and its row written for ClickHouse.
//!
//! The records are those of a table of nine columns, spelled as Debezium's JsonConverter does. With schemas, the text of the
//! schema is compared with the last one's, as a reader does that keeps what it compiled from it.

use std::fmt::Write;

use tidewire::sink::record::envelope::{RecordValue, read_value, row_schema};
use tidewire::sink::row::row_writer::{RowForm, RowWriter};
use tidewire::sink::table::definition::{SourceTable, TableDefinition, TableOptions};
use tidewire::sink::table::mapping::mysql_type::source_type;
use tidewire::sink::table::mapping::{AddedValue, MappingOptions, SourceColumn};
use tidewire::sink::version::Version;

use crate::Outcome;
use crate::measure::Measured;

/// Records of a pass.
const RECORDS: usize = 2048;

/// Name, type, length, scale, and the field of a record schema.
type Column = (&'static str, &'static str, Option<i64>, Option<i64>, &'static str);

const COLUMNS: &[Column] = &[
    ("id", "BIGINT", None, None, r#""type":"int64""#),
    ("customer", "INT UNSIGNED", None, None, r#""type":"int64""#),
    (
        "state",
        "ENUM",
        Some(1),
        None,
        r#""type":"string","name":"io.debezium.data.Enum","parameters":{"allowed":"new,paid"}"#,
    ),
    (
        "price",
        "DECIMAL",
        Some(10),
        Some(2),
        r#""type":"bytes","name":"org.apache.kafka.connect.data.Decimal","parameters":{"scale":"2","connect.decimal.precision":"10"}"#,
    ),
    ("quantity", "SMALLINT", None, None, r#""type":"int16""#),
    ("ordered", "DATETIME", Some(6), None, r#""type":"int64","name":"io.debezium.time.MicroTimestamp""#),
    ("changed", "TIMESTAMP", None, None, r#""type":"string","name":"io.debezium.time.ZonedTimestamp""#),
    ("weight", "DOUBLE", None, None, r#""type":"double""#),
    ("note", "VARCHAR", Some(200), None, r#""type":"string""#),
];

/// Records of one operation in one form.
pub struct SinkCase {
    name: String,
    records: Vec<String>,
    writer: RowWriter,
    schema: String,
    out: Vec<u8>,
    passes: usize,
}

impl SinkCase {
    /// Those whose names are wanted.
    pub fn all(wanted: impl Fn(&str) -> bool) -> Outcome<Vec<Self>> {
        let mut cases = Vec::new();
        for schemas in [false, true] {
            for (change, operation) in [("insert", 'c'), ("update", 'u'), ("delete", 'd')] {
                let name = format!("sink {change}{}", if schemas { " with schema" } else { "" });
                if wanted(&name) {
                    cases.push(SinkCase::new(name, operation, schemas)?);
                }
            }
        }
        Ok(cases)
    }

    fn new(name: String, operation: char, schemas: bool) -> Outcome<Self> {
        let columns: Vec<SourceColumn> = COLUMNS
            .iter()
            .map(|&(name, type_name, length, scale, _)| {
                Ok(SourceColumn {
                    name: name.to_owned(),
                    source_type: source_type(name, type_name, length, scale, vec![])?,
                    nullable: name != "id",
                    exact: true,
                    added: AddedValue::Implicit,
                })
            })
            .collect::<Outcome<_>>()?;
        let key = ["id".to_owned()];
        let source = SourceTable { columns: &columns, key: &key, low_cardinality: &|_| false };
        let table = TableDefinition::new(
            "bench",
            "orders",
            source,
            &MappingOptions::default(),
            &TableOptions::default(),
        )?;
        let schema = envelope_schema()?;
        let row = row_schema(&schema)?;
        let form = RowForm { schema: schemas.then_some(&row), ..RowForm::default() };
        let writer = RowWriter::new(&table, None, form)?;
        let records =
            (0..RECORDS).map(|number| record(number, operation, schemas.then_some(schema.as_str())));
        let records = records.collect::<Outcome<_>>()?;
        Ok(SinkCase { name, records, writer, schema, out: Vec::new(), passes: 0 })
    }
}

/// The schema of the envelope, with the row's before and after it.
fn envelope_schema() -> Outcome<String> {
    let mut fields = Vec::new();
    for (name, _, _, _, field) in COLUMNS {
        fields.push(format!(r#"{{{field},"optional":{},"field":"{name}"}}"#, *name != "id"));
    }
    let mut schema = r#"{"type":"struct","fields":["#.to_owned();
    for member in ["before", "after"] {
        write!(
            schema,
            r#"{{"type":"struct","fields":[{}],"optional":true,"name":"bench.orders.Value","field":"{member}"}},"#,
            fields.join(",")
        )?;
    }
    schema.push_str(r#"{"type":"string","optional":false,"field":"op"}],"optional":false,"name":"bench.orders.Envelope"}"#);
    Ok(schema)
}

fn row(number: usize) -> String {
    let state = if number.is_multiple_of(3) { "paid" } else { "new" };
    format!(
        r#"{{"id":{number},"customer":{},"state":"{state}","price":"AJY=","quantity":{},"ordered":17040672{number:05}12345,"changed":"2024-01-01T00:{:02}:00Z","weight":{}.25,"note":"left at the door of number {number}"}}"#,
        3_000_000_000 + number,
        number % 100,
        number % 60,
        number % 1000,
    )
}

fn record(number: usize, operation: char, schema: Option<&str>) -> Outcome<String> {
    let (mut before, mut after) = ("null".to_owned(), "null".to_owned());
    if operation != 'c' {
        before = row(number);
    }
    if operation != 'd' {
        after = row(number + 1);
    }
    let payload = format!(
        r#"{{"before":{before},"after":{after},"source":{{"version":"3.6.1.Final","connector":"mysql","name":"bench","ts_ms":1795980002000,"snapshot":"false","db":"bench","sequence":null,"ts_us":1795980002000000,"ts_ns":1795980002000000000,"table":"orders","server_id":1,"gtid":"edc98105-ec25-11f1-ac67-02fc00000001:{number}","file":"binlog.000001","pos":{number},"row":0,"thread":12,"query":null}},"transaction":null,"op":"{operation}","ts_ms":1795980002196,"ts_us":1795980002196704,"ts_ns":1795980002196704754}}"#
    );
    Ok(match schema {
        Some(schema) => format!(r#"{{"schema":{schema},"payload":{payload}}}"#),
        None => payload,
    })
}

impl Measured for SinkCase {
    fn name(&self) -> &str {
        &self.name
    }

    fn units(&self) -> usize {
        self.records.len()
    }

    fn is_steady(&self) -> bool {
        self.passes >= 3
    }

    fn pass(&mut self) -> Outcome<usize> {
        self.out.clear();
        let mut rows = 0;
        for (number, record) in (1..).zip(&self.records) {
            let RecordValue::Row(change) = read_value(Some(record.as_bytes()))? else {
                return Err("a record without a row".into());
            };
            if change.schema.is_some_and(|schema| schema != self.schema) {
                return Err("another schema".into());
            }
            let version = Version::new(number).ok_or("no version")?;
            rows += self.writer.write(&change, version, &mut self.out)?;
        }
        if rows != self.records.len() {
            return Err("not one row a record".into());
        }
        self.passes += 1;
        Ok(rows)
    }

    fn bytes_per_unit(&self) -> f64 {
        self.out.len() as f64 / self.records.len() as f64
    }
}
