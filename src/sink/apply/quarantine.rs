//! Records that could not be written: the table `_tidewire.quarantine`.
//!
//! It has them whole, with their version: written later by it, a row takes its own place among all changes of its row (`tidewire sink
//! retry-quarantine`). The same record twice is there once. What was written is deleted by a newer line.

use crate::sink::apply::ledger::{DATABASE, Ledger, send};
use crate::sink::apply::record::OwnedRecord;
use crate::sink::apply::server::Server;
use crate::sink::clickhouse::client::Query;
use crate::sink::clickhouse::error::ClickHouseError;
use crate::sink::clickhouse::hex::from_hex;
use crate::sink::row_binary::header::write_string;
use crate::sink::table::identifier::literal;
use crate::sink::version::Version;

pub(super) const QUARANTINE: &str = "quarantine";
pub(super) const QUARANTINE_COLUMNS: [(&str, &str); 12] = [
    ("connector", "String"),
    ("topic", "String"),
    ("partition", "Int32"),
    ("offset", "Int64"),
    ("table", "String"),
    ("version", "UInt64"),
    ("key", "Nullable(String)"),
    ("value", "Nullable(String)"),
    ("sequence", "Nullable(String)"),
    ("old_key", "Nullable(String)"),
    ("error", "String"),
    ("done", "UInt8"),
];

/// A record that is put aside.
#[derive(Clone, Copy, Debug)]
pub struct Quarantined<'a> {
    /// Its topic.
    pub topic: &'a str,
    /// Its partition.
    pub partition: i32,
    /// Its offset.
    pub offset: i64,
    /// `database.table` in ClickHouse.
    pub table: &'a str,
    /// Its version; 0 where it has none.
    pub version: u64,
    /// Its key.
    pub key: Option<&'a [u8]>,
    /// Its value.
    pub value: Option<&'a [u8]>,
    /// Its header `tidewire.seq`.
    pub sequence: Option<&'a [u8]>,
    /// Its header `__debezium.oldkey`.
    pub old_key: Option<&'a [u8]>,
    /// Why, without values.
    pub error: &'a str,
}

/// A record that was put aside, as it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aside {
    /// Its topic.
    pub topic: String,
    /// Its partition.
    pub partition: i32,
    /// Its offset.
    pub offset: i64,
    /// `database.table` in ClickHouse.
    pub table: String,
    /// Its version; none where it had none.
    pub version: Option<Version>,
    /// Its key, value and headers.
    pub record: OwnedRecord,
    /// When, as the server's clock has it.
    pub at: String,
    /// Why.
    pub error: String,
}

/// Records are read so many at a time.
pub const PAGE: usize = 500;

impl Ledger {
    /// Keeps a copy of a record; returns when the server has it. The same record twice is there once.
    pub fn put_aside(&self, server: &Server, record: Quarantined<'_>) -> Result<(), ClickHouseError> {
        send(server, &self.quarantine, &quarantine_row(&self.connector, record, false))
    }

    /// Deletes a record that was put aside and is written by now.
    pub fn done(&self, server: &Server, aside: &Aside) -> Result<(), ClickHouseError> {
        let Aside { topic, partition, offset, table, .. } = aside;
        let record = Quarantined {
            topic,
            partition: *partition,
            offset: *offset,
            table,
            version: 0,
            key: None,
            value: None,
            sequence: None,
            old_key: None,
            error: "",
        };
        send(server, &self.quarantine, &quarantine_row(&self.connector, record, true))
    }

    /// The records that were put aside before a time of the server's, of one table or of all, behind one of them: so many that memory
    /// does not matter.
    pub fn aside(
        &self,
        server: &Server,
        table: Option<&str>,
        before: &str,
        behind: Option<&Aside>,
    ) -> Result<Vec<Aside>, ClickHouseError> {
        let mut conditions = format!(
            "connector = {} AND at < toDateTime64({}, 3, 'UTC')",
            literal(&self.connector),
            literal(before)
        );
        if let Some(table) = table {
            conditions.push_str(&format!(" AND table = {}", literal(table)));
        }
        if let Some(Aside { topic, partition, offset, .. }) = behind {
            conditions.push_str(&format!(
                " AND (topic, partition, offset) > ({}, {partition}, {offset})",
                literal(topic)
            ));
        }
        let sql = format!(
            "SELECT topic, partition, offset, table, version, [hex(key), hex(value), hex(sequence), hex(old_key)], \
             toString(at), error FROM {DATABASE}.{QUARANTINE} FINAL WHERE {conditions} \
             ORDER BY topic, partition, offset LIMIT {PAGE}"
        );
        type Line = (String, i32, i64, String, u64, [Option<String>; 4], String, String);
        let lines: Vec<Line> = server.client.rows(Query::new("read what was put aside", &sql))?;
        let aside = |(topic, partition, offset, table, version, parts, at, error): Line| {
            let [key, value, sequence, old_key] = parts.map(|part| part.map(|digits| from_hex(&digits)));
            let version = Version::new(version).filter(|version| *version != Version::ZERO);
            let record = OwnedRecord { key, value, sequence, old_key };
            Aside { topic, partition, offset, table, version, record, at, error }
        };
        Ok(lines.into_iter().map(aside).collect())
    }

    /// The lowest version of a table that any connector has put aside.
    pub fn lowest_aside(&self, server: &Server, table: &str) -> Result<Option<Version>, ClickHouseError> {
        let sql = format!(
            "SELECT min(version) FROM {DATABASE}.{QUARANTINE} FINAL WHERE table = {} HAVING count() > 0",
            literal(table)
        );
        let rows: Vec<(u64,)> = server.client.rows(Query::new("read what was put aside", &sql))?;
        Ok(rows.first().and_then(|&(version,)| Version::new(version)))
    }

    /// The server's time, as [`Self::aside`] takes it.
    pub fn now(server: &Server) -> Result<String, ClickHouseError> {
        let rows: Vec<(String,)> =
            server.client.rows(Query::new("ask for the time", "SELECT toString(now64(3, 'UTC'))"))?;
        Ok(rows.into_iter().next().unwrap_or_default().0)
    }
}

fn quarantine_row(connector: &str, record: Quarantined<'_>, done: bool) -> Vec<u8> {
    let mut row = Vec::new();
    write_string(connector.as_bytes(), &mut row);
    write_string(record.topic.as_bytes(), &mut row);
    row.extend_from_slice(&record.partition.to_le_bytes());
    row.extend_from_slice(&record.offset.to_le_bytes());
    write_string(record.table.as_bytes(), &mut row);
    row.extend_from_slice(&record.version.to_le_bytes());
    for bytes in [record.key, record.value, record.sequence, record.old_key] {
        match bytes {
            None => row.push(1),
            Some(bytes) => {
                row.push(0);
                write_string(bytes, &mut row);
            }
        }
    }
    write_string(record.error.as_bytes(), &mut row);
    row.push(u8::from(done));
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_that_is_put_aside_keeps_null_apart_from_nothing() {
        let record = Quarantined {
            topic: "t",
            partition: 1,
            offset: 2,
            table: "d.t",
            version: 3,
            key: Some(b""),
            value: None,
            sequence: Some(&[9]),
            old_key: Some(b"o"),
            error: "why",
        };
        let wanted: &[&[u8]] = &[
            b"\x01c\x01t",
            &[1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0],
            b"\x03d.t",
            &[3, 0, 0, 0, 0, 0, 0, 0],
            &[0, 0],
            &[1],
            &[0, 1, 9],
            b"\x00\x01o\x03why\x00",
        ];
        assert_eq!(quarantine_row("c", record, false), wanted.concat());
    }
}
