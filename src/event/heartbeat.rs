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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::converter::json::{JsonConverter, JsonOptions};

    /// cfg_heartbeat.
    #[test]
    fn heartbeats_are_the_published_ones() {
        let converter = JsonConverter { schemas_enable: true, options: JsonOptions::default() };
        for (schema, value, json) in [
            (
                key_schema(),
                key("cfg_heartbeat"),
                r#"{"schema":{"type":"struct","fields":[{"type":"string","optional":false,"field":"serverName"}],"optional":false,"name":"io.debezium.connector.common.ServerNameKey","version":1},"payload":{"serverName":"cfg_heartbeat"}}"#,
            ),
            (
                value_schema(),
                value(1795980165621),
                r#"{"schema":{"type":"struct","fields":[{"type":"int64","optional":false,"field":"ts_ms"}],"optional":false,"name":"io.debezium.connector.common.Heartbeat","version":1},"payload":{"ts_ms":1795980165621}}"#,
            ),
        ] {
            let mut out = Vec::new();
            assert!(converter.from_connect_data(Some(schema), &value, &mut out));
            assert_eq!(String::from_utf8(out).unwrap(), json);
        }
    }
}
