use std::path::Path;

use super::*;
use crate::config::properties::java;
use crate::config::sink::SinkConfig;
use crate::sink::apply::record::SchemaRecord;

fn config(more: &str) -> SinkConfig {
    let text = format!(
        "name=mirror\nconnector.class=tidewire.clickhouse.ClickHouseSinkConnector\ntopics=p.d.t\n\
         clickhouse.url=http://localhost:8123\n{more}\n"
    );
    let properties = java::parse(&text, Path::new("s.properties")).expect("properties");
    SinkConfig::from_properties(&properties).expect("a configuration").0
}

/// A catalog with the table d.t: id INT key, n DECIMAL(10,2).
fn catalog() -> SchemaCatalog {
    catalog_of("t")
}

fn catalog_of(table: &str) -> SchemaCatalog {
    let record = serde_json::json!({
        "ddl": "CREATE TABLE t …",
        "source": {"name": "p", "ts_ms": 5000, "snapshot": "true"},
        "tableChanges": [{"type": "CREATE", "id": format!("\"d\".\"{table}\""), "table": {
            "primaryKeyColumnNames": ["id"],
            "columns": [
                {"name": "id", "typeName": "INT", "optional": false},
                {"name": "n", "typeName": "DECIMAL", "length": 10, "scale": 2, "optional": true},
            ],
        }}],
    });
    let mut catalog = SchemaCatalog::default();
    let value = record.to_string();
    let record = SchemaRecord { offset: 0, value: Some(value.as_bytes()), sequence: None };
    assert_eq!(catalog.learn_record(record).unwrap().len(), 1);
    catalog
}

fn record(key: Option<&str>, value: &str) -> OwnedRecord {
    let owned = |text: &str| text.as_bytes().to_vec();
    OwnedRecord { key: key.map(owned), value: Some(owned(value)), ..OwnedRecord::default() }
}

fn envelope(operation: &str, before: &str, after: &str) -> String {
    format!(
        r#"{{"before":{before},"after":{after},"source":{{"name":"p","db":"d","table":"t","ts_ms":1,"file":"b.1","pos":4,"row":0}},"op":"{operation}"}}"#
    )
}

fn sample(partitions: usize, records: Vec<OwnedRecord>) -> TopicSample {
    TopicSample { topic: "p.d.t".to_owned(), partitions, records }
}

/// Severity, and what is found.
fn told(sample: &TopicSample, catalog: &SchemaCatalog, config: &SinkConfig) -> Vec<(Severity, String)> {
    judge(sample, catalog, config).findings.into_iter().map(|found| (found.severity, found.actual)).collect()
}

#[test]
fn rows_as_they_should_be_tell_their_table_and_nothing_else() {
    let row = envelope("c", "null", r#"{"id":1,"n":"AJs="}"#);
    let update = envelope("u", r#"{"id":1,"n":"AJs="}"#, r#"{"id":1,"n":null}"#);
    let mut sample = sample(3, vec![record(Some(r#"{"id":1}"#), &row), record(Some(r#"{"id":1}"#), &update)]);
    sample.records.push(OwnedRecord {
        key: Some(b"{\"id\":1}".to_vec()),
        value: None,
        ..OwnedRecord::default()
    });
    let judged = judge(&sample, &catalog(), &config(""));
    assert_eq!(judged.findings, []);
    let [table] = judged.tables.try_into().unwrap();
    assert_eq!((table.name, table.source), (("d".to_owned(), "t".to_owned()), "p".to_owned()));
    assert_eq!(table.columns, ["id", "n"]);
    assert_eq!((table.version, table.shape), (None, None));
}

#[test]
fn keys_are_the_identity() {
    let row = envelope("c", "null", r#"{"id":1,"n":"AJs="}"#);
    let error = |actual: &str| vec![(Severity::Error, actual.to_owned())];
    let several = sample(3, vec![record(None, &row)]);
    let wanted = error("records of d.t without a key, in a topic of 3 partitions");
    assert_eq!(told(&several, &catalog(), &config("")), wanted);
    assert_eq!(told(&several, &catalog(), &config("keyless.mode=append")), wanted);
    let single = sample(1, vec![record(None, &row)]);
    assert_eq!(told(&single, &catalog(), &config("")), error("records of d.t without a key"));
    let other = sample(1, vec![record(Some(r#"{"n":"AJs="}"#), &row)]);
    assert_eq!(told(&other, &catalog(), &config("")), error("d.t has the key id, its records n"));
    let mut numbered = other;
    numbered.records[0].sequence = Some(vec![0, 0, 0, 0, 0, 0, 0, 9]);
    let found = told(&numbered, &catalog(), &config(""));
    assert_eq!(found, [(Severity::Warning, "d.t has the key id, its records n".to_owned())]);
}

#[test]
fn what_is_no_record_of_debezium_is_named() {
    let cases: [(&[u8], &str); 5] = [
        (
            b"\x00\x00\x00\x00\x05abc",
            "a value that begins with a zero byte: Avro, Protobuf or JSON of a schema registry",
        ),
        (b"Struct{id=1}", "the value of the record cannot be read: no valid json at byte 0"),
        (
            br#"{"id":1,"__deleted":"false"}"#,
            "rows without an envelope (ExtractNewRecordState), with __deleted",
        ),
        (
            br#"{"id":1}"#,
            "rows without an envelope (ExtractNewRecordState), which do not even say what was deleted",
        ),
        (b"7", "values without an envelope"),
    ];
    for (value, wanted) in cases {
        let record = OwnedRecord { key: None, value: Some(value.to_vec()), ..OwnedRecord::default() };
        let twice = sample(1, vec![record.clone(), record]);
        let found = judge(&twice, &catalog(), &config("")).findings;
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].severity, found[0].actual.as_str()), (Severity::Error, wanted));
        assert!(!found[0].remedy.is_empty(), "{wanted}");
    }
    let key = OwnedRecord {
        key: Some(vec![0, 0, 0, 0, 1, 2]),
        value: Some(envelope("c", "null", r#"{"id":1,"n":null}"#).into_bytes()),
        ..OwnedRecord::default()
    };
    let found = told(&sample(1, vec![key]), &catalog(), &config(""));
    assert!(found[0].1.starts_with("a key that begins with a zero byte"), "{found:?}");
}

#[test]
fn types_have_to_come_from_somewhere() {
    let row = envelope("c", "null", r#"{"id":1,"n":"AJs="}"#);
    let sample = sample(1, vec![record(Some(r#"{"id":1}"#), &row)]);
    let found = told(&sample, &SchemaCatalog::default(), &config(""));
    assert_eq!(found, [(Severity::Error, "records of d.t have neither".to_owned())]);
}

#[test]
fn schemas_tell_types_and_how_they_are_published() {
    let field = |more: &str| {
        format!(
            r#"{{"schema":{{"type":"struct","fields":[{{"type":"struct","optional":true,"field":"after","fields":[
            {{"type":"int32","optional":false,"field":"id"}},{{"type":"double","optional":true,{more}"field":"n"}},
            {{"type":"int64","optional":true,"name":"org.apache.kafka.connect.data.Timestamp","version":1,"field":"at"}}]}}],"optional":false}},
            "payload":{}}}"#,
            envelope("c", "null", r#"{"id":1,"n":1.55,"at":5}"#)
        )
    };
    let key = Some(r#"{"id":1}"#);
    let plain = sample(1, vec![record(key, &field(""))]);
    let connect =
        "connect in columns of d.t: at; microseconds are lost, and of TIME what is outside of one day";
    let widest =
        "of d.t only what the record schemas stand for is known: the widest types, and added columns";
    let found = told(&plain, &SchemaCatalog::default(), &config(""));
    assert_eq!(found, [(Severity::Error, connect.to_owned())]);
    let found = told(&plain, &catalog_of("other"), &config(""));
    assert_eq!(found, [(Severity::Warning, widest.to_owned()), (Severity::Error, connect.to_owned())]);
    let double = "double in columns of d.t: n; digits are lost before the sink sees them";
    let both = [(Severity::Error, double.to_owned()), (Severity::Error, connect.to_owned())];
    let propagated = r#""parameters":{"__debezium.source.column.type":"DECIMAL","__debezium.source.column.length":"10","__debezium.source.column.scale":"2"},"#;
    let propagated = sample(1, vec![record(key, &field(propagated))]);
    assert_eq!(told(&propagated, &SchemaCatalog::default(), &config("")), both);
    assert_eq!(told(&plain, &catalog(), &config("")), both);
}

#[test]
fn values_that_are_missing_or_of_another_form_are_named_by_column() {
    let key = Some(r#"{"id":1}"#);
    let unavailable = envelope("c", "null", r#"{"id":1,"n":"__debezium_unavailable_value"}"#);
    let found = told(&sample(1, vec![record(key, &unavailable)]), &catalog(), &config(""));
    let looked_up = "values of d.t are left out, and are looked up in the row before: n";
    assert_eq!(found, [(Severity::Warning, looked_up.to_owned())]);
    let found = told(&sample(1, vec![record(None, &unavailable)]), &catalog(), &config(""));
    assert_eq!(found[1], (Severity::Error, looked_up.to_owned()));
    let other = config("unavailable.value.placeholder=other");
    let found = told(&sample(1, vec![record(key, &unavailable)]), &catalog(), &other);
    let taken = "__debezium_unavailable_value in columns of d.t, which would be taken for a value: n";
    assert_eq!(found, [(Severity::Error, taken.to_owned())]);
    let texts = envelope("c", "null", r#"{"id":1,"n":"1.55"}"#);
    let found = told(&sample(1, vec![record(key, &texts), record(key, &texts)]), &catalog(), &config(""));
    let wanted =
        "string in columns of d.t: n; the sink would read other values than MySQL has, or refuse them";
    assert_eq!(found, [(Severity::Error, wanted.to_owned())]);
    let told_so = config("decimal.handling.mode=string");
    assert_eq!(told(&sample(1, vec![record(key, &texts)]), &catalog(), &told_so), []);
    // Without the row before, a row cannot be taken from where it stood.
    let partial = envelope("u", r#"{"id":1}"#, r#"{"id":1,"n":"AJs="}"#);
    let partial = sample(1, vec![record(key, &partial)]);
    assert_eq!(told(&partial, &catalog(), &config("")), []);
    let ordered = config("table.order.by=d.t:(n,id)");
    assert_eq!(
        told(&partial, &catalog(), &ordered),
        [(Severity::Error, "updates of d.t without it".to_owned())]
    );
}
