use super::*;
use crate::offset::context::offset_key;
use crate::offset::position::BinlogPosition;

const A: &str = "0a0a0a0a-71ca-11e1-9e33-c80aa9429562";

fn gtid(number: u32) -> Gtid {
    format!("{A}:{number}").parse().unwrap()
}

fn sequence(last: u64) -> ChangeSequence {
    ChangeSequence::from_last("c", "p", last)
}

/// A connector at transaction 5 of a server, and what it stores.
struct Connector {
    offset: OffsetContext,
    sequence: ChangeSequence,
    unfinished: Unfinished,
}

impl Connector {
    fn new() -> Self {
        let set: GtidSet = format!("{A}:1-4").parse().unwrap();
        let offset =
            OffsetContext::new(offset_key("c", "p"), BinlogPosition::new("b.000001", 100), Some(set));
        Connector { offset, sequence: sequence(1_000), unfinished: Unfinished::on("one") }
    }

    fn stored(&self) -> (String, String) {
        let members = self.unfinished.members(&self.sequence, &self.offset);
        let sequence = self.sequence.to_stored(members).value.unwrap();
        (sequence, self.offset.to_stored().value.unwrap())
    }

    /// Killed and started again on a server.
    fn started_on(&self, server: &str) -> Self {
        let (stored, offset) = self.stored();
        let mut offset = OffsetContext::from_stored(offset_key("c", "p"), &offset).unwrap();
        let mut sequence = sequence(ChangeSequence::last_of(&stored).unwrap());
        let progress = StoredProgress::read(Some(&stored), &offset);
        let unfinished = progress.resume(&mut offset, &mut sequence, server);
        Connector { offset, sequence, unfinished }
    }

    fn begin(&mut self, number: u32, micros: i64) -> Option<Part> {
        let part = self.unfinished.begin(Some(gtid(number)), &mut self.sequence).cloned();
        self.sequence.begin(micros);
        self.offset.begin("b.000001", 200, None);
        if part.is_some() {
            self.offset.record_made();
        }
        part
    }

    fn row(&mut self) -> u64 {
        let number = self.sequence.take(1);
        self.offset.rows_done(1);
        self.offset.record_made();
        number
    }

    fn commit(&mut self, number: u32) {
        self.offset.commit(Some(gtid(number)), 300);
        self.unfinished.over();
    }
}

fn part(number: u32, numbers: u64) -> Part {
    Part { gtid: gtid(number), numbers, ended: false, tables: None }
}

#[test]
fn the_same_server_counts_events_and_another_one_numbers() {
    let mut first = Connector::new();
    assert_eq!(first.begin(5, 1), None);
    let numbers = [first.row(), first.row()];
    let stored = first.stored().0;
    assert_eq!(
        stored,
        format!(
            r#"{{"last":1000,"at":"b.000001:200:0:1","next":2050,"running":{{"gtid":"{A}:5","numbers":2,"server":"one"}}}}"#
        )
    );
    let mut same = first.started_on("one");
    assert!(same.unfinished.is_known());
    assert_eq!(same.begin(5, 1), Some(part(5, 2)));
    assert!(same.unfinished.is_counted());
    let mut other = first.started_on("two");
    assert_eq!(other.begin(5, 1), Some(part(5, 2)));
    assert!(!other.unfinished.is_counted());
    // What it passes over has the same numbers.
    assert_eq!([other.row(), other.row()], numbers);
    assert_eq!(other.row(), numbers[1] + 1);
}

#[test]
fn a_transaction_that_ended_is_not_asked_for_again() {
    let mut first = Connector::new();
    first.begin(5, 1);
    let last = first.row();
    first.commit(5);
    for server in ["one", "two"] {
        let mut next = first.started_on(server);
        assert_eq!(next.offset.gtids().unwrap().to_string(), format!("{A}:1-5"));
        assert_eq!((next.offset.position().pos, next.offset.to_skip()), (300, (0, 0)));
        assert_eq!(next.begin(6, 0), None);
        assert_eq!(next.row(), last + 1);
    }
}

#[test]
fn what_another_server_sends_first_leaves_the_rest_for_later() {
    let mut first = Connector::new();
    first.begin(5, 1);
    let published = [first.row(), first.row()];
    let mut other = first.started_on("two");
    assert_eq!(other.begin(6, 0), None);
    let between = other.row();
    assert!(between > published[1], "numbers only grow");
    // Killed in the second one, twice.
    let mut other = other.started_on("two").started_on("two");
    assert_eq!(other.begin(6, 0), Some(part(6, 1)));
    other.row();
    other.commit(6);
    let mut other = other.started_on("three");
    assert_eq!(other.begin(5, 1), Some(part(5, 2)));
    // Killed before anything more of it was published: still the two rows.
    let mut other = other.started_on("four");
    assert_eq!(other.begin(5, 1), Some(part(5, 2)));
    other.row();
    other.row();
    assert!(other.row() > between);
    other.commit(5);
    let mut other = other.started_on("four");
    assert_eq!(other.begin(7, 1), None);
    assert_eq!(other.offset.gtids().unwrap().to_string(), format!("{A}:1-6"));
    other.row();
    assert!(!other.stored().0.contains("unfinished"));
}

#[test]
fn all_that_was_begun_must_be_known_to_a_server() {
    let mut first = Connector::new();
    first.begin(5, 1);
    first.row();
    let (stored, offset) = first.stored();
    let offset = OffsetContext::from_stored(offset_key("c", "p"), &offset).unwrap();
    assert_eq!(StoredProgress::read(Some(&stored), &offset).begun().to_string(), format!("{A}:5"));
    // Debezium went on: what stands beside the offset is not of it.
    let set: GtidSet = format!("{A}:1-9").parse().unwrap();
    let moved = OffsetContext::new(offset_key("c", "p"), BinlogPosition::new("b.000001", 900), Some(set));
    assert!(StoredProgress::read(Some(&stored), &moved).begun().is_empty());
    for nothing in [None, Some(""), Some("{}"), Some("[1]"), Some(r#"{"last":5}"#)] {
        assert_eq!(StoredProgress::read(nothing, &offset), StoredProgress::default());
    }
}

#[test]
fn the_end_record_and_the_counts_of_tables_are_kept() {
    let mut first = Connector::new();
    first.unfinished.begin(Some(gtid(5)), &mut first.sequence);
    first.sequence.begin(1);
    first.offset.begin("b.000001", 200, Some(gtid(5).to_string()));
    first.offset.transaction().unwrap().count(&"shop.t".into());
    first.row();
    first.unfinished.end();
    let mut other = first.started_on("two");
    other.begin(6, 0);
    let mut other = other.started_on("three");
    let found = other.begin(5, 1).unwrap();
    assert_eq!((found.ended, found.tables.as_deref()), (true, Some(&[("shop.t".to_owned(), 1)][..])));
    assert!(other.unfinished.was_ended());
}

/// What is read again has its numbers again; where Debezium went on, what follows has none that was used. Commit times say
/// nothing: they need not grow with the log.
#[test]
fn numbers_only_grow_where_debezium_was_at_work() {
    for has_gtids in [true, false] {
        let mut first = Connector::new();
        if !has_gtids {
            first.offset =
                OffsetContext::new(offset_key("c", "p"), BinlogPosition::new("b.000001", 100), None);
        }
        first.begin(5, 7);
        let used = [first.row(), first.row()];
        let (stored, offset) = first.stored();
        assert!(stored.starts_with(r#"{"last":1000,"at":"b.000001:200:0:1","next":14338"#), "{stored}");
        let numbers = |stored: &str, offset: &str, commit_micros: i64| {
            let mut offset = OffsetContext::from_stored(offset_key("c", "p"), offset).unwrap();
            let last = ChangeSequence::last_of(stored).unwrap();
            let mut sequence = ChangeSequence::from_last("c", "p", last);
            StoredProgress::read(Some(stored), &offset).resume(&mut offset, &mut sequence, "one");
            sequence.begin(commit_micros);
            [sequence.take(1), sequence.take(1)]
        };
        assert_eq!(numbers(&stored, &offset, 7), used);
        let moved = offset.replace("200", "900");
        assert_eq!(numbers(&stored, &moved, 5), [used[1] + 1, used[1] + 2]);
        assert_eq!(ChangeSequence::highest_of(&stored), Some(used[1]));
    }
}
