//! Whether a recorded position is at or before another one.
//!
//! A history record holds for an offset when it was written at or before it. GTIDs decide where the offset has them: the
//! sets are compared, for equal ones the event in the transaction. Without GTIDs it is the binlog file's number, the
//! position in it, the event and the row; and the time in seconds when two servers are involved. The rules and their order
//! are Debezium's (`HistoryRecordComparator` of its MySQL connector), but for one: a statement's record has the set before
//! its own GTID. Where the sets are equal the statement is therefore not in the offset's set, the server sends it again, and
//! its record must not hold yet, unless the offset is the statement's own. Debezium applies it twice.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use crate::offset::gtid::{GtidSet, MariaDbGtidList, Tsid};
use crate::schema::history::HistoryError;

/// A stored offset or the position of a history record.
pub type Position = Map<String, Value>;

/// Which sources of GTIDs count (`gtid.source.includes` and `.excludes`).
pub type GtidFilter<'a> = &'a dyn Fn(&Tsid) -> bool;

/// Judges records against one position, whose GTIDs are read once.
pub struct HistoryRecordComparator<'a> {
    desired: &'a Position,
    gtids: Option<Gtids>,
    /// Those that count.
    filtered: Option<Gtids>,
    sources: Option<GtidFilter<'a>>,
}

/// The GTIDs of a position.
enum Gtids {
    MySql(GtidSet),
    MariaDb(MariaDbGtidList),
}

impl<'a> HistoryRecordComparator<'a> {
    /// For the records up to `desired`.
    pub fn new(desired: &'a Position, sources: Option<GtidFilter<'a>>) -> Result<Self, HistoryError> {
        let of = |sources| gtids(desired).map(|text| Gtids::read(text, sources)).transpose();
        Ok(HistoryRecordComparator { desired, gtids: of(None)?, filtered: of(sources)?, sources })
    }

    /// Whether `recorded` is at or before the position.
    pub fn is_at_or_before(&self, recorded: &Position) -> Result<bool, HistoryError> {
        Ok(self.is_before(recorded, &self.gtids, None)?
            // Debezium loses the sets of sources that are not captured.
            || (self.sources.is_some() && self.is_before(recorded, &self.filtered, self.sources)?))
    }

    fn is_before(
        &self,
        recorded: &Position,
        desired_gtids: &Option<Gtids>,
        sources: Option<GtidFilter<'_>>,
    ) -> Result<bool, HistoryError> {
        let recorded_gtids = gtids(recorded).map(|text| Gtids::read(text, sources)).transpose()?;
        match (&recorded_gtids, desired_gtids) {
            (Some(left), Some(right)) if left.equals(right) => {
                if !is_snapshot(recorded)
                    && (is_snapshot(self.desired) || place(recorded) != place(self.desired))
                {
                    return Ok(false);
                }
                Ok(number(recorded, "event") <= number(self.desired, "event"))
            }
            (Some(left), Some(right)) => Ok(left.is_subset(right)),
            // GTIDs came later than the record.
            (None, Some(_)) => Ok(true),
            // The server has given up its GTIDs, and with them the connector.
            (Some(_), None) if recorded.contains_key("file") => compare_files(recorded, self.desired),
            (Some(_), None) => Ok(false),
            (None, None) => compare_files(recorded, self.desired),
        }
    }
}

impl HistoryRecordComparator<'_> {
    /// Why the order of a record and the position is a guess of the rules rather than a fact; none when it is one.
    pub fn doubt(&self, recorded: &Position) -> Result<Option<&'static str>, HistoryError> {
        let recorded_gtids = gtids(recorded).map(|text| Gtids::read(text, self.sources)).transpose()?;
        Ok(match (&recorded_gtids, &self.filtered) {
            (Some(left), Some(right)) if !left.is_subset(right) && !right.is_subset(left) => {
                Some("each has transactions that the other one has not")
            }
            (Some(_), None) => Some("the record has gtids and the offset has none"),
            (None, None) => {
                let server = |position: &Position| number(position, "server_id");
                let (left, right) = (server(recorded), server(self.desired));
                let base = |position: &Position| {
                    file_number(text(position, "file")).map(|(base, _)| base.to_owned())
                };
                if left != 0 && right != 0 && left != right {
                    Some("they are of two servers without gtids")
                } else if base(recorded)? != base(self.desired)? {
                    Some("the names of their binlog files differ")
                } else {
                    None
                }
            }
            _ => None,
        })
    }
}

impl Gtids {
    /// A MariaDB GTID has no colon.
    fn read(text: &str, sources: Option<GtidFilter<'_>>) -> Result<Self, HistoryError> {
        if !text.contains(':') && text.contains('-') {
            return Ok(Gtids::MariaDb(text.parse().map_err(HistoryError::Gtids)?));
        }
        let set: GtidSet = text.parse().map_err(HistoryError::Gtids)?;
        Ok(Gtids::MySql(match sources {
            Some(sources) => set.restrict(sources),
            None => set,
        }))
    }

    fn is_empty(&self) -> bool {
        match self {
            Gtids::MySql(set) => set.is_empty(),
            Gtids::MariaDb(_) => false,
        }
    }

    fn is_subset(&self, other: &Gtids) -> bool {
        match (self, other) {
            (Gtids::MySql(left), Gtids::MySql(right)) => left.is_subset(right),
            (Gtids::MariaDb(left), Gtids::MariaDb(right)) => left.is_subset(right),
            // Of two kinds of server: only what is nothing is in the other.
            (left, _) => left.is_empty(),
        }
    }

    fn equals(&self, other: &Gtids) -> bool {
        match (self, other) {
            (Gtids::MySql(left), Gtids::MySql(right)) => left == right,
            // A list may hold a domain twice, by server: only the sequence numbers count.
            _ => self.is_subset(other) && other.is_subset(self),
        }
    }
}

/// Whether `recorded` is at or before `desired`.
pub fn is_at_or_before(
    recorded: &Position,
    desired: &Position,
    sources: Option<GtidFilter<'_>>,
) -> Result<bool, HistoryError> {
    HistoryRecordComparator::new(desired, sources)?.is_at_or_before(recorded)
}

/// Whether `recorded` is at or before a position of a file, GTIDs or not. Both must be of the same server.
pub fn by_file_and_position(recorded: &Position, file: &str, pos: u64) -> Result<bool, HistoryError> {
    let (_, left) = file_number(text(recorded, "file"))?;
    let (_, right) = file_number(file)?;
    let recorded_pos = recorded.get("pos").and_then(Value::as_u64).unwrap_or(0);
    Ok((left, recorded_pos) <= (right, pos))
}

fn compare_files(recorded: &Position, desired: &Position) -> Result<bool, HistoryError> {
    let server =
        |position: &Position| position.get("server_id").and_then(Value::as_i64).filter(|id| *id != 0);
    if let (Some(left), Some(right)) = (server(recorded), server(desired))
        && left != right
    {
        return Ok(number(recorded, "ts_sec") <= number(desired, "ts_sec"));
    }
    let (left_base, left) = file_number(text(recorded, "file"))?;
    let (right_base, right) = file_number(text(desired, "file"))?;
    if left_base != right_base {
        tracing::warn!(
            recorded = text(recorded, "file"),
            desired = text(desired, "file"),
            "the names of the binlog files differ; the history record is taken to be earlier"
        );
        return Ok(true);
    }
    let rest = |position: &Position| ["pos", "event", "row"].map(|name| number(position, name));
    Ok(left.cmp(&right).then_with(|| rest(recorded).cmp(&rest(desired))) != Ordering::Greater)
}

/// File and position.
fn place(position: &Position) -> (&str, i64) {
    (text(position, "file"), number(position, "pos"))
}

/// The name before the last point, and the number after it.
fn file_number(name: &str) -> Result<(&str, u64), HistoryError> {
    let parts = name.rsplit_once('.').and_then(|(base, number)| Some((base, number.parse().ok()?)));
    parts.ok_or_else(|| HistoryError::FileName(name.to_owned()))
}

fn gtids(position: &Position) -> Option<&str> {
    position.get("gtids").and_then(Value::as_str)
}

fn text<'a>(position: &'a Position, name: &str) -> &'a str {
    position.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn number(position: &Position, name: &str) -> i64 {
    position.get(name).and_then(Value::as_i64).unwrap_or(0)
}

/// `"snapshot": true`, or the kind of snapshot as text.
fn is_snapshot(position: &Position) -> bool {
    match position.get("snapshot") {
        Some(Value::Bool(flag)) => *flag,
        Some(Value::String(kind)) => !kind.eq_ignore_ascii_case("false"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Position {
        serde_json::from_str(text).unwrap()
    }

    const A: &str = "8f828cbf-ec2e-11f1-b6f4-02fc00000001";
    const B: &str = "8f828cbf-ec2e-11f1-b6f4-02fc00000002";

    /// By hand, after the rules of the reference (section 4.3).
    #[test]
    fn positions_compare_as_debezium_compares_them() {
        let gtids = |set: &str, more: &str| format!(r#"{{"gtids":"{set}"{more}}}"#);
        let a5 = format!("{A}:1-5");
        let a6 = format!("{A}:1-6");
        let b1 = format!("{B}:1");
        for (recorded, desired, expected) in [
            (gtids(&a5, ""), gtids(&a6, ""), true),
            (gtids(&a6, ""), gtids(&a5, ""), false),
            (gtids(&a5, ""), gtids(&b1, ""), false),
            (gtids(&a5, r#","event":2"#), gtids(&a5, r#","event":1"#), false),
            (gtids(&a5, r#","event":1"#), gtids(&a5, r#","event":1"#), true),
            (gtids(&a5, r#","snapshot":"INITIAL""#), gtids(&a5, ""), true),
            (gtids(&a5, ""), gtids(&a5, r#","snapshot":"INITIAL""#), false),
            // A statement that was stored, and its record or offset not: it comes again.
            (gtids(&a5, r#","file":"b.1","pos":90"#), gtids(&a5, r#","file":"b.1","pos":70"#), false),
            // The statement was the last that was published.
            (gtids(&a5, r#","file":"b.1","pos":90"#), gtids(&a5, r#","file":"b.1","pos":90"#), true),
            // A snapshot's records hold in the first transaction after it.
            (
                gtids(&a5, r#","file":"b.1","pos":90,"snapshot":"INITIAL""#),
                gtids(&a5, r#","file":"b.1","pos":99,"event":3"#),
                true,
            ),
            (gtids("0-1-5,1-2-3", ""), gtids("0-2-6,1-2-3", ""), true),
            (gtids("0-1-7", ""), gtids("0-1-6", ""), false),
            (r#"{"file":"b.000009","pos":9}"#.into(), gtids(&a5, ""), true),
            (gtids(&a5, ""), r#"{"file":"b.000009","pos":9}"#.into(), false),
            (r#"{"file":"b.000009","pos":9}"#.into(), r#"{"file":"b.000010","pos":4}"#.into(), true),
            (r#"{"file":"b.000010","pos":4}"#.into(), r#"{"file":"b.000009","pos":9}"#.into(), false),
            (r#"{"file":"b.1000000","pos":4}"#.into(), r#"{"file":"b.999999","pos":9}"#.into(), false),
            (r#"{"file":"b.1","pos":4,"row":1}"#.into(), r#"{"file":"b.1","pos":4}"#.into(), false),
            (
                r#"{"file":"b.1","pos":4,"event":1}"#.into(),
                r#"{"file":"b.1","pos":4,"event":2}"#.into(),
                true,
            ),
            (
                r#"{"file":"b.9","pos":4,"server_id":1,"ts_sec":5}"#.into(),
                r#"{"file":"b.1","pos":4,"server_id":2,"ts_sec":6}"#.into(),
                true,
            ),
            (r#"{"file":"old.9","pos":4}"#.into(), r#"{"file":"new.1","pos":4}"#.into(), true),
        ] {
            let result = is_at_or_before(&position(&recorded), &position(&desired), None).unwrap();
            assert_eq!(result, expected, "{recorded} {desired}");
        }
        let wrong = position(r#"{"file":"b.x","pos":4}"#);
        assert!(is_at_or_before(&wrong, &wrong, None).is_err());
    }

    #[test]
    fn an_order_that_the_rules_guess_is_doubted() {
        for (recorded, desired, doubted) in [
            (format!(r#"{{"gtids":"{A}:1-5"}}"#), format!(r#"{{"gtids":"{A}:1-6"}}"#), false),
            (format!(r#"{{"gtids":"{A}:1-7"}}"#), format!(r#"{{"gtids":"{A}:1-6"}}"#), false),
            (format!(r#"{{"gtids":"{A}:1-5"}}"#), format!(r#"{{"gtids":"{B}:1-6"}}"#), true),
            (format!(r#"{{"gtids":"{A}:1-5"}}"#), r#"{"file":"b.1","pos":4}"#.into(), true),
            (r#"{"file":"b.1","pos":4}"#.into(), format!(r#"{{"gtids":"{A}:1-5"}}"#), false),
            (r#"{"file":"b.1","pos":4}"#.into(), r#"{"file":"b.2","pos":4}"#.into(), false),
            (r#"{"file":"b.1","pos":4}"#.into(), r#"{"file":"c.2","pos":4}"#.into(), true),
            (r#"{"file":"b.1","server_id":1}"#.into(), r#"{"file":"b.2","server_id":2}"#.into(), true),
        ] {
            let desired = position(&desired);
            let comparator = HistoryRecordComparator::new(&desired, None).unwrap();
            let doubt = comparator.doubt(&position(&recorded)).unwrap();
            assert_eq!(doubt.is_some(), doubted, "{recorded} {desired:?}: {doubt:?}");
        }
    }

    #[test]
    fn a_server_that_gave_up_its_gtids_is_compared_by_file() {
        let recorded = position(&format!(r#"{{"gtids":"{A}:1-5","file":"b.000002","pos":100}}"#));
        for (desired, expected) in [
            (r#"{"file":"b.000003","pos":4}"#, true),
            (r#"{"file":"b.000002","pos":100}"#, true),
            (r#"{"file":"b.000002","pos":50}"#, false),
        ] {
            assert_eq!(is_at_or_before(&recorded, &position(desired), None).unwrap(), expected, "{desired}");
        }
    }

    #[test]
    fn a_statement_of_another_source_is_in_the_kept_set() {
        let recorded = position(&format!(r#"{{"gtids":"{A}:1-5,{B}:1-2","file":"b.000002","pos":100}}"#));
        let desired = position(&format!(r#"{{"gtids":"{A}:1-5,{B}:1-3","file":"b.000002","pos":300}}"#));
        let only = Tsid::parse(A).unwrap();
        assert!(is_at_or_before(&recorded, &desired, Some(&|tsid| *tsid == only)).unwrap());
    }

    #[test]
    fn gtids_of_other_sources_do_not_count() {
        let recorded = position(&format!(r#"{{"gtids":"{A}:1-5,{B}:1-9"}}"#));
        let desired = position(&format!(r#"{{"gtids":"{A}:1-6"}}"#));
        let only = Tsid::parse(A).unwrap();
        assert!(!is_at_or_before(&recorded, &desired, None).unwrap());
        assert!(is_at_or_before(&recorded, &desired, Some(&|tsid| *tsid == only)).unwrap());
    }

    #[test]
    fn a_file_and_position_compare_without_gtids() {
        let recorded = position(&format!(r#"{{"gtids":"{A}:1-5","file":"b.000002","pos":100}}"#));
        for (file, pos, expected) in [
            ("b.000002", 100, true),
            ("b.000002", 99, false),
            ("b.000003", 4, true),
            ("b.000001", 999, false),
        ] {
            assert_eq!(by_file_and_position(&recorded, file, pos).unwrap(), expected, "{file} {pos}");
        }
    }
}
