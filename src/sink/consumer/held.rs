//! The records that a batch holds: the first of each partition.

use crate::sink::consumer::AssignmentId;

/// First offsets by assignment. A batch has few partitions, and mostly the one of the record before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeldRecords {
    firsts: Vec<(AssignmentId, i64)>,
}

impl HeldRecords {
    /// Takes note of a record of the batch. True for the first of its partition, which is then to be held at the consumer.
    pub fn add(&mut self, assignment: AssignmentId, offset: i64) -> bool {
        let known = |(held, _): &(AssignmentId, i64)| *held == assignment;
        if self.firsts.last().is_some_and(known) || self.firsts.iter().any(known) {
            return false;
        }
        self.firsts.push((assignment, offset));
        true
    }

    /// What is to be released when the batch is stored; empties the list and keeps its memory.
    pub fn drain(&mut self) -> impl Iterator<Item = (AssignmentId, i64)> {
        self.firsts.drain(..)
    }

    /// Whether the batch has a record of an assignment.
    pub fn contains(&self, assignment: AssignmentId) -> bool {
        self.firsts.iter().any(|(held, _)| *held == assignment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_each_partition() {
        let (a, b) = (AssignmentId(1), AssignmentId(2));
        let mut held = HeldRecords::default();
        let added: Vec<_> =
            [(a, 5), (a, 6), (b, 0), (a, 7), (b, 1)].map(|(id, offset)| held.add(id, offset)).to_vec();
        assert_eq!(added, [true, false, true, false, false]);
        assert!(held.contains(b) && !held.contains(AssignmentId(3)));
        assert_eq!(held.drain().collect::<Vec<_>>(), [(a, 5), (b, 0)]);
        assert_eq!(held, HeldRecords::default());
    }
}
