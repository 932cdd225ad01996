//! How the server is: what it has not done yet, how near it is to its limits, and what time it has.

use std::time::{Duration, Instant};

use crate::clock::Clock;
use crate::sink::clickhouse::client::Query;
use crate::sink::preflight::finding::{Finding, Severity};
use crate::sink::preflight::questions::{Questions, array};

const MUTATIONS: &str = "SELECT database, table, toUInt64(count()) FROM system.mutations \
                         WHERE NOT is_done AND has({databases:Array(String)}, database) GROUP BY database, table ORDER BY ALL";
const PARTS: &str = "SELECT database, table, toUInt64(max(partition_parts)), toUInt64(sum(partition_parts)) FROM \
                     (SELECT database, table, partition_id, count() AS partition_parts FROM system.parts \
                      WHERE active AND has({databases:Array(String)}, database) GROUP BY ALL) \
                     GROUP BY database, table ORDER BY database, table";
const LIMITS: &str = "SELECT name, toUInt64OrZero(value) FROM system.merge_tree_settings \
                      WHERE name IN ('parts_to_delay_insert', 'max_parts_in_total')";
const REPLICAS: &str = "SELECT database, table, toUInt8(is_readonly OR is_session_expired), toUInt64(queue_size) FROM system.replicas \
                        WHERE has({databases:Array(String)}, database) ORDER BY database, table";
const DISKS: &str = "SELECT name, toUInt64(free_space), toUInt64(total_space) FROM system.disks WHERE NOT is_remote ORDER BY name";
const LARGE: &str = "SELECT database, name, toUInt64(ifNull(total_bytes, 0)) FROM system.tables \
                     WHERE has({databases:Array(String)}, database) AND ifNull(total_bytes, 0) > \
                     (SELECT max(toUInt64OrZero(value)) FROM system.server_settings WHERE name = 'max_table_size_to_drop') \
                     AND 0 < (SELECT max(toUInt64OrZero(value)) FROM system.server_settings WHERE name = 'max_table_size_to_drop')";
const ZONE: &str = "SELECT timezone()";
const TIME: &str = "SELECT toInt64(toUnixTimestamp64Micro(now64(6)))";

/// Entries of a replication queue above which a replica is behind.
const LONG_QUEUE: u64 = 100;
/// A clock may be wrong by so much.
const MOST_SKEW: Duration = Duration::from_secs(1);

/// Looks at the server, and at what stands in some databases.
pub(super) fn look(questions: &mut Questions<'_>, databases: &[String]) {
    let databases = array(databases);
    let of_databases = [("param_databases", databases.as_str())];
    for (database, table, open) in
        questions.ask::<(String, String, u64)>("mutations", MUTATIONS, &of_databases).unwrap_or_default()
    {
        questions.add(
            Severity::Warning,
            format!("table {database}.{table}"),
            "no unfinished mutation",
            format!("{open} not finished, behind which changes of the table wait"),
            "see latest_fail_reason in system.mutations; KILL MUTATION what never ends",
        );
    }
    look_at_parts(questions, &of_databases);
    for (database, table, is_readonly, queue) in
        questions.ask::<(String, String, u8, u64)>("replicas", REPLICAS, &of_databases).unwrap_or_default()
    {
        questions.found.extend(judge_replica(&database, &table, is_readonly != 0, queue));
    }
    for (name, free, total) in questions.ask::<(String, u64, u64)>("disks", DISKS, &[]).unwrap_or_default() {
        questions.found.extend(judge_disk(&name, free, total));
    }
    for (database, table, bytes) in
        questions.ask::<(String, String, u64)>("server_settings", LARGE, &of_databases).unwrap_or_default()
    {
        questions.add(
            Severity::Warning,
            format!("table {database}.{table}"),
            "a table that may be truncated: no larger than max_table_size_to_drop",
            format!("{bytes} bytes: a TRUNCATE of MySQL stops the table"),
            "raise max_table_size_to_drop of the server",
        );
    }
    if let Some((zone,)) = questions.ask::<(String,)>("one", ZONE, &[]).unwrap_or_default().pop()
        && !matches!(zone.as_str(), "UTC" | "Etc/UTC" | "Etc/UCT" | "UCT" | "GMT" | "Etc/GMT")
    {
        questions.add(
            Severity::Information,
            "server time zone",
            "any",
            format!("{zone}; the columns of the sink name UTC themselves"),
            "none is needed",
        );
    }
    look_at_clock(questions);
}

fn look_at_parts(questions: &mut Questions<'_>, of_databases: &[(&str, &str)]) {
    let limits = questions.ask::<(String, u64)>("merge_tree_settings", LIMITS, &[]).unwrap_or_default();
    let limit = |name: &str| limits.iter().find(|(known, _)| known == name).map_or(0, |(_, value)| *value);
    let limits = Limits { delay: limit("parts_to_delay_insert"), total: limit("max_parts_in_total") };
    let parts = questions.ask::<(String, String, u64, u64)>("parts", PARTS, of_databases);
    for (database, table, in_partition, in_total) in parts.unwrap_or_default() {
        questions.found.extend(judge_parts(&database, &table, in_partition, in_total, limits));
    }
}

/// Limits of parts; 0 for none.
#[derive(Clone, Copy)]
struct Limits {
    delay: u64,
    total: u64,
}

fn judge_parts(
    database: &str,
    table: &str,
    in_partition: u64,
    in_total: u64,
    limits: Limits,
) -> Option<Finding> {
    let near = |parts: u64, limit: u64| limit > 0 && parts > limit / 2;
    let (parts, place, limit, name) = if near(in_partition, limits.delay) {
        (in_partition, "in one partition", limits.delay, "parts_to_delay_insert")
    } else if near(in_total, limits.total) {
        (in_total, "in all", limits.total, "max_parts_in_total")
    } else {
        return None;
    };
    Some(Finding::new(
        Severity::Warning,
        format!("table {database}.{table}"),
        format!("fewer than half of {name} ({limit})"),
        format!("{parts} parts {place}"),
        "raise flush.interval.ms, choose a PARTITION BY with fewer values, and see what merges are waiting for (system.merges)",
    ))
}

fn judge_replica(database: &str, table: &str, is_readonly: bool, queue: u64) -> Option<Finding> {
    let what = format!("table {database}.{table}");
    if is_readonly {
        return Some(Finding::new(
            Severity::Warning,
            what,
            "a replica that can be written",
            "it is read only, or has lost its session with keeper",
            "check clickhouse keeper; SYSTEM RESTART REPLICA or SYSTEM RESTORE REPLICA",
        ));
    }
    (queue > LONG_QUEUE).then(|| {
        Finding::new(
            Severity::Warning,
            what,
            format!("a replication queue of at most {LONG_QUEUE}"),
            format!("{queue} entries: this replica is behind"),
            "see system.replication_queue",
        )
    })
}

fn judge_disk(name: &str, free: u64, total: u64) -> Option<Finding> {
    // Nothing has no fifth.
    (total > 0 && free < total / 5).then(|| {
        let percent = u128::from(free) * 100 / u128::from(total);
        Finding::new(
            Severity::Warning,
            format!("disk {name}"),
            "at least 20 % free, as a merge needs room for its outcome",
            format!("{percent} % free, {free} bytes"),
            "free space, or give the server more of it",
        )
    })
}

fn look_at_clock(questions: &mut Questions<'_>) {
    let began = Instant::now();
    let before = Clock::System.now_nanos() / 1000;
    let asked: Result<Vec<(i64,)>, _> = questions.client.rows(Query::new("read the server's time", TIME));
    let took = began.elapsed();
    if let Some((server,)) = asked.ok().and_then(|mut rows| rows.pop()) {
        questions.found.extend(judge_clock(before, server, took));
    }
}

/// `before`: our time when the question was put; it was answered within `took`. All in microseconds.
fn judge_clock(before: i64, server: i64, took: Duration) -> Option<Finding> {
    let took = i64::try_from(took.as_micros()).unwrap_or(i64::MAX);
    // Somewhere on the way, so only what is beyond both ends is surely wrong.
    let ahead = server.saturating_sub(before.saturating_add(took));
    let behind = before.saturating_sub(server);
    let most = i64::try_from(MOST_SKEW.as_micros()).unwrap_or(i64::MAX);
    let (skew, word) = if ahead > most {
        (ahead, "ahead of")
    } else if behind > most {
        (behind, "behind")
    } else {
        return None;
    };
    Some(Finding::new(
        Severity::Warning,
        "server clock",
        "the same time as here, within a second",
        format!(
            "it is {} ms {word} this machine's: figures of lag and _synced_at are wrong by that",
            skew / 1000
        ),
        "let NTP set the clocks of both machines",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits() {
        let limits = Limits { delay: 1000, total: 100_000 };
        let parts =
            |partition, total| judge_parts("d", "t", partition, total, limits).map(|found| found.actual);
        assert_eq!(parts(500, 50_000), None);
        assert_eq!(parts(501, 60_000), Some("501 parts in one partition".to_owned()));
        assert_eq!(parts(3, 50_001), Some("50001 parts in all".to_owned()));
        assert_eq!(judge_parts("d", "t", 9, 9, Limits { delay: 0, total: 0 }), None);
        assert!(
            judge_replica("d", "t", false, 100).is_none() && judge_replica("d", "t", false, 101).is_some()
        );
        assert!(judge_replica("d", "t", true, 0).is_some());
        let disk = |free, total| judge_disk("default", free, total).map(|found| found.actual);
        assert_eq!(disk(41_086_234_624, 270_553_174_016), Some("15 % free, 41086234624 bytes".to_owned()));
        assert_eq!((disk(20, 100), disk(0, 0)), (None, None));
    }

    #[test]
    fn a_clock_is_wrong_only_beyond_the_time_of_the_question() {
        let took = Duration::from_millis(500);
        let skew = |server| judge_clock(10_000_000, server, took).map(|found| found.actual);
        assert_eq!((skew(10_200_000), skew(11_500_000), skew(9_000_000)), (None, None, None));
        assert!(skew(11_600_000).is_some_and(|text| text.starts_with("it is 1100 ms ahead of")));
        assert!(skew(8_500_000).is_some_and(|text| text.starts_with("it is 1500 ms behind")));
    }
}
