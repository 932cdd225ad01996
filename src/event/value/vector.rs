//! VECTOR: numbers of single precision.
//!
//! ARRAY of FLOAT32, `io.debezium.data.FloatVector`. Both paths have the numbers as they are stored, 4 bytes each, little
//! endian; up to 16383 of them. A column's length is a maximum, not the number of entries. Manual: "The VECTOR Type".

use crate::connect::cell::{CellSink, ColumnValue};
use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::event::value::error::{Failure, OTHER_KIND};
use crate::event::value::{Compiled, Family};

/// A VECTOR column.
#[derive(Clone, Copy, Debug)]
pub struct Vector;

pub(super) fn compile() -> Compiled {
    Compiled {
        family: Family::Vector(Vector),
        schema: Schema::array(Schema::new(Type::Float32)).named("io.debezium.data.FloatVector", Some(1)),
        // VECTOR has only expressions as defaults.
        default: Ok(None),
        zero: Value::Array(Vec::new()),
    }
}

impl Vector {
    #[inline]
    pub(super) fn write<S: CellSink>(&self, value: ColumnValue<'_>, sink: &mut S) -> Result<(), Failure> {
        let ColumnValue::Bytes(bytes) = value else { return Err(OTHER_KIND) };
        let (numbers, rest) = bytes.as_chunks();
        if !rest.is_empty() {
            return Err(Failure::Unrepresentable("the VECTOR ends within a number"));
        }
        sink.float32_array(numbers.iter().map(|number| f32::from_le_bytes(*number)));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::value::tests::{TestColumn, config};

    /// Fault 051: `to_vector('[1.5,-2,0.1,3e10]')`. The reference ran on JDK 17, which prints the last one with a digit
    /// more than it takes, see `converter::json::number`.
    #[test]
    fn vectors_are_arrays_of_singles() {
        let column = TestColumn::new("VECTOR").length(4).optional();
        assert_eq!(
            column.schema_json(&config()),
            r#"{"type":"array","items":{"type":"float","optional":false},"optional":true,"name":"io.debezium.data.FloatVector","version":1}"#
        );
        let stored: Vec<u8> =
            [1.5f32, -2.0, 0.1, 3e10].iter().flat_map(|number| number.to_le_bytes()).collect();
        assert_eq!(column.json(&config(), ColumnValue::Bytes(&stored)), "[1.5,-2.0,0.1,3.0E10]");
        assert_eq!(column.json(&config(), ColumnValue::Bytes(&[])), "[]");
        assert_eq!(column.json(&config(), ColumnValue::Bytes(&stored[..7])), "null");
        assert_eq!(column.json(&config(), ColumnValue::Null), "null");
        assert_eq!(TestColumn::new("VECTOR").json(&config(), ColumnValue::Null), "[]");
        let longest = column.json(&config(), ColumnValue::Bytes(&[0; 16383 * 4]));
        assert_eq!(longest.matches("0.0").count(), 16383);
    }
}
