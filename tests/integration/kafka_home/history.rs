//! The schema history topic.

use std::sync::Arc;
use std::time::Duration;

use rdkafka::config::ClientConfig;
use rdkafka::producer::{BaseProducer, BaseRecord, Producer};

use tidewire::kafka::error::KafkaHomeError;
use tidewire::kafka::schema_history::KafkaSchemaHistory;
use tidewire::schema::history::record::HistoryRecord;
use tidewire::schema::history::{SchemaHistory, read_records};

use crate::ground::{DAY, broker, config, open, read, unique};

#[test]
fn the_schema_history_comes_back() {
    let (_broker, brokers) = broker();
    let topic = unique("history");
    let open = || {
        KafkaSchemaHistory::open(&topic, &brokers, &[], &[], Duration::from_secs(10), Arc::default()).unwrap()
    };
    let mut history = open();
    assert!(!history.exists().unwrap());
    history.initialize_storage().unwrap();
    assert!(!history.exists().unwrap());
    let record = |ddl: &str| -> HistoryRecord {
        let text = format!(
            r#"{{"source":{{"server":"p"}},"position":{{"ts_sec":1795984446,"file":"binlog.000001","pos":219}},"ts_ms":1795984446311,"databaseName":"shop","ddl":"{ddl}","tableChanges":[]}}"#
        );
        text.parse().unwrap()
    };
    let records: Vec<HistoryRecord> =
        (0..50).map(|number| record(&format!("CREATE DATABASE d{number}"))).collect();
    history.record(&records[..1]).unwrap();
    assert!(history.exists().unwrap());
    // What others may have left there.
    let other: BaseProducer = ClientConfig::new().set("bootstrap.servers", &brokers).create().unwrap();
    other.send(BaseRecord::<str, str>::to(&topic).payload("nonsense")).unwrap();
    other.send(BaseRecord::<str, str>::to(&topic).key("k")).unwrap();
    other.flush(Duration::from_secs(20)).unwrap();
    history.record(&records[1..]).unwrap();
    let mut seen = Vec::new();
    read_records(&mut open(), &mut |record| seen.push(record)).unwrap();
    assert_eq!(seen, records);
    let raw = read(&brokers, &topic, 1, 52);
    assert_eq!((raw[0].key.as_deref(), raw[0].partition), (None, 0));
    assert!(raw[0].value.as_ref().unwrap().starts_with("{\n  \"source\" : {\n    \"server\" : \"p\"\n  },"));
}

#[test]
fn a_history_topic_with_two_partitions_is_refused() {
    let (_broker, brokers) = broker();
    let config = config(&brokers);
    drop(open(&config, DAY));
    let mut history = KafkaSchemaHistory::open(
        &config.offset_topic,
        &brokers,
        &[],
        &[],
        Duration::from_secs(10),
        Arc::default(),
    )
    .unwrap();
    assert!(matches!(history.exists(), Err(KafkaHomeError::HistoryPartitions { partitions: 3, .. })));
}
