//! Rows of one table that go to the server in one insert.
//!
//! Beside the bytes a batch remembers where each record's rows end, so that it can be cut between any two records, and which
//! records it holds: these are not committed before the server has confirmed them.

use std::sync::Arc;
use std::time::Instant;

use crate::sink::clickhouse::insert::{Guard, InsertStatement};
use crate::sink::consumer::AssignmentId;
use crate::sink::consumer::held::HeldRecords;

/// From this size on a batch takes all the memory that it will need at once.
const LARGE: usize = 1 << 20;

/// A partition that rows came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Its assignment.
    pub assignment: AssignmentId,
    /// The topic.
    pub topic: Arc<str>,
    /// The partition.
    pub partition: i32,
}

/// A record's rows in a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Where they end.
    pub end: u32,
    /// Rows.
    pub rows: u32,
    /// The place in the list of origins.
    pub origin: u32,
    /// Its offset.
    pub offset: i64,
    /// Its version.
    pub version: u64,
}

/// A batch.
#[derive(Debug)]
pub struct Batch {
    /// The insert that it becomes.
    pub insert: Arc<InsertStatement>,
    /// Settings of it.
    pub settings: &'static [(&'static str, &'static str)],
    /// The rows.
    pub bytes: Vec<u8>,
    /// Their number.
    pub rows: usize,
    /// The records.
    pub marks: Vec<Mark>,
    /// Where they came from.
    pub origins: Vec<Origin>,
    /// The first records of each partition.
    pub held: HeldRecords,
    /// When its first record was taken.
    pub began: Instant,
    /// The latest time of a change in it, in ms since 1970.
    pub latest_ms: i64,
    /// Of a table whose changes are rows: the name of its version column, and its newest rows as they must be.
    pub only_behind: Option<(Arc<str>, NewestRows)>,
}

/// The newest rows of a table whose changes are rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NewestRows {
    /// Their version.
    pub version: u64,
    /// Their number.
    pub rows: u64,
}

impl NewestRows {
    /// A batch is stored behind them.
    pub fn add(&mut self, batch: &Batch) {
        for mark in &batch.marks {
            if mark.version > self.version {
                *self = NewestRows { version: mark.version, rows: 0 };
            }
            if mark.version == self.version {
                self.rows += u64::from(mark.rows);
            }
        }
    }
}

impl Batch {
    /// An empty one.
    pub fn new(insert: Arc<InsertStatement>, settings: &'static [(&'static str, &'static str)]) -> Self {
        Batch {
            insert,
            settings,
            bytes: Vec::new(),
            rows: 0,
            marks: Vec::new(),
            origins: Vec::new(),
            held: HeldRecords::default(),
            began: Instant::now(),
            latest_ms: 0,
            only_behind: None,
        }
    }

    /// The memory that a full batch needs is taken in one step, not doubled again and again.
    pub fn make_room(&mut self, full: usize) {
        let (length, capacity) = (self.bytes.len(), self.bytes.capacity());
        if length >= LARGE && capacity < full {
            self.bytes.reserve_exact((full + full / 16).saturating_sub(length));
        }
    }

    /// Takes note of a record whose rows were appended to `bytes`. True for the first of its partition, which is to be held.
    pub fn add(&mut self, origin: &Origin, offset: i64, version: u64, rows: usize) -> bool {
        if self.marks.is_empty() {
            self.began = Instant::now();
        }
        let last = self.marks.last().map(|mark| mark.origin);
        let is_same = |at: u32| self.origins.get(at as usize).is_some_and(|known| known == origin);
        let at = match last.filter(|at| is_same(*at)) {
            Some(at) => at as usize,
            None => self.origins.iter().position(|known| known == origin).unwrap_or_else(|| {
                self.origins.push(origin.clone());
                self.origins.len() - 1
            }),
        };
        self.marks.push(Mark {
            // A batch has 64 MiB, and one row at the most beyond it, which Kafka bounds.
            end: u32::try_from(self.bytes.len()).unwrap_or(u32::MAX),
            rows: u32::try_from(rows).unwrap_or(u32::MAX),
            origin: u32::try_from(at).unwrap_or(u32::MAX),
            offset,
            version,
        });
        self.rows += rows;
        self.held.add(origin.assignment, offset)
    }

    /// What its insert asks for first.
    pub fn guard(&self) -> Option<Guard<'_>> {
        let (column, NewestRows { version, rows }) = self.only_behind.as_ref()?;
        Some(Guard { column, version: *version, rows: *rows })
    }

    /// Bytes of memory, more or less.
    pub fn weight(&self) -> usize {
        self.bytes.len() + self.marks.len() * size_of::<Mark>()
    }

    /// Where a record came from.
    pub fn origin(&self, mark: &Mark) -> Option<&Origin> {
        self.origins.get(mark.origin as usize)
    }

    /// Cuts the batch in two between two records, if it has more than one. What it holds stays with the first half: it is
    /// released by whoever counts the pieces.
    pub fn split(&mut self) -> Option<Batch> {
        if self.marks.len() < 2 {
            return None;
        }
        let mut second = self.marks.split_off(self.marks.len() / 2);
        let cut = self.marks.last().map_or(0, |mark| mark.end);
        let bytes = self.bytes.split_off(cut as usize);
        for mark in &mut second {
            mark.end -= cut;
        }
        let rows = second.iter().map(|mark| mark.rows as usize).sum();
        self.rows -= rows;
        self.only_behind = None;
        Some(Batch {
            insert: Arc::clone(&self.insert),
            settings: self.settings,
            bytes,
            rows,
            marks: second,
            origins: self.origins.clone(),
            held: HeldRecords::default(),
            began: self.began,
            latest_ms: self.latest_ms,
            only_behind: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::table::column_type::ColumnType;

    #[test]
    fn a_batch_is_cut_between_records_until_one_is_left() {
        let insert = InsertStatement::new("d", "t", &[("id", &ColumnType::parse("Int8"))]);
        let mut batch = Batch::new(Arc::new(insert), &[]);
        let origin = |partition| Origin {
            assignment: AssignmentId(u64::try_from(partition).unwrap()),
            topic: Arc::from("t"),
            partition,
        };
        let mut firsts = Vec::new();
        for (partition, offset, bytes) in
            [(0, 5, &b"a"[..]), (1, 0, b"bb"), (0, 6, b"c"), (0, 7, b"d"), (1, 2, b"ee")]
        {
            batch.bytes.extend_from_slice(bytes);
            firsts.push(batch.add(&origin(partition), offset, 9, bytes.len()));
        }
        assert_eq!(firsts, [true, true, false, false, false]);
        let mut pieces = vec![batch];
        while let Some(second) = pieces.iter_mut().find_map(Batch::split) {
            pieces.push(second);
        }
        let mut found: Vec<_> = pieces
            .iter()
            .map(|piece| {
                let mark = piece.marks[0];
                assert_eq!((piece.marks.len(), mark.end as usize), (1, piece.bytes.len()));
                assert_eq!(piece.rows, piece.bytes.len());
                (piece.origin(&mark).unwrap().partition, mark.offset, piece.bytes.clone())
            })
            .collect();
        found.sort();
        let wanted = [(0, 5, "a"), (0, 6, "c"), (0, 7, "d"), (1, 0, "bb"), (1, 2, "ee")];
        assert_eq!(
            found,
            wanted.map(|(partition, offset, bytes)| (partition, offset, bytes.as_bytes().to_vec()))
        );
    }
}
