//! Heartbeat records, on a timer of their own: `heartbeat.interval.ms` holds also while the server is idle.

use std::sync::Arc;
use std::time::Instant;

use crate::config::source::SourceConfig;
use crate::connect::record::RecordHeaders;
use crate::event::heartbeat;
use crate::source::dispatcher::EventDispatcher;
use crate::source::error::SourceError;
use crate::source::mysql::connection::Connection;

/// The timer and what a beat is made of.
pub struct Heartbeat {
    config: Arc<SourceConfig>,
    topic: Arc<str>,
    last: Instant,
    action: Option<Connection>,
}

impl Heartbeat {
    /// For a connector; off with an interval of zero.
    pub fn new(config: &Arc<SourceConfig>) -> Self {
        Heartbeat {
            config: Arc::clone(config),
            topic: config.events.heartbeat_topic.as_str().into(),
            last: Instant::now(),
            action: None,
        }
    }

    /// Publishes a beat when the interval is over.
    pub fn beat_if_due(&mut self, dispatcher: &mut EventDispatcher) -> Result<(), SourceError> {
        let interval = self.config.events.heartbeat_interval;
        if interval.is_zero() || self.last.elapsed() < interval {
            return Ok(());
        }
        self.beat(dispatcher)?;
        dispatcher.hand_over()
    }

    /// Publishes a beat now, and runs the action query.
    pub fn beat(&mut self, dispatcher: &mut EventDispatcher) -> Result<(), SourceError> {
        if self.config.events.heartbeat_interval.is_zero() {
            return Ok(());
        }
        self.last = Instant::now();
        let key = heartbeat::key(&self.config.topic_prefix);
        let value = heartbeat::value(dispatcher.clock.now_nanos() / 1_000_000);
        let headers = RecordHeaders::default();
        dispatcher.push_event(
            &self.topic,
            Some(0),
            Some((heartbeat::key_schema(), &key)),
            (heartbeat::value_schema(), &value),
            headers,
        )?;
        self.run_action();
        Ok(())
    }

    /// A failure is logged only, and the connection is made anew for the next beat.
    fn run_action(&mut self) {
        let Some(query) = self.config.events.heartbeat_action_query.clone() else { return };
        let connection = match self.action.take() {
            Some(connection) => Ok(connection),
            None => Connection::connect(&self.config.connection),
        };
        match connection.and_then(|mut connection| connection.execute(&query).map(|_| connection)) {
            Ok(connection) => self.action = Some(connection),
            Err(error) => tracing::warn!(%error, "the heartbeat's action query failed"),
        }
    }
}
