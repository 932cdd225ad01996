//! The servers are what the other tests take them for.

use crate::support::database::{Database, MARIADB, MYSQL57, MYSQL80, MYSQL97, MYSQL97_NOGTID, variable};
use std::net::TcpStream;
use std::path::Path;

#[test]
fn versions_formats_and_gtid_modes_are_as_named() {
    let gtid = "select @@version, @@binlog_format, @@binlog_row_image, @@gtid_mode";
    let cases: [(&Database, &str, &str, &str); 5] = [
        (&MYSQL97, gtid, "9.", "ROW\tFULL\tON"),
        (&MYSQL97_NOGTID, gtid, "9.", "ROW\tFULL\tOFF"),
        (&MYSQL80, gtid, "8.0.15", "ROW\tFULL\tON"),
        (&MYSQL57, gtid, "5.7.19", "ROW\tFULL\tON"),
        (&MARIADB, "select @@version, @@binlog_format, @@binlog_row_image", "", "ROW\tFULL"),
    ];
    for (database, query, version, settings) in cases {
        let row = database.sql(query).remove(0);
        assert!(
            row.starts_with(version) && row.ends_with(settings),
            "wanted {version} {settings}, found {row}"
        );
    }
}

#[test]
fn a_connectors_user_has_its_privileges() {
    for database in [&MYSQL97, &MYSQL97_NOGTID, &MYSQL80, &MYSQL57, &MARIADB] {
        let grants = database.sql("show grants for dbz").join(" ");
        for privilege in ["SELECT", "RELOAD", "SHOW DATABASES", "REPLICATION SLAVE", "LOCK TABLES"] {
            assert!(grants.contains(privilege), "{privilege} is missing in {grants}");
        }
    }
}

#[test]
fn servers_listen_and_binlogs_can_be_read() {
    for database in [&MYSQL97, &MYSQL97_NOGTID, &MYSQL80, &MYSQL57, &MARIADB] {
        let (host, port) = database.address();
        TcpStream::connect((host.as_str(), port)).expect("the server listens");
    }
    TcpStream::connect(variable("TIDEWIRE_KAFKA")).expect("the broker listens");
    let binlog = Path::new(&variable("TIDEWIRE_MYSQL97_DATA")).join("binlog.000001");
    let header = std::fs::read(binlog).expect("a binlog");
    // The magic number of a binlog file.
    assert_eq!(header.get(..4), Some(&[0xfe, b'b', b'i', b'n'][..]));
}
