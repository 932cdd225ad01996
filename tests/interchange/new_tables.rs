//! A table that Tidewire has let in goes on in Debezium, with the definition that the history has of it.

use crate::alone;
use crate::debezium::{Debezium, end_readers};
use crate::support::connector::Connector;
use crate::support::database::{MYSQL97, variable};
use crate::support::records::changes;

const NAME: &str = "let_in";
const BEFORE: &str = "
    drop database if exists let_in; create database let_in; use let_in;
    create table a(id int primary key, v varchar(10)); insert into a values(1,'a');
    create table b(id int primary key, v varchar(10)); insert into b values(1,'b');";

#[test]
fn a_table_that_was_let_in_goes_on_in_debezium() {
    let _alone = alone();
    MYSQL97.sql(BEFORE);
    let mut connector = Connector::to_kafka(&MYSQL97, NAME, &variable("TIDEWIRE_KAFKA"));
    connector
        .set("table.include.list", "let_in.a")
        .set("tidewire.snapshot.new.tables", "true")
        .set("schema.history.internal.store.only.captured.tables.ddl", "true")
        .set("key.converter", "org.apache.kafka.connect.json.JsonConverter")
        .set("value.converter", "org.apache.kafka.connect.json.JsonConverter")
        .set("tasks.max", "1")
        .set_worker("group.id", "connect")
        .set_worker("offset.storage.topic", "connect-offsets");
    let debezium = Debezium::new(NAME, &MYSQL97);
    debezium.start(&connector.properties);
    MYSQL97.sql("insert into let_in.a values(2,'a')");
    connector.wait_for_records("a", 2);
    debezium.stop();

    connector.start_streaming().terminate().expect(0, &["are taken for those in force"]);
    end_readers(&MYSQL97);
    MYSQL97.sql("alter table let_in.b add column w int default 7; insert into let_in.b values(2,'b',2)");
    connector.set("table.include.list", "let_in.a,let_in.b");
    let mut process = connector.start_streaming();
    process.wait_for("they are captured from here on", 1);
    MYSQL97.sql("insert into let_in.b values(3,'b',3); alter table let_in.b drop column v");
    MYSQL97.sql("insert into let_in.b values(4,4); insert into let_in.a values(3,'a')");
    connector.wait_for_records("b", 4);
    process.terminate().expect(0, &["stopped"]);
    end_readers(&MYSQL97);

    debezium.start(&connector.properties);
    MYSQL97.sql("insert into let_in.b values(5,5); alter table let_in.b add column x int");
    MYSQL97.sql("insert into let_in.b values(6,6,6)");
    connector.wait_for_records("b", 6);
    debezium.stop();

    let process = connector.start_streaming();
    MYSQL97.sql("insert into let_in.b values(7,7,7)");
    let b = connector.wait_for_records("b", 7);
    process.terminate().expect(0, &["stopped"]);
    end_readers(&MYSQL97);
    assert_eq!(changes(&b), "r1 r2 c3 c4 c5 c6 c7");
    let cells: Vec<_> =
        ["v", "w", "x"].map(|column| b.iter().map(|record| record.cell(column)).collect()).into();
    let expected = serde_json::json!([
        ["b", "b", "b", null, null, null, null],
        [7, 2, 3, 4, 5, 6, 7],
        [null, null, null, null, null, 6, 7]
    ]);
    let cells: Vec<Vec<&serde_json::Value>> = cells;
    assert_eq!(serde_json::json!(cells), expected);
}
