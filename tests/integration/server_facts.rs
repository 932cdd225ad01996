//! What servers say about themselves, and the judgement of it.

use std::time::Duration;

use tidewire::offset::gtid::GtidSet;
use tidewire::source::mysql::Connection;
use tidewire::source::mysql::position::{GtidAvailability, binary_logs, binlog_status, gtid_availability};
use tidewire::source::mysql::prerequisites::{Needs, Severity, check};
use tidewire::source::mysql::privileges::Privileges;
use tidewire::source::mysql::variables::ServerVariables;

use crate::mysql_server::{ALL, MARIADB, MYSQL57, MYSQL97, account, config, database, root};

#[test]
fn variables_of_every_server() {
    for server in ALL {
        let mut connection = root(server);
        let variables = ServerVariables::read(&mut connection).unwrap();
        assert!(variables.log_bin() && variables.gtid_mode_on(), "{server}");
        assert_eq!((variables.binlog_format(), variables.binlog_row_image()), ("ROW", "FULL"));
        assert_eq!(variables.binlog_row_metadata(), if server == MYSQL57 { "" } else { "MINIMAL" });
        assert_eq!(variables.server_uuid().len(), 36);
        assert_eq!(variables.lower_case_table_names(), 0);
        assert!(!variables.character_set_server().is_empty() && !variables.time_zone().is_empty());
    }
}

#[test]
fn the_end_of_the_log_moves_with_every_transaction() {
    for server in ALL {
        let mut connection = database(server, "it_position");
        let before = binlog_status(&mut connection).unwrap();
        connection.execute("CREATE TABLE t (a INT)").unwrap();
        let after = binlog_status(&mut connection).unwrap();
        assert!((&after.file, after.position) > (&before.file, before.position));
        assert_ne!(after.executed_gtids, before.executed_gtids);
        let logs = binary_logs(&mut connection).unwrap();
        assert!(
            logs.iter().any(|log| log.name == after.file && log.size >= after.position && !log.encrypted)
        );
    }
}

#[test]
fn the_server_says_whether_a_stored_set_can_go_on() {
    for server in ALL {
        let mut connection = root(server);
        let executed = binlog_status(&mut connection).unwrap().executed_gtids;
        let executed: GtidSet = executed.parse().unwrap();
        let ask = |connection: &mut Connection, set: &GtidSet| {
            gtid_availability(connection, set, Duration::from_secs(1)).unwrap()
        };
        assert!(ask(&mut connection, &executed).is_available());
        let foreign: GtidSet = "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5".parse().unwrap();
        let found = ask(&mut connection, &executed.union(&foreign));
        assert_eq!(found, GtidAvailability { unknown: foreign, purged: GtidSet::new() });
        connection.ping().unwrap();
    }
}

#[test]
fn root_may_do_everything() {
    for server in ALL {
        let mut connection = root(server);
        let privileges = Privileges::read(&mut connection).unwrap();
        assert!(
            privileges.can_replicate()
                && privileges.can_see_binlog_status()
                && privileges.can_lock_globally()
        );
        assert!(privileges.has("SELECT") && privileges.can_lock_tables());
        let needs = Needs { snapshot_rows: true, snapshot_locks: true, ..Needs::default() };
        let findings = check(&mut connection, &needs).unwrap();
        assert_eq!(findings, [], "{server}");
    }
}

#[test]
fn an_account_without_privileges_and_a_lost_file_are_told_at_once() {
    for server in ALL {
        let plugin = if server == MYSQL57 { "mysql_native_password" } else { "caching_sha2_password" };
        let mut root = account(server, "it_facts", plugin, "pw");
        let needs = Needs {
            user: "it_facts".into(),
            snapshot_rows: true,
            snapshot_locks: true,
            offset_file: Some("binlog.999999".into()),
            offset_gtids: None,
        };
        let mut connection = Connection::connect(&config(server, "it_facts", "pw")).unwrap();
        let findings = check(&mut connection, &needs).unwrap();
        assert_eq!(
            findings.iter().map(|finding| finding.what).collect::<Vec<_>>(),
            [
                "privilege REPLICATION SLAVE",
                "privilege REPLICATION CLIENT",
                "privilege SELECT",
                "privilege RELOAD"
            ]
        );
        // What the remedies say helps, and lets the lost file be seen.
        for finding in &findings {
            assert_eq!(finding.severity, Severity::Error);
            let sql = finding.remedy.replace("'it_facts'", "'it_facts'@'%'");
            root.execute(&sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        }
        let mut connection = Connection::connect(&config(server, "it_facts", "pw")).unwrap();
        let findings = check(&mut connection, &needs).unwrap();
        assert_eq!(
            findings.iter().map(|finding| finding.what).collect::<Vec<_>>(),
            ["binlog file of the stored offset"]
        );
    }
}

#[test]
fn mariadb_says_what_it_is() {
    let mut connection = database(MARIADB, "it_facts");
    assert!(connection.server_version().is_mariadb());
    let variables = ServerVariables::read(&mut connection).unwrap();
    assert!(variables.log_bin() && !variables.has("gtid_mode"));
    let status = binlog_status(&mut connection).unwrap();
    assert!(status.file.starts_with("binlog.") && status.executed_gtids.is_empty());
    let needs = Needs {
        snapshot_rows: true,
        snapshot_locks: true,
        offset_file: Some(status.file),
        ..Needs::default()
    };
    assert_eq!(check(&mut connection, &needs).unwrap(), []);
    assert_eq!(connection.query_value("SELECT 'ü'").unwrap().as_deref(), Some("ü"));
    let mut rows = connection.prepare_and_stream("SELECT 1, NULL").unwrap();
    assert!(rows.next_row().unwrap().is_some() && rows.next_row().unwrap().is_none());
}

#[test]
fn privileges_of_a_role_count() {
    let mut root = account(MYSQL97, "it_role_user", "caching_sha2_password", "pw");
    root.execute("DROP ROLE IF EXISTS it_role").unwrap();
    root.execute("CREATE ROLE it_role").unwrap();
    root.execute("GRANT REPLICATION SLAVE, FLUSH_TABLES ON *.* TO it_role").unwrap();
    root.execute("GRANT it_role TO it_role_user").unwrap();
    root.execute("SET DEFAULT ROLE it_role TO it_role_user").unwrap();
    let mut connection = Connection::connect(&config(MYSQL97, "it_role_user", "pw")).unwrap();
    let privileges = Privileges::read(&mut connection).unwrap();
    assert!(privileges.can_replicate() && privileges.can_lock_globally() && !privileges.has("SELECT"));
}
