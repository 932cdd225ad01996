//! A place in the binlog: file and position.

use std::cmp::Ordering;
use std::fmt;

/// A file of the binlog and a byte offset in it. The first event of a file stands at 4.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BinlogPosition {
    /// The file's name, such as `binlog.000001`.
    pub file: String,
    /// Bytes from the start of the file.
    pub pos: u64,
}

impl BinlogPosition {
    /// A position from its parts.
    pub fn new(file: impl Into<String>, pos: u64) -> Self {
        BinlogPosition { file: file.into(), pos }
    }

    /// Reads `FILE:POS`; nothing when there is no colon or no number behind it.
    pub fn parse(text: &str) -> Option<Self> {
        let (file, pos) = text.rsplit_once(':')?;
        if file.is_empty() {
            return None;
        }
        Some(BinlogPosition::new(file, pos.parse().ok()?))
    }

    /// Compares by the number of the file, then by position. Files of another base name, or without a number, are
    /// compared as text.
    pub fn compare(&self, other: &BinlogPosition) -> Ordering {
        compare_files(&self.file, &other.file).then(self.pos.cmp(&other.pos))
    }
}

/// Compares two binlog file names by number: `binlog.999999` comes before `binlog.1000000`.
pub fn compare_files(left: &str, right: &str) -> Ordering {
    match (split(left), split(right)) {
        (Some((base, number)), Some((other_base, other))) if base == other_base => number.cmp(&other),
        _ => left.cmp(right),
    }
}

fn split(file: &str) -> Option<(&str, u64)> {
    let (base, number) = file.rsplit_once('.')?;
    Some((base, number.parse().ok()?))
}

impl fmt::Display for BinlogPosition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.file, self.pos)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_compared_by_number() {
        let old = BinlogPosition::new("binlog.999999", 500);
        let new = BinlogPosition::new("binlog.1000000", 4);
        assert_eq!(old.compare(&new), Ordering::Less);
        assert_eq!(
            BinlogPosition::parse("binlog.000007:1907"),
            Some(BinlogPosition::new("binlog.000007", 1907))
        );
        assert_eq!(BinlogPosition::parse("binlog.000007"), None);
    }
}
