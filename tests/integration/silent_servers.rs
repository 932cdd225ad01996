//! A way to the server on which everything gets lost while both ends believe that it stands.

use std::time::{Duration, Instant};

use crate::mysql_server::database;
use crate::proxy::Proxy;
use crate::support::connector::{Connector, STREAMING};
use crate::support::database::{MYSQL97, variable};
use crate::support::process::LIMIT;
use crate::support::writer::{Writer, written};

/// The server sends a heartbeat every 0.8 times this, and three that are missing are too many: 2.4 s.
const KEEP_ALIVE_MS: &str = "1000";

fn connector(name: &str, proxy: &Proxy) -> Connector {
    let mut connector = Connector::to_files(&MYSQL97, name);
    connector
        .set("database.port", &proxy.port.to_string())
        .set("connect.keep.alive.interval.ms", KEEP_ALIVE_MS)
        .set("connect.timeout.ms", "1000");
    connector
}

#[test]
fn a_half_open_connection_is_noticed_and_an_idle_one_is_left_alone() {
    let name = "half_open";
    let proxy = Proxy::new(variable(MYSQL97.variable())).unwrap();
    let mut writer = Writer::new(database(MYSQL97.variable(), name));
    let connector = connector(name, &proxy);
    let mut process = connector.start_streaming();
    assert!(writer.transaction());
    connector.wait_for_records("t", writer.expected().len());
    // More than twice what is too long for a silent one.
    std::thread::sleep(Duration::from_secs(6));
    assert_eq!(process.log().matches(STREAMING).count(), 1, "{}", process.log());

    proxy.set_silent(true);
    let began = Instant::now();
    for _ in 0..10 {
        assert!(writer.transaction());
    }
    process.wait_for("no event and no heartbeat from mysql server", 1);
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    // Another attempt finds no greeting.
    process.wait_for("the connector starts again", 2);
    proxy.set_silent(false);
    process.wait_for(STREAMING, 2);
    connector.wait_for_records("t", writer.expected().len());
    process.terminate().expect(0, &["stopped"]);
    assert_eq!(written(&connector.records("t")), writer.expected());
}

/// SIGTERM is obeyed in time whatever is waited for.
#[test]
fn a_stop_does_not_wait_for_a_silent_server() {
    let name = "silent_stop";
    let proxy = Proxy::new(variable(MYSQL97.variable())).unwrap();
    let mut writer = Writer::new(database(MYSQL97.variable(), name));
    for state in ["connecting", "idle", "reading a snapshot", "waiting to start again"] {
        let mut connector = connector(name, &proxy);
        connector.set("connect.timeout.ms", "60000").set("connect.keep.alive.interval.ms", "60000");
        proxy.set_silent(matches!(state, "connecting" | "waiting to start again"));
        let process = match state {
            "idle" => {
                let process = connector.start_streaming();
                proxy.set_silent(true);
                assert!(writer.transaction());
                process
            }
            "reading a snapshot" => {
                connector.set("snapshot.delay.ms", "1500");
                let mut process = connector.start();
                process.wait_for("snapshot", 1);
                // The account's session is open, and what it is asked next gets lost.
                proxy.set_silent(true);
                std::thread::sleep(Duration::from_secs(2));
                process
            }
            "waiting to start again" => {
                connector
                    .set("connect.timeout.ms", "300")
                    .set("retriable.restart.connector.wait.ms", "60000");
                let mut process = connector.start();
                process.wait_for("the connector starts again", 1);
                process
            }
            _ => {
                let process = connector.start();
                std::thread::sleep(Duration::from_secs(1));
                process
            }
        };
        // `terminate` gives it ten seconds.
        let ended = process.terminate();
        assert_eq!(ended.code, Some(0), "{state}: {}", ended.log);
        assert!(ended.after < LIMIT, "{state}");
        proxy.set_silent(false);
        proxy.cut();
    }
}
