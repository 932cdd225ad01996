use super::*;
use crate::connect::cell::ColumnValue;
use crate::wire::binlog_file::BinlogFile;
use crate::wire::cell::CellDecoder;
use crate::wire::event::PayloadContext;
use proptest::prelude::*;

const MODERN: &[u8] = include_bytes!("../../../../tests/binlogs/modern-97.binlog");
const TYPES_97: &[u8] = include_bytes!("../../../../tests/binlogs/types-97.binlog");
const TYPES_57: &[u8] = include_bytes!("../../../../tests/binlogs/types-57.binlog");

/// An event with a header; its size is filled in.
fn event(kind: EventKind, flags: u16, body: &[u8]) -> Vec<u8> {
    let mut frame = vec![1, 0, 0, 0, kind.0, 2, 0, 0, 0];
    frame.extend((19 + body.len() as u32).to_le_bytes());
    frame.extend(77u32.to_le_bytes());
    frame.extend(flags.to_le_bytes());
    frame.extend(body);
    frame
}

fn with_checksum(mut frame: Vec<u8>) -> Vec<u8> {
    let size = frame.len() as u32 + 4;
    frame[9..13].copy_from_slice(&size.to_le_bytes());
    let checksum = crc32fast::hash(&frame);
    frame.extend(checksum.to_le_bytes());
    frame
}

fn inner(kind: EventKind, body: &[u8]) -> Result<String, WireError> {
    EventParser::new().parse_inner(&event(kind, 0, body)).map(|(_, event)| format!("{event:?}"))
}

fn frames(file: &[u8]) -> Vec<Vec<u8>> {
    let mut file = BinlogFile::new(file).unwrap();
    let mut frames = Vec::new();
    while let Some(frame) = file.next_frame().unwrap() {
        frames.push(frame.bytes.to_vec());
    }
    frames
}

/// A plan is kept as long as a table map says the same; the checksum never does.
#[test]
fn table_maps_of_one_table_version_have_one_body() {
    let mut parser = EventParser::new();
    let mut bodies = Vec::new();
    let rows = frames(include_bytes!("../../../../tests/binlogs/rows-97.binlog"));
    for frame in &rows {
        if let Event::TableMap(event) = parser.parse(frame).unwrap().1
            && event.table == b"narrow"
        {
            bodies.push(event.body());
        }
    }
    // One for each statement: an insert, an update, a delete, twenty inserts of one row.
    assert_eq!(bodies.len(), 23);
    bodies.dedup();
    assert_eq!(bodies.len(), 1);
}

#[test]
fn recorded_files_have_the_events_that_the_server_lists() {
    // As SHOW BINLOG EVENTS names them, without the transactions' GTID and BEGIN events.
    let kinds = |file: &[u8]| {
        let mut parser = EventParser::new();
        let mut kinds: Vec<&str> = Vec::new();
        for frame in frames(file) {
            let (header, event) = parser.parse(&frame).unwrap();
            if !matches!(event, Event::Gtid(_)) {
                kinds.push(header.kind.name());
            }
        }
        kinds.join(" ")
    };
    assert_eq!(
        kinds(MODERN),
        "FORMAT_DESCRIPTION PREVIOUS_GTIDS TRANSACTION_PAYLOAD TRANSACTION_PAYLOAD QUERY \
         QUERY TABLE_MAP WRITE_ROWS XID QUERY TABLE_MAP UPDATE_ROWS XID QUERY QUERY TABLE_MAP WRITE_ROWS XID \
         QUERY TABLE_MAP PARTIAL_UPDATE_ROWS XID QUERY QUERY TABLE_MAP WRITE_ROWS XID \
         QUERY TABLE_MAP WRITE_ROWS XID ROTATE"
    );
    for (file, xa) in [(TYPES_57, 1), (TYPES_97, 1)] {
        assert_eq!(kinds(file).matches("XA_PREPARE").count(), xa);
        assert_eq!(kinds(file).matches("ROWS_QUERY").count(), 2);
        assert_eq!(kinds(file).matches("RAND").count(), 1);
    }
}

#[test]
fn the_format_description_sets_the_state() {
    let mut parser = EventParser::new();
    let file = frames(TYPES_57);
    parser.parse(&file[0]).unwrap();
    assert_eq!((parser.server_version(), parser.checksum()), ("5.7.19-log", Some(ChecksumAlgorithm::Crc32)));
    // Its own checksum does not cover the flag of a file in use.
    let mut in_use = file[0].clone();
    in_use[17] |= 1;
    parser.parse(&in_use).unwrap();
    in_use[30] ^= 1;
    assert!(matches!(parser.parse(&in_use), Err(WireError::Checksum { .. })));
    // Algorithm 0: four bytes are there, and mean nothing.
    let mut off = file[0].clone();
    let at = off.len() - 5;
    off[at] = 0;
    parser.parse(&off).unwrap();
    assert_eq!(parser.checksum(), Some(ChecksumAlgorithm::None));
    off[at] = 9;
    assert_eq!(parser.parse(&off).unwrap_err().to_string(), "unknown binlog checksum algorithm 9");
}

#[test]
fn a_flipped_bit_is_a_checksum_mismatch() {
    let mut parser = EventParser::new();
    for frame in frames(MODERN) {
        for at in [18, 19, frame.len() - 5, frame.len() - 1] {
            let mut broken = frame.clone();
            broken[at] ^= 0x10;
            assert!(parser.clone().parse(&broken).is_err());
        }
        parser.parse(&frame).unwrap();
    }
    let mut xid = frames(MODERN).into_iter().find(|frame| frame[4] == EventKind::XID.0).unwrap();
    xid[19] ^= 1;
    let error = parser.parse(&xid).unwrap_err().to_string();
    assert!(error.starts_with("checksum mismatch in XID event that ends at "), "{error}");
}

/// The server sends it first, with a checksum only if the client announced that it knows checksums.
#[test]
fn an_artificial_rotate_comes_before_the_format_description() {
    let mut plain = event(EventKind::ROTATE, 0x20, b"\x04\0\0\0\0\0\0\0binlog.000003");
    plain[13..17].fill(0);
    for frame in [plain.clone(), with_checksum(plain)] {
        let mut parser = EventParser::new();
        let (header, event) = parser.parse(&frame).unwrap();
        let expected = RotateEvent { position: 4, file: b"binlog.000003", is_artificial: true };
        assert!(header.is_artificial() && matches!(event, Event::Rotate(rotate) if rotate == expected));
    }
}

#[test]
fn unknown_events_are_errors_unless_they_may_be_ignored() {
    let parser = EventParser::new();
    let error = parser.parse_inner(&event(EventKind(99), 0, b"")).unwrap_err();
    assert_eq!(error.to_string(), "unknown event type 99 (unknown) in event that ends at 77");
    let error = parser.parse_inner(&event(EventKind(162), 0, b"")).unwrap_err();
    assert_eq!(error.to_string(), "unknown event type 162 (MARIADB_GTID) in event that ends at 77");
    let ignorable = event(EventKind(99), 0x80, b"");
    assert!(matches!(parser.parse_inner(&ignorable), Ok((_, Event::Ignorable(EventKind(99))))));
}

#[test]
fn a_frame_is_as_long_as_its_header_says() {
    let parser = EventParser::new();
    let mut frame = event(EventKind::STOP, 0, b"");
    frame.push(0);
    let error = parser.parse_inner(&frame).unwrap_err();
    assert_eq!(error.to_string(), "invalid STOP: bytes behind the end of the event");
    let error = parser.parse_inner(&frame[..18]).unwrap_err();
    assert_eq!(error.to_string(), "truncated event header: 2 bytes wanted, 1 left");
    frame[9] = 30;
    assert_eq!(
        parser.parse_inner(&frame).unwrap_err().to_string(),
        "truncated STOP: 30 bytes wanted, 20 left"
    );
}

#[test]
fn small_events() {
    for (kind, body, expected) in [
        (EventKind::XID, &[5, 0, 0, 0, 0, 0, 0, 1][..], "Xid(XidEvent { xid: 72057594037927941 })"),
        (EventKind::HEARTBEAT, b"ab", "Heartbeat(HeartbeatEvent { file: [97, 98], position: 77 })"),
        (
            EventKind::HEARTBEAT_V2,
            b"\x01\x02ab\x02\x09\xfe\x00\x00\x00\x00\x01\x00\x00\x00\x07\x01x\x00",
            "Heartbeat(HeartbeatEvent { file: [97, 98], position: 4294967296 })",
        ),
        (EventKind::INCIDENT, b"\x01\x00\x02no", "Incident(IncidentEvent { code: 1, message: [110, 111] })"),
        (
            EventKind::XA_PREPARE,
            b"\x01\x07\0\0\0\x01\0\0\0\x02\0\0\0gbq",
            "XaPrepare(XaPrepareEvent { one_phase: true, format_id: 7, gtrid: [103], bqual: [98, 113] })",
        ),
        (EventKind::ROWS_QUERY, b"\x01abc", "RowsQuery(RowsQueryEvent { query: [97, 98, 99] })"),
        (EventKind::STOP, b"", "Stop"),
        (EventKind::USER_VAR, b"x", "Statement(USER_VAR(14))"),
        (EventKind::VIEW_CHANGE, b"x", "GroupReplication(VIEW_CHANGE(37))"),
        (
            EventKind::PARTIAL_UPDATE_ROWS,
            b"\x09\0\0\0\0\0\x01\0\x02\0\x01\xff\xff",
            "Rows(RowsEvent { kind: Update, table_id: 9, flags: 1, json_diffs: true, column_count: 1, \
             columns_before: Bitmap { bytes: [255], len: 1 }, columns_after: Bitmap { bytes: [255], len: 1 }, \
             rows: [] })",
        ),
    ] {
        assert_eq!(inner(kind, body).unwrap(), expected);
    }
    for (kind, body) in [
        (EventKind::XID, &b"1234567"[..]),
        (EventKind::HEARTBEAT_V2, b"\x01\x02ab"),
        (EventKind::INCIDENT, b"\x01\x00\x03no"),
        (EventKind::ROTATE, b"\x04\0\0\0\0\0\0\0"),
        (EventKind::ROWS_QUERY, b""),
    ] {
        assert!(inner(kind, body).is_err(), "{kind:?}");
    }
}

/// Bodies of MySQL 5.6, 5.7, 8.0 and later, one a prefix of the next.
#[test]
fn gtid_events_of_every_version() {
    let mut body = vec![1];
    body.extend(1..=16);
    body.extend(9u64.to_le_bytes());
    let read = |body: &[u8]| match EventParser::new().parse_inner(&event(EventKind::GTID, 0, body)) {
        Ok((_, Event::Gtid(event))) => event,
        other => panic!("{other:?}"),
    };
    assert_eq!(read(&body).gtid.unwrap().to_string(), "01020304-0506-0708-090a-0b0c0d0e0f10:9");
    body.push(2);
    body.extend(5u64.to_le_bytes());
    body.extend(6u64.to_le_bytes());
    assert_eq!((read(&body).last_committed, read(&body).sequence_number), (5, 6));
    assert_eq!(read(&body).immediate_commit_timestamp, None);
    // 2^55 says that the original's timestamp follows.
    body.extend([0x10, 0, 0, 0, 0, 0, 0x80, 0x0f, 0, 0, 0, 0, 0, 0]);
    body.extend([0xfc, 0x00, 0x01]);
    body.extend([0x90, 0x62, 0x01, 0x80, 0x24, 0x5f, 0x01, 0x00]);
    let whole = read(&body);
    assert_eq!((whole.immediate_commit_timestamp, whole.original_commit_timestamp), (Some(16), Some(15)));
    assert_eq!(whole.transaction_length, Some(256));
    assert_eq!((whole.immediate_server_version, whole.original_server_version), (Some(90_768), Some(89_892)));
    body.extend(7u64.to_le_bytes());
    body.extend(b"what comes later");
    assert_eq!(read(&body), GtidEvent { commit_group_ticket: Some(7), ..whole });
    let anonymous = event(EventKind::ANONYMOUS_GTID, 0, &body);
    let parsed = EventParser::new().parse_inner(&anonymous);
    assert!(matches!(parsed, Ok((_, Event::Gtid(GtidEvent { gtid: None, .. })))));
}

/// Written by MySQL 9.7.4 after `SET gtid_next='automatic:tag_b'`.
#[test]
fn a_tagged_gtid_event() {
    let body = [
        0x02, 0x70, 0x00, 0x00, 0x02, 0x02, 0xb5, 0x02, 0xda, 0x56, 0x98, 0xb1, 0x03, 0x74, 0x22, 0xc5, 0x03,
        0xcd, 0x02, 0x66, 0x04, 0xf1, 0x03, 0x00, 0x00, 0x00, 0x02, 0x04, 0x04, 0x06, 0x0a, 0x74, 0x61, 0x67,
        0x5f, 0x62, 0x08, 0x00, 0x0a, 0x04, 0x0c, 0x7f, 0xd3, 0x12, 0xf9, 0xe9, 0x70, 0x61, 0x06, 0x10, 0xc9,
        0x02, 0x12, 0x83, 0x12, 0x0b,
    ];
    let parsed =
        EventParser::new().parse_inner(&event(EventKind::GTID_TAGGED_LOG, 0, &body)).map(|(_, event)| {
            let Event::Gtid(event) = event else { panic!("{event:?}") };
            event
        });
    let parsed = parsed.unwrap();
    assert_eq!(parsed.gtid.unwrap().to_string(), "ad6d2b4c-ec3a-11f1-b333-02fc00000001:tag_b:1");
    assert_eq!((parsed.flags, parsed.last_committed, parsed.sequence_number), (1, 0, 1));
    assert_eq!(parsed.original_commit_timestamp, Some(1_795_987_449_909_971));
    assert_eq!((parsed.transaction_length, parsed.original_server_version), (Some(178), Some(90_704)));
    for cut in 0..body.len() {
        assert!(inner(EventKind::GTID_TAGGED_LOG, &body[..cut]).is_err(), "{cut}");
    }
}

/// `ALTER TABLE` with every status variable that a statement can have, and one that nobody knows.
#[test]
fn a_query_event_with_its_status_variables() {
    let variables = b"\x00\x00\x40\x00\x00\x01\x20\x00\xa0\x45\x00\x00\x00\x00\x06\x03std\x03\x02\x00\x01\x00\
        \x04\x21\x00\x2d\x00\xff\x00\x05\x03UTC\x07\x09\x00\x08\x08\x00\x09\x01\x00\x00\x00\x00\x00\x00\x00\
        \x0b\x01u\x01h\x0c\x02a\x00bc\x00\x0d\x40\xe2\x01\x10\x01\x11\x09\x00\x00\x00\x00\x00\x00\x00\x12\xff\x00\
        \x13\x01\x14\x00\x15\x00";
    let mut body = b"\x07\0\0\0\x02\0\0\0\x02\x00\x00".to_vec();
    body.extend((variables.len() as u16).to_le_bytes());
    body.extend(variables);
    body.extend(b"db\0alter table t");
    let frame = event(EventKind::QUERY, 0, &body);
    let Ok((_, Event::Query(query))) = EventParser::new().parse_inner(&frame) else { panic!() };
    assert_eq!((query.thread_id, query.execution_time, query.error_code), (7, 2, 0));
    assert_eq!((query.database, query.query), (&b"db"[..], &b"alter table t"[..]));
    let status = query.status;
    assert_eq!((status.flags2, status.sql_mode), (Some(0x4000), Some(0x45a0_0020)));
    assert_eq!((status.catalog, status.time_zone), (Some(&b"std"[..]), Some(&b"UTC"[..])));
    let charsets = status.charsets.unwrap();
    assert_eq!((charsets.client, charsets.connection, charsets.server), (33, 45, 255));
    assert_eq!((status.auto_increment, status.lc_time_names), (Some((2, 1)), Some(9)));
    assert_eq!((status.charset_database, status.table_map_for_update), (Some(8), Some(1)));
    assert_eq!(status.invoker, Some((&b"u"[..], &b"h"[..])));
    assert_eq!(status.updated_db_names, [&b"a"[..], b"bc"]);
    assert_eq!((status.microseconds, status.ddl_xid), (Some(123_456), Some(9)));
    assert_eq!(status.default_collation_for_utf8mb4, Some(255));
    assert_eq!((status.sql_require_primary_key, status.default_table_encryption), (Some(true), Some(false)));
    assert_eq!(status.unread_from, Some(21));
}

/// Everything that can be read from a file: events, cells, JSON, decimals. Errors end it, panics fail the test.
fn read_all(file: &[u8], verify: bool) {
    let Ok(mut file) = BinlogFile::new(file) else { return };
    let (mut parser, mut decoders, mut context) = (EventParser::new(), Vec::new(), PayloadContext::new());
    while let Ok(Some(frame)) = file.next_frame() {
        if verify {
            let _ = parser.parse(frame.bytes);
            continue;
        }
        // Without its checksum, as if it came out of a payload: what is broken gets further.
        let mut bare = frame.bytes.split_last_chunk::<4>().map(|(bare, _)| bare.to_vec()).unwrap_or_default();
        let size = bare.len() as u32;
        if let Some(field) = bare.get_mut(9..13) {
            field.copy_from_slice(&size.to_le_bytes());
        }
        read_event(&parser, &bare, &mut decoders, &mut context);
    }
}

fn read_event(
    parser: &EventParser,
    frame: &[u8],
    decoders: &mut Vec<CellDecoder>,
    context: &mut PayloadContext,
) {
    match parser.parse_inner(frame) {
        Ok((_, Event::TableMap(table))) => {
            let _ = table.table_metadata();
            if let Ok(compiled) = table.cell_decoders(|column| column % 2 == 0) {
                *decoders = compiled;
            }
        }
        Ok((_, Event::Rows(rows))) => {
            let Ok(mut cursor) = rows.cursor(decoders) else { return };
            let mut out = Vec::new();
            while cursor.has_next() {
                let mut visit = |_, value: ColumnValue<'_>| match value {
                    ColumnValue::Jsonb(document) => crate::wire::jsonb::render(document, &mut out),
                    ColumnValue::PackedDecimal { packed, precision, scale } => {
                        crate::wire::decimal::packed_to_text(packed, precision, scale, &mut out)?;
                        crate::wire::decimal::packed_to_unscaled(packed, precision, scale, &mut [0; 32])
                            .map(drop)
                    }
                    _ => Ok(()),
                };
                let before = rows.kind == RowsKind::Write || cursor.before(&mut visit).is_ok();
                if !before || (rows.kind != RowsKind::Delete && cursor.after(&mut visit).is_err()) {
                    return;
                }
            }
        }
        Ok((_, Event::PreviousGtids(previous))) => drop(previous.gtids()),
        Ok((_, Event::TransactionPayload(payload))) => {
            let Ok(mut inner) = payload.frames(context, 1 << 20) else { return };
            let (mut frame, mut scratch) = (Vec::new(), PayloadContext::new());
            while let Ok(true) = inner.next_frame(&mut frame) {
                read_event(parser, &frame, decoders, &mut scratch);
            }
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Real files with some bytes changed and the end cut: past the checksums nothing may panic or loop.
    #[test]
    fn broken_files_never_panic(
        which in 0usize..3,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..24),
        cut in any::<prop::sample::Index>(),
        verify in any::<bool>(),
    ) {
        let mut file = [MODERN, TYPES_97, TYPES_57][which].to_vec();
        for (at, byte) in changes {
            let at = at.index(file.len());
            file[at] = byte;
        }
        let keep = cut.index(file.len() * 4);
        file.truncate(keep);
        read_all(&file, verify);
    }

    /// Bytes of any content as the body of any event.
    #[test]
    fn random_bodies_never_panic(kind in 1u8..44, body in prop::collection::vec(any::<u8>(), 0..120)) {
        let frame = event(EventKind(kind), 0, &body);
        read_event(&EventParser::new(), &frame, &mut vec![CellDecoder::Json { length_size: 1 }], &mut PayloadContext::new());
        let _ = EventParser::new().parse(&frame);
    }

    /// Bytes of any content as a JSON document, a GTID set and a result row.
    #[test]
    fn random_values_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..160)) {
        let _ = crate::wire::jsonb::render(&bytes, &mut Vec::new());
        let _ = crate::offset::gtid::GtidSet::decode(&bytes);
        let text = String::from_utf8_lossy(&bytes);
        let _ = text.parse::<crate::offset::gtid::GtidSet>();
        let _ = crate::wire::decimal::text_to_unscaled(text.as_bytes(), 3, &mut [0; 32]);
    }
}
