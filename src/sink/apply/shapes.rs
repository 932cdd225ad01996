//! Which description a record follows.
//!
//! | the record has | the schema-change topic describes its table | it follows |
//! |---|---|---|
//! | a sequence | yes | the last description not above its version |
//! | a schema | yes | the newest description with its columns; if there is none within `schema.changes.wait.ms`, its schema |
//! | a schema | no | its schema, which may stand for wider types than MySQL's |
//! | neither | yes | the newest description with its columns, if all of those have values of one form |
//! | neither | no | nothing: its table stops |

use crate::connect::schema::Schema;
use crate::sink::apply::catalog::Description;
use crate::sink::record::envelope::RecordKey;
use crate::sink::record::scanner::{Members, ScanError};
use crate::sink::row::wire_form::{SourceHandling, WireForm};
use crate::sink::table::evolution::shape::Shape;
use crate::sink::table::mapping::connect_type::source_column;
use crate::sink::table::mapping::{MappingError, SourceColumn};

/// The names of an object's members, in order.
pub fn names(object: &str) -> Result<Vec<String>, ScanError> {
    let mut members = Members::of(object)?;
    let mut names = Vec::new();
    while let Some((name, _)) = members.next_member()? {
        names.push(name.to_cow().into_owned());
    }
    Ok(names)
}

/// The columns of a record's key.
pub fn key_columns(key: Option<RecordKey<'_>>) -> Result<Vec<String>, ScanError> {
    key.map_or(Ok(Vec::new()), |key| names(key.columns))
}

/// The table as the record's schema describes it.
pub fn shape_of_schema(row: &Schema, key: Vec<String>, seconds: u32) -> Result<Shape, MappingError> {
    let columns = row.fields.iter().map(|field| source_column(&field.name, &field.schema));
    Ok(Shape { columns: columns.collect::<Result<_, _>>()?, key, statement_seconds: seconds })
}

/// The newest description with these columns, in whatever order.
pub fn with_columns(descriptions: &[Description], columns: &[String]) -> Option<usize> {
    descriptions.iter().rposition(|known| has_columns(known, columns))
}

fn has_columns(description: &Description, columns: &[String]) -> bool {
    description.shape.as_ref().is_some_and(|shape| {
        shape.columns.len() == columns.len()
            && shape.columns.iter().all(|column| columns.contains(&column.name))
    })
}

/// Whether all descriptions with the columns of one read their values alike, so that it does not matter which one a record
/// without a schema follows.
pub fn read_alike(descriptions: &[Description], at: usize, handling: SourceHandling) -> bool {
    let Some(shape) = descriptions.get(at).and_then(|known| known.shape.as_ref()) else { return false };
    let columns: Vec<String> = shape.columns.iter().map(|column| column.name.clone()).collect();
    descriptions.iter().filter(|known| has_columns(known, &columns)).all(|known| {
        let others = known.shape.iter().flat_map(|other| &other.columns);
        others.into_iter().all(|other| {
            shape
                .columns
                .iter()
                .find(|column| column.name == other.name)
                .is_some_and(|column| alike(column, other, handling))
        })
    })
}

fn alike(one: &SourceColumn, other: &SourceColumn, handling: SourceHandling) -> bool {
    let form = |column: &SourceColumn| WireForm::of_type(&column.source_type, handling);
    form(one) == form(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::modes::DecimalHandlingMode;
    use crate::sink::record::envelope::read_key;
    use crate::sink::table::mapping::mysql_type::ChangedColumn;
    use crate::sink::version::Version;

    fn description(columns: &[(&str, &str, u8)]) -> Description {
        let column = |&(name, type_name, scale): &(&str, &str, u8)| {
            let json = serde_json::json!({"name": name, "typeName": type_name, "length": 20, "scale": scale});
            serde_json::from_value::<ChangedColumn>(json).unwrap().source_column().unwrap()
        };
        let columns = columns.iter().map(column).collect();
        let shape = Shape { columns, key: vec![], statement_seconds: 0 };
        Description {
            version: Version::ZERO,
            sequenced: false,
            shape: Some(shape),
            breaks: None,
            source: "p".to_owned(),
        }
    }

    #[test]
    fn a_record_without_a_sequence_follows_its_columns() {
        let all = [
            description(&[("id", "INT", 0), ("v", "DECIMAL", 2)]),
            description(&[("id", "BIGINT", 0), ("v", "DECIMAL", 2)]),
            description(&[("id", "BIGINT", 0), ("v", "DECIMAL", 2), ("w", "INT", 0)]),
            description(&[("id", "BIGINT", 0), ("v", "DECIMAL", 4), ("w", "INT", 0)]),
        ];
        let find = |object| with_columns(&all, &names(object).unwrap());
        assert_eq!(find(r#"{"v":1,"id":2}"#), Some(1));
        assert_eq!(find(r#"{"id":1,"v":2,"w":3}"#), Some(3));
        assert_eq!(find(r#"{"id":1}"#), None);
        // A wider integer is read alike; another scale is another number.
        let alike = |at| read_alike(&all, at, SourceHandling::default());
        assert!(alike(1) && alike(0));
        assert!(!alike(3) && !alike(9));
        // A text has its point with it.
        let texts = SourceHandling { decimal: DecimalHandlingMode::String, ..SourceHandling::default() };
        assert!(read_alike(&all, 3, texts));
        let key = read_key(Some(br#"{"b":1,"a":2}"#)).unwrap();
        assert_eq!(key_columns(key).unwrap(), ["b", "a"]);
        assert_eq!(key_columns(None).unwrap(), [""; 0]);
    }
}
