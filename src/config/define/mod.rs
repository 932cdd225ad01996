//! Every property that exists: name, type, default, meaning, check.
//!
//! The rows of a connector and of the worker are tables of constants, one file a group. They are what a configuration
//! is checked against (`load`), what defaults are read from, and what `json_schema` prints. A name with one `*` is a
//! pattern: the star stands for what the user chose (`column.truncate.to.*.chars`, `producer.override.*`).

use crate::config::check::Check;

pub mod capture;
pub mod connection;
pub mod converters;
pub mod events;
pub mod heartbeat;
pub mod history;
pub mod json_schema;
pub mod queue;
pub mod sink;
pub mod snapshot;
pub mod topics;
pub mod values;
pub mod worker;

/// What text a property takes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// `true` or `false`, in any case.
    Boolean,
    /// 32 bits, signed.
    Int,
    /// 64 bits, signed.
    Long,
    /// Any text.
    Text,
    /// Any text, never printed.
    Password,
    /// The name of a Java class.
    Class,
    /// Comma separated regular expressions of Java.
    RegexList,
    /// One word of a closed set, in any case.
    Word {
        /// The words, in the order in which Debezium lists them.
        allowed: &'static [&'static str],
        /// Those of them that this version cannot do yet.
        later: &'static [&'static str],
    },
    /// Comma separated words of a closed set.
    Words {
        /// The words.
        allowed: &'static [&'static str],
        /// Those of them that this version cannot do yet.
        later: &'static [&'static str],
    },
}

/// How much a property matters, as Kafka's ConfigDef grades it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Importance {
    /// Nearly everybody sets it.
    High,
    /// Many set it.
    Medium,
    /// Few set it.
    Low,
}

/// What this version does with a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// What Debezium does.
    Full,
    /// Nothing, and nobody misses it: it is about the JVM or about parts that are not there.
    Harmless,
    /// Nothing, with a warning when it differs from the default: records are the same without it.
    NoEffect,
    /// A value other than the default stops the connector: passing over it would change records.
    NotYet,
}

/// One row.
#[derive(Clone, Copy, Debug)]
pub struct ConfigDef {
    /// The name; at most one `*`.
    pub name: &'static str,
    /// The type.
    pub kind: Kind,
    /// The default; none when there is none.
    pub default: Option<&'static str>,
    /// Whether a value is needed.
    pub required: bool,
    /// How much it matters.
    pub importance: Importance,
    /// A further check of the value; its error is Debezium's reason.
    pub check: Option<Check>,
    /// What this version does with it.
    pub support: Support,
    /// One line for people.
    pub doc: &'static str,
}

impl ConfigDef {
    const fn new(name: &'static str, kind: Kind, default: Option<&'static str>, doc: &'static str) -> Self {
        ConfigDef {
            name,
            kind,
            default,
            required: false,
            importance: Importance::Low,
            check: None,
            support: Support::Full,
            doc,
        }
    }

    /// A row with a default.
    pub(crate) const fn with(
        name: &'static str,
        kind: Kind,
        default: &'static str,
        doc: &'static str,
    ) -> Self {
        ConfigDef::new(name, kind, Some(default), doc)
    }

    /// A row without a default.
    pub(crate) const fn optional(name: &'static str, kind: Kind, doc: &'static str) -> Self {
        ConfigDef::new(name, kind, None, doc)
    }

    /// A row that needs a value.
    pub(crate) const fn needed(name: &'static str, kind: Kind, doc: &'static str) -> Self {
        ConfigDef { required: true, importance: Importance::High, ..ConfigDef::new(name, kind, None, doc) }
    }

    const fn checked(self, check: Check) -> Self {
        ConfigDef { check: Some(check), ..self }
    }

    const fn high(self) -> Self {
        ConfigDef { importance: Importance::High, ..self }
    }

    const fn medium(self) -> Self {
        ConfigDef { importance: Importance::Medium, ..self }
    }

    const fn harmless(self) -> Self {
        ConfigDef { support: Support::Harmless, ..self }
    }

    const fn no_effect(self) -> Self {
        ConfigDef { support: Support::NoEffect, ..self }
    }

    const fn not_yet(self) -> Self {
        ConfigDef { support: Support::NotYet, ..self }
    }

    /// Whether a name is this row's, by itself or through the star.
    pub fn covers(&self, name: &str) -> bool {
        match self.name.split_once('*') {
            None => self.name == name,
            Some((before, after)) => {
                name.len() > before.len() + after.len() && name.starts_with(before) && name.ends_with(after)
            }
        }
    }
}

/// A table of rows, in groups.
#[derive(Clone, Copy, Debug)]
pub struct ConfigTable {
    groups: &'static [&'static [ConfigDef]],
}

impl ConfigTable {
    /// All rows, in order.
    pub fn rows(&self) -> impl Iterator<Item = &'static ConfigDef> {
        self.groups.iter().flat_map(|group| group.iter())
    }

    /// The row of a name: an exact one before a pattern.
    pub fn find(&self, name: &str) -> Option<&'static ConfigDef> {
        self.rows().find(|row| row.name == name).or_else(|| self.rows().find(|row| row.covers(name)))
    }
}

/// The properties of the MySQL connector.
pub const MYSQL_CONNECTOR: ConfigTable = ConfigTable {
    groups: &[
        connection::ROWS,
        capture::ROWS,
        values::ROWS,
        events::ROWS,
        snapshot::ROWS,
        queue::ROWS,
        topics::ROWS,
        heartbeat::ROWS,
        history::ROWS,
        converters::ROWS,
    ],
};

/// The properties of the ClickHouse sink connector.
pub const CLICKHOUSE_SINK_CONNECTOR: ConfigTable = ConfigTable { groups: &[sink::ROWS, sink::TABLE_ROWS] };

/// The properties of the worker.
pub const WORKER: ConfigTable = ConfigTable { groups: &[worker::ROWS] };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_one_row_and_every_default_is_valid() {
        for table in [MYSQL_CONNECTOR, CLICKHOUSE_SINK_CONNECTOR, WORKER] {
            let names: Vec<&str> = table.rows().map(|row| row.name).collect();
            for row in table.rows() {
                assert_eq!(names.iter().filter(|name| **name == row.name).count(), 1, "{}", row.name);
                assert!(row.name.matches('*').count() <= 1, "{}", row.name);
                assert!(!row.doc.is_empty() && !row.doc.ends_with('.'), "{}", row.name);
                if let Some(default) = row.default {
                    assert_eq!(crate::config::check::value(row, default), Ok(()), "{}", row.name);
                }
            }
        }
    }

    #[test]
    fn an_exact_row_comes_before_a_pattern() {
        let name = |name| MYSQL_CONNECTOR.find(name).map(|row| row.name);
        assert_eq!(name("snapshot.mode"), Some("snapshot.mode"));
        assert_eq!(name("column.truncate.to.20.chars"), Some("column.truncate.to.*.chars"));
        assert_eq!(name("column.truncate.to.chars"), None);
        assert_eq!(name("column.mask.hash.SHA-256.with.salt.x"), Some("column.mask.hash.*"));
        assert_eq!(name("key.converter.schemas.enable"), Some("key.converter.schemas.enable"));
        assert_eq!(name("snapshot.max.threads.multiplier.db.t"), Some("snapshot.max.threads.multiplier.*"));
    }
}
