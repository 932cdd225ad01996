//! Whether the user may commit to a group, asked without committing.
//!
//! librdkafka does not tell the rights on a group, so its coordinator is asked over a connection of our own.

use tracing::debug;

use crate::config::worker::KafkaConfig;
use crate::kafka::consumer::assigned_reader::reader_config;
use crate::kafka::network::exchange::exchange;
use crate::kafka::producer::settings::ProducerSettings;
use crate::kafka::protocol::error_code::ErrorCode;
use crate::kafka::protocol::{DESCRIBE_GROUPS, FIND_COORDINATOR, describe_groups, find_coordinator};

/// Whether a group may be joined and committed to; none where the brokers do not tell.
pub fn may_commit(config: &KafkaConfig, overrides: &[(String, String)], group: &str) -> Option<bool> {
    let client = reader_config(config, overrides).ok()?;
    // What of it concerns connections.
    let settings = ProducerSettings::new(&client).ok()?;
    let connection = &settings.connection;
    let refused = |error: i16| ErrorCode(error) == ErrorCode::GROUP_AUTHORIZATION_FAILED;
    for (host, port) in &settings.bootstrap {
        let found = exchange(
            connection,
            (host, *port),
            FIND_COORDINATOR,
            |out| find_coordinator::put_request(out, find_coordinator::GROUP, group),
            find_coordinator::read_response,
        );
        let broker = match found {
            Ok((0, broker)) => broker,
            Ok((error, _)) if refused(error) => return Some(false),
            Ok((error, _)) => {
                debug!(group, error, "a broker does not know the coordinator of the group");
                continue;
            }
            Err(reason) => {
                debug!(group, reason, "a broker does not say who the coordinator of the group is");
                continue;
            }
        };
        let described = exchange(
            connection,
            (&broker.host, broker.port),
            DESCRIBE_GROUPS,
            |out| describe_groups::put_request(out, group),
            describe_groups::read_response,
        );
        return match described {
            Ok((0, may)) => may,
            Ok((error, _)) => refused(error).then_some(false),
            Err(reason) => {
                debug!(group, reason, "the coordinator does not tell the rights on the group");
                None
            }
        };
    }
    None
}
