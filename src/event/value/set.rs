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

/// A default as it is stored: its labels in the order of definition, each once. Between commas nothing is the empty label,
/// but nothing at all is no label.
fn stored(labels: &[String], text: &str) -> Option<Value> {
    let named = text.split(',').filter(|_| !text.is_empty());
    let mut places = named.map(|label| place(labels, label)).collect::<Option<Vec<_>>>()?;
    places.sort_unstable();
    places.dedup();
    let mut out = Vec::new();
    for label in places.iter().filter_map(|place| labels.get(*place)) {
        append(&mut out, label);
    }
    String::from_utf8(out).ok().map(Value::from)
}

/// Appends a label as the server does: without a comma while there is nothing to separate it from, so that an empty first
/// label does not show.
#[inline]
fn append(out: &mut Vec<u8>, label: &str) {
    if !out.is_empty() {
        out.push(b',');
    }
    out.extend_from_slice(label.as_bytes());
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
        while bits != 0 {
            let index = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let Some(label) = self.labels.get(index) else {
                return Err(Failure::Unrepresentable(
                    "the SET has a bit without a label in the schema history",
                ));
            };
            append(scratch, label);
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

    /// As 9.7, 8.0.15 and 5.7 show them: `SET('','0') DEFAULT ',0'` has both labels and reads `0`.
    #[test]
    fn empty_labels_show_behind_a_comma_only() {
        const CASES: [(&[&str], &str, &str); 3] =
            [(&["''", "'0'"], ",0", "0"), (&["'0'", "''"], "0,", "0,"), (&["'0'", "''"], "", "")];
        for (enum_values, default, shown) in CASES {
            let column = TestColumn { enum_values, ..TestColumn::new("SET").optional().default(default) };
            let json = column.schema_json(&config());
            assert!(json.ends_with(&format!(r#""default":"{shown}"}}"#)), "{default}: {json}");
            let bits = if default.is_empty() { 0 } else { 3 };
            assert_eq!(column.json(&config(), ColumnValue::Set(bits)), format!("{shown:?}"));
        }
    }
}
