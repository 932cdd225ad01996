//! SET.
//!
//! STRING `io.debezium.data.EnumSet`: the labels of the set bits in the order of definition, joined by commas (a label
//! has none). Bit 0 of the stored number stands for the first label. Manual: "The SET Type".

use crate::connect::cell::{CellSink, ColumnValue};
use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::event::value::enumeration::{allowed, labels, place};
use crate::event::value::error::{Failure, OTHER_KIND};
use crate::event::value::{Compiled, Family, text_of};
use crate::schema::charset::Charset;
use crate::schema::column::Column;

/// A SET column.
#[derive(Clone, Debug)]
pub struct Set {
    labels: Vec<String>,
}

pub(super) fn compile(column: &Column) -> Compiled {
    let labels = labels(column);
    Compiled {
        schema: Schema::new(Type::String)
            .named("io.debezium.data.EnumSet", Some(1))
            .parameter("allowed", allowed(&labels)),
        default: Ok(column.default_value_expression.as_deref().and_then(|text| stored(&labels, text))),
        zero: Value::String(String::new()),
        family: Family::Set(Set { labels }),
    }
}

/// A default as it is stored: its labels in the order of definition, each once.
fn stored(labels: &[String], text: &str) -> Option<Value> {
    let named = text.split(',').filter(|label| !label.is_empty());
    let mut places = named.map(|label| place(labels, label)).collect::<Option<Vec<_>>>()?;
    places.sort_unstable();
    places.dedup();
    let labels: Vec<&str> =
        places.iter().filter_map(|place| labels.get(*place)).map(String::as_str).collect();
    Some(Value::from(labels.join(",")))
}

impl Set {
    #[inline]
    pub(super) fn write<S: CellSink>(
        &self,
        value: ColumnValue<'_>,
        scratch: &mut Vec<u8>,
        sink: &mut S,
    ) -> Result<(), Failure> {
        let mut bits = match value {
            ColumnValue::Set(bits) => bits,
            ColumnValue::Text(labels) => {
                sink.string(labels);
                return Ok(());
            }
            // A result set has labels of the character set `binary` as bytes.
            ColumnValue::Bytes(labels) => {
                sink.string(Charset::UTF8MB4.decode(labels, scratch));
                return Ok(());
            }
            _ => return Err(OTHER_KIND),
        };
        scratch.clear();
        let mut first = true;
        while bits != 0 {
            let index = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let Some(label) = self.labels.get(index) else {
                return Err(Failure::Unrepresentable(
                    "the SET has a bit without a label in the schema history",
                ));
            };
            if !first {
                scratch.push(b',');
            }
            first = false;
            scratch.extend_from_slice(label.as_bytes());
        }
        sink.string(text_of(scratch)?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::value::tests::{TestColumn, config};

    /// types_enum_set.
    #[test]
    fn sets_are_joined_labels() {
        let column = TestColumn {
            enum_values: &["'it''s'", "'d\"q'", "'sp ace'"],
            ..TestColumn::new("SET").optional().default("it's,sp ace")
        };
        assert_eq!(
            column.schema_json(&config()),
            r#"{"type":"string","optional":true,"name":"io.debezium.data.EnumSet","version":1,"parameters":{"allowed":"it's,d\"q,sp ace"},"default":"it's,sp ace"}"#
        );
        for (bits, json) in
            [(0, r#""""#), (1, r#""it's""#), (7, r#""it's,d\"q,sp ace""#), (4, r#""sp ace""#), (8, "null")]
        {
            let kept = ColumnValue::Set(bits);
            let json = if json == "null" { r#""it's,sp ace""# } else { json };
            assert_eq!(column.json(&config(), kept), json);
        }
        assert_eq!(column.json(&config(), ColumnValue::Text("it's")), r#""it's""#);
        assert_eq!(column.json(&config(), ColumnValue::Bytes(b"it's")), r#""it's""#);
    }
}
