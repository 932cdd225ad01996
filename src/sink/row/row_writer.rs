//! A change of a row → the rows of an insert, in RowBinary.
//!
//! Columns stand in the order of the table's definition, which is MySQL's, as the members of a record's row do; so each member
//! is the next column, and the row is written in one walk. Should one be elsewhere, the row is written again by looking for
//! every name: rare, and without an allocation, too. Behind MySQL's columns come the hash of a row without a key, the version
//! and the deletion; the time of arrival is the server's.
//!
//! | table | insert, read | update | delete |
//! |---|---|---|---|
//! | with a key | the row | the row | the row before, deleted |
//! | … in which a row can move (`position_columns`) | the row | the place before deleted, if it is another; the row | the row before, deleted |
//! | keyed by the hash of the row | the row | the row before deleted, if it is another; the row | the row before, deleted |
//! | of changes (`keyless.mode=append`) | the row | the row before, deleted; the row | the row before, deleted |
//!
//! All rows of a change have its version. A change of the key comes as two records, a deletion and an insert, and needs
//! nothing here. Several changes of a row in one transaction have several versions.

use sha2::{Digest, Sha256};

use crate::connect::schema::Schema;
use crate::event::operation::Operation;
use crate::sink::record::envelope::{RecordKey, RowChange};
use crate::sink::record::scanner::{Json, Members, ScanError};
use crate::sink::row::column::{CarriedCells, DateLimits, RowColumn, Scratch};
use crate::sink::row::error::ChangeError;
use crate::sink::row::wire_form::{SourceHandling, WireForm};
use crate::sink::row_binary::error::{RowError, UnsupportedType, ValueError};
use crate::sink::table::adoption::ExistingTable;
use crate::sink::table::column_type::ColumnType;
use crate::sink::table::definition::{Identity, TableDefinition};
use crate::sink::table::meta_columns::DeletionMarker;
use crate::sink::version::Version;

/// Bytes of a row's hash.
const HASH_BYTES: usize = 16;

/// What tells the rows apart, as far as rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowIdentity {
    Key,
    Hash,
    None,
}

/// Writes the rows of one table, for records of one schema.
#[derive(Debug)]
pub struct RowWriter {
    columns: Vec<RowColumn>,
    /// Names and types of our columns that are inserted.
    meta: Vec<(String, ColumnType)>,
    deletion: DeletionMarker,
    identity: RowIdentity,
    /// Names of the columns of the identity.
    key: Vec<String>,
    /// Names of the columns with which a row moves.
    position: Vec<String>,
    scratch: Scratch,
}

/// How values arrive and which dates are taken.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowForm<'a> {
    /// The schema of the record's row, if it has one.
    pub schema: Option<&'a Schema>,
    /// For records without one.
    pub handling: SourceHandling,
    /// Which dates the server holds.
    pub dates: DateLimits,
    /// `unavailable.value.placeholder`; nothing where no value is left out.
    pub placeholder: &'a [u8],
}

impl RowWriter {
    /// Compiles the columns of a table. `existing`: the table as it is there, whose own columns may have other types.
    pub fn new(
        table: &TableDefinition,
        existing: Option<&ExistingTable>,
        form: RowForm<'_>,
    ) -> Result<Self, UnsupportedType> {
        let position = table.position_columns();
        let key: &[String] = if let Identity::Key(key) = &table.identity { key } else { &[] };
        let columns = table.columns.iter().map(|column| {
            let field = form.schema.and_then(|row| row.fields.iter().find(|field| field.name == column.name));
            let wire_form = match field {
                Some(field) => WireForm::of_schema(&field.schema, &column.source_type, form.handling),
                None => WireForm::of_type(&column.source_type, form.handling),
            };
            let is_place = key.contains(&column.name) || position.contains(&column.name.as_str());
            RowColumn::new(column, wire_form, is_place, form.dates, form.placeholder)
        });
        let typed = table.meta.typed();
        let inserted = typed.iter().filter(|(name, _)| Some(*name) != table.meta.synced_at.as_deref());
        let there = |name: &str| existing?.columns.iter().find(|column| column.name == name);
        let meta = inserted.map(|(name, ours)| {
            let column_type = there(name).map_or(*ours, |column| column.column_type.as_str());
            ((*name).to_owned(), ColumnType::parse(column_type))
        });
        Ok(RowWriter {
            columns: columns.collect::<Result<_, _>>()?,
            meta: meta.collect(),
            deletion: table.meta.deletion.clone(),
            identity: match &table.identity {
                Identity::Key(_) => RowIdentity::Key,
                Identity::RowHash => RowIdentity::Hash,
                Identity::None => RowIdentity::None,
            },
            key: key.to_vec(),
            position: position.into_iter().map(str::to_owned).collect(),
            scratch: Scratch::default(),
        })
    }

    /// Names and types of an insert, in the order of the rows' values.
    pub fn columns(&self) -> Vec<(&str, &ColumnType)> {
        let source = self.columns.iter().map(|column| (column.name.as_str(), &column.column_type));
        source.chain(self.meta.iter().map(|(name, column_type)| (name.as_str(), column_type))).collect()
    }

    /// Names and types of the columns of the key, in the order of [`Self::key_cells`]; none where rows are not told apart by one.
    pub fn key_columns(&self) -> Option<Vec<(&str, &ColumnType)>> {
        let column = |name: &String| self.columns.iter().find(|column| column.name == *name);
        let found =
            self.key.iter().map(|name| column(name).map(|column| (name.as_str(), &column.column_type)));
        found.collect::<Option<Vec<_>>>().filter(|columns| !columns.is_empty())
    }

    /// Encodes the columns of a record's key.
    pub fn key_cells(&mut self, key: &str) -> Result<Vec<u8>, ChangeError> {
        let mut cells = Vec::new();
        let RowWriter { columns, key: names, scratch, .. } = self;
        for name in names.iter() {
            let missing = || ChangeError::MissingColumn { column: name.clone() };
            let column = columns.iter().find(|column| column.name == *name).ok_or_else(missing)?;
            let value = member(key, name).map_err(ChangeError::Json)?.ok_or_else(missing)?;
            let written = column.write(value, false, scratch, &mut cells);
            written.map_err(|source| of_column(column, source, false))?;
        }
        Ok(cells)
    }

    /// The columns whose values a server may leave out.
    pub fn carried_columns(&self) -> impl Iterator<Item = (&str, &ColumnType)> {
        let carried = self.columns.iter().filter(|column| column.may_be_carried());
        carried.map(|column| (column.name.as_str(), &column.column_type))
    }

    /// Encodes these columns of a row. `carried`: what stands for those that were left out.
    pub fn carried_cells(&mut self, row: &str, carried: &CarriedCells) -> Result<CarriedCells, ChangeError> {
        let mut cells = carried.clone();
        self.scratch.carried = Some(CarriedCells::new());
        for column in self.columns.iter().filter(|column| column.may_be_carried()) {
            let Some(value) = member(row, &column.name).map_err(ChangeError::Json)? else { continue };
            let mut cell = Vec::new();
            if column.write(value, false, &mut self.scratch, &mut cell).is_ok() {
                cells.insert(column.name.clone(), cell);
            }
        }
        self.scratch.carried = None;
        Ok(cells)
    }

    /// The values that stand from now on for what the server left out; none: a change that lacks one is an error. What is not
    /// among them is an error of a row, and the default of a deletion.
    pub fn carry(&mut self, cells: Option<CarriedCells>) {
        self.scratch.carried = cells;
    }

    /// Dates that were fitted into the range of the server so far.
    pub const fn clamped(&self) -> u64 {
        self.scratch.clamped
    }

    /// Whether the key of a record is the identity of the table, with the values that its row has (the one after, or of a
    /// deletion the one before). With other columns versions of one row could come from two partitions, and a deletion would miss
    /// its row (section 5.4); and where the source masks or cuts off a key column in the row only, different rows would be
    /// one. A table whose rows have no key takes any, such as one that allows NULL.
    pub fn fits_key(&self, key: Option<&RecordKey<'_>>, row: &str) -> Result<bool, ChangeError> {
        if self.identity != RowIdentity::Key {
            return Ok(true);
        }
        let Some(key) = key else { return Ok(false) };
        if self.begins_with_key(key.columns, row).map_err(ChangeError::Json)? {
            return Ok(true);
        }
        let mut members = Members::of(key.columns).map_err(ChangeError::Json)?;
        let mut found = 0;
        while let Some((name, value)) = members.next_member().map_err(ChangeError::Json)? {
            let is_named = |column: &&String| {
                name.plain().map_or_else(|| name.to_cow() == **column, |name| name == *column)
            };
            let Some(column) = self.key.iter().find(is_named) else { return Ok(false) };
            // One converter printed both, so that equal values are spelled alike.
            if member(row, column).map_err(ChangeError::Json)? != Some(value) {
                return Ok(false);
            }
            found += 1;
        }
        Ok(found == self.key.len())
    }

    /// Whether a row is, up to its first columns, the key as it stands there: most tables begin with their key.
    fn begins_with_key(&self, key: &str, row: &str) -> Result<bool, ScanError> {
        let behind = key.strip_suffix('}').and_then(|columns| row.strip_prefix(columns));
        if !behind.is_some_and(|rest| rest.starts_with([',', '}'])) {
            return Ok(false);
        }
        let mut members = Members::of(key)?;
        for column in self.columns.iter().take(self.key.len()) {
            if !members.take_name(&column.spelled) || !self.key.contains(&column.name) {
                return Ok(false);
            }
            members.value()?;
        }
        Ok(members.next_name()?.is_none())
    }

    /// Appends the rows of a change, and says how many. On an error `out` is as it was.
    #[inline]
    pub fn write(
        &mut self,
        change: &RowChange<'_>,
        version: Version,
        out: &mut Vec<u8>,
    ) -> Result<usize, ChangeError> {
        let start = out.len();
        let written = self.write_change(change, version, out);
        if written.is_err() {
            out.truncate(start);
        }
        written
    }

    fn write_change(
        &mut self,
        change: &RowChange<'_>,
        version: Version,
        out: &mut Vec<u8>,
    ) -> Result<usize, ChangeError> {
        let before = || change.before.ok_or(ChangeError::NoRowBefore);
        let after = match (change.operation, change.after) {
            (Operation::Delete, _) | (_, None) => {
                self.write_row(before()?, true, version, out)?;
                return Ok(1);
            }
            (_, Some(after)) => after,
        };
        if change.operation == Operation::Update {
            let start = out.len();
            match self.identity {
                RowIdentity::Key if self.position.is_empty() => {}
                RowIdentity::Key => {
                    if self.moves(before()?, after)? {
                        self.write_row(before()?, true, version, out)?;
                    }
                }
                RowIdentity::None => {
                    self.write_row(before()?, true, version, out)?;
                }
                RowIdentity::Hash => {
                    let old = self.write_row(before()?, true, version, out)?;
                    let middle = out.len();
                    let new = self.write_row(after, false, version, out)?;
                    if old == new {
                        out.drain(start..middle);
                        return Ok(1);
                    }
                    return Ok(2);
                }
            }
            let moved = usize::from(out.len() > start);
            self.write_row(after, false, version, out)?;
            return Ok(1 + moved);
        }
        self.write_row(after, false, version, out)?;
        Ok(1)
    }

    /// Whether a column that is part of the row's place has another value than before. Equal values are spelled alike.
    fn moves(&self, before: &str, after: &str) -> Result<bool, ChangeError> {
        for name in &self.position {
            let before = member(before, name).map_err(ChangeError::Json)?;
            let after = member(after, name).map_err(ChangeError::Json)?;
            match (before, after) {
                (None | Some(Json::Null), _) => return Err(ChangeError::NoRowBefore),
                (_, None) => return Err(ChangeError::MissingColumn { column: name.clone() }),
                (Some(before), Some(after)) if before != after => return Ok(true),
                _ => {}
            }
        }
        Ok(false)
    }

    /// Appends one row; its hash where that is its key.
    #[inline]
    fn write_row(
        &mut self,
        row: &str,
        deletes: bool,
        version: Version,
        out: &mut Vec<u8>,
    ) -> Result<Option<[u8; HASH_BYTES]>, ChangeError> {
        let start = out.len();
        if !self.write_in_order(row, deletes, out)? {
            out.truncate(start);
            self.write_by_name(row, deletes, out)?;
        }
        let hash =
            (self.identity == RowIdentity::Hash).then(|| row_hash(out.get(start..).unwrap_or_default()));
        out.extend_from_slice(hash.as_ref().map_or(&[], |hash| hash.as_slice()));
        out.extend_from_slice(&version.get().to_le_bytes());
        out.push(self.deletion.byte(deletes));
        Ok(hash)
    }

    /// In one walk; false when the members are not the columns in their order.
    #[inline]
    fn write_in_order(&mut self, row: &str, deletes: bool, out: &mut Vec<u8>) -> Result<bool, ChangeError> {
        let mut members = Members::of(row).map_err(ChangeError::Json)?;
        for column in &self.columns {
            if !members.take_name(&column.spelled) {
                match members.next_name().map_err(ChangeError::Json)? {
                    Some(name) if column.is_named(name) => {}
                    _ => return Ok(false),
                }
            }
            let value = members.value().map_err(ChangeError::Json)?;
            let written = column.write(value, deletes, &mut self.scratch, out);
            written.map_err(|source| of_column(column, source, deletes))?;
        }
        Ok(members.next_name().map_err(ChangeError::Json)?.is_none())
    }

    #[cold]
    fn write_by_name(&mut self, row: &str, deletes: bool, out: &mut Vec<u8>) -> Result<(), ChangeError> {
        let mut members = Members::of(row).map_err(ChangeError::Json)?;
        while let Some((name, _)) = members.next_member().map_err(ChangeError::Json)? {
            if !self.columns.iter().any(|column| column.is_named(name)) {
                return Err(ChangeError::UnknownColumn { column: name.to_cow().into_owned() });
            }
        }
        for column in &self.columns {
            let written = match member(row, &column.name).map_err(ChangeError::Json)? {
                Some(value) => column.write(value, deletes, &mut self.scratch, out),
                None if deletes => column.write_default(out),
                None => return Err(ChangeError::MissingColumn { column: column.name.clone() }),
            };
            written.map_err(|source| of_column(column, source, deletes))?;
        }
        Ok(())
    }
}

/// An error with its column. A deletion without its key is one whose row before is not complete.
#[cold]
fn of_column(column: &RowColumn, source: ValueError, deletes: bool) -> ChangeError {
    if deletes && source == ValueError::Null {
        return ChangeError::NoRowBefore;
    }
    let column_type = column.column_type.to_string();
    ChangeError::Row(RowError::Value { column: column.name.clone(), column_type, source })
}

/// A member of an object by its name.
fn member<'a>(object: &'a str, name: &str) -> Result<Option<Json<'a>>, ScanError> {
    let mut members = Members::of(object)?;
    while let Some((found, value)) = members.next_member()? {
        if found.plain().map_or_else(|| found.to_cow() == name, |plain| plain == name) {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// The key of a row that has none: the first half of the SHA-256 of its encoded columns.
fn row_hash(columns: &[u8]) -> [u8; HASH_BYTES] {
    let mut hash = [0; HASH_BYTES];
    let digest = Sha256::digest(columns);
    for (byte, of_digest) in hash.iter_mut().zip(digest) {
        *byte = of_digest;
    }
    hash
}

#[cfg(test)]
mod tests;
