//! The flat map of properties: name → text, each with the place it was written at.
//!
//! Debezium's names are not a tree (`snapshot.mode` is a leaf and `snapshot.mode.custom.name` hangs below it), so the
//! map is flat and ordered by name. `json` and `java` read the two file forms into it; `placeholder` then replaces
//! `${provider:…}` as Kafka Connect's configuration providers do. A value that came from a placeholder is shown as the
//! placeholder ever after, and a value whose name says that it is secret is shown as stars.
//!
//! As with Kafka Connect, the last of two entries with one name counts; the earlier ones are remembered for a warning.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::config::error::ConfigError;

pub mod java;
pub mod json;
pub mod placeholder;

/// Where a value was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// In a file; the line from 1 where the form has lines of its own.
    File {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: Option<usize>,
    },
    /// Given by the program itself or on the command line.
    CommandLine,
}

impl fmt::Display for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::File { path, line: Some(line) } => write!(out, "{}:{line}", path.display()),
            Origin::File { path, line: None } => write!(out, "{}", path.display()),
            Origin::CommandLine => out.write_str("command line"),
        }
    }
}

/// One entry.
#[derive(Clone, PartialEq, Eq)]
struct Entry {
    value: String,
    /// The text before placeholders were replaced, when there were any.
    written: Option<String>,
    /// A placeholder of it stands for nothing.
    unresolved: bool,
    origin: Origin,
}

/// A flat map of properties.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Properties {
    entries: BTreeMap<String, Entry>,
    duplicates: Vec<(String, Origin)>,
}

impl Properties {
    /// An empty map.
    pub fn new() -> Self {
        Properties::default()
    }

    /// Reads a file: JSON when its first character is `{`, otherwise .properties. Placeholders stay as they are.
    pub fn read(path: &Path) -> Result<Properties, ConfigError> {
        let bytes =
            std::fs::read(path).map_err(|source| ConfigError::Read { path: path.to_owned(), source })?;
        let text = java::decode_text(&bytes);
        if text.trim_start().starts_with('{') { json::parse(&text, path) } else { java::parse(&text, path) }
    }

    /// Sets a value; an earlier one of the same name is replaced and counted as a duplicate.
    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<String>, origin: Origin) {
        let name = name.into();
        let entry = Entry { value: value.into(), written: None, unresolved: false, origin };
        if let Some(earlier) = self.entries.insert(name.clone(), entry) {
            self.duplicates.push((name, earlier.origin));
        }
    }

    /// The value of a name, trimmed as Kafka's ConfigDef trims all but passwords; none when absent.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.entries.get(name).map(|entry| entry.value.trim())
    }

    /// The value of a name with its white space, for passwords.
    pub fn get_untrimmed(&self, name: &str) -> Option<&str> {
        self.entries.get(name).map(|entry| entry.value.as_str())
    }

    /// Where a name was set.
    pub fn origin(&self, name: &str) -> Option<&Origin> {
        self.entries.get(name).map(|entry| &entry.origin)
    }

    /// The value as it may be printed: stars for a secret, the placeholder where one was resolved, cut when long.
    pub fn shown(&self, name: &str) -> Option<String> {
        const LONGEST: usize = 200;
        let entry = self.entries.get(name)?;
        if is_secret(name) {
            return Some("********".to_owned());
        }
        let text = entry.written.as_deref().unwrap_or(&entry.value);
        if text.chars().count() <= LONGEST {
            return Some(text.to_owned());
        }
        let mut cut: String = text.chars().take(LONGEST).collect();
        cut.push('…');
        Some(cut)
    }

    /// Whether the value came, wholly or in part, from a placeholder and so must not be printed.
    pub fn is_hidden(&self, name: &str) -> bool {
        is_secret(name) || self.entries.get(name).is_some_and(|entry| entry.written.is_some())
    }

    /// Whether a placeholder of the value stands for nothing, which is a problem already.
    pub fn is_unresolved(&self, name: &str) -> bool {
        self.entries.get(name).is_some_and(|entry| entry.unresolved)
    }

    /// All names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// The entries whose names begin with a prefix, which is removed; an empty rest is left out.
    pub fn with_prefix(&self, prefix: &str) -> Vec<(String, String)> {
        self.entries
            .iter()
            .filter_map(|(name, entry)| {
                let rest = name.strip_prefix(prefix).filter(|rest| !rest.is_empty())?;
                let value = if is_secret(name) { &entry.value } else { entry.value.trim() };
                Some((rest.to_owned(), value.to_owned()))
            })
            .collect()
    }

    /// Names that were set more than once, with the place of the value that no longer counts.
    pub fn duplicates(&self) -> &[(String, Origin)] {
        &self.duplicates
    }

    /// Marks a value whose placeholders stand for nothing.
    fn mark_unresolved(&mut self, name: &str) {
        if let Some(entry) = self.entries.get_mut(name) {
            entry.unresolved = true;
        }
    }

    /// Replaces a value by what its placeholders stand for; what was written is kept for printing.
    fn replace_resolved(&mut self, name: &str, resolved: String) {
        if let Some(entry) = self.entries.get_mut(name) {
            let written = std::mem::replace(&mut entry.value, resolved);
            entry.written.get_or_insert(written);
        }
    }
}

/// Names with the values as they may be printed.
impl fmt::Debug for Properties {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_map()
            .entries(self.names().map(|name| (shown_name(name), self.shown(name).unwrap_or_default())))
            .finish()
    }
}

/// Whether a name stands for a secret. The rule is Debezium's default of `custom.sanitize.pattern` and the key
/// properties of Kafka's clients.
pub fn is_secret(name: &str) -> bool {
    const ENDINGS: [&str; 9] = [
        "password",
        "passwd",
        "secret",
        "sasl.jaas.config",
        "basic.auth.user.info",
        "auth.client-secret",
        "ssl.keystore.key",
        "token",
        "credentials",
    ];
    let name = name.to_ascii_lowercase();
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// A name as it may be printed: the salt of `column.mask.hash.ALGORITHM.with.salt.SALT` is stars.
pub fn shown_name(name: &str) -> String {
    const SALT: &str = ".with.salt.";
    match name.split_once(SALT) {
        Some((before, _)) => format!("{before}{SALT}********"),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_never_printed() {
        let mut properties = Properties::new();
        for name in ["database.password", "producer.override.sasl.jaas.config", "database.hostname"] {
            properties.insert(name, "hunter2", Origin::CommandLine);
        }
        properties.replace_resolved("database.hostname", "resolved-secret".to_owned());
        let text = format!("{properties:?}");
        assert_eq!(
            text,
            r#"{"database.hostname": "hunter2", "database.password": "********", "producer.override.sasl.jaas.config": "********"}"#
        );
        assert!(properties.is_hidden("database.hostname"));
        assert_eq!(properties.get("database.hostname"), Some("resolved-secret"));
    }

    #[test]
    fn the_last_of_two_values_counts() {
        let mut properties = Properties::new();
        properties.insert("a", "1", Origin::CommandLine);
        properties.insert("a", " 2 ", Origin::CommandLine);
        assert_eq!(properties.get("a"), Some("2"));
        assert_eq!(properties.get_untrimmed("a"), Some(" 2 "));
        assert_eq!(properties.duplicates(), [("a".to_owned(), Origin::CommandLine)]);
    }

    #[test]
    fn prefixes_are_removed() {
        let mut properties = Properties::new();
        properties.insert("producer.acks", "all", Origin::CommandLine);
        properties.insert("producer.", "x", Origin::CommandLine);
        properties.insert("consumer.a", "x", Origin::CommandLine);
        assert_eq!(properties.with_prefix("producer."), [("acks".to_owned(), "all".to_owned())]);
    }
}
