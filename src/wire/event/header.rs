//! The 19 bytes in front of every event (manual: "Binary Log Event Header", binlog version 4).

use crate::wire::error::WireError;
use crate::wire::reader::Reader;

/// The length of the header.
pub const HEADER_LENGTH: usize = 19;

/// `LOG_EVENT_BINLOG_IN_USE_F`: the file is being written, or was when the server stopped hard. Only on a
/// FORMAT_DESCRIPTION event, and not covered by its checksum.
pub const BINLOG_IN_USE: u16 = 0x1;
/// `LOG_EVENT_ARTIFICIAL_F`: made by the server for a reader, not in the file.
pub const ARTIFICIAL: u16 = 0x20;
/// `LOG_EVENT_IGNORABLE_F`: a reader that does not know the kind may skip it.
pub const IGNORABLE: u16 = 0x80;

/// What every event says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventHeader {
    /// Seconds since 1970 when the statement began on the server that first wrote it.
    pub timestamp: u32,
    /// The kind.
    pub kind: EventKind,
    /// The server that first wrote it.
    pub server_id: u32,
    /// The whole event in bytes, header and checksum included.
    pub event_size: u32,
    /// Where the next event begins in the file: the low 32 bits only, beyond 4 GiB they have wrapped. Zero for events
    /// that are in no file, and inside of a transaction payload.
    pub next_position: u32,
    /// See the constants of this module.
    pub flags: u16,
}

impl EventHeader {
    /// Reads the header.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        const READING: &str = "event header";
        Ok(EventHeader {
            timestamp: reader.u32(READING)?,
            kind: EventKind(reader.u8(READING)?),
            server_id: reader.u32(READING)?,
            event_size: reader.u32(READING)?,
            next_position: reader.u32(READING)?,
            flags: reader.u16(READING)?,
        })
    }

    /// Whether the server made the event up for a reader.
    pub fn is_artificial(&self) -> bool {
        self.flags & ARTIFICIAL != 0
    }

    /// Whether a reader that does not know the kind may skip it.
    pub fn is_ignorable(&self) -> bool {
        self.flags & IGNORABLE != 0
    }
}

macro_rules! event_kinds {
    ($($constant:ident = $code:literal;)*) => {
        /// The kind of an event: its code. Codes that are not named here exist.
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct EventKind(pub u8);

        #[allow(missing_docs)]
        impl EventKind {
            $(pub const $constant: EventKind = EventKind($code);)*

            /// The name of the kind, `unknown` for a code without one.
            pub fn name(self) -> &'static str {
                match self.0 {
                    $($code => stringify!($constant),)*
                    _ => "unknown",
                }
            }
        }
    };
}

event_kinds! {
    START_V3 = 1;
    QUERY = 2;
    STOP = 3;
    ROTATE = 4;
    INTVAR = 5;
    LOAD = 6;
    SLAVE = 7;
    CREATE_FILE = 8;
    APPEND_BLOCK = 9;
    EXEC_LOAD = 10;
    DELETE_FILE = 11;
    NEW_LOAD = 12;
    RAND = 13;
    USER_VAR = 14;
    FORMAT_DESCRIPTION = 15;
    XID = 16;
    BEGIN_LOAD_QUERY = 17;
    EXECUTE_LOAD_QUERY = 18;
    TABLE_MAP = 19;
    WRITE_ROWS_V1 = 23;
    UPDATE_ROWS_V1 = 24;
    DELETE_ROWS_V1 = 25;
    INCIDENT = 26;
    HEARTBEAT = 27;
    IGNORABLE = 28;
    ROWS_QUERY = 29;
    WRITE_ROWS = 30;
    UPDATE_ROWS = 31;
    DELETE_ROWS = 32;
    GTID = 33;
    ANONYMOUS_GTID = 34;
    PREVIOUS_GTIDS = 35;
    TRANSACTION_CONTEXT = 36;
    VIEW_CHANGE = 37;
    XA_PREPARE = 38;
    PARTIAL_UPDATE_ROWS = 39;
    TRANSACTION_PAYLOAD = 40;
    HEARTBEAT_V2 = 41;
    GTID_TAGGED_LOG = 42;
    MARIADB_ANNOTATE_ROWS = 160;
    MARIADB_BINLOG_CHECKPOINT = 161;
    MARIADB_GTID = 162;
    MARIADB_GTID_LIST = 163;
    MARIADB_START_ENCRYPTION = 164;
    MARIADB_QUERY_COMPRESSED = 165;
    MARIADB_WRITE_ROWS_COMPRESSED_V1 = 166;
    MARIADB_UPDATE_ROWS_COMPRESSED_V1 = 167;
    MARIADB_DELETE_ROWS_COMPRESSED_V1 = 168;
    MARIADB_WRITE_ROWS_COMPRESSED = 169;
    MARIADB_UPDATE_ROWS_COMPRESSED = 170;
    MARIADB_DELETE_ROWS_COMPRESSED = 171;
}

impl std::fmt::Debug for EventKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}({})", self.name(), self.0)
    }
}
