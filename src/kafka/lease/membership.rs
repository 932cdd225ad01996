//! A member of the lease's group, without the network: what it has to ask next, and what the answers make of it.
//!
//! ```text
//!            JoinGroup              SyncGroup
//! Outside ─────────────▶ Joined ──────────────▶ Inside ── Heartbeat … REBALANCE_IN_PROGRESS ─▶ Outside
//!    ▲                                                         │
//!    └──── UNKNOWN_MEMBER_ID, ILLEGAL_GENERATION: lost ────────┘
//! ```
//!
//! The answer to JoinGroup waits until all members have joined or are taken for dead. Who holds the lease holds it on meanwhile
//! and says so by heartbeats, over a connection of their own.

use std::time::{Duration, Instant};

use crate::kafka::lease::claim::{Claim, divide};
use crate::kafka::protocol::error_code::ErrorCode;
use crate::kafka::protocol::join_group::Joined;

/// How far one is into the group's present division.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// JoinGroup is to be asked, or is being asked.
    Outside,
    /// SyncGroup is, with what the others get when this one leads.
    Joined(Vec<(String, Vec<u8>)>),
    /// Heartbeats are.
    Inside,
}

/// What an answer means for the connection, beside what it makes of the member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Go on at once.
    Well,
    /// Ask again after a pause.
    Later(ErrorCode),
    /// Look for the coordinator again.
    Elsewhere(ErrorCode),
    /// Somebody has to change something.
    Fatal(ErrorCode),
}

/// See the module.
#[derive(Debug)]
pub(super) struct Membership {
    session_timeout: Duration,
    /// This member's name for people.
    pub(super) name: String,
    /// The coordinator's name for it; empty without one.
    pub(super) id: String,
    /// Negative before the first division.
    pub(super) generation: i32,
    pub(super) stage: Stage,
    pub(super) holds: bool,
    /// The name of who holds the lease, as told last.
    pub(super) holder: String,
    /// When something was asked to which the coordinator answered as to a member.
    pub(super) confirmed: Instant,
}

impl Membership {
    pub(super) fn new(name: String, session_timeout: Duration, now: Instant) -> Self {
        Membership {
            session_timeout,
            name,
            id: String::new(),
            generation: -1,
            stage: Stage::Outside,
            holds: false,
            holder: String::new(),
            confirmed: now,
        }
    }

    /// What it says of itself when it joins.
    pub(super) fn metadata(&self) -> Vec<u8> {
        Claim { holds: self.holds, name: self.name.clone() }.to_bytes()
    }

    /// When the lease, or the membership, ends unless something more is answered.
    pub(super) fn good_until(&self) -> Instant {
        self.confirmed + self.session_timeout
    }

    /// Takes note of the time: whether the lease has just ended by it.
    pub(super) fn expire(&mut self, now: Instant) -> bool {
        if !self.holds || now < self.good_until() {
            return false;
        }
        self.lose();
        true
    }

    /// The lease is gone; what can be had of it is to be asked anew.
    fn lose(&mut self) {
        self.holds = false;
        self.stage = Stage::Outside;
    }

    /// Answers may have been lost with a connection: a division that is not complete begins again.
    pub(super) fn disconnected(&mut self) {
        if self.stage != Stage::Inside {
            self.stage = Stage::Outside;
        }
    }

    /// FindCoordinator was answered.
    pub(super) fn sought(&mut self, error: i16) -> Verdict {
        match ErrorCode::check(error) {
            Ok(()) => Verdict::Well,
            Err(code) => self.refused(code),
        }
    }

    /// JoinGroup was answered.
    pub(super) fn joined(&mut self, answer: Joined) -> Verdict {
        match ErrorCode::check(answer.error) {
            Ok(()) => {
                let parts = if answer.leader == answer.member {
                    divide(&answer.leader, &answer.members)
                } else {
                    Vec::new()
                };
                self.id = answer.member;
                self.generation = answer.generation;
                self.stage = Stage::Joined(parts);
                Verdict::Well
            }
            Err(ErrorCode::MEMBER_ID_REQUIRED) => {
                self.id = answer.member;
                Verdict::Well
            }
            Err(code) => self.refused(code),
        }
    }

    /// SyncGroup of a generation was answered, which had been asked then.
    pub(super) fn synced(&mut self, error: i16, part: &[u8], generation: i32, asked: Instant) -> Verdict {
        if generation != self.generation {
            return Verdict::Well;
        }
        match ErrorCode::check(error) {
            Ok(()) => {
                // A leader that leaves somebody out gives it nothing.
                let part = Claim::from_bytes(part).unwrap_or_default();
                self.confirmed = self.confirmed.max(asked);
                self.stage = Stage::Inside;
                self.holds = part.holds;
                self.holder = part.name;
                Verdict::Well
            }
            Err(code) => self.refused(code),
        }
    }

    /// A heartbeat of a generation was answered, which had been sent then.
    pub(super) fn beaten(&mut self, error: i16, generation: i32, asked: Instant) -> Verdict {
        let is_present = generation == self.generation;
        match ErrorCode::check(error) {
            Ok(()) | Err(ErrorCode::REBALANCE_IN_PROGRESS) if is_present && generation >= 0 => {
                self.confirmed = self.confirmed.max(asked);
                if error != 0 && self.stage == Stage::Inside {
                    self.stage = Stage::Outside;
                }
                Verdict::Well
            }
            Ok(()) | Err(ErrorCode::REBALANCE_IN_PROGRESS) => Verdict::Well,
            // One that has a name but was in no division yet is not always known, and a division that has just been
            // completed makes the number before it a wrong one.
            Err(ErrorCode::UNKNOWN_MEMBER_ID) if !is_present || generation < 0 => Verdict::Well,
            Err(ErrorCode::ILLEGAL_GENERATION) if !is_present || self.stage != Stage::Inside => Verdict::Well,
            Err(code) => self.refused(code),
        }
    }

    fn refused(&mut self, code: ErrorCode) -> Verdict {
        match code {
            ErrorCode::UNKNOWN_MEMBER_ID => {
                self.lose();
                self.id.clear();
                self.generation = -1;
                Verdict::Well
            }
            ErrorCode::ILLEGAL_GENERATION => {
                self.lose();
                Verdict::Well
            }
            ErrorCode::REBALANCE_IN_PROGRESS => {
                self.stage = Stage::Outside;
                Verdict::Well
            }
            ErrorCode::INCONSISTENT_GROUP_PROTOCOL
            | ErrorCode::INVALID_GROUP_ID
            | ErrorCode::INVALID_SESSION_TIMEOUT
            | ErrorCode::GROUP_AUTHORIZATION_FAILED => Verdict::Fatal(code),
            ErrorCode::COORDINATOR_LOAD_IN_PROGRESS
            | ErrorCode::GROUP_MAX_SIZE_REACHED
            | ErrorCode::THROTTLING_QUOTA_EXCEEDED => {
                self.disconnected();
                Verdict::Later(code)
            }
            code => Verdict::Elsewhere(code),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SESSION: Duration = Duration::from_secs(10);

    fn joined(error: i16, generation: i32, leader: &str, member: &str, members: &[&Membership]) -> Joined {
        let members = members.iter().map(|member| (member.id.clone(), member.metadata())).collect();
        Joined { error, generation, leader: leader.to_owned(), member: member.to_owned(), members }
    }

    fn new(id: &str, now: Instant) -> Membership {
        let mut member = Membership::new(format!("host {id}"), SESSION, now);
        assert_eq!(member.joined(joined(79, -1, "", id, &[])), Verdict::Well);
        assert_eq!((member.id.as_str(), &member.stage), (id, &Stage::Outside));
        member
    }

    /// The coordinator divides: all join, and the first one leads.
    fn divide_among(members: &mut [&mut Membership], generation: i32, now: Instant) {
        let claims: Vec<(String, Vec<u8>)> =
            members.iter().map(|member| (member.id.clone(), member.metadata())).collect();
        let leader = members[0].id.clone();
        for member in members.iter_mut() {
            let members = if member.id == leader { claims.clone() } else { Vec::new() };
            let (leader, member_id) = (leader.clone(), member.id.clone());
            let answer = Joined { error: 0, generation, leader, member: member_id, members };
            assert_eq!(member.joined(answer), Verdict::Well);
        }
        let Stage::Joined(parts) = members[0].stage.clone() else { panic!("{:?}", members[0].stage) };
        for member in members.iter_mut() {
            let part = parts.iter().find(|(id, _)| *id == member.id).map(|(_, part)| part.clone());
            assert_eq!(member.synced(0, &part.unwrap_or_default(), generation, now), Verdict::Well);
            assert_eq!(member.stage, Stage::Inside);
        }
    }

    #[test]
    fn a_newcomer_leaves_the_lease_where_it_is() {
        let now = Instant::now();
        let (mut a, mut b, mut c) = (new("a", now), new("b", now), new("c", now));
        divide_among(&mut [&mut a], 1, now);
        assert!(a.holds);
        assert_eq!(a.beaten(27, 1, now), Verdict::Well);
        assert!(a.holds && a.stage == Stage::Outside, "it is held on while the others join");
        divide_among(&mut [&mut b, &mut c, &mut a], 2, now);
        assert_eq!((a.holds, b.holds, c.holds), (true, false, false));
        assert_eq!((b.holder.as_str(), c.holder.as_str()), ("host a", "host a"));
        // Its holder goes.
        divide_among(&mut [&mut c, &mut b], 3, now);
        assert_eq!((b.holds, c.holds, b.holder.as_str()), (false, true, "host c"));
    }

    #[test]
    fn what_heartbeats_are_answered() {
        let long = ErrorCode::UNKNOWN_MEMBER_ID.0;
        // Error, generation of the heartbeat (the present one is 5), stage; whether the lease stays, whether it is confirmed.
        let outside = Stage::Outside;
        let cases = [
            (0, 5, Stage::Inside, true, true),
            (27, 5, Stage::Inside, true, true),
            (27, 5, outside.clone(), true, true),
            (0, 4, Stage::Inside, true, false),
            (long, 5, Stage::Inside, false, false),
            (long, 5, outside.clone(), false, false),
            (long, 4, Stage::Inside, true, false),
            (22, 5, Stage::Inside, false, false),
            (22, 5, outside.clone(), true, false),
            (22, 4, Stage::Inside, true, false),
            (16, 5, Stage::Inside, true, false),
            (14, 5, outside, true, false),
        ];
        for (error, generation, stage, stays, confirmed) in cases {
            let now = Instant::now();
            let mut member = new("a", now);
            divide_among(&mut [&mut member], 5, now);
            member.stage = stage.clone();
            let later = now + Duration::from_secs(1);
            member.beaten(error, generation, later);
            let case = format!("{error} {generation} {stage:?}");
            assert_eq!(member.holds, stays, "{case}");
            assert_eq!(member.confirmed, if confirmed { later } else { now }, "{case}");
        }
    }

    #[test]
    fn the_lease_ends_by_the_clock() {
        let now = Instant::now();
        let mut member = new("a", now);
        divide_among(&mut [&mut member], 1, now);
        assert!(!member.expire(now + SESSION - Duration::from_millis(1)) && member.holds);
        assert!(member.expire(now + SESSION) && !member.holds);
        assert_eq!(
            (&member.stage, member.id.as_str()),
            (&Stage::Outside, "a"),
            "it joins again as who it is"
        );
        assert!(!member.expire(now + SESSION), "that is told once");
        assert_eq!(Claim::from_bytes(&member.metadata()).map(|claim| claim.holds), Ok(false));
    }

    #[test]
    fn one_that_was_thrown_out_begins_anew() {
        let now = Instant::now();
        let mut member = new("a", now);
        divide_among(&mut [&mut member], 3, now);
        member.joined(joined(25, -1, "", "", &[]));
        assert_eq!((member.holds, member.id.as_str(), member.generation), (false, "", -1));
        let part = Claim { holds: true, name: "host a".to_owned() }.to_bytes();
        assert_eq!(member.synced(0, &part, 3, now), Verdict::Well);
        assert!(!member.holds, "an answer from before says nothing any more");
    }

    #[test]
    fn what_refusals_mean() {
        for (code, verdict) in [
            (ErrorCode::NOT_COORDINATOR, Verdict::Elsewhere as fn(ErrorCode) -> Verdict),
            (ErrorCode::COORDINATOR_NOT_AVAILABLE, Verdict::Elsewhere),
            (ErrorCode::COORDINATOR_LOAD_IN_PROGRESS, Verdict::Later),
            (ErrorCode::GROUP_MAX_SIZE_REACHED, Verdict::Later),
            (ErrorCode::GROUP_AUTHORIZATION_FAILED, Verdict::Fatal),
            (ErrorCode::INVALID_SESSION_TIMEOUT, Verdict::Fatal),
        ] {
            let mut member = new("a", Instant::now());
            assert_eq!(member.joined(joined(code.0, -1, "", "", &[])), verdict(code), "{code}");
        }
    }
}
