//! Which life of a topic this is: the ids of cluster and topic, and its number of partitions.
//!
//! librdkafka does not tell the id, so a broker is asked over a connection of our own, once for each topic. A topic that was deleted and
//! made again under its name has another id, and counts its records from 0 again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tracing::debug;

use crate::config::worker::KafkaConfig;
use crate::kafka::client_config::{ClientRole, client_config};
use crate::kafka::error::KafkaHomeError;
use crate::kafka::network::connect::ConnectionSettings;
use crate::kafka::network::exchange::exchange;
use crate::kafka::producer::settings::ProducerSettings;
use crate::kafka::protocol::METADATA_WITH_IDS;
use crate::kafka::protocol::topic_id::{TopicId, put_request, read_response};

/// How long the brokers are asked.
const PATIENCE: Duration = Duration::from_secs(30);
/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(200);

/// Asks the brokers for a topic, one after the other. Fails when none tells an id within half a minute.
pub fn topic_life(config: &KafkaConfig, topic: &str, stop: &AtomicBool) -> Result<TopicId, KafkaHomeError> {
    let client =
        client_config(ClientRole::Admin, &config.bootstrap_servers, &[&config.client, &config.admin])?;
    let settings = ProducerSettings::new(&client)?;
    let began = Instant::now();
    loop {
        for (host, port) in &settings.bootstrap {
            if stop.load(Ordering::Relaxed) {
                return Err(KafkaHomeError::Stopped);
            }
            match ask(&settings.connection, host, *port, topic) {
                Ok(life) if life.error == 0 && life.id != [0; 16] => return Ok(life),
                Ok(life) => debug!(topic, error = life.error, "a broker tells no id of the topic"),
                Err(reason) => debug!(topic, reason, "a broker does not tell the id of the topic"),
            }
        }
        if began.elapsed() >= PATIENCE {
            return Err(KafkaHomeError::TopicId { topic: topic.to_owned() });
        }
        std::thread::sleep(PAUSE);
    }
}

fn ask(settings: &ConnectionSettings, host: &str, port: u16, topic: &str) -> Result<TopicId, String> {
    let put = |out: &mut Vec<u8>| put_request(out, topic);
    exchange(settings, (host, port), METADATA_WITH_IDS, put, read_response)
}
