//! GTID and ANONYMOUS_GTID: the beginning of a transaction, since MySQL 5.6. Manual: "GTID_EVENT"; `Gtid_event` in
//! libs/mysql/binlog/event/control_events.h.
//!
//! Body: flags (1), UUID (16), number (8). MySQL 5.7 adds the type 2 (1), last committed (8) and sequence number (8);
//! 8.0 adds commit timestamps of 7 bytes, where the highest bit of the first says that a second follows, the length of
//! the transaction (length-encoded), and server versions of 4 bytes with the same use of the highest bit; 8.0.36 and
//! later may add a ticket (8). What a later version adds behind is left unread.

use crate::offset::gtid::{Gtid, Tag, Tsid};
use crate::wire::error::WireError;
use crate::wire::event::header::{EventHeader, EventKind};
use crate::wire::reader::Reader;

/// The type byte in front of the commit parents (`LOGICAL_TIMESTAMP_TYPECODE`).
const LOGICAL_TIMESTAMPS: u8 = 2;

/// The beginning of a transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GtidEvent {
    /// The transaction; `None` with `gtid_mode=OFF`.
    pub gtid: Option<Gtid>,
    /// Bit 0: the transaction may have been logged as statements.
    pub flags: u8,
    /// The sequence number of the last transaction that was committed before this one began to commit.
    pub last_committed: i64,
    /// The number of the transaction in its file.
    pub sequence_number: i64,
    /// Microseconds since 1970 of the commit on the server that wrote this log.
    pub immediate_commit_timestamp: Option<u64>,
    /// Microseconds since 1970 of the commit on the server where the transaction began.
    pub original_commit_timestamp: Option<u64>,
    /// The bytes of the whole transaction in the file, this event included.
    pub transaction_length: Option<u64>,
    /// The version of the server that wrote this log, such as 80036.
    pub immediate_server_version: Option<u32>,
    /// The version of the server where the transaction began.
    pub original_server_version: Option<u32>,
    /// The group commit ticket, where one was given.
    pub commit_group_ticket: Option<u64>,
}

impl GtidEvent {
    pub(super) fn read(header: &EventHeader, mut body: Reader<'_>) -> Result<Self, WireError> {
        const READING: &str = "gtid event";
        let mut event = GtidEvent { flags: body.u8(READING)?, ..GtidEvent::default() };
        let uuid = body.array::<16>(READING)?;
        let number = body.u64(READING)?;
        if header.kind == EventKind::GTID {
            event.gtid = Some(Gtid { tsid: Tsid { uuid, tag: Tag::NONE }, number: checked_number(number)? });
        }
        if body.is_empty() || body.u8(READING)? != LOGICAL_TIMESTAMPS {
            return Ok(event);
        }
        event.last_committed = body.u64(READING)?.cast_signed();
        event.sequence_number = body.u64(READING)?.cast_signed();
        if body.is_empty() {
            return Ok(event);
        }
        let immediate = body.uint_le(7, READING)?;
        let original = if immediate >> 55 == 1 { body.uint_le(7, READING)? } else { immediate };
        event.immediate_commit_timestamp = Some(immediate & !(1 << 55));
        event.original_commit_timestamp = Some(original);
        if body.is_empty() {
            return Ok(event);
        }
        event.transaction_length = Some(body.lenenc_int(READING)?);
        if body.is_empty() {
            return Ok(event);
        }
        let immediate = body.u32(READING)?;
        let original = if immediate >> 31 == 1 { body.u32(READING)? } else { immediate };
        event.immediate_server_version = Some(immediate & !(1 << 31));
        event.original_server_version = Some(original);
        if body.remaining() >= 8 {
            event.commit_group_ticket = Some(body.u64(READING)?);
        }
        Ok(event)
    }
}

/// A transaction number of the possible range.
pub(super) fn checked_number(number: u64) -> Result<u64, WireError> {
    if number == 0 || number > i64::MAX as u64 {
        return Err(WireError::invalid("gtid event", "the transaction number is out of range"));
    }
    Ok(number)
}
