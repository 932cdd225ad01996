//! The client against a real ClickHouse server, and against servers that are none.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tidewire::config::source::Secret;
use tidewire::error::{Classify, ErrorClass, chain};
use tidewire::sink::clickhouse::client::{Client, Query};
use tidewire::sink::clickhouse::compression::Compression;
use tidewire::sink::clickhouse::error::ClickHouseError;
use tidewire::sink::clickhouse::insert::{InsertStatement, Rows};
use tidewire::sink::clickhouse::settings::ClientSettings;
use tidewire::sink::clickhouse::system_tables::{self, Column};
use tidewire::sink::clickhouse::treatment::{CODES, Scope};
use tidewire::sink::row_binary::cell::Cell;
use tidewire::sink::row_binary::row_layout::RowLayout;
use tidewire::sink::table::column_type::ColumnType;
use tidewire::sink::table::identifier::quoted;

use crate::support::clickhouse::{client, new_database, run, settings, values};
use crate::support::database::variable;

fn rows<'a>(bytes: &'a [u8], token: Option<&'a str>) -> Rows<'a> {
    Rows { bytes, token, guard: None, compression: Compression::Lz4, settings: &[], id_prefix: "client" }
}

fn insert(database: &str, table: &str, columns: &[(&str, &str)]) -> InsertStatement {
    let parsed: Vec<_> = columns.iter().map(|(name, text)| (*name, ColumnType::parse(text))).collect();
    let columns: Vec<_> = parsed.iter().map(|(name, column_type)| (*name, column_type)).collect();
    InsertStatement::new(database, table, &columns)
}

/// Sends RowBinary that must fail.
fn failure(client: &Client, insert: &InsertStatement, bytes: &[u8]) -> ClickHouseError {
    insert.send(client, rows(bytes, None), &mut Vec::new()).expect_err("an insert that fails")
}

fn code(error: &ClickHouseError) -> Option<u32> {
    error.exception().and_then(|exception| exception.code)
}

#[test]
fn codes_have_the_names_that_the_server_has() {
    let client = client();
    for (code, name, ..) in CODES {
        let found = values(&client, &format!("SELECT errorCodeToName({code})"));
        assert_eq!(found, [Some((*name).to_owned())], "{code}");
    }
}

/// Table, columns, rows; the code, and what it means.
type FailingInsert<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a [u8], u32, Scope, ErrorClass);

#[test]
fn failures_are_classed() {
    use ErrorClass::{Fatal, Retriable};
    let client = client();
    new_database(&client, "failures");
    run(&client, "CREATE TABLE failures.t (id Int32, j JSON) ENGINE = MergeTree ORDER BY id");
    run(
        &client,
        "CREATE TABLE failures.full (id Int32) ENGINE = MergeTree ORDER BY id \
         SETTINGS parts_to_delay_insert = 1, parts_to_throw_insert = 1",
    );
    run(&client, "SYSTEM STOP MERGES failures.full");
    run(&client, "INSERT INTO failures.full VALUES (1)");
    run(&client, "CREATE TABLE failures.parted (id Int32) ENGINE = MergeTree ORDER BY id PARTITION BY id");
    run(
        &client,
        "CREATE TABLE failures.checked (id Int32, CONSTRAINT c CHECK id > 0) ENGINE = MergeTree ORDER BY id",
    );
    let many: Vec<u8> = (0..200_i32).flat_map(i32::to_le_bytes).collect();
    let id: &[(&str, &str)] = &[("id", "Int32")];
    let one = 1_i32.to_le_bytes();
    let cases: &[FailingInsert<'_>] = &[
        ("none", id, &one, 60, Scope::Definition, Fatal),
        ("t", &[("id", "Int32"), ("gone", "String")], b"\x01\0\0\0\0", 16, Scope::Definition, Fatal),
        ("t", &[("id", "Int64")], &[0; 8], 117, Scope::Definition, Fatal),
        (
            "t",
            &[("id", "Int32"), ("j", "JSON")],
            b"\x01\0\0\0\x02{}\x02\0\0\0\x03[7]",
            117,
            Scope::Rows,
            Fatal,
        ),
        ("t", id, &[0; 5], 33, Scope::Definition, Fatal),
        ("full", id, &one, 252, Scope::Table, Retriable),
        ("parted", id, &many, 252, Scope::Table, Fatal),
        ("checked", id, &[0; 4], 469, Scope::Rows, Fatal),
    ];
    for (table, columns, bytes, wanted, scope, class) in cases {
        let error = failure(&client, &insert("failures", table, columns), bytes);
        let found = (code(&error), error.scope(), error.class());
        assert_eq!(found, (Some(*wanted), *scope, *class), "{table}: {}", chain(&error));
        assert!(
            error.remedy().is_some_and(|remedy| !remedy.is_empty()) && !error.outcome_unknown(),
            "{table}"
        );
        assert!(error.to_string().starts_with(&format!("insert into failures.{table}: ")), "{error}");
    }
    let error = failure(&client, &insert("failures", "t", cases[3].1), cases[3].2);
    assert_eq!(error.exception().and_then(|exception| exception.row), Some(2));
    assert!(!chain(&error).contains("[7]"), "{}", chain(&error));
    let error = failure(&client, &insert("nowhere", "t", id), &one);
    assert_eq!((code(&error), error.scope(), error.class()), (Some(81), Scope::Table, Fatal));

    // A body that is far larger than what the socket takes. The server knows before it reads it that there is no such table,
    // reads it all the same, and answers on a connection that goes on. (After `Expect: 100-continue` it says Continue in any
    // case, before it has looked at the statement.)
    let large = vec![0; 64 << 20];
    let mut plain = rows(&large, None);
    plain.compression = Compression::None;
    let error =
        insert("failures", "none", id).send(&client, plain, &mut Vec::new()).expect_err("no such table");
    assert_eq!(code(&error), Some(60), "{}", chain(&error));
}

#[test]
fn limits_of_the_server_are_retriable() {
    let client = client();
    let memory = [("max_memory_usage", "1000000")];
    let query = Query::new("a large query", "SELECT groupArray(number) FROM numbers(10000000)").with(&memory);
    let error = client.execute(query).expect_err("too little memory");
    assert_eq!((code(&error), error.class()), (Some(241), ErrorClass::Retriable), "{}", chain(&error));
    let limit = [("max_execution_time", "1")];
    let error =
        client.execute(Query::new("a slow query", "SELECT sleep(3)").with(&limit)).expect_err("too slow");
    assert_eq!((code(&error), error.class()), (Some(159), ErrorClass::Retriable), "{}", chain(&error));
    assert!(error.outcome_unknown());
}

/// The server has sent a status of 200 and some output when it fails.
#[test]
fn an_exception_after_a_200_is_found() {
    let client = client();
    let settings =
        [("wait_end_of_query", "0"), ("max_block_size", "1000"), ("http_response_buffer_size", "0")];
    let sql = "SELECT throwIf(number = 3000000, 'boo') FROM numbers(10000000)";
    let error = client.execute(Query::new("a late failure", sql).with(&settings)).expect_err("an exception");
    assert_eq!(code(&error), Some(395), "{}", chain(&error));
    assert!(chain(&error).contains("code 395 FUNCTION_THROW_IF_VALUE_IS_NON_ZERO, boo"), "{}", chain(&error));
}

#[test]
fn a_token_makes_two_inserts_one() {
    let client = client();
    new_database(&client, "tokens");
    run(
        &client,
        "CREATE TABLE tokens.t (id Int32, v String DEFAULT 'none') ENGINE = ReplacingMergeTree ORDER BY id \
         SETTINGS non_replicated_deduplication_window = 100",
    );
    let insert = insert("tokens", "t", &[("id", "Int32")]);
    let bytes: Vec<u8> = (0..1000_i32).flat_map(i32::to_le_bytes).collect();
    let mut buffer = Vec::new();
    for (token, stored) in [("a:0-999", "1000"), ("a:0-999", "1000"), ("b:0-999", "2000")] {
        let answer = insert.send(&client, rows(&bytes, Some(token)), &mut buffer).expect("an insert");
        assert_eq!(answer.summary.read_rows, 1000, "{token}");
        assert!(answer.query_id.starts_with("client-"), "{}", answer.query_id);
        let total = values(
            &client,
            "SELECT toString(sum(rows)) FROM system.parts WHERE database = 'tokens' AND active",
        );
        assert_eq!(total[0].as_deref(), Some(stored), "{token}");
    }
    assert_eq!(values(&client, "SELECT DISTINCT v FROM tokens.t"), [Some("none".to_owned())]);
}

#[test]
fn tables_and_columns_are_read() {
    let client = client();
    let database = "odd `\\'\t name";
    let quoted = quoted(database);
    new_database(&client, &quoted);
    run(
        &client,
        &format!(
            "CREATE TABLE {quoted}.`b'` (id Int32, `a b` Nullable(String) DEFAULT 'x' COMMENT 'c', _version UInt64, _deleted UInt8, \
             at DateTime64(6, 'UTC') MATERIALIZED now64(6)) ENGINE = ReplacingMergeTree(_version, _deleted) \
             PARTITION BY id % 4 ORDER BY (id, _version) PRIMARY KEY id COMMENT '{{\"seq\":\"hlc11\"}}'"
        ),
    );
    run(&client, &format!("CREATE TABLE {quoted}.a (id Int32) ENGINE = MergeTree ORDER BY tuple()"));
    let found = system_tables::tables(&client, database).expect("tables");
    let names: Vec<_> = found.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["a", "b'"]);
    assert_eq!(
        (found[0].sorting_key.as_str(), found[0].engine.as_str(), found[0].columns.len()),
        ("", "MergeTree", 1)
    );
    let table = &found[1];
    assert_eq!(table.engine, "ReplacingMergeTree");
    assert!(
        table.engine_full.starts_with("ReplacingMergeTree(_version, _deleted) PARTITION BY id % 4 "),
        "{}",
        table.engine_full
    );
    assert_eq!(
        (table.sorting_key.as_str(), table.primary_key.as_str(), table.partition_key.as_str()),
        ("id, _version", "id", "id % 4")
    );
    assert_eq!(table.comment, "{\"seq\":\"hlc11\"}");
    let wanted = |name: &str, column_type: &str| Column {
        name: name.to_owned(),
        column_type: column_type.to_owned(),
        default_kind: String::new(),
        default_expression: String::new(),
        comment: String::new(),
        in_partition_key: false,
        in_sorting_key: false,
    };
    let columns = [
        Column { in_partition_key: true, in_sorting_key: true, ..wanted("id", "Int32") },
        Column {
            default_kind: "DEFAULT".to_owned(),
            default_expression: "'x'".to_owned(),
            comment: "c".to_owned(),
            ..wanted("a b", "Nullable(String)")
        },
        Column { in_sorting_key: true, ..wanted("_version", "UInt64") },
        wanted("_deleted", "UInt8"),
        Column {
            default_kind: "MATERIALIZED".to_owned(),
            default_expression: "now64(6)".to_owned(),
            ..wanted("at", "DateTime64(6, 'UTC')")
        },
    ];
    assert_eq!(table.columns, columns);
    assert_eq!(system_tables::table(&client, database, "b'").expect("a table").as_ref(), Some(table));
    assert_eq!(system_tables::table(&client, database, "c").expect("an answer"), None);
    assert_eq!(system_tables::tables(&client, "nowhere").expect("an answer"), []);
    assert_eq!(
        system_tables::database_engine(&client, database).expect("an answer").as_deref(),
        Some("Atomic")
    );
    assert_eq!(system_tables::database_engine(&client, "nowhere").expect("an answer"), None);
    assert!(system_tables::version(&client).expect("a version").starts_with("26.7."));
}

/// The engine has no storage for users of its own making, so `bob`, who may only read `system`, stands in its configuration.
#[test]
fn logins() {
    let mut bob = settings();
    bob.user = "bob".to_owned();
    for password in [None, Some("wrong")] {
        bob.password = password.map(Secret::new);
        let error = system_tables::version(&Client::new(bob.clone()).expect("a client"))
            .expect_err("a wrong password");
        let found = (code(&error), error.scope(), error.class());
        assert_eq!(found, (Some(516), Scope::Server, ErrorClass::Fatal), "{}", chain(&error));
    }
    bob.password = Some(Secret::new("p: ä%&\""));
    let client = Client::new(bob).expect("a client");
    assert!(system_tables::version(&client).expect("a version").starts_with("26.7."));
    let error =
        client.execute(Query::new("make a database", "CREATE DATABASE login_x")).expect_err("no privilege");
    assert_eq!((code(&error), error.class()), (Some(497), ErrorClass::Fatal), "{}", chain(&error));
}

/// A server that gives one answer to each connection: the bytes, after a while.
fn answering(answer: &'static [u8], after: Duration) -> ClientSettings {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream: TcpStream = stream.expect("a connection");
            let _ = stream.read(&mut [0; 4096]);
            std::thread::sleep(after);
            let _ = stream.write_all(answer);
        }
    });
    ClientSettings::new(format!("http://{address}"))
}

#[test]
fn servers_that_are_none() {
    let closed = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let mut slow = answering(b"", Duration::from_secs(30));
    slow.request_timeout = Duration::from_secs(1);
    let page = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    let gateway = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n";
    let elsewhere = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n";
    let cut = b"HTTP/1.1 200 OK\r\nX-ClickHouse-Query-Id: x\r\nContent-Length: 50\r\n\r\n1\n";
    for (settings, wanted, class, unknown) in [
        (
            ClientSettings::new(format!("http://{closed}")),
            "no answer from clickhouse at",
            ErrorClass::Retriable,
            true,
        ),
        (slow, "did not answer within 1 s", ErrorClass::Retriable, true),
        (answering(page, Duration::ZERO), "answered with http status 200", ErrorClass::Fatal, false),
        (answering(gateway, Duration::ZERO), "answered with http status 503", ErrorClass::Retriable, true),
        (answering(elsewhere, Duration::ZERO), "answered with http status 302", ErrorClass::Fatal, false),
        (answering(cut, Duration::ZERO), "no answer from clickhouse at", ErrorClass::Retriable, true),
        (
            answering(b"garbage\r\n\r\n", Duration::ZERO),
            "no answer from clickhouse at",
            ErrorClass::Retriable,
            true,
        ),
    ] {
        let client = Client::new(settings).expect("a client");
        let error = client.execute(Query::new("ask", "SELECT 1")).expect_err("no answer");
        assert!(error.to_string().contains(wanted), "{}", chain(&error));
        assert_eq!(
            (error.class(), error.outcome_unknown(), error.scope()),
            (class, unknown, Scope::Server),
            "{}",
            chain(&error)
        );
    }
}

#[test]
fn connections_are_kept() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let accepted = Arc::new(AtomicUsize::new(0));
    let counter = accepted.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            counter.fetch_add(1, Ordering::SeqCst);
            let mut stream = stream.expect("a connection");
            let (mut request, mut buffer) = (Vec::new(), [0; 4096]);
            while let Ok(length @ 1..) = stream.read(&mut buffer) {
                request.extend_from_slice(buffer.get(..length).expect("what was read"));
                // Head and body come in one piece or in two.
                if request.ends_with(b"SELECT 1") {
                    request.clear();
                    let answer =
                        b"HTTP/1.1 200 OK\r\nX-ClickHouse-Query-Id: x\r\nContent-Length: 2\r\n\r\n1\n";
                    stream.write_all(answer).expect("the client reads");
                }
            }
        }
    });
    let client = Client::new(ClientSettings::new(format!("http://{address}"))).expect("a client");
    for _ in 0..5 {
        assert_eq!(client.execute(Query::new("ask", "SELECT 1")).expect("an answer").body, b"1\n");
    }
    assert_eq!(accepted.load(Ordering::SeqCst), 1);
}

/// The broker's certificate is for 127.0.0.1, from an authority that only its own file knows.
#[test]
fn tls_checks_the_authority_and_the_name() {
    let folder = variable("TIDEWIRE_KAFKA_SECURE_DIR");
    let chain_of = CertificateDer::pem_file_iter(format!("{folder}/broker.crt")).expect("a certificate");
    let key = PrivateKeyDer::from_pem_file(format!("{folder}/broker.key")).expect("a key");
    let server = rustls::ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(chain_of.map(|der| der.expect("a certificate")).collect(), key)
        .expect("a server");
    let server = Arc::new(server);
    let listener = TcpListener::bind("0.0.0.0:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let connection = rustls::ServerConnection::new(server.clone()).expect("a connection");
            let mut stream = rustls::StreamOwned::new(connection, stream.expect("a connection"));
            if stream.read(&mut [0; 4096]).is_ok() {
                let _ = stream.write_all(
                    b"HTTP/1.1 200 OK\r\nX-ClickHouse-Query-Id: x\r\nContent-Length: 4\r\n\r\n\"a\"\n",
                );
                stream.conn.send_close_notify();
                let _ = stream.flush();
            }
        }
    });
    let ask = |host: &str, authorities: bool, verify: bool| {
        let mut settings = ClientSettings::new(format!("https://{host}:{port}"));
        settings.authorities = authorities.then(|| format!("{folder}/ca.pem").into());
        settings.verify = verify;
        Client::new(settings)
            .expect("a client")
            .execute(Query::new("ask", "SELECT 1"))
            .map(|answer| answer.body)
    };
    assert_eq!(ask("127.0.0.1", true, true).expect("an answer"), b"\"a\"\n");
    assert_eq!(ask("127.0.0.1", false, false).expect("an answer"), b"\"a\"\n");
    for (host, authorities) in [("127.0.0.1", false), ("localhost", true)] {
        let error = ask(host, authorities, true).expect_err("a certificate that is not accepted");
        assert!(matches!(error, ClickHouseError::Tls { .. }), "{host}: {}", chain(&error));
        assert_eq!(error.class(), ErrorClass::Fatal);
    }
    let mut settings = ClientSettings::new("https://127.0.0.1:1");
    settings.authorities = Some(format!("{folder}/broker.key").into());
    let error = Client::new(settings).expect_err("no certificate");
    assert!(error.to_string().ends_with("it holds no certificate in PEM form"), "{error}");
}

/// A batch of a realistic size goes through compressed and comes out whole.
#[test]
fn a_large_batch() {
    let client = client();
    new_database(&client, "large_batch");
    run(&client, "CREATE TABLE large_batch.t (id UInt64, s String) ENGINE = MergeTree ORDER BY id");
    let mut layout = RowLayout::default();
    layout.push("id", ColumnType::parse("UInt64"), 0).expect("a writer");
    layout.push("s", ColumnType::parse("String"), 0).expect("a writer");
    let mut bytes = Vec::new();
    let text = "x".repeat(200);
    for id in 0..200_000 {
        let cells = [Cell::UInt(id), Cell::Text(text.get(..(id % 200) as usize).expect("a part"))];
        layout.write_row(cells.into_iter(), &mut bytes).expect("a row");
    }
    let columns: Vec<_> = layout.columns().collect();
    let insert = InsertStatement::new("large_batch", "t", &columns);
    let answer = insert.send(&client, rows(&bytes, None), &mut Vec::new()).expect("an insert");
    assert_eq!(answer.summary.written_rows, 200_000);
    let found = values(
        &client,
        "SELECT toString((count(), sum(id), sum(length(s)), uniqExact(id))) FROM large_batch.t",
    );
    // 199,999 × 200,000 / 2, and 1,000 times 0 + … + 199.
    assert_eq!(found, [Some("(200000,19999900000,19900000,200000)".to_owned())]);
}
