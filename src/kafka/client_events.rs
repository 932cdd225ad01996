//! What a client of librdkafka says of its own accord: log lines and the state of its connections.
//!
//! librdkafka reports a broker that is away over and over; the log gets one line at once and then one every
//! `QUIET` while it lasts. Everything else it logs is a detail, except what it calls critical.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use rdkafka::ClientContext;
use rdkafka::config::RDKafkaLogLevel;
use rdkafka::consumer::ConsumerContext;
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use tracing::{debug, warn};

/// A standing trouble is told again after this.
const QUIET: Duration = Duration::from_secs(30);

/// The context of every client.
#[derive(Debug)]
pub(super) struct ClientEvents {
    brokers: String,
    trouble: Mutex<Trouble>,
}

#[derive(Debug, Default)]
struct Trouble {
    told: Option<Instant>,
    authentication: Option<String>,
}

impl ClientEvents {
    pub(super) fn new(brokers: &str) -> Self {
        ClientEvents { brokers: brokers.to_owned(), trouble: Mutex::default() }
    }

    /// The bootstrap servers.
    pub(super) fn brokers(&self) -> &str {
        &self.brokers
    }

    /// The broker's words when it refused our credentials since the last call.
    pub(super) fn take_authentication_failure(&self) -> Option<String> {
        self.trouble().authentication.take()
    }

    /// Warns that the brokers do not answer, unless that was told a moment ago. For clients whose error callback nobody
    /// serves.
    pub(super) fn not_reachable(&self, reason: &str) {
        let mut trouble = self.trouble();
        if trouble.told.is_none_or(|told| told.elapsed() >= QUIET) {
            trouble.told = Some(Instant::now());
            drop(trouble);
            warn!(brokers = %self.brokers, "kafka brokers are not reachable, trying on: {reason}");
        }
    }

    fn trouble(&self) -> std::sync::MutexGuard<'_, Trouble> {
        self.trouble.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl ClientContext for ClientEvents {
    fn log(&self, level: RDKafkaLogLevel, facility: &str, message: &str) {
        // The log is heard at once and from every client, the error callback only where the client is polled.
        if facility == "FAIL" && message.contains("SASL authentication error") {
            self.trouble().authentication = Some(message.to_owned());
        }
        match level {
            RDKafkaLogLevel::Emerg | RDKafkaLogLevel::Alert | RDKafkaLogLevel::Critical => {
                warn!(target: "librdkafka", facility, "{message}");
            }
            _ => debug!(target: "librdkafka", facility, "{message}"),
        }
    }

    fn stats_raw(&self, _: &[u8]) {}

    fn error(&self, error: KafkaError, reason: &str) {
        // The end of a partition is told the reader as well, who has asked for it.
        if matches!(error.rdkafka_error_code(), Some(RDKafkaErrorCode::PartitionEOF)) {
            return;
        }
        if error.rdkafka_error_code() == Some(RDKafkaErrorCode::Authentication) {
            self.trouble().authentication = Some(reason.to_owned());
        }
        self.not_reachable(reason);
    }
}

/// Readers are assigned their partitions, so no rebalance happens; members of a group have a context of their own.
impl ConsumerContext for ClientEvents {}
