//! FLOAT and DOUBLE.
//!
//! FLOAT is FLOAT32; FLOAT(M,D) and FLOAT(p) above 24 bits are FLOAT64, the stored single widened exactly. Values are
//! exact on both paths (the reference has six digits of a FLOAT in a snapshot). Manual: "Floating-Point Types".

use crate::connect::cell::{CellSink, ColumnValue};
use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::event::value::error::{Failure, OTHER_KIND};
use crate::event::value::{Compiled, Family, literal};
use crate::schema::column::Column;

/// A floating-point column.
#[derive(Clone, Copy, Debug)]
pub struct Float {
    /// Whether the field is FLOAT32.
    single: bool,
}

/// Whether a FLOAT column is FLOAT32.
pub(super) fn is_single(column: &Column) -> bool {
    column.scale.is_none() && column.length.is_none_or(|length| length <= 24)
}

pub(super) fn compile(column: &Column, single: bool) -> Compiled {
    let default = column.default_value_expression.as_deref().map(literal::number);
    let (kind, default, zero) = if single {
        let default = default.and_then(|text| text.parse().ok()).map(Value::Float32);
        (Type::Float32, default, Value::Float32(0.0))
    } else {
        let default = default.and_then(|text| text.parse().ok()).map(|number| rounded(number, column.scale));
        (Type::Float64, default.map(Value::Float64), Value::Float64(0.0))
    };
    Compiled {
        family: Family::Float(Float { single }),
        schema: Schema::new(kind),
        default: Ok(default),
        zero,
    }
}

/// A number as DOUBLE(M,D) or FLOAT(M,D) stores it (the server's `Field_real::truncate`).
fn rounded(number: f64, digits: Option<i32>) -> f64 {
    let Some(digits) = digits.filter(|digits| (0..=30).contains(digits)) else { return number };
    let unit = 10f64.powi(digits);
    let whole = number.floor();
    whole + ((number - whole) * unit).round_ties_even() / unit
}

impl Float {
    #[inline]
    pub(super) fn write<S: CellSink>(&self, value: ColumnValue<'_>, sink: &mut S) -> Result<(), Failure> {
        match (value, self.single) {
            (ColumnValue::Float(number), true) => sink.float32(number),
            (ColumnValue::Float(number), false) => sink.float64(f64::from(number)),
            (ColumnValue::Double(number), false) => sink.float64(number),
            // A FLOAT32 field over a DOUBLE cell would lose digits.
            _ => return Err(OTHER_KIND),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::value::tests::{TestColumn, config};

    /// types_float.
    #[test]
    fn floats_are_exact() {
        use ColumnValue::{Double, Float};
        for (column, schema, value, json) in [
            (
                TestColumn::new("FLOAT").optional(),
                r#"{"type":"float","optional":true}"#,
                Float(16777216.0),
                "1.6777216E7",
            ),
            (
                TestColumn::new("FLOAT").length(7).scale(4).optional().default("3.1416"),
                r#"{"type":"double","optional":true,"default":3.1416}"#,
                Float(123.4567),
                "123.45670318603516",
            ),
            (
                TestColumn::new("FLOAT").default("1.1"),
                r#"{"type":"float","optional":false,"default":1.1}"#,
                Float(0.33333334),
                "0.33333334",
            ),
            (
                TestColumn::new("DOUBLE UNSIGNED ZEROFILL").length(12).scale(4),
                r#"{"type":"double","optional":false}"#,
                Double(12345678.1234),
                "1.23456781234E7",
            ),
            (
                TestColumn::new("DOUBLE").optional().default("-1.5e-5"),
                r#"{"type":"double","optional":true,"default":-1.5E-5}"#,
                Double(5e-324),
                "4.9E-324",
            ),
        ] {
            assert_eq!(column.schema_json(&config()), schema);
            assert_eq!(column.json(&config(), value), json);
        }
    }
}
