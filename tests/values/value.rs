//! The form in which what the server says and what was published meet.

use std::fmt;

use crate::json::Json;
use crate::server::shortened;

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Boolean(bool),
    Integer(i128),
    /// Plain text with as many digits behind the point as the column has.
    Decimal(String),
    /// FLOAT32 and FLOAT64 by their bits: 0.0 and -0.0 differ.
    Float32(u32),
    Float64(u64),
    Text(String),
    Bytes(Vec<u8>),
    /// A JSON document by its meaning.
    Document(Json),
    Geometry {
        wkb: Vec<u8>,
        srid: Option<i128>,
        /// x and y of a POINT column.
        point: Option<(u64, u64)>,
    },
    Vector(Vec<u32>),
}

impl Value {
    /// A FLOAT64.
    pub fn double(number: f64) -> Self {
        Value::Float64(number.to_bits())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Value::Null => "null".to_owned(),
            Value::Boolean(value) => value.to_string(),
            Value::Integer(number) => number.to_string(),
            Value::Decimal(text) => format!("decimal {text}"),
            Value::Float32(bits) => format!("float {:e}", f32::from_bits(*bits)),
            Value::Float64(bits) => format!("double {:e}", f64::from_bits(*bits)),
            Value::Text(text) => format!("{text:?}"),
            Value::Bytes(bytes) => format!("bytes {}", hex(bytes)),
            Value::Document(json) => format!("document {json}"),
            Value::Geometry { wkb, srid, point } => {
                let point =
                    point.map(|(x, y)| format!(" x {:e} y {:e}", f64::from_bits(x), f64::from_bits(y)));
                format!("srid {srid:?}{} wkb {}", point.unwrap_or_default(), hex(wkb))
            }
            Value::Vector(items) => {
                format!("vector {:?}", items.iter().map(|bits| f32::from_bits(*bits)).collect::<Vec<f32>>())
            }
        };
        f.write_str(&shortened(&text, 300))
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
