use super::*;

use crate::connect::record::Record;

const KEPT: Duration = Duration::from_secs(60);

fn config(boundary: TransactionBoundary) -> TransactionConfig {
    TransactionConfig { boundary, interval: Duration::from_millis(700), least: Duration::from_millis(100) }
}

fn batch(records: usize, bytes: usize, offsets: &[(&str, &str)], ends_transaction: bool) -> RecordBatch {
    let record = Record {
        topic: "t".into(),
        partition: None,
        key: None,
        value: None,
        headers: crate::connect::record::RecordHeaders::default(),
    };
    let offset = |(key, value): &(&str, &str)| StoredOffset {
        key: (*key).to_owned(),
        value: Some((*value).to_owned()),
    };
    RecordBatch {
        bytes: vec![0; bytes],
        records: vec![record; records],
        offsets: offsets.iter().map(offset).collect(),
        ends_transaction,
    }
}

#[test]
fn a_transaction_ends_by_the_boundary() {
    use TransactionBoundary::{Connector, Interval, Poll};
    // Milliseconds since the last commit and since the first record, bytes, whether a source transaction ended.
    for (boundary, pause, open, bytes, at_boundary, due) in [
        (Poll, 99, 50, 10, true, false),
        (Poll, 100, 0, 10, false, true),
        (Connector, 100, 50, 10, false, false),
        (Connector, 99, 50, 10, true, false),
        (Connector, 100, 50, 10, true, true),
        (Connector, 20_000, 20_000, 10, false, false),
        (Connector, 30_000, 30_000, 10, false, true),
        (Connector, 10, 10, MOST_BYTES, false, true),
        (Interval, 5_000, 699, 10, true, false),
        (Interval, 5_000, 700, 10, false, true),
    ] {
        let mut delivery = ExactlyOnce::new(config(boundary), KEPT, KEPT);
        let start = Instant::now();
        delivery.committed(start);
        let now = start + Duration::from_millis(pause);
        delivery.add(&batch(1, bytes, &[], at_boundary), now - Duration::from_millis(open));
        assert_eq!(delivery.is_due(now), due, "{boundary:?} {pause} {open} {bytes} {at_boundary}");
    }
}

#[test]
fn offsets_alone_wait_for_the_flush_interval() {
    let mut delivery = ExactlyOnce::new(config(TransactionBoundary::Poll), KEPT, KEPT * 9);
    let start = Instant::now();
    delivery.committed(start);
    assert!(!delivery.is_due(start + KEPT), "nothing to commit");
    delivery.add(&batch(0, 0, &[("a", "1"), ("b", "1")], true), start);
    delivery.add(&batch(0, 0, &[("a", "2")], true), start + KEPT / 2);
    assert!(!delivery.is_due(start + KEPT - Duration::from_millis(1)));
    assert!(delivery.is_due(start + KEPT));
    let values: Vec<_> = delivery.take_offsets().into_iter().filter_map(|offset| offset.value).collect();
    assert_eq!(values, ["1", "2"]);
    delivery.committed(start + KEPT);
    assert!(delivery.is_empty());
}

/// A model of brokers, coordinator and instances; every order of their steps is tried.
mod model {
    use std::collections::{BTreeSet, HashSet};

    use super::*;

    /// Changes of the source; each goes to one of two partitions.
    const CHANGES: u8 = 3;
    /// The one that is a statement: before it is published the history has it.
    const STATEMENT: u8 = 1;
    /// The partition of offsets.
    const OFFSETS: usize = 2;
    const MOST_STARTS: usize = 2;
    const MOST_KILLS: u8 = 1;

    #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
    enum Fate {
        Open,
        Committed,
        Aborted,
    }

    /// What an instance does next.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    enum Step {
        TakeOver,
        ReadOffset,
        ReadHistory,
        /// Publish, commit, or nothing more.
        Idle,
        /// Whose the identity is, and then the statement goes into the history.
        Ask,
        Store,
        /// The coordinator is told of the partition, then the record is appended: a change, or an offset.
        Join(usize, u8),
        Append(usize, u8),
        End,
    }

    #[derive(Clone, Debug)]
    struct Instance {
        epoch: u8,
        step: Step,
        next: u8,
        /// The history has the statement, beyond the offset.
        is_stored: bool,
        joined: BTreeSet<usize>,
        delivery: ExactlyOnce,
    }

    /// The order of steps that is tried.
    #[derive(Clone, Copy)]
    struct Order {
        /// Offset and history are read before the identity is taken.
        reads_first: bool,
        /// Everything may happen between the question whose the identity is and the history's acknowledgement.
        sleeps: bool,
    }

    #[derive(Clone, Debug, Default)]
    struct World {
        epoch: u8,
        /// Partitions of the running transaction.
        open: BTreeSet<usize>,
        /// A transaction that is being ended: as what, and the partitions without a marker.
        ending: Option<(Fate, BTreeSet<usize>)>,
        /// Epoch, value, fate.
        logs: [Vec<(u8, u8, Fate)>; 3],
        /// The newest epoch that each leader has seen.
        seen: [u8; 3],
        /// How often the history has the statement.
        history: usize,
        instances: Vec<Option<Instance>>,
        kills: u8,
    }

    /// What a reader of committed records sees.
    fn visible(log: &[(u8, u8, Fate)]) -> Vec<u8> {
        let stable = log.iter().take_while(|(.., fate)| *fate != Fate::Open);
        stable.filter(|(.., fate)| *fate == Fate::Committed).map(|(_, value, _)| *value).collect()
    }

    impl World {
        fn key(&self) -> String {
            let instances: Vec<_> = self
                .instances
                .iter()
                .flatten()
                .map(|one| {
                    let delivery = (&one.delivery.offsets, one.delivery.records);
                    (one.epoch, one.step, one.next, one.is_stored, &one.joined, delivery)
                })
                .collect();
            let numbers =
                (self.instances.len(), self.kills, self.epoch, self.history, &self.open, &self.ending);
            format!("{numbers:?} {:?} {:?} {instances:?}", self.logs, self.seen)
        }

        /// Every world that one step makes of this one.
        fn next(&self, order: Order) -> Vec<World> {
            let mut worlds = Vec::new();
            if let Some((fate, partitions)) = &self.ending {
                for partition in partitions {
                    let mut world = self.clone();
                    for entry in world.logs[*partition].iter_mut().filter(|entry| entry.2 == Fate::Open) {
                        entry.2 = *fate;
                    }
                    world.seen[*partition] = self.epoch;
                    let mut left = partitions.clone();
                    left.remove(partition);
                    world.ending = (!left.is_empty()).then_some((*fate, left));
                    worlds.push(world);
                }
            }
            if self.instances.len() < MOST_STARTS || self.instances.iter().all(Option::is_none) {
                let mut world = self.clone();
                world.instances.push(Some(Instance {
                    epoch: 0,
                    step: if order.reads_first { Step::ReadOffset } else { Step::TakeOver },
                    next: 0,
                    is_stored: false,
                    joined: BTreeSet::new(),
                    delivery: ExactlyOnce::new(config(TransactionBoundary::Poll), KEPT, KEPT),
                }));
                worlds.push(world);
            }
            for (place, instance) in self.instances.iter().enumerate() {
                let Some(instance) = instance else { continue };
                // The last one is left alive, so that there is an end to look at.
                if self.kills < MOST_KILLS && place + 1 < MOST_STARTS {
                    let mut world = self.clone();
                    world.instances[place] = None;
                    world.kills += 1;
                    worlds.push(world);
                }
                worlds.extend(self.step(place, instance, order));
            }
            worlds
        }

        /// With another state of an instance; without one it has stopped because it was fenced.
        fn with(&self, place: usize, instance: Option<Instance>) -> World {
            let mut world = self.clone();
            world.instances[place] = instance;
            world
        }

        fn step(&self, place: usize, instance: &Instance, order: Order) -> Vec<World> {
            let at = |step: Step| Instance { step, ..instance.clone() };
            let is_fenced = instance.epoch != self.epoch;
            match instance.step {
                Step::TakeOver if self.ending.is_some() => Vec::new(),
                Step::TakeOver if !self.open.is_empty() => {
                    let mut world = self.clone();
                    world.epoch += 1;
                    world.ending = Some((Fate::Aborted, std::mem::take(&mut world.open)));
                    vec![world]
                }
                Step::TakeOver => {
                    let step = if order.reads_first { Step::Idle } else { Step::ReadOffset };
                    let mut world = self.with(place, Some(Instance { epoch: self.epoch + 1, ..at(step) }));
                    world.epoch += 1;
                    vec![world]
                }
                Step::ReadOffset => {
                    let next = visible(&self.logs[OFFSETS]).last().copied().unwrap_or(0);
                    vec![self.with(place, Some(Instance { next, ..at(Step::ReadHistory) }))]
                }
                Step::ReadHistory => {
                    let step = if order.reads_first { Step::TakeOver } else { Step::Idle };
                    let is_stored = self.history > 0 && instance.next <= STATEMENT;
                    vec![self.with(place, Some(Instance { is_stored, ..at(step) }))]
                }
                Step::Idle => {
                    let mut worlds = Vec::new();
                    // Everything in front of a statement is committed first.
                    if instance.next == STATEMENT && instance.delivery.is_empty() {
                        worlds.push(self.with(place, Some(at(Step::Ask))));
                    } else if instance.next < CHANGES && instance.next != STATEMENT {
                        worlds.push(self.with(place, Some(at(publish(instance.next)))));
                    }
                    if !instance.delivery.is_empty() {
                        let mut instance = instance.clone();
                        let offsets = instance.delivery.take_offsets();
                        let value = offsets[0].value.as_ref().and_then(|value| value.parse().ok()).unwrap();
                        instance.step = Step::Join(OFFSETS, value);
                        worlds.push(self.with(place, Some(instance)));
                    }
                    worlds
                }
                Step::Ask if is_fenced => vec![self.with(place, None)],
                Step::Ask if instance.is_stored => vec![self.with(place, Some(at(publish(STATEMENT))))],
                Step::Ask if order.sleeps => vec![self.with(place, Some(at(Step::Store)))],
                // Nothing fences the history.
                Step::Ask | Step::Store => {
                    let mut world = self.with(place, Some(at(publish(STATEMENT))));
                    world.history += 1;
                    vec![world]
                }
                Step::Join(partition, value) if instance.joined.contains(&partition) => {
                    vec![self.with(place, Some(at(Step::Append(partition, value))))]
                }
                Step::Join(..) if is_fenced => vec![self.with(place, None)],
                Step::Join(..) if self.ending.is_some() => Vec::new(),
                Step::Join(partition, value) => {
                    let mut instance = at(Step::Append(partition, value));
                    instance.joined.insert(partition);
                    let mut world = self.with(place, Some(instance));
                    world.open.insert(partition);
                    vec![world]
                }
                Step::Append(partition, _) if instance.epoch < self.seen[partition] => {
                    vec![self.with(place, None)]
                }
                Step::Append(partition, value) => {
                    let mut instance = instance.clone();
                    instance.step = if partition == OFFSETS { Step::End } else { Step::Idle };
                    if partition != OFFSETS {
                        instance.next = value + 1;
                        let offset = instance.next.to_string();
                        instance.delivery.add(&batch(1, 1, &[("o", &offset)], true), Instant::now());
                    }
                    let epoch = instance.epoch;
                    let mut world = self.with(place, Some(instance));
                    world.logs[partition].push((epoch, value, Fate::Open));
                    world.seen[partition] = epoch;
                    vec![world]
                }
                Step::End if is_fenced => vec![self.with(place, None)],
                Step::End => {
                    let mut instance = at(Step::Idle);
                    instance.joined.clear();
                    instance.delivery.committed(Instant::now());
                    let mut world = self.with(place, Some(instance));
                    world.ending = Some((Fate::Committed, std::mem::take(&mut world.open)));
                    vec![world]
                }
            }
        }

        /// What is wrong with what a reader sees now.
        fn fault(&self, order: Order) -> Option<String> {
            let is_published = visible(&self.logs[usize::from(STATEMENT % 2)]).contains(&STATEMENT);
            let is_behind = visible(&self.logs[OFFSETS]).last().is_some_and(|next| *next > STATEMENT);
            let most = if order.sleeps { MOST_STARTS } else { 1 };
            if self.history > most || (self.history == 0 && (is_published || is_behind)) {
                return Some(format!("the history has the statement {} times", self.history));
            }
            for partition in 0..OFFSETS {
                let seen = visible(&self.logs[partition]);
                let wanted: Vec<u8> =
                    (0..CHANGES).filter(|change| usize::from(change % 2) == partition).collect();
                if !wanted.starts_with(&seen) {
                    return Some(format!("partition {partition}: {seen:?}"));
                }
            }
            None
        }

        fn is_complete(&self) -> bool {
            (0..OFFSETS).map(|partition| visible(&self.logs[partition]).len()).sum::<usize>()
                == usize::from(CHANGES)
                && visible(&self.logs[OFFSETS]).last() == Some(&CHANGES)
        }
    }

    /// The step that begins to publish a change.
    fn publish(change: u8) -> Step {
        Step::Join(usize::from(change % 2), change)
    }

    /// Tries all orders; how many worlds there are, or the first fault.
    fn explore(order: Order) -> Result<usize, String> {
        let mut known = HashSet::new();
        let mut open = vec![World::default()];
        let mut ends = 0;
        while let Some(world) = open.pop() {
            if !known.insert(world.key()) {
                continue;
            }
            if let Some(fault) = world.fault(order) {
                return Err(fault);
            }
            let next = world.next(order);
            if next.is_empty() {
                // Nothing can happen any more: everything has to be there.
                if !world.is_complete() {
                    return Err(format!("an end without all changes: {world:?}"));
                }
                ends += 1;
            }
            open.extend(next);
        }
        if ends == 0 { Err("no order has an end".to_owned()) } else { Ok(known.len()) }
    }

    #[test]
    fn in_every_order_every_change_is_committed_once() {
        for sleeps in [false, true] {
            let worlds = explore(Order { reads_first: false, sleeps }).unwrap();
            assert!(worlds > 10_000, "{worlds} worlds are too few to say so");
        }
    }

    /// The model sees the fault that the order of the first two steps keeps away.
    #[test]
    fn offsets_that_are_read_too_early_double_changes() {
        explore(Order { reads_first: true, sleeps: false }).unwrap_err();
    }
}
