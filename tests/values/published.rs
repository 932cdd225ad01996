//! What was published: lines of a topic's file, decoded by the schema that each record carries.
//!
//! A line has key and value as text, each `{"schema":…,"payload":…}`. Schemas repeat, so that each text of one is read
//! once. Connect's logical types are decoded by their names: Decimal is a big-endian two's complement of the fewest bytes,
//! Bits has ceil(length/8) bytes.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::value::RawValue;

use crate::Outcome;
use crate::json::Json;
use crate::value::Value;

/// A field of a schema.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: String,
    pub kind: String,
    /// The schema's name, such as `io.debezium.time.Date`.
    pub semantic: Option<String>,
    pub optional: bool,
    pub parameters: Vec<(String, String)>,
    pub default: Option<Json>,
    /// Fields of a struct.
    pub fields: Vec<Field>,
}

impl Field {
    fn of(schema: &Json) -> Outcome<Self> {
        let text = |name: &str| schema.get(name).and_then(Json::text).map(str::to_owned);
        let parameters = match schema.get("parameters") {
            Some(Json::Object(members)) => members
                .iter()
                .map(|(name, value)| (name.clone(), value.text().unwrap_or_default().to_owned()))
                .collect(),
            _ => Vec::new(),
        };
        let fields = schema.get("fields").map_or(&[] as &[Json], Json::items);
        Ok(Field {
            name: text("field").unwrap_or_default(),
            kind: text("type").ok_or("a schema without a type")?,
            semantic: text("name"),
            optional: schema.get("optional") == Some(&Json::Bool(true)),
            parameters,
            default: schema.get("default").cloned(),
            fields: fields.iter().map(Field::of).collect::<Outcome<_>>()?,
        })
    }

    /// The field of a name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    fn parameter(&self, name: &str) -> Outcome<usize> {
        let text = self.parameters.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str());
        text.and_then(|text| text.parse().ok()).ok_or_else(|| format!("{} has no number {name}", self.kind))
    }

    /// The value of a payload.
    pub fn decode(&self, payload: &Json) -> Outcome<Value> {
        let wrong =
            || format!("{payload} is no {} {}", self.kind, self.semantic.as_deref().unwrap_or_default());
        if *payload == Json::Null {
            return if self.optional {
                Ok(Value::Null)
            } else {
                Err("null in a field that allows none".to_owned())
            };
        }
        let number = match payload {
            Json::Number(text) => Some(text.as_str()),
            _ => None,
        };
        let bytes = || payload.text().and_then(|text| STANDARD.decode(text).ok()).ok_or_else(wrong);
        Ok(match (self.kind.as_str(), self.semantic.as_deref()) {
            ("boolean", _) => match payload {
                Json::Bool(value) => Value::Boolean(*value),
                _ => return Err(wrong()),
            },
            ("int8" | "int16" | "int32" | "int64", _) => {
                let number: i128 = number.and_then(|text| text.parse().ok()).ok_or_else(wrong)?;
                let bits = self.kind[3..].parse::<u32>().map_err(|_| wrong())?;
                let end = 1i128 << (bits - 1);
                if !(-end..end).contains(&number) {
                    return Err(wrong());
                }
                Value::Integer(number)
            }
            ("float", _) => {
                Value::Float32(number.and_then(|text| text.parse::<f32>().ok()).ok_or_else(wrong)?.to_bits())
            }
            ("double", _) => Value::double(number.and_then(|text| text.parse().ok()).ok_or_else(wrong)?),
            ("string", _) => Value::Text(payload.text().ok_or_else(wrong)?.to_owned()),
            ("bytes", Some("org.apache.kafka.connect.data.Decimal")) => {
                Value::Decimal(unscaled(&bytes()?, self.parameter("scale")?).ok_or_else(wrong)?)
            }
            ("bytes", Some("io.debezium.data.Bits")) => {
                let bytes = bytes()?;
                if bytes.len() != self.parameter("length")?.div_ceil(8) {
                    return Err(wrong());
                }
                Value::Bytes(bytes)
            }
            ("bytes", None) => Value::Bytes(bytes()?),
            ("array", Some("io.debezium.data.FloatVector")) => {
                let items = match payload {
                    Json::List(items) => items,
                    _ => return Err(wrong()),
                };
                let bits = items.iter().map(|item| match item {
                    Json::Number(text) => text.parse::<f32>().map(f32::to_bits).map_err(|_| wrong()),
                    _ => Err(wrong()),
                });
                Value::Vector(bits.collect::<Outcome<_>>()?)
            }
            ("struct", Some("io.debezium.data.geometry.Geometry" | "io.debezium.data.geometry.Point")) => {
                let member = |name: &str| -> Outcome<Value> {
                    let field = self.field(name).ok_or_else(wrong)?;
                    field.decode(payload.get(name).ok_or_else(wrong)?)
                };
                let Value::Bytes(wkb) = member("wkb")? else { return Err(wrong()) };
                let srid = match member("srid")? {
                    Value::Null => None,
                    Value::Integer(number) => Some(number),
                    _ => return Err(wrong()),
                };
                let point = match self.field("x") {
                    None => None,
                    Some(_) => match (member("x")?, member("y")?) {
                        (Value::Float64(x), Value::Float64(y)) => Some((x, y)),
                        _ => return Err(wrong()),
                    },
                };
                Value::Geometry { wkb, srid, point }
            }
            _ => return Err(wrong()),
        })
    }
}

/// Plain text of an unscaled number: two's complement, most significant byte first, of the fewest bytes.
fn unscaled(bytes: &[u8], scale: usize) -> Option<String> {
    let first = *bytes.first()?;
    let needless = bytes.get(1).is_some_and(|second| matches!((first, second >> 7), (0, 0) | (0xff, 1)));
    if needless {
        return None;
    }
    let negative = first & 0x80 != 0;
    // The magnitude: inverted and one more.
    let mut magnitude: Vec<u8> = bytes.iter().map(|byte| if negative { !byte } else { *byte }).collect();
    if negative {
        for byte in magnitude.iter_mut().rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                break;
            }
        }
        if magnitude.iter().all(|byte| *byte == 0) {
            magnitude.insert(0, 1);
        }
    }
    let mut digits = Vec::new();
    while magnitude.iter().any(|byte| *byte != 0) {
        let mut rest = 0u32;
        for byte in &mut magnitude {
            let part = rest << 8 | u32::from(*byte);
            *byte = (part / 10) as u8;
            rest = part % 10;
        }
        digits.push(char::from(b'0' + rest as u8));
    }
    while digits.len() <= scale {
        digits.push('0');
    }
    let mut text: String = digits.iter().rev().collect();
    if scale > 0 {
        text.insert(text.len() - scale, '.');
    }
    Some(if negative { format!("-{text}") } else { text })
}

/// Key or value of a record.
#[derive(Clone, Debug)]
pub struct Part {
    pub schema: Rc<Field>,
    pub payload: Json,
}

/// A record.
#[derive(Clone, Debug)]
pub struct Record {
    pub key: Option<Part>,
    /// None for a tombstone.
    pub value: Option<Part>,
}

impl Record {
    /// `c`, `u`, `d`, `r`; empty for a tombstone.
    pub fn operation(&self) -> &str {
        self.value.as_ref().and_then(|value| value.payload.get("op")).and_then(Json::text).unwrap_or_default()
    }
}

/// Reads records; schemas are read once.
#[derive(Default)]
pub struct Reader {
    schemas: HashMap<String, Rc<Field>>,
}

#[derive(serde::Deserialize)]
struct Line {
    key: Option<String>,
    value: Option<String>,
}

#[derive(serde::Deserialize)]
struct Enveloped<'a> {
    #[serde(borrow)]
    schema: &'a RawValue,
    #[serde(borrow)]
    payload: &'a RawValue,
}

impl Reader {
    /// All records of a topic's file; none without one.
    pub fn records(&mut self, file: &Path) -> Outcome<Vec<Record>> {
        let Ok(text) = fs::read_to_string(file) else { return Ok(Vec::new()) };
        text.lines()
            .map(|line| self.record(line).map_err(|why| format!("{}: {why}", file.display())))
            .collect()
    }

    fn record(&mut self, line: &str) -> Outcome<Record> {
        let line: Line = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let key = line.key.map(|text| self.part(&text)).transpose()?;
        let value = line.value.map(|text| self.part(&text)).transpose()?;
        Ok(Record { key, value })
    }

    fn part(&mut self, text: &str) -> Outcome<Part> {
        let parts: Enveloped<'_> = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let payload = Json::parse(parts.payload.get())?;
        let schema = match self.schemas.get(parts.schema.get()) {
            Some(schema) => Rc::clone(schema),
            None => {
                let schema = Rc::new(Field::of(&Json::parse(parts.schema.get())?)?);
                self.schemas.insert(parts.schema.get().to_owned(), Rc::clone(&schema));
                schema
            }
        };
        Ok(Part { schema, payload })
    }
}
