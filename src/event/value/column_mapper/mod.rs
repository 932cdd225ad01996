//! What `column.mask.*` and `column.truncate.*` do to a value: between the column's mapping and the encoder.
//!
//! A [`Mapper`] is compiled for a column, and a [`MapperSink`] stands before the encoder's sink for the time of one cell. It
//! sees what the mapping made of the cell, so that a DECIMAL printed as text is cut like any text. Null stays null, but
//! for stars, which stand for null too. Keys are never mapped, nor are the defaults of schemas.
//!
//! Masks act where Debezium has text of SQL's character types: CHAR, VARCHAR, TEXT, ENUM and SET. A column of another type
//! is published as it is, though its schema says `masked`; that is logged. Truncation acts on text of any type and on the
//! bytes of binary columns, and only where the column may hold more.

pub mod digest;
mod java_string;

use std::sync::Arc;

use crate::config::column_mapper::ColumnMapper;
use crate::connect::cell::{CellSink, Scalar};
use crate::connect::schema::{Schema, Type};
use crate::event::value::column_mapper::digest::ColumnHash;
use crate::event::value::error::Failure;
use crate::schema::column::Column;

/// What happens to a value.
#[derive(Debug)]
pub enum Mapper {
    /// It becomes this text, null too.
    Mask(Box<str>),
    /// It becomes a hash.
    Hash(Box<ColumnHash>),
    /// It ends after so many UTF-16 units or bytes.
    Truncate {
        /// How many.
        length: usize,
        /// Whether bytes are cut: those of binary columns, not those that are a number or bits.
        bytes: bool,
    },
    /// It would become text in a field that holds none; nothing is published of it.
    Withhold,
}

/// The java.sql.Types numbers of text: LONGNVARCHAR, NCHAR, NVARCHAR, LONGVARCHAR, CHAR, VARCHAR, DATALINK, CLOB, NCLOB.
const TEXT: [i32; 9] = [-16, -15, -9, -1, 1, 12, 70, 2005, 2011];

impl Mapper {
    /// The mapper of a column whose field has this schema, which gets the parameter that tells of it.
    pub fn compile(
        mapper: &ColumnMapper,
        column: &Column,
        name: &Arc<str>,
        schema: &mut Schema,
    ) -> Option<Self> {
        let masked = match mapper {
            ColumnMapper::Truncate { length } => {
                // A column that holds no more has nothing to cut.
                if column.length.is_some_and(|held| i64::from(held) <= i64::from(*length)) {
                    return None;
                }
                schema.parameters.push(("truncateLength".to_owned(), length.to_string()));
                let bytes = schema.name.is_none();
                return usize::try_from(*length).ok().map(|length| Mapper::Truncate { length, bytes });
            }
            ColumnMapper::Mask { length } => Mapper::Mask("*".repeat(usize::from(*length)).into()),
            ColumnMapper::Hash(hash) => Mapper::Hash(Box::new(ColumnHash::new(hash, column.length))),
        };
        schema.parameters.push(("masked".to_owned(), "true".to_owned()));
        if !TEXT.contains(&column.jdbc_type) {
            tracing::warn!(column = %name, "a column.mask property names a column that is no text: its values are published as they are");
            return None;
        }
        Some(if schema.kind == Type::String { masked } else { Mapper::Withhold })
    }

    /// A sink that maps what it is given and hands it on.
    pub fn before<'a, S: CellSink>(&'a self, sink: &'a mut S) -> MapperSink<'a, S> {
        MapperSink { mapper: self, sink, withheld: false }
    }
}

/// Adds what `column.propagate.source.type` tells of a column: its type as the schema history names it, its length and
/// scale where written, its comment where comments are kept, its name.
pub fn propagate(column: &Column, comments: bool, schema: &mut Schema) {
    const PREFIX: &str = "__debezium.source.column.";
    let comment = column.comment.clone().filter(|comment| comments && !comment.is_empty());
    let facts = [
        ("type", Some(column.type_name.to_uppercase())),
        ("length", column.length.map(|length| length.to_string())),
        ("scale", column.scale.map(|scale| scale.to_string())),
        ("comment", comment),
        ("name", Some(column.name.clone())),
    ];
    let facts = facts.into_iter().filter_map(|(name, value)| Some((format!("{PREFIX}{name}"), value?)));
    schema.parameters.extend(facts);
}

/// A sink before another one.
pub struct MapperSink<'a, S> {
    mapper: &'a Mapper,
    sink: &'a mut S,
    /// The cell was not handed on.
    withheld: bool,
}

impl<S> MapperSink<'_, S> {
    /// Whether the cell was handed on.
    pub fn result(&self) -> Result<(), Failure> {
        if self.withheld {
            return Err(Failure::Unrepresentable("a mask is text, and the field of the column is not"));
        }
        Ok(())
    }
}

impl<S: CellSink> MapperSink<'_, S> {
    fn pass(&mut self, write: impl FnOnce(&mut S)) {
        match self.mapper {
            Mapper::Withhold => self.withheld = true,
            Mapper::Mask(_) | Mapper::Hash(_) | Mapper::Truncate { .. } => write(self.sink),
        }
    }
}

impl<S: CellSink> CellSink for MapperSink<'_, S> {
    fn null(&mut self) {
        match self.mapper {
            Mapper::Mask(mask) => self.sink.string(mask),
            Mapper::Hash(_) | Mapper::Truncate { .. } | Mapper::Withhold => self.sink.null(),
        }
    }

    fn boolean(&mut self, value: bool) {
        self.pass(|sink| sink.boolean(value));
    }

    fn integer(&mut self, value: i64) {
        self.pass(|sink| sink.integer(value));
    }

    fn float32(&mut self, value: f32) {
        self.pass(|sink| sink.float32(value));
    }

    fn float64(&mut self, value: f64) {
        self.pass(|sink| sink.float64(value));
    }

    fn string(&mut self, value: &str) {
        match self.mapper {
            Mapper::Mask(mask) => self.sink.string(mask),
            Mapper::Hash(hash) => hash.with_hex(value, |hex| self.sink.ascii(hex)),
            Mapper::Truncate { length, .. } => self.sink.string(first_units(value, *length)),
            Mapper::Withhold => self.withheld = true,
        }
    }

    fn ascii(&mut self, value: &[u8]) {
        self.string(std::str::from_utf8(value).unwrap_or_default());
    }

    fn bytes(&mut self, value: &[u8]) {
        match self.mapper {
            Mapper::Truncate { length, bytes: true } => {
                self.sink.bytes(value.get(..*length).unwrap_or(value));
            }
            Mapper::Mask(_) | Mapper::Hash(_) | Mapper::Truncate { .. } => self.sink.bytes(value),
            Mapper::Withhold => self.withheld = true,
        }
    }

    fn fields(&mut self, fields: &[(&str, Scalar<'_>)]) {
        self.pass(|sink| sink.fields(fields));
    }

    fn float32_array(&mut self, items: impl ExactSizeIterator<Item = f32>) {
        self.pass(|sink| sink.float32_array(items));
    }
}

/// As many whole characters as fit into so many UTF-16 units. Debezium cuts through a surrogate pair, which leaves
/// something that is no text.
fn first_units(text: &str, units: usize) -> &str {
    // A character has at most as many units as bytes.
    if text.len() <= units {
        return text;
    }
    let mut left = units;
    for (place, character) in text.char_indices() {
        match left.checked_sub(character.len_utf16()) {
            Some(fewer) => left = fewer,
            None => return text.get(..place).unwrap_or(text),
        }
    }
    text
}

#[cfg(test)]
mod tests;
