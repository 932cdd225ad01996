//! The binlog stream: starts, heartbeats, long events, ends and refusals.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tidewire::config::source::ConnectionConfig;
use tidewire::error::{Classify, ErrorClass};
use tidewire::source::binlog::network_client::{BinlogClient, DumpOptions, DumpStart, Polled};
use tidewire::source::mysql::position::{BinlogStatus, binlog_status};
use tidewire::source::mysql::variables::ServerVariables;
use tidewire::source::mysql::{Connection, MySqlError};

use crate::mysql_server::{
    ALL, MARIADB, MYSQL57, MYSQL80, MYSQL97, account, config, database, root, root_config,
};

const QUERY: u8 = 2;
const ROTATE: u8 = 4;
const FORMAT_DESCRIPTION: u8 = 15;
const XID: u8 = 16;
const HEARTBEATS: [u8; 2] = [27, 41];
const WRITE_ROWS: u8 = 30;
const PREVIOUS_GTIDS: u8 = 35;
const MARIADB_WRITE_ROWS: u8 = 23;
const MARIADB_GTID: u8 = 162;

/// Each test is a replica of its own.
fn replica(server: &str, server_id: u32) -> ConnectionConfig {
    ConnectionConfig { server_id, ..root_config(server) }
}

fn end_of_log(connection: &mut Connection) -> BinlogStatus {
    binlog_status(connection).unwrap()
}

fn at(status: &BinlogStatus) -> DumpStart {
    DumpStart::Position { file: status.file.clone(), position: status.position }
}

/// The event's type; its header must announce the frame's length.
fn kind(frame: &[u8]) -> u8 {
    assert_eq!(u32::from_le_bytes(frame[9..13].try_into().unwrap()) as usize, frame.len());
    frame[4]
}

/// The types of the events until one of type `last`, heartbeats left out.
fn kinds_until(client: &mut BinlogClient, last: u8) -> Vec<u8> {
    let mut kinds = Vec::new();
    while kinds.last() != Some(&last) {
        let kind = kind(client.next_frame().unwrap().expect("the stream goes on"));
        if !HEARTBEATS.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}

#[test]
fn events_follow_a_position() {
    for server in ALL {
        let mut connection = database(server, "it_dump");
        connection.execute("CREATE TABLE t (a INT PRIMARY KEY, marker VARCHAR(20))").unwrap();
        let start = end_of_log(&mut connection);
        connection.execute("INSERT INTO t VALUES (1, 'tidewire marker')").unwrap();
        let mut client =
            BinlogClient::open(&replica(server, 4101), &at(&start), Duration::from_secs(5)).unwrap();
        // First come the file's name and format, out of turn.
        assert_eq!(kind(client.next_frame().unwrap().unwrap()), ROTATE);
        assert_eq!(kind(client.next_frame().unwrap().unwrap()), FORMAT_DESCRIPTION);
        let mut found = false;
        while !found {
            let frame = client.next_frame().unwrap().unwrap();
            found = kind(frame) == WRITE_ROWS && frame.windows(15).any(|part| part == b"tidewire marker");
        }
        let listed = connection
            .query("SELECT COUNT(*) FROM information_schema.processlist WHERE command LIKE 'Binlog Dump%'");
        assert!(listed.unwrap().rows[0][0].as_deref() >= Some("1"));
    }
}

#[test]
fn a_non_blocking_stream_ends_with_the_log() {
    for server in ALL {
        let mut connection = database(server, "it_dump_end");
        let start = end_of_log(&mut connection);
        connection.execute("CREATE TABLE t (a INT)").unwrap();
        let options = DumpOptions { non_blocking: true, ..DumpOptions::default() };
        let mut client = BinlogClient::open_with(&replica(server, 4102), &at(&start), &options).unwrap();
        let mut kinds = Vec::new();
        while let Some(frame) = client.next_frame().unwrap() {
            kinds.push(kind(frame));
        }
        assert!(kinds.contains(&QUERY), "{server} {kinds:?}");
    }
}

#[test]
fn an_idle_server_sends_heartbeats_and_polling_does_not_wait_for_them() {
    // Other tests write to these servers meanwhile: a short period finds its moments of rest.
    let period = Duration::from_millis(100);
    for (server, id) in [(MYSQL97, 4103), (MYSQL80, 4103), (MYSQL57, 4103)] {
        let mut connection = root(server);
        let start = end_of_log(&mut connection);
        let mut client = BinlogClient::open(&replica(server, id), &at(&start), period).unwrap();
        assert_eq!(client.silence_limit(), Some(3 * period));
        let before = Instant::now();
        let (mut heartbeats, mut idle) = (0, 0);
        while heartbeats < 2 && before.elapsed() < Duration::from_secs(60) {
            match client.poll_frame(Duration::from_millis(20)).unwrap() {
                Polled::Frame(frame) if HEARTBEATS.contains(&kind(frame)) => heartbeats += 1,
                Polled::Frame(_) => {}
                Polled::Idle => idle += 1,
                Polled::End => panic!("the stream ended"),
            }
        }
        assert!(heartbeats == 2 && idle > 0, "{server}: {heartbeats} heartbeats, {idle} times idle");
    }
}

#[test]
fn silence_for_three_heartbeats_is_retriable() {
    // The way to the server leads through a forwarder that after a while forwards nothing more, without closing.
    let mut config = replica(MYSQL97, 4104);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = TcpStream::connect((config.hostname.as_str(), config.port)).unwrap();
    config.port = listener.local_addr().unwrap().port();
    let stopped = Arc::new(AtomicBool::new(false));
    let stop = stopped.clone();
    thread::spawn(move || {
        let (client, _) = listener.accept().unwrap();
        let (mut from_client, mut to_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
        thread::spawn(move || std::io::copy(&mut from_client, &mut to_server));
        let (mut server, mut client, mut buffer) = (server, client, [0; 4096]);
        while let Ok(count) = server.read(&mut buffer) {
            if count == 0 {
                break;
            }
            if !stop.load(Ordering::SeqCst) {
                client.write_all(&buffer[..count]).unwrap();
            }
        }
    });
    let start = at(&end_of_log(&mut root(MYSQL97)));
    let mut client = BinlogClient::open(&config, &start, Duration::from_secs(1)).unwrap();
    while !HEARTBEATS.contains(&kind(client.next_frame().unwrap().unwrap())) {}
    stopped.store(true, Ordering::SeqCst);
    let before = Instant::now();
    let error = loop {
        if let Err(error) = client.next_frame() {
            break error;
        }
    };
    assert!(matches!(error, MySqlError::NoHeartbeat { .. }), "{error:?}");
    assert_eq!(error.class(), ErrorClass::Retriable);
    assert!((2..10).contains(&before.elapsed().as_secs()), "{:?}", before.elapsed());
}

/// The encoding of what has no tag of a set (other tests commit with tags): count, then for each UUID 16 bytes, count, intervals with open ends.
fn encode(set: &str) -> Vec<u8> {
    let sources: Vec<_> = set.split(',').filter(|text| !text.is_empty()).collect();
    let mut bytes = (sources.len() as u64).to_le_bytes().to_vec();
    for source in sources {
        let mut parts = source.split(':');
        let digits = parts.next().unwrap().replace('-', "");
        for at in (0..32).step_by(2) {
            bytes.push(u8::from_str_radix(&digits[at..at + 2], 16).unwrap());
        }
        // A tag stands in front of its intervals, behind those without.
        let intervals: Vec<_> =
            parts.take_while(|part| part.starts_with(|first: char| first.is_ascii_digit())).collect();
        bytes.extend_from_slice(&(intervals.len() as u64).to_le_bytes());
        for interval in intervals {
            let (first, last) = interval.split_once('-').unwrap_or((interval, interval));
            bytes.extend_from_slice(&first.parse::<u64>().unwrap().to_le_bytes());
            bytes.extend_from_slice(&(last.parse::<u64>().unwrap() + 1).to_le_bytes());
        }
    }
    bytes
}

#[test]
fn events_follow_a_gtid_set() {
    for server in ALL {
        let mut connection = database(server, "it_dump_gtid");
        connection.execute("CREATE TABLE t (a INT)").unwrap();
        let start = DumpStart::Gtids(encode(&end_of_log(&mut connection).executed_gtids));
        connection.execute("INSERT INTO t VALUES (1)").unwrap();
        let mut client = BinlogClient::open(&replica(server, 4105), &start, Duration::from_secs(5)).unwrap();
        let mut kinds = kinds_until(&mut client, XID);
        while !kinds.contains(&WRITE_ROWS) {
            // Another test's transaction came in between.
            kinds.extend(kinds_until(&mut client, XID));
        }
        // Of the transactions in the file only those come that are not in the set.
        assert!(kinds.contains(&WRITE_ROWS) && kinds.contains(&FORMAT_DESCRIPTION), "{server} {kinds:?}");
    }
}

#[test]
fn the_purged_set_gives_all_there_is() {
    // On a new server it is the empty set.
    let purged = ServerVariables::read(&mut root(MYSQL80)).unwrap().gtid_purged();
    let options = DumpOptions { non_blocking: true, ..DumpOptions::default() };
    let start = DumpStart::Gtids(encode(&purged));
    let mut client = BinlogClient::open_with(&replica(MYSQL80, 4106), &start, &options).unwrap();
    let mut kinds = Vec::new();
    while kinds.len() < 3 {
        kinds.push(kind(client.next_frame().unwrap().unwrap()));
    }
    assert_eq!(kinds, [ROTATE, FORMAT_DESCRIPTION, PREVIOUS_GTIDS]);
}

#[test]
fn mariadb_streams_from_a_position_and_from_gtids() {
    let mut connection = database(MARIADB, "it_dump");
    connection.execute("CREATE TABLE t (a INT)").unwrap();
    let by_position = at(&end_of_log(&mut connection));
    let gtids = connection.query_value("SELECT @@global.gtid_binlog_pos").unwrap().unwrap();
    connection.execute("INSERT INTO t VALUES (1)").unwrap();
    for start in [by_position, DumpStart::MariaDbGtids(gtids)] {
        let mut client = BinlogClient::open(&replica(MARIADB, 4113), &start, Duration::from_secs(1)).unwrap();
        assert!(client.server_version().is_mariadb());
        let kinds = kinds_until(&mut client, XID);
        // Its GTID event is as it is, and its rows events are of version 1.
        assert!(kinds.contains(&MARIADB_GTID) && kinds.contains(&MARIADB_WRITE_ROWS), "{start:?} {kinds:?}");
        while !HEARTBEATS.contains(&kind(client.next_frame().unwrap().unwrap())) {}
    }
}

#[test]
fn an_event_of_20_mb_comes_whole() {
    for server in [MYSQL97, MYSQL80] {
        let mut connection = database(server, "it_dump_long");
        connection.execute("CREATE TABLE t (a INT PRIMARY KEY, b LONGTEXT)").unwrap();
        let start = end_of_log(&mut connection);
        connection.execute("INSERT INTO t VALUES (1, REPEAT('z', 20000000)), (2, 'short')").unwrap();
        let mut client =
            BinlogClient::open(&replica(server, 4107), &at(&start), Duration::from_secs(5)).unwrap();
        let mut longest = 0;
        loop {
            let frame = client.next_frame().unwrap().unwrap();
            longest = longest.max(frame.len());
            match kind(frame) {
                WRITE_ROWS if frame.len() > 20_000_000 => {
                    assert!(frame[1000..19_000_000].iter().all(|byte| *byte == b'z'));
                }
                XID if longest > 20_000_000 => break,
                _ => {}
            }
        }
    }
}

#[test]
fn a_binlog_that_is_gone_is_fatal() {
    for server in ALL {
        let start = DumpStart::Position { file: "binlog.999999".into(), position: 4 };
        let mut client = BinlogClient::open(&replica(server, 4108), &start, Duration::from_secs(5)).unwrap();
        let error = loop {
            if let Err(error) = client.next_frame() {
                break error;
            }
        };
        assert!(matches!(error, MySqlError::BinlogUnavailable { .. }), "{error:?}");
        assert_eq!((error.class(), error.code()), (ErrorClass::Fatal, Some(1236)));
        assert!(error.to_string().contains("binlog.999999"), "{error}");
        assert!(error.remedy().unwrap().contains("snapshot"));
    }
}

#[test]
fn a_position_beyond_the_protocol_is_refused_before_anything_is_sent() {
    let start = DumpStart::Position { file: "binlog.000001".into(), position: 1 << 32 };
    let error = BinlogClient::open(&replica(MYSQL97, 4109), &start, Duration::ZERO).unwrap_err();
    assert!(matches!(error, MySqlError::PositionTooLarge { .. }), "{error:?}");
    assert_eq!(error.class(), ErrorClass::Fatal);
}

#[test]
fn a_second_replica_with_our_server_id_is_named() {
    for server in ALL {
        let start = at(&end_of_log(&mut root(server)));
        let open = || BinlogClient::open(&replica(server, 4110), &start, Duration::from_secs(1)).unwrap();
        let mut first = open();
        first.next_frame().unwrap();
        let mut second = open();
        second.next_frame().unwrap();
        let before = Instant::now();
        let error = loop {
            assert!(before.elapsed() < Duration::from_secs(20), "{server}: the first stream goes on");
            match first.next_frame() {
                Ok(Some(_)) => {}
                Ok(None) => panic!("{server}: the first stream ended without a word"),
                Err(error) => break error,
            }
        };
        assert!(
            matches!(error, MySqlError::DuplicateServerId { server_id: 4110, .. }),
            "{server}: {error:?}"
        );
        assert_eq!(error.class(), ErrorClass::Fatal);
    }
}

#[test]
fn a_stream_that_the_server_ends_is_retriable_and_no_end_of_the_log() {
    for server in [MYSQL97, MYSQL80, MYSQL57, MARIADB] {
        let mut root = root(server);
        let start = at(&end_of_log(&mut root));
        let mut client = BinlogClient::open(&replica(server, 4114), &start, Duration::from_secs(1)).unwrap();
        client.next_frame().unwrap();
        root.execute(&format!("KILL {}", client.connection_id())).unwrap();
        let error = loop {
            match client.next_frame() {
                Ok(frame) => assert!(frame.is_some(), "{server}"),
                Err(error) => break error,
            }
        };
        assert_eq!(error.class(), ErrorClass::Retriable, "{server}: {error:?}");
    }
}

#[test]
fn another_thread_can_end_the_stream() {
    let start = at(&end_of_log(&mut root(MYSQL97)));
    let mut client = BinlogClient::open(&replica(MYSQL97, 4111), &start, Duration::from_secs(30)).unwrap();
    let closer = client.closer().unwrap();
    let ender = thread::spawn(move || {
        thread::sleep(Duration::from_millis(300));
        closer.close();
        closer.close();
    });
    let before = Instant::now();
    let error = loop {
        if let Err(error) = client.next_frame() {
            break error;
        }
    };
    assert!(matches!(error, MySqlError::ConnectionLost { .. }), "{error:?}");
    assert!(before.elapsed() < Duration::from_secs(5));
    ender.join().unwrap();
}

#[test]
fn an_account_that_may_not_replicate_is_told_so() {
    let plugin = |server| if server == MYSQL57 { "mysql_native_password" } else { "caching_sha2_password" };
    for server in ALL {
        account(server, "it_norepl", plugin(server), "pw");
        let start = at(&end_of_log(&mut root(server)));
        let config = ConnectionConfig { server_id: 4112, ..config(server, "it_norepl", "pw") };
        let result = BinlogClient::open(&config, &start, Duration::from_secs(5));
        let error = match result {
            Err(error) => error,
            Ok(mut client) => client.next_frame().unwrap_err(),
        };
        assert!(error.is_missing_privilege(), "{error:?}");
        assert_eq!(error.class(), ErrorClass::Fatal);
        assert!(error.remedy().unwrap().contains("REPLICATION SLAVE"));
    }
}
