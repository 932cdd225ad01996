//! Values that the server left out of a row's image: the row before lends them.
//!
//! With `binlog_row_image=NOBLOB` a change does not have the texts and bytes that it leaves alone; the source publishes a placeholder.
//! Such records wait by their table until there are many or the first is old. Then all that came before them is stored, and one
//! SELECT finds the values of all their keys:
//!
//! ```text
//! waiting records ─▶ stored all before them ─▶ SELECT … WHERE key IN (…) ─▶ in the order of versions: each takes the values of
//!                                                                          the newest row below it, and lends its own to the next
//! ```
//! A row that changed its key takes the values of the old one. That one's deletion waits likewise and keeps its values in the
//! table, so that they are still there when the new row comes. A change that is not above what its key has is there already, or was
//! overtaken. One without a row before it is refused: nobody knows its value. Rows that are not told apart by a key are refused, too:
//! what they were cannot be looked up.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::time::{Duration, Instant};

use crate::config::sink::FlushConfig;
use crate::sink::apply::applier::Applier;
use crate::sink::apply::batch::Origin;
use crate::sink::apply::error::{ApplyError, TableError};
use crate::sink::apply::opening::Failure;
use crate::sink::apply::record::{Effect, Record, RecordStore};
use crate::sink::apply::rows::Row;
use crate::sink::apply::server::Server;
use crate::sink::apply::table::Table;
use crate::sink::apply::target::Target;
use crate::sink::clickhouse::client::Query;
use crate::sink::clickhouse::error::ClickHouseError;
use crate::sink::clickhouse::hex::from_hex;
use crate::sink::consumer::held::HeldRecords;
use crate::sink::record::envelope::{RecordKey, RecordValue, RowChange, read_key, read_value};
use crate::sink::record::headers::KnownHeaders;
use crate::sink::row::column::CarriedCells;
use crate::sink::row::row_writer::RowWriter;
use crate::sink::row_binary::header::write_string;
use crate::sink::table::column_type::ColumnType;
use crate::sink::table::identifier::{literal, qualified, quoted, quoted_list};
use crate::sink::version::Version;

/// So many records are looked up at once.
const MOST: usize = 2_000;
/// What a statement with that many keys may have; the server's limit is 256 KiB.
const QUERY_SIZE: &str = "134217728";
/// The column that numbers the keys of a lookup.
const NUMBER: &str = "_tidewire_number";

/// A record that waits, copied.
#[derive(Debug)]
pub struct Waiting {
    origin: Origin,
    offset: i64,
    key: Option<Vec<u8>>,
    value: Vec<u8>,
    sequence: Option<Vec<u8>>,
    old_key: Option<Vec<u8>>,
    version: Version,
    seconds: u32,
    ts_ms: i64,
}

impl Waiting {
    fn record(&self) -> Record<'_> {
        Record {
            origin: &self.origin,
            offset: self.offset,
            key: self.key.as_deref(),
            value: Some(&self.value),
            headers: KnownHeaders { sequence: self.sequence.as_deref(), old_key: self.old_key.as_deref() },
            version: Some(self.version),
        }
    }

    /// Its parts; it was read once without an error.
    fn parts(&self) -> Option<(RowChange<'_>, Option<RecordKey<'_>>)> {
        let RecordValue::Row(change) = read_value(Some(&self.value)).ok()? else { return None };
        Some((change, read_key(self.key.as_deref()).ok()?))
    }

    /// The key of the row whose values it takes.
    fn lender<'a>(&'a self, key: Option<RecordKey<'a>>) -> Option<RecordKey<'a>> {
        match &self.old_key {
            Some(old) => read_key(Some(old)).ok()?,
            None => key,
        }
    }
}

/// The records of a table that wait.
#[derive(Debug, Default)]
pub struct WaitingRecords {
    records: Vec<Waiting>,
    held: HeldRecords,
    bytes: usize,
    since: Option<Instant>,
}

impl WaitingRecords {
    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Their bytes.
    pub const fn weight(&self) -> usize {
        self.bytes
    }

    fn is_due(&self, flush: &FlushConfig, interval: Duration) -> bool {
        self.records.len() >= MOST
            || self.bytes >= flush.bytes
            || self.since.is_some_and(|since| since.elapsed() >= interval)
    }
}

/// What is known of each key: its versions, with the values that may be lent.
type Known = HashMap<Vec<u8>, BTreeMap<u64, CarriedCells>>;

impl Applier {
    /// A record whose row lacks a value waits.
    pub(super) fn wait_for_values(&mut self, at: usize, row: Row<'_>, ts_ms: i64) {
        let Some(table) = self.tables.get_mut(at) else { return };
        let Record { origin, offset, key, value, headers, .. } = row.record;
        let owned = |bytes: Option<&[u8]>| bytes.map(<[u8]>::to_vec);
        let record = Waiting {
            origin: origin.clone(),
            offset,
            key: owned(key),
            value: value.unwrap_or_default().to_vec(),
            sequence: owned(headers.sequence),
            old_key: owned(headers.old_key),
            version: row.version,
            seconds: row.seconds,
            ts_ms,
        };
        let waiting = &mut table.waiting;
        waiting.since.get_or_insert_with(Instant::now);
        waiting.bytes += record.value.len() + size_of::<Waiting>();
        waiting.records.push(record);
        if waiting.held.add(origin.assignment, offset) {
            self.effects.push(Effect::Hold(origin.assignment, offset));
        }
    }

    /// Looks values up for the tables whose records have waited long enough.
    pub(super) fn carry_due(&mut self, records: &mut dyn RecordStore) -> Result<(), ApplyError> {
        for at in 0..self.tables.len() {
            let is_due = |table: &Table| {
                !table.is_stopped
                    && !table.waiting.is_empty()
                    && table.waiting.is_due(&self.config.flush, table.interval)
            };
            if self.tables.get(at).is_some_and(is_due) && !self.outbox.fails(at) {
                self.carry(at, records)?;
            }
        }
        Ok(())
    }

    /// Writes the records of a table that wait.
    pub(super) fn carry(&mut self, at: usize, records: &mut dyn RecordStore) -> Result<(), ApplyError> {
        let Some(table) = self.tables.get_mut(at) else { return Ok(()) };
        let mut waiting = std::mem::take(&mut table.waiting);
        if waiting.is_empty() {
            return Ok(());
        }
        self.drain(at, records)?;
        waiting.records.sort_by_key(|record| record.version);
        let mut known = match self.look_up(at, &waiting.records, records) {
            Ok(known) => known,
            Err(Failure::Attempt(error)) => return Err(error),
            // Nothing was written of any: all stay held.
            Err(Failure::Table(error)) => {
                self.stop(at, &error);
                return Ok(());
            }
        };
        for record in &waiting.records {
            if self.tables.get(at).is_none_or(|table| table.is_stopped) {
                return Ok(());
            }
            match self.write_carried(at, record, &mut known, records) {
                Ok(()) => {}
                Err(Failure::Attempt(error)) => return Err(error),
                Err(Failure::Table(error)) => self.refuse(at, record.record(), record.version, &error)?,
            }
        }
        // Their rows are held by batches, if they were written.
        if self.tables.get(at).is_some_and(|table| !table.is_stopped) {
            self.effects.extend(waiting.held.drain().map(|(id, offset)| Effect::Release(id, offset)));
        }
        Ok(())
    }

    /// What the table has of the keys of these records.
    fn look_up(
        &mut self,
        at: usize,
        waiting: &[Waiting],
        records: &mut dyn RecordStore,
    ) -> Result<Known, Failure> {
        let mut known = Known::new();
        for record in waiting {
            let Some((change, key)) = record.parts() else { continue };
            let Some(writer) = self.writer_of(at, record, &change, key, records)? else { continue };
            for key in [key, record.lender(key)].into_iter().flatten() {
                // An error is told when the row is written.
                if let Ok(cells) = writer.key_cells(key.columns) {
                    known.entry(cells).or_default();
                }
            }
        }
        let Some(layout) = self.tables.get(at).and_then(|table| table.layouts.get(table.recent)) else {
            return Ok(known);
        };
        let Some(target) = self.tables.get(at).and_then(|table| table.target.as_ref()) else {
            return Ok(known);
        };
        lend(&self.server, target, &layout.layout.writer, &mut known).map_err(TableError::from)?;
        Ok(known)
    }

    fn writer_of(
        &mut self,
        at: usize,
        record: &Waiting,
        change: &RowChange<'_>,
        key: Option<RecordKey<'_>>,
        records: &mut dyn RecordStore,
    ) -> Result<Option<&mut RowWriter>, Failure> {
        let row =
            Row { record: record.record(), change, key, version: record.version, seconds: record.seconds };
        let layout = self.layout_for(at, row, records)?;
        let Some(table) = self.tables.get_mut(at) else { return Ok(None) };
        table.recent = layout;
        Ok(table.layouts.get_mut(layout).map(|open| &mut open.layout.writer))
    }

    fn write_carried(
        &mut self,
        at: usize,
        record: &Waiting,
        known: &mut Known,
        records: &mut dyn RecordStore,
    ) -> Result<(), Failure> {
        let Some((change, key)) = record.parts() else { return Ok(()) };
        let lender = record.lender(key);
        let version = record.version.get();
        let row = Row {
            record: record.record(),
            change: &change,
            key,
            version: record.version,
            seconds: record.seconds,
        };
        let Some(writer) = self.writer_of(at, record, &change, key, records)? else { return Ok(()) };
        let cells = |writer: &mut RowWriter, key: Option<RecordKey<'_>>| {
            key.map(|key| writer.key_cells(key.columns)).transpose()
        };
        let own = cells(writer, key).map_err(|source| self.of_change(at, row, source))?;
        if own
            .as_ref()
            .and_then(|own| known.get(own)?.last_key_value())
            .is_some_and(|(last, _)| *last >= version)
        {
            return Ok(());
        }
        let Some(writer) = self.writer_of(at, record, &change, key, records)? else { return Ok(()) };
        let lender = cells(writer, lender).map_err(|source| self.of_change(at, row, source))?;
        let lent =
            lender.and_then(|lender| Some(known.get(&lender)?.range(..version).next_back()?.1.clone()));
        let lent = lent.unwrap_or_default();
        let Some(writer) = self.writer_of(at, record, &change, key, records)? else { return Ok(()) };
        let after = writer.carried_cells(row.image(), &lent);
        writer.carry(Some(lent));
        let written = self.write(at, row, record.ts_ms, false, records);
        // The layout may be gone since.
        for open in self.tables.get_mut(at).into_iter().flat_map(|table| &mut table.layouts) {
            open.layout.writer.carry(None);
        }
        written?;
        let after = after.map_err(|source| self.of_change(at, row, source))?;
        if let Some(own) = own {
            known.entry(own).or_default().insert(version, after);
        }
        Ok(())
    }
}

/// Fills in what the table has of the keys.
fn lend(
    server: &Server,
    target: &Target,
    writer: &RowWriter,
    known: &mut Known,
) -> Result<(), ClickHouseError> {
    let columns: Vec<(&str, &ColumnType)> = writer.carried_columns().collect();
    let Some(key) = writer.key_columns().filter(|_| !known.is_empty()) else { return Ok(()) };
    let keys: Vec<Vec<u8>> = known.keys().cloned().collect();
    let definition = target.definition();
    let table = qualified(&definition.database, &definition.table);
    let statement = lookup(&table, &definition.meta.version, &key, &columns, &keys);
    let what = format!("look up values of {}", target.name);
    let query = Query::new(&what, &statement).with(&[("max_query_size", QUERY_SIZE)]);
    let rows: Vec<(u32, u64, Vec<Option<String>>)> = server.client.rows(query)?;
    for (number, version, values) in rows {
        let Some(versions) = usize::try_from(number).ok().and_then(|at| known.get_mut(keys.get(at)?)) else {
            continue;
        };
        let cells = columns.iter().zip(values).filter_map(|((name, column_type), value)| {
            Some(((*name).to_owned(), encoded(value.as_deref(), column_type)?))
        });
        versions.insert(version, cells.collect());
    }
    Ok(())
}

/// A value that was read in hexadecimal digits, as it is inserted.
fn encoded(value: Option<&str>, column_type: &ColumnType) -> Option<Vec<u8>> {
    let mut cell = Vec::new();
    match (value, column_type.is_nullable()) {
        (None, true) => cell.push(1),
        (None, false) => return None,
        (Some(digits), nullable) => {
            if nullable {
                cell.push(0);
            }
            write_string(&from_hex(digits), &mut cell);
        }
    }
    Some(cell)
}

/// The SELECT of all versions of some keys. The keys are part of it, as the rows of a table function.
fn lookup(
    table: &str,
    version: &str,
    key: &[(&str, &ColumnType)],
    columns: &[(&str, &ColumnType)],
    keys: &[Vec<u8>],
) -> String {
    let mut structure = format!("{NUMBER} UInt32");
    for (name, column_type) in key {
        // Writing into a string cannot fail.
        let _ = write!(structure, ", {} {column_type}", quoted(name));
    }
    let mut digits = String::new();
    for (number, cells) in (0u32..).zip(keys) {
        for byte in number.to_le_bytes().iter().chain(cells) {
            let _ = write!(digits, "{byte:02x}");
        }
    }
    let keys = format!("format(RowBinary, {}, unhex('{digits}'))", literal(&structure));
    let names = quoted_list(key.iter().map(|(name, _)| *name));
    let values: Vec<String> =
        columns.iter().map(|(name, _)| format!("hex(stored.{})", quoted(name))).collect();
    let read = quoted_list(key.iter().chain(columns).map(|(name, _)| *name).chain([version]));
    format!(
        "SELECT wanted.{NUMBER}, stored.{version}, CAST([{}], 'Array(Nullable(String))') FROM {keys} AS wanted \
         INNER JOIN (SELECT {read} FROM {table} WHERE ({names}) IN (SELECT {names} FROM {keys})) AS stored \
         USING ({names})",
        values.join(", "),
        version = quoted(version),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_inserted_as_it_was_read() {
        let nullable = ColumnType::parse("Nullable(String)");
        assert_eq!(encoded(Some("00FF"), &nullable), Some(vec![0, 2, 0, 255]));
        assert_eq!(encoded(None, &nullable), Some(vec![1]));
        let text = ColumnType::parse("String");
        assert_eq!(encoded(Some(""), &text), Some(vec![0]));
        assert_eq!(encoded(None, &text), None);
    }
}
