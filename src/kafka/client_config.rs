//! From the properties of Kafka's Java clients, which Kafka Connect's users write, to librdkafka's.
//!
//! Most names are the same. `RENAMED` lists those that are spelled otherwise, `WITHOUT_EFFECT` those that have no
//! counterpart and need none; JAAS and key stores are translated by value. What remains goes to librdkafka as it is,
//! and a name that it does not know is an error that shows the user's own spelling. Layers are given from the most
//! general to the most special (worker, `producer.*`, `producer.override.*`); a later one wins.

use rdkafka::config::{ClientConfig, RDKafkaLogLevel};
use rdkafka::error::KafkaError;

use crate::kafka::error::KafkaHomeError;
use crate::kafka::jaas;

/// What a client is for; it decides the settings below the user's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientRole {
    /// Publishes records and offsets.
    Records,
    /// Writes the schema history.
    History,
    /// Reads a topic from its beginning to its end.
    Reader,
    /// Reads as a member of a consumer group.
    Member,
    /// Creates topics.
    Admin,
}

/// Set for the producer of records. The measured ground for these is in the bench `produce`: what matters is that
/// requests are large; beyond 16 MB a longer queue only spoils the caches. Kafka Connect's own are acks=all and no
/// expiry (`delivery.timeout.ms`=2^31-1); murmur2 is the Java clients' partitioner, librdkafka's own would put keys on
/// other partitions.
pub const RECORD_PRODUCER: [(&str, &str); 11] = [
    ("acks", "all"),
    ("enable.idempotence", "true"),
    ("partitioner", "murmur2_random"),
    ("message.timeout.ms", "0"),
    ("message.max.bytes", "1048576"),
    ("linger.ms", "5"),
    ("batch.size", "1000000"),
    ("batch.num.messages", "10000"),
    ("queue.buffering.max.kbytes", "16384"),
    ("queue.buffering.max.messages", "30000"),
    ("compression.codec", "none"),
];

/// Set for the producer of the history: one partition, few records, and an end to waiting.
const HISTORY_PRODUCER: [(&str, &str); 6] = [
    ("acks", "all"),
    ("enable.idempotence", "true"),
    ("message.timeout.ms", "120000"),
    ("message.max.bytes", "1048576"),
    ("linger.ms", "0"),
    ("queue.buffering.max.kbytes", "16384"),
];

/// Set for readers. They are assigned their partitions and never commit; librdkafka only wants a name for the group.
/// Fetching goes on soon after the short queue is full, not a second later: a long history is many times the queue.
const READER: [(&str, &str); 7] = [
    ("group.id", "tidewire-reader"),
    ("enable.auto.commit", "false"),
    ("enable.partition.eof", "true"),
    ("isolation.level", "read_committed"),
    ("auto.offset.reset", "earliest"),
    ("queued.max.messages.kbytes", "8192"),
    ("fetch.queue.backoff.ms", "5"),
];

/// Set for members of a group, which commit what is stored and nothing else. An offset that is not there any more is an error
/// (`consumer::start`). Only partitions that go elsewhere are taken from a member, and Kafka Connect's own consumers know
/// this assignor, too. New topics and partitions are seen soon.
const MEMBER: [(&str, &str); 8] = [
    ("enable.auto.commit", "false"),
    ("enable.auto.offset.store", "false"),
    ("auto.offset.reset", "error"),
    ("isolation.level", "read_committed"),
    ("partition.assignment.strategy", "cooperative-sticky"),
    ("topic.metadata.refresh.interval.ms", "30000"),
    ("queued.max.messages.kbytes", "32768"),
    ("fetch.queue.backoff.ms", "5"),
];

/// What the user must not change, because the way of working depends on it.
const FIXED: [&str; 9] = [
    "bootstrap.servers",
    "transactional.id",
    "partitioner",
    "enable.auto.commit",
    "enable.partition.eof",
    "auto.offset.reset",
    "group.id",
    "client.rack",
    "group.instance.id",
];

/// Java name, librdkafka name.
const RENAMED: [(&str, &str); 12] = [
    ("buffer.memory", "queue.buffering.max.kbytes"),
    ("max.request.size", "message.max.bytes"),
    ("send.buffer.bytes", "socket.send.buffer.bytes"),
    ("receive.buffer.bytes", "socket.receive.buffer.bytes"),
    ("metadata.max.age.ms", "topic.metadata.refresh.interval.ms"),
    ("fetch.max.wait.ms", "fetch.wait.max.ms"),
    ("socket.connection.setup.timeout.max.ms", "socket.connection.setup.timeout.ms"),
    ("sasl.kerberos.kinit.cmd", "sasl.kerberos.kinit.cmd"),
    ("sasl.oauthbearer.token.endpoint.url", "sasl.oauthbearer.token.endpoint.url"),
    ("ssl.truststore.certificates", "ssl.ca.pem"),
    ("ssl.keystore.certificate.chain", "ssl.certificate.pem"),
    ("ssl.keystore.key", "ssl.key.pem"),
];

/// Java properties that change nothing about what is published or read.
const WITHOUT_EFFECT: [&str; 25] = [
    "key.serializer",
    "value.serializer",
    "key.deserializer",
    "value.deserializer",
    "max.block.ms",
    "max.poll.records",
    "default.api.timeout.ms",
    "metric.reporters",
    "metrics.num.samples",
    "metrics.recording.level",
    "metrics.sample.window.ms",
    "enable.metrics.push",
    "auto.include.jmx.reporter",
    "metadata.max.idle.ms",
    "metadata.recovery.strategy",
    "partitioner.adaptive.partitioning.enable",
    "partitioner.availability.timeout.ms",
    "exclude.internal.topics",
    "allow.auto.create.topics",
    "ssl.protocol",
    "ssl.enabled.protocols",
    "ssl.trustmanager.algorithm",
    "ssl.keymanager.algorithm",
    "ssl.secure.random.implementation",
    "ssl.provider",
];

/// The settings of a client: those of its role, then the user's layers.
pub fn client_config(
    role: ClientRole,
    brokers: &str,
    layers: &[&[(String, String)]],
) -> Result<ClientConfig, KafkaHomeError> {
    let mut client = ClientConfig::new();
    client.set("bootstrap.servers", brokers).set("client.id", "tidewire");
    // Broker troubles reach the log through the error callback.
    client.set_log_level(RDKafkaLogLevel::Warning);
    let own: &[(&str, &str)] = match role {
        ClientRole::Records => &RECORD_PRODUCER,
        ClientRole::History => &HISTORY_PRODUCER,
        ClientRole::Reader => &READER,
        ClientRole::Member => &MEMBER,
        ClientRole::Admin => &[],
    };
    for (name, value) in own {
        client.set(*name, *value);
    }
    for (name, value) in merged(layers) {
        apply(&mut client, role, name, value, layers)?;
    }
    check(&client)?;
    Ok(client)
}

/// The user's properties, each once with the value of the last layer that has it.
fn merged<'a>(layers: &[&'a [(String, String)]]) -> Vec<(&'a str, &'a str)> {
    let mut all: Vec<(&str, &str)> = Vec::new();
    for (name, value) in layers.iter().flat_map(|layer| layer.iter()) {
        all.retain(|(earlier, _)| earlier != name);
        all.push((name, value));
    }
    all
}

fn apply(
    client: &mut ClientConfig,
    role: ClientRole,
    name: &str,
    value: &str,
    layers: &[&[(String, String)]],
) -> Result<(), KafkaHomeError> {
    let unusable = |reason: &str, remedy| KafkaHomeError::UnusableProperty {
        property: name.to_owned(),
        reason: reason.to_owned(),
        remedy,
    };
    let producing = matches!(role, ClientRole::Records | ClientRole::History);
    match name {
        "group.instance.id" | "client.rack" if role == ClientRole::Member => {
            client.set(name, value);
        }
        // `consumer` itself heeds them.
        "group.id" | "auto.offset.reset" if role == ClientRole::Member => {}
        "partition.assignment.strategy" if role == ClientRole::Member => {
            let assignor = assignor(value).ok_or_else(|| {
                unusable("none of its assignors is known here", Some("use the CooperativeStickyAssignor"))
            })?;
            client.set(name, assignor);
        }
        _ if FIXED.contains(&name) || WITHOUT_EFFECT.contains(&name) => {
            tracing::debug!(property = name, "kafka client property without effect");
        }
        "buffer.memory" => {
            let bytes: u64 = value.trim().parse().map_err(|_| unusable("it is no number of bytes", None))?;
            client.set("queue.buffering.max.kbytes", (bytes / 1024).max(1).to_string());
        }
        "request.timeout.ms" if !producing => {
            client.set("socket.timeout.ms", value);
        }
        "delivery.timeout.ms" if role == ClientRole::Records && value.trim() == "2147483647" => {
            client.set("message.timeout.ms", "0");
        }
        "delivery.timeout.ms" => {
            client.set("message.timeout.ms", value);
        }
        "compression.gzip.level" | "compression.lz4.level" | "compression.zstd.level" => {
            client.set("compression.level", value);
        }
        "compression.type" => {
            client.set("compression.codec", value);
        }
        "partitioner.class" => {
            return Err(unusable(
                "records are always partitioned as the Java clients do by default",
                Some("remove the property"),
            ));
        }
        "interceptor.classes"
        | "sasl.login.callback.handler.class"
        | "sasl.client.callback.handler.class" => {
            return Err(unusable("java classes cannot be loaded", Some("remove the property")));
        }
        "sasl.jaas.config" => {
            for (property, value) in
                jaas::client_properties(value).map_err(|reason| unusable(reason, None))?
            {
                client.set(property, value);
            }
        }
        "ssl.truststore.type" | "ssl.keystore.type" => {}
        "ssl.truststore.password" => {}
        "ssl.truststore.location" => {
            if !is_pem(setting(layers, "ssl.truststore.type"), value) {
                return Err(unusable(
                    "a java trust store cannot be read",
                    Some("convert it: keytool -exportcert -rfc, then ssl.truststore.type=PEM"),
                ));
            }
            client.set("ssl.ca.location", value);
        }
        "ssl.keystore.location" => {
            let kind = setting(layers, "ssl.keystore.type");
            if is_pem(kind, value) {
                client.set("ssl.certificate.location", value).set("ssl.key.location", value);
            } else if kind.is_some_and(|kind| kind.eq_ignore_ascii_case("PKCS12"))
                || ends_with_one_of(value, &["p12", "pfx"])
            {
                client.set("ssl.keystore.location", value);
            } else {
                return Err(unusable(
                    "a java key store cannot be read",
                    Some(
                        "convert it: keytool -importkeystore -deststoretype pkcs12, then ssl.keystore.type=PKCS12",
                    ),
                ));
            }
        }
        "ssl.endpoint.identification.algorithm" => {
            client.set(name, if value.trim().is_empty() { "none" } else { value });
        }
        "sasl.mechanism" => {
            client.set("sasl.mechanisms", value);
        }
        _ => {
            let renamed = RENAMED.iter().find(|(java, _)| *java == name).map_or(name, |(_, own)| own);
            client.set(renamed, value);
        }
    }
    Ok(())
}

/// The one of the assignors in a list of Java's classes (or librdkafka's names) that is to be used: cooperative ones do not mix
/// with others in librdkafka, and are the aim where a list has both.
fn assignor(list: &str) -> Option<&'static str> {
    let known = |name: &str| match name.trim().rsplit('.').next().unwrap_or_default() {
        "CooperativeStickyAssignor" | "cooperative-sticky" => Some("cooperative-sticky"),
        "RangeAssignor" | "range" => Some("range"),
        "RoundRobinAssignor" | "roundrobin" => Some("roundrobin"),
        _ => None,
    };
    let mut found = list.split(',').filter_map(known);
    let first = found.next()?;
    Some(found.find(|assignor| *assignor == "cooperative-sticky").unwrap_or(first))
}

/// The name in Java's spelling of a property that librdkafka spells otherwise; else the name itself.
pub fn users_name(name: &str) -> &str {
    match name {
        "compression.codec" => "compression.type",
        "compression.level" => "compression.zstd.level",
        "message.timeout.ms" => "delivery.timeout.ms",
        "sasl.mechanisms" => "sasl.mechanism",
        "ssl.ca.location" => "ssl.truststore.location",
        "ssl.certificate.location" => "ssl.keystore.location",
        _ => RENAMED.iter().find(|(_, own)| *own == name).map_or(name, |(java, _)| java),
    }
}

/// A property's value in the last layer that has it.
fn setting<'a>(layers: &[&'a [(String, String)]], name: &str) -> Option<&'a str> {
    layers
        .iter()
        .rev()
        .find_map(|layer| layer.iter().rev().find(|(key, _)| key == name))
        .map(|(_, value)| value.as_str())
}

fn is_pem(kind: Option<&str>, file: &str) -> bool {
    kind.is_some_and(|kind| kind.eq_ignore_ascii_case("PEM"))
        || kind.is_none() && ends_with_one_of(file, &["pem", "crt", "cer"])
}

fn ends_with_one_of(file: &str, endings: &[&str]) -> bool {
    file.rsplit_once('.')
        .is_some_and(|(_, ending)| endings.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// Lets librdkafka look at every name and value, so that the error names the property.
fn check(client: &ClientConfig) -> Result<(), KafkaHomeError> {
    match client.create_native_config() {
        Ok(_) => Ok(()),
        Err(KafkaError::ClientConfig(_, reason, name, _)) => {
            let property = users_name(&name).to_owned();
            if reason.starts_with("No such configuration property") {
                return Err(KafkaHomeError::UnknownProperty { property });
            }
            // Texts about values may repeat them; those of secrets stay out.
            let secret = ["password", "pem", "secret", "jaas"].iter().any(|part| name.contains(part));
            let reason = if secret { "its value is not valid".to_owned() } else { reason };
            Err(KafkaHomeError::UnusableProperty { property, reason, remedy: None })
        }
        Err(source) => Err(KafkaHomeError::Client {
            brokers: client.get("bootstrap.servers").unwrap_or_default().to_owned(),
            source,
        }),
    }
}

#[cfg(test)]
mod tests;
