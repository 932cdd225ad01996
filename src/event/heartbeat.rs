//! Heartbeats: they carry the offset forward while nothing captured changes.

use std::sync::{Arc, LazyLock};

use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;

/// The schema of the key.
pub fn key_schema() -> &'static Arc<Schema> {
    static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| {
        let schema = Schema::new(Type::Struct)
            .named("io.debezium.connector.common.ServerNameKey", Some(1))
            .field("serverName", Schema::new(Type::String));
        Arc::new(schema)
    });
    &SCHEMA
}

/// The schema of the value.
pub fn value_schema() -> &'static Arc<Schema> {
    static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| {
        let schema = Schema::new(Type::Struct)
            .named("io.debezium.connector.common.Heartbeat", Some(1))
            .field("ts_ms", Schema::new(Type::Int64));
        Arc::new(schema)
    });
    &SCHEMA
}

/// The key: `topic.prefix`.
pub fn key(topic_prefix: &str) -> Value {
    Value::Struct(vec![topic_prefix.into()])
}

/// The value: now, in ms.
pub fn value(now_ms: i64) -> Value {
    Value::Struct(vec![now_ms.into()])
}
