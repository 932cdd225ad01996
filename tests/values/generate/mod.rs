//! Random tables and random values, as SQL.
//!
//! `tables` makes a table with its key, `columns` the definition of a column; the other modules make values for its kind:
//! each an SQL expression that the server may still round, cut, or turn into a zero date, since the sessions that run the
//! statements are not strict. What it made of them, the server itself says afterwards.

mod columns;
mod documents;
mod numbers;
mod shapes;
mod tables;
mod temporal;
pub mod text;

use crate::column::{Column, Kind};
use crate::modes::Modes;
use crate::random::Random;
use crate::server::Server;

/// Makes tables and values for one round.
pub struct Generator<'a> {
    pub server: &'a Server,
    pub modes: Modes,
    pub random: Random,
    /// The next tables are made while a connector streams. SHOW CREATE TABLE prints labels without the characters beyond
    /// the first 65,536, so that others cannot have them.
    pub streamed: bool,
}

impl Generator<'_> {
    /// A value for a column, as an SQL expression.
    pub fn value(&mut self, column: &Column) -> String {
        if column.nullable && self.random.chance(12) {
            return "NULL".to_owned();
        }
        if !matches!(column.default, crate::column::Default::None) && self.random.chance(6) {
            return "DEFAULT".to_owned();
        }
        self.value_of(&column.kind, column.must_convert)
    }

    fn value_of(&mut self, kind: &Kind, must_convert: bool) -> String {
        match kind {
            Kind::Integer { bytes, unsigned, .. } => self.integer(*bytes, *unsigned),
            Kind::Decimal { precision, scale, unsigned } => self.decimal(*precision, *scale, *unsigned),
            Kind::Float { single, unsigned, .. } => self.float(*single, *unsigned),
            Kind::Bit { length } => self.bits(*length),
            Kind::Year => self.year(),
            Kind::Date => self.date(),
            Kind::Time { .. } => self.time(must_convert),
            Kind::DateTime { .. } => self.date_time(must_convert),
            Kind::Timestamp { .. } => self.timestamp(),
            Kind::Text { charset, most } => self.text(charset, *most),
            Kind::Binary { most, .. } => self.binary(*most),
            Kind::Enum { labels } => self.label(labels),
            Kind::Set { labels } => self.labels(labels),
            Kind::Json => self.document(),
            Kind::Geometry { subtype, srid } => self.geometry(subtype, *srid),
            Kind::Vector { dimensions } => self.vector(*dimensions),
        }
    }

    /// A change of a cell: a new value, or a part of the document changed.
    pub fn change(&mut self, column: &Column) -> String {
        if column.kind == Kind::Json && self.random.chance(60) {
            return self.document_change(&column.quoted());
        }
        self.value(column)
    }

    fn binary(&mut self, most: usize) -> String {
        let most = most.min(self.longest());
        let length = self.random.length(most);
        let mut bytes = self.random.bytes(length);
        match self.random.below(5) {
            // Zeros at the end are what the binlog leaves out of BINARY(n).
            0 => bytes.iter_mut().rev().take(3).for_each(|byte| *byte = 0),
            1 => bytes.iter_mut().rev().take(2).for_each(|byte| *byte = b' '),
            2 => bytes.fill(0),
            _ => {}
        }
        hex_literal(&bytes)
    }

    fn vector(&mut self, dimensions: usize) -> String {
        let count = if self.random.chance(80) { dimensions } else { 1 + self.random.below(dimensions) };
        let mut bytes = Vec::new();
        for _ in 0..count {
            let number = match self.random.below(5) {
                0 => self.random.pick(&[
                    &0.0f32,
                    &-0.0,
                    &1.0,
                    &f32::MAX,
                    &f32::MIN,
                    &1e-45,
                    &f32::MIN_POSITIVE,
                    &0.1,
                ]),
                1 => &(self.random.between(-1000, 1000) as f32),
                _ => &f32::from_bits(self.random.next() as u32),
            };
            let number = if number.is_finite() { *number } else { 1.5 };
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        hex_literal(&bytes)
    }

    /// Most bytes of a value: now and then one that is far longer than others.
    fn longest(&mut self) -> usize {
        match self.random.below(400) {
            0 => 70_000,
            1..10 => 3_000,
            _ => 60,
        }
    }
}

/// `x'CAFE'`.
pub fn hex_literal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2 + 3);
    text.push_str("x'");
    for byte in bytes {
        text.push_str(&format!("{byte:02X}"));
    }
    text.push('\'');
    text
}
