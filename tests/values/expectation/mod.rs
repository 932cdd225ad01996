//! What must be published, derived from the server's own text by the rules of Debezium's type mapping (section 6 of its
//! documentation: "Data type mappings"), and never from what was published.
//!
//! A cell has a value; or it is missing, as a zero date is; or it has no form in the field's schema, such as a TIME of 25
//! hours where times of day are wanted. NULL, what is missing and (with the failure modes `warn` and `skip`) what has no
//! form becomes null where the column allows it; otherwise the default of the schema, else the zero of the type.

mod documents;
mod shape;
mod temporal;

pub use documents::same_document;
pub use shape::shape;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};

use crate::Outcome;
use crate::column::{Column, Kind};
use crate::json::Json;
use crate::modes::{BinaryMode, DecimalMode, Modes};
use crate::server::Version;
use crate::value::Value;

/// Which of the two spellings of JSON and TIMESTAMP a record has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    Snapshot,
    /// Of a snapshot with `tidewire.snapshot.values=stream`: the stream's, as far as the server's text of a document tells.
    SnapshotAsStream,
    Stream,
}

/// What a cell means.
#[derive(Clone, Debug, PartialEq)]
pub enum Meaning {
    Value(Value),
    /// No value, though the server has one.
    Missing,
    /// A value that the schema cannot hold.
    NoForm,
}

/// What the server's text of a cell means. `declared`: the connector knows the column from the statement that made it.
pub fn meaning(
    kind: &Kind,
    text: &str,
    modes: Modes,
    spelling: Spelling,
    declared: bool,
) -> Outcome<Meaning> {
    let wrong = || format!("the server's text is not understood: {text}");
    let value = match kind {
        Kind::Integer { boolean: true, .. } if declared => {
            Value::Boolean(text.parse::<i128>().map_err(|_| wrong())? != 0)
        }
        Kind::Integer { bytes, unsigned, .. } => {
            let number: i128 = text.parse().map_err(|_| wrong())?;
            match (*bytes == 8 && *unsigned, modes.precise_bigint) {
                (true, true) => Value::Decimal(number.to_string()),
                (true, false) => Value::Integer(i128::from(number as u64 as i64)),
                _ => Value::Integer(number),
            }
        }
        Kind::Decimal { .. } => decimal(text, modes.decimal).ok_or_else(wrong)?,
        Kind::Float { narrow, .. } => {
            let number: f64 = text.parse().map_err(|_| wrong())?;
            if *narrow { Value::Float32((number as f32).to_bits()) } else { Value::double(number) }
        }
        Kind::Bit { length } => {
            let number: u64 = text.parse().map_err(|_| wrong())?;
            match length {
                1 => Value::Boolean(number != 0),
                _ => Value::Bytes(number.to_le_bytes()[..usize::from(*length).div_ceil(8)].to_vec()),
            }
        }
        Kind::Year => Value::Integer(text.parse().map_err(|_| wrong())?),
        Kind::Date => return temporal::date(text, modes, spelling).ok_or_else(wrong),
        Kind::Time { .. } => return temporal::time(text, modes).ok_or_else(wrong),
        Kind::DateTime { digits } => {
            return temporal::date_time(text, *digits, modes, spelling).ok_or_else(wrong);
        }
        Kind::Timestamp { digits } => return temporal::timestamp(text, *digits, spelling).ok_or_else(wrong),
        Kind::Text { .. } | Kind::Enum { .. } | Kind::Set { .. } => {
            Value::Text(utf8(text).ok_or_else(wrong)?)
        }
        // A character for each byte, as Debezium streams it.
        Kind::Binary { text: true, .. } if declared => {
            Value::Text(unhex(text).ok_or_else(wrong)?.into_iter().map(char::from).collect())
        }
        Kind::Binary { .. } => binary(&unhex(text).ok_or_else(wrong)?, modes.binary),
        Kind::Json => {
            let text = utf8(text).ok_or_else(wrong)?;
            match spelling {
                Spelling::Snapshot => Value::Text(text),
                Spelling::SnapshotAsStream => Value::Document(Json::parse_lenient(&text)?),
                Spelling::Stream => Value::Document(documents::streamed(&Json::parse_lenient(&text)?)),
            }
        }
        Kind::Geometry { subtype, .. } => {
            geometry(&unhex(text).ok_or_else(wrong)?, subtype).ok_or_else(wrong)?
        }
        Kind::Vector { .. } => Value::Vector(
            unhex(text)
                .ok_or_else(wrong)?
                .chunks(4)
                .map(|item| item.iter().rev().fold(0, |sum, byte| sum << 8 | u32::from(*byte)))
                .collect(),
        ),
    };
    Ok(Meaning::Value(value))
}

/// Whether the server's text does not tell all that the stream's spelling depends on: whether a string of a JSON document
/// is a time or bytes, whether a number is a double, whether there is a document at all.
pub fn is_ambiguous(kind: &Kind, text: &str, version: Version) -> bool {
    let document = utf8(text).and_then(|text| Json::parse_lenient(&text).ok());
    *kind == Kind::Json
        && document
            .is_none_or(|document| document == Json::Null || documents::is_ambiguous(&document, version))
}

/// What else a cell may be: a JSON column that allows no null may hold no document, zero bytes, for which the server prints
/// `null` and Debezium streams `{}`.
pub fn alternative(column: &Column, text: Option<&str>, spelling: Spelling) -> Option<Value> {
    let is_null =
        column.kind == Kind::Json && !column.nullable && text.and_then(utf8).as_deref() == Some("null");
    (is_null && spelling == Spelling::Stream).then(|| Value::Text("{}".to_owned()))
}

/// The server's text for a person: text is asked for in hexadecimal digits.
pub fn readable(kind: &Kind, text: Option<&str>) -> String {
    match (kind, text) {
        (_, None) => "NULL".to_owned(),
        (Kind::Text { .. } | Kind::Enum { .. } | Kind::Set { .. } | Kind::Json, Some(digits)) => {
            utf8(digits).map_or_else(|| format!("not UTF-8: {digits}"), |text| format!("{text:?} ({digits})"))
        }
        (_, Some(text)) => text.to_owned(),
    }
}

/// What stands for a missing value in a column that allows no null and has no default. Only dates can be missing there.
pub fn zero(column: &Column, modes: Modes) -> Value {
    temporal::zero(&column.kind, modes)
}

/// A DECIMAL: the server's text without ZEROFILL's zeros.
fn decimal(text: &str, mode: DecimalMode) -> Option<Value> {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    let (whole, fraction) =
        digits.split_once('.').map_or((digits, None), |(whole, rest)| (whole, Some(rest)));
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let plain = match fraction {
        Some(fraction) => format!("{sign}{whole}.{fraction}"),
        None => format!("{sign}{whole}"),
    };
    Some(match mode {
        DecimalMode::Precise => Value::Decimal(plain),
        DecimalMode::Double => Value::double(plain.parse().ok()?),
        DecimalMode::String => Value::Text(plain),
    })
}

fn binary(bytes: &[u8], mode: BinaryMode) -> Value {
    match mode {
        BinaryMode::Bytes => Value::Bytes(bytes.to_vec()),
        BinaryMode::Base64 => Value::Text(STANDARD.encode(bytes)),
        BinaryMode::Base64UrlSafe => Value::Text(URL_SAFE.encode(bytes)),
        BinaryMode::Hex => Value::Text(bytes.iter().map(|byte| format!("{byte:02x}")).collect()),
    }
}

/// The server's form: the SRID in four bytes, least significant first, then well-known binary.
fn geometry(stored: &[u8], subtype: &str) -> Option<Value> {
    let (srid, wkb) = stored.split_at_checked(4)?;
    let srid = srid.iter().rev().fold(0, |sum, byte| sum << 8 | i128::from(*byte));
    let double = |at: usize| Some(u64::from_le_bytes(wkb.get(at..at + 8)?.try_into().ok()?));
    let point = if subtype == "POINT" { Some((double(5)?, double(13)?)) } else { None };
    // Connect's INT32.
    let srid = (srid != 0).then(|| i128::from(srid as u32 as i32));
    Some(Value::Geometry { wkb: wkb.to_vec(), srid, point })
}

/// The bytes of hexadecimal digits.
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        text.chars().map(|digit| digit.to_digit(16).map(|digit| digit as u8)).collect();
    let digits = digits?;
    (digits.len() % 2 == 0).then(|| digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

fn utf8(text: &str) -> Option<String> {
    String::from_utf8(unhex(text)?).ok()
}
