//! The status variables of a QUERY event: a code (1 byte) and a value whose length only the code tells.
//!
//! So a code that is not known ends the reading: what stands behind it cannot be found. The server writes the codes in
//! a fixed order with new ones at the end, therefore the known ones are not lost. Manual: "QUERY_EVENT", status
//! variables; `Query_event_post_header` in libs/mysql/binlog/event/statement_events.h.

use crate::wire::error::WireError;
use crate::wire::reader::Reader;

/// In place of the number of databases: too many to list.
const OVER_MAX_DATABASES: u8 = 254;

/// The collations of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionCharsets {
    /// A collation id of `character_set_client`.
    pub client: u16,
    /// The id of `collation_connection`.
    pub connection: u16,
    /// The id of `collation_server`.
    pub server: u16,
}

/// The variables that the event carries; `None` for those it does not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatusVariables<'a> {
    /// `OPTION_*` bits, such as `foreign_key_checks=0`.
    pub flags2: Option<u32>,
    /// `sql_mode` as bits.
    pub sql_mode: Option<u64>,
    /// The catalog, always `std`.
    pub catalog: Option<&'a [u8]>,
    /// `auto_increment_increment` and `auto_increment_offset`.
    pub auto_increment: Option<(u16, u16)>,
    /// The session's collations.
    pub charsets: Option<SessionCharsets>,
    /// `time_zone`.
    pub time_zone: Option<&'a [u8]>,
    /// The number of `lc_time_names`.
    pub lc_time_names: Option<u16>,
    /// The id of `collation_database`.
    pub charset_database: Option<u16>,
    /// The tables that a multi-table update changes.
    pub table_map_for_update: Option<u64>,
    /// The user and host on whose behalf the statement ran.
    pub invoker: Option<(&'a [u8], &'a [u8])>,
    /// The databases that the statement changes, where they are few enough to be listed.
    pub updated_db_names: Vec<&'a [u8]>,
    /// Microseconds to the header's seconds.
    pub microseconds: Option<u32>,
    /// `explicit_defaults_for_timestamp`.
    pub explicit_defaults_for_timestamp: Option<bool>,
    /// The storage engines' number of an atomic DDL statement.
    pub ddl_xid: Option<u64>,
    /// The id of `default_collation_for_utf8mb4`.
    pub default_collation_for_utf8mb4: Option<u16>,
    /// `sql_require_primary_key`.
    pub sql_require_primary_key: Option<bool>,
    /// `default_table_encryption`.
    pub default_table_encryption: Option<bool>,
    /// The code at which the reading ended, because it is not known or its value is cut off.
    pub unread_from: Option<u8>,
}

impl<'a> StatusVariables<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Self {
        let mut variables = StatusVariables::default();
        let mut reader = Reader::new(bytes);
        while let Ok(code) = reader.u8("status variable") {
            if !matches!(variables.read_one(code, &mut reader), Ok(true)) {
                variables.unread_from = Some(code);
                break;
            }
        }
        variables
    }

    /// Reads one variable; false for a code that is not known.
    fn read_one(&mut self, code: u8, reader: &mut Reader<'a>) -> Result<bool, WireError> {
        const READING: &str = "status variable";
        match code {
            0 => self.flags2 = Some(reader.u32(READING)?),
            1 => self.sql_mode = Some(reader.u64(READING)?),
            2 => {
                // The catalog as MySQL 5.0.0 to 5.0.3 wrote it, with a zero byte.
                self.catalog = Some(short_text(reader)?);
                reader.u8(READING)?;
            }
            3 => self.auto_increment = Some((reader.u16(READING)?, reader.u16(READING)?)),
            4 => {
                self.charsets = Some(SessionCharsets {
                    client: reader.u16(READING)?,
                    connection: reader.u16(READING)?,
                    server: reader.u16(READING)?,
                });
            }
            5 => self.time_zone = Some(short_text(reader)?),
            6 => self.catalog = Some(short_text(reader)?),
            7 => self.lc_time_names = Some(reader.u16(READING)?),
            8 => self.charset_database = Some(reader.u16(READING)?),
            9 => self.table_map_for_update = Some(reader.u64(READING)?),
            // Bytes that the source has written, filled in by replicas for themselves.
            10 => drop(reader.u32(READING)?),
            11 => self.invoker = Some((short_text(reader)?, short_text(reader)?)),
            12 => {
                let count = reader.u8(READING)?;
                for _ in 0..if count == OVER_MAX_DATABASES { 0 } else { count } {
                    self.updated_db_names.push(reader.until_zero(READING)?);
                }
            }
            13 => self.microseconds = Some(reader.u24(READING)?),
            16 => self.explicit_defaults_for_timestamp = Some(reader.u8(READING)? != 0),
            17 => self.ddl_xid = Some(reader.u64(READING)?),
            18 => self.default_collation_for_utf8mb4 = Some(reader.u16(READING)?),
            19 => self.sql_require_primary_key = Some(reader.u8(READING)? != 0),
            20 => self.default_table_encryption = Some(reader.u8(READING)? != 0),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn short_text<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], WireError> {
    let length = usize::from(reader.u8("status variable")?);
    reader.take(length, "status variable")
}
