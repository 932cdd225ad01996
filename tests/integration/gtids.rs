//! GTIDs of several sources, with tags, with gaps, and how a connector comes to have them.

use tidewire::source::mysql::Connection;

use crate::mysql_server::database;
use crate::support::connector::Connector;
use crate::support::database::{Database, MYSQL80, MYSQL97};
use crate::support::process::{LIMIT, wait_until};
use crate::support::records::changes;
use crate::support::topology::Topology;

/// A source that is not in any topology, new at each run.
fn source(session: &mut Connection) -> String {
    session.query_value("SELECT UUID()").unwrap().unwrap()
}

/// One transaction with a GTID of its own.
fn transaction(session: &mut Connection, gtid: &str, statement: &str) {
    session.execute(&format!("SET SESSION gtid_next = '{gtid}'")).unwrap();
    session.execute(statement).unwrap();
    session.execute("SET SESSION gtid_next = 'AUTOMATIC'").unwrap();
}

/// The stored offset and what stands beside it, as they are in the file.
fn stored(connector: &Connector) -> String {
    String::from_utf8_lossy(&std::fs::read(connector.file("offsets.dat")).unwrap_or_default()).into_owned()
}

/// Starts, does something, waits for records, stops.
fn round(connector: &Connector, session: &mut Connection, records: usize, act: impl FnOnce(&mut Connection)) {
    let process = connector.start_streaming();
    act(session);
    connector.wait_for_records("t", records);
    process.terminate().expect(0, &[]);
}

/// As the golden scenario `cfg_gtid_filter`, where Debezium reads the other source's transactions again and again.
fn filtered(server: &Database, name: &str) {
    let mut session = database(server.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY)").unwrap();
    let other = source(&mut session);
    transaction(&mut session, &format!("{other}:1"), "INSERT INTO t VALUES (100)");
    let mut connector = Connector::to_files(server, name);
    connector.set("gtid.source.excludes", &other.to_uppercase()).set("provide.transaction.metadata", "true");
    round(&connector, &mut session, 3, |session| {
        session.execute("INSERT INTO t VALUES (2)").unwrap();
        transaction(session, &format!("{other}:2"), "INSERT INTO t VALUES (101)");
        transaction(session, &format!("{other}:3"), "CREATE TABLE u (id INT PRIMARY KEY)");
        session.execute("INSERT INTO t VALUES (3)").unwrap();
    });
    assert!(stored(&connector).contains(&format!("{other}:1-3")), "{}", stored(&connector));
    round(&connector, &mut session, 5, |session| {
        session.execute("INSERT INTO t VALUES (4)").unwrap();
        transaction(session, &format!("{other}:4"), "INSERT INTO t VALUES (102)");
        session.execute("INSERT INTO u VALUES (9)").unwrap();
        session.execute("INSERT INTO t VALUES (5)").unwrap();
    });
    connector.set("gtid.source.filter.dml.events", "false");
    round(&connector, &mut session, 7, |session| {
        transaction(session, &format!("{other}:5"), "INSERT INTO t VALUES (103)");
        session.execute("INSERT INTO t VALUES (6)").unwrap();
    });
    assert_eq!(changes(&connector.records("t")), "r100 c2 c3 c4 c5 c103 c6");
    assert_eq!(changes(&connector.records("u")), "c9");
    let created = connector.topic(name);
    let created = created.iter().filter(|r| r.value["ddl"].as_str().is_some_and(|d| d.contains("TABLE u")));
    assert_eq!(created.count(), 1, "the other source's statements are published, once");
    // BEGIN and END of the other source's transactions come once, too, without rows.
    let marks = connector.topic(&format!("{name}.transaction"));
    let of = |number: u32| {
        let id = format!("{other}:{number}");
        let marks: Vec<_> = marks.iter().filter(|mark| mark.value["id"] == id.as_str()).collect();
        marks.iter().map(|mark| mark.value["event_count"].as_i64()).collect::<Vec<_>>()
    };
    assert_eq!((of(2), of(4), of(5)), (vec![None, Some(0)], vec![None, Some(0)], vec![None, Some(1)]));
    // Only the server's own transactions: the same the other way round.
    let own = session.query_value("SELECT @@server_uuid").unwrap().unwrap();
    connector.properties.remove("gtid.source.excludes");
    connector.properties.remove("gtid.source.filter.dml.events");
    connector.set("gtid.source.includes", &own);
    round(&connector, &mut session, 8, |session| {
        transaction(session, &format!("{other}:6"), "INSERT INTO t VALUES (104)");
        session.execute("INSERT INTO t VALUES (7)").unwrap();
    });
    assert_eq!(changes(&connector.records("t")), "r100 c2 c3 c4 c5 c103 c6 c7");
    connector.set("gtid.source.excludes", "x");
    connector.start().wait(LIMIT).expect(2, &["gtid.source.excludes", "already specified"]);
}

#[test]
fn other_sources_are_left_out_and_their_sets_kept() {
    filtered(&MYSQL97, "gtid_filter97");
}

#[test]
fn other_sources_are_left_out_and_their_sets_kept_on_80() {
    filtered(&MYSQL80, "gtid_filter80");
}

#[test]
fn what_is_missing_of_a_source_that_is_left_out_stops_nothing() {
    let name = "gtid_left_out";
    let topology = Topology::fresh(name);
    let mut session = topology.session(0);
    session.execute(&format!("CREATE DATABASE {name}")).unwrap();
    session.execute(&format!("USE {name}")).unwrap();
    session.execute("CREATE TABLE t (id INT PRIMARY KEY)").unwrap();
    let (lost, purged) = (source(&mut session), source(&mut session));
    let own = session.query_value("SELECT @@server_uuid").unwrap().unwrap();
    let mut connector = Connector::to_files(topology.database(0), name);
    connector.set("gtid.source.includes", &own);
    round(&connector, &mut session, 1, |session| {
        transaction(session, &format!("{lost}:1"), "INSERT INTO t VALUES (100)");
        session.execute("INSERT INTO t VALUES (1)").unwrap();
    });
    session.execute("INSERT INTO t VALUES (2)").unwrap();
    // A server that never had the one source's transactions, and has purged another one's.
    let set = session.query_value("SELECT @@GLOBAL.gtid_executed").unwrap().unwrap().replace('\n', "");
    let set: Vec<&str> = set.split(',').filter(|part| part.starts_with(&own)).collect();
    session.execute("RESET BINARY LOGS AND GTIDS").unwrap();
    let done = set[0].rsplit_once('-').map(|(_, last)| last.parse::<u32>().unwrap()).unwrap();
    session.execute(&format!("SET GLOBAL gtid_purged = '{own}:1-{done},{purged}:1-4'")).unwrap();
    let process = connector.start();
    // Of its own source one is gone.
    process.wait(LIMIT).expect(1, &[&format!("{own}:{done} is purged and was not read")]);
    session.execute("RESET BINARY LOGS AND GTIDS").unwrap();
    session.execute(&format!("SET GLOBAL gtid_purged = '{own}:1-{},{purged}:1-4'", done - 1)).unwrap();
    round(&connector, &mut session, 2, |session| {
        session.execute("INSERT INTO t VALUES (3)").unwrap();
    });
    assert_eq!(changes(&connector.records("t")), "c1 c3");
    let text = stored(&connector);
    assert!(text.contains(&format!("{lost}:1-1")) && text.contains(&format!("{purged}:1-4")), "{text}");
}

#[test]
fn gaps_and_tags_stay_what_they_are() {
    let name = "gtid_gaps";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY)").unwrap();
    let other = source(&mut session);
    let insert = |session: &mut Connection, gtid: &str, id: u32| {
        transaction(session, &format!("{other}:{gtid}"), &format!("INSERT INTO t VALUES ({id})"));
    };
    let connector = Connector::to_files(&MYSQL97, name);
    round(&connector, &mut session, 5, |session| {
        for (gtid, id) in [("1", 1), ("2", 2), ("5", 5), ("batch_7:1", 71), ("batch_7:3", 73)] {
            insert(session, gtid, id);
        }
    });
    for (gtid, id) in [("3", 3), ("9", 9), ("batch_7:2", 72), ("zz:1", 99)] {
        insert(&mut session, gtid, id);
    }
    round(&connector, &mut session, 10, |session| insert(session, "4", 4));
    assert_eq!(changes(&connector.records("t")), "c1 c2 c5 c71 c73 c3 c9 c72 c99 c4");
    let records = connector.records("t");
    assert_eq!(records[3].value["source"]["gtid"], format!("{other}:batch_7:1"));
    round(&connector, &mut session, 11, |session| {
        session.execute("INSERT INTO t VALUES (200)").map(drop).unwrap()
    });
    let text = stored(&connector);
    assert!(text.contains(&format!("{other}:1-5:9-9:batch_7:1-3:zz:1-1")), "{text}");
}

#[test]
fn gtids_are_switched_on_and_off_under_a_running_connector_and_while_it_is_down() {
    let name = "gtid_switched";
    let topology = Topology::fresh(name);
    let mode = |modes: &[&str]| {
        for mode in modes {
            topology.execute(1, &[&format!("SET GLOBAL gtid_mode = {mode}")]);
        }
    };
    mode(&["ON_PERMISSIVE", "OFF_PERMISSIVE", "OFF"]);
    let mut session = topology.session(1);
    session.execute(&format!("CREATE DATABASE {name}")).unwrap();
    session.execute(&format!("USE {name}")).unwrap();
    session.execute("CREATE TABLE t (id INT PRIMARY KEY)").unwrap();
    let mut id: usize = 0;
    let mut insert = |session: &mut Connection| {
        id += 1;
        session.execute(&format!("INSERT INTO t VALUES ({id})")).unwrap();
        id
    };
    let mut connector = Connector::to_files(topology.database(1), name);
    connector.set_worker("offset.flush.interval.ms", "1");
    let process = connector.start_streaming();
    let step = |connector: &Connector,
                modes: &[&str],
                session: &mut Connection,
                insert: &mut dyn FnMut(&mut Connection) -> usize| {
        let mut last = 0;
        for next in modes {
            mode(&[next]);
            last = insert(session);
            last = insert(session).max(last);
        }
        connector.wait_for_records("t", last);
    };
    step(&connector, &["OFF_PERMISSIVE", "ON_PERMISSIVE"], &mut session, &mut insert);
    let gtid =
        |connector: &Connector, place: usize| connector.records("t")[place].value["source"]["gtid"].clone();
    assert!(gtid(&connector, 0).is_null() && !gtid(&connector, 3).is_null());
    step(&connector, &["ON"], &mut session, &mut insert);
    wait_until("a stored set", LIMIT, || stored(&connector).contains("gtids"));
    process.kill();
    // By GTIDs from here on: the file it was in is not needed.
    insert(&mut session);
    let mut process = connector.start_streaming();
    connector.wait_for_records("t", 7);
    process.wait_for("gtids=", 1);
    process.terminate().expect(0, &[]);
    // Back to positions, while it is down and while it runs, and forth again.
    mode(&["ON_PERMISSIVE"]);
    insert(&mut session);
    mode(&["OFF_PERMISSIVE"]);
    insert(&mut session);
    let process = connector.start_streaming();
    connector.wait_for_records("t", 9);
    process.terminate().expect(0, &[]);
    mode(&["OFF"]);
    insert(&mut session);
    session.execute("ALTER TABLE t ADD w INT DEFAULT 5").unwrap();
    let process = connector.start_streaming();
    connector.wait_for_records("t", 10);
    process.terminate().expect(0, &[]);
    mode(&["OFF_PERMISSIVE", "ON_PERMISSIVE", "ON"]);
    session.execute("INSERT INTO t VALUES (11, 1)").unwrap();
    let process = connector.start_streaming();
    connector.wait_for_records("t", 11);
    wait_until("a stored set", LIMIT, || {
        session.execute("FLUSH BINARY LOGS").unwrap();
        stored(&connector).rfind("gtids").is_some()
    });
    process.kill();
    session.execute("INSERT INTO t VALUES (12, 1)").unwrap();
    let mut process = connector.start_streaming();
    connector.wait_for_records("t", 12);
    assert!(process.log().contains("gtids="), "{}", process.log());
    // An anonymous transaction is not sent to whoever reads by GTIDs: it starts again, by position.
    mode(&["ON_PERMISSIVE", "OFF_PERMISSIVE"]);
    session.execute("INSERT INTO t VALUES (13, 1)").unwrap();
    connector.wait_for_records("t", 13);
    process.wait_for("streaming started", 2);
    mode(&["ON_PERMISSIVE", "ON"]);
    session.execute("INSERT INTO t VALUES (14, 1)").unwrap();
    connector.wait_for_records("t", 14);
    process.terminate().expect(0, &[]);
    let all: Vec<i64> = connector.records("t").iter().map(crate::support::records::Record::id).collect();
    assert_eq!(all, (1..=14).collect::<Vec<_>>());
}
