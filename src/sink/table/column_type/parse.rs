//! The server's text of a type → `ColumnType`.
//!
//! A type is a name, or a name with arguments between parentheses. Arguments are split at the commas that are outside
//! quotes and inner parentheses. Whatever does not come out as one of our types in this way keeps its text.

use crate::sink::table::column_type::{ColumnType, Width};

pub(super) fn column_type(text: &str) -> ColumnType {
    known(text.trim()).unwrap_or_else(|| ColumnType::Other(text.to_owned()))
}

fn known(text: &str) -> Option<ColumnType> {
    let Some((name, rest)) = text.split_once('(') else { return simple(text) };
    let arguments = split(rest.strip_suffix(')')?);
    let one = || match arguments.as_slice() {
        [inner] => Some(Box::new(column_type(inner))),
        _ => None,
    };
    Some(match (name.trim(), arguments.as_slice()) {
        ("Nullable", _) => ColumnType::Nullable(one()?),
        ("LowCardinality", _) => ColumnType::LowCardinality(one()?),
        ("Array", _) => ColumnType::Array(one()?),
        ("Decimal", [precision, scale]) => {
            ColumnType::Decimal { precision: precision.parse().ok()?, scale: scale.parse().ok()? }
        }
        ("FixedString", [length]) => ColumnType::FixedString(length.parse().ok()?),
        ("DateTime", [zone]) => ColumnType::DateTime { zone: Some(unquoted(zone)?) },
        ("DateTime64", [precision]) => {
            ColumnType::DateTime64 { precision: precision.parse().ok()?, zone: None }
        }
        ("DateTime64", [precision, zone]) => {
            ColumnType::DateTime64 { precision: precision.parse().ok()?, zone: Some(unquoted(zone)?) }
        }
        ("Time64", [precision]) => ColumnType::Time64(precision.parse().ok()?),
        _ => return None,
    })
}

fn simple(name: &str) -> Option<ColumnType> {
    Some(match name {
        "Bool" => ColumnType::Bool,
        "Int8" => ColumnType::Int(Width::One),
        "Int16" => ColumnType::Int(Width::Two),
        "Int32" => ColumnType::Int(Width::Four),
        "Int64" => ColumnType::Int(Width::Eight),
        "UInt8" => ColumnType::UInt(Width::One),
        "UInt16" => ColumnType::UInt(Width::Two),
        "UInt32" => ColumnType::UInt(Width::Four),
        "UInt64" => ColumnType::UInt(Width::Eight),
        "Float32" => ColumnType::Float32,
        "Float64" => ColumnType::Float64,
        "String" => ColumnType::String,
        "Date" => ColumnType::Date,
        "Date32" => ColumnType::Date32,
        "DateTime" => ColumnType::DateTime { zone: None },
        "UUID" => ColumnType::Uuid,
        "IPv4" => ColumnType::IPv4,
        "IPv6" => ColumnType::IPv6,
        "JSON" => ColumnType::Json,
        _ => return None,
    })
}

/// The arguments of a type, trimmed.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut in_quotes, mut escaped, mut start) = (0usize, false, false, 0);
    let mut parts = Vec::new();
    for (at, character) in text.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' if in_quotes => escaped = true,
            '\'' => in_quotes = !in_quotes,
            _ if in_quotes => {}
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(text.get(start..at).unwrap_or_default().trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or_default().trim());
    parts
}

/// A zone's name; none with anything to escape.
fn unquoted(text: &str) -> Option<String> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    (!inner.contains(['\'', '\\'])).then(|| inner.to_owned())
}
