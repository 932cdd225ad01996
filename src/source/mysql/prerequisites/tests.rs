use super::*;

fn facts(variables: &[(&str, &str)], grants: &[&str]) -> Facts {
    let mut all = vec![("log_bin", "ON"), ("binlog_format", "ROW"), ("binlog_row_image", "FULL")];
    all.extend_from_slice(variables);
    Facts {
        version: ServerVersion::parse("9.7.4"),
        variables: all.into_iter().collect(),
        privileges: Privileges::parse(grants.iter().copied()),
        binary_logs: Some(vec!["binlog.000003".into(), "binlog.000004".into()]),
        gtids: None,
        replication: None,
    }
}

const ALL: &[&str] = &["GRANT ALL PRIVILEGES ON *.* TO `root`@`localhost`"];

fn needs() -> Needs {
    Needs { user: "cdc".into(), snapshot_rows: true, snapshot_locks: true, ..Needs::default() }
}

fn whats(findings: &[Finding]) -> Vec<(&str, Severity)> {
    findings.iter().map(|finding| (finding.what, finding.severity)).collect()
}

#[test]
fn a_server_as_it_must_be_gives_no_finding() {
    assert_eq!(judge(&facts(&[], ALL), &needs()), []);
    // MySQL's own list for replicas, without ALL.
    let grants =
        ["GRANT SELECT, RELOAD, REPLICATION SLAVE, REPLICATION CLIENT, LOCK TABLES ON *.* TO `cdc`@`%`"];
    assert_eq!(judge(&facts(&[], &grants), &needs()), []);
}

#[test]
fn everything_wrong_is_told_at_once() {
    let facts = facts(
        &[
            ("binlog_format", "STATEMENT"),
            ("binlog_row_image", "MINIMAL"),
            ("binlog_row_value_options", "PARTIAL_JSON"),
        ],
        &["GRANT USAGE ON *.* TO `cdc`@`%`"],
    );
    let needs = Needs { offset_file: Some("binlog.000001".into()), ..needs() };
    let findings = judge(&facts, &needs);
    assert_eq!(
        whats(&findings),
        [
            ("binlog_format", Severity::Error),
            ("binlog_row_image", Severity::Error),
            ("privilege REPLICATION SLAVE", Severity::Error),
            ("privilege REPLICATION CLIENT", Severity::Error),
            ("privilege SELECT", Severity::Error),
            ("privilege RELOAD", Severity::Error),
            ("binlog file of the stored offset", Severity::Error),
        ]
    );
    assert_eq!(findings[0].actual, "STATEMENT");
    assert_eq!(findings[2].remedy, "GRANT REPLICATION SLAVE ON *.* TO 'cdc'");
    assert_eq!(findings[6].actual, "the server has binlog.000003 to binlog.000004");
}

#[test]
fn images_without_blobs_are_only_warned_of() {
    for (row_image, expected) in [
        ("FULL", &[][..]),
        ("NOBLOB", &[("binlog_row_image", Severity::Warning)]),
        ("noblob", &[("binlog_row_image", Severity::Warning)]),
        ("MINIMAL", &[("binlog_row_image", Severity::Error)]),
    ] {
        let facts =
            facts(&[("binlog_row_image", row_image), ("binlog_row_value_options", "PARTIAL_JSON")], ALL);
        assert_eq!(whats(&judge(&facts, &needs())), expected, "{row_image}");
    }
}

#[test]
fn no_binlog_hides_what_follows_from_it() {
    let mut facts = facts(&[("log_bin", "OFF")], ALL);
    facts.binary_logs = None;
    let needs = Needs { offset_file: Some("binlog.000001".into()), ..needs() };
    assert_eq!(whats(&judge(&facts, &needs)), [("log_bin", Severity::Error)]);
}

#[test]
fn table_locks_stand_in_for_the_global_one() {
    let grants = [
        "GRANT REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO `c`@`%`",
        "GRANT SELECT, LOCK TABLES ON `d`.* TO `c`@`%`",
    ];
    assert_eq!(whats(&judge(&facts(&[], &grants), &needs())), [("privilege RELOAD", Severity::Warning)]);
    let no_locks = Needs { snapshot_locks: false, ..needs() };
    assert_eq!(judge(&facts(&[], &grants), &no_locks), []);
}

#[test]
fn gtids_decide_instead_of_the_file() {
    let mut facts = facts(&[("gtid_mode", "ON")], ALL);
    let needs = Needs {
        offset_file: Some("binlog.000001".into()),
        offset_gtids: Some("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5".parse().unwrap()),
        ..needs()
    };
    let found = |unknown: &str, purged: &str| {
        let set = |numbers: &str| match numbers {
            "" => GtidSet::new(),
            numbers => format!("3e11fa47-71ca-11e1-9e33-c80aa9429562:{numbers}").parse().unwrap(),
        };
        Some(GtidAvailability { unknown: set(unknown), purged: set(purged) })
    };
    for (gtids, expected, actual) in [
        (found("", ""), vec![], ""),
        (
            found("", "6-7:9"),
            vec!["gtid_purged"],
            "3e11fa47-71ca-11e1-9e33-c80aa9429562:6-7:9 is purged and was not read",
        ),
        (
            found("4-5", ""),
            vec!["gtid_executed"],
            "it has not executed 3e11fa47-71ca-11e1-9e33-c80aa9429562:4-5",
        ),
        (
            found("5", "7"),
            vec!["gtid_executed", "gtid_purged"],
            "it has not executed 3e11fa47-71ca-11e1-9e33-c80aa9429562:5",
        ),
        (None, vec!["binlog file of the stored offset"], "the server has binlog.000003 to binlog.000004"),
    ] {
        facts.gtids = gtids;
        let findings = judge(&facts, &needs);
        assert_eq!(findings.iter().map(|finding| finding.what).collect::<Vec<_>>(), expected);
        assert_eq!(findings.first().map_or("", |finding| finding.actual.as_str()), actual);
    }
}
