//! Two servers that replicate from each other: one test at a time has them.

use std::time::Duration;

use tidewire::source::mysql::Connection;

use crate::mysql_server::root;
use crate::support::database::{Database, MYSQL97_REPLICA, MYSQL97_RESTARTED};
use crate::support::process::{LIMIT, wait_until};
use crate::support::restarted::{self, Restarted};

/// `MYSQL97_RESTARTED` and `MYSQL97_REPLICA`, by the numbers 0 and 1.
pub struct Topology {
    servers: [Restarted; 2],
}

impl Topology {
    /// Both run, have no transactions and no such database, and replicate nothing.
    pub fn fresh(database: &str) -> Self {
        let topology = Topology { servers: [restarted::mysql(), restarted::replica()] };
        for number in [0, 1] {
            topology.forget(number, database);
        }
        topology
    }

    /// Where a server is.
    pub fn database(&self, number: usize) -> &'static Database {
        if number == 0 { &MYSQL97_RESTARTED } else { &MYSQL97_REPLICA }
    }

    pub fn session(&self, number: usize) -> Connection {
        root(self.database(number).variable())
    }

    /// Runs statements on a server.
    pub fn execute(&self, number: usize, statements: &[&str]) {
        let mut session = self.session(number);
        for statement in statements {
            session.execute(statement).unwrap_or_else(|error| panic!("{number}: {statement}: {error}"));
        }
    }

    /// Takes everything back that a test may have done to a server.
    pub fn forget(&self, number: usize, database: &str) {
        const MODES: [&str; 4] = ["OFF", "OFF_PERMISSIVE", "ON_PERMISSIVE", "ON"];
        let mode = self.session(number).query_value("SELECT @@GLOBAL.gtid_mode").unwrap();
        for next in MODES.iter().skip_while(|known| mode.as_deref() != Some(**known)).skip(1) {
            self.execute(number, &[&format!("SET GLOBAL gtid_mode = {next}")]);
        }
        self.promote(number);
        self.execute(
            number,
            &[
                "SET SESSION sql_log_bin = 0",
                &format!("DROP DATABASE IF EXISTS {database}"),
                "RESET BINARY LOGS AND GTIDS",
            ],
        );
    }

    /// A server becomes the replica of the other one.
    pub fn replicate_from(&self, source: usize) {
        let (host, port) = self.database(source).address();
        self.execute(
            1 - source,
            &[
                "STOP REPLICA",
                &format!(
                    "CHANGE REPLICATION SOURCE TO SOURCE_HOST = '{host}', SOURCE_PORT = {port}, SOURCE_USER = 'root', \
                     SOURCE_AUTO_POSITION = 1, SOURCE_CONNECT_RETRY = 1, GET_SOURCE_PUBLIC_KEY = 1"
                ),
                "START REPLICA",
            ],
        );
    }

    /// What a server has executed.
    pub fn executed(&self, number: usize) -> String {
        let set = self.session(number).query_value("SELECT @@GLOBAL.gtid_executed").unwrap();
        set.unwrap_or_default().replace('\n', "")
    }

    /// Waits until the other server has executed all that this one has.
    pub fn wait_for_replica_of(&self, source: usize) {
        let set = self.executed(source);
        let mut session = self.session(1 - source);
        wait_until("the replica has caught up", LIMIT, || {
            let subset = format!("SELECT GTID_SUBSET('{set}', @@GLOBAL.gtid_executed)");
            if session.query_value(&subset).unwrap().as_deref() == Some("1") {
                return true;
            }
            let errors = session
                .query(
                    "SELECT last_error_message FROM performance_schema.replication_applier_status_by_worker",
                )
                .unwrap();
            let first = errors.rows.iter().flatten().flatten().find(|error| !error.is_empty());
            assert_eq!(first, None, "the replica has stopped");
            std::thread::sleep(Duration::from_millis(20));
            false
        });
    }

    /// A replica becomes a server of its own.
    pub fn promote(&self, number: usize) {
        self.execute(
            number,
            &[
                "STOP REPLICA",
                "RESET REPLICA ALL",
                "SET GLOBAL super_read_only = OFF",
                "SET GLOBAL read_only = OFF",
            ],
        );
    }

    pub fn stop(&self, number: usize) {
        self.servers[number].stop();
    }

    pub fn kill(&self, number: usize) {
        self.servers[number].kill();
    }

    pub fn start(&self, number: usize) {
        self.servers[number].start();
    }
}
