//! How far one assigned partition is: handed on, held, committed.

/// Offsets of one assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// One past the last record that was handed on.
    next: i64,
    /// The first records of batches that are not stored; a value once for each batch. As many as batches are under way.
    held: Vec<i64>,
    /// What the brokers have confirmed, or are asked to.
    committed: i64,
    asked: i64,
}

impl Progress {
    /// A partition that is read from `start` on, of which `committed` stands at the brokers; nothing at all: -1.
    pub const fn new(start: i64, committed: i64) -> Self {
        Progress { next: start, held: Vec::new(), committed, asked: committed }
    }

    /// Hands a record on. False for one that was handed on before.
    pub const fn hand_on(&mut self, offset: i64) -> bool {
        if offset < self.next {
            return false;
        }
        // No broker has an offset of 2^63-1.
        self.next = offset.saturating_add(1);
        true
    }

    /// The offset of the record that is expected next.
    pub const fn next(&self) -> i64 {
        self.next
    }

    /// Nothing from `offset` on is committed until it is released, as often as it was held.
    pub fn hold(&mut self, offset: i64) {
        self.held.push(offset);
    }

    /// The batch whose first record this is, is stored.
    pub fn release(&mut self, offset: i64) {
        if let Some(at) = self.held.iter().position(|held| *held == offset) {
            self.held.swap_remove(at);
        }
    }

    /// Up to where everything is stored.
    pub fn stored(&self) -> i64 {
        self.held.iter().copied().fold(self.next, i64::min)
    }

    /// What the brokers are to be told, if they were not.
    pub fn to_commit(&self) -> Option<i64> {
        let stored = self.stored();
        (stored > self.asked).then_some(stored)
    }

    /// The same if they have not said yet that they know.
    pub fn uncommitted(&self) -> Option<i64> {
        let stored = self.stored();
        (stored > self.committed).then_some(stored)
    }

    /// The brokers are asked to store an offset.
    pub const fn ask(&mut self, offset: i64) {
        self.asked = offset;
    }

    /// They did.
    pub fn committed(&mut self, offset: i64) {
        self.committed = self.committed.max(offset);
    }

    /// They did not: it is asked for again.
    pub const fn not_committed(&mut self) {
        self.asked = self.committed;
    }

    /// What stands at the brokers; -1 for nothing.
    pub const fn last_committed(&self) -> i64 {
        self.committed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn handed(start: i64, until: i64) -> Progress {
        let mut progress = Progress::new(start, -1);
        assert!((start..until).all(|offset| progress.hand_on(offset)));
        progress
    }

    #[test]
    fn the_first_held_record_bounds_what_is_committed() {
        // Batches that begin at 0 and at 3, stored in either order; 7 is next.
        for (first, then, between) in [(0, 3, 3), (3, 0, 0)] {
            let mut progress = handed(0, 7);
            progress.hold(0);
            progress.hold(3);
            assert_eq!(progress.stored(), 0);
            progress.release(first);
            assert_eq!(progress.stored(), between);
            progress.release(then);
            assert_eq!(progress.stored(), 7);
        }
    }

    #[test]
    fn records_without_a_row_are_passed_and_none_comes_twice() {
        let mut progress = handed(10, 12);
        assert_eq!(progress.to_commit(), Some(12));
        // The mark of a transaction had 12.
        assert!(progress.hand_on(13));
        assert!(!progress.hand_on(13) && !progress.hand_on(11));
        assert_eq!((progress.next(), progress.stored()), (14, 14));
    }

    #[test]
    fn two_tables_may_hold_the_same_record() {
        let mut progress = handed(0, 2);
        progress.hold(1);
        progress.hold(1);
        progress.release(1);
        assert_eq!(progress.stored(), 1);
        // Of another assignment's batch.
        progress.release(0);
        assert_eq!(progress.stored(), 1);
        progress.release(1);
        assert_eq!(progress.stored(), 2);
    }

    #[test]
    fn an_offset_is_asked_for_once_and_again_after_a_failure() {
        let mut progress = Progress::new(5, 5);
        assert_eq!(progress.to_commit(), None);
        progress.hand_on(5);
        assert_eq!(progress.to_commit(), Some(6));
        progress.ask(6);
        assert_eq!((progress.to_commit(), progress.uncommitted()), (None, Some(6)));
        progress.not_committed();
        assert_eq!((progress.to_commit(), progress.last_committed()), (Some(6), 5));
        progress.ask(6);
        progress.committed(6);
        progress.not_committed();
        assert_eq!(
            (progress.to_commit(), progress.uncommitted(), progress.last_committed()),
            (None, None, 6)
        );
        // A partition that never had an offset, from its beginning on: there is nothing to store yet.
        assert_eq!(Progress::new(0, 0).to_commit(), None);
    }
}
