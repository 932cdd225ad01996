//! decimal
use crate::connect::schema::{Schema, Type};

/// Connect's Decimal.
pub(super) fn schema(precision: i32, scale: i32) -> Schema {
    Schema::new(Type::Bytes)
        .named("org.apache.kafka.connect.data.Decimal", Some(1))
        .parameter("scale", scale.to_string())
        .parameter("connect.decimal.precision", precision.to_string())
}
