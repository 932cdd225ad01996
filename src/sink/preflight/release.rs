//! Which ClickHouse it is: the version of the server, and of all replicas of the cluster.

use crate::sink::preflight::finding::{Finding, Severity};

/// The first version whose engine knows of deletions.
const OLDEST: (u32, u32) = (23, 5);
/// The oldest one that is advised.
const ADVISED: (u32, u32) = (25, 8);

const WHAT: &str = "clickhouse version";

/// What a version lacks.
pub(super) fn judge(version: &str) -> Option<Finding> {
    let Some(numbers) = numbers(version) else {
        return Some(Finding::new(
            Severity::Warning,
            WHAT,
            "23.5 or later",
            format!("{version}, which is no version that is known here"),
            "check that the url is that of a clickhouse server",
        ));
    };
    if numbers < OLDEST {
        return Some(Finding::new(
            Severity::Error,
            WHAT,
            "23.5 or later, whose ReplacingMergeTree knows of deletions",
            version,
            "upgrade the server, at best to 25.8 or later",
        ));
    }
    (numbers < ADVISED).then(|| {
        Finding::new(
            Severity::Warning,
            WHAT,
            "25.8 or later is advised",
            version,
            "upgrade the server when that is possible",
        )
    })
}

/// What is wrong with the versions of a cluster.
pub(super) fn judge_cluster(cluster: &str, versions: &[String]) -> Option<Finding> {
    let oldest = versions.iter().min_by_key(|version| numbers(version));
    let too_old = oldest.and_then(|oldest| judge(oldest)).filter(|found| found.severity == Severity::Error);
    if too_old.is_some() {
        return too_old.map(|found| Finding { what: format!("clickhouse.cluster = {cluster}"), ..found });
    }
    (versions.len() > 1).then(|| {
        Finding::new(
            Severity::Warning,
            format!("clickhouse.cluster = {cluster}"),
            "one version on all replicas",
            versions.join(", "),
            "finish the upgrade of the cluster",
        )
    })
}

/// The first two numbers of a version.
fn numbers(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        let severity = |version| judge(version).map(|found| found.severity);
        for (version, wanted) in [
            ("26.7.2.1", None),
            ("25.8.1.5101", None),
            ("25.7.9.1", Some(Severity::Warning)),
            ("23.5.1.3174", Some(Severity::Warning)),
            ("23.4.6.25", Some(Severity::Error)),
            ("22.12.1.1", Some(Severity::Error)),
            ("unknown", Some(Severity::Warning)),
        ] {
            assert_eq!(severity(version), wanted, "{version}");
        }
        let cluster = |versions: &[&str]| {
            let versions: Vec<String> = versions.iter().map(|version| (*version).to_owned()).collect();
            judge_cluster("c", &versions).map(|found| (found.severity, found.actual))
        };
        assert_eq!(cluster(&["26.7.2.1"]), None);
        let mixed = Some((Severity::Warning, "26.7.2.1, 25.8.1.1".to_owned()));
        assert_eq!(cluster(&["26.7.2.1", "25.8.1.1"]), mixed);
        assert_eq!(cluster(&["26.7.2.1", "23.3.1.1"]), Some((Severity::Error, "23.3.1.1".to_owned())));
    }
}
