//! Sorted, disjoint, non-adjacent intervals of transaction numbers.

use crate::offset::gtid::GtidError;

/// The first number that no transaction can have (`GNO_END`).
const GNO_END: u64 = i64::MAX as u64;

/// Transaction numbers `start` to `end`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// First number, at least 1.
    pub start: u64,
    /// Last number.
    pub end: u64,
}

impl Interval {
    /// An interval of possible numbers.
    pub fn new(start: u64, end: u64) -> Result<Self, GtidError> {
        if start == 0 || start > end || end >= GNO_END {
            return Err(GtidError::Interval { start, end });
        }
        Ok(Interval { start, end })
    }
}

/// Adds an interval and joins what now touches. Adding the next number of a set, which every commit does, is the end
/// of the list and allocates nothing.
pub(super) fn insert(intervals: &mut Vec<Interval>, added: Interval) {
    if let Some(last) = intervals.last_mut() {
        if added.start > last.end + 1 {
            intervals.push(added);
            return;
        }
        if added.start >= last.start {
            last.end = last.end.max(added.end);
            return;
        }
    }
    // All that touch the new one, neighbours included, become one.
    let from = intervals.partition_point(|interval| interval.end + 1 < added.start);
    let to = intervals.partition_point(|interval| interval.start <= added.end + 1);
    let mut joined = added;
    for touching in intervals.iter().take(to).skip(from) {
        joined.start = joined.start.min(touching.start);
        joined.end = joined.end.max(touching.end);
    }
    intervals.splice(from..to.max(from), [joined]);
}

/// Whether a number is inside.
pub(super) fn contains(intervals: &[Interval], number: u64) -> bool {
    let at = intervals.partition_point(|interval| interval.end < number);
    intervals.get(at).is_some_and(|interval| interval.start <= number)
}

/// Whether all of `inner` lies in `outer`.
pub(super) fn is_subset(inner: &[Interval], outer: &[Interval]) -> bool {
    inner.iter().all(|interval| {
        let at = outer.partition_point(|candidate| candidate.end < interval.start);
        outer
            .get(at)
            .is_some_and(|candidate| candidate.start <= interval.start && interval.end <= candidate.end)
    })
}

/// What of `from` is not in `taken`.
pub(super) fn subtract(from: &[Interval], taken: &[Interval]) -> Vec<Interval> {
    let mut left = Vec::new();
    for interval in from {
        let mut start = interval.start;
        let first = taken.partition_point(|candidate| candidate.end < start);
        for hole in taken.iter().skip(first).take_while(|hole| hole.start <= interval.end) {
            if start < hole.start {
                left.push(Interval { start, end: hole.start - 1 });
            }
            start = hole.end + 1;
        }
        if start <= interval.end {
            left.push(Interval { start, end: interval.end });
        }
    }
    left
}

/// What is in both.
pub(super) fn intersect(one: &[Interval], other: &[Interval]) -> Vec<Interval> {
    let mut both = Vec::new();
    for interval in one {
        let first = other.partition_point(|candidate| candidate.end < interval.start);
        for candidate in other.iter().skip(first).take_while(|candidate| candidate.start <= interval.end) {
            both.push(Interval {
                start: interval.start.max(candidate.start),
                end: interval.end.min(candidate.end),
            });
        }
    }
    both
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(pairs: &[(u64, u64)]) -> Vec<Interval> {
        pairs.iter().map(|&(start, end)| Interval { start, end }).collect()
    }

    #[test]
    fn insertion_joins_neighbours() {
        for (before, added, after) in [
            (&[][..], (1, 1), &[(1, 1)][..]),
            (&[(1, 1)], (2, 2), &[(1, 2)]),
            (&[(1, 2)], (4, 4), &[(1, 2), (4, 4)]),
            (&[(1, 2), (4, 4)], (3, 3), &[(1, 4)]),
            (&[(5, 6)], (1, 2), &[(1, 2), (5, 6)]),
            (&[(5, 6)], (1, 4), &[(1, 6)]),
            (&[(1, 2), (5, 6), (9, 9)], (2, 7), &[(1, 7), (9, 9)]),
            (&[(1, 2), (5, 6), (9, 9)], (1, 20), &[(1, 20)]),
            (&[(1, 9)], (3, 4), &[(1, 9)]),
            (&[(1, 2), (10, 20)], (12, 13), &[(1, 2), (10, 20)]),
        ] {
            let mut intervals = list(before);
            insert(&mut intervals, Interval { start: added.0, end: added.1 });
            assert_eq!(intervals, list(after), "{before:?} + {added:?}");
        }
    }

    #[test]
    fn differences_and_intersections() {
        let whole = list(&[(1, 10), (20, 30)]);
        let part = list(&[(1, 2), (5, 5), (10, 21), (30, 40)]);
        assert_eq!(subtract(&whole, &part), list(&[(3, 4), (6, 9), (22, 29)]));
        assert_eq!(intersect(&whole, &part), list(&[(1, 2), (5, 5), (10, 10), (20, 21), (30, 30)]));
        assert!(is_subset(&list(&[(2, 3), (20, 30)]), &whole));
        assert!(!is_subset(&list(&[(2, 3), (20, 31)]), &whole));
        assert!(!is_subset(&list(&[(11, 11)]), &whole));
        assert!(contains(&whole, 20) && !contains(&whole, 11) && !contains(&whole, 31));
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        assert!(Interval::new(0, 1).is_err());
        assert!(Interval::new(2, 1).is_err());
        assert!(Interval::new(1, i64::MAX as u64).is_err());
        assert!(Interval::new(1, i64::MAX as u64 - 1).is_ok());
    }
}
