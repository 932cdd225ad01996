//! What a consumer is told: by the sink that owns it, and by the user.

use std::time::Duration;

use rdkafka::config::ClientConfig;

use crate::config::worker::KafkaConfig;
use crate::kafka::client_config::{ClientRole, client_config};
use crate::kafka::consumer::start::FirstOffset;
use crate::kafka::consumer::subscription::Topics;
use crate::kafka::error::KafkaHomeError;

/// What a sink wants of its consumer.
pub struct ConsumerSettings<'a> {
    /// The connector's name.
    pub name: &'a str,
    /// `consumer.override.*`, prefix removed.
    pub overrides: &'a [(String, String)],
    /// `topics` or `topics.regex`.
    pub topics: Topics,
    /// `offset.flush.interval.ms`.
    pub commit_interval: Duration,
}

/// The group of a connector: `consumer.override.group.id`, or that of Kafka Connect.
pub fn group_id(name: &str, overrides: &[(String, String)]) -> String {
    let own = overrides.iter().rev().find(|(property, _)| property == "group.id");
    own.map_or_else(|| format!("connect-{name}"), |(_, group)| group.clone())
}

/// The settings of the client, and where it begins topics that are new to the group.
pub(super) fn settings_of_client(
    config: &KafkaConfig,
    settings: &ConsumerSettings<'_>,
) -> Result<(ClientConfig, FirstOffset), KafkaHomeError> {
    let layers = [config.client.as_slice(), config.consumer.as_slice(), settings.overrides];
    let mut client = client_config(ClientRole::Member, &config.bootstrap_servers, &layers)?;
    client.set("group.id", group_id(settings.name, settings.overrides));
    if !layers.iter().any(|layer| layer.iter().any(|(name, _)| name == "client.id")) {
        client.set("client.id", format!("connector-consumer-{}", settings.name));
    }
    Ok((client, first_offset(&layers)?))
}

/// `auto.offset.reset`, of the last layer that has it.
fn first_offset(layers: &[&[(String, String)]]) -> Result<FirstOffset, KafkaHomeError> {
    let mut all = layers.iter().rev().flat_map(|layer| layer.iter().rev());
    match all.find(|(name, _)| name == "auto.offset.reset").map(|(_, value)| value.trim()) {
        None | Some("earliest") => Ok(FirstOffset::Beginning),
        Some("latest") => Ok(FirstOffset::End),
        Some(_) => Err(KafkaHomeError::UnusableProperty {
            property: "auto.offset.reset".to_owned(),
            reason: "a sink begins new topics at earliest or latest".to_owned(),
            remedy: Some("remove the property"),
        }),
    }
}

/// How often topics are listed.
pub(super) fn refresh_interval(client: &ClientConfig) -> Duration {
    let milliseconds = client.get("topic.metadata.refresh.interval.ms");
    // librdkafka has checked that it is a number; a negative one means never.
    let parsed = milliseconds.and_then(|text| text.parse().ok());
    parsed.map_or(Duration::MAX, Duration::from_millis)
}
