//! One value of a record on its way to a column, borrowed.
//!
//! The reader of a record knows the meaning of a field from its schema (`io.debezium.time.MicroTimestamp`: an integer is
//! microseconds), so the cell carries it, and the column only has to know itself.

/// A value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// NULL.
    Null,
    /// BOOLEAN.
    Bool(bool),
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    UInt(u64),
    /// A number as its text in ASCII, as JSON has it: `-12.50`, `1e3`.
    Number(&'a str),
    /// FLOAT32.
    Float32(f32),
    /// FLOAT64.
    Float64(f64),
    /// STRING.
    Text(&'a str),
    /// BYTES. For an integer column they are `io.debezium.data.Bits`: little-endian.
    Bytes(&'a [u8]),
    /// `org.apache.kafka.connect.data.Decimal`: the unscaled number in two's complement, big-endian, and the digits after the
    /// point.
    Decimal {
        /// The unscaled number.
        unscaled: &'a [u8],
        /// Digits after the point.
        scale: u8,
    },
    /// Days since 1970-01-01 (`io.debezium.time.Date`).
    Days(i64),
    /// Time since 1970 (UTC), or a duration, in 10^-`digits` seconds: 3 for `Timestamp`, 6 for `MicroTimestamp` and
    /// `MicroTime`, 9 for nanoseconds.
    Ticks {
        /// How many.
        count: i64,
        /// 0 to 9.
        digits: u8,
    },
    /// ARRAY.
    List(&'a [Cell<'a>]),
}

impl Cell<'_> {
    /// What it is, for errors.
    pub const fn kind(&self) -> &'static str {
        match self {
            Cell::Null => "null",
            Cell::Bool(_) => "a boolean",
            Cell::Int(_) | Cell::UInt(_) => "an integer",
            Cell::Number(_) => "a number",
            Cell::Float32(_) | Cell::Float64(_) => "a floating-point number",
            Cell::Text(_) => "a string",
            Cell::Bytes(_) => "bytes",
            Cell::Decimal { .. } => "a decimal",
            Cell::Days(_) => "a date",
            Cell::Ticks { .. } => "a time",
            Cell::List(_) => "an array",
        }
    }
}
