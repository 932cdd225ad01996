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
use crate::kafka::network::connect::{ConnectionSettings, connect};
use crate::kafka::network::connection::Piece;
use crate::kafka::producer::settings::ProducerSettings;
use crate::kafka::protocol::METADATA_WITH_IDS;
use crate::kafka::protocol::topic_id::{TopicId, put_request, read_response};
use crate::kafka::protocol::wire::{Reader, begin_request, end_request};

/// How long the brokers are asked.
const PATIENCE: Duration = Duration::from_secs(30);
/// One answer.
const ANSWER: Duration = Duration::from_secs(5);
/// Between two looks for it.
const LOOK: Duration = Duration::from_millis(2);
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
    let text = |error: &dyn std::error::Error| error.to_string();
    let mut connection = connect(settings, host, port).map_err(|error| text(&error))?;
    let version = connection.versions().choose(METADATA_WITH_IDS).ok_or("it is older than 2.8")?;
    let correlation = connection.next_correlation();
    let mut frame = begin_request(METADATA_WITH_IDS, version, correlation, &settings.client_id);
    put_request(&mut frame, topic);
    end_request(&mut frame, 0);
    connection.queue(Piece::Owned(frame));
    let end = Instant::now() + ANSWER;
    while Instant::now() < end {
        connection.write().map_err(|error| text(&error))?;
        if let Some(frame) = connection.read().map_err(|error| text(&error))? {
            let mut reader = Reader::new(&frame);
            reader.i32().map_err(|error| text(&error))?; // correlation: nothing else was asked
            return read_response(&mut reader).map_err(|error| text(&error));
        }
        std::thread::sleep(LOOK);
    }
    Err("it does not answer".to_owned())
}
