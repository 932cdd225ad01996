//! Topics whose offsets are versions: those of the real Debezium (section 5.4).
//!
//! An offset orders the records of a key only as long as the topic lives and has its partitions. So each life of a topic has a number,
//! its incarnation, above all that the table has: it is stored with the topic's id before anything is written with it, and compared
//! whenever partitions are assigned. Offsets of two partitions say nothing about each other.

use crate::clock::Clock;
use crate::config::sink::modes::KeylessMode;
use crate::sink::apply::applier::Applier;
use crate::sink::apply::error::{ApplyError, TableError};
use crate::sink::apply::ledger::Kind;
use crate::sink::apply::opening::Failure;
use crate::sink::apply::record::{RecordStore, TopicLife};
use crate::sink::apply::table::Table;
use crate::sink::apply::target::Place;
use crate::sink::version::{Incarnation, Version, VersionScheme};

impl Applier {
    /// The incarnation of a topic of the real Debezium. A new one is stored before anything is written with it.
    pub(super) fn incarnation(
        &mut self,
        topic: &str,
        present: Option<Incarnation>,
        table: &Table,
        records: &mut dyn RecordStore,
    ) -> Result<VersionScheme, Failure> {
        let life = records.life(topic).map_err(|error| Failure::Attempt(ApplyError::Records(error)))?;
        // Another member may have allotted one in the meantime.
        self.ledger.read(&self.server).map_err(TableError::from)?;
        let stored = self.stored_life(topic);
        if stored.as_ref().is_some_and(|(_, of)| of.identity == life.identity && *of != life) {
            return Err(partitions_changed(&table.name, topic).into());
        }
        // A table that holds versions of another kind needs one above them.
        let place = Place::new(&self.server, &self.config.tables, &table.source);
        let highest = match place.find().map_err(TableError::from)? {
            Some(found) => found.highest(&self.server).map_err(TableError::from)?,
            None => None,
        };
        if let Some((incarnation, of)) = &stored
            && *of == life
            && (present == Some(*incarnation)
                || highest.is_none_or(|highest| {
                    Version::from_offset(*incarnation, 0).is_ok_and(|first| first > highest)
                }))
        {
            return Ok(VersionScheme::Offset(*incarnation));
        }
        let now = u64::try_from(Clock::System.now_nanos() / 1000).unwrap_or_default();
        let previous = stored.map(|(incarnation, _)| incarnation);
        // A floor outlives its table, and the topic whose truncate it was.
        let highest = highest.max(table.floor.version());
        let incarnation = Incarnation::allot(previous.max(present), highest, now)
            .map_err(|source| TableError::Version { table: table.name.clone(), source })?;
        let line = format!("{} {} {}", incarnation.get(), life.identity, life.partitions);
        self.ledger.set(&self.server, Kind::Incarnation, topic, line).map_err(TableError::from)?;
        tracing::info!(topic, incarnation = incarnation.get(), "versions from offsets");
        Ok(VersionScheme::Offset(incarnation))
    }

    /// Records without a key are in any partition, so offsets must be those of one.
    pub(super) fn check_order(&self, table: &Table, topic: &str) -> Result<(), Failure> {
        let partitions = self.stored_life(topic).map_or(1, |(_, life)| life.partitions);
        let is_by_hash = self.config.tables.keyless == KeylessMode::RowHash;
        if !is_by_hash || table.scheme == VersionScheme::Sequence || partitions == 1 {
            return Ok(());
        }
        let (table, topic) = (table.name.clone(), topic.to_owned());
        Err(TableError::Unordered { table, topic, what: "its rows have no key" }.into())
    }

    fn stored_life(&self, topic: &str) -> Option<(Incarnation, TopicLife)> {
        stored_life(self.ledger.get(Kind::Incarnation, topic)?)
    }

    /// Whether a topic whose offsets are versions has still the life that its incarnation stands for.
    pub(super) fn check_life(
        &mut self,
        at: usize,
        topic: &str,
        records: &mut dyn RecordStore,
    ) -> Result<(), Failure> {
        let Some(table) = self.tables.get_mut(at) else { return Ok(()) };
        if !std::mem::take(&mut table.asks_life) || table.scheme == VersionScheme::Sequence {
            return Ok(());
        }
        let name = table.name.clone();
        let life = records.life(topic).map_err(|error| Failure::Attempt(ApplyError::Records(error)))?;
        match self.stored_life(topic) {
            Some((_, stored)) if stored == life => Ok(()),
            _ => Err(partitions_changed(&name, topic).into()),
        }
    }
}

/// The line of a topic in the ledger.
fn stored_life(line: &str) -> Option<(Incarnation, TopicLife)> {
    let mut words = line.split(' ');
    let incarnation = Incarnation::new(words.next()?.parse().ok()?)?;
    let identity = words.next()?.to_owned();
    Some((incarnation, TopicLife { identity, partitions: words.next()?.parse().ok()? }))
}

/// Whether a topic has still the partitions that its line in the ledger counts. A topic that was made anew gets another line.
pub fn check_partitions(line: &str, life: &TopicLife, table: &str, topic: &str) -> Result<(), TableError> {
    match stored_life(line) {
        Some((_, stored)) if stored.identity == life.identity && stored != *life => {
            Err(partitions_changed(table, topic))
        }
        _ => Ok(()),
    }
}

fn partitions_changed(table: &str, topic: &str) -> TableError {
    TableError::OtherLife { table: table.to_owned(), topic: topic.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_that_got_partitions_is_told_from_one_that_was_made_anew() {
        let check = |identity: &str, partitions| {
            let life = TopicLife { identity: identity.to_owned(), partitions };
            check_partitions("26135 c/id 3", &life, "d.t", "p.d.t").is_ok()
        };
        assert_eq!([check("c/id", 3), check("c/id", 4), check("c/other", 4)], [true, false, true]);
    }
}
