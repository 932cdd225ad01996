//! Owned Connect values, for everything that is not a row.

/// A value; what it means is said by the schema beside it.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Missing.
    Null,
    /// BOOLEAN.
    Boolean(bool),
    /// INT8 to INT64.
    Integer(i64),
    /// FLOAT32.
    Float32(f32),
    /// FLOAT64.
    Float64(f64),
    /// STRING.
    String(String),
    /// BYTES, also of a logical type in its encoded form.
    Bytes(Vec<u8>),
    /// ARRAY.
    Array(Vec<Value>),
    /// MAP with string keys, in printing order.
    Map(Vec<(String, Value)>),
    /// STRUCT: one value a field of its schema, in the same order.
    Struct(Vec<Value>),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::String(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::String(text)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Value::Integer(number)
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Self {
        Value::Integer(number.into())
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Value::Boolean(flag)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}
