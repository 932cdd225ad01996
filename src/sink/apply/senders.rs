//! A few threads that send inserts and wait for the server's answer.
//!
//! They know nothing of tables: a batch goes in with a number, and comes out with what became of it. A thread that waits for a server
//! that does not answer is not waited for at the end; it ends with its request.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::sink::apply::batch::Batch;
use crate::sink::apply::error::ApplyError;
use crate::sink::apply::server::Server;
use crate::sink::clickhouse::client::Answer;
use crate::sink::clickhouse::error::ClickHouseError;
use crate::sink::clickhouse::insert::Rows;

/// A batch on its way.
#[derive(Debug)]
pub struct Shipment {
    /// Its number.
    pub number: u64,
    /// Names it for the server, which drops what it has under the same name.
    pub token: String,
    /// The rows.
    pub batch: Batch,
}

/// What became of it.
pub type Outcome = (Shipment, Result<Answer, ClickHouseError>);

/// The threads.
pub struct Senders {
    to: Sender<Shipment>,
    from: Receiver<Outcome>,
}

impl Senders {
    /// Starts `count` threads. `prefix` begins the ids of their queries.
    pub fn start(server: &Server, prefix: &str, count: usize) -> Result<Senders, ApplyError> {
        let (to, shipments) = channel::<Shipment>();
        let (outcomes, from) = channel();
        let shipments = Arc::new(Mutex::new(shipments));
        for number in 0..count {
            let (shipments, outcomes) = (Arc::clone(&shipments), outcomes.clone());
            let (client, compression) = (server.client.clone(), server.compression);
            let prefix = prefix.to_owned();
            let send = move || {
                let mut buffer = Vec::new();
                loop {
                    let next = shipments.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok(Shipment { number, token, batch }) = next else { return };
                    let rows = Rows {
                        bytes: &batch.bytes,
                        token: Some(&token),
                        guard: batch.guard(),
                        compression,
                        settings: batch.settings,
                        id_prefix: &prefix,
                    };
                    let answer = batch.insert.send(&client, rows, &mut buffer);
                    if outcomes.send((Shipment { number, token, batch }, answer)).is_err() {
                        return;
                    }
                }
            };
            std::thread::Builder::new()
                .name(format!("insert-{number}"))
                .spawn(send)
                .map_err(ApplyError::Thread)?;
        }
        Ok(Senders { to, from })
    }

    /// Threads of somebody else.
    #[cfg(test)]
    pub const fn of(to: Sender<Shipment>, from: Receiver<Outcome>) -> Self {
        Senders { to, from }
    }

    /// Hands a batch to the next thread that is free.
    pub fn send(&self, shipment: Shipment) {
        // The threads hold the other end as long as this is there.
        let _ = self.to.send(shipment);
    }

    /// The next outcome, if one comes within the time.
    pub fn receive(&self, wait: Duration) -> Option<Outcome> {
        self.from.recv_timeout(wait).ok()
    }
}
