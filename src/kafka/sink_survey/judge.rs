//! What answers of brokers mean for a sink.

use rdkafka::error::{KafkaError, RDKafkaErrorCode};

use crate::kafka::consumer::start::missing;
use crate::kafka::consumer::subscription::Topics;
use crate::kafka::sink_survey::words;
use crate::kafka::topic_reader::Extent;
use crate::sink::preflight::finding::{Finding, Severity};

/// A sink that is stopped for so long must find everything that it has not read.
const SHORTEST: i64 = 24 * 60 * 60 * 1000;

/// What a topic is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Changes of rows.
    Rows,
    /// Changes of schemas, which are read from the beginning at every start.
    SchemaChanges,
}

/// A topic as it was seen.
pub(super) struct Seen<'a> {
    pub(super) topic: &'a str,
    pub(super) kind: Kind,
    /// The largest record of those that were looked at, bytes.
    pub(super) largest: usize,
}

/// What a pattern has chosen.
pub(super) fn chosen(topics: &Topics, chosen: &[&str]) -> Option<Finding> {
    (matches!(topics, Topics::Matching(_)) && chosen.is_empty()).then(|| {
        Finding::new(
            Severity::Error,
            "topics.regex",
            "a pattern that chooses topics",
            "no topic that the user may see has such a name",
            "start the source first, correct the pattern (it is Java's and stands for the whole name), or allow Describe on the \
             topics",
        )
    })
}

/// A named topic that is not there.
pub(super) fn missing_topic(topic: &str) -> Finding {
    Finding::new(
        Severity::Error,
        format!("topic {topic}"),
        "a topic that is there",
        "there is none of this name, or the user may not see it",
        "start the source first, correct topics, or allow Describe on the topic",
    )
}

/// The schema-change topic: its name, and its partitions if it is there.
pub(super) fn schema_changes(topic: Option<&str>, partitions: Option<usize>) -> Option<Finding> {
    let Some(topic) = topic else {
        return Some(Finding::new(
            Severity::Warning,
            "schema.changes.topic",
            "the schema-change topic of the source: its topic.prefix",
            "not set: types are those of the record schemas, and only columns that are added are followed",
            "set schema.changes.topic to the source's topic.prefix",
        ));
    };
    let what = format!("schema.changes.topic = {topic}");
    match partitions {
        None => Some(Finding::new(
            Severity::Error,
            what,
            "a topic that is there",
            "there is none of this name, or the user may not see it",
            "set it to the source's topic.prefix, and include.schema.changes=true at the source; or allow Describe on the topic",
        )),
        Some(0 | 1) => None,
        Some(partitions) => Some(Finding::new(
            Severity::Warning,
            what,
            "one partition, of which the order is that of the changes",
            format!("{partitions} partitions, of which only the first is read"),
            "name the topic that the source writes, or make it anew with one partition",
        )),
    }
}

/// A topic that is there and cannot be read.
pub(super) fn unreadable(topic: &str, error: &KafkaError) -> Finding {
    let (actual, remedy) = words(topic, error);
    let remedy = match error.rdkafka_error_code() {
        Some(RDKafkaErrorCode::TopicAuthorizationFailed) => {
            format!("allow Read and Describe on topic {topic}")
        }
        _ => remedy.unwrap_or_else(|| "see the log of the brokers".to_owned()),
    };
    Finding::new(Severity::Error, format!("topic {topic}"), "a topic that can be read", actual, remedy)
}

/// A topic whose records did not come in time.
pub(super) fn slow(topic: &str) -> Finding {
    Finding::new(
        Severity::Warning,
        format!("topic {topic}"),
        "records that come at once",
        "some of its oldest and newest records did not come within ten seconds, and were not looked at",
        "see whether all its partitions have a leader, and whether a transaction stays open (kafka-transactions.sh find-hanging)",
    )
}

/// Whether brokers refuse for good.
pub(super) fn is_refusal(error: &KafkaError) -> bool {
    matches!(
        error.rdkafka_error_code(),
        Some(
            RDKafkaErrorCode::GroupAuthorizationFailed
                | RDKafkaErrorCode::TopicAuthorizationFailed
                | RDKafkaErrorCode::ClusterAuthorizationFailed
                | RDKafkaErrorCode::SaslAuthenticationFailed
        )
    )
}

/// How a group is named.
pub(super) fn named(group: &str) -> String {
    format!("group {group}")
}

/// Whether the group may be joined and committed to, as far as brokers tell.
pub(super) fn may_commit(group: &str, may: Option<bool>) -> Option<Finding> {
    let expected = "a group that may be joined, and whose offsets may be committed";
    match may {
        Some(true) => None,
        Some(false) => Some(Finding::new(
            Severity::Error,
            named(group),
            expected,
            "the user lacks the right Read on it",
            format!("allow Read on group {group}, or name another one with consumer.override.group.id"),
        )),
        None => Some(Finding::new(
            Severity::Information,
            named(group),
            expected,
            "the brokers do not tell the rights on it",
            "none is needed: a start will show it",
        )),
    }
}

/// A group whose offsets cannot be asked for.
pub(super) fn group(group: &str, error: &KafkaError) -> Finding {
    Finding::new(
        Severity::Error,
        named(group),
        "a group whose offsets can be read and committed",
        error.to_string(),
        format!("allow Read and Describe on group {group}"),
    )
}

/// What the group has committed of a partition, where the records behind it are gone.
pub(super) fn committed(
    group: &str,
    topic: &str,
    partition: i32,
    wanted: i64,
    extent: Extent,
) -> Option<Finding> {
    missing(wanted, extent).map(|_| {
        let Extent { begin, end } = extent;
        Finding::new(
            Severity::Error,
            format!("topic {topic}"),
            "all records that the group has not read",
            format!("group {group} goes on at {wanted} of partition {partition}, which has {begin} to {end}"),
            "read a new snapshot, and set the group's offset to where it begins",
        )
    })
}

/// What the settings of a topic, name and value, lead to.
pub(super) fn settings(seen: &Seen<'_>, configs: &[(String, String)]) -> Vec<Finding> {
    let value = |name: &str| configs.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let number = |name: &str| value(name).and_then(|text| text.parse::<i64>().ok());
    let policy = value("cleanup.policy").unwrap_or("delete");
    let (deletes, compacts) = (policy.contains("delete"), policy.contains("compact"));
    let what = format!("topic {}", seen.topic);
    let mut found = Vec::new();
    let mut add = |severity, expected: String, actual: String, remedy: &str| {
        found.push(Finding::new(severity, what.clone(), expected, actual, remedy));
    };
    // -1 is for ever.
    let retention = number("retention.ms").filter(|ms| deletes && *ms >= 0);
    match (seen.kind, retention) {
        (Kind::Rows, Some(ms)) if ms < SHORTEST => add(
            Severity::Warning,
            "retention.ms of at least a day, or -1".to_owned(),
            format!("{ms}: what a sink that is stopped for longer has not read is lost"),
            "raise retention.ms of the topic",
        ),
        // i64::MAX is for ever, too: Debezium makes its history so.
        (Kind::SchemaChanges, Some(ms)) if ms < i64::MAX => add(
            Severity::Warning,
            "retention.ms = -1: it is read from its beginning at every start".to_owned(),
            format!("{ms}: after that time the tables are not described any more"),
            "set retention.ms=-1 for the topic",
        ),
        _ => {}
    }
    if compacts && seen.kind == Kind::SchemaChanges {
        add(
            Severity::Error,
            "cleanup.policy = delete: all changes of a database have one key".to_owned(),
            format!("{policy}: only the last change of each database is kept"),
            "set cleanup.policy=delete and retention.ms=-1 for the topic, and let the source write the schemas anew",
        );
    }
    if let Some(ms) = number("delete.retention.ms").filter(|ms| compacts && *ms < SHORTEST) {
        add(
            Severity::Warning,
            "delete.retention.ms of at least a day".to_owned(),
            format!("{ms}: a sink that is stopped for longer does not see what was deleted"),
            "raise delete.retention.ms of the topic",
        );
    }
    let largest = i64::try_from(seen.largest).unwrap_or(i64::MAX);
    if let Some(most) = number("max.message.bytes").filter(|most| largest > most / 10 * 8) {
        add(
            Severity::Warning,
            "max.message.bytes far above the largest record".to_owned(),
            format!("{most}, and one of the records that were looked at has {largest} bytes"),
            "raise max.message.bytes of the topic, and max.request.size of its producer",
        );
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::pattern::JavaPattern;

    /// As a broker 4.3 describes a topic.
    const DEFAULTS: [(&str, &str); 4] = [
        ("cleanup.policy", "delete"),
        ("retention.ms", "604800000"),
        ("delete.retention.ms", "86400000"),
        ("max.message.bytes", "1048588"),
    ];

    fn told(kind: Kind, largest: usize, changed: &[(&str, &str)]) -> Vec<(Severity, String)> {
        let value = |name: &str, default: &str| {
            let found = changed.iter().find(|(known, _)| *known == name);
            found.map_or(default, |(_, value)| value).to_owned()
        };
        let configs: Vec<_> =
            DEFAULTS.iter().map(|(name, default)| ((*name).to_owned(), value(name, default))).collect();
        let found = settings(&Seen { topic: "t", kind, largest }, &configs);
        found.into_iter().map(|found| (found.severity, found.actual)).collect()
    }

    #[test]
    fn settings_of_a_topic() {
        let warning = |text: &str| vec![(Severity::Warning, text.to_owned())];
        assert_eq!(told(Kind::Rows, 1000, &[]), []);
        let short = "3600000: what a sink that is stopped for longer has not read is lost";
        assert_eq!(told(Kind::Rows, 0, &[("retention.ms", "3600000")]), warning(short));
        let compacted = [("cleanup.policy", "compact"), ("retention.ms", "3600000")];
        assert_eq!(told(Kind::Rows, 0, &compacted), [], "nothing is deleted by its age");
        let marks = [("cleanup.policy", "compact"), ("delete.retention.ms", "1000")];
        let wanted = "1000: a sink that is stopped for longer does not see what was deleted";
        assert_eq!(told(Kind::Rows, 0, &marks), warning(wanted));
        let large = "1048588, and one of the records that were looked at has 900000 bytes";
        assert_eq!(told(Kind::Rows, 900_000, &[]), warning(large));
        let week = "604800000: after that time the tables are not described any more";
        assert_eq!(told(Kind::SchemaChanges, 0, &[]), warning(week));
        for forever in ["-1", "9223372036854775807"] {
            assert_eq!(told(Kind::SchemaChanges, 0, &[("retention.ms", forever)]), []);
        }
        let found = told(Kind::SchemaChanges, 0, &[("cleanup.policy", "compact")]);
        assert_eq!(
            found,
            [(Severity::Error, "compact: only the last change of each database is kept".to_owned())]
        );
    }

    #[test]
    fn topics_have_to_be_there() {
        let matching = Topics::Matching(JavaPattern::compile_with_case("shop\\..*").unwrap());
        assert!(chosen(&matching, &["shop.a"]).is_none());
        assert_eq!(chosen(&matching, &[]).map(|found| found.what), Some("topics.regex".to_owned()));
        assert!(chosen(&Topics::Named(vec![]), &[]).is_none());
        let severity = |topic, partitions| schema_changes(topic, partitions).map(|found| found.severity);
        assert_eq!(severity(None, None), Some(Severity::Warning));
        assert_eq!(severity(Some("shop"), None), Some(Severity::Error));
        assert_eq!(severity(Some("shop"), Some(1)), None);
        assert_eq!(severity(Some("shop"), Some(3)), Some(Severity::Warning));
    }

    #[test]
    fn refusals_name_the_right() {
        let refused = KafkaError::ConsumerCommit(RDKafkaErrorCode::GroupAuthorizationFailed);
        assert!(is_refusal(&refused));
        assert_eq!(group("connect-s", &refused).remedy, "allow Read and Describe on group connect-s");
        let severity = |may| may_commit("g", may).map(|found| found.severity);
        let wanted = [None, Some(Severity::Error), Some(Severity::Information)];
        assert_eq!([Some(true), Some(false), None].map(severity), wanted);
        let refused = KafkaError::OffsetFetch(RDKafkaErrorCode::TopicAuthorizationFailed);
        assert_eq!(unreadable("t", &refused).remedy, "allow Read and Describe on topic t");
        assert!(!is_refusal(&KafkaError::OffsetFetch(RDKafkaErrorCode::CoordinatorNotAvailable)));
    }

    #[test]
    fn records_that_were_deleted_before_they_were_read_are_named() {
        let extent = Extent { begin: 10, end: 20 };
        let found = committed("g", "t", 2, 5, extent).map(|found| found.actual);
        assert_eq!(found.as_deref(), Some("group g goes on at 5 of partition 2, which has 10 to 20"));
        assert!(committed("g", "t", 2, 25, extent).is_some());
        assert!(committed("g", "t", 2, 10, extent).is_none() && committed("g", "t", 2, 20, extent).is_none());
    }
}
