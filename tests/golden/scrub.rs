//! The only list of what may differ from run to run. Each such thing becomes a constant of its own JSON type.
//!
//! * always: a record's processing times, the run id in the headers, the read time of snapshot rows, the times of
//!   notifications and heartbeats;
//! * online (another run on a live server): also source times, binlog file and position, GTIDs, threads, server id, and
//!   a row that took the server's time.
//!
//! Headers that begin with `tidewire.` are ours alone and left out.

use crate::json::Json;
use crate::record::{Record, payload, payload_mut};
use fancy_regex::Regex;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Which run produced the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    /// The same binlog files that the golden records come from, without the snapshot.
    Replay,
    /// The same statements on another server.
    Online,
}

const UUID: &str = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
static UUIDS: LazyLock<Regex> = LazyLock::new(|| regex(UUID));

/// What the published text has in place of the parts that [`scrub`] replaces in JSON.
static TEXT: LazyLock<Vec<(Regex, &str)>> =
    LazyLock::new(|| vec![(regex(r#""(ts_ms|ts_us|ts_ns)":\d+"#), r#""$1":1"#)]);
static TEXT_ONLINE: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    vec![
        (regex(r#""(pos|server_id|thread)":\d+"#), r#""$1":1"#),
        (regex(r#""file":"[^"]*""#), r#""file":"*""#),
        (regex(r#"file=[^,"]*,pos=\d+"#), "file=*,pos=1"),
        (regex(&format!("{UUID}(:[0-9a-z_:-]+)?")), "*"),
        (regex(r#""thread":(null|1)"#), r#""thread":1"#),
    ]
});

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant pattern")
}

/// Replaces the UUIDs of servers, so that sets of GTIDs of two servers can be compared.
pub fn without_uuids(text: &str) -> String {
    UUIDS.replace_all(text, "*").into_owned()
}

/// The records of a run that can be compared with another's, scrubbed, by topic in order.
pub fn comparable(records: Vec<Record>, run: Run) -> HashMap<String, Vec<Record>> {
    let mut last_kept: HashMap<String, bool> = HashMap::new();
    let mut topics: HashMap<String, Vec<Record>> = HashMap::new();
    for mut record in records {
        if run == Run::Replay {
            if record.topic.starts_with("__debezium-heartbeat") {
                continue;
            }
            // A tombstone has no source block: it goes where the record before it goes.
            let kept = match record.value() {
                Json::Null => last_kept.get(&record.topic).copied().unwrap_or(false),
                value => !is_of_snapshot(value),
            };
            last_kept.insert(record.topic.clone(), kept);
            if !kept {
                continue;
            }
        }
        scrub(&mut record, run);
        topics.entry(record.topic.clone()).or_default().push(record);
    }
    topics
}

/// Whether a value's source block says that a snapshot read it.
fn is_of_snapshot(value: &Json) -> bool {
    let marker = payload(value).get("source").and_then(|source| source.get("snapshot"));
    !matches!(marker, None | Some(Json::Null)) && marker.and_then(Json::text) != Some("false")
}

fn blot(object: &mut Json, names: &[&str]) {
    for name in names {
        if let Some(value) = object.get_mut(name) {
            value.blot();
        }
    }
}

/// Replaces in one record what differs from run to run.
fn scrub(record: &mut Record, run: Run) {
    let online = run == Run::Online;
    let of_snapshot = is_of_snapshot(record.value());
    let [_, headers, key, value] = &mut record.parts;
    if let Json::Object(members) = headers {
        members.retain(|(name, _)| !name.starts_with("tidewire."));
        blot(headers, &["__debezium.context.runId"]);
    }
    scrub_value(payload_mut(value), &record.topic, online, of_snapshot);
    if online {
        let key = payload_mut(key);
        if record.topic.ends_with(".transaction") && key.has_exactly(&["id"]) {
            blot(key, &["id"]);
        }
        for part in &mut record.parts {
            part.each_text(&|text| *text = without_uuids(text));
        }
    }
    for text in record.text.iter_mut().flatten() {
        for (pattern, constant) in TEXT.iter().chain(TEXT_ONLINE.iter().filter(|_| online)) {
            *text = pattern.replace_all(text, *constant).into_owned();
        }
    }
}

fn scrub_value(value: &mut Json, topic: &str, online: bool, of_snapshot: bool) {
    const TIMES: [&str; 3] = ["ts_ms", "ts_us", "ts_ns"];
    let has = |value: &Json, name: &str| value.get(name).is_some();
    if matches!(value.get("source"), Some(Json::Object(_))) {
        blot(value, &TIMES);
        if let Some(source) = value.get_mut("source") {
            if of_snapshot || online {
                blot(source, &TIMES);
            }
            if online {
                blot(source, &["file", "pos", "gtid", "thread", "server_id", "sequence"]);
            }
        }
    }
    if online && let Some(transaction) = value.get_mut("transaction") {
        blot(transaction, &["id"]);
    }
    // CREATE TABLE … SELECT now(6).
    if online
        && topic == "ddl_create_styles.d1.ctas2"
        && let Some(after) = value.get_mut("after")
    {
        blot(after, &["ts"]);
    }
    if topic.starts_with("__debezium-heartbeat") {
        blot(value, &["ts_ms"]);
    }
    if online && has(value, "status") && has(value, "event_count") {
        blot(value, &["id", "ts_ms"]);
    }
    if has(value, "aggregate_type") || (has(value, "type") && has(value, "additional_data")) {
        blot(value, &["timestamp", "id"]);
    }
    // The flat rows that ExtractNewRecordState leaves.
    blot(value, &["__ts_ms", "__ts_us", "__ts_ns"]);
    if online {
        blot(value, &["__source_ts_ms"]);
    }
}
