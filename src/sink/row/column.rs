//! One column of a record's row, compiled: takes a value of the record's JSON and has it encoded.
//!
//! Strings with escapes and bytes in base64 are unfolded into a buffer that all values share, since each is encoded at once.
//! A deletion must find the row that it deletes and nothing else, so where its image lacks a value that the column must have,
//! the type's default stands for it, but never in a sorting key.
//!
//! A server with `binlog_row_image=NOBLOB` leaves unchanged texts and bytes out of its row images, and the source publishes a
//! placeholder. It is never stored: the row before lends its value (`RowWriter::carry`), or the change is refused.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};

use crate::config::sink::modes::OutOfRangeMode;
use crate::sink::record::scanner::{Elements, Json, Members};
use crate::sink::record::text::Text;
use crate::sink::row::json_text::write_canonical;
use crate::sink::row::wire_form::{BytesText, WireForm};
use crate::sink::row_binary::cell::Cell;
use crate::sink::row_binary::column_writer::ColumnWriter;
use crate::sink::row_binary::error::{UnsupportedType, ValueError};
use crate::sink::row_binary::temporal;
use crate::sink::table::column_type::ColumnType;
use crate::sink::table::mapping::temporal_range::{DateRange, Fitted};
use crate::sink::table::mapping::{MappedColumn, SourceType};

/// What dates a server holds, and what becomes of others.
#[derive(Clone, Copy, Debug, Default)]
pub struct DateLimits {
    /// The server's range.
    pub range: DateRange,
    /// `dates.out.of.range`.
    pub mode: OutOfRangeMode,
}

/// Buffers of the values, and what was counted of them.
#[derive(Debug, Default)]
pub struct Scratch {
    text: String,
    document: String,
    bytes: Vec<u8>,
    elements: Vec<Cell<'static>>,
    /// Dates that were fitted into the server's range.
    pub clamped: u64,
    /// Encoded values by column, for those that were left out; none where these are not known yet.
    pub carried: Option<CarriedCells>,
}

/// Encoded values by the name of their column.
pub type CarriedCells = HashMap<String, Vec<u8>>;

/// A column.
#[derive(Clone, Debug)]
pub struct RowColumn {
    /// Its name.
    pub name: String,
    /// The name as a member of a row begins.
    pub spelled: String,
    /// Its type in the table.
    pub column_type: ColumnType,
    form: WireForm,
    writer: ColumnWriter,
    /// The value of a deletion that has none.
    default: Cell<'static>,
    /// Part of the sorting key or partition key.
    is_place: bool,
    /// A floating-point number of a key: -0 and 0 are one value in MySQL and two in ClickHouse.
    is_float_key: bool,
    /// A JSON document: its text is brought into one spelling.
    is_document: bool,
    /// A TIME in a column of text, with the digits of its fraction.
    time_text: Option<u8>,
    /// Only where a server does not hold all dates.
    dates: Option<(DateLimits, u8)>,
    /// What stands for a value that the server left out, as it is spelled here; only texts and bytes are left out.
    placeholder: Option<String>,
}

impl RowColumn {
    /// Compiles a column.
    pub fn new(
        column: &MappedColumn,
        form: WireForm,
        is_place: bool,
        limits: DateLimits,
        placeholder: &[u8],
    ) -> Result<Self, UnsupportedType> {
        let unsupported =
            || UnsupportedType { column: column.name.clone(), column_type: column.column_type.to_string() };
        let value_type = column.column_type.value_type();
        let padded = match column.source_type {
            SourceType::Binary(length) => usize::try_from(length).map_err(|_| unsupported())?,
            _ => 0,
        };
        let digits = match value_type {
            ColumnType::Date32 => Some(0),
            ColumnType::DateTime64 { precision, .. } => Some(*precision),
            _ => None,
        };
        let time_text = match column.source_type {
            SourceType::Time(digits) if *value_type == ColumnType::String => Some(digits),
            _ => None,
        };
        Ok(RowColumn {
            name: column.name.clone(),
            spelled: format!("{}:", serde_json::Value::from(column.name.as_str())),
            column_type: column.column_type.clone(),
            form,
            writer: ColumnWriter::new(&column.column_type).ok_or_else(unsupported)?.padded_to(padded),
            default: if column.column_type.is_nullable() { Cell::Null } else { default_of(value_type) },
            is_place,
            is_float_key: is_place && matches!(value_type, ColumnType::Float32 | ColumnType::Float64),
            is_document: column.source_type == SourceType::Json,
            time_text,
            dates: digits.filter(|_| limits.range != DateRange::Full).map(|digits| (limits, digits)),
            placeholder: spelled(placeholder, &column.source_type, form).filter(|_| !is_place),
        })
    }

    /// Whether values of it are left out by a server, and another row's can stand for one.
    pub fn may_be_carried(&self) -> bool {
        self.placeholder.is_some() && *self.column_type.value_type() == ColumnType::String
    }

    /// Whether a member of the record's row has the name of the column.
    #[inline]
    pub fn is_named(&self, name: Text<'_>) -> bool {
        match name.plain() {
            Some(plain) => plain == self.name,
            None => name.to_cow() == self.name,
        }
    }

    /// Appends a value, of a deletion or of a row.
    #[inline]
    pub fn write(
        &self,
        json: Json<'_>,
        deletes: bool,
        scratch: &mut Scratch,
        out: &mut Vec<u8>,
    ) -> Result<(), ValueError> {
        let Scratch { text, document, bytes, elements, clamped, carried } = scratch;
        let cell = match (json, self.form) {
            (Json::Null, WireForm::Vector) => Cell::List(&[]),
            (Json::Null, _) if deletes && !self.is_place => self.default,
            (Json::Null, _) => Cell::Null,
            (Json::Boolean(value), _) => Cell::Bool(value),
            (Json::Number(digits), WireForm::Days) => Cell::Days(whole(digits)?),
            (Json::Number(digits), WireForm::Ticks { digits: of_second }) => {
                Cell::Ticks { count: whole(digits)?, digits: of_second }
            }
            (Json::Number(digits), _) if self.is_float_key && is_zero(digits) => Cell::Number("0"),
            (Json::Number(digits), _) => Cell::Number(digits),
            (Json::String(string), _) if self.is_left_out(string, text) => {
                return self.write_carried(carried.as_ref(), deletes, out);
            }
            (Json::String(string), WireForm::Bytes(spelling)) => {
                decoded(string.unescaped(text), spelling, bytes)?;
                Cell::Bytes(bytes)
            }
            (Json::String(string), WireForm::Decimal { scale }) => {
                decoded(string.unescaped(text), BytesText::Base64, bytes)?;
                Cell::Decimal { unscaled: bytes, scale }
            }
            (Json::String(string), _) if self.is_document => {
                document.clear();
                write_canonical(string.unescaped(text), document);
                Cell::Text(document)
            }
            (Json::String(string), _) => Cell::Text(string.unescaped(text)),
            (Json::Object(object), WireForm::Geometry) => {
                well_known_binary(object, text, bytes)?;
                Cell::Bytes(bytes)
            }
            (Json::Array(array), WireForm::Vector) => return self.write_vector(array, elements, out),
            (Json::Object(_), _) => return Err(ValueError::Kind { found: "an object" }),
            (Json::Array(_), _) => return Err(ValueError::Kind { found: "an array" }),
        };
        if let (Some(digits), Cell::Ticks { count, digits: of_second }) = (self.time_text, cell) {
            text.clear();
            duration_text(temporal::rescaled(count, of_second, 6)?, digits, text);
            return self.writer.write(&Cell::Text(text), out);
        }
        let cell = match self.dates {
            Some((limits, digits)) => fitted(cell, limits, digits, clamped)?,
            None => cell,
        };
        self.writer.write(&cell, out)
    }

    #[inline]
    fn is_left_out(&self, value: Text<'_>, text: &mut String) -> bool {
        self.placeholder.as_deref().is_some_and(|placeholder| match value.plain() {
            Some(plain) => plain == placeholder,
            None => value.unescaped(text) == placeholder,
        })
    }

    #[cold]
    fn write_carried(
        &self,
        carried: Option<&CarriedCells>,
        deletes: bool,
        out: &mut Vec<u8>,
    ) -> Result<(), ValueError> {
        let carried = carried.ok_or(ValueError::LeftOut)?;
        match carried.get(&self.name) {
            Some(cell) => {
                out.extend_from_slice(cell);
                Ok(())
            }
            None if deletes => self.writer.write(&self.default, out),
            None => Err(ValueError::LeftOut),
        }
    }

    /// What stands for the value that the row of a deletion lacks; none in a key.
    pub fn write_default(&self, out: &mut Vec<u8>) -> Result<(), ValueError> {
        if self.is_place { Err(ValueError::Null) } else { self.writer.write(&self.default, out) }
    }

    fn write_vector(
        &self,
        array: &str,
        elements: &mut Vec<Cell<'static>>,
        out: &mut Vec<u8>,
    ) -> Result<(), ValueError> {
        let mut cells: Vec<Cell<'_>> = std::mem::take(elements);
        let read = read_numbers(array, &mut cells);
        let written = read.and_then(|()| self.writer.write(&Cell::List(&cells), out));
        cells.clear();
        // Nothing is in it: the memory goes back for the next one, collected in place.
        *elements = cells.into_iter().map(|_| Cell::Null).collect();
        written
    }
}

fn read_numbers<'a>(array: &'a str, cells: &mut Vec<Cell<'a>>) -> Result<(), ValueError> {
    let mut walk = Elements::of(array).map_err(|_| ValueError::Text)?;
    while let Some(element) = walk.next_element().map_err(|_| ValueError::Text)? {
        cells.push(match element {
            Json::Number(digits) => Cell::Number(digits),
            _ => return Err(ValueError::Kind { found: "an array of other things than numbers" }),
        });
    }
    Ok(())
}

/// A placeholder as it stands in a column's JSON.
fn spelled(placeholder: &[u8], source: &SourceType, form: WireForm) -> Option<String> {
    if placeholder.is_empty() {
        return None;
    }
    match (source, form) {
        (SourceType::Text, WireForm::Plain) => String::from_utf8(placeholder.to_vec()).ok(),
        (SourceType::Bytes, WireForm::Bytes(BytesText::Base64)) => Some(STANDARD.encode(placeholder)),
        (SourceType::Bytes, WireForm::Bytes(BytesText::Base64UrlSafe)) => Some(URL_SAFE.encode(placeholder)),
        (SourceType::Bytes, WireForm::Bytes(BytesText::Hex)) => {
            Some(placeholder.iter().map(|byte| format!("{byte:02x}")).collect())
        }
        _ => None,
    }
}

#[inline]
fn whole(digits: &str) -> Result<i64, ValueError> {
    digits.parse().map_err(|_| ValueError::Range)
}

/// Whether a number is 0 or -0.
fn is_zero(digits: &str) -> bool {
    let mantissa = digits.split(['e', 'E']).next().unwrap_or_default();
    mantissa.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'))
}

/// Bytes out of their text.
fn decoded(text: &str, spelling: BytesText, bytes: &mut Vec<u8>) -> Result<(), ValueError> {
    bytes.clear();
    let base64 = match spelling {
        BytesText::Base64 => STANDARD.decode_vec(text, bytes),
        BytesText::Base64UrlSafe => URL_SAFE.decode_vec(text, bytes),
        BytesText::Hex => {
            let (pairs, rest) = text.as_bytes().as_chunks::<2>();
            if !rest.is_empty() {
                return Err(ValueError::Text);
            }
            for pair in pairs {
                let digit =
                    |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
                let [Some(high), Some(low)] = pair.map(digit) else { return Err(ValueError::Text) };
                bytes.push(high << 4 | low);
            }
            Ok(())
        }
    };
    base64.map_err(|_| ValueError::Text)
}

/// The member `wkb` of a geometry.
fn well_known_binary(object: &str, text: &mut String, bytes: &mut Vec<u8>) -> Result<(), ValueError> {
    let mut members = Members::of(object).map_err(|_| ValueError::Text)?;
    while let Some((name, value)) = members.next_member().map_err(|_| ValueError::Text)? {
        if name.is("wkb") {
            let Json::String(string) = value else { break };
            return decoded(string.unescaped(text), BytesText::Base64, bytes);
        }
    }
    Err(ValueError::Kind { found: "an object without wkb" })
}

/// Brings a date into the server's range, or says that it is not in it.
fn fitted<'a>(
    cell: Cell<'a>,
    limits: DateLimits,
    precision: u8,
    clamped: &mut u64,
) -> Result<Cell<'a>, ValueError> {
    let (fitted, as_cell): (_, fn(i64, u8) -> Cell<'static>) = match cell {
        Cell::Days(days) => (limits.range.fit_days(days, limits.mode), |days, _| Cell::Days(days)),
        Cell::Ticks { count, digits } => {
            let ticks = temporal::rescaled(count, digits, precision)?;
            let cell = |count, digits| Cell::Ticks { count, digits };
            (limits.range.fit_ticks(ticks, precision, limits.mode), cell)
        }
        // The texts of instants are those of TIMESTAMP, which every server holds.
        other => return Ok(other),
    };
    match fitted {
        Fitted::Exact(value) => Ok(as_cell(value, precision)),
        Fitted::Clamped(value) => {
            *clamped += 1;
            Ok(as_cell(value, precision))
        }
        Fitted::Null => {
            *clamped += 1;
            Ok(Cell::Null)
        }
        Fitted::Refused => Err(ValueError::Range),
    }
}

/// A duration as MySQL prints it: `-838:59:59.000000`, at least two digits of hours.
fn duration_text(micros: i64, digits: u8, out: &mut String) {
    use std::fmt::Write;
    let (size, sign) = (micros.unsigned_abs(), if micros < 0 { "-" } else { "" });
    let (seconds, fraction) = (size / 1_000_000, size % 1_000_000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    // Writing into a string cannot fail.
    let _ = write!(out, "{sign}{hours:02}:{minutes:02}:{seconds:02}");
    if digits > 0 {
        let length = out.len() + 1 + usize::from(digits.min(6));
        let _ = write!(out, ".{fraction:06}");
        out.truncate(length);
    }
}

/// What a type holds when nothing was given, in the kind of cell that its encoder takes.
fn default_of(value_type: &ColumnType) -> Cell<'static> {
    match value_type {
        ColumnType::Float32 | ColumnType::Float64 => Cell::Float32(0.0),
        ColumnType::String | ColumnType::FixedString(_) => Cell::Text(""),
        ColumnType::Json => Cell::Text("{}"),
        ColumnType::Date | ColumnType::Date32 => Cell::Days(0),
        ColumnType::DateTime { .. } | ColumnType::DateTime64 { .. } | ColumnType::Time64(_) => {
            Cell::Ticks { count: 0, digits: 0 }
        }
        ColumnType::Uuid | ColumnType::IPv6 => Cell::Bytes(&[0; 16]),
        ColumnType::IPv4 => Cell::Bytes(&[0; 4]),
        ColumnType::Array(_) => Cell::List(&[]),
        _ => Cell::Int(0),
    }
}

#[cfg(test)]
mod tests;
