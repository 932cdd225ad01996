//! The producer through TLS and logins: `TIDEWIRE_KAFKA_SECURE` is a broker, `TIDEWIRE_KAFKA_SECURE_SASL_SSL` its listener
//! with the users alice (PLAIN, password alice-secret) and bob (SCRAM, bob-secret), and `ca.pem` in
//! `TIDEWIRE_KAFKA_SECURE_DIR` the authority that signed its certificate for 127.0.0.1.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tidewire::config::worker::{KafkaConfig, StandbyConfig};
use tidewire::error::{Classify, ErrorClass, chain};
use tidewire::kafka::client_config::{ClientRole, client_config};
use tidewire::kafka::error::KafkaHomeError;
use tidewire::kafka::lease::{Lease, LeaseSettings};
use tidewire::kafka::producer::Producer;
use tidewire::kafka::producer::record::RecordBytes;

use crate::support::broker::Broker;
use crate::support::database::variable;

/// The properties of a login.
fn login(mechanism: &str, user: [&str; 2], more: &[(&str, &str)]) -> Vec<(String, String)> {
    let module = if mechanism == "PLAIN" { "plain.PlainLoginModule" } else { "scram.ScramLoginModule" };
    let [name, password] = user;
    let jaas = format!(
        "org.apache.kafka.common.security.{module} required username=\"{name}\" password=\"{password}\";"
    );
    let mut layer: Vec<(String, String)> = [
        ("security.protocol", "SASL_SSL"),
        ("sasl.mechanism", mechanism),
        ("sasl.jaas.config", jaas.as_str()),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec();
    layer.extend(more.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    layer
}

/// Sends a record with a login, perhaps trusting the broker's authority, and waits until it is durable.
fn send(topic: &str, mechanism: &str, user: [&str; 2], more: &[(&str, &str)]) -> Result<(), KafkaHomeError> {
    let mut layer = vec![("delivery.timeout.ms".to_owned(), "10000".to_owned())];
    layer.extend(login(mechanism, user, more));
    let client = client_config(ClientRole::Records, &variable("TIDEWIRE_KAFKA_SECURE_SASL_SSL"), &[&layer])?;
    let mut producer = Producer::new(&client, Arc::new(AtomicBool::new(false)))?;
    // More than a TLS record, so that several are under way.
    let value = "v".repeat(300_000);
    for key in ["one", "two", "three"] {
        let record = RecordBytes {
            key: Some(key.as_bytes()),
            value: Some(value.as_bytes()),
            ..RecordBytes::default()
        };
        producer.append(&Arc::from(topic), None, &record, 0)?;
    }
    producer.serve(true)?;
    while !producer.is_empty() {
        producer.wait()?;
    }
    Ok(())
}

fn trust() -> String {
    format!("{}/ca.pem", variable("TIDEWIRE_KAFKA_SECURE_DIR"))
}

#[test]
fn records_go_through_tls_with_every_mechanism() {
    let trust = trust();
    for (mechanism, user) in [
        ("PLAIN", ["alice", "alice-secret"]),
        ("SCRAM-SHA-256", ["bob", "bob-secret"]),
        ("SCRAM-SHA-512", ["bob", "bob-secret"]),
    ] {
        let topic = format!("secure-{}-{}", mechanism.to_lowercase(), uuid::Uuid::new_v4());
        send(&topic, mechanism, user, &[("ssl.truststore.location", &trust), ("ssl.truststore.type", "PEM")])
            .unwrap_or_else(|error| panic!("{mechanism}: {}", chain(&error)));
        let texts = Broker::new(&variable("TIDEWIRE_KAFKA_SECURE")).texts(&topic);
        let keys: Vec<Option<&str>> = texts.iter().map(|[key, _]| key.as_deref()).collect();
        assert_eq!(keys, [Some("one"), Some("two"), Some("three")], "{mechanism}");
        assert!(texts.iter().all(|[_, value]| value.as_ref().is_some_and(|value| value.len() == 300_000)));
    }
}

#[test]
fn a_wrong_password_is_told_at_once_and_for_good() {
    let trust = trust();
    for (mechanism, name) in [("PLAIN", "alice"), ("SCRAM-SHA-256", "bob")] {
        let user = [name, "wrong"];
        let error =
            send("secure-refused", mechanism, user, &[("ssl.truststore.location", &trust)]).unwrap_err();
        assert!(matches!(error, KafkaHomeError::Authentication { .. }), "{error}");
        assert_eq!(error.class(), ErrorClass::Fatal);
        assert!(!error.to_string().contains("wrong"), "{error}");
    }
}

#[test]
fn a_certificate_of_an_unknown_authority_is_not_trusted() {
    let user = ["alice", "alice-secret"];
    let limit = ("delivery.timeout.ms", "1500");
    let error = send("secure-untrusted", "PLAIN", user, &[limit]).unwrap_err();
    assert!(matches!(error, KafkaHomeError::Expired { .. }), "{error}");
    // Unless that is wanted.
    let unchecked = ("enable.ssl.certificate.verification", "false");
    let topic = format!("secure-unchecked-{}", uuid::Uuid::new_v4());
    send(&topic, "PLAIN", user, &[unchecked]).unwrap();
}

/// The lease of a connector goes the same way.
#[test]
fn a_lease_is_had_through_tls_with_a_login() {
    let trust = trust();
    let second = Duration::from_secs(1);
    let standby =
        StandbyConfig { session_timeout: 2 * second, heartbeat_interval: second, rebalance_timeout: second };
    let seek = |group: &str, password: &str| {
        let config = KafkaConfig {
            bootstrap_servers: variable("TIDEWIRE_KAFKA_SECURE_SASL_SSL"),
            offset_topic: String::new(),
            offset_partitions: 1,
            offset_replication_factor: 1,
            client: login("SCRAM-SHA-512", ["bob", password], &[("ssl.truststore.location", &trust)]),
            producer: Vec::new(),
            consumer: Vec::new(),
            admin: Vec::new(),
        };
        let settings = LeaseSettings { group: group.to_owned(), standby };
        Lease::seek(&config, settings, "here".to_owned(), Arc::default()).unwrap()
    };
    let group = format!("secure-{}", uuid::Uuid::new_v4());
    let lease = seek(&group, "bob-secret");
    let holding = lease.wait().unwrap().expect("the lease");
    assert!(lease.is_held(&holding) && !holding.is_lost());
    let members = || Broker::new(&variable("TIDEWIRE_KAFKA_SECURE")).group(&group);
    assert_eq!(members(), Some(("tidewire".to_owned(), 1)));
    drop(lease);
    assert!(holding.is_lost());
    assert_eq!(members().map_or(0, |(_, count)| count), 0);
    let error = seek(&group, "wrong").wait().unwrap_err();
    assert!(matches!(error, KafkaHomeError::Authentication { .. }), "{error}");
}
