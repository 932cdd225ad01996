//! Names of topics (Debezium's DefaultTopicNamingStrategy).
//!
//! A table's topic is `prefix.database.table`, schema changes go to `prefix`. A character outside `[A-Za-z0-9._-]`
//! becomes `_`, one for each UTF-16 unit, so that two tables may share a topic; names end after 249 characters, which is
//! Kafka's limit. The names of heartbeat and transaction topics are ready in the configuration and are only sanitised.

use crate::schema::table_id::TableId;

/// Kafka's limit for a topic's name.
const MAX_LENGTH: usize = 249;

/// Names topics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicNaming {
    prefix: String,
    delimiter: String,
}

impl TopicNaming {
    /// Names under `topic.prefix`, joined by `topic.delimiter`.
    pub fn new(prefix: impl Into<String>, delimiter: impl Into<String>) -> Self {
        TopicNaming { prefix: prefix.into(), delimiter: delimiter.into() }
    }

    /// The topic of a table's rows.
    pub fn data_topic(&self, table: &TableId) -> String {
        sanitize(&[&self.prefix, &table.database, &table.table].map(String::as_str).join(&self.delimiter))
    }
}

/// A name that Kafka accepts.
pub fn sanitize(name: &str) -> String {
    let valid = |unit: u16| {
        char::from_u32(unit.into())
            .filter(|character| character.is_ascii_alphanumeric() || matches!(character, '.' | '_' | '-'))
            .unwrap_or('_')
    };
    name.encode_utf16().map(valid).take(MAX_LENGTH).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// types_names_none, cfg_topic_names_dots.
    #[test]
    fn topics_keep_what_kafka_accepts() {
        let naming = TopicNaming::new("p", ".");
        for (database, table, topic) in [
            ("inventory", "customers", "p.inventory.customers"),
            ("my-db", "a$b", "p.my-db.a_b"),
            ("my-db", "täb", "p.my-db.t_b"),
            ("my-db", "sp ace", "p.my-db.sp_ace"),
            ("my.db", "a.b-c", "p.my.db.a.b-c"),
            ("日本", "テーブル", "p.__.____"),
        ] {
            assert_eq!(naming.data_topic(&TableId::new(database, table)), topic);
        }
        assert_eq!(TopicNaming::new("p", "_").data_topic(&TableId::new("d", "t")), "p_d_t");
        assert_eq!(sanitize(&"x".repeat(300)).len(), 249);
    }
}
