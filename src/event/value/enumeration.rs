//! ENUM.
//!
//! STRING `io.debezium.data.Enum` with the labels in the parameter `allowed`, joined by commas; a comma or backslash in
//! a label is escaped there by a backslash, but never in a value. The binlog has the number of the label, from 1; 0 is
//! the invalid value, which reads as the empty string. Manual: "The ENUM Type".

use crate::connect::cell::{CellSink, ColumnValue};
use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::event::value::error::{Failure, OTHER_KIND};
use crate::event::value::{Compiled, Family};
use crate::schema::charset::Charset;
use crate::schema::column::Column;

/// An ENUM column.
#[derive(Clone, Debug)]
pub struct Enumeration {
    labels: Vec<String>,
}

pub(super) fn compile(column: &Column) -> Compiled {
    let labels = labels(column);
    Compiled {
        schema: Schema::new(Type::String)
            .named("io.debezium.data.Enum", Some(1))
            .parameter("allowed", allowed(&labels)),
        default: Ok(column.default_value_expression.as_deref().and_then(|text| {
            let place = place(&labels, text);
            // The invalid value is a default, too.
            place
                .map_or(text.is_empty().then_some(""), |place| labels.get(place).map(String::as_str))
                .map(Value::from)
        })),
        zero: Value::String(String::new()),
        family: Family::Enumeration(Enumeration { labels }),
    }
}

/// The labels of an ENUM or SET column.
pub(super) fn labels(column: &Column) -> Vec<String> {
    column.enum_values.iter().map(|literal| unquote(literal)).collect()
}

/// The label that a default names. A statement may spell it in another case; what only a collation finds alike (an accent
/// that does not matter) is not found.
pub(super) fn place(labels: &[String], text: &str) -> Option<usize> {
    let lower = text.to_lowercase();
    let same = labels.iter().position(|label| label == text);
    same.or_else(|| labels.iter().position(|label| label.to_lowercase() == lower))
}

/// The parameter `allowed`.
pub(super) fn allowed(labels: &[String]) -> String {
    let mut text = String::new();
    for (index, label) in labels.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        for character in label.chars() {
            if character == ',' || character == '\\' {
                text.push('\\');
            }
            text.push(character);
        }
    }
    text
}

/// The text of a quoted SQL literal. Manual: "String Literals", table "Special Character Escape Sequences".
fn unquote(literal: &str) -> String {
    let Some(quote) = literal.chars().next().filter(|quote| *quote == '\'' || *quote == '"') else {
        return literal.to_owned();
    };
    let inner = literal.get(1..).unwrap_or_default();
    let inner = inner.strip_suffix(quote).unwrap_or(inner);
    let mut text = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        if character == quote {
            // A doubled quote is one.
            text.push(quote);
            characters.next();
        } else if character == '\\' {
            match characters.next() {
                Some('0') => text.push('\0'),
                Some('b') => text.push('\u{8}'),
                Some('n') => text.push('\n'),
                Some('r') => text.push('\r'),
                Some('t') => text.push('\t'),
                Some('Z') => text.push('\u{1a}'),
                // Only patterns know these two; outside of them the backslash stays.
                Some(wildcard @ ('%' | '_')) => text.extend(['\\', wildcard]),
                Some(other) => text.push(other),
                None => text.push('\\'),
            }
        } else {
            text.push(character);
        }
    }
    text
}

impl Enumeration {
    #[inline]
    pub(super) fn write<S: CellSink>(
        &self,
        value: ColumnValue<'_>,
        scratch: &mut Vec<u8>,
        sink: &mut S,
    ) -> Result<(), Failure> {
        match value {
            ColumnValue::Enum(0) => sink.string(""),
            ColumnValue::Enum(number) => match self.labels.get(usize::from(number) - 1) {
                Some(label) => sink.string(label),
                None => {
                    return Err(Failure::Unrepresentable(
                        "the ENUM has a number without a label in the schema history",
                    ));
                }
            },
            ColumnValue::Text(label) => sink.string(label),
            // A result set has labels of the character set `binary` as bytes.
            ColumnValue::Bytes(label) => sink.string(Charset::UTF8MB4.decode(label, scratch)),
            _ => return Err(OTHER_KIND),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::value::tests::{TestColumn, config};

    /// types_enum_set; the label with a comma is published as it is (the reference adds a backslash in the stream).
    #[test]
    fn labels_are_escaped_in_the_schema_only() {
        let column = TestColumn {
            enum_values: &["'it''s'", "'a,b'", "'say \"hi\"'", r"'back\\slash'", "'(p)'", "''"],
            ..TestColumn::new("ENUM").optional()
        };
        assert_eq!(
            column.schema_json(&config()),
            r#"{"type":"string","optional":true,"name":"io.debezium.data.Enum","version":1,"parameters":{"allowed":"it's,a\\,b,say \"hi\",back\\\\slash,(p),"}}"#
        );
        for (number, json) in [
            (0, r#""""#),
            (1, r#""it's""#),
            (2, r#""a,b""#),
            (4, r#""back\\slash""#),
            (6, r#""""#),
            (7, "null"),
        ] {
            assert_eq!(column.json(&config(), ColumnValue::Enum(number)), json);
        }
        assert_eq!(column.json(&config(), ColumnValue::Text("a,b")), r#""a,b""#);
        assert_eq!(column.json(&config(), ColumnValue::Bytes(b"(p)")), r#""(p)""#);
    }

    #[test]
    fn literals_are_unquoted_as_mysql_reads_them() {
        for (literal, text) in [
            ("'a'", "a"),
            ("'d''e'", "d'e"),
            (r"'\'\n\Z\q\%'", "'\n\u{1a}q\\%"),
            ("\"x\"\"y\"", "x\"y"),
            ("a", "a"),
        ] {
            assert_eq!(unquote(literal), text);
        }
    }
}
