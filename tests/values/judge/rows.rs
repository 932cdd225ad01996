//! Rows as the records of a table leave them.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::Outcome;
use crate::json::Json;
use crate::judge::{Judge, Source};
use crate::published::{Field, Part, Record};
use crate::server::shortened;

/// A row as published last.
pub struct Row {
    pub key: Option<Part>,
    /// The schema of the record's value.
    pub schema: Rc<Field>,
    pub payload: Json,
}

impl Row {
    pub fn fields(&self) -> &[Field] {
        self.schema.field("after").map_or(&[], |after| &after.fields)
    }

    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields().iter().find(|field| field.name == name)
    }
}

impl Judge<'_> {
    /// The last state of each row. What a change says was before must be what the change before it said came after.
    pub(super) fn replay(&mut self, records: &[Record], source: Source) -> Outcome<BTreeMap<i64, Row>> {
        let mut rows: BTreeMap<i64, Row> = BTreeMap::new();
        for record in records {
            let Some(value) = &record.value else { continue };
            let image = |name: &str| value.payload.get(name).filter(|image| image.is_value());
            if let Some(before) = image("before") {
                let number = number_of(before)?;
                let known = rows.remove(&number);
                let fields = value.schema.field("before").map_or(&[] as &[Field], |before| &before.fields);
                let same = known.as_ref().is_some_and(|row| {
                    row.payload == *before
                        && (Rc::ptr_eq(&row.schema, &value.schema) || row.fields() == fields)
                });
                if !same {
                    let (column, was, is) = known
                        .as_ref()
                        .and_then(|row| first_difference(&row.payload, before))
                        .unwrap_or_default();
                    self.note(
                        if column.is_empty() { "rn" } else { &column },
                        Some(number),
                        format!("{source:?}: {was} after a change is {is} before the next one"),
                    );
                }
            }
            if let Some(after) = image("after") {
                let number = number_of(after)?;
                let expected = if source == Source::Snapshot { "r" } else { "cu" };
                if !expected.contains(record.operation()) {
                    self.note("rn", Some(number), format!("{source:?}: operation {}", record.operation()));
                }
                let row =
                    Row { key: record.key.clone(), schema: Rc::clone(&value.schema), payload: after.clone() };
                if rows.insert(number, row).is_some() {
                    self.note("rn", Some(number), format!("{source:?}: a row came twice"));
                }
            }
        }
        Ok(rows)
    }
}

fn number_of(image: &Json) -> Outcome<i64> {
    match image.get("rn") {
        Some(Json::Number(text)) => text.parse().map_err(|_| format!("rn is {text}")),
        other => Err(format!("rn is {other:?}")),
    }
}

/// The first column that differs, with both cells.
fn first_difference(one: &Json, other: &Json) -> Option<(String, String, String)> {
    let Json::Object(members) = one else { return None };
    let (name, value) = members.iter().find(|(name, value)| other.get(name) != Some(value))?;
    let shown = |value: &Json| shortened(&value.to_string(), 300);
    Some((name.clone(), shown(value), other.get(name).map_or("missing".to_owned(), shown)))
}
