use super::*;
use crate::kafka::client_config::{ClientRole, client_config};

fn settings(properties: &[(&str, &str)]) -> Result<ProducerSettings, KafkaHomeError> {
    let layer: Vec<(String, String)> =
        properties.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    ProducerSettings::new(&client_config(ClientRole::Records, "a:1, [::1]:2,SASL_SSL://c", &[&layer])?)
}

#[test]
fn without_properties_records_are_safe_and_memory_is_small() {
    let settings = settings(&[]).unwrap();
    let bootstrap = [("a", 1), ("::1", 2), ("c", 9092)].map(|(host, port)| (host.to_owned(), port));
    assert_eq!(settings.bootstrap, bootstrap);
    assert_eq!((settings.idempotent, settings.acks, settings.max_in_flight), (true, -1, 5));
    assert_eq!((settings.batch_size, settings.max_request_size), (1_000_000, 1_048_576));
    assert_eq!((settings.buffer_memory, settings.linger), (16 << 20, Duration::from_millis(5)));
    assert_eq!((settings.delivery_timeout, settings.request_timeout), (None, Duration::from_secs(30)));
    assert_eq!((settings.compression, settings.retries), (Compression::None, u32::MAX));
    assert!(settings.connection.tls.is_none() && settings.connection.sasl.is_none());
}

#[test]
fn both_spellings_are_obeyed() {
    let java = settings(&[
        ("enable.idempotence", "false"),
        ("acks", "1"),
        ("batch.size", "16384"),
        ("linger.ms", "20"),
        ("buffer.memory", "33554432"),
        ("max.request.size", "5242880"),
        ("compression.type", "lz4"),
        ("delivery.timeout.ms", "60000"),
        ("request.timeout.ms", "5000"),
        ("retries", "3"),
        ("max.in.flight.requests.per.connection", "2"),
        ("metadata.max.age.ms", "1000"),
    ])
    .unwrap();
    let own = settings(&[
        ("enable.idempotence", "false"),
        ("request.required.acks", "1"),
        ("batch.size", "16384"),
        ("queue.buffering.max.ms", "20"),
        ("queue.buffering.max.kbytes", "32768"),
        ("message.max.bytes", "5242880"),
        ("compression.codec", "lz4"),
        ("message.timeout.ms", "60000"),
        ("request.timeout.ms", "5000"),
        ("message.send.max.retries", "3"),
        ("max.in.flight", "2"),
        ("topic.metadata.refresh.interval.ms", "1000"),
    ])
    .unwrap();
    for settings in [java, own] {
        assert_eq!((settings.idempotent, settings.acks, settings.max_in_flight), (false, 1, 2));
        assert_eq!((settings.batch_size, settings.max_request_size), (16_384, 5_242_880));
        assert_eq!((settings.buffer_memory, settings.linger), (32 << 20, Duration::from_millis(20)));
        assert_eq!(settings.delivery_timeout, Some(Duration::from_secs(60)));
        assert_eq!((settings.request_timeout, settings.retries), (Duration::from_secs(5), 3));
        assert_eq!(settings.compression, Compression::Lz4);
        assert_eq!(settings.metadata_max_age, Duration::from_secs(1));
    }
}

#[test]
fn a_login_is_taken_over() {
    let jaas =
        r#"org.apache.kafka.common.security.scram.ScramLoginModule required username="u" password="p";"#;
    let settings = settings(&[
        ("security.protocol", "SASL_PLAINTEXT"),
        ("sasl.mechanism", "SCRAM-SHA-512"),
        ("sasl.jaas.config", jaas),
    ])
    .unwrap();
    let sasl = settings.connection.sasl.as_ref().unwrap();
    assert_eq!(
        (sasl.mechanism, sasl.username.as_str(), sasl.password.as_str()),
        (Mechanism::ScramSha512, "u", "p")
    );
}

#[test]
fn what_is_not_possible_is_named() {
    let cases: [(&[(&str, &str)], &str); 5] = [
        (&[("linger.msec", "5")], "kafka client property linger.msec is not known"),
        (
            &[("acks", "1")],
            "kafka client property acks cannot be used: an idempotent producer needs acks=all",
        ),
        (
            &[("acks", "0"), ("enable.idempotence", "false")],
            "kafka client property acks cannot be used: records could be lost without a word",
        ),
        (
            &[("security.protocol", "SASL_PLAINTEXT"), ("sasl.mechanism", "GSSAPI")],
            "kafka client property sasl.mechanism cannot be used: GSSAPI is none of PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512",
        ),
        (
            &[("ssl.keystore.location", "/etc/me.p12")],
            "kafka client property ssl.keystore.location cannot be used: the producer reads key stores in PEM form only",
        ),
    ];
    for (properties, expected) in cases {
        assert_eq!(settings(properties).err().map(|error| error.to_string()).as_deref(), Some(expected));
    }
}
