//! A connector moves from a server to another one of its topology: every change once, in order, whatever the files are
//! called and wherever it was cut off; and sets that do not fit are refused with the exact difference.

use std::time::Duration;

use serde_json::Value;
use tidewire::source::mysql::Connection;

use crate::support::connector::Connector;
use crate::support::process::{LIMIT, wait_until};
use crate::support::topology::Topology;

/// Ids of transactions that numbered themselves.
const OTHER: &str = "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee";

/// A connector that stores its position behind each small batch, so that a kill falls into a transaction.
fn connector(topology: &Topology, name: &str) -> Connector {
    let mut connector = Connector::to_files(topology.database(0), name);
    connector
        .set("max.batch.size", "7")
        .set("max.queue.size", "8")
        .set("provide.transaction.metadata", "true")
        .set_worker("offset.flush.interval.ms", "1");
    connector
}

fn point_at(connector: &mut Connector, topology: &Topology, number: usize) {
    let (host, port) = topology.database(number).address();
    connector.set("database.hostname", &host).set("database.port", &port.to_string());
}

/// The ids of the rows that were published, in order.
/// The newest stored position: Debezium's offset and what stands beside it, as they are in the file.
fn stored(connector: &Connector) -> String {
    String::from_utf8_lossy(&std::fs::read(connector.file("offsets.dat")).unwrap_or_default()).into_owned()
}

/// Starts the connector and kills it when it has published some, but not all, of the next `rows` rows.
fn kill_inside(connector: &Connector, rows: usize) {
    let before = connector.ids("t").len();
    let process = connector.start();
    let size = || {
        let file = connector.file(&format!("records/{0}.{0}.t.jsonl", connector.name));
        std::fs::metadata(file).map_or(0, |metadata| metadata.len())
    };
    let began = size();
    wait_until("some rows of the transaction", LIMIT, || size() > began + 20_000);
    process.kill();
    let now = connector.ids("t").len() - before;
    assert!(now > 0 && now < rows, "{now} of {rows}: the transaction is too small");
}

/// Every transaction has one BEGIN and one END, and the order of its rows is counted from 1.
fn assert_whole_transactions(connector: &Connector) {
    let marks = connector.topic(&format!("{}.transaction", connector.name));
    let mut open: Vec<Value> = Vec::new();
    let mut seen = Vec::new();
    for mark in &marks {
        let id = mark.value["id"].clone();
        match mark.value["status"].as_str() {
            Some("BEGIN") => {
                assert!(!seen.contains(&id), "{id} begins twice");
                seen.push(id.clone());
                open.push(id);
            }
            _ => {
                let place = open.iter().position(|began| *began == id);
                open.remove(place.unwrap_or_else(|| panic!("{id} ends and is not open")));
            }
        }
    }
    assert!(open.is_empty(), "{open:?} did not end");
    let mut orders = std::collections::BTreeMap::<String, Vec<i64>>::new();
    for record in connector.records("t").iter().filter(|record| record.op() == "c") {
        let transaction = &record.value["transaction"];
        let order = transaction["total_order"].as_i64().expect("an order");
        orders.entry(transaction["id"].to_string()).or_default().push(order);
    }
    for (id, orders) in orders {
        assert!(orders.iter().zip(1..).all(|(order, expected)| *order == expected), "{id}: {orders:?}");
    }
}

/// A statement that inserts so many rows.
fn insert(first: i64, count: i64) -> String {
    let rows: Vec<String> = (first..first + count).map(|id| format!("({id}, 'value of row {id}')")).collect();
    format!("INSERT INTO t VALUES {}", rows.join(", "))
}

#[test]
fn a_promoted_replica_takes_over_in_the_middle_of_a_transaction() {
    let name = "promoted";
    let topology = Topology::fresh(name);
    topology.replicate_from(0);
    // Other file names.
    topology.execute(1, &["FLUSH BINARY LOGS", "FLUSH BINARY LOGS", "FLUSH BINARY LOGS"]);
    topology.execute(
        0,
        &[
            &format!("CREATE DATABASE {name}"),
            &format!("CREATE TABLE {name}.t (id INT PRIMARY KEY, v VARCHAR(100))"),
        ],
    );
    let mut connector = connector(&topology, name);
    connector.start_streaming().terminate().expect(0, &[]);
    topology
        .execute(0, &[&format!("USE {name}"), &insert(0, 10), &insert(10, 5_000), "ALTER TABLE t ADD w INT"]);
    kill_inside(&connector, 5_010);
    topology.wait_for_replica_of(0);
    topology.kill(0);
    topology.promote(1);
    topology.execute(1, &[&format!("USE {name}"), "INSERT INTO t VALUES (5010, 'on the new one', 1)"]);
    point_at(&mut connector, &topology, 1);
    let process = connector.start_streaming();
    connector.wait_for_records("t", 5_011);
    process.terminate().expect(0, &[]);
    assert_eq!(connector.ids("t"), (0..5_011).collect::<Vec<_>>());
    assert_whole_transactions(&connector);
    let altered = connector.topic(name);
    let altered = altered.iter().filter(|r| r.value["ddl"].as_str().is_some_and(|ddl| ddl.contains("ADD w")));
    assert_eq!(altered.count(), 1);
    topology.start(0);
}

#[test]
fn a_statement_that_was_published_is_not_published_again_by_the_new_server() {
    let name = "promoted_ddl";
    let topology = Topology::fresh(name);
    topology.replicate_from(0);
    topology.execute(1, &["FLUSH BINARY LOGS"]);
    topology.execute(
        0,
        &[&format!("CREATE DATABASE {name}"), &format!("CREATE TABLE {name}.t (id INT PRIMARY KEY)")],
    );
    let mut connector = connector(&topology, name);
    let process = connector.start_streaming();
    topology.execute(0, &[&format!("ALTER TABLE {name}.t ADD w INT")]);
    let count = |connector: &Connector| {
        let changes = connector.topic(name);
        changes.iter().filter(|r| r.value["ddl"].as_str().is_some_and(|ddl| ddl.contains("ADD w"))).count()
    };
    wait_until("the statement", LIMIT, || count(&connector) == 1);
    wait_until("its position", LIMIT, || stored(&connector).contains("done"));
    process.kill();
    topology.wait_for_replica_of(0);
    topology.stop(0);
    topology.promote(1);
    topology.execute(1, &[&format!("INSERT INTO {name}.t VALUES (1, 7)")]);
    point_at(&mut connector, &topology, 1);
    let process = connector.start_streaming();
    let rows = connector.wait_for_records("t", 1);
    process.terminate().expect(0, &[]);
    assert_eq!((rows[0].cell("w"), count(&connector)), (&Value::from(7), 1));
    let history = std::fs::read_to_string(connector.file("history.jsonl")).unwrap();
    assert_eq!(history.matches("ADD w").count(), 1);
}

#[test]
fn a_server_that_has_the_transactions_in_another_order_loses_and_doubles_none() {
    let name = "other_order";
    let topology = Topology::fresh(name);
    let gtid = |number: i64| format!("SET SESSION gtid_next = '{OTHER}:{number}'");
    // By hand: as replicas whose workers commit in another order have them.
    let tables = [
        gtid(1),
        format!("CREATE DATABASE {name}"),
        gtid(2),
        format!("CREATE TABLE {name}.t (id INT PRIMARY KEY, v VARCHAR(100))"),
    ];
    let run = |number: usize, statements: &[String]| {
        let all: Vec<&str> = statements.iter().map(String::as_str).collect();
        topology.execute(number, &all);
    };
    let using = format!("USE {name}");
    run(0, &tables);
    run(1, &tables);
    let mut connector = connector(&topology, name);
    connector.start_streaming().terminate().expect(0, &[]);
    let (third, fourth, fifth) = (insert(0, 3_000), insert(3_000, 3_000), insert(6_000, 10));
    run(0, &[using.clone(), gtid(3), third.clone(), gtid(4), fourth.clone(), gtid(5), fifth.clone()]);
    kill_inside(&connector, 3_000);
    // 4 stands before 3 there, and is cut off, too.
    run(1, &[using.clone(), gtid(4), fourth, gtid(3), third, gtid(5), fifth]);
    point_at(&mut connector, &topology, 1);
    kill_inside(&connector, 3_000);
    point_at(&mut connector, &topology, 0);
    kill_inside(&connector, 6_000);
    point_at(&mut connector, &topology, 1);
    let process = connector.start_streaming();
    connector.wait_for_records("t", 6_010);
    process.terminate().expect(0, &[]);
    let mut all = connector.ids("t");
    // Of each transaction in order.
    for range in [0..3_000, 3_000..6_000, 6_000..6_010] {
        let of_one: Vec<i64> = all.iter().copied().filter(|id| range.contains(id)).collect();
        assert_eq!(of_one, range.collect::<Vec<_>>());
    }
    all.sort_unstable();
    assert_eq!(all.len(), 6_010);
    assert_whole_transactions(&connector);
    assert!(connector.start_streaming().terminate().code == Some(0));
    assert_eq!(connector.ids("t").len(), 6_010);
}

#[test]
fn transactions_that_the_new_server_lacks_are_named_and_errant_ones_are_read() {
    let name = "errant";
    let topology = Topology::fresh(name);
    topology.replicate_from(0);
    topology.execute(
        0,
        &[&format!("CREATE DATABASE {name}"), &format!("CREATE TABLE {name}.t (id INT PRIMARY KEY)")],
    );
    topology.wait_for_replica_of(0);
    let mut connector = connector(&topology, name);
    let process = connector.start_streaming();
    topology.execute(1, &["STOP REPLICA"]);
    topology.execute(0, &[&format!("INSERT INTO {name}.t VALUES (1)")]);
    connector.wait_for_records("t", 1);
    process.terminate().expect(0, &[]);
    let uuid = topology.session(0).query_value("SELECT @@server_uuid").unwrap().unwrap();
    point_at(&mut connector, &topology, 1);
    // One transaction was read that it lacks: the insert, whose record is the last one.
    let said = format!("it has not executed {uuid}:3");
    connector.start().wait(LIMIT).expect(1, &["gtid_executed", &said, "a replica that lags", "new snapshot"]);
    // When it has caught up, its own transactions of meanwhile are simply read.
    topology.execute(1, &["SET GLOBAL super_read_only = OFF", &format!("INSERT INTO {name}.t VALUES (2)")]);
    topology.execute(1, &["START REPLICA"]);
    topology.wait_for_replica_of(0);
    let process = connector.start_streaming();
    connector.wait_for_records("t", 2);
    process.terminate().expect(0, &[]);
    assert_eq!(connector.ids("t"), [1, 2]);
    // A reset leaves nothing that fits.
    topology.execute(1, &["STOP REPLICA", "RESET REPLICA ALL", "RESET BINARY LOGS AND GTIDS"]);
    // Beside its own of before, in the order of their servers.
    let said = [&format!("{uuid}:1-3"), "gtid_executed", "it has not executed", "or the server was reset"];
    connector.start().wait(LIMIT).expect(1, &said);
    connector.set("snapshot.mode", "when_needed");
    let process = connector.start_streaming();
    let records = connector.wait_for_records("t", 4);
    process.terminate().expect(0, &["a new snapshot is taken"]);
    assert_eq!(records[2..].iter().map(|r| (r.op(), r.id())).collect::<Vec<_>>(), [("r", 1), ("r", 2)]);
}

/// Leaves the newest file alone; one that somebody still reads the server keeps.
fn purge(session: &mut Connection) {
    session.execute("FLUSH BINARY LOGS").unwrap();
    wait_until("the files are purged", LIMIT, || {
        let logs = session.query("SHOW BINARY LOGS").unwrap();
        let last = logs.rows.last().unwrap()[0].clone().unwrap();
        session.execute(&format!("PURGE BINARY LOGS TO '{last}'")).unwrap();
        logs.rows.len() == 1
    });
}

#[test]
fn what_the_new_server_has_purged_is_named_or_read_by_a_snapshot() {
    let name = "purged_there";
    let topology = Topology::fresh(name);
    topology.replicate_from(0);
    topology.execute(
        0,
        &[&format!("CREATE DATABASE {name}"), &format!("CREATE TABLE {name}.t (id INT PRIMARY KEY)")],
    );
    let mut connector = connector(&topology, name);
    let process = connector.start_streaming();
    topology.execute(0, &[&format!("INSERT INTO {name}.t VALUES (1)")]);
    connector.wait_for_records("t", 1);
    process.terminate().expect(0, &[]);
    topology.execute(
        0,
        &[&format!("INSERT INTO {name}.t VALUES (2)"), &format!("INSERT INTO {name}.t VALUES (3)")],
    );
    topology.wait_for_replica_of(0);
    topology.promote(1);
    let mut session = topology.session(1);
    purge(&mut session);
    session.execute(&format!("INSERT INTO {name}.t VALUES (4)")).unwrap();
    point_at(&mut connector, &topology, 1);
    let uuid = topology.session(0).query_value("SELECT @@server_uuid").unwrap().unwrap();
    let said = format!("{uuid}:4-5 is purged and was not read");
    for mode in ["initial", "no_data", "recovery"] {
        connector.set("snapshot.mode", mode);
        connector.start().wait(LIMIT).expect(1, &["gtid_purged", &said, "take a new snapshot"]);
    }
    // The old one still has them: nothing was lost by asking.
    point_at(&mut connector, &topology, 0);
    connector.set("snapshot.mode", "initial");
    let process = connector.start_streaming();
    connector.wait_for_records("t", 3);
    process.terminate().expect(0, &[]);
    // Behind them the new one will do.
    point_at(&mut connector, &topology, 1);
    let process = connector.start_streaming();
    connector.wait_for_records("t", 4);
    process.terminate().expect(0, &[]);
    assert_eq!(connector.ids("t"), [1, 2, 3, 4]);
    session.execute(&format!("INSERT INTO {name}.t VALUES (5)")).unwrap();
    purge(&mut session);
    connector.set("snapshot.mode", "when_needed");
    let process = connector.start_streaming();
    let records = connector.wait_for_records("t", 9);
    process.terminate().expect(0, &["is purged and was not read", "a new snapshot is taken"]);
    assert_eq!(records[4..].iter().map(|r| r.id()).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    assert!(records[4..].iter().all(|record| record.op() == "r"));
}

#[test]
fn validate_says_what_makes_a_failover_unsafe() {
    let name = "unsafe";
    let topology = Topology::fresh(name);
    let mut connector = Connector::to_files(topology.database(1), name);
    connector.set("snapshot.mode", "initial");
    let [worker, file] = connector.write_files();
    let validate = || {
        let command = crate::support::process::tidewire(["validate", "--worker", &worker, &file]);
        crate::support::process::Process::start(command, &connector.file("validate.log")).wait(LIMIT)
    };
    topology.execute(1, &["SET GLOBAL sync_binlog = 1"]);
    let ended = validate();
    ended.expect(0, &["validate: ok"]);
    assert!(!ended.log.contains("warning"), "{}", ended.log);
    topology.replicate_from(0);
    topology.execute(
        1,
        &[
            "STOP REPLICA",
            "SET GLOBAL replica_parallel_workers = 4",
            "SET GLOBAL replica_preserve_commit_order = OFF",
            "CHANGE REPLICATION FILTER REPLICATE_IGNORE_DB = (nothing)",
            "SET GLOBAL binlog_expire_logs_seconds = 600",
            "SET GLOBAL gtid_mode = ON_PERMISSIVE",
        ],
    );
    let ended = validate();
    topology.execute(
        1,
        &[
            "SET GLOBAL gtid_mode = ON",
            "CHANGE REPLICATION FILTER REPLICATE_IGNORE_DB = ()",
            "SET GLOBAL replica_preserve_commit_order = ON",
            "SET GLOBAL binlog_expire_logs_seconds = DEFAULT",
        ],
    );
    ended.expect(
        0,
        &[
            "warning: gtid_mode",
            "ON_PERMISSIVE",
            "warning: replica_preserve_commit_order",
            "OFF with 4 workers",
            "SET PERSIST replica_preserve_commit_order = ON",
            "warning: replication filters",
            "Replicate_Ignore_DB=nothing",
            "warning: binlog_expire_logs_seconds",
            "600 s",
            "validate: ok",
        ],
    );
    // The start says the same, and goes on.
    topology.execute(1, &["SET GLOBAL sync_binlog = 0", "RESET REPLICA ALL"]);
    connector.set("snapshot.mode", "initial_only");
    connector
        .start()
        .wait(Duration::from_secs(20))
        .expect(0, &["sync_binlog", "SET PERSIST sync_binlog = 1"]);
}
