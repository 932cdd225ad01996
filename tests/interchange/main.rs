//! Debezium 3.6.1 and Tidewire take turns at one connector: the same configuration, offset topic and history topic.
//!
//! Each has statements and rows to stream, then the other goes on from what it stored. In the end every row and every
//! statement must be there once, with the columns that its table had at that time. A turn that Debezium follows ends with
//! rows: where a statement is the last, Debezium publishes it again (D-6), whoever stored the offset.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod debezium;
#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../integration/mysql_server.rs"]
mod mysql_server;
mod new_tables;
#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../integration/support/mod.rs"]
mod support;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use debezium::{Debezium, end_readers};
use support::broker::Broker;
use support::connector::Connector;
use support::database::{MYSQL97, variable};
use support::process::{Process, tidewire, wait_until};

const LIMIT: Duration = Duration::from_secs(60);
const NAME: &str = "turns";

/// What a turn runs, and the rows that it adds: table, operation, the row (before it for a delete).
struct Turn {
    statements: &'static [&'static str],
    rows: Vec<(&'static str, &'static str, Value)>,
    /// The statements that are stored and published, as Debezium has them.
    ddl: &'static [&'static str],
}

const BEFORE: &str = "
    drop database if exists turns; create database turns; use turns;
    create table t(id int primary key, v varchar(10));
    create table k(a int not null, b varchar(5) not null, unique ka(a), unique kb(b));
    insert into t values(1,'one'),(2,'two'); insert into k values(1,'x');";

fn snapshot() -> Vec<(&'static str, &'static str, Value)> {
    vec![
        ("k", "r", json!({"a":1,"b":"x"})),
        ("t", "r", json!({"id":1,"v":"one"})),
        ("t", "r", json!({"id":2,"v":"two"})),
    ]
}

fn debezium_first() -> Turn {
    Turn {
        statements: &[
            "insert into t values(3,'three')",
            "alter table t add column w int not null default 7 after id",
            "insert into t(id,v) values(4,'four')",
            "create table u(id int primary key, e enum('a','b''c'), d decimal(6,2) default 1.5)",
            "insert into u(id,e) values(1,'b''c')",
            "rename table u to u2",
            "insert into u2 values(2,'a',2.25)",
            // The last one is a statement: Tidewire reads it again and must not publish or apply it again.
            "alter table t rename column v to val",
        ],
        rows: vec![
            ("t", "c", json!({"id":3,"v":"three"})),
            ("t", "c", json!({"id":4,"w":7,"v":"four"})),
            ("u", "c", json!({"id":1,"e":"b'c","d":"1.50"})),
            ("u2", "c", json!({"id":2,"e":"a","d":"2.25"})),
        ],
        ddl: &[
            "alter table t add column w int not null default 7 after id",
            "create table u(id int primary key, e enum('a','b''c'), d decimal(6,2) default 1.5)",
            "rename table u to u2",
            "alter table t rename column v to val",
        ],
    }
}

fn tidewire_second() -> Turn {
    Turn {
        statements: &[
            "update t set val='two!' where id=2",
            "alter table t drop column w, add column x datetime(3)",
            "insert into t values(5,'five','2024-01-02 03:04:05.678')",
            "create table n like t",
            "insert into n values(1,'n',null)",
            "drop index ka on k",
            "insert into k values(2,'y')",
            "rename table t to tmp, n to t, tmp to n",
            "insert into t values(6,'was n',null)",
            "insert into n values(7,'was t',null)",
            "delete from n where id=1",
        ],
        rows: vec![
            ("t", "u", json!({"id":2,"w":7,"val":"two!"})),
            ("t", "c", json!({"id":5,"val":"five","x":1_704_164_645_678_i64})),
            ("n", "c", json!({"id":1,"val":"n","x":null})),
            ("k", "c", json!({"a":2,"b":"y"})),
            ("t", "c", json!({"id":6,"val":"was n","x":null})),
            ("n", "c", json!({"id":7,"val":"was t","x":null})),
            ("n", "d", json!({"id":1,"val":"one","x":null})),
        ],
        ddl: &[
            "alter table t drop column w, add column x datetime(3)",
            "create table n like t",
            "drop index ka on k",
            "rename table t to tmp",
            "rename table n to t",
            "rename table tmp to n",
        ],
    }
}

fn debezium_third() -> Turn {
    Turn {
        statements: &[
            "insert into t values(8,'t',null)",
            "insert into n values(8,'n','2024-01-02 03:04:05.678')",
            "alter table n add column y varchar(5) character set latin1 first",
            "insert into n values('é',9,'n',null)",
            "drop table u2",
            "update k set a=3 where b='y'",
        ],
        rows: vec![
            ("t", "c", json!({"id":8,"val":"t","x":null})),
            ("n", "c", json!({"id":8,"val":"n","x":1_704_164_645_678_i64})),
            ("n", "c", json!({"y":"é","id":9,"val":"n","x":null})),
            ("k", "u", json!({"a":3,"b":"y"})),
        ],
        ddl: &["alter table n add column y varchar(5) character set latin1 first", "DROP TABLE `turns`.`u2`"],
    }
}

/// From a compacted history.
fn debezium_fourth() -> Turn {
    Turn {
        statements: &[
            "insert into n values('ü',10,'n',null)",
            "alter table t modify x date",
            "insert into t values(11,'t','2024-01-02')",
            "insert into k values(4,'z')",
        ],
        rows: vec![
            ("n", "c", json!({"y":"ü","id":10,"val":"n","x":null})),
            ("t", "c", json!({"id":11,"val":"t","x":19_724})),
            ("k", "c", json!({"a":4,"b":"z"})),
        ],
        ddl: &["alter table t modify x date"],
    }
}

fn tidewire_fifth() -> Turn {
    Turn {
        statements: &[
            "insert into n values('ö',12,'n',null)",
            "alter table n drop column val",
            "insert into n values('ä',13,null)",
        ],
        rows: vec![
            ("n", "c", json!({"y":"ö","id":12,"val":"n","x":null})),
            ("n", "c", json!({"y":"ä","id":13,"x":null})),
        ],
        ddl: &["alter table n drop column val"],
    }
}

/// The connector, and what must have come so far.
struct Ground {
    connector: Connector,
    broker: Broker,
    rows: Vec<(&'static str, &'static str, Value)>,
    ddl: Vec<&'static str>,
}

impl Ground {
    fn new() -> Self {
        MYSQL97.sql(BEFORE);
        let kafka = variable("TIDEWIRE_KAFKA");
        let mut connector = Connector::to_kafka(&MYSQL97, NAME, &kafka);
        connector
            .set("decimal.handling.mode", "string")
            .set("key.converter", "org.apache.kafka.connect.json.JsonConverter")
            .set("value.converter", "org.apache.kafka.connect.json.JsonConverter")
            .set("tasks.max", "1")
            .set_worker("group.id", "connect")
            .set_worker("offset.storage.topic", "connect-offsets");
        Ground { connector, broker: Broker::new(&kafka), rows: snapshot(), ddl: Vec::new() }
    }

    /// Runs a turn's statements while the connector streams, and waits until their rows are there.
    fn run(&mut self, turn: Turn) {
        let mut text = format!("use {NAME};\n");
        turn.statements.iter().for_each(|statement| text.push_str(&format!("{statement};\n")));
        MYSQL97.sql(&text);
        self.rows.extend(turn.rows);
        self.ddl.extend(turn.ddl);
        for table in ["t", "n", "k", "u", "u2"] {
            let wanted = self.rows_of(table);
            let what = format!("{} rows of {table}\n", wanted.len());
            wait_until(&what, LIMIT, || self.published(table).len() >= wanted.len());
            assert_eq!(self.published(table), wanted, "{table}");
        }
        let wanted = self.ddl.len();
        wait_until("the statements", LIMIT, || self.statements(&self.connector.prefix).len() >= wanted);
        assert_eq!(self.statements(&self.connector.prefix), self.ddl);
    }

    fn rows_of(&self, table: &str) -> Vec<(String, String)> {
        let rows = self.rows.iter().filter(|row| row.0 == table);
        rows.map(|(_, op, row)| ((*op).to_owned(), row.to_string())).collect()
    }

    fn published(&self, table: &str) -> Vec<(String, String)> {
        let records = self.connector.records(table);
        let rows = records.iter().filter(|record| !record.value.is_null()).map(|record| {
            let row = if record.op() == "d" { &record.value["before"] } else { &record.value["after"] };
            (record.op().to_owned(), row.to_string())
        });
        rows.collect()
    }

    /// The statements of the schema-change topic that were streamed.
    fn statements(&self, topic: &str) -> Vec<String> {
        let records = self.connector.topic(topic);
        let streamed = records.iter().filter(|record| record.value["source"]["snapshot"] == "false");
        streamed.filter_map(|record| record.value["ddl"].as_str().map(str::to_owned)).collect()
    }

    /// Those of a history topic.
    fn recorded(&self, topic: &str) -> Vec<String> {
        let texts = self.broker.texts(topic);
        let records =
            texts.iter().filter_map(|[_, value]| serde_json::from_str::<Value>(value.as_ref()?).ok());
        let streamed = records.filter(|record| record["position"]["snapshot"].is_null());
        streamed.filter_map(|record| record["ddl"].as_str().map(str::to_owned)).collect()
    }

    /// `tidewire history …` ends with this code and says this.
    fn history(&self, command: &str, arguments: &[&str], said: &str) {
        let [worker, connector] = self.connector.write_files();
        let words = ["history", command, "--worker", &worker].into_iter().chain(arguments.iter().copied());
        let process =
            Process::start(tidewire(words.chain([connector.as_str()])), &self.connector.file("history.log"));
        process.wait(LIMIT).expect(0, &[said]);
    }
}

/// One test at a time: that nobody reads the binlog is how a turn ends.
fn alone() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn each_goes_on_where_the_other_one_stopped() {
    let _alone = alone();
    let mut ground = Ground::new();
    let debezium = Debezium::new(NAME);
    let history = ground.connector.properties["schema.history.internal.kafka.topic"].clone();

    debezium.start(&ground.connector.properties);
    ground.run(debezium_first());
    debezium.stop();
    ground.history("verify", &[], "verify: 3 tables, 0 differences");

    let process = ground.connector.start_streaming();
    ground.run(tidewire_second());
    process.terminate().expect(0, &["stopped"]);
    end_readers();
    ground.history("verify", &["--position", "stored"], "verify: 4 tables, 0 differences");

    debezium.start(&ground.connector.properties);
    ground.run(debezium_third());
    debezium.stop();
    assert_eq!(ground.recorded(&history), ground.ddl);
    ground.history("verify", &[], "verify: 3 tables, 0 differences");

    // Debezium goes on from the compacted history of both.
    let short = format!("short.{}", ground.connector.prefix);
    ground.history("compact", &["--to", &short], "compact: 3 tables, ");
    ground.connector.set("schema.history.internal.kafka.topic", &short);
    ground.history("verify", &["--position", "stored"], "verify: 3 tables, 0 differences");
    debezium.start(&ground.connector.properties);
    ground.run(debezium_fourth());
    debezium.stop();

    let process = ground.connector.start_streaming();
    ground.run(tidewire_fifth());
    process.terminate().expect(0, &["stopped"]);
    end_readers();
    ground.history("verify", &[], "verify: 3 tables, 0 differences");
}
