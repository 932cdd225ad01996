//! The thread that keeps up a member's session with the coordinator of its group.
//!
//! It looks for the coordinator at the brokers that it knows, one after the other, and has two connections to it: the answer to
//! JoinGroup may take as long as `rebalance.timeout.ms`, and a broker answers the requests of a connection in their order, so
//! heartbeats go over another one. Whatever breaks, everything begins again with the search; the membership goes on as long as
//! the coordinator says so.
//!
//! A holder heartbeats every `heartbeat.interval.ms`. One that stands by asks more often, since it learns from the answer that the
//! holder is gone.

use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tracing::{debug, info, warn};

use crate::kafka::error::KafkaHomeError;
use crate::kafka::lease::link::{Address, Answer, Link, LinkError};
use crate::kafka::lease::membership::{Membership, Stage, Verdict};
use crate::kafka::lease::{LeaseSettings, Shared};
use crate::kafka::producer::settings::ProducerSettings;
use crate::kafka::protocol::join_group::JoinGroup;
use crate::kafka::protocol::wire::Malformed;
use crate::kafka::protocol::{
    FIND_COORDINATOR, HEARTBEAT, JOIN_GROUP, LEAVE_GROUP, METADATA, SYNC_GROUP, find_coordinator, heartbeat,
    join_group, leave_group, metadata, sync_group,
};

/// What a group of members with this type is for; those of Connect and of consumers are other ones.
const PROTOCOL_TYPE: &str = "tidewire";
/// The only way to divide.
const PROTOCOL: &str = "lease";
/// How often one that stands by asks at least.
const STANDBY_HEARTBEAT: Duration = Duration::from_millis(500);
/// The longest wait for sockets: how soon the process's end is seen.
const TICK: Duration = Duration::from_millis(50);
/// The same while a connection is being opened, which wakes nobody.
const OPENING_TICK: Duration = Duration::from_millis(2);
/// The first and the longest pause behind a failure.
const BACKOFF: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));
/// How long the good-bye may take.
const GOOD_BYE: Duration = Duration::from_millis(400);
/// What the answers to JoinGroup and SyncGroup may take beyond `rebalance.timeout.ms`, as with the Java clients.
const GRACE: Duration = Duration::from_secs(5);

/// See the module.
pub(super) struct Session {
    settings: LeaseSettings,
    brokers: String,
    request_timeout: Duration,
    shared: Arc<Shared>,
    stop: Arc<AtomicBool>,
    membership: Membership,
    known: Vec<Address>,
    /// The place of the broker that is asked next where the coordinator is.
    next: usize,
    knows_cluster: bool,
    coordinator: Option<Address>,
    control: Link,
    joining: Link,
    heartbeat: Option<Instant>,
    /// The generations of the heartbeat and the SyncGroup that are on their way.
    asked: (i32, i32),
    not_before: Instant,
    failures: u32,
    told_trouble: bool,
    told_holder: Option<String>,
}

impl Session {
    pub(super) fn new(
        settings: LeaseSettings,
        client: ProducerSettings,
        name: String,
        shared: Arc<Shared>,
        stop: Arc<AtomicBool>,
    ) -> Self {
        let now = Instant::now();
        Session {
            membership: Membership::new(name, settings.standby.session_timeout, now),
            settings,
            brokers: client.brokers,
            request_timeout: client.request_timeout,
            shared,
            stop,
            known: client.bootstrap,
            next: 0,
            knows_cluster: false,
            coordinator: None,
            control: Link::new(Arc::clone(&client.connection)),
            joining: Link::new(client.connection),
            heartbeat: None,
            asked: (-1, -1),
            not_before: now,
            failures: 0,
            told_trouble: false,
            told_holder: None,
        }
    }

    /// Until the lease is not wanted any more, or cannot be had.
    pub(super) fn run(mut self) {
        while !self.shared.is_given_up() {
            self.wait();
            if self.stop.load(Ordering::Relaxed) {
                self.shared.stop_holder();
            }
            if let Err(error) = self.step() {
                self.shared.fail(error);
                return;
            }
        }
        self.say_good_bye();
    }

    fn wait(&self) {
        let links = [&self.control, &self.joining];
        let mut waiting: Vec<PollFd<'_>> = Vec::with_capacity(2);
        for (socket, has_output) in links.iter().filter_map(|link| link.socket()) {
            let output = if has_output { PollFlags::OUT } else { PollFlags::empty() };
            waiting.push(PollFd::from_borrowed_fd(socket.as_fd(), PollFlags::IN | output));
        }
        let tick = if links.iter().any(|link| link.is_opening()) { OPENING_TICK } else { TICK };
        let timeout = Timespec { tv_sec: 0, tv_nsec: i64::from(tick.subsec_nanos()) };
        // An interrupted wait is a short one.
        let _ = poll(&mut waiting, Some(&timeout));
    }

    /// Takes the answers that have come, and asks what is due.
    fn step(&mut self) -> Result<(), KafkaHomeError> {
        let session_timeout = self.settings.standby.session_timeout;
        if self.membership.expire(Instant::now()) {
            let reason = format!("the coordinator did not answer for {} ms", session_timeout.as_millis());
            self.lost(&reason);
        }
        for is_control in [true, false] {
            let link = if is_control { &mut self.control } else { &mut self.joining };
            match link.hear() {
                Ok(Some(answer)) => self.answered(&answer)?,
                Ok(None) => {}
                Err(error) => self.broken(error)?,
            }
        }
        for (api, waited) in [self.control.waits(), self.joining.waits()].into_iter().flatten() {
            let limit = match api {
                JOIN_GROUP | SYNC_GROUP => self.settings.standby.rebalance_timeout + GRACE,
                // So that another attempt has its time before the session ends.
                _ => self.request_timeout.min(session_timeout / 2),
            };
            if waited > limit {
                let reason = format!("{} is not answered for {} ms", api.name, waited.as_millis());
                self.broken(LinkError::Broken(reason))?;
            }
        }
        if Instant::now() >= self.not_before
            && let Err(error) = self.ask()
        {
            self.broken(error)?;
        }
        self.tell();
        Ok(())
    }

    fn ask(&mut self) -> Result<(), LinkError> {
        let group = self.settings.group.as_str();
        let Some(coordinator) = &self.coordinator else {
            if self.control.is_closed() {
                let place = self.next % self.known.len().max(1);
                if let Some(broker) = self.known.get(place) {
                    self.control.open(broker.clone());
                }
            }
            return match self.control.is_idle() {
                true if self.knows_cluster => self.control.ask(FIND_COORDINATOR, |body| {
                    find_coordinator::put_request(body, find_coordinator::GROUP, group);
                }),
                true => self.control.ask(METADATA, |body| metadata::put_request(body, std::iter::empty())),
                false => Ok(()),
            };
        };
        for link in [&mut self.control, &mut self.joining] {
            if link.is_closed() {
                link.open(coordinator.clone());
            }
        }
        let member = &self.membership;
        if self.control.is_idle() && !member.id.is_empty() && self.heartbeat_is_due() {
            self.heartbeat = Some(Instant::now());
            self.asked.0 = member.generation;
            self.control.ask(HEARTBEAT, |body| {
                heartbeat::put_request(body, group, member.generation, &member.id);
            })?;
        }
        if !self.joining.is_idle() {
            return Ok(());
        }
        match &member.stage {
            Stage::Outside => {
                let metadata = member.metadata();
                let ms = |time: Duration| i32::try_from(time.as_millis()).unwrap_or(i32::MAX);
                let join = JoinGroup {
                    group,
                    session_timeout_ms: ms(self.settings.standby.session_timeout),
                    rebalance_timeout_ms: ms(self.settings.standby.rebalance_timeout),
                    member: &member.id,
                    protocol_type: PROTOCOL_TYPE,
                    protocol: PROTOCOL,
                    metadata: &metadata,
                };
                self.joining.ask(JOIN_GROUP, |body| join_group::put_request(body, &join))
            }
            Stage::Joined(parts) => {
                self.asked.1 = member.generation;
                self.joining.ask(SYNC_GROUP, |body| {
                    sync_group::put_request(body, group, member.generation, &member.id, parts);
                })
            }
            Stage::Inside => Ok(()),
        }
    }

    fn heartbeat_is_due(&self) -> bool {
        let interval = self.settings.standby.heartbeat_interval;
        let interval = if self.membership.holds { interval } else { interval.min(STANDBY_HEARTBEAT) };
        let Some(last) = self.heartbeat else { return true };
        last.elapsed() >= interval || self.shared.wants_confirmation_since().is_some_and(|since| last < since)
    }

    fn answered(&mut self, answer: &Answer) -> Result<(), KafkaHomeError> {
        match self.understood(answer) {
            Ok(verdict) => self.judge(verdict),
            Err(malformed) => self.broken(LinkError::Broken(malformed.to_string())),
        }
    }

    fn understood(&mut self, answer: &Answer) -> Result<Verdict, Malformed> {
        let verdict = match answer.api {
            METADATA => {
                for broker in answer.read(metadata::read_response)?.brokers {
                    let address = (broker.host, broker.port);
                    if !self.known.contains(&address) {
                        self.known.push(address);
                    }
                }
                self.knows_cluster = true;
                Verdict::Well
            }
            FIND_COORDINATOR => {
                let (error, broker) = answer.read(find_coordinator::read_response)?;
                // The first use of groups makes their topic, which takes the brokers a moment.
                match self.membership.sought(error) {
                    Verdict::Well => {
                        debug!(group = %self.settings.group, host = %broker.host, port = broker.port, "group coordinator");
                        self.control.close();
                        self.coordinator = Some((broker.host, broker.port));
                        Verdict::Well
                    }
                    refused => refused,
                }
            }
            JOIN_GROUP => {
                let joined = answer.read(join_group::read_response)?;
                self.membership.joined(joined)
            }
            SYNC_GROUP => {
                let before = self.membership.holds;
                let (membership, generation) = (&mut self.membership, self.asked.1);
                let verdict = answer.read(|body| {
                    let (error, part) = sync_group::read_response(body)?;
                    Ok(membership.synced(error, part, generation, answer.asked))
                })?;
                if before && !self.membership.holds {
                    self.lost("the group has given it to another instance");
                }
                verdict
            }
            HEARTBEAT => {
                let error = answer.read(heartbeat::read_response)?;
                let before = self.membership.holds;
                let verdict = self.membership.beaten(error, self.asked.0, answer.asked);
                if before && !self.membership.holds {
                    self.lost("the group has gone on without this instance");
                }
                verdict
            }
            _ => Verdict::Well,
        };
        self.shared.confirm(self.membership.holds, self.membership.confirmed, self.membership.good_until());
        Ok(verdict)
    }

    fn judge(&mut self, verdict: Verdict) -> Result<(), KafkaHomeError> {
        match verdict {
            Verdict::Well if self.coordinator.is_none() => {}
            Verdict::Well => {
                self.failures = 0;
                if std::mem::take(&mut self.told_trouble) && self.membership.stage == Stage::Inside {
                    info!(group = %self.settings.group, "the group's coordinator answers again");
                }
            }
            Verdict::Later(code) => self.pause(&code.to_string()),
            Verdict::Elsewhere(code) => self.search_again(&code.to_string()),
            Verdict::Fatal(source) => {
                self.shared.lose();
                return Err(KafkaHomeError::Group { group: self.settings.group.clone(), source });
            }
        }
        Ok(())
    }

    /// A connection broke, or could not be made.
    fn broken(&mut self, error: LinkError) -> Result<(), KafkaHomeError> {
        match error {
            LinkError::Authentication(reason) => {
                self.shared.lose();
                Err(KafkaHomeError::Authentication { brokers: self.brokers.clone(), reason })
            }
            LinkError::Broken(reason) => {
                self.search_again(&reason);
                Ok(())
            }
        }
    }

    fn search_again(&mut self, reason: &str) {
        self.control.close();
        self.joining.close();
        self.coordinator = None;
        self.knows_cluster = false;
        self.heartbeat = None;
        self.next = self.next.wrapping_add(1);
        self.membership.disconnected();
        self.pause(reason);
    }

    fn pause(&mut self, reason: &str) {
        let whole = BACKOFF.0.saturating_mul(1_u32.checked_shl(self.failures).unwrap_or(u32::MAX));
        self.not_before = Instant::now() + whole.min(BACKOFF.1);
        self.failures = self.failures.saturating_add(1);
        // The first failures are those of a broker that starts or hands the group over to another one.
        if self.failures > 3 && !std::mem::replace(&mut self.told_trouble, true) {
            let holds = self.membership.holds;
            warn!(group = %self.settings.group, holds, "the group's coordinator is not reachable, trying on: {reason}");
        }
        debug!(group = %self.settings.group, "the group's coordinator: {reason}");
    }

    /// The lease is lost; the holder is told, and people are.
    fn lost(&mut self, reason: &str) {
        self.shared.lose();
        self.told_holder = None;
        warn!(group = %self.settings.group, "the lease is lost, the connector stops here and stands by: {reason}");
    }

    /// Tells the owner of the lease, and people, who has it.
    fn tell(&mut self) {
        let group = self.settings.group.as_str();
        if self.membership.holds {
            // A holding that its owner saw end by the clock, in the moment when a heartbeat was answered, is followed by another.
            if self.shared.hold(self.membership.good_until()) {
                let verb = if self.told_holder.take().is_some() { "takes over" } else { "runs" };
                info!(group, instance = %self.membership.name, "this instance has the lease and {verb} the connector");
            }
            return;
        }
        let holder = &self.membership.holder;
        if self.membership.stage == Stage::Inside && self.told_holder.as_ref() != Some(holder) {
            info!(group, instance = %self.membership.name, "standing by: {holder} runs the connector");
            self.told_holder = Some(holder.clone());
        }
    }

    /// Leaves the group, so that nobody has to wait until the session ends. Not for long: the coordinator finds out anyway.
    fn say_good_bye(&mut self) {
        let end = Instant::now() + GOOD_BYE;
        let mut has_asked = false;
        while Instant::now() < end && self.coordinator.is_some() && !self.membership.id.is_empty() {
            if !has_asked && self.control.is_idle() {
                has_asked = true;
                let (group, id) = (self.settings.group.as_str(), self.membership.id.as_str());
                if self.control.ask(LEAVE_GROUP, |body| leave_group::put_request(body, group, id)).is_err() {
                    return;
                }
            }
            match self.control.hear() {
                Ok(Some(answer)) if answer.api == LEAVE_GROUP => return,
                Ok(_) => {}
                Err(_) => return,
            }
            self.joining.close();
            self.wait();
        }
    }
}
