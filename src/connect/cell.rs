//! One cell on its way from the wire to a record.
//!
//! Binlog cells and result-set cells both become a `ColumnValue`, so that each type is mapped in one place
//! (`event/value`). The mapping then calls one method of a `CellSink`: the encoder that writes JSON, Avro or RowBinary.
//! Nothing here owns memory.

/// A cell as the server stores it, before it is mapped to a Connect value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ColumnValue<'a> {
    /// SQL NULL.
    Null,
    /// A signed integer of any width.
    Int(i64),
    /// An unsigned integer of any width.
    UInt(u64),
    /// FLOAT.
    Float(f32),
    /// DOUBLE.
    Double(f64),
    /// DECIMAL in the binlog: MySQL's packed form (manual: "Fixed-Point Types"; `decimal2bin`), `precision` and
    /// `scale` digits, most significant first.
    PackedDecimal {
        /// The packed digits, sign bit inverted.
        packed: &'a [u8],
        /// All digits.
        precision: u8,
        /// Digits after the point.
        scale: u8,
    },
    /// DECIMAL in a result set: ASCII such as `-12.50`, as it was sent.
    DecimalText(&'a [u8]),
    /// DATE; any part may be zero.
    Date(Date),
    /// TIME, also negative and beyond a day.
    Time(Time),
    /// DATETIME in the binlog or a result set, and TIMESTAMP in a result set (read with `time_zone='+00:00'`).
    DateTime(DateTime),
    /// TIMESTAMP in the binlog: an instant. Zero seconds and micros are the zero timestamp.
    Timestamp {
        /// Seconds since 1970 (UTC).
        seconds: i64,
        /// Microseconds in the second.
        micros: u32,
    },
    /// YEAR: 0 or 1901 to 2155.
    Year(u16),
    /// ENUM in the binlog: the number of the label, from 1; 0 is the invalid value `''`.
    Enum(u16),
    /// SET in the binlog: bit i stands for label i.
    Set(u64),
    /// BIT, most significant byte first.
    Bit(&'a [u8]),
    /// CHAR, VARCHAR, TEXT, BINARY, VARBINARY, BLOB as stored: in the column's own character set.
    Bytes(&'a [u8]),
    /// A string from a result set, already UTF-8. ENUM and SET come as their labels.
    Text(&'a str),
    /// A string from a result set that should be UTF-8 and is not quite: it has surrogates in it.
    IllFormedText(&'a [u8]),
    /// JSON in the binlog: the server's binary form (JSONB).
    Jsonb(&'a [u8]),
}

/// A calendar date as stored, not checked: zero and impossible dates exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Date {
    /// 0 to 9999.
    pub year: u16,
    /// 0 to 12.
    pub month: u8,
    /// 0 to 31.
    pub day: u8,
}

/// A duration of at most 838:59:59.999999 either way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// Below zero.
    pub negative: bool,
    /// 0 to 838.
    pub hours: u16,
    /// 0 to 59.
    pub minutes: u8,
    /// 0 to 59.
    pub seconds: u8,
    /// 0 to 999,999.
    pub micros: u32,
}

/// A date with a time of day, without a zone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DateTime {
    /// The date.
    pub date: Date,
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 59.
    pub second: u8,
    /// 0 to 999,999.
    pub micros: u32,
}

/// The value of a field of a struct, borrowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar<'a> {
    /// A missing value; the field has no default.
    Null,
    /// INT8 to INT64.
    Integer(i64),
    /// FLOAT64.
    Float64(f64),
    /// BYTES.
    Bytes(&'a [u8]),
}

/// An encoder of Connect values. Exactly one method is called per cell.
pub trait CellSink {
    /// A missing value.
    fn null(&mut self);
    /// BOOLEAN.
    fn boolean(&mut self, value: bool);
    /// INT8, INT16, INT32 or INT64, as the field's schema says.
    fn integer(&mut self, value: i64);
    /// FLOAT32.
    fn float32(&mut self, value: f32);
    /// FLOAT64.
    fn float64(&mut self, value: f64);

    /// The same for the double that is closest to an unscaled number at a scale. Where it has at most 15 digits they are the
    /// shortest that read back as the double, so that an encoder of text need not look for them.
    #[inline]
    fn decimal_float64(&mut self, value: f64, unscaled: i64, scale: u8) {
        let _ = (unscaled, scale);
        self.float64(value);
    }
    /// STRING.
    fn string(&mut self, value: &str);
    /// STRING of printable ASCII without quotes and backslashes, such as the text of an instant.
    #[inline]
    fn ascii(&mut self, value: &[u8]) {
        self.string(std::str::from_utf8(value).unwrap_or_default());
    }
    /// BYTES, also those of a logical type (Decimal: big-endian two's complement, Bits: little-endian).
    fn bytes(&mut self, value: &[u8]);
    /// STRUCT: name and value of all fields, in the order of the schema.
    fn fields(&mut self, fields: &[(&str, Scalar<'_>)]);
    /// ARRAY of FLOAT32.
    fn float32_array(&mut self, items: impl ExactSizeIterator<Item = f32>);
}
