//! Columns to fields: one file a family of MySQL types.
//!
//! A column is compiled once for each version of its table into a `ColumnConverter`: the schema of its field and the
//! mapping of a stored cell (`ColumnValue`, from the binlog or from a result set alike) into one call of an encoder
//! (`CellSink`). The mapping borrows everything; where text has to be made, it is made in a buffer that the caller reuses.
//!
//! What happens to a cell:
//! 1. NULL, and what means no value (zero dates), becomes null where the column allows it; otherwise the default of the
//!    schema, else the zero of the type.
//! 2. A cell that has no form in the schema (a TIME of 25 hours under `time.precision.mode=connect`) is a conversion
//!    failure: an error, or treated like NULL, by `event.converting.failure.handling.mode`. A column that allows no null
//!    and has no default stops the connector: any other value would be one that nobody stored. A default without a form
//!    is an error by the same mode, or left out of the schema.
//! 3. Bytes that no server writes are an error whatever the mode: what the server stored is not known.
//! 4. Everything else goes to the sink.
//!
//! A custom converter is a family that takes the place of the type's own (`custom_converter`); masks, truncation and source
//! types in the schema (`column_mapper`) come behind the mapping, in values alone.
//!
//! Snapshot and stream spell TIMESTAMP and JSON differently (the server's text against the text made from the binlog);
//! keys always have the stream's spelling, so that a row keeps its key.

pub mod binary;
pub mod bit;
pub mod boolean;
pub mod calendar;
pub mod column_mapper;
pub mod custom_converter;
pub mod date;
pub mod datetime;
pub mod decimal;
pub mod enumeration;
pub mod error;
mod family;
pub mod float;
pub mod geometry;
pub mod integer;
pub mod json;
pub mod json_text;
pub mod literal;
pub mod set;
pub mod string;
pub mod time;
pub mod timestamp;
pub mod vector;
pub mod year;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::config::modes::FailureHandlingMode;
use crate::config::source::ValueConfig;
use crate::connect::cell::{CellSink, ColumnValue, Scalar};
use crate::connect::schema::Schema;
use crate::connect::value::Value;
use crate::event::column_operations::ColumnOperations;
use crate::event::value::calendar::Years;
use crate::event::value::column_mapper::{Mapper, propagate};
use crate::event::value::error::{Failure, ValueError};
use crate::event::value::family::{Compiled, Family, compile_family};
use crate::schema::column::Column;
use crate::schema::table_id::TableId;

/// How values are spelled where snapshot and stream differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// As a snapshot record of the reference has it.
    Snapshot,
    /// As a streamed record has it; also every key.
    Stream,
}

/// What a column's mapping depends on, besides the column.
#[derive(Clone, Copy, Debug)]
pub struct ColumnSettings<'a> {
    /// The handling modes.
    pub values: &'a ValueConfig,
    /// `include.schema.comments`: the column's comment becomes the field's documentation.
    pub comments: bool,
    /// The path.
    pub spelling: Spelling,
    /// What the configuration does to the column.
    pub operations: &'a ColumnOperations,
}

impl ColumnSettings<'_> {
    fn years(&self) -> Years {
        Years { adjust: self.values.time_adjuster, zero: self.spelling == Spelling::Snapshot }
    }
}

/// A column, compiled.
#[derive(Debug)]
pub struct ColumnConverter {
    family: Family,
    /// A mask or a truncation.
    mapper: Option<Mapper>,
    schema: Arc<Schema>,
    /// What stands for a missing value: null, or for NOT NULL the default or the type's zero.
    absent: Value,
    /// Whether `absent` may stand for a value that could not be converted.
    replaceable: bool,
    failure_mode: FailureHandlingMode,
    /// A failure was logged; one line a column and table version is enough.
    warned: AtomicBool,
    /// `db.table.column`.
    name: Arc<str>,
}

impl ColumnConverter {
    /// Compiles a column of a table; none for a column that is left out, since its type has no mapping.
    pub fn compile(
        table: &TableId,
        column: &Column,
        settings: ColumnSettings<'_>,
    ) -> Result<Option<Self>, ValueError> {
        let operations = settings.operations;
        let compiled = match operations.converter {
            Some(converter) => custom_converter::compile(converter, table, column, settings)?,
            None => compile_family(table, column, settings)?,
        };
        let Some(compiled) = compiled else { return Ok(None) };
        let name: Arc<str> = format!("{table}.{}", column.name).into();
        let mut schema = compiled.schema;
        if operations.propagate {
            propagate(column, settings.comments, &mut schema);
        }
        let mapper = operations.mapper.as_ref();
        let mapper = mapper.and_then(|mapper| Mapper::compile(mapper, column, &name, &mut schema));
        schema.optional |= column.optional;
        let comment = column.comment.clone().filter(|comment| settings.comments && !comment.is_empty());
        schema.doc = comment.or(schema.doc);
        let default = match compiled.default {
            Ok(default) => default,
            Err(failure) => lost_default(failure, &name, settings.values.converting_failure)?,
        };
        schema.default = default.clone();
        let absent = match default {
            _ if column.optional => Value::Null,
            Some(default) => default,
            None => compiled.zero,
        };
        Ok(Some(ColumnConverter {
            family: compiled.family,
            mapper,
            replaceable: schema.optional || schema.default.is_some(),
            schema: Arc::new(schema),
            absent,
            failure_mode: settings.values.converting_failure,
            warned: AtomicBool::new(false),
            name,
        }))
    }

    /// The schema of the field.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// `db.table.column`, for messages.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Whether integer cells go to the sink as they are.
    pub fn keeps_integers(&self) -> bool {
        matches!(&self.family, Family::Integer(family) if family.keeps())
    }

    /// Whether cells of ASCII go to the sink as they are.
    pub fn keeps_ascii(&self) -> bool {
        self.mapper.is_none() && matches!(&self.family, Family::String(family) if family.keeps_ascii())
    }

    /// What stands for a value that the server did not send (`unavailable.value.placeholder`): the text, or its bytes in
    /// the form of the column. Nothing for a type whose values cannot be told from it.
    pub fn unavailable(&self, placeholder: &[u8]) -> Option<Value> {
        self.family.unavailable(placeholder, self.schema.kind)
    }

    /// Maps one cell into one call of the sink. `scratch` is the caller's buffer for text that has to be made; what it
    /// holds before and after means nothing.
    #[inline]
    pub fn write<S: CellSink>(
        &self,
        value: ColumnValue<'_>,
        scratch: &mut Vec<u8>,
        sink: &mut S,
    ) -> Result<(), ValueError> {
        let result = match (&self.mapper, value) {
            (None, ColumnValue::Null) => Err(Failure::Missing),
            (None, value) => self.family.write(value, scratch, sink),
            (Some(mapper), value) => return self.write_mapped(mapper, value, scratch, sink),
        };
        match result {
            Ok(()) => Ok(()),
            Err(Failure::Missing) => self.write_absent(sink),
            Err(Failure::Unrepresentable(reason)) => self.fail(reason, sink),
            Err(Failure::Malformed(reason)) => {
                Err(ValueError::Malformed { column: Arc::clone(&self.name), reason })
            }
        }
    }

    /// The same for a column with a mapper.
    fn write_mapped<S: CellSink>(
        &self,
        mapper: &Mapper,
        value: ColumnValue<'_>,
        scratch: &mut Vec<u8>,
        sink: &mut S,
    ) -> Result<(), ValueError> {
        let mut before = mapper.before(sink);
        let mut result = match value {
            ColumnValue::Null => Err(Failure::Missing),
            value => self.family.write(value, scratch, &mut before),
        };
        if result == Err(Failure::Missing) {
            self.write_absent(&mut before)?;
            result = Ok(());
        }
        match result.and_then(|()| before.result()) {
            Ok(()) => Ok(()),
            Err(Failure::Missing) => self.fail("it is missing", sink),
            Err(Failure::Unrepresentable(reason)) => self.fail(reason, sink),
            Err(Failure::Malformed(reason)) => {
                Err(ValueError::Malformed { column: Arc::clone(&self.name), reason })
            }
        }
    }

    /// What stands for a missing value.
    pub fn write_absent<S: CellSink>(&self, sink: &mut S) -> Result<(), ValueError> {
        match &self.absent {
            Value::Boolean(value) => sink.boolean(*value),
            Value::Integer(value) => sink.integer(*value),
            Value::Float32(value) => sink.float32(*value),
            Value::Float64(value) => sink.float64(*value),
            Value::String(value) => sink.string(value),
            Value::Bytes(value) => sink.bytes(value),
            Value::Struct(values) => {
                let fields = self.schema.fields.iter().zip(values);
                let fields: Vec<_> =
                    fields.map(|(field, value)| (field.name.as_str(), scalar(value))).collect();
                sink.fields(&fields);
            }
            Value::Array(items) => sink.float32_array(items.iter().map(|item| match item {
                Value::Float32(number) => *number,
                _ => 0.0,
            })),
            Value::Null | Value::Map(_) if self.schema.optional => sink.null(),
            Value::Null | Value::Map(_) => {
                let reason = "it is missing";
                return Err(ValueError::Required { column: Arc::clone(&self.name), reason });
            }
        }
        Ok(())
    }

    #[cold]
    fn fail<S: CellSink>(&self, reason: &'static str, sink: &mut S) -> Result<(), ValueError> {
        if self.failure_mode == FailureHandlingMode::Fail {
            return Err(ValueError::Conversion { column: Arc::clone(&self.name), reason });
        }
        if !self.replaceable {
            return Err(ValueError::Required { column: Arc::clone(&self.name), reason });
        }
        if self.failure_mode == FailureHandlingMode::Warn && !self.warned.swap(true, Ordering::Relaxed) {
            tracing::warn!(column = %self.name, reason, "a value cannot be converted and is published as null or the default; further ones of this column are not logged");
        }
        if self.schema.optional {
            sink.null();
            return Ok(());
        }
        self.write_absent(sink)
    }
}

/// What becomes of a default that has no form in the schema: an error or no default.
fn lost_default(
    failure: Failure,
    name: &Arc<str>,
    mode: FailureHandlingMode,
) -> Result<Option<Value>, ValueError> {
    let reason = match failure {
        Failure::Missing => return Ok(None),
        Failure::Unrepresentable(reason) | Failure::Malformed(reason) => reason,
    };
    match mode {
        FailureHandlingMode::Fail => {
            return Err(ValueError::Default { column: Arc::clone(name), reason });
        }
        FailureHandlingMode::Warn => {
            tracing::warn!(column = %name, reason, "the default of a column cannot be converted and is left out of the schema");
        }
        FailureHandlingMode::Skip => {}
    }
    Ok(None)
}

fn scalar(value: &Value) -> Scalar<'_> {
    match value {
        Value::Integer(number) => Scalar::Integer(*number),
        Value::Float64(number) => Scalar::Float64(*number),
        Value::Bytes(bytes) => Scalar::Bytes(bytes),
        // The composite types have no fields of other kinds.
        _ => Scalar::Null,
    }
}

/// What is in the buffer, as text. It was written by us, so that it is UTF-8.
fn text_of(scratch: &[u8]) -> Result<&str, Failure> {
    std::str::from_utf8(scratch).map_err(|_| Failure::Unrepresentable("the text is not UTF-8"))
}

#[cfg(test)]
pub(crate) mod tests;
