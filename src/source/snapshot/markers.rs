//! What `source.snapshot` says of a row.

use crate::event::source_info::SnapshotMarker;

/// What is known of a row once the next one is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowPlace {
    /// The first row of the first table.
    pub first: bool,
    /// The first row of its table.
    pub first_in_table: bool,
    /// The last row of its table.
    pub last_in_table: bool,
    /// The last record of the snapshot.
    pub last: bool,
}

impl RowPlace {
    /// The marker, by precedence.
    pub fn marker(self) -> SnapshotMarker {
        match self {
            RowPlace { last: true, .. } => SnapshotMarker::Last,
            RowPlace { first: true, .. } => SnapshotMarker::First,
            RowPlace { last_in_table: true, .. } => SnapshotMarker::LastInDataCollection,
            RowPlace { first_in_table: true, .. } => SnapshotMarker::FirstInDataCollection,
            _ => SnapshotMarker::True,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rules that golden snapshots show: a single row of a single table is the last one, nothing else.
    #[test]
    fn the_strongest_property_wins() {
        let only = RowPlace { first: true, first_in_table: true, last_in_table: true, last: true };
        assert_eq!(only.marker(), SnapshotMarker::Last);
        assert_eq!(RowPlace { last: false, ..only }.marker(), SnapshotMarker::First);
        assert_eq!(
            RowPlace { last: false, first: false, ..only }.marker(),
            SnapshotMarker::LastInDataCollection
        );
        let first_in_table = RowPlace { first_in_table: true, ..RowPlace::default() };
        assert_eq!(first_in_table.marker(), SnapshotMarker::FirstInDataCollection);
        assert_eq!(RowPlace::default().marker(), SnapshotMarker::True);
    }
}
