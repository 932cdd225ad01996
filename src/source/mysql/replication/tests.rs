use super::*;
use crate::source::mysql::flavor::ServerVersion;
use crate::source::mysql::privileges::Privileges;

fn found(variables: &[(&str, &str)], replica: Option<ReplicaStatus>) -> Vec<(&'static str, String)> {
    let mut all = vec![("log_bin", "ON"), ("gtid_mode", "ON"), ("sync_binlog", "1")];
    all.extend_from_slice(variables);
    let facts = Facts {
        version: ServerVersion::parse("9.7.4"),
        variables: all.into_iter().collect(),
        privileges: Privileges::default(),
        binary_logs: None,
        gtids: None,
        replication: replica,
    };
    let findings = failover_findings(&facts);
    assert!(findings.iter().all(|finding| finding.severity == Severity::Warning));
    findings.into_iter().map(|finding| (finding.what, finding.actual)).collect()
}

fn whats(variables: &[(&str, &str)], replica: Option<ReplicaStatus>) -> Vec<&'static str> {
    found(variables, replica).into_iter().map(|(what, _)| what).collect()
}

#[test]
fn a_source_needs_gtids_and_binlogs_that_last() {
    for (variables, expected) in [
        (&[][..], &[][..]),
        (&[("gtid_mode", "OFF")], &["gtid_mode"]),
        (&[("gtid_mode", "ON_PERMISSIVE")], &["gtid_mode"]),
        (&[("sync_binlog", "0")], &["sync_binlog"]),
        (&[("binlog_expire_logs_seconds", "2592000")], &[]),
        (&[("binlog_expire_logs_seconds", "3600")], &["binlog_expire_logs_seconds"]),
        (&[("binlog_expire_logs_seconds", "3600"), ("binlog_expire_logs_auto_purge", "OFF")], &[]),
        (&[("binlog_expire_logs_seconds", "0"), ("expire_logs_days", "0")], &[]),
        (
            &[("binlog_expire_logs_seconds", "0"), ("expire_logs_days", "0.5")],
            &["binlog_expire_logs_seconds"],
        ),
        // These matter on a replica only.
        (&[("log_replica_updates", "OFF"), ("replica_parallel_workers", "4")], &[]),
    ] {
        assert_eq!(whats(variables, Some(ReplicaStatus::default())), expected, "{variables:?}");
        assert_eq!(whats(variables, None), expected, "{variables:?}");
    }
}

#[test]
fn a_replica_has_to_write_and_keep_the_order() {
    let replica = |filters: &[&str]| {
        Some(ReplicaStatus { channels: 1, filters: filters.iter().map(|f| (*f).to_owned()).collect() })
    };
    let new = ["log_replica_updates", "replica_parallel_workers", "replica_preserve_commit_order"];
    let old = ["log_slave_updates", "slave_parallel_workers", "slave_preserve_commit_order"];
    for [updates, workers, order] in [new, old] {
        let safe = [(updates, "ON"), (workers, "4"), (order, "ON")];
        assert_eq!(found(&safe, replica(&[])), []);
        assert_eq!(found(&[(updates, "ON"), (workers, "1"), (order, "OFF")], replica(&[])), []);
        assert_eq!(found(&[(updates, "ON"), (workers, "0"), (order, "OFF")], replica(&[])), []);
        assert_eq!(
            found(&[(updates, "OFF"), (workers, "4"), (order, "OFF")], replica(&[])),
            [
                ("log_replica_updates", "OFF".to_owned()),
                ("replica_preserve_commit_order", "OFF with 4 workers".to_owned()),
            ]
        );
        let tracking = [("binlog_transaction_dependency_tracking", "WRITESET")];
        let unsafe_order = [(updates, "ON"), (workers, "2"), (order, "0"), tracking[0]];
        assert_eq!(
            found(&unsafe_order, replica(&[])),
            [(
                "replica_preserve_commit_order",
                "OFF with 2 workers, binlog_transaction_dependency_tracking=WRITESET".to_owned()
            )]
        );
        assert_eq!(
            found(&safe, replica(&["Replicate_Do_DB=shop"])),
            [("replication filters", "Replicate_Do_DB=shop".to_owned())]
        );
    }
}

#[test]
fn the_status_of_a_replica_is_read_by_column_name() {
    let columns = [
        "Source_Host",
        "Replicate_Do_DB",
        "Replicate_Ignore_Table",
        "Replicate_Wild_Do_Table",
        "Replicate_Ignore_Server_Ids",
        "Replicate_Rewrite_DB",
    ];
    let row = |cells: [&str; 6]| cells.map(|cell| Some(cell.to_owned())).to_vec();
    let mut result = TextResult {
        columns: columns.map(String::from).to_vec(),
        rows: vec![row(["a", "", "", "", "", ""]), row(["b", "shop", "x.y", "", "7", ""])],
    };
    let status = ReplicaStatus::of(&result);
    assert_eq!(status.channels, 2);
    assert_eq!(status.filters, ["Replicate_Do_DB=shop", "Replicate_Ignore_Table=x.y"]);
    result.rows.clear();
    assert_eq!(ReplicaStatus::of(&result), ReplicaStatus::default());
}
