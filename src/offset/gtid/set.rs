//! A MySQL GTID set and its operations.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::offset::gtid::interval::{self, Interval};
use crate::offset::gtid::{GtidError, Tag, Tsid};

/// One transaction: `uuid:number` or `uuid:tag:number`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gtid {
    /// Who numbered it.
    pub tsid: Tsid,
    /// Its number, from 1.
    pub number: u64,
}

impl fmt::Display for Gtid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.tsid, self.number)
    }
}

impl FromStr for Gtid {
    type Err = GtidError;

    fn from_str(text: &str) -> Result<Self, GtidError> {
        let (tsid, number) = text.rsplit_once(':').ok_or_else(|| GtidError::syntax("gtid", text))?;
        let interval = parse_interval(number)?;
        if interval.start != interval.end {
            return Err(GtidError::syntax("gtid", text));
        }
        Ok(Gtid { tsid: Tsid::parse(tsid)?, number: interval.start })
    }
}

/// A set of MySQL GTIDs. Printed as the server prints it, on one line; with `{:#}` a single number is an interval too
/// (`1-1`), as Debezium stores a set while it streams.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GtidSet {
    // No TSID has an empty list.
    pub(super) sources: BTreeMap<Tsid, Vec<Interval>>,
}

impl GtidSet {
    /// The empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// Its TSIDs with their intervals, in printing order.
    pub fn sources(&self) -> impl Iterator<Item = (&Tsid, &[Interval])> {
        self.sources.iter().map(|(tsid, intervals)| (tsid, intervals.as_slice()))
    }

    /// Adds one transaction.
    pub fn add(&mut self, gtid: &Gtid) -> Result<(), GtidError> {
        let added = Interval::new(gtid.number, gtid.number)?;
        self.add_interval(gtid.tsid, added);
        Ok(())
    }

    /// Adds an interval of a TSID.
    pub fn add_interval(&mut self, tsid: Tsid, added: Interval) {
        interval::insert(self.sources.entry(tsid).or_default(), added);
    }

    /// Whether a transaction is in it.
    pub fn contains(&self, gtid: &Gtid) -> bool {
        self.sources.get(&gtid.tsid).is_some_and(|intervals| interval::contains(intervals, gtid.number))
    }

    /// Whether all of it is in another set too.
    pub fn is_subset(&self, of: &GtidSet) -> bool {
        self.sources.iter().all(|(tsid, intervals)| {
            of.sources.get(tsid).is_some_and(|outer| interval::is_subset(intervals, outer))
        })
    }

    /// All of both sets.
    pub fn union(&self, other: &GtidSet) -> GtidSet {
        let mut all = self.clone();
        for (tsid, intervals) in &other.sources {
            for added in intervals {
                all.add_interval(*tsid, *added);
            }
        }
        all
    }

    /// What is in this set and not in another.
    pub fn subtract(&self, taken: &GtidSet) -> GtidSet {
        self.map_sources(|tsid, intervals| match taken.sources.get(tsid) {
            Some(holes) => interval::subtract(intervals, holes),
            None => intervals.to_vec(),
        })
    }

    /// What is in both sets.
    pub fn intersect(&self, other: &GtidSet) -> GtidSet {
        self.map_sources(|tsid, intervals| match other.sources.get(tsid) {
            Some(others) => interval::intersect(intervals, others),
            None => Vec::new(),
        })
    }

    /// The transactions of the TSIDs that a predicate takes (`gtid.source.includes` and `excludes` look at the UUID).
    pub fn restrict(&self, keep: impl Fn(&Tsid) -> bool) -> GtidSet {
        self.map_sources(|tsid, intervals| if keep(tsid) { intervals.to_vec() } else { Vec::new() })
    }

    /// The transactions of the TSIDs that another set has too.
    pub fn restrict_to_tsids_of(&self, other: &GtidSet) -> GtidSet {
        self.restrict(|tsid| other.sources.contains_key(tsid))
    }

    /// This set, with the whole list of intervals of each TSID of `other` in place of its own: no union.
    pub fn overlay(&self, other: &GtidSet) -> GtidSet {
        let mut laid = self.clone();
        laid.sources.extend(other.sources.iter().map(|(tsid, intervals)| (*tsid, intervals.clone())));
        laid
    }

    fn map_sources(&self, change: impl Fn(&Tsid, &[Interval]) -> Vec<Interval>) -> GtidSet {
        let sources = self.sources.iter().map(|(tsid, intervals)| (*tsid, change(tsid, intervals)));
        GtidSet { sources: sources.filter(|(_, intervals)| !intervals.is_empty()).collect() }
    }
}

/// `5` or `5-9`.
fn parse_interval(text: &str) -> Result<Interval, GtidError> {
    let number = |part: &str| -> Result<u64, GtidError> {
        let part = part.trim();
        if part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(GtidError::syntax("gtid interval", text));
        }
        part.parse().map_err(|_| GtidError::syntax("gtid interval", text))
    };
    match text.split_once('-') {
        Some((start, end)) => Interval::new(number(start)?, number(end)?),
        None => number(text).and_then(|only| Interval::new(only, only)),
    }
}

impl FromStr for GtidSet {
    type Err = GtidError;

    /// Reads `uuid:1-5:7:tag:1-3,uuid:…` with any white space between, as the server takes it. A UUID without
    /// intervals adds nothing.
    fn from_str(text: &str) -> Result<Self, GtidError> {
        let mut set = GtidSet::new();
        for source in text.split(',').map(str::trim).filter(|source| !source.is_empty()) {
            let mut parts = source.split(':').map(str::trim);
            let mut tsid = Tsid { uuid: Tsid::parse_uuid(parts.next().unwrap_or_default())?, tag: Tag::NONE };
            for part in parts {
                if part.starts_with(|first: char| first.is_ascii_digit()) {
                    set.add_interval(tsid, parse_interval(part)?);
                } else if part.is_empty() {
                    return Err(GtidError::syntax("gtid interval", source));
                } else {
                    tsid.tag = Tag::parse(part)?;
                }
            }
        }
        Ok(set)
    }
}

impl fmt::Display for GtidSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut previous: Option<&Tsid> = None;
        for (tsid, intervals) in &self.sources {
            match previous {
                Some(last) if last.uuid == tsid.uuid => write!(f, ":{}", tsid.tag.as_str())?,
                Some(_) => write!(f, ",{tsid}")?,
                None => write!(f, "{tsid}")?,
            }
            for interval in intervals {
                if interval.start == interval.end && !f.alternate() {
                    write!(f, ":{}", interval.start)?;
                } else {
                    write!(f, ":{}-{}", interval.start, interval.end)?;
                }
            }
            previous = Some(tsid);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
