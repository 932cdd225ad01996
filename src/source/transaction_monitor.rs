//! BEGIN and END records of the transaction topic, when `provide.transaction.metadata` is on.

use std::sync::Arc;

use crate::config::source::SourceConfig;
use crate::connect::record::RecordHeaders;
use crate::connect::value::Value;
use crate::event::transaction;
use crate::source::dispatcher::EventDispatcher;
use crate::source::error::SourceError;

/// The topic, made once.
pub struct TransactionMonitor {
    topic: Arc<str>,
}

impl TransactionMonitor {
    /// For a connector.
    pub fn new(config: &SourceConfig) -> Self {
        TransactionMonitor { topic: config.events.transaction_topic.as_str().into() }
    }

    /// Publishes the BEGIN of the running transaction.
    pub fn begin(&self, dispatcher: &mut EventDispatcher, source_micros: i64) -> Result<(), SourceError> {
        let Some(context) = dispatcher.offset.transaction() else { return Ok(()) };
        let key = transaction::key(context.id());
        let value = transaction::begin_value(context.id(), source_micros / 1_000);
        self.push(dispatcher, &key, &value)
    }

    /// Publishes its END, with what each table had.
    pub fn end(&self, dispatcher: &mut EventDispatcher, source_micros: i64) -> Result<(), SourceError> {
        let Some(context) = dispatcher.offset.transaction() else { return Ok(()) };
        let key = transaction::key(context.id());
        let value = transaction::end_value(context, source_micros / 1_000);
        self.push(dispatcher, &key, &value)
    }

    fn push(&self, dispatcher: &mut EventDispatcher, key: &Value, value: &Value) -> Result<(), SourceError> {
        let headers = RecordHeaders::default();
        dispatcher.push_event(
            &self.topic,
            None,
            Some((transaction::key_schema(), key)),
            (transaction::value_schema(), value),
            headers,
        )
    }
}
