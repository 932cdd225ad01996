//! Which topics are consumed: those that are named, or all whose name matches.
//!
//! A pattern is Java's, which librdkafka does not know, so the topics are listed here, at the start and then every
//! `metadata.max.age.ms`. As in the Java client Kafka's own topics match nothing.

use std::time::{Duration, Instant};

use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::KafkaResult;
use tracing::info;

use crate::config::pattern::JavaPattern;
use crate::kafka::consumer::group_events::GroupEvents;

/// Kafka's own.
const INTERNAL: [&str; 3] = ["__consumer_offsets", "__transaction_state", "__share_group_state"];
/// One listing.
const LIST: Duration = Duration::from_secs(3);

/// What is consumed.
#[derive(Clone, Debug)]
pub enum Topics {
    /// `topics`. One that does not exist is consumed from its making on.
    Named(Vec<String>),
    /// `topics.regex`.
    Matching(JavaPattern),
}

impl Topics {
    /// Those that are consumed, of the ones that exist; named ones without asking.
    pub(in crate::kafka) fn chosen<'a>(&'a self, existing: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
        match self {
            Topics::Named(names) => names.iter().map(String::as_str).collect(),
            Topics::Matching(pattern) => {
                let mut chosen: Vec<_> =
                    existing.filter(|name| !INTERNAL.contains(name) && pattern.matches(name)).collect();
                chosen.sort_unstable();
                chosen
            }
        }
    }
}

/// The subscription as it is.
pub(super) struct Subscription {
    topics: Topics,
    interval: Duration,
    current: Option<Vec<String>>,
    listed: Instant,
}

impl Subscription {
    pub(super) fn new(topics: Topics, interval: Duration) -> Self {
        Subscription { topics, interval, current: None, listed: Instant::now() }
    }

    /// Whether topics may have come or gone unseen.
    pub(super) fn is_due(&self) -> bool {
        matches!(self.topics, Topics::Matching(_)) && self.listed.elapsed() >= self.interval
    }

    /// Lists the topics and subscribes anew where that changes something.
    pub(super) fn refresh(&mut self, consumer: &BaseConsumer<GroupEvents>) -> KafkaResult<()> {
        self.listed = Instant::now();
        let metadata = consumer.fetch_metadata(None, LIST)?;
        let existing = metadata.topics().iter().filter(|topic| topic.error().is_none());
        let chosen = self.topics.chosen(existing.map(|topic| topic.name()));
        if self.current.as_ref().is_some_and(|current| *current == chosen) {
            return Ok(());
        }
        info!(topics = chosen.len(), "topics subscribed");
        // librdkafka takes an empty list for a mistake.
        if chosen.is_empty() {
            consumer.unsubscribe();
        } else {
            consumer.subscribe(&chosen)?;
        }
        self.current = Some(chosen.into_iter().map(str::to_owned).collect());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_chooses_whole_names() {
        let existing = || ["shop.b", "__consumer_offsets", "shop.a", "other"].into_iter();
        let matching = |java| Topics::Matching(JavaPattern::compile_with_case(java).expect("a pattern"));
        assert_eq!(matching("shop\\..*").chosen(existing()), ["shop.a", "shop.b"]);
        assert_eq!(matching(".*").chosen(existing()), ["other", "shop.a", "shop.b"]);
        assert!(matching("shop").chosen(existing()).is_empty());
        assert_eq!(Topics::Named(vec!["new".to_owned()]).chosen(existing()), ["new"]);
    }
}
