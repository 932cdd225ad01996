//! Tables that share a topic, because Kafka does not accept their names as they are (`event::topic_naming`).
//!
//! Debezium lets them, and so is it here: each record tells its table in `source`. But keys of two tables then stand for
//! different rows, a compacted topic keeps only one of them, and a registry has two tables' schemas under one subject. So it
//! is said, once for each table that comes to a topic that another one has.

use std::collections::HashMap;

use crate::event::topic_naming::TopicNaming;
use crate::schema::database_schema::DatabaseSchema;
use crate::schema::table_id::TableId;

/// The tables by their topics.
#[derive(Debug)]
pub struct SharedTopics {
    naming: TopicNaming,
    tables: HashMap<String, Vec<TableId>>,
}

impl SharedTopics {
    /// Nothing has been published yet.
    pub fn new(naming: TopicNaming) -> Self {
        SharedTopics { naming, tables: HashMap::new() }
    }

    /// A table is going to be published. Says so if another one that still exists has its topic, and it is the first time.
    pub fn publish(&mut self, table: &TableId, schema: &DatabaseSchema) {
        if let Some((topic, other)) = self.newly_shared(table, schema) {
            tracing::warn!(
                %table, %other, topic,
                "two tables share a topic, where their rows' keys may be equal: a reader has to tell them apart by source.table; do not compact it, or rename a table"
            );
        }
    }

    /// The topic, and the table that has it already.
    fn newly_shared(&mut self, table: &TableId, schema: &DatabaseSchema) -> Option<(String, TableId)> {
        let topic = self.naming.data_topic(table);
        let tables = self.tables.entry(topic.clone()).or_default();
        if tables.contains(table) {
            return None;
        }
        tables.retain(|other| schema.table(other).is_some());
        let other = tables.first().cloned();
        tables.push(table.clone());
        other.map(|other| (topic, other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::database_schema::Statement;

    fn apply(schema: &mut DatabaseSchema, text: &str) {
        schema.apply_ddl(&Statement::printed(text, "d")).unwrap();
    }

    /// The tables of bug 102.
    #[test]
    fn a_shared_topic_is_told_once_for_each_table() {
        let mut schema = DatabaseSchema::default();
        for name in ["pay@eu", "pay$eu", "pay_eu", "päy", "other"] {
            apply(&mut schema, &format!("CREATE TABLE `{name}` (id INT PRIMARY KEY)"));
        }
        let mut topics = SharedTopics::new(TopicNaming::new("p", "."));
        let mut told = |schema: &DatabaseSchema, table: &str| {
            topics.newly_shared(&TableId::new("d", table), schema).map(|(topic, other)| (topic, other.table))
        };
        let shared = |other: &str| Some(("p.d.pay_eu".to_owned(), other.to_owned()));
        for (table, expected) in [
            ("pay@eu", None),
            ("päy", None),
            ("pay@eu", None),
            ("pay$eu", shared("pay@eu")),
            ("pay_eu", shared("pay@eu")),
            ("pay$eu", None),
            ("other", None),
        ] {
            assert_eq!(told(&schema, table), expected, "{table}");
        }
        // Who has gone has no topic any more.
        apply(&mut schema, "DROP TABLE `pay@eu`, `pay$eu`");
        apply(&mut schema, "RENAME TABLE pay_eu TO `pay eu`");
        assert_eq!(told(&schema, "pay eu"), None);
        apply(&mut schema, "CREATE TABLE pay_eu (id INT PRIMARY KEY)");
        assert_eq!(told(&schema, "pay_eu"), shared("pay eu"));
    }
}
