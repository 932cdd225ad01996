//! Masks, truncation and source types in schemas: the `column.*` properties whose names hold a parameter.
//!
//! `column.truncate.to.20.chars`, `column.mask.with.5.chars`, `column.mask.hash.SHA-256.with.salt.SALT` and
//! `column.mask.hash.v2.SHA-256.with.salt.SALT` each list columns as expressions for `db.table.column`. A name that begins
//! like one of them and is none is a problem, not a warning: what somebody wanted masked would be published.

use std::collections::BTreeSet;

use crate::config::choice::Choice;
use crate::config::load::Reader;
use crate::config::modes::DigestAlgorithm;
use crate::config::source::Secret;
use crate::connect::java_map::sort_as_java;

const TRUNCATE: &str = "column.truncate.to.";
const MASK: &str = "column.mask.with.";
const HASH: &str = "column.mask.hash.";
const CHARS: &str = ".chars";

/// What happens to the values of a column; never to keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnMapper {
    /// `column.mask.with.N.chars`: text becomes N stars.
    Mask {
        /// How many.
        length: u16,
    },
    /// `column.mask.hash…`: text becomes a salted digest.
    Hash(Hash),
    /// `column.truncate.to.N.chars`: text and bytes end after N units.
    Truncate {
        /// UTF-16 units of text, bytes of bytes.
        length: u32,
    },
}

/// A salted digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hash {
    /// The digest.
    pub algorithm: DigestAlgorithm,
    /// What is digested before the text.
    pub salt: Secret,
    /// How the text becomes bytes.
    pub form: HashForm,
}

/// How a text becomes the bytes that are digested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashForm {
    /// `column.mask.hash.`: Java's object serialization of the String.
    Serialized,
    /// `column.mask.hash.v2.`: UTF-8.
    Utf8,
}

/// One such property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnMapperConfig {
    /// Expressions for `db.table.column`.
    pub columns: Vec<String>,
    /// What happens to these columns.
    pub mapper: ColumnMapper,
}

/// Reads the properties, in the order in which they are asked: masks of stars, hashes, newer hashes, truncations.
///
/// Between two of one kind it is the order of Debezium's map of all the properties that its task is given: those that are
/// written, and the two that Kafka Connect adds. Debezium asks truncations first; here a column that is to be masked is
/// masked whatever else names it (finding D-27).
pub(super) fn read(reader: &mut Reader) -> Vec<ColumnMapperConfig> {
    let mut names: BTreeSet<&str> = reader.properties.names().collect();
    names.extend(["name", "task.class"]);
    let mut names: Vec<&str> = names.into_iter().collect();
    sort_as_java(&mut names, |name| name);
    let mut mappers = Vec::new();
    for name in names {
        let mapper = match mapper(name) {
            None => continue,
            Some(Ok(mapper)) => mapper,
            Some(Err(expected)) => {
                let remedy = "correct the name: the columns would be published as they are";
                reader.problem(name, expected, "the name has a malformed part", remedy);
                continue;
            }
        };
        if let Some(columns) = reader.list(name) {
            mappers.push(ColumnMapperConfig { columns, mapper });
        }
    }
    mappers.sort_by_key(|config| match &config.mapper {
        ColumnMapper::Mask { .. } => 0,
        ColumnMapper::Hash(Hash { form: HashForm::Serialized, .. }) => 1,
        ColumnMapper::Hash(Hash { form: HashForm::Utf8, .. }) => 2,
        ColumnMapper::Truncate { .. } => 3,
    });
    mappers
}

/// What a name says; none for a name of something else, and what is expected for a malformed one.
fn mapper(name: &str) -> Option<Result<ColumnMapper, String>> {
    if let Some(rest) = name.strip_prefix(TRUNCATE) {
        let length = number(rest).filter(|length| i32::try_from(*length).is_ok());
        let expected = "column.truncate.to.N.chars with a number N of characters";
        return Some(length.map(|length| ColumnMapper::Truncate { length }).ok_or(expected.to_owned()));
    }
    if let Some(rest) = name.strip_prefix(MASK) {
        let length = number(rest).and_then(|length| u16::try_from(length).ok());
        let expected = format!("column.mask.with.N.chars with a number N up to {}", u16::MAX);
        return Some(length.map(|length| ColumnMapper::Mask { length }).ok_or(expected));
    }
    let rest = name.strip_prefix(HASH)?;
    let (form, rest) = match rest.strip_prefix("v2.") {
        Some(rest) => (HashForm::Utf8, rest),
        None => (HashForm::Serialized, rest),
    };
    let hash = rest.split_once(".with.salt.").filter(|(_, salt)| !salt.is_empty());
    let hash = hash.and_then(|(algorithm, salt)| {
        Some(Hash { algorithm: DigestAlgorithm::from_word(algorithm)?, salt: Secret::new(salt), form })
    });
    Some(hash.map(ColumnMapper::Hash).ok_or_else(|| {
        let known: Vec<&str> = DigestAlgorithm::WORDS.iter().map(|(word, _)| *word).collect();
        format!(
            "column.mask.hash.ALGORITHM.with.salt.SALT or column.mask.hash.v2.ALGORITHM.with.salt.SALT with an \
             algorithm among {}",
            known.join(", ")
        )
    }))
}

fn number(rest: &str) -> Option<u32> {
    let digits = rest.strip_suffix(CHARS)?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::problem::Examined;
    use crate::config::properties::java;
    use crate::config::source::SourceConfig;

    fn examine(text: &str) -> Examined<SourceConfig> {
        let properties = java::parse(&format!("topic.prefix=p\n{text}"), Path::new("c.properties"));
        SourceConfig::examine_for_decode(&properties.expect(text))
    }

    fn read(text: &str) -> SourceConfig {
        examine(text).into_result().expect(text).0
    }

    /// The sentences of all problems.
    fn problems(text: &str) -> Vec<String> {
        examine(text).problems.into_iter().map(|problem| problem.actual).collect()
    }

    #[test]
    fn names_hold_their_parameter() {
        let hash = |algorithm, salt: &str, form| {
            Some(Ok(ColumnMapper::Hash(Hash { algorithm, salt: Secret::new(salt), form })))
        };
        for (name, expected) in [
            ("column.truncate.to.20.chars", Some(Ok(ColumnMapper::Truncate { length: 20 }))),
            ("column.mask.with.0.chars", Some(Ok(ColumnMapper::Mask { length: 0 }))),
            (
                "column.mask.hash.SHA-256.with.salt.CzQMA0cB5K=",
                hash(DigestAlgorithm::Sha256, "CzQMA0cB5K=", HashForm::Serialized),
            ),
            (
                "column.mask.hash.v2.sha-512/224.with.salt.a.with.salt.b",
                hash(DigestAlgorithm::Sha512T224, "a.with.salt.b", HashForm::Utf8),
            ),
            ("column.include.list", None),
            ("column.propagate.source.type", None),
        ] {
            assert_eq!(mapper(name), expected, "{name}");
        }
    }

    #[test]
    fn malformed_names_are_refused() {
        for name in [
            "column.truncate.to.x.chars",
            "column.truncate.to.-1.chars",
            "column.truncate.to.2147483648.chars",
            "column.mask.with.chars",
            "column.mask.with.70000.chars",
            "column.mask.hash.SHA-257.with.salt.x",
            "column.mask.hash.v2.with.salt.x",
            "column.mask.hash.v3.SHA-256.with.salt.x",
            "column.mask.hash.SHA-256.with.salt.",
            "column.mask.hash.SHA-256.salt.x",
        ] {
            assert!(matches!(mapper(name), Some(Err(_))), "{name}");
        }
    }

    #[test]
    fn operations_on_columns_are_read() {
        let config = read(
            "column.truncate.to.20.chars=d.t.a\ncolumn.truncate.to.5.chars=d.t.b, d.t.c\ncolumn.mask.with.3.chars=d.t.d\n\
             column.mask.hash.v2.SHA-256.with.salt.pepper=d.t.e\ncolumn.mask.hash.MD5.with.salt.s=d.t.f\n\
             column.propagate.source.type=.*\ndatatype.propagate.source.type=.*\\\\.INT",
        );
        let filters = &config.filters;
        let lists: Vec<&str> = filters.mappers.iter().map(|mapper| mapper.columns[0].as_str()).collect();
        assert_eq!(lists, ["d.t.d", "d.t.f", "d.t.e", "d.t.a", "d.t.b"]);
        assert_eq!(filters.mappers[4].columns, ["d.t.b", "d.t.c"]);
        assert_eq!(filters.propagated_columns, [".*"]);
        assert_eq!(filters.propagated_types, [r".*\.INT"]);
        assert!(!format!("{config:?}").contains("pepper"));
    }

    /// Which rule the real Debezium 3.6.1 followed for a column that all of them name. The order depends on how many
    /// properties there are: Java's map of 25 has 64 buckets, one of 24 has 32.
    #[test]
    fn two_rules_of_one_kind_are_asked_in_the_order_of_javas_map() {
        let truncations = "column.truncate.to.3.chars=c\ncolumn.truncate.to.5.chars=c\ncolumn.truncate.to.7.chars=c\ncolumn.truncate.to.10.chars=c";
        let hashes = "column.mask.hash.SHA-1.with.salt.t=c\ncolumn.mask.hash.SHA-256.with.salt.s=c";
        for (rules, others, expected) in [
            (truncations, 0, "5, 3, 10, 7"),
            (truncations, 17, "5, 3, 10, 7"),
            (truncations, 18, "5, 10, 7, 3"),
            (hashes, 30, "Sha256, Sha1"),
        ] {
            let others: String = (0..others).map(|i| format!("key.converter.{i}=x\n")).collect();
            let order: Vec<String> = read(&format!("{rules}\n{others}"))
                .filters
                .mappers
                .iter()
                .map(|config| match &config.mapper {
                    ColumnMapper::Mask { length } => length.to_string(),
                    ColumnMapper::Hash(hash) => format!("{:?}", hash.algorithm),
                    ColumnMapper::Truncate { length } => length.to_string(),
                })
                .collect();
            assert_eq!(order.join(", "), expected);
        }
    }

    #[test]
    fn malformed_masks_stop_the_connector() {
        for text in [
            "column.mask.with.three.chars=d.t.a",
            "column.mask.hash.SHA-99.with.salt.pepper=d.t.a",
            "column.mask.with.3.char=d.t.a",
            "column.truncate.to.chars=d.t.a",
        ] {
            assert_eq!(problems(text), ["the name has a malformed part"], "{text}");
        }
        let examined = examine("column.mask.hash.SHA-99.with.salt.pepper=d.t.a");
        assert!(!format!("{:?}", examined.problems).contains("pepper"));
        let text = problems("column.mask.with.3.chars=d.t.(");
        assert!(text[0].starts_with("The 'column.mask.with.3.chars' value is invalid: "), "{text:?}");
    }
}
