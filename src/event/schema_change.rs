//! Schema-change events: what a statement did, published to the topic of the prefix.
//!
//! The table is described as in the schema history, but for this: what is absent is null (also the members of a column
//! that is no ENUM or SET), a dropped table is null, and there is no previous name.

use std::sync::{Arc, LazyLock};

use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::event::source_info;
use crate::schema::column::Column;
use crate::schema::table::Table;
use crate::schema::table_change::{TableChange, TableChangeType};

/// The schema of the key.
pub fn key_schema() -> &'static Arc<Schema> {
    static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| {
        let schema = Schema::new(Type::Struct)
            .named("io.debezium.connector.mysql.SchemaChangeKey", Some(1))
            .field("databaseName", Schema::new(Type::String));
        Arc::new(schema)
    });
    &SCHEMA
}

/// The schema of the value.
pub fn value_schema() -> &'static Arc<Schema> {
    static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| {
        let schema = Schema::new(Type::Struct)
            .named("io.debezium.connector.mysql.SchemaChangeValue", Some(1))
            .field("source", Arc::clone(source_info::schema()))
            .field("ts_ms", Schema::new(Type::Int64))
            .field("databaseName", Schema::new(Type::String).optional())
            .field("schemaName", Schema::new(Type::String).optional())
            .field("ddl", Schema::new(Type::String).optional())
            .field("tableChanges", Schema::array(change_schema()));
        Arc::new(schema)
    });
    &SCHEMA
}

fn change_schema() -> Schema {
    Schema::new(Type::Struct)
        .named("io.debezium.connector.schema.Change", Some(1))
        .field("type", Schema::new(Type::String))
        .field("id", Schema::new(Type::String))
        .field("table", table_schema())
}

fn table_schema() -> Schema {
    let optional_string = || Schema::new(Type::String).optional();
    Schema::new(Type::Struct)
        .optional()
        .named("io.debezium.connector.schema.Table", Some(1))
        .field("defaultCharsetName", optional_string())
        .field("primaryKeyColumnNames", Schema::array(Schema::new(Type::String)).optional())
        .field("columns", Schema::array(column_schema()))
        .field("comment", optional_string())
}

fn column_schema() -> Schema {
    let string = || Schema::new(Type::String);
    let int32 = || Schema::new(Type::Int32);
    let boolean = || Schema::new(Type::Boolean).optional();
    Schema::new(Type::Struct)
        .named("io.debezium.connector.schema.Column", Some(1))
        .field("name", string())
        .field("jdbcType", int32())
        .field("nativeType", int32().optional())
        .field("typeName", string())
        .field("typeExpression", string().optional())
        .field("charsetName", string().optional())
        .field("length", int32().optional())
        .field("scale", int32().optional())
        .field("position", int32())
        .field("optional", boolean())
        .field("autoIncremented", boolean())
        .field("generated", boolean())
        .field("comment", string().optional())
        .field("defaultValueExpression", string().optional())
        .field("enumValues", Schema::array(string()).optional())
}

/// The key: the database of the statement, empty when there is none.
pub fn key(database: &str) -> Value {
    Value::Struct(vec![database.into()])
}

/// The value. `source` is the owned form of the source block, `now_ms` the connector's clock.
pub fn value(source: Value, now_ms: i64, database: &str, ddl: &str, changes: &[TableChange]) -> Value {
    Value::Struct(vec![
        source,
        now_ms.into(),
        database.into(),
        Value::Null,
        ddl.into(),
        Value::Array(changes.iter().map(change).collect()),
    ])
}

fn change(change: &TableChange) -> Value {
    let kind = match change.kind {
        TableChangeType::Create => "CREATE",
        TableChangeType::Alter => "ALTER",
        TableChangeType::Drop => "DROP",
    };
    let table = change.table.as_deref().filter(|_| change.kind != TableChangeType::Drop);
    Value::Struct(vec![
        kind.into(),
        change.id.to_double_quoted().into(),
        table.map_or(Value::Null, table_value),
    ])
}

fn table_value(table: &Table) -> Value {
    Value::Struct(vec![
        table.default_charset_name.as_deref().into(),
        strings(&table.primary_key_column_names),
        Value::Array(table.columns.iter().map(column).collect()),
        table.comment.as_deref().into(),
    ])
}

fn column(column: &Column) -> Value {
    let members = if column.enum_values.is_empty() { Value::Null } else { strings(&column.enum_values) };
    Value::Struct(vec![
        column.name.as_str().into(),
        column.jdbc_type.into(),
        column.native_type.into(),
        column.type_name.as_str().into(),
        column.type_expression.as_str().into(),
        column.charset_name.as_deref().into(),
        column.length.into(),
        column.scale.into(),
        column.position.into(),
        column.optional.into(),
        column.auto_incremented.into(),
        column.generated.into(),
        column.comment.as_deref().into(),
        column.default_value_expression.as_deref().into(),
        members,
    ])
}

fn strings(texts: &[String]) -> Value {
    Value::Array(texts.iter().map(|text| text.as_str().into()).collect())
}

#[cfg(test)]
mod tests;
