//! `EventParser`: checks a frame and dispatches on its kind.

use crate::wire::error::WireError;
use crate::wire::event::format_description::{ChecksumAlgorithm, FormatDescriptionEvent};
use crate::wire::event::gtid::GtidEvent;
use crate::wire::event::header::{EventHeader, EventKind, HEADER_LENGTH};
use crate::wire::event::heartbeat::HeartbeatEvent;
use crate::wire::event::incident::IncidentEvent;
use crate::wire::event::previous_gtids::PreviousGtidsEvent;
use crate::wire::event::query::QueryEvent;
use crate::wire::event::rotate::RotateEvent;
use crate::wire::event::rows_query::RowsQueryEvent;
use crate::wire::event::table_map::TableMapEvent;
use crate::wire::event::transaction_payload::TransactionPayloadEvent;
use crate::wire::event::xa_prepare::XaPrepareEvent;
use crate::wire::event::xid::XidEvent;
use crate::wire::event::{Event, checksum};
use crate::wire::reader::Reader;
use crate::wire::rows::{RowsEvent, RowsKind};

/// The post-header length of TABLE_MAP and rows events that marks table ids of 4 bytes (before MySQL 5.1.4).
const SHORT_TABLE_ID: u8 = 6;

/// Frames to events, in the order of a log. A new connection or file wants a new parser.
#[derive(Clone, Debug, Default)]
pub struct EventParser {
    /// What the last FORMAT_DESCRIPTION said; before the first nothing is known.
    checksum: Option<ChecksumAlgorithm>,
    /// The kinds (from 1) whose table ids have 4 bytes; in practice none.
    short_table_ids: u64,
    server_version: String,
}

impl EventParser {
    /// A parser at the beginning of a file or dump.
    pub fn new() -> Self {
        Self::default()
    }

    /// The version of the server that wrote the file, empty before its FORMAT_DESCRIPTION event.
    pub fn server_version(&self) -> &str {
        &self.server_version
    }

    /// How events are checked, once it is known.
    pub fn checksum(&self) -> Option<ChecksumAlgorithm> {
        self.checksum
    }

    /// Reads one whole event, header and checksum included.
    pub fn parse<'a>(&mut self, frame: &'a [u8]) -> Result<(EventHeader, Event<'a>), WireError> {
        let header = read_header(frame)?;
        if header.kind == EventKind::FORMAT_DESCRIPTION {
            let event = FormatDescriptionEvent::read(&header, frame)?;
            self.adopt(&event);
            return Ok((header, Event::FormatDescription(event)));
        }
        let covered = match self.checksum {
            Some(ChecksumAlgorithm::Crc32) => checksum::verify(&header, frame)?,
            Some(ChecksumAlgorithm::None) => frame,
            None => checksum::strip_if_present(frame),
        };
        Ok((header, self.parse_body(&header, covered)?))
    }

    /// Reads an event out of a transaction payload: it has no checksum of its own.
    pub fn parse_inner<'a>(&self, frame: &'a [u8]) -> Result<(EventHeader, Event<'a>), WireError> {
        let header = read_header(frame)?;
        Ok((header, self.parse_body(&header, frame)?))
    }

    /// Reads an event without its checksum, which was checked before; its header still counts the checksum.
    pub fn parse_covered<'a>(&self, covered: &'a [u8]) -> Result<(EventHeader, Event<'a>), WireError> {
        let header = EventHeader::read(&mut Reader::new(covered))?;
        Ok((header, self.parse_body(&header, covered)?))
    }

    /// A frame that `parse` has taken, without its checksum.
    pub fn covered<'a>(&self, frame: &'a [u8]) -> &'a [u8] {
        match self.checksum {
            Some(ChecksumAlgorithm::Crc32) => {
                frame.get(..frame.len().saturating_sub(checksum::CHECKSUM_LENGTH)).unwrap_or(frame)
            }
            Some(ChecksumAlgorithm::None) => frame,
            None => checksum::strip_if_present(frame),
        }
    }

    fn adopt(&mut self, event: &FormatDescriptionEvent<'_>) {
        self.checksum = Some(event.checksum);
        self.server_version.clear();
        self.server_version.push_str(&String::from_utf8_lossy(event.server_version));
        self.short_table_ids = (0..64u8)
            .filter(|code| event.post_header_length(EventKind(*code)) == Some(SHORT_TABLE_ID))
            .fold(0, |kinds, code| kinds | 1 << code);
    }

    fn parse_body<'a>(&self, header: &EventHeader, covered: &'a [u8]) -> Result<Event<'a>, WireError> {
        let mut body = Reader::new(covered);
        body.take(HEADER_LENGTH, "event header")?;
        let kind = header.kind;
        Ok(match kind {
            EventKind::WRITE_ROWS | EventKind::WRITE_ROWS_V1 => self.rows(kind, RowsKind::Write, body)?,
            EventKind::UPDATE_ROWS | EventKind::UPDATE_ROWS_V1 | EventKind::PARTIAL_UPDATE_ROWS => {
                self.rows(kind, RowsKind::Update, body)?
            }
            EventKind::DELETE_ROWS | EventKind::DELETE_ROWS_V1 => self.rows(kind, RowsKind::Delete, body)?,
            EventKind::TABLE_MAP => {
                let table_id = self.table_id(kind, &mut body)?;
                Event::TableMap(TableMapEvent::read(table_id, body)?)
            }
            EventKind::QUERY => Event::Query(Box::new(QueryEvent::read(body)?)),
            EventKind::XID => Event::Xid(XidEvent::read(body)?),
            EventKind::GTID | EventKind::ANONYMOUS_GTID => Event::Gtid(GtidEvent::read(header, body)?),
            EventKind::GTID_TAGGED_LOG => Event::Gtid(GtidEvent::read_tagged(body)?),
            EventKind::TRANSACTION_PAYLOAD => Event::TransactionPayload(TransactionPayloadEvent::read(body)?),
            EventKind::ROWS_QUERY => Event::RowsQuery(RowsQueryEvent::read(body)?),
            EventKind::PREVIOUS_GTIDS => Event::PreviousGtids(PreviousGtidsEvent { encoded: body.rest() }),
            EventKind::ROTATE => Event::Rotate(RotateEvent::read(header, body)?),
            EventKind::XA_PREPARE => Event::XaPrepare(XaPrepareEvent::read(body)?),
            EventKind::HEARTBEAT => Event::Heartbeat(HeartbeatEvent::read(header, body)),
            EventKind::HEARTBEAT_V2 => Event::Heartbeat(HeartbeatEvent::read_v2(body)?),
            EventKind::INCIDENT => Event::Incident(IncidentEvent::read(body)?),
            EventKind::STOP => Event::Stop,
            EventKind::INTVAR
            | EventKind::LOAD
            | EventKind::CREATE_FILE
            | EventKind::APPEND_BLOCK
            | EventKind::EXEC_LOAD
            | EventKind::DELETE_FILE
            | EventKind::NEW_LOAD
            | EventKind::RAND
            | EventKind::USER_VAR
            | EventKind::BEGIN_LOAD_QUERY
            | EventKind::EXECUTE_LOAD_QUERY => Event::Statement(kind),
            EventKind::TRANSACTION_CONTEXT | EventKind::VIEW_CHANGE => Event::GroupReplication(kind),
            _ if header.is_ignorable() => Event::Ignorable(kind),
            _ => {
                return Err(WireError::UnknownEvent {
                    code: kind.0,
                    name: kind.name(),
                    next_position: header.next_position,
                });
            }
        })
    }

    fn rows<'a>(
        &self,
        event: EventKind,
        kind: RowsKind,
        mut body: Reader<'a>,
    ) -> Result<Event<'a>, WireError> {
        let table_id = self.table_id(event, &mut body)?;
        let json_diffs = event == EventKind::PARTIAL_UPDATE_ROWS;
        let has_extra = json_diffs
            || matches!(event, EventKind::WRITE_ROWS | EventKind::UPDATE_ROWS | EventKind::DELETE_ROWS);
        Ok(Event::Rows(RowsEvent::read(kind, table_id, (has_extra, json_diffs), body)?))
    }

    fn table_id(&self, kind: EventKind, body: &mut Reader<'_>) -> Result<u64, WireError> {
        if kind.0 < 64 && self.short_table_ids >> kind.0 & 1 == 1 {
            body.u32("table id").map(u64::from)
        } else {
            body.u48("table id")
        }
    }
}

/// Reads the header and checks that the frame is as long as it says.
fn read_header(frame: &[u8]) -> Result<EventHeader, WireError> {
    let header = EventHeader::read(&mut Reader::new(frame))?;
    let (wanted, left) = (u64::from(header.event_size), frame.len());
    if wanted > left as u64 {
        return Err(WireError::Truncated { reading: header.kind.name(), wanted, left });
    }
    if wanted < left as u64 {
        return Err(WireError::invalid(header.kind.name(), "bytes behind the end of the event"));
    }
    Ok(header)
}

#[cfg(test)]
mod tests;
