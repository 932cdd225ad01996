use super::*;
use crate::converter::json::JsonOptions;
use crate::converter::json::schema::schema_json;
use crate::converter::json::value::write_value;
use crate::event::source_info::{SourceInfo, SourcePosition};
use crate::schema::table_id::TableId;

/// The schema of every schema change, as published (basic_crud).
const SCHEMA: &str = r##"{"type":"struct","fields":[{"type":"struct","fields":[{"type":"string","optional":false,"field":"version"},{"type":"string","optional":false,"field":"connector"},{"type":"string","optional":false,"field":"name"},{"type":"int64","optional":false,"field":"ts_ms"},{"type":"string","optional":true,"name":"io.debezium.data.Enum","version":1,"parameters":{"allowed":"true,first,first_in_data_collection,last_in_data_collection,last,false,incremental"},"default":"false","field":"snapshot"},{"type":"string","optional":false,"field":"db"},{"type":"string","optional":true,"field":"sequence"},{"type":"int64","optional":true,"field":"ts_us"},{"type":"int64","optional":true,"field":"ts_ns"},{"type":"string","optional":true,"field":"table"},{"type":"int64","optional":false,"field":"server_id"},{"type":"string","optional":true,"field":"gtid"},{"type":"string","optional":false,"field":"file"},{"type":"int64","optional":false,"field":"pos"},{"type":"int32","optional":false,"field":"row"},{"type":"int64","optional":true,"field":"thread"},{"type":"string","optional":true,"field":"query"}],"optional":false,"name":"io.debezium.connector.mysql.Source","version":1,"field":"source"},{"type":"int64","optional":false,"field":"ts_ms"},{"type":"string","optional":true,"field":"databaseName"},{"type":"string","optional":true,"field":"schemaName"},{"type":"string","optional":true,"field":"ddl"},{"type":"array","items":{"type":"struct","fields":[{"type":"string","optional":false,"field":"type"},{"type":"string","optional":false,"field":"id"},{"type":"struct","fields":[{"type":"string","optional":true,"field":"defaultCharsetName"},{"type":"array","items":{"type":"string","optional":false},"optional":true,"field":"primaryKeyColumnNames"},{"type":"array","items":{"type":"struct","fields":[{"type":"string","optional":false,"field":"name"},{"type":"int32","optional":false,"field":"jdbcType"},{"type":"int32","optional":true,"field":"nativeType"},{"type":"string","optional":false,"field":"typeName"},{"type":"string","optional":true,"field":"typeExpression"},{"type":"string","optional":true,"field":"charsetName"},{"type":"int32","optional":true,"field":"length"},{"type":"int32","optional":true,"field":"scale"},{"type":"int32","optional":false,"field":"position"},{"type":"boolean","optional":true,"field":"optional"},{"type":"boolean","optional":true,"field":"autoIncremented"},{"type":"boolean","optional":true,"field":"generated"},{"type":"string","optional":true,"field":"comment"},{"type":"string","optional":true,"field":"defaultValueExpression"},{"type":"array","items":{"type":"string","optional":false},"optional":true,"field":"enumValues"}],"optional":false,"name":"io.debezium.connector.schema.Column","version":1},"optional":false,"field":"columns"},{"type":"string","optional":true,"field":"comment"}],"optional":true,"name":"io.debezium.connector.schema.Table","version":1,"field":"table"}],"optional":false,"name":"io.debezium.connector.schema.Change","version":1},"optional":false,"field":"tableChanges"}],"optional":false,"name":"io.debezium.connector.mysql.SchemaChangeValue","version":1}"##;

/// The payload of `alter table customers add column phone varchar(20) default 'n/a'`, as published (basic_crud).
const ALTER: &str = r##"{"source":{"version":"3.6.1.Final","connector":"mysql","name":"basic_crud","ts_ms":1795984446678,"snapshot":"false","db":"inventory","sequence":null,"ts_us":1795984446678000,"ts_ns":1795984446678000000,"table":"customers","server_id":1,"gtid":"8f828cbf-ec2e-11f1-b6f4-02fc00000001:7","file":"binlog.000001","pos":2721,"row":0,"thread":null,"query":null},"ts_ms":1795984446679,"databaseName":"inventory","schemaName":null,"ddl":"alter table customers add column phone varchar(20) default 'n/a'","tableChanges":[{"type":"ALTER","id":"\"inventory\".\"customers\"","table":{"defaultCharsetName":"utf8mb4","primaryKeyColumnNames":["id"],"columns":[{"name":"id","jdbcType":4,"nativeType":null,"typeName":"INT","typeExpression":"INT","charsetName":null,"length":null,"scale":null,"position":1,"optional":false,"autoIncremented":true,"generated":true,"comment":null,"defaultValueExpression":null,"enumValues":null},{"name":"first_name","jdbcType":12,"nativeType":null,"typeName":"VARCHAR","typeExpression":"VARCHAR","charsetName":"utf8mb4","length":255,"scale":null,"position":2,"optional":false,"autoIncremented":false,"generated":false,"comment":null,"defaultValueExpression":null,"enumValues":null},{"name":"last_name","jdbcType":12,"nativeType":null,"typeName":"VARCHAR","typeExpression":"VARCHAR","charsetName":"utf8mb4","length":255,"scale":null,"position":3,"optional":false,"autoIncremented":false,"generated":false,"comment":null,"defaultValueExpression":null,"enumValues":null},{"name":"email","jdbcType":12,"nativeType":null,"typeName":"VARCHAR","typeExpression":"VARCHAR","charsetName":"utf8mb4","length":255,"scale":null,"position":4,"optional":false,"autoIncremented":false,"generated":false,"comment":null,"defaultValueExpression":null,"enumValues":null},{"name":"phone","jdbcType":12,"nativeType":null,"typeName":"VARCHAR","typeExpression":"VARCHAR","charsetName":"utf8mb4","length":20,"scale":null,"position":5,"optional":true,"autoIncremented":false,"generated":false,"comment":null,"defaultValueExpression":"n/a","enumValues":null}],"comment":null}}]}"##;

fn column(position: i32, name: &str, type_name: &str) -> Column {
    let varchar = type_name == "VARCHAR";
    Column {
        name: name.to_owned(),
        jdbc_type: if varchar { 12 } else { 4 },
        native_type: None,
        type_name: type_name.to_owned(),
        type_expression: type_name.to_owned(),
        charset_name: varchar.then(|| "utf8mb4".to_owned()),
        length: varchar.then_some(255),
        scale: None,
        position,
        optional: false,
        auto_incremented: false,
        generated: false,
        comment: None,
        has_default_value: false,
        default_value_expression: None,
        default_is_expression: false,
        enum_values: Vec::new(),
    }
}

fn customers() -> Table {
    Table {
        id: TableId::new("inventory", "customers"),
        default_charset_name: Some("utf8mb4".to_owned()),
        primary_key_column_names: vec!["id".to_owned()],
        columns: vec![
            Column { auto_incremented: true, generated: true, ..column(1, "id", "INT") },
            column(2, "first_name", "VARCHAR"),
            column(3, "last_name", "VARCHAR"),
            column(4, "email", "VARCHAR"),
            Column {
                length: Some(20),
                optional: true,
                has_default_value: true,
                default_value_expression: Some("n/a".to_owned()),
                ..column(5, "phone", "VARCHAR")
            },
        ],
        comment: None,
        unique_keys: Vec::new(),
        other_keys: Vec::new(),
    }
}

fn payload(value: &Value) -> String {
    let mut out = Vec::new();
    write_value(value_schema(), value, &JsonOptions::default(), &mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn the_schema_is_the_published_one() {
    assert_eq!(schema_json(value_schema(), None), SCHEMA);
}

#[test]
fn an_altered_table_is_described_as_published() {
    let source = SourceInfo {
        name: "basic_crud",
        database: "inventory",
        table: Some("customers"),
        position: SourcePosition {
            timestamp_nanos: 1795984446678000000,
            server_id: 1,
            gtid: Some("8f828cbf-ec2e-11f1-b6f4-02fc00000001:7"),
            file: "binlog.000001",
            pos: 2721,
            ..SourcePosition::default()
        },
    };
    let change = TableChange {
        kind: TableChangeType::Alter,
        id: TableId::new("inventory", "customers"),
        previous_id: None,
        table: Some(Arc::new(customers())),
    };
    let ddl = "alter table customers add column phone varchar(20) default 'n/a'";
    let value = value(source.to_value(), 1795984446679, "inventory", ddl, &[change]);
    assert_eq!(payload(&value), ALTER);
}

#[test]
fn a_dropped_table_is_null_and_members_are_kept_quoted() {
    let mut table = customers();
    table.columns = vec![Column { enum_values: vec!["'d''e'".to_owned()], ..column(1, "e", "ENUM") }];
    let change = |kind| TableChange {
        kind,
        id: TableId::new("a\"b", "c"),
        previous_id: None,
        table: Some(Arc::new(table.clone())),
    };
    let changes = [change(TableChangeType::Drop), change(TableChangeType::Create)];
    let text = payload(&value(Value::Null, 0, "", "x", &changes));
    assert!(text.contains(r##"{"type":"DROP","id":"\"a\"\"b\".\"c\"","table":null}"##), "{text}");
    assert!(text.contains(r##""enumValues":["'d''e'"]"##), "{text}");
}
