//! One question to one broker, over a connection of its own.

use std::time::{Duration, Instant};

use crate::kafka::network::connect::{ConnectionSettings, connect};
use crate::kafka::network::connection::Piece;
use crate::kafka::protocol::Api;
use crate::kafka::protocol::wire::{Reader, begin_request, end_request};

/// One answer.
const ANSWER: Duration = Duration::from_secs(5);
/// Between two looks for it.
const LOOK: Duration = Duration::from_millis(2);

/// Connects, asks, and reads the answer from behind its correlation. An error is told in words.
pub fn exchange<T>(
    settings: &ConnectionSettings,
    (host, port): (&str, u16),
    api: Api,
    put: impl FnOnce(&mut Vec<u8>),
    read: impl FnOnce(&mut Reader<'_>) -> Result<T, crate::kafka::protocol::wire::Malformed>,
) -> Result<T, String> {
    let text = |error: &dyn std::error::Error| error.to_string();
    let mut connection = connect(settings, host, port).map_err(|error| text(&error))?;
    let version = connection.versions().choose(api).ok_or("it is too old to be asked this")?;
    let correlation = connection.next_correlation();
    let mut frame = begin_request(api, version, correlation, &settings.client_id);
    put(&mut frame);
    end_request(&mut frame, 0);
    connection.queue(Piece::Owned(frame));
    let end = Instant::now() + ANSWER;
    while Instant::now() < end {
        connection.write().map_err(|error| text(&error))?;
        if let Some(frame) = connection.read().map_err(|error| text(&error))? {
            let mut reader = Reader::new(&frame);
            reader.i32().map_err(|error| text(&error))?; // correlation: nothing else was asked
            return read(&mut reader).map_err(|error| text(&error));
        }
        std::thread::sleep(LOOK);
    }
    Err("it does not answer".to_owned())
}
