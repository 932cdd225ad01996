use super::*;
use crate::config::column_mapper::ColumnMapper;
use crate::connect::cell::{ColumnValue, Date};
use crate::converter::json::schema::schema_json;
use crate::converter::json::sink::JsonSink;
use crate::converter::json::text::write_string;
use crate::event::operation::Operation;
use crate::event::source_info::{SourcePosition, SourceTemplate};
use crate::event::transaction::TransactionBlock;
use crate::event::value::custom_converter::CustomConverter;
use crate::event::value::tests::{TestColumn, config};
use crate::schema::table_id::TableId;

/// Schemas of `inventory.customers`, as published (basic_crud).
const KEY: &str = r##"{"type":"struct","fields":[{"type":"int32","optional":false,"field":"id"}],"optional":false,"name":"basic_crud.inventory.customers.Key"}"##;
const ENVELOPE: &str = r##"{"type":"struct","fields":[{"type":"struct","fields":[{"type":"int32","optional":false,"field":"id"},{"type":"string","optional":false,"field":"first_name"},{"type":"string","optional":false,"field":"last_name"},{"type":"string","optional":false,"field":"email"}],"optional":true,"name":"basic_crud.inventory.customers.Value","field":"before"},{"type":"struct","fields":[{"type":"int32","optional":false,"field":"id"},{"type":"string","optional":false,"field":"first_name"},{"type":"string","optional":false,"field":"last_name"},{"type":"string","optional":false,"field":"email"}],"optional":true,"name":"basic_crud.inventory.customers.Value","field":"after"},{"type":"struct","fields":[{"type":"string","optional":false,"field":"version"},{"type":"string","optional":false,"field":"connector"},{"type":"string","optional":false,"field":"name"},{"type":"int64","optional":false,"field":"ts_ms"},{"type":"string","optional":true,"name":"io.debezium.data.Enum","version":1,"parameters":{"allowed":"true,first,first_in_data_collection,last_in_data_collection,last,false,incremental"},"default":"false","field":"snapshot"},{"type":"string","optional":false,"field":"db"},{"type":"string","optional":true,"field":"sequence"},{"type":"int64","optional":true,"field":"ts_us"},{"type":"int64","optional":true,"field":"ts_ns"},{"type":"string","optional":true,"field":"table"},{"type":"int64","optional":false,"field":"server_id"},{"type":"string","optional":true,"field":"gtid"},{"type":"string","optional":false,"field":"file"},{"type":"int64","optional":false,"field":"pos"},{"type":"int32","optional":false,"field":"row"},{"type":"int64","optional":true,"field":"thread"},{"type":"string","optional":true,"field":"query"}],"optional":false,"name":"io.debezium.connector.mysql.Source","version":1,"field":"source"},{"type":"struct","fields":[{"type":"string","optional":false,"field":"id"},{"type":"int64","optional":false,"field":"total_order"},{"type":"int64","optional":false,"field":"data_collection_order"}],"optional":true,"name":"event.block","version":1,"field":"transaction"},{"type":"string","optional":false,"field":"op"},{"type":"int64","optional":true,"field":"ts_ms"},{"type":"int64","optional":true,"field":"ts_us"},{"type":"int64","optional":true,"field":"ts_ns"}],"optional":false,"name":"basic_crud.inventory.customers.Envelope","version":2}"##;
/// The payload of `update customers set last_name='Kretchmar' where id=1001`.
const UPDATE: &str = r##"{"before":{"id":1001,"first_name":"Sally","last_name":"Thomas","email":"sally.thomas@acme.test"},"after":{"id":1001,"first_name":"Sally","last_name":"Kretchmar","email":"sally.thomas@acme.test"},"source":{"version":"3.6.1.Final","connector":"mysql","name":"basic_crud","ts_ms":1795984446670,"snapshot":"false","db":"inventory","sequence":null,"ts_us":1795984446670700,"ts_ns":1795984446670700000,"table":"customers","server_id":1,"gtid":"8f828cbf-ec2e-11f1-b6f4-02fc00000001:6","file":"binlog.000001","pos":2151,"row":0,"thread":508,"query":null},"transaction":{"id":"8f828cbf-ec2e-11f1-b6f4-02fc00000001:6","total_order":1,"data_collection_order":1},"op":"u","ts_ms":1795984446672,"ts_us":1795984446672681,"ts_ns":1795984446672681477}"##;
/// The row schema of `inventory.orders`.
const ORDERS: &str = r##"{"type":"struct","fields":[{"type":"int64","optional":false,"field":"order_number"},{"type":"int32","optional":false,"name":"io.debezium.time.Date","version":1,"field":"order_date"},{"type":"int32","optional":false,"field":"purchaser"},{"type":"int32","optional":false,"field":"quantity"},{"type":"bytes","optional":true,"name":"org.apache.kafka.connect.data.Decimal","version":1,"parameters":{"scale":"2","connect.decimal.precision":"10"},"default":"AJY=","field":"price"},{"type":"string","optional":true,"name":"io.debezium.data.Json","version":1,"field":"note"}],"optional":true,"name":"basic_crud.inventory.orders.Value","field":"before"}"##;

fn column(name: &str, column: TestColumn) -> Column {
    Column { name: name.to_owned(), ..column.column() }
}

fn table(name: &str, key: &[&str], columns: Vec<Column>) -> Table {
    Table {
        id: TableId::new("inventory", name),
        default_charset_name: None,
        primary_key_column_names: key.iter().map(|name| (*name).to_owned()).collect(),
        columns,
        comment: None,
        unique_keys: Vec::new(),
        other_keys: Vec::new(),
    }
}

fn customers() -> Table {
    let text = TestColumn::new("VARCHAR").length(255);
    let columns = vec![
        column("id", TestColumn::new("INT")),
        column("first_name", text),
        column("last_name", text),
        column("email", text),
    ];
    table("customers", &["id"], columns)
}

fn orders() -> Table {
    let columns = vec![
        column("order_number", TestColumn::new("INT UNSIGNED")),
        column("order_date", TestColumn::new("DATE")),
        column("purchaser", TestColumn::new("INT")),
        column("quantity", TestColumn::new("INT")),
        column("price", TestColumn::new("DECIMAL").length(10).scale(2).optional().default("1.50")),
        column("note", TestColumn::new("JSON").optional()),
    ];
    table("orders", &["order_number"], columns)
}

fn compile(
    table: &Table,
    spelling: Spelling,
    message_key: Option<&[String]>,
    included: &dyn Fn(&str) -> bool,
) -> TableSchema {
    let topics = TopicNaming::new("basic_crud", ".");
    let values = config();
    let settings = TableSchemaSettings {
        topics: &topics,
        values: &values,
        comments: false,
        spelling,
        message_key,
        included,
        operations: &|_| ColumnOperations::default(),
    };
    TableSchema::compile(table, &settings).unwrap()
}

fn compile_all(table: &Table) -> TableSchema {
    compile(table, Spelling::Stream, None, &|_| true)
}

#[test]
fn schemas_are_the_published_ones() {
    let schema = compile_all(&customers());
    assert_eq!(&*schema.topic, "basic_crud.inventory.customers");
    assert_eq!(&*schema.collection, "inventory.customers");
    assert_eq!(schema_json(&schema.key.as_ref().unwrap().schema, None), KEY);
    assert_eq!(schema_json(&schema.envelope, None), ENVELOPE);
    let schema = compile_all(&orders());
    assert_eq!(schema_json(&schema.value.schema, Some("before")), ORDERS);
}

/// The way of a row: pre-rendered names, cells, source block, tail.
#[test]
fn an_update_is_the_published_text() {
    let schema = compile_all(&customers());
    let mut scratch = Vec::new();
    let mut row = |cells: [ColumnValue<'_>; 4], out: &mut Vec<u8>| {
        for (index, (column, cell)) in schema.value.columns.iter().zip(cells).enumerate() {
            out.push(if index == 0 { b'{' } else { b',' });
            write_string(&column.field, out);
            out.push(b':');
            column.converter.write(cell, &mut scratch, &mut JsonSink::new(out)).unwrap();
        }
        out.push(b'}');
    };
    let cells = |last: &'static str| {
        let email = b"sally.thomas@acme.test";
        [
            ColumnValue::Int(1001),
            ColumnValue::Bytes(b"Sally"),
            ColumnValue::Bytes(last.as_bytes()),
            ColumnValue::Bytes(email),
        ]
    };
    let mut out = envelope::BEFORE.to_vec();
    row(cells("Thomas"), &mut out);
    out.extend_from_slice(envelope::AFTER);
    row(cells("Kretchmar"), &mut out);
    out.extend_from_slice(envelope::SOURCE);
    let gtid = "8f828cbf-ec2e-11f1-b6f4-02fc00000001:6";
    let position = SourcePosition {
        timestamp_nanos: 1795984446670700000,
        server_id: 1,
        gtid: Some(gtid),
        file: "binlog.000001",
        pos: 2151,
        thread: Some(508),
        ..SourcePosition::default()
    };
    SourceTemplate::new("basic_crud", "inventory", Some("customers"), true).write(&position, &mut out);
    let block = TransactionBlock { id: gtid, total_order: 1, data_collection_order: 1 };
    envelope::write_transaction(Some(&block), &mut out);
    envelope::write_end(Operation::Update, 1795984446672681477, &mut out);
    assert_eq!(String::from_utf8(out).unwrap(), UPDATE);
}

/// cfg_message_key.
#[test]
fn message_key_columns_beat_the_primary_key() {
    let key = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    for (message_key, fields) in [
        (Some(key(&["price", "note"])), Some(vec!["price", "note"])),
        (Some(key(&["QUANTITY", "ghost"])), Some(vec!["quantity"])),
        (Some(key(&["ghost"])), None),
        (None, Some(vec!["order_number"])),
    ] {
        let schema = compile(&orders(), Spelling::Stream, message_key.as_deref(), &|_| true);
        let names =
            schema.key.map(|key| key.columns.into_iter().map(|column| column.field).collect::<Vec<_>>());
        assert_eq!(names, fields.map(key_names));
    }
    let keyless = Table { primary_key_column_names: Vec::new(), ..orders() };
    assert!(compile_all(&keyless).key.is_none());
}

fn key_names(names: Vec<&str>) -> Vec<String> {
    names.into_iter().map(str::to_owned).collect()
}

/// types_column_exclude.
#[test]
fn a_hidden_key_column_stays_in_the_key() {
    let included = |name: &str| name != "id" && name != "email";
    let schema = compile(&customers(), Spelling::Stream, None, &included);
    assert_eq!(schema.value.columns.iter().map(|column| column.index).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(schema.key.unwrap().columns.iter().map(|column| column.index).collect::<Vec<_>>(), [0]);
}

#[test]
fn keys_have_the_spelling_of_the_stream() {
    let stamp = TestColumn::new("TIMESTAMP").length(3);
    let table = table("t", &["ts"], vec![column("ts", stamp)]);
    let schema = compile(&table, Spelling::Snapshot, None, &|_| true);
    let date = Date { year: 2024, month: 1, day: 1 };
    let cell =
        ColumnValue::DateTime(crate::connect::cell::DateTime { date, micros: 500_000, ..Default::default() });
    let print = |columns: &[FieldColumn]| {
        let mut out = Vec::new();
        columns[0].converter.write(cell, &mut Vec::new(), &mut JsonSink::new(&mut out)).unwrap();
        String::from_utf8(out).unwrap()
    };
    assert_eq!(print(&schema.value.columns), r#""2024-01-01T00:00:00.5Z""#);
    assert_eq!(print(&schema.key.unwrap().columns), r#""2024-01-01T00:00:00.500Z""#);
}

/// By hand: `a b` and `a@b` under `field.name.adjustment.mode=avro`.
#[test]
fn fields_of_one_name_are_an_error() {
    let int = TestColumn::new("INT");
    let table = table("t", &[], vec![column("a b", int), column("a@b", int)]);
    let mut values = config();
    values.field_name_adjustment = NameAdjustmentMode::Avro;
    let topics = TopicNaming::new("p", ".");
    let settings = TableSchemaSettings {
        topics: &topics,
        values: &values,
        comments: false,
        spelling: Spelling::Stream,
        message_key: None,
        included: &|_| true,
        operations: &|_| ColumnOperations::default(),
    };
    let error = TableSchema::compile(&table, &settings).unwrap_err();
    assert_eq!(error.to_string(), "table inventory.t: columns a b and a@b have the same field name a_b");
}

/// types_mask_keys: a key holds what is stored, and what a custom converter makes of it.
#[test]
fn keys_are_converted_and_not_masked() {
    let columns =
        vec![column("k", TestColumn::new("VARCHAR").length(20)), column("b", TestColumn::new("TINYINT"))];
    let table = table("t", &["k", "b"], columns);
    let topics = TopicNaming::new("p", ".");
    let operations = |column: &Column| ColumnOperations {
        converter: (column.name == "b").then_some(CustomConverter::TinyIntOneToBoolean),
        mapper: Some(ColumnMapper::Mask { length: 3 }),
        propagate: true,
    };
    let settings = TableSchemaSettings {
        topics: &topics,
        values: &config(),
        comments: false,
        spelling: Spelling::Stream,
        message_key: None,
        included: &|_| true,
        operations: &operations,
    };
    let schema = TableSchema::compile(&table, &settings).unwrap();
    let key = schema_json(&schema.key.unwrap().schema, None);
    let fields =
        r#"{"type":"string","optional":false,"field":"k"},{"type":"boolean","optional":false,"field":"b"}"#;
    assert!(key.contains(&format!("[{fields}]")), "{key}");
    assert_eq!(schema.value.schema.fields[0].schema.parameters.last().unwrap().0, "masked");
}
