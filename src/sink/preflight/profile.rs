//! What the profile of the user makes of the sink's statements.
//!
//! Every insert comes with the settings that it depends on (`clickhouse::insert`), so a profile matters only where it forbids to set
//! them, or where it has settings that the sink leaves alone.

use crate::sink::clickhouse::insert::SETTINGS;
use crate::sink::preflight::finding::Severity;
use crate::sink::preflight::questions::{Questions, array};

/// Settings that the sink leaves alone.
const LOOKED_AT: [&str; 5] =
    ["readonly", "allow_ddl", "insert_quorum", "max_partitions_per_insert_block", "final"];
/// What the server has without a profile.
const PARTITIONS_PER_INSERT: u64 = 100;

const SQL: &str =
    "SELECT name, value, toUInt8(readonly) FROM system.settings WHERE has({names:Array(String)}, name)";
const QUOTAS: &str = "SELECT quota_name FROM system.quota_usage WHERE isNotNull(max_queries) OR isNotNull(max_query_inserts) \
                      OR isNotNull(max_written_bytes) OR isNotNull(max_execution_time)";

/// Asks for the settings and the quotas of the user.
pub(super) fn look(questions: &mut Questions<'_>, has_partition_key: bool) {
    let names: Vec<String> =
        LOOKED_AT.into_iter().chain(SETTINGS.iter().map(|(name, _)| *name)).map(str::to_owned).collect();
    let asked = questions.ask::<(String, String, u8)>("settings", SQL, &[("param_names", &array(&names))]);
    for (name, value, is_fixed) in asked.unwrap_or_default() {
        judge(questions, &name, &value, is_fixed != 0, has_partition_key);
    }
    let quotas = questions.ask::<(String,)>("quota_usage", QUOTAS, &[]);
    for (quota,) in quotas.unwrap_or_default() {
        questions.add(
            Severity::Warning,
            format!("quota {quota}"),
            "no limit for the connector's user",
            "queries, inserts, bytes or time are limited: above that the sink waits for the next interval",
            "give the user a quota without limits",
        );
    }
}

fn judge(questions: &mut Questions<'_>, name: &str, value: &str, is_fixed: bool, has_partition_key: bool) {
    let what = format!("setting {name} = {value}");
    let number = value.parse::<u64>();
    match name {
        "readonly" if value != "0" => questions.add(
            Severity::Error,
            what,
            "readonly = 0",
            "the user may only read",
            "give the connector a user whose profile has readonly=0",
        ),
        "allow_ddl" if value == "0" => questions.add(
            Severity::Error,
            what,
            "allow_ddl = 1",
            "the user may neither make tables nor change them",
            "give the connector a user whose profile has allow_ddl=1",
        ),
        "insert_quorum" if value != "0" => questions.add(
            Severity::Warning,
            what,
            "insert_quorum = 0",
            "an insert waits for several replicas and fails without them",
            "set it to 0 in the user's profile, unless rows must not be lost with one replica",
        ),
        "max_partitions_per_insert_block"
            if has_partition_key && number.is_ok_and(|most| (1..PARTITIONS_PER_INSERT).contains(&most)) =>
        {
            questions.add(
                Severity::Warning,
                what,
                "at least 100",
                "an insert that touches more partitions is refused, and its table stops",
                "raise it in the user's profile",
            );
        }
        "final" if value != "0" => questions.add(
            Severity::Information,
            what,
            "final = 0",
            "reads of this user are FINAL by themselves, which costs the sink a little",
            "none is needed",
        ),
        _ => {
            let ours = SETTINGS.iter().find(|(ours, _)| *ours == name);
            if let Some((_, wanted)) = ours.filter(|(_, wanted)| is_fixed && *wanted != value) {
                questions.add(
                    Severity::Error,
                    what,
                    format!("{wanted}, or a setting that the user may change"),
                    "the user's profile fixes it, so that inserts are refused",
                    format!("take the constraint on {name} from the profile, or set it to {wanted} there"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::clickhouse::client::Client;
    use crate::sink::clickhouse::settings::ClientSettings;

    #[test]
    fn only_what_the_sink_cannot_set_is_told() {
        let client = Client::new(ClientSettings::new("http://localhost:8123")).unwrap();
        let judged = |name: &str, value: &str, is_fixed, has_partition_key| {
            let mut questions = Questions { client: &client, found: Vec::new() };
            judge(&mut questions, name, value, is_fixed, has_partition_key);
            questions.found.pop().map(|found| found.severity)
        };
        for (name, value, is_fixed, has_partition_key, wanted) in [
            ("readonly", "0", false, false, None),
            ("readonly", "1", true, false, Some(Severity::Error)),
            ("readonly", "2", false, false, Some(Severity::Error)),
            ("allow_ddl", "0", false, false, Some(Severity::Error)),
            ("async_insert", "1", false, false, None),
            ("async_insert", "1", true, false, Some(Severity::Error)),
            ("async_insert", "0", true, false, None),
            ("date_time_overflow_behavior", "ignore", true, false, Some(Severity::Error)),
            ("insert_quorum", "2", false, false, Some(Severity::Warning)),
            ("max_partitions_per_insert_block", "10", false, true, Some(Severity::Warning)),
            ("max_partitions_per_insert_block", "10", false, false, None),
            ("max_partitions_per_insert_block", "0", false, true, None),
            ("final", "1", false, false, Some(Severity::Information)),
        ] {
            assert_eq!(judged(name, value, is_fixed, has_partition_key), wanted, "{name} = {value}");
        }
    }
}
