//! BOOL and BOOLEAN, as a streamed CREATE TABLE names them.
//!
//! For the server they are TINYINT(1), and SHOW CREATE TABLE prints that: the same column is INT16 after a snapshot.
//! Every number but 0 is true. TinyIntOneToBooleanConverter makes any TINYINT(1) a BOOLEAN; with it, as in Debezium 3.6,
//! a negative number is false. Manual: "Integer Types".

use crate::connect::cell::{CellSink, ColumnValue};
use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::event::value::error::{Failure, OTHER_KIND};
use crate::event::value::{Compiled, Family, literal};
use crate::schema::column::Column;

/// A boolean column.
#[derive(Clone, Copy, Debug)]
pub struct Boolean {
    /// Whether numbers below zero are true.
    negative: bool,
}

pub(super) fn compile(column: &Column) -> Compiled {
    compile_with(column, true)
}

/// For TinyIntOneToBooleanConverter.
pub(super) fn compile_above_zero(column: &Column) -> Compiled {
    compile_with(column, false)
}

fn compile_with(column: &Column, negative: bool) -> Compiled {
    let default = column.default_value_expression.as_deref().and_then(literal::integer);
    Compiled {
        family: Family::Boolean(Boolean { negative }),
        schema: Schema::new(Type::Boolean),
        default: Ok(default.map(|number| Value::Boolean(number > 0 || (number < 0 && negative)))),
        zero: Value::Boolean(false),
    }
}

impl Boolean {
    #[inline]
    pub(super) fn write<S: CellSink>(&self, value: ColumnValue<'_>, sink: &mut S) -> Result<(), Failure> {
        match value {
            ColumnValue::Int(number) => sink.boolean(number > 0 || (number < 0 && self.negative)),
            ColumnValue::UInt(number) => sink.boolean(number != 0),
            _ => return Err(OTHER_KIND),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::value::tests::{TestColumn, config};

    /// types_defaults `dflt2.b`.
    #[test]
    fn every_number_but_zero_is_true() {
        let column = TestColumn::new("BOOL").optional().default("true");
        assert_eq!(column.schema_json(&config()), r#"{"type":"boolean","optional":true,"default":true}"#);
        for (number, json) in [(0, "false"), (1, "true"), (2, "true"), (-1, "true")] {
            assert_eq!(column.json(&config(), ColumnValue::Int(number)), json);
        }
        assert_eq!(TestColumn::new("BOOLEAN").json(&config(), ColumnValue::Null), "false");
    }
}
