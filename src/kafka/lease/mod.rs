//! The lease of a connector: of all instances that have it, one runs the connector and the others stand by.
//!
//! The instances of a connector are a group of Kafka's group protocol, `<group.id>-tidewire-<connector>`: its coordinator, a
//! broker, knows who is there, and takes for dead who does not heartbeat for `session.timeout.ms`. The group needs no topic: what
//! its leader, one of the members, hands out is the lease itself (`claim`). A consumer's assignors hand out partitions, and would
//! move them when somebody comes; here a newcomer never takes the lease from its holder.
//!
//! | what happens | who runs the connector |
//! |---|---|
//! | an instance comes | the holder goes on; the newcomer stands by |
//! | the holder is stopped | it ends its work, leaves the group, and another one begins |
//! | the holder is killed, or its machine is | another one, `session.timeout.ms` after its last heartbeat |
//! | the holder sleeps, or the coordinator does not answer it for `session.timeout.ms` | it stops without publishing anything more, by its own clock, before another one can begin (`holding`) |
//! | the coordinator is away for less than that, or moves to another broker | the holder goes on |
//! | the holder's connector ends or fails for good | another one, which finds nothing more to do, or tries in its turn |
//!
//! The clock cannot tell what is on its way to a broker when the holder falls asleep. With exactly-once delivery the
//! `transactional.id` is the fence for that: whoever takes over takes that identity, after the lease, and what came late is
//! refused. At least once has no such fence: some records may come twice, and an offset that came late may be older than the one
//! that it replaces.
//!
//! `session` is the thread that talks to the coordinator over two `link`s, `membership` what the answers make of a member.

mod claim;
mod holding;
mod link;
mod membership;
mod session;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

pub use holding::Holding;

use crate::config::worker::{KafkaConfig, StandbyConfig};
use crate::kafka::client_config::{ClientRole, client_config};
use crate::kafka::error::KafkaHomeError;
use crate::kafka::lease::session::Session;
use crate::kafka::producer::settings::ProducerSettings;

/// How often one that waits for the lease looks up.
const LOOK: Duration = Duration::from_millis(50);

/// What a lease is about.
#[derive(Clone, Debug)]
pub struct LeaseSettings {
    /// The name of the group.
    pub group: String,
    /// Its times.
    pub standby: StandbyConfig,
}

#[derive(Default)]
struct State {
    holding: Option<Holding>,
    failure: Option<KafkaHomeError>,
    /// When something was asked to which the coordinator answered as to the holder.
    confirmed: Option<Instant>,
    /// An answer to something asked later than this is waited for.
    wanted: Option<Instant>,
    given_up: bool,
    ended: bool,
}

/// What the session and the owner of the lease know of one another.
#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change is a single assignment.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_given_up(&self) -> bool {
        self.lock().given_up
    }

    fn wants_confirmation_since(&self) -> Option<Instant> {
        self.lock().wanted
    }

    /// The lease is held until then; false when it was held already.
    fn hold(&self, until: Instant) -> bool {
        let mut state = self.lock();
        if let Some(holding) = state.holding.as_ref().filter(|holding| !holding.is_lost()) {
            holding.extend(until);
            return false;
        }
        state.holding = Some(Holding::until(until));
        drop(state);
        self.changed.notify_all();
        true
    }

    /// The coordinator has answered something that was asked then.
    fn confirm(&self, holds: bool, asked: Instant, until: Instant) {
        let mut state = self.lock();
        if let Some(holding) = state.holding.as_ref().filter(|_| holds) {
            holding.extend(until);
            state.confirmed = Some(asked);
            drop(state);
            self.changed.notify_all();
        }
    }

    fn stop_holder(&self) {
        if let Some(holding) = &self.lock().holding {
            holding.stop().store(true, Ordering::Relaxed);
        }
    }

    fn lose(&self) {
        if let Some(holding) = self.lock().holding.take() {
            holding.lose();
        }
        self.changed.notify_all();
    }

    fn fail(&self, error: KafkaHomeError) {
        self.lock().failure = Some(error);
    }
}

/// Whatever ends the session's thread ends the lease.
struct End(Arc<Shared>);

impl Drop for End {
    fn drop(&mut self) {
        self.0.lose();
        self.0.lock().ended = true;
        self.0.changed.notify_all();
    }
}

/// A place among the instances of a connector. Dropped, it is given up: another instance takes over at once.
pub struct Lease {
    shared: Arc<Shared>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Lease {
    /// Takes a place, under a name for people (which instance this is). Returns at once; the brokers need not be there.
    pub fn seek(
        config: &KafkaConfig,
        settings: LeaseSettings,
        name: String,
        stop: Arc<AtomicBool>,
    ) -> Result<Self, KafkaHomeError> {
        // Kafka Connect's group is joined with the worker's properties without a prefix, too.
        let client = client_config(ClientRole::Admin, &config.bootstrap_servers, &[&config.client])?;
        let client = ProducerSettings::new(&client)?;
        let brokers = client.brokers.clone();
        let shared = Arc::new(Shared::default());
        let session = Session::new(settings, client, name, Arc::clone(&shared), Arc::clone(&stop));
        let end = End(Arc::clone(&shared));
        let thread = std::thread::Builder::new().name("lease".to_owned()).spawn(move || {
            let _end = end;
            session.run();
        });
        let thread = thread.map_err(|source| KafkaHomeError::Sockets { brokers, source })?;
        Ok(Lease { shared, stop, thread: Some(thread) })
    }

    /// Stands by until this instance has the lease; `None` when the process is to stop. An error stays one until somebody
    /// changes something: brokers that are away are waited for.
    pub fn wait(&self) -> Result<Option<Holding>, KafkaHomeError> {
        let mut state = self.shared.lock();
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if let Some(error) = state.failure.take() {
                return Err(error);
            }
            if let Some(holding) = state.holding.as_ref().filter(|holding| !holding.is_lost()) {
                return Ok(Some(holding.clone()));
            }
            if state.ended {
                return Err(KafkaHomeError::LeaseLost);
            }
            state = self.shared.changed.wait_timeout(state, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Asks the coordinator whether a lease is still held; takes `session.timeout.ms` at most, and ends when the process is to
    /// stop.
    pub fn is_held(&self, holding: &Holding) -> bool {
        let now = Instant::now();
        let mut state = self.shared.lock();
        state.wanted = Some(now);
        while !holding.is_lost() && !self.stop.load(Ordering::Relaxed) {
            if state.confirmed.is_some_and(|confirmed| confirmed >= now) {
                return true;
            }
            state = self.shared.changed.wait_timeout(state, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
        false
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.shared.lock().given_up = true;
        if let Some(thread) = self.thread.take() {
            // One that panicked has ended the lease.
            let _ = thread.join();
        }
    }
}
