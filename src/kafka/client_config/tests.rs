use super::*;

fn layer(properties: &[(&str, &str)]) -> Vec<(String, String)> {
    properties.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn translated(properties: &[(&str, &str)]) -> Result<ClientConfig, KafkaHomeError> {
    client_config(ClientRole::Records, "broker:9092", &[&layer(properties)])
}

#[test]
fn java_names_become_librdkafka_names() {
    let cases = [
        ("batch.size", "16384", "batch.size", "16384"),
        ("linger.ms", "7", "linger.ms", "7"),
        ("acks", "1", "acks", "1"),
        ("compression.type", "zstd", "compression.codec", "zstd"),
        ("compression.lz4.level", "9", "compression.level", "9"),
        ("buffer.memory", "33554432", "queue.buffering.max.kbytes", "32768"),
        ("max.request.size", "5242880", "message.max.bytes", "5242880"),
        ("delivery.timeout.ms", "2147483647", "message.timeout.ms", "0"),
        ("delivery.timeout.ms", "60000", "message.timeout.ms", "60000"),
        ("send.buffer.bytes", "131072", "socket.send.buffer.bytes", "131072"),
        ("ssl.endpoint.identification.algorithm", "", "ssl.endpoint.identification.algorithm", "none"),
        ("ssl.truststore.location", "/etc/ca.pem", "ssl.ca.location", "/etc/ca.pem"),
        ("sasl.mechanism", "SCRAM-SHA-512", "sasl.mechanisms", "SCRAM-SHA-512"),
        ("security.protocol", "SASL_SSL", "security.protocol", "SASL_SSL"),
        ("client.id", "mine", "client.id", "mine"),
    ];
    for (java, value, own, expected) in cases {
        // acks other than all needs the idempotent producer off, which librdkafka checks when the client is made.
        let client = translated(&[(java, value)]).unwrap_or_else(|error| panic!("{java}: {error}"));
        assert_eq!(client.get(own), Some(expected), "{java}");
    }
}

#[test]
fn later_layers_win() {
    let (worker, producer, connector) =
        (layer(&[("linger.ms", "1")]), layer(&[("linger.ms", "2")]), layer(&[("linger.ms", "3")]));
    let client = client_config(ClientRole::Records, "b:1", &[&worker, &producer, &connector]).unwrap();
    assert_eq!(client.get("linger.ms"), Some("3"));
}

#[test]
fn partitioning_and_brokers_stay_as_they_must() {
    let client = translated(&[("partitioner", "random"), ("bootstrap.servers", "other:1")]).unwrap();
    assert_eq!(client.get("partitioner"), Some("murmur2_random"));
    assert_eq!(client.get("bootstrap.servers"), Some("broker:9092"));
}

#[test]
fn errors_name_the_users_property() {
    let cases = [
        ("linger.msec", "5", "kafka client property linger.msec is not known"),
        (
            "buffer.memory",
            "much",
            "kafka client property buffer.memory cannot be used: it is no number of bytes",
        ),
        (
            "ssl.truststore.location",
            "/etc/trust.jks",
            "kafka client property ssl.truststore.location cannot be used: a java trust store cannot be read",
        ),
        (
            "partitioner.class",
            "com.acme.Mine",
            "kafka client property partitioner.class cannot be used: records are always partitioned as the Java clients do by default",
        ),
    ];
    for (name, value, expected) in cases {
        assert_eq!(translated(&[(name, value)]).unwrap_err().to_string(), expected);
    }
    let error = translated(&[("max.request.size", "lots")]).unwrap_err().to_string();
    assert!(error.starts_with("kafka client property max.request.size cannot be used: "), "{error}");
}

#[test]
fn credentials_come_out_of_jaas() {
    let jaas =
        r#"org.apache.kafka.common.security.scram.ScramLoginModule required username="u" password="p;\"q";"#;
    let client = translated(&[("sasl.mechanism", "SCRAM-SHA-256"), ("sasl.jaas.config", jaas)]).unwrap();
    assert_eq!((client.get("sasl.username"), client.get("sasl.password")), (Some("u"), Some("p;\"q")));
    let error = translated(&[("sasl.jaas.config", "secret nonsense")]).unwrap_err().to_string();
    assert!(!error.contains("secret"), "{error}");
}

#[test]
fn assignors_of_java_are_named_as_librdkafka_names_them() {
    for (java, wanted) in [
        ("org.apache.kafka.clients.consumer.RangeAssignor", Some("range")),
        // Java's default.
        (
            "org.apache.kafka.clients.consumer.RangeAssignor, org.apache.kafka.clients.consumer.CooperativeStickyAssignor",
            Some("cooperative-sticky"),
        ),
        ("org.apache.kafka.clients.consumer.RoundRobinAssignor,roundrobin", Some("roundrobin")),
        ("org.apache.kafka.clients.consumer.StickyAssignor", None),
    ] {
        let layer = layer(&[("partition.assignment.strategy", java), ("group.instance.id", "one")]);
        let client = client_config(ClientRole::Member, "broker:9092", &[&layer]);
        assert_eq!(
            client.as_ref().ok().and_then(|client| client.get("partition.assignment.strategy")),
            wanted,
            "{java}"
        );
        if let Ok(client) = client {
            assert_eq!(client.get("group.instance.id"), Some("one"));
        }
    }
}
