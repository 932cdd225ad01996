//! GTID_TAGGED_LOG: the beginning of a transaction whose GTID has a tag, since MySQL 8.3.
//!
//! Written by the server's serialization library (libs/mysql/serialization): the format version, the size of the whole
//! message and the last field that a reader must know, then pairs of field number and value, all as varlen integers.
//! The fields are those of `Gtid_event::define_fields` (libs/mysql/binlog/event/control_events.h).

use crate::offset::gtid::{Gtid, Tag, Tsid};
use crate::wire::error::WireError;
use crate::wire::event::gtid::{GtidEvent, checked_number};
use crate::wire::reader::Reader;

const READING: &str = "tagged gtid event";

impl GtidEvent {
    pub(super) fn read_tagged(mut body: Reader<'_>) -> Result<Self, WireError> {
        let whole = body.remaining() as u64;
        if body.varlen_uint(READING)? != 1 {
            return Err(WireError::invalid(READING, "the format version is not 1"));
        }
        let size = body.varlen_uint(READING)?;
        let last_required = body.varlen_uint(READING)?;
        let used = whole - body.remaining() as u64;
        let fields = size.checked_sub(used).and_then(|size| usize::try_from(size).ok());
        let fields = fields.ok_or(WireError::invalid(READING, "the message size is too small"))?;
        let mut body = Reader::new(body.take(fields, READING)?);

        let (mut event, mut tsid, mut number) = (GtidEvent::default(), Tsid::default(), 0);
        while !body.is_empty() {
            match body.varlen_uint(READING)? {
                0 => event.flags = body.varlen_uint(READING)? as u8,
                1 => {
                    for byte in &mut tsid.uuid {
                        let value = body.varlen_uint(READING)?;
                        *byte = u8::try_from(value)
                            .map_err(|_| WireError::invalid(READING, "a byte of the uuid is above 255"))?;
                    }
                }
                2 => number = body.varlen_int(READING)?,
                3 => tsid.tag = tag(&mut body)?,
                4 => event.last_committed = body.varlen_int(READING)?,
                5 => event.sequence_number = body.varlen_int(READING)?,
                6 => event.immediate_commit_timestamp = Some(body.varlen_uint(READING)?),
                7 => event.original_commit_timestamp = Some(body.varlen_uint(READING)?),
                8 => event.transaction_length = Some(body.varlen_uint(READING)?),
                9 => event.immediate_server_version = Some(version(&mut body)?),
                10 => event.original_server_version = Some(version(&mut body)?),
                11 => event.commit_group_ticket = Some(body.varlen_uint(READING)?),
                field if field <= last_required => {
                    return Err(WireError::invalid(READING, "a field that must not be ignored is unknown"));
                }
                // Fields come in order of their numbers: all that follow are unknown and may be ignored.
                _ => break,
            }
        }
        // What is equal is written once.
        event.original_commit_timestamp =
            event.original_commit_timestamp.or(event.immediate_commit_timestamp);
        event.original_server_version = event.original_server_version.or(event.immediate_server_version);
        event.gtid = Some(Gtid { tsid, number: checked_number(number.cast_unsigned())? });
        Ok(event)
    }
}

fn tag(body: &mut Reader<'_>) -> Result<Tag, WireError> {
    let length = usize::try_from(body.varlen_uint(READING)?).unwrap_or(usize::MAX);
    let text = std::str::from_utf8(body.take(length, READING)?)
        .map_err(|_| WireError::invalid(READING, "the tag is not text"))?;
    Tag::parse(text).map_err(WireError::Gtid)
}

fn version(body: &mut Reader<'_>) -> Result<u32, WireError> {
    let version = body.varlen_uint(READING)?;
    u32::try_from(version).map_err(|_| WireError::invalid(READING, "a server version is above 32 bits"))
}
