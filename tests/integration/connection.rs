//! Connecting, statements, results, and what happens when they fail.

use std::time::{Duration, Instant};

use tidewire::error::{Classify, ErrorClass};
use tidewire::source::mysql::{Connection, MySqlError};

use crate::mysql_server::{ALL, MYSQL57, MYSQL80, MYSQL97, config, database, root, root_config};

#[test]
fn every_server_answers() {
    for (server, version) in [(MYSQL97, (9, 7)), (MYSQL80, (8, 0)), (MYSQL57, (5, 7))] {
        let mut connection = root(server);
        let (major, minor, _) = connection.server_version().numbers;
        assert_eq!((major, minor), version);
        let result = connection
            .query("SELECT 'smile 😀' AS a, NULL, CONNECTION_ID(), @@character_set_results")
            .unwrap();
        assert_eq!(result.get(0, "a"), Some("smile 😀"));
        assert_eq!(result.rows[0][1], None);
        assert_eq!(result.rows[0][2], Some(connection.connection_id().to_string()));
        assert_eq!(result.rows[0][3], Some("utf8mb4".to_owned()));
        connection.ping().unwrap();
        assert_eq!(connection.query("SELECT 1 FROM DUAL WHERE FALSE").unwrap().rows.len(), 0);
        connection.close();
    }
}

#[test]
fn effects_are_counted_and_several_results_are_read_to_their_end() {
    let mut connection = database(MYSQL97, "it_results");
    connection.execute("CREATE TABLE t (a INT PRIMARY KEY)").unwrap();
    assert_eq!(connection.execute("INSERT INTO t VALUES (1), (2), (3)").unwrap(), 3);
    connection.execute("CREATE PROCEDURE two() BEGIN SELECT 'first'; SELECT a FROM t; END").unwrap();
    assert_eq!(connection.query_value("CALL two()").unwrap().as_deref(), Some("first"));
    connection.execute("CALL two()").unwrap();
    connection.ping().unwrap();
}

#[test]
fn initial_statements_run_in_their_order() {
    let mut config = root_config(MYSQL97);
    config.initial_statements = vec!["SET @a = 1".into(), "SET @a = @a + 1".into()];
    let mut connection = Connection::connect(&config).unwrap();
    connection.run_initial_statements(&config).unwrap();
    assert_eq!(connection.query_value("SELECT @a").unwrap().as_deref(), Some("2"));
}

#[test]
fn rows_stream_in_the_binary_protocol() {
    for server in ALL {
        let mut connection = database(server, "it_stream");
        connection.execute("CREATE TABLE t (id INT UNSIGNED PRIMARY KEY, v VARCHAR(10))").unwrap();
        connection.execute("INSERT INTO t VALUES (1, 'a'), (2, NULL), (4294967295, 'ü')").unwrap();
        let mut rows = connection.prepare_and_stream("SELECT id, v FROM t ORDER BY id").unwrap();
        let names: Vec<_> =
            rows.columns().iter().map(|column| (column.name.as_str(), column.column_type)).collect();
        assert_eq!(names, [("id", 3), ("v", 253)]);
        assert!(rows.columns()[0].is_unsigned());
        assert_eq!(rows.next_row().unwrap(), Some(&b"\x00\x00\x01\0\0\0\x01a"[..]));
        // The second column is the fourth bit of the NULL bitmap.
        assert_eq!(rows.next_row().unwrap(), Some(&b"\x00\x08\x02\0\0\0"[..]));
        assert_eq!(rows.next_row().unwrap(), Some(&b"\x00\x00\xFF\xFF\xFF\xFF\x02\xC3\xBC"[..]));
        assert_eq!(rows.next_row().unwrap(), None);
        assert_eq!(rows.next_row().unwrap(), None);
        drop(rows);
        let closed = connection.query("SHOW SESSION STATUS LIKE 'Com_stmt_close'").unwrap();
        assert_eq!(closed.rows[0][1].as_deref(), Some("1"));
    }
}

#[test]
fn a_row_of_20_mb_comes_whole_both_ways() {
    for server in [MYSQL97, MYSQL80] {
        let mut connection = root(server);
        let sql = "SELECT REPEAT('x', 20000000) AS a, 'end' AS b";
        let text = connection.query(sql).unwrap();
        assert_eq!(text.get(0, "a").unwrap().len(), 20_000_000);
        let mut rows = connection.prepare_and_stream(sql).unwrap();
        let row = rows.next_row().unwrap().unwrap();
        // Header, NULL bitmap, a length of nine bytes, the text; a length of one byte, `end`.
        assert_eq!(row.len(), 1 + 1 + 9 + 20_000_000 + 1 + 3);
        assert!(row.ends_with(b"xxx\x03end"));
        assert_eq!(rows.next_row().unwrap(), None);
        drop(rows);
        // And a statement that is itself longer than one packet.
        let sql = format!("SELECT LENGTH('{}')", "y".repeat(0xFF_FFFF));
        assert_eq!(connection.query_value(&sql).unwrap().as_deref(), Some("16777215"));
    }
}

#[test]
fn an_error_in_the_middle_of_the_rows_surfaces() {
    let mut connection = database(MYSQL97, "it_middle");
    connection.execute("CREATE TABLE t (n INT PRIMARY KEY)").unwrap();
    connection.execute("INSERT INTO t WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 200) SELECT n FROM s").unwrap();
    // exp(710) is beyond a double.
    let sql = "SELECT n, EXP(n * 10) FROM t ORDER BY n";
    let mut rows = connection.prepare_and_stream(sql).unwrap();
    let mut count = 0;
    let error = loop {
        match rows.next_row() {
            Ok(Some(_)) => count += 1,
            Ok(None) => panic!("the error was lost after {count} rows"),
            Err(error) => break error,
        }
    };
    assert_eq!((count, error.code()), (70, Some(1690)));
    drop(rows);
    assert_eq!(connection.query(sql).unwrap_err().code(), Some(1690));
    connection.ping().unwrap();
}

#[test]
fn a_stream_dropped_early_ends_the_connection() {
    let mut connection = root(MYSQL97);
    let mut rows = connection.prepare_and_stream("SELECT 1 UNION ALL SELECT 2").unwrap();
    rows.next_row().unwrap();
    drop(rows);
    assert!(matches!(connection.ping(), Err(MySqlError::ConnectionLost { .. })));
}

#[test]
fn refusals_of_statements_are_fatal_and_leave_the_connection_usable() {
    let mut connection = root(MYSQL97);
    let error = connection.query("SELEC 1").unwrap_err();
    assert_eq!((error.code(), error.class()), (Some(1064), ErrorClass::Fatal));
    assert_eq!(connection.prepare_and_stream("SELEC 1").err().unwrap().code(), Some(1064));
    assert!(matches!(connection.prepare_and_stream("SET @a = 1"), Err(MySqlError::UnexpectedResult { .. })));
    connection.ping().unwrap();
}

#[test]
fn a_wrong_password_is_fatal_and_its_text_names_no_password() {
    for server in ALL {
        let error = Connection::connect(&config(server, "nobody", "geheim")).unwrap_err();
        assert_eq!((error.code(), error.class()), (Some(1045), ErrorClass::Fatal), "{error}");
        assert!(error.remedy().unwrap().contains("database.password"));
        let text = format!("{error} {error:?}");
        assert!(text.contains("nobody") && !text.contains("geheim"), "{text}");
    }
}

#[test]
fn unreachable_servers_are_retriable() {
    let mut config = root_config(MYSQL97);
    config.port = 1;
    let error = Connection::connect(&config).unwrap_err();
    assert!(matches!(error, MySqlError::Connect { .. }), "{error:?}");
    assert_eq!(error.class(), ErrorClass::Retriable);
    config.hostname = "no-such-host.invalid".into();
    let error = Connection::connect(&config).unwrap_err();
    assert!(matches!(error, MySqlError::UnknownHost { .. }), "{error:?}");
    assert_eq!(error.class(), ErrorClass::Retriable);
}

#[test]
fn a_peer_that_is_no_mysql_server_is_named_so() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let mut config = root_config(MYSQL97);
    config.port = listener.local_addr().unwrap().port();
    config.connect_timeout = Duration::from_millis(300);
    std::thread::spawn(move || {
        use std::io::Write;
        let (mut peer, _) = listener.accept().unwrap();
        peer.write_all(b"\x05\0\0\0hello").unwrap();
        // The second one accepts and keeps silent.
        let silent = listener.accept();
        std::thread::sleep(Duration::from_secs(5));
        drop(silent);
    });
    let error = Connection::connect(&config).unwrap_err();
    assert!(matches!(error, MySqlError::Protocol { .. }), "{error:?}");
    let error = Connection::connect(&config).unwrap_err();
    assert!(matches!(error, MySqlError::Timeout { .. }), "{error:?}");
}

#[test]
fn silence_longer_than_the_limit_is_a_retriable_timeout() {
    let mut connection = root(MYSQL97);
    connection.set_read_timeout(Some(Duration::from_millis(200)));
    let before = Instant::now();
    let error = connection.query("SELECT SLEEP(5)").unwrap_err();
    assert!(matches!(error, MySqlError::Timeout { .. }), "{error:?}");
    assert_eq!(error.class(), ErrorClass::Retriable);
    assert!(before.elapsed() < Duration::from_secs(3));
    // The answer may still come; the connection must not take it for that of another statement.
    assert!(matches!(connection.query("SELECT 1"), Err(MySqlError::ConnectionLost { .. })));
}

#[test]
fn a_killed_connection_is_retriable() {
    for server in ALL {
        let mut victim = root(server);
        root(server).execute(&format!("KILL {}", victim.connection_id())).unwrap();
        std::thread::sleep(Duration::from_millis(200));
        let error = victim.query("SELECT 1").unwrap_err();
        assert_eq!(error.class(), ErrorClass::Retriable, "{error:?}");
    }
}
