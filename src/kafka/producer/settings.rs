//! What the producer obeys, read from the properties that `client_config` has translated and librdkafka has checked.
//!
//! So names and values, in Java's spelling or librdkafka's, are accepted and refused as for the other clients. Here the
//! values are taken over; those that would change how records travel and are not possible are refused by name, the rest
//! (statistics, debugging, what only consumers read) changes nothing and is passed over.

use std::sync::Arc;
use std::time::Duration;

use rdkafka::config::ClientConfig;

use crate::kafka::client_config::users_name;
use crate::kafka::error::KafkaHomeError;
use crate::kafka::network::connect::ConnectionSettings;
use crate::kafka::network::sasl::{Mechanism, SaslSettings};
use crate::kafka::network::tls::{Pem, TlsSettings};
use crate::kafka::producer::compression::Compression;
use crate::kafka::producer::partition::MOST_IN_FLIGHT;

/// See the properties of the same names.
pub struct ProducerSettings {
    /// `bootstrap.servers`, as written.
    pub brokers: String,
    /// `bootstrap.servers`: hosts and ports.
    pub bootstrap: Vec<(String, u16)>,
    /// What connections need.
    pub connection: Arc<ConnectionSettings>,
    /// `enable.idempotence`.
    pub idempotent: bool,
    /// `acks`: -1 for all, or 1.
    pub acks: i16,
    /// `batch.size`, bytes.
    pub batch_size: usize,
    /// `linger.ms`.
    pub linger: Duration,
    /// `buffer.memory`, bytes.
    pub buffer_memory: usize,
    /// `max.request.size`, bytes.
    pub max_request_size: usize,
    /// `compression.type`.
    pub compression: Compression,
    /// `compression.*.level`.
    pub compression_level: Option<i32>,
    /// `request.timeout.ms`.
    pub request_timeout: Duration,
    /// `delivery.timeout.ms`; `None` when records never expire.
    pub delivery_timeout: Option<Duration>,
    /// `retries`.
    pub retries: u32,
    /// `max.in.flight.requests.per.connection`.
    pub max_in_flight: usize,
    /// `retry.backoff.ms` and `retry.backoff.max.ms`.
    pub retry_backoff: (Duration, Duration),
    /// `reconnect.backoff.ms` and `reconnect.backoff.max.ms`.
    pub reconnect_backoff: (Duration, Duration),
    /// `metadata.max.age.ms`.
    pub metadata_max_age: Duration,
    /// `transaction.timeout.ms`.
    pub transaction_timeout: Duration,
}

/// Properties that cannot be obeyed, why, and what to do instead.
const IMPOSSIBLE: [(&str, &str, Option<&str>); 9] = [
    (
        "ssl.keystore.location",
        "the producer reads key stores in PEM form only",
        Some("convert it: openssl pkcs12 -nodes, then ssl.keystore.type=PEM"),
    ),
    (
        "ssl.key.password",
        "the producer reads keys that are not encrypted only",
        Some("convert it: openssl pkey, and protect the file"),
    ),
    ("ssl.cipher.suites", "the producer chooses the ciphers by itself", Some("remove the property")),
    ("ssl.curves.list", "the producer chooses the curves by itself", Some("remove the property")),
    ("ssl.sigalgs.list", "the producer chooses the algorithms by itself", Some("remove the property")),
    ("ssl.crl.location", "the producer does not read revocation lists", Some("remove the property")),
    ("ssl.providers", "the producer does not use OpenSSL", Some("remove the property")),
    ("ssl.engine.location", "the producer does not use OpenSSL", Some("remove the property")),
    ("ssl.engine.id", "the producer does not use OpenSSL", Some("remove the property")),
];

/// A client's properties, with the errors that name them.
struct Properties<'a>(&'a ClientConfig);

impl Properties<'_> {
    /// The value of the first of some names for the same thing. The name that our own defaults have stands last.
    fn get(&self, names: &[&str]) -> Option<&str> {
        self.find(names).map(|(_, value)| value)
    }

    /// The same with the name that was found.
    fn find<'a>(&self, names: &[&'a str]) -> Option<(&'a str, &str)> {
        names.iter().find_map(|name| Some((*name, self.0.get(name)?)))
    }

    fn unusable(name: &str, reason: impl Into<String>, remedy: Option<&'static str>) -> KafkaHomeError {
        KafkaHomeError::UnusableProperty {
            property: users_name(name).to_owned(),
            reason: reason.into(),
            remedy,
        }
    }

    fn number(&self, names: &[&str]) -> Result<Option<u64>, KafkaHomeError> {
        let Some((name, value)) = self.find(names) else { return Ok(None) };
        value.trim().parse().map(Some).map_err(|_| Self::unusable(name, "it is no number", None))
    }

    fn bytes(&self, names: &[&str], otherwise: usize) -> Result<usize, KafkaHomeError> {
        Ok(self.number(names)?.map_or(otherwise, |number| usize::try_from(number).unwrap_or(usize::MAX)))
    }

    /// Milliseconds, which may have a fraction.
    fn duration(&self, names: &[&str], otherwise: u64) -> Result<Duration, KafkaHomeError> {
        let Some((name, value)) = self.find(names) else { return Ok(Duration::from_millis(otherwise)) };
        let milliseconds: Option<f64> = value.trim().parse().ok();
        milliseconds
            .and_then(|number| Duration::try_from_secs_f64(number / 1e3).ok())
            .ok_or_else(|| Self::unusable(name, "it is no number of milliseconds", None))
    }

    fn flag(&self, name: &str, otherwise: bool) -> bool {
        self.0.get(name).map_or(otherwise, |value| matches!(value.trim(), "true" | "t" | "1"))
    }

    fn pem<'a>(&'a self, file: &str, text: &str) -> Option<Pem<'a>> {
        self.0.get(text).map(Pem::Text).or_else(|| self.0.get(file).map(Pem::File))
    }
}

impl ProducerSettings {
    /// Takes over the properties of a client.
    pub fn new(client: &ClientConfig) -> Result<Self, KafkaHomeError> {
        let properties = Properties(client);
        for (name, reason, remedy) in IMPOSSIBLE {
            if client.get(name).is_some_and(|value| !value.is_empty()) {
                return Err(Properties::unusable(name, reason, remedy));
            }
        }
        let idempotent = properties.flag("enable.idempotence", true);
        let acks = match properties.get(&["request.required.acks", "acks"]).map_or("all", str::trim) {
            "all" | "-1" => -1,
            "1" if !idempotent => 1,
            "0" => {
                let reason = "records could be lost without a word";
                return Err(Properties::unusable("acks", reason, Some("set acks=all or acks=1")));
            }
            _ => {
                let reason = "an idempotent producer needs acks=all";
                return Err(Properties::unusable(
                    "acks",
                    reason,
                    Some("set acks=all, or enable.idempotence=false"),
                ));
            }
        };
        let max_in_flight = properties
            .number(&["max.in.flight.requests.per.connection", "max.in.flight"])?
            .map_or(MOST_IN_FLIGHT, |number| usize::try_from(number).unwrap_or(MOST_IN_FLIGHT));
        let max_request_size = properties.bytes(&["message.max.bytes"], 1 << 20)?;
        let compression = properties.get(&["compression.codec"]).unwrap_or("none");
        let level = properties.get(&["compression.level"]).and_then(|level| level.trim().parse::<i32>().ok());
        let delivery_timeout = properties.duration(&["message.timeout.ms"], 0)?;
        let retry_max = properties.duration(&["retry.backoff.max.ms"], 1000)?;
        let reconnect_max = properties.duration(&["reconnect.backoff.max.ms"], 1000)?;
        let brokers = client.get("bootstrap.servers").unwrap_or_default();
        Ok(ProducerSettings {
            brokers: brokers.to_owned(),
            bootstrap: bootstrap(brokers)?,
            connection: Arc::new(connection(&properties)?),
            idempotent,
            acks,
            batch_size: properties.bytes(&["batch.size"], 1_000_000)?.min(max_request_size),
            linger: properties.duration(&["queue.buffering.max.ms", "linger.ms"], 5)?,
            buffer_memory: properties.bytes(&["queue.buffering.max.kbytes"], 16 << 10)?.saturating_mul(1024),
            max_request_size,
            compression: Compression::named(compression.trim()).ok_or_else(|| {
                Properties::unusable(
                    "compression.codec",
                    "it is none of none, gzip, snappy, lz4 and zstd",
                    None,
                )
            })?,
            // -1 is librdkafka's way to write the default.
            compression_level: level.filter(|level| *level >= 0),
            request_timeout: properties.duration(&["request.timeout.ms"], 30_000)?,
            delivery_timeout: Some(delivery_timeout).filter(|timeout| !timeout.is_zero()),
            retries: properties
                .number(&["retries", "message.send.max.retries"])?
                .map_or(u32::MAX, |number| u32::try_from(number).unwrap_or(u32::MAX)),
            max_in_flight: max_in_flight.clamp(1, MOST_IN_FLIGHT),
            retry_backoff: (properties.duration(&["retry.backoff.ms"], 100)?.min(retry_max), retry_max),
            reconnect_backoff: (
                properties.duration(&["reconnect.backoff.ms"], 50)?.min(reconnect_max),
                reconnect_max,
            ),
            metadata_max_age: properties.duration(&["topic.metadata.refresh.interval.ms"], 300_000)?,
            transaction_timeout: properties.duration(&["transaction.timeout.ms"], 60_000)?,
        })
    }
}

/// `host:port,host:port`, each perhaps behind `SECURITY://`; IPv6 addresses stand in brackets.
fn bootstrap(brokers: &str) -> Result<Vec<(String, u16)>, KafkaHomeError> {
    let unusable = || Properties::unusable("bootstrap.servers", "it is no list of host:port", None);
    let mut all = Vec::new();
    for one in brokers.split(',').map(str::trim).filter(|one| !one.is_empty()) {
        let one = one.split_once("://").map_or(one, |(_, rest)| rest);
        // An address of IPv6 without a port ends with its bracket.
        let (host, port) = match one.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, port.parse().map_err(|_| unusable())?),
            _ => (one, 9092),
        };
        let host = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
        all.push((host.to_owned(), port));
    }
    if all.is_empty() { Err(unusable()) } else { Ok(all) }
}

fn connection(properties: &Properties<'_>) -> Result<ConnectionSettings, KafkaHomeError> {
    let security = properties.get(&["security.protocol"]).unwrap_or("plaintext").trim().to_ascii_lowercase();
    let with_tls = matches!(security.as_str(), "ssl" | "sasl_ssl");
    let with_sasl = matches!(security.as_str(), "sasl_plaintext" | "sasl_ssl");
    let size = |name| properties.number(&[name]).map(|size| size.filter(|size| *size > 0));
    let size = |name| size(name).map(|size| size.and_then(|size| usize::try_from(size).ok()));
    Ok(ConnectionSettings {
        client_id: properties.get(&["client.id"]).unwrap_or_default().to_owned(),
        timeout: properties.duration(&["socket.connection.setup.timeout.ms"], 10_000)?,
        send_buffer: size("socket.send.buffer.bytes")?,
        receive_buffer: size("socket.receive.buffer.bytes")?,
        tls: if with_tls { Some(tls(properties)?) } else { None },
        sasl: if with_sasl { Some(sasl(properties)?) } else { None },
    })
}

fn tls(properties: &Properties<'_>) -> Result<TlsSettings, KafkaHomeError> {
    // librdkafka takes "probe" for a search among well-known places.
    let authorities =
        properties.pem("ssl.ca.location", "ssl.ca.pem").filter(|pem| !matches!(pem, Pem::File("probe")));
    let verify = properties.flag("enable.ssl.certificate.verification", true);
    let algorithm = properties.get(&["ssl.endpoint.identification.algorithm"]).unwrap_or("https");
    let mut tls = TlsSettings::new(authorities, verify, !algorithm.eq_ignore_ascii_case("none"))
        .map_err(|reason| Properties::unusable("ssl.ca.location", reason, None))?;
    if let Some(chain) = properties.pem("ssl.certificate.location", "ssl.certificate.pem") {
        let key = properties.pem("ssl.key.location", "ssl.key.pem").unwrap_or(chain);
        tls.set_client(chain, key)
            .map_err(|reason| Properties::unusable("ssl.certificate.location", reason, None))?;
    }
    Ok(tls)
}

fn sasl(properties: &Properties<'_>) -> Result<SaslSettings, KafkaHomeError> {
    let name = properties.get(&["sasl.mechanisms", "sasl.mechanism"]).unwrap_or("GSSAPI");
    let mechanism = Mechanism::named(name).ok_or_else(|| {
        let reason = format!("{name} is none of PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512");
        Properties::unusable("sasl.mechanisms", reason, None)
    })?;
    let credential = |name: &str| {
        let missing = || Properties::unusable(name, "it is missing", Some("set sasl.jaas.config"));
        properties.get(&[name]).map(str::to_owned).ok_or_else(missing)
    };
    Ok(SaslSettings {
        mechanism,
        username: credential("sasl.username")?,
        password: credential("sasl.password")?,
    })
}

#[cfg(test)]
mod tests;
