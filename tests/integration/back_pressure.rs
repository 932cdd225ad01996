//! Brokers that do not take records: the connector stops reading, its memory stays as it is, and a server that loses patience
//! meanwhile is asked again for what is missing.

use std::fs;
use std::process::Command;
use std::time::Duration;

use tidewire::source::mysql::Connection;

use crate::mysql_server::database;
use crate::support::connector::{Connector, STREAMING};
use crate::support::database::{MYSQL97, MYSQL97_RESTARTED, variable};
use crate::support::process::{Process, wait_until};
use crate::support::records::Record;
use crate::support::restarted;

/// Far more than queue, producer and sockets hold; rows of a thousand bytes.
const ROWS: i64 = 60_000;
/// What a connector may have: a tenth more than an idle one's and the bounds together, and less than the rows.
const MOST_MEMORY: u64 = 70 << 20;
/// The rows take a while where cores are shared.
const LIMIT: Duration = Duration::from_secs(180);

fn memory(process: &Process) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() << 10
}

fn insert(rows: i64) -> String {
    format!(
        "INSERT INTO t WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < {rows}) \
         SELECT id, REPEAT('x', 1000) FROM n"
    )
}

/// The ids, each once and in order.
fn assert_all(records: &[Record], op: &str) {
    let came: Vec<i64> = records.iter().filter(|record| record.op() == op).map(Record::id).collect();
    if let Some(place) = (0..ROWS).find(|place| came.get(*place as usize) != Some(&(place + 1))) {
        panic!("of {} rows number {place} is {:?}", came.len(), came.get(place as usize));
    }
    assert_eq!(came.len() as i64, ROWS);
}

/// Those of the connector.
fn kill_connections(session: &mut Connection) {
    let sql = "SELECT id FROM performance_schema.processlist WHERE user = 'dbz'";
    for row in session.query(sql).unwrap().rows {
        // One may have ended meanwhile.
        let _ = session.execute(&format!("KILL {}", row[0].as_deref().unwrap()));
    }
}

/// A broker that is stopped for longer than the server waits for a reader (net_write_timeout), under a load that is many times
/// larger than all bounds: while the log is read, while a snapshot is, and while one is whose sessions are lost.
#[test]
fn a_stopped_broker_stalls_reading_and_not_memory() {
    let (_server, broker) = (restarted::mysql(), restarted::kafka());
    let name = "stalled";
    let mut session = database(MYSQL97_RESTARTED.variable(), name);
    for statement in [
        "SET GLOBAL net_write_timeout = 2, GLOBAL net_retry_count = 1",
        "SET GLOBAL cte_max_recursion_depth = 1000000",
        "SET SESSION cte_max_recursion_depth = 1000000",
        "CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(1000)) CHARACTER SET ascii",
        "CREATE TABLE behind_no_data (id INT PRIMARY KEY)",
        "CREATE TABLE behind_initial (id INT PRIMARY KEY)",
        "CREATE TABLE behind_cut (id INT PRIMARY KEY)",
    ] {
        session.execute(statement).unwrap();
    }
    for (mode, op, is_lost) in [("no_data", "c", true), ("initial", "r", false), ("cut", "r", true)] {
        let mut connector =
            Connector::to_kafka(&MYSQL97_RESTARTED, name, &variable("TIDEWIRE_KAFKA_RESTARTED"));
        connector.prefix = format!("{}_{mode}", connector.prefix);
        let prefix = connector.prefix.clone();
        connector
            .set("topic.prefix", &prefix)
            .set("snapshot.mode", if mode == "no_data" { mode } else { "initial" })
            .set("exactly.once.support", "required")
            .set("schema.history.internal.kafka.topic", &format!("history.{prefix}"))
            .set_worker("exactly.once.source.support", "enabled")
            .set_worker("group.id", &prefix)
            .set_worker("offset.storage.topic", &format!("offsets.{prefix}"));
        let process = match mode {
            "no_data" => {
                let process = connector.start_streaming();
                broker.pause();
                session.execute(&insert(ROWS)).unwrap();
                process
            }
            _ => {
                let mut process = connector.start();
                // Its topic is there and its rows are on their way.
                process.wait_for(&format!("topic created topic=\"{prefix}.{name}.t\""), 1);
                broker.pause();
                process
            }
        };
        // The server must lose its patience: twice two seconds, and some.
        std::thread::sleep(Duration::from_secs(12));
        if mode == "cut" {
            kill_connections(&mut session);
        }
        broker.go_on();
        // A row that is committed behind all of them, in a table that gets its topic by it.
        session.execute(&format!("INSERT INTO behind_{mode} VALUES (1)")).unwrap();
        let topic = format!("topic created topic=\"{prefix}.{name}.behind_{mode}\"");
        // Behind all rows, whether it is read by a snapshot that begins again or from the log.
        wait_until("the last row", LIMIT, || {
            let log = process.log();
            log.contains(STREAMING) && log.contains(&topic)
        });
        assert!(memory(&process) < MOST_MEMORY, "{} bytes", memory(&process));
        let ended = process.terminate();
        ended.expect(0, &["streaming started"]);
        // The sessions of a snapshot ask the server for more patience.
        assert_eq!(ended.log.contains("lost the connection to mysql server"), is_lost, "{}", ended.log);
        let records = connector.records("t");
        if mode == "no_data" {
            assert_all(&records, op);
        } else {
            // A snapshot that was cut off starts again; its last attempt is whole.
            let ids: Vec<i64> = records.iter().map(Record::id).collect();
            let start = ids.iter().rposition(|id| *id == 1).unwrap();
            assert_all(&records[start..], op);
        }
    }
    session.execute("SET GLOBAL net_write_timeout = DEFAULT, GLOBAL net_retry_count = DEFAULT").unwrap();
}

/// A stop while reading is stalled by a broker that answers nothing, and what the next start makes of it.
#[test]
fn a_stop_does_not_wait_for_a_silent_broker() {
    let (_server, broker) = (restarted::mysql(), restarted::kafka());
    let name = "stalled_stop";
    let mut session = database(MYSQL97_RESTARTED.variable(), name);
    session.execute("SET SESSION cte_max_recursion_depth = 1000000").unwrap();
    session.execute("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(1000)) CHARACTER SET ascii").unwrap();
    let mut connector = Connector::to_kafka(&MYSQL97_RESTARTED, name, &variable("TIDEWIRE_KAFKA_RESTARTED"));
    connector.set("exactly.once.support", "required").set_worker("exactly.once.source.support", "enabled");
    let process = connector.start_streaming();
    broker.pause();
    session.execute(&insert(ROWS)).unwrap();
    std::thread::sleep(Duration::from_secs(3));
    // It has ten seconds.
    let ended = process.terminate();
    broker.go_on();
    ended.expect(0, &[]);
    let process = connector.start_streaming();
    wait_until("the last row", LIMIT, || {
        connector.records("t").last().is_some_and(|record| record.id() == ROWS)
    });
    process.terminate().expect(0, &["stopped"]);
    assert_all(&connector.records("t"), "c");
}

/// A broker's quota slows the connector down and is told as what it is: no connection is lost over it, nothing comes twice, and a
/// stop does not wait for it.
#[test]
fn a_quota_is_obeyed() {
    const FEW: i64 = 4_000;
    let name = "quota";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(1000)) CHARACTER SET ascii").unwrap();
    let broker = variable("TIDEWIRE_KAFKA");
    let (_, broker_port) = broker.rsplit_once(':').unwrap();
    let set = Command::new(variable("TIDEWIRE_SERVERS"))
        .args(["quota", broker_port, name, "400000"])
        .output()
        .unwrap();
    assert!(set.status.success(), "{}", String::from_utf8_lossy(&set.stderr));
    let mut connector = Connector::to_kafka(&MYSQL97, name, &broker);
    connector
        .set("producer.override.client.id", name)
        .set("exactly.once.support", "required")
        .set_worker("exactly.once.source.support", "enabled");
    let process = connector.start_streaming();
    session.execute("SET SESSION cte_max_recursion_depth = 100000").unwrap();
    session.execute(&insert(FEW)).unwrap();
    wait_until("the quota", LIMIT, || process.log().contains("a quota of the kafka broker"));
    let ended = process.terminate();
    ended.expect(0, &["stopped"]);
    assert!(ended.after < Duration::from_secs(10), "{:?}", ended.after);
    let mut process = connector.start_streaming();
    wait_until("the last row", LIMIT, || {
        connector.records("t").last().is_some_and(|record| record.id() == FEW)
    });
    let ids: Vec<i64> = connector.records("t").iter().map(Record::id).collect();
    assert_eq!(ids, (1..=FEW).collect::<Vec<_>>());
    assert!(process.is_running() && !connector.logs().contains("not reachable"), "{}", connector.logs());
    process.terminate().expect(0, &["stopped"]);
}
