//! Transactions (`provide.transaction.metadata`): the boundary events and the block in each row's envelope.
//!
//! A transaction counts its row events, all together and for each table; the numbers of a row are its places in both
//! counts, from 1. END lists the tables in the order of a Java HashMap.

use std::sync::{Arc, LazyLock};

use crate::connect::digits::write_integer;
use crate::connect::java_map::sort_as_java;
use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::converter::json::text::write_string;
use crate::offset::transaction_context::TransactionContext;

/// The schema of the key of a boundary event.
pub fn key_schema() -> &'static Arc<Schema> {
    static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| {
        let schema = Schema::new(Type::Struct)
            .named("io.debezium.connector.common.TransactionMetadataKey", Some(1))
            .field("id", Schema::new(Type::String));
        Arc::new(schema)
    });
    &SCHEMA
}

/// The schema of the value of a boundary event.
pub fn value_schema() -> &'static Arc<Schema> {
    static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| {
        let collection = Schema::new(Type::Struct)
            .optional()
            .named("event.collection", Some(1))
            .field("data_collection", Schema::new(Type::String))
            .field("event_count", Schema::new(Type::Int64));
        let schema = Schema::new(Type::Struct)
            .named("io.debezium.connector.common.TransactionMetadataValue", Some(1))
            .field("status", Schema::new(Type::String))
            .field("id", Schema::new(Type::String))
            .field("event_count", Schema::new(Type::Int64).optional())
            .field("data_collections", Schema::array(collection).optional())
            .field("ts_ms", Schema::new(Type::Int64));
        Arc::new(schema)
    });
    &SCHEMA
}

/// The schema of the block in an envelope.
pub fn block_schema() -> &'static Arc<Schema> {
    static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| {
        let schema = Schema::new(Type::Struct)
            .optional()
            .named("event.block", Some(1))
            .field("id", Schema::new(Type::String))
            .field("total_order", Schema::new(Type::Int64))
            .field("data_collection_order", Schema::new(Type::Int64));
        Arc::new(schema)
    });
    &SCHEMA
}

/// The block of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransactionBlock<'a> {
    /// The transaction: its GTID, else `file=…,pos=…` of its BEGIN.
    pub id: &'a str,
    /// The place among the transaction's events, from 1.
    pub total_order: i64,
    /// The place among those of the same table, from 1.
    pub data_collection_order: i64,
}

impl TransactionBlock<'_> {
    /// Appends the block as JSON.
    #[inline]
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(br#"{"id":"#);
        write_string(self.id, out);
        out.extend_from_slice(br#","total_order":"#);
        write_integer(self.total_order, out);
        out.extend_from_slice(br#","data_collection_order":"#);
        write_integer(self.data_collection_order, out);
        out.push(b'}');
    }

    /// The block as owned data.
    pub fn to_value(&self) -> Value {
        Value::Struct(vec![self.id.into(), self.total_order.into(), self.data_collection_order.into()])
    }
}

/// The key of both boundary events.
pub fn key(id: &str) -> Value {
    Value::Struct(vec![id.into()])
}

/// The value of the event BEGIN; `ts_ms` is the source time of the transaction.
pub fn begin_value(id: &str, ts_ms: i64) -> Value {
    Value::Struct(vec!["BEGIN".into(), id.into(), Value::Null, Value::Null, ts_ms.into()])
}

/// The value of the event END, with what each table had.
pub fn end_value(transaction: &TransactionContext, ts_ms: i64) -> Value {
    let mut collections: Vec<(&str, i64)> = transaction.counts().collect();
    sort_as_java(&mut collections, |(name, _)| name);
    let collections = collections
        .iter()
        .map(|(name, count)| Value::Struct(vec![Value::from(*name), (*count).into()]))
        .collect();
    Value::Struct(vec![
        "END".into(),
        transaction.id().into(),
        transaction.total().into(),
        Value::Array(collections),
        ts_ms.into(),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect::schema::Schema;
    use crate::converter::json::{JsonConverter, JsonOptions};

    fn json(schema: &Schema, value: &Value, schemas_enable: bool) -> String {
        let converter = JsonConverter { schemas_enable, options: JsonOptions::default() };
        let mut out = Vec::new();
        converter.from_connect_data(Some(schema), value, &mut out);
        String::from_utf8(out).unwrap()
    }

    /// basic_crud.
    #[test]
    fn boundary_events_are_the_published_ones() {
        let id = "8f828cbf-ec2e-11f1-b6f4-02fc00000001:9";
        let mut counter = TransactionContext::new(id.to_owned());
        assert_eq!(
            json(key_schema(), &key(id), true),
            r#"{"schema":{"type":"struct","fields":[{"type":"string","optional":false,"field":"id"}],"optional":false,"name":"io.debezium.connector.common.TransactionMetadataKey","version":1},"payload":{"id":"8f828cbf-ec2e-11f1-b6f4-02fc00000001:9"}}"#
        );
        assert_eq!(
            json(value_schema(), &begin_value(id, 1795984446683), true),
            r#"{"schema":{"type":"struct","fields":[{"type":"string","optional":false,"field":"status"},{"type":"string","optional":false,"field":"id"},{"type":"int64","optional":true,"field":"event_count"},{"type":"array","items":{"type":"struct","fields":[{"type":"string","optional":false,"field":"data_collection"},{"type":"int64","optional":false,"field":"event_count"}],"optional":true,"name":"event.collection","version":1},"optional":true,"field":"data_collections"},{"type":"int64","optional":false,"field":"ts_ms"}],"optional":false,"name":"io.debezium.connector.common.TransactionMetadataValue","version":1},"payload":{"status":"BEGIN","id":"8f828cbf-ec2e-11f1-b6f4-02fc00000001:9","event_count":null,"data_collections":null,"ts_ms":1795984446683}}"#
        );
        let customers: Arc<str> = "inventory.customers".into();
        counter.count(&customers);
        counter.count(&customers);
        assert_eq!(
            json(value_schema(), &end_value(&counter, 1795984446683), false),
            r#"{"status":"END","id":"8f828cbf-ec2e-11f1-b6f4-02fc00000001:9","event_count":2,"data_collections":[{"data_collection":"inventory.customers","event_count":2}],"ts_ms":1795984446683}"#
        );
    }

    /// tx_multi_table.
    #[test]
    fn tables_are_listed_in_javas_order() {
        let mut counter = TransactionContext::new("4bef93b7-ec27-11f1-930d-02fc00000001:6".to_owned());
        let tables = ["ta.a", "ta.b", "tb.c", "ta.a", "ta.b", "ta.b"].map(Arc::<str>::from);
        let blocks: Vec<(i64, i64)> = tables.iter().map(|table| counter.count(table)).collect();
        assert_eq!(blocks, [(1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3)]);
        assert_eq!(
            json(value_schema(), &end_value(&counter, 1795979206366), false),
            r#"{"status":"END","id":"4bef93b7-ec27-11f1-930d-02fc00000001:6","event_count":6,"data_collections":[{"data_collection":"tb.c","event_count":1},{"data_collection":"ta.a","event_count":2},{"data_collection":"ta.b","event_count":3}],"ts_ms":1795979206366}"#
        );
    }

    #[test]
    fn a_block_is_printed_like_owned_data() {
        let block = TransactionBlock { id: "a:1", total_order: 2, data_collection_order: 1 };
        let mut out = Vec::new();
        block.write(&mut out);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            r#"{"id":"a:1","total_order":2,"data_collection_order":1}"#
        );
        assert_eq!(
            json(block_schema(), &block.to_value(), false),
            r#"{"id":"a:1","total_order":2,"data_collection_order":1}"#
        );
    }
}
