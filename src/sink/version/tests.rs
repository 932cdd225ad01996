use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

/// 2026-11-30 12:00:00 UTC.
const NOW: u64 = 1_796_040_000_000_000;

fn version(number: u64) -> Version {
    Version::new(number).unwrap()
}

#[test]
fn r_1_a_version_fits_a_signed_number() {
    assert_eq!(Version::new(u64::MAX), None);
    assert_eq!(Version::new(1 << 63), None);
    assert_eq!(version((1 << 63) - 1).get(), 9_223_372_036_854_775_807);
    for (bytes, wanted) in [
        (&[0x19, 0x2a, 0, 0, 0, 0, 0, 1][..], Ok(version(0x192a_0000_0000_0001))),
        (&[0x80, 0, 0, 0, 0, 0, 0, 0], Err(VersionError::HeaderRange)),
        (&[0xff; 8], Err(VersionError::HeaderRange)),
        (&[1, 2], Err(VersionError::HeaderLength { length: 2 })),
        (&[], Err(VersionError::HeaderLength { length: 0 })),
    ] {
        assert_eq!(Version::from_sequence_header(bytes), wanted, "{bytes:?}");
    }
    // Section 5.3: today's sequence is about 3.7e18, and its microseconds can be read off.
    let today = version(NOW << 11 | 5);
    assert_eq!((today.get(), today.micros()), (3_678_289_920_000_000_005, NOW));
}

#[test]
fn r_1_offsets_count_within_their_incarnation() {
    let first = Incarnation::allot(None, None, NOW).unwrap();
    // 1,796,040,000,000,000 / 2^36.
    assert_eq!(first.get(), 26_135);
    for (offset, wanted) in [
        (0, Ok(version(26_135 << 47))),
        (5, Ok(version(26_135 << 47 | 5))),
        ((1 << 47) - 1, Ok(version(26_136 * (1 << 47) - 1))),
        (1 << 47, Err(VersionError::OffsetRange { offset: 1 << 47 })),
        (-1, Err(VersionError::OffsetRange { offset: -1 })),
        (i64::MIN, Err(VersionError::OffsetRange { offset: i64::MIN })),
    ] {
        assert_eq!(Version::from_offset(first, offset), wanted, "{offset}");
    }
    // A topic that was made anew within 19 hours still counts above the old one.
    let second = Incarnation::allot(Some(first), None, NOW).unwrap();
    assert_eq!(second.get(), 26_136);
    assert!(Version::from_offset(second, 0).unwrap() > Version::from_offset(first, (1 << 47) - 1).unwrap());
    // A clock that was set back does not matter.
    assert_eq!(Incarnation::allot(Some(second), None, 0).unwrap().get(), 26_137);
    assert_eq!(Incarnation::allot(Incarnation::new(65_535), None, 0), Err(VersionError::Exhausted));
    assert_eq!(Incarnation::allot(None, None, u64::MAX), Err(VersionError::Exhausted));
    assert_eq!(Incarnation::new(65_536), None);
}

/// Section 5.5: from Debezium to Tidewire versions grow by themselves; back, the incarnation goes above the table.
#[test]
fn r_1_one_domain_for_both_schemes_up_and_down() {
    let incarnation = Incarnation::allot(None, None, NOW).unwrap();
    let offsets = VersionScheme::Offset(incarnation);
    let highest = Version::from_offset(incarnation, 1_000_000_000).unwrap();
    let a_day_later = (NOW + 86_400_000_000) << 11;
    assert_eq!(
        VersionScheme::Sequence.may_follow(Some(offsets), Some(highest), version(a_day_later)),
        Ok(())
    );
    // Back at once: the same incarnation would lose.
    let highest = version(a_day_later);
    let first = Version::from_offset(incarnation, 0).unwrap();
    assert_eq!(
        offsets.may_follow(Some(VersionScheme::Sequence), Some(highest), first),
        Err(VersionError::Domain { highest, first })
    );
    let back = Incarnation::allot(Some(incarnation), Some(highest), NOW).unwrap();
    let first = Version::from_offset(back, 0).unwrap();
    assert_eq!(
        VersionScheme::Offset(back).may_follow(Some(VersionScheme::Sequence), Some(highest), first),
        Ok(())
    );
    // An adopted table with a counter of its own is below; one with 2^63-ish numbers is not.
    assert_eq!(VersionScheme::Sequence.may_follow(None, Some(version(4_711)), version(NOW << 11)), Ok(()));
    assert!(
        VersionScheme::Sequence.may_follow(None, Version::new((1 << 63) - 1), version(NOW << 11)).is_err()
    );
    assert_eq!(VersionScheme::Sequence.may_follow(None, None, version(1)), Ok(()));
    // The same scheme goes on wherever it stands.
    assert_eq!(
        VersionScheme::Sequence.may_follow(Some(VersionScheme::Sequence), Some(highest), version(1)),
        Ok(())
    );
}

#[test]
fn a_topic_has_one_kind_of_version() {
    let incarnation = Incarnation::new(7).unwrap();
    let header = 9u64.to_be_bytes();
    for (scheme, header, wanted) in [
        (VersionScheme::Sequence, Some(&header[..]), Ok(version(9))),
        (VersionScheme::Sequence, None, Err(VersionError::NoHeader)),
        (VersionScheme::Offset(incarnation), None, Ok(version(7 << 47 | 3))),
        (VersionScheme::Offset(incarnation), Some(&header[..]), Err(VersionError::UnexpectedHeader)),
    ] {
        assert_eq!(scheme.version(header, 3), wanted, "{scheme:?}");
    }
    assert!(VersionError::NoHeader.remedy().unwrap().contains("tidewire.sequence.header"));
}

#[test]
fn a_truncated_table_drops_what_is_replayed() {
    let mut floor = TruncateFloor::default();
    assert!(floor.admits(version(0)) && floor.is_below(version(0)));
    floor.raise(version(10));
    for (number, admitted) in [(9, false), (10, false), (11, true)] {
        assert_eq!(floor.admits(version(number)), admitted, "{number}");
    }
    // The truncate comes again, and an older one: neither empties the table once more.
    assert!(!floor.is_below(version(10)));
    floor.raise(version(4));
    assert_eq!(floor, TruncateFloor::at(version(10)));
    assert_eq!(floor.version(), Some(version(10)));
}

/// A change of a key: a row, or its deletion.
#[derive(Clone, Debug)]
struct Change {
    key: u8,
    version: Version,
    row: Option<u16>,
}

/// What `SELECT … FINAL` returns: the highest version of a key, of equal ones the last inserted.
fn final_rows<'a>(inserted: impl Iterator<Item = &'a Change>) -> BTreeMap<u8, u16> {
    let mut newest: BTreeMap<u8, &Change> = BTreeMap::new();
    for change in inserted {
        match newest.get(&change.key) {
            Some(known) if known.version > change.version => {}
            _ => {
                newest.insert(change.key, change);
            }
        }
    }
    newest.into_iter().filter_map(|(key, change)| Some((key, change.row?))).collect()
}

/// MySQL's table beside the records that its changes make: transactions of several changes, with snapshots between them.
fn history() -> impl Strategy<Value = (Vec<Change>, BTreeMap<u8, u16>)> {
    let change = (0..6u8, prop::option::of(any::<u16>()));
    let step = prop_oneof![
        6 => (prop::collection::vec(change, 1..8), 0..3u64).prop_map(Some),
        1 => Just(None),
    ];
    prop::collection::vec(step, 1..20).prop_map(|steps| {
        let (mut table, mut records, mut last, mut now) = (BTreeMap::new(), Vec::new(), NOW << 11, NOW);
        for step in steps {
            match step {
                // Section 5.3: base = max(last + 1, commit << 11), then one number a row image; the clock may stand still.
                Some((changes, micros)) => {
                    now += micros;
                    let mut next = (last + 1).max(now << 11);
                    for (key, row) in changes {
                        match row {
                            Some(row) => table.insert(key, row),
                            None => table.remove(&key),
                        };
                        records.push(Change { key, version: version(next), row });
                        next += 1;
                    }
                    last = next - 1;
                }
                // A snapshot: every row with the number of the read point.
                None => {
                    let row = |(&key, &row)| Change { key, version: version(last), row: Some(row) };
                    records.extend(table.iter().map(row));
                }
            }
        }
        (records, table)
    })
}

proptest! {
    /// whatever is delivered again, and in whatever order, the table is MySQL's.
    #[test]
    fn r_1_a_replay_of_any_part_changes_nothing(
        (records, table) in history(),
        (start, end) in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
    ) {
        let (start, end) = (start.index(records.len() + 1), end.index(records.len() + 1));
        let again = records.get(start..end).unwrap_or_default();
        prop_assert_eq!(final_rows(records.iter()), table.clone());
        prop_assert_eq!(final_rows(records.iter().chain(again)), table.clone());
        prop_assert_eq!(final_rows(again.iter().chain(&records)), table);
    }

    /// The same by offsets, where records come in the order of the topic and snapshots are above what was before them.
    #[test]
    fn r_1_offsets_order_the_records_of_a_key((records, table) in history(), start in any::<prop::sample::Index>()) {
        let incarnation = Incarnation::allot(None, None, NOW).unwrap();
        let records: Vec<Change> = records
            .into_iter()
            .zip(0i64..)
            .map(|(change, offset)| Change { version: Version::from_offset(incarnation, offset).unwrap(), ..change })
            .collect();
        let again = records.get(start.index(records.len() + 1)..).unwrap_or_default();
        prop_assert_eq!(final_rows(again.iter().chain(&records).chain(again)), table);
    }

    /// Bugs 127: several changes of a row in one transaction have rising versions, whatever order they are inserted in.
    #[test]
    fn r_1_the_order_of_inserts_does_not_matter((mut records, table) in history()) {
        records.reverse();
        prop_assert_eq!(final_rows(records.iter()), table);
    }
}
