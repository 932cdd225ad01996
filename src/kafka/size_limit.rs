//! The limits that a large record can meet on its way into a topic.
//!
//! | limit | whose | default |
//! |---|---|---|
//! | `max.request.size` | the producer's, of a record with its headers | 1,048,576 |
//! | `max.message.bytes`, `message.max.bytes` | the topic's, the broker's, of a compressed record batch | 1,048,588 |
//! | `socket.request.max.bytes` | the broker's, of a whole request: it hangs up without a word | 104,857,600 |
//!
//! (<https://kafka.apache.org/documentation/#producerconfigs>, `#topicconfigs`, `#brokerconfigs`)

use std::fmt;

/// The limit that a record exceeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SizeLimit {
    /// Ours.
    MaxRequestSize(usize),
    /// The topic's or the broker's, in the broker's own words, if it has any.
    MaxMessageBytes(Option<String>),
    /// The broker's for requests.
    SocketRequestMaxBytes {
        /// `host:port`.
        broker: String,
        /// The limit.
        bytes: usize,
    },
}

impl SizeLimit {
    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            SizeLimit::MaxRequestSize(_) => {
                "set producer.max.request.size of the worker, or producer.override.max.request.size of the connector, to more, \
                 and max.message.bytes of the topic or message.max.bytes of its brokers; the stored offset is before the record, \
                 so nothing is lost"
            }
            SizeLimit::MaxMessageBytes(_) => {
                "set max.message.bytes of the topic, or message.max.bytes of its brokers, to more (and, above 1 MiB, \
                 producer.max.request.size here); the stored offset is before the record, so nothing is lost"
            }
            SizeLimit::SocketRequestMaxBytes { .. } => {
                "set socket.request.max.bytes of the brokers to more and restart them; the stored offset is before the record, so \
                 nothing is lost"
            }
        }
    }
}

impl fmt::Display for SizeLimit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SizeLimit::MaxRequestSize(bytes) => write!(out, "max.request.size of the producer is {bytes}"),
            SizeLimit::MaxMessageBytes(Some(words)) => write!(out, "the broker says: {words}"),
            SizeLimit::MaxMessageBytes(None) => {
                out.write_str("max.message.bytes of the topic, or message.max.bytes of its brokers, is less")
            }
            SizeLimit::SocketRequestMaxBytes { broker, bytes } => {
                write!(out, "socket.request.max.bytes of broker {broker} is {bytes}")
            }
        }
    }
}
