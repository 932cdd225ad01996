//! Records and offsets: their order, their place, what an outage and a refusal do to them.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rdkafka::admin::{AdminClient, AdminOptions, NewTopic, TopicReplication};
use rdkafka::client::DefaultClientContext;
use rdkafka::config::ClientConfig;

use tidewire::connect::record::{RecordHeaders, RecordHome};
use tidewire::error::{Classify, ErrorClass};
use tidewire::kafka::error::KafkaHomeError;
use tidewire::kafka::home::KafkaHome;

use crate::ground::{
    DAY, KEY, SEQUENCE_KEY, Seen, batch, broker, config, offset, open, read, setting, settings, stored,
    unique,
};

#[test]
fn records_carry_key_value_and_headers_in_order_to_javas_partition() {
    let (_broker, brokers) = broker();
    let config = config(&brokers);
    let topic: Arc<str> = Arc::from(unique("records"));
    let mut home = open(&config, DAY);
    home.set_context_headers(Arc::from(vec![
        ("__debezium.context.taskId".to_owned(), b"0".to_vec()),
        ("__debezium.context.connectorName".to_owned(), b"mysql".to_vec()),
    ]));
    let mut batch = batch(
        &topic,
        &[
            (Some("foobar"), Some("one")),
            (Some("foobar"), None),
            (Some("abc"), Some("x")),
            (Some("21"), Some("y")),
        ],
        &[],
    );
    let key: std::ops::Range<u32> = 0..6;
    batch.records[1].headers = RecordHeaders {
        key_change: Some(("__debezium.newkey", key)),
        context: true,
        sequence: Some(0x0102_0304_0506_0708),
    };
    home.publish(&batch).unwrap();
    home.flush().unwrap();
    // Partitions by the test vectors of Java's Utils.murmur2: foobar -790332482, abc 479470107, 21 -973932308.
    let seen = read(&brokers, &topic, 4, 4);
    let find = |partition| seen.iter().filter(|one| one.partition == partition).collect::<Vec<_>>();
    assert_eq!(find(3).iter().map(|one| one.key.as_deref()).collect::<Vec<_>>(), [Some("abc")]);
    assert_eq!(find(0).iter().map(|one| one.key.as_deref()).collect::<Vec<_>>(), [Some("21")]);
    let plain = Seen { partition: 2, key: Some("foobar".into()), value: Some("one".into()), headers: vec![] };
    let rich = Seen {
        partition: 2,
        key: Some("foobar".into()),
        value: None,
        headers: vec![
            ("__debezium.newkey".into(), b"foobar".to_vec()),
            ("__debezium.context.taskId".into(), b"0".to_vec()),
            ("__debezium.context.connectorName".into(), b"mysql".to_vec()),
            ("tidewire.seq".into(), vec![1, 2, 3, 4, 5, 6, 7, 8]),
        ],
    };
    assert_eq!(find(2), [&plain, &rich]);
    assert_eq!(seen.len(), 4);
}

#[test]
fn offsets_are_stored_in_order_replaced_and_removed() {
    let (_broker, brokers) = broker();
    let config = config(&brokers);
    assert_eq!(stored(&config, KEY), None, "the topic does not exist");
    let topic: Arc<str> = Arc::from(unique("records"));
    let mut home = open(&config, DAY);
    for place in 1..=3 {
        let value = format!(r#"{{"file":"binlog.000001","pos":{place}}}"#);
        let offsets =
            [offset(KEY, Some(&value)), offset(SEQUENCE_KEY, Some(&format!(r#"{{"last":{place}}}"#)))];
        home.publish(&batch(&topic, &[(None, Some("row"))], &offsets)).unwrap();
    }
    assert_eq!(stored(&config, KEY), None, "the interval is not over");
    home.flush().unwrap();
    assert_eq!(stored(&config, KEY).as_deref(), Some(r#"{"file":"binlog.000001","pos":3}"#));
    assert_eq!(stored(&config, SEQUENCE_KEY).as_deref(), Some(r#"{"last":3}"#));
    assert_eq!(read(&brokers, &config.offset_topic, 3, 2).len(), 2, "one record a key");
    home.publish(&batch(&topic, &[], &[offset(KEY, None)])).unwrap();
    home.flush().unwrap();
    assert_eq!(stored(&config, KEY), None);
}

#[test]
fn offsets_follow_by_themselves_when_the_interval_is_over() {
    let (_broker, brokers) = broker();
    let config = config(&brokers);
    let topic: Arc<str> = Arc::from(unique("records"));
    let mut home = open(&config, Duration::from_millis(50));
    home.publish(&batch(&topic, &[(None, Some("row"))], &[offset(KEY, Some("{}"))])).unwrap();
    let start = Instant::now();
    while stored(&config, KEY).is_none() {
        assert!(start.elapsed() < Duration::from_secs(20));
        home.idle().unwrap();
    }
}

#[test]
fn a_record_that_is_too_large_fails_for_good_and_the_offset_stays() {
    let (_broker, brokers) = broker();
    let config = config(&brokers);
    let topic: Arc<str> = Arc::from(unique("records"));
    let mut home = open(&config, DAY);
    home.publish(&batch(&topic, &[(None, Some("row"))], &[offset(KEY, Some("before"))])).unwrap();
    home.flush().unwrap();
    let large = "x".repeat(1_100_000);
    let refused =
        home.publish(&batch(&topic, &[(None, Some(&large))], &[offset(KEY, Some("behind"))])).unwrap_err();
    assert_eq!(refused.class(), ErrorClass::Fatal);
    assert_eq!(
        refused.to_string(),
        format!(
            "record of 1100000 bytes for topic {topic} is larger than allowed: max.request.size of the producer is 1048576"
        )
    );
    assert!(home.publish(&batch(&topic, &[(None, Some("row"))], &[])).is_err());
    assert!(home.flush().is_err());
    assert_eq!(stored(&config, KEY).as_deref(), Some("before"));
}

#[test]
fn a_record_that_the_broker_refuses_fails_too() {
    let (_broker, brokers) = broker();
    let mut config = config(&brokers);
    // Our own limit lets it through, the broker's default of 1 MiB does not.
    config.producer.push(("max.request.size".to_owned(), "4000000".to_owned()));
    let topic: Arc<str> = Arc::from(unique("records"));
    let mut home = open(&config, DAY);
    let large = "x".repeat(2_000_000);
    let offsets = [offset(KEY, Some("behind"))];
    let refused = home
        .publish(&batch(&topic, &[(None, Some(&large))], &offsets))
        .and_then(|()| home.flush())
        .unwrap_err();
    assert!(matches!(refused, KafkaHomeError::RecordTooLarge { size: 2_000_000, .. }), "{refused:?}");
    drop(home);
    assert_eq!(stored(&config, KEY), None);
}

#[test]
fn every_compression_is_read_by_others() {
    let (_broker, brokers) = broker();
    for compression in ["gzip", "snappy", "lz4", "zstd"] {
        let mut config = config(&brokers);
        config.producer.push(("compression.type".to_owned(), compression.to_owned()));
        let topic: Arc<str> = Arc::from(unique(compression));
        let mut home = open(&config, DAY);
        let values: Vec<String> = (0..2000).map(|number| format!("{number} {}", "v".repeat(200))).collect();
        let records: Vec<_> = values.iter().map(|value| (Some("key"), Some(value.as_str()))).collect();
        home.publish(&batch(&topic, &records, &[])).unwrap();
        home.flush().unwrap();
        let seen = read(&brokers, &topic, 4, values.len());
        assert!(seen.iter().map(|one| one.value.as_deref()).eq(records.iter().map(|(_, value)| *value)));
    }
}

#[test]
fn batches_that_are_too_large_for_a_topic_are_split() {
    let (_broker, brokers) = broker();
    let config = config(&brokers);
    let topic = unique("small-batches");
    let admin: AdminClient<DefaultClientContext> =
        ClientConfig::new().set("bootstrap.servers", &brokers).create().unwrap();
    let fresh = NewTopic::new(&topic, 1, TopicReplication::Fixed(1)).set("max.message.bytes", "100000");
    // The future is ready when the broker has answered; asking again says whether it has.
    drop(admin.create_topics([&fresh], &AdminOptions::new()));
    let topic: Arc<str> = Arc::from(topic);
    let start = Instant::now();
    let exists = || {
        let metadata = admin.inner().fetch_metadata(None, Duration::from_secs(5)).unwrap();
        metadata.topics().iter().any(|one| one.name() == &*topic)
    };
    while !exists() {
        assert!(start.elapsed() < Duration::from_secs(20));
    }
    let mut home = open(&config, DAY);
    let value = "v".repeat(1000);
    let keys: Vec<String> = (0..5000).map(|number| number.to_string()).collect();
    for some in keys.chunks(500) {
        let records: Vec<_> = some.iter().map(|key| (Some(key.as_str()), Some(value.as_str()))).collect();
        home.publish(&batch(&topic, &records, &[])).unwrap();
    }
    home.flush().unwrap();
    let seen = read(&brokers, &topic, 1, keys.len());
    assert!(seen.iter().map(|one| one.key.as_deref()).eq(keys.iter().map(|key| Some(key.as_str()))));
}

#[test]
fn an_outage_only_stalls() {
    let (_broker, brokers) = broker();
    let (stop, start) = (setting("TIDEWIRE_KAFKA_STOP"), setting("TIDEWIRE_KAFKA_START"));
    let run = |command: &str| {
        assert!(Command::new("sh").args(["-c", command]).status().unwrap().success(), "{command}")
    };
    let config = config(&brokers);
    let topic: Arc<str> = Arc::from(unique("records"));
    let mut home = open(&config, Duration::ZERO);
    let value = "v".repeat(400);
    let keys: Vec<String> = (0..60_000).map(|number| number.to_string()).collect();
    let send = |home: &mut KafkaHome, keys: &[String]| {
        for some in keys.chunks(500) {
            let records: Vec<_> = some.iter().map(|key| (Some(key.as_str()), Some(value.as_str()))).collect();
            home.publish(&batch(&topic, &records, &[offset(KEY, some.last().map(String::as_str))])).unwrap();
        }
    };
    send(&mut home, &keys[..10_000]);
    home.flush().unwrap();
    run(&stop);
    // More than the queue holds, so that publishing must wait for the broker.
    std::thread::scope(|scope| {
        let publisher = scope.spawn(|| {
            send(&mut home, &keys[10_000..]);
            home.flush().unwrap();
        });
        std::thread::sleep(Duration::from_secs(5));
        assert!(!publisher.is_finished());
        run(&start);
        publisher.join().unwrap();
    });
    assert_eq!(stored(&config, KEY).as_deref(), Some("59999"));
    let seen = read(&brokers, &topic, 4, keys.len());
    assert_eq!(seen.len(), keys.len(), "each once");
    for partition in 0..4 {
        let numbers: Vec<u32> = seen
            .iter()
            .filter(|one| one.partition == partition)
            .map(|one| one.key.as_ref().unwrap().parse().unwrap())
            .collect();
        assert!(numbers.is_sorted(), "partition {partition}");
    }
}

#[test]
fn opening_without_a_broker_waits_until_it_is_told_to_stop() {
    let config = config("127.0.0.1:9");
    let stop = Arc::new(AtomicBool::new(false));
    let telling = Arc::clone(&stop);
    let teller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(1));
        telling.store(true, Ordering::Relaxed);
    });
    let start = Instant::now();
    let error = KafkaHome::open(&config, settings(DAY), stop).err().unwrap();
    teller.join().unwrap();
    assert!(
        matches!(error, KafkaHomeError::Stopped) && start.elapsed() < Duration::from_secs(10),
        "{error:?}"
    );
}
