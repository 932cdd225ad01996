//! A flat map against its table: every value checked once, every problem kept, then typed reads that cannot fail.
//!
//! `Reader::check` walks all that is written and all that is required and collects problems and warnings. The reads
//! that follow give the default for what is absent or was refused, so that one mistake is reported once and the rest
//! of the configuration is still looked at.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::config::check::{self, Refusal};
use crate::config::choice::Choice;
use crate::config::define::{ConfigDef, ConfigTable, Support};
use crate::config::nearest::nearest;
use crate::config::pattern::split_list;
use crate::config::problem::{ConfigProblem, Examined, Warning};
use crate::config::properties::{Properties, shown_name};

/// A configuration while it is read.
pub(super) struct Reader<'a> {
    /// What is written.
    pub properties: &'a Properties,
    table: ConfigTable,
    refused: BTreeSet<&'static str>,
    /// What is wrong.
    pub problems: Vec<ConfigProblem>,
    /// What is odd.
    pub warnings: Vec<Warning>,
}

impl<'a> Reader<'a> {
    /// Checks all values; `required` says which of the required rows are.
    pub fn check(
        properties: &'a Properties,
        table: ConfigTable,
        required: impl Fn(&ConfigDef) -> bool,
    ) -> Self {
        let mut reader = Reader {
            properties,
            table,
            refused: BTreeSet::new(),
            problems: Vec::new(),
            warnings: Vec::new(),
        };
        for (name, origin) in properties.duplicates() {
            let text = format!("set more than once, the value of {origin} does not count");
            reader.warnings.push(Warning::new(name, text));
        }
        for row in table.rows().filter(|row| row.required && required(row)) {
            if reader.written(row.name).is_none() {
                reader.missing(row.name, row.doc);
            }
        }
        let aliases = reader.aliases();
        for name in properties.names() {
            match table.find(name) {
                Some(row) => reader.check_value(row, name),
                None if aliases.iter().any(|alias| name.starts_with(alias.as_str())) => {}
                None => reader.unknown(name),
            }
        }
        reader
    }

    /// The prefixes of properties that belong to custom converters and post processors.
    fn aliases(&self) -> Vec<String> {
        let lists = ["converters", "post.processors"];
        let names = lists.iter().filter_map(|list| self.written(list)).flat_map(|names| names.split(','));
        names.map(|name| format!("{}.", name.trim())).filter(|alias| alias.len() > 1).collect()
    }

    fn check_value(&mut self, row: &'static ConfigDef, name: &str) {
        let Some(text) = self.written(name) else { return };
        if self.properties.is_unresolved(name) {
            self.refused.insert(row.name);
            return;
        }
        let unchanged = row.default.is_some_and(|default| default.eq_ignore_ascii_case(text));
        let available = check::expected(row);
        match row.support {
            Support::Harmless => return,
            Support::NoEffect => {
                if !unchanged {
                    self.warnings
                        .push(Warning::new(name, format!("has no effect in this version ({})", row.doc)));
                }
                return;
            }
            Support::NotYet if unchanged => return,
            Support::NotYet => {
                let expected = match row.default {
                    Some(default) => format!("the default, {default}"),
                    None => "no value".to_owned(),
                };
                let remedy = later_remedy(name);
                self.problem(name, expected, format!("{} is not supported yet", shown_name(name)), remedy);
                self.refused.insert(row.name);
                return;
            }
            Support::Full => {}
        }
        match check::value(row, text) {
            Ok(()) => return,
            // The refused text may be what a placeholder hides, so the reason cannot quote it.
            Err(Refusal::Invalid(_)) if self.properties.is_hidden(name) => {
                let remedy = remedy(row, &available);
                self.invalid(name, available, "what the placeholder stands for is not valid", remedy);
            }
            Err(Refusal::NotYet(_)) if self.properties.is_hidden(name) => {
                self.problem(
                    name,
                    available,
                    format!("the value of {name} is not supported yet"),
                    later_remedy(name),
                );
            }
            Err(Refusal::Invalid(reason)) => {
                let remedy = remedy(row, &available);
                self.invalid(name, available, &reason, remedy);
            }
            Err(Refusal::NotYet(reason)) => self.problem(name, available, reason, later_remedy(name)),
        }
        self.refused.insert(row.name);
    }

    fn unknown(&mut self, name: &str) {
        let text = match nearest(name, self.table.rows().map(|row| row.name)) {
            Some(known) => format!("unknown property, did you mean {known}?"),
            None if name.starts_with("database.") => {
                "unknown property; Debezium hands it to the JDBC driver, here it has no effect".to_owned()
            }
            None => "unknown property".to_owned(),
        };
        self.warnings.push(Warning { unknown_property: true, ..Warning::new(name, text) });
    }

    /// What was found, with the configuration that was read.
    pub fn finish<T>(self, config: T) -> Examined<T> {
        let config = self.problems.is_empty().then_some(config);
        Examined { config, problems: self.problems, warnings: self.warnings }
    }

    /// Adds a problem.
    pub fn problem(
        &mut self,
        name: &str,
        expected: impl Into<String>,
        actual: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.problems.push(ConfigProblem::new(self.properties, name, expected, actual, remedy));
    }

    /// Two properties that mean something only together. Adds the problem of one that is there alone.
    pub fn together(&mut self, one: &str, other: &str) -> Option<(String, String)> {
        let [first, second] = [one, other].map(|name| self.text(name).map(str::to_owned));
        let (name, absent) = match (first, second) {
            (Some(first), Some(second)) => return Some((first, second)),
            (None, None) => return None,
            (Some(_), None) => (one, other),
            (None, Some(_)) => (other, one),
        };
        let (actual, remedy) = (format!("{absent} is not set"), format!("set {absent} as well"));
        self.problem(name, format!("{name} together with {absent}"), actual, remedy);
        None
    }

    /// Adds a problem with Debezium's reason.
    pub fn invalid(
        &mut self,
        name: &str,
        expected: impl Into<String>,
        reason: &str,
        remedy: impl Into<String>,
    ) {
        self.problems.push(ConfigProblem::invalid(self.properties, name, expected, reason, remedy));
    }

    /// Adds the problem of a value that is needed and not there.
    pub fn missing(&mut self, name: &str, doc: &str) {
        self.invalid(name, doc, "A value is required", format!("set {name}"));
    }

    /// What is written, blanks excepted.
    pub fn written(&self, name: &str) -> Option<&'a str> {
        self.properties.get(name).filter(|text| !text.is_empty())
    }

    /// The value as written, or the default; none for what was refused and has no default.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        let row = self.table.find(name);
        let refused = row.is_some_and(|row| self.refused.contains(row.name));
        self.written(name).filter(|_| !refused).or(row.and_then(|row| row.default))
    }

    /// A text, owned; empty when there is none.
    pub fn string(&self, name: &str) -> String {
        self.text(name).unwrap_or_default().to_owned()
    }

    /// A boolean.
    pub fn boolean(&self, name: &str) -> bool {
        self.text(name).is_some_and(|text| text.eq_ignore_ascii_case("true"))
    }

    /// A number; the type's default where there is none.
    pub fn number<T: std::str::FromStr + Default>(&self, name: &str) -> T {
        self.text(name).and_then(|text| text.parse().ok()).unwrap_or_default()
    }

    /// A time in ms.
    pub fn millis(&self, name: &str) -> Duration {
        Duration::from_millis(self.number(name))
    }

    /// A word of a closed set.
    pub fn choice<T: Choice>(&self, name: &str) -> T {
        self.text(name).and_then(T::from_word).unwrap_or_default()
    }

    /// A comma separated list; none when absent or blank.
    pub fn list(&self, name: &str) -> Option<Vec<String>> {
        self.text(name).map(split_list).filter(|items| !items.is_empty())
    }
}

fn remedy(row: &ConfigDef, available: &str) -> String {
    match row.default {
        Some(default) => {
            format!("set {} to {available}, or leave it out for the default {default}", row.name)
        }
        None => format!("set {} to {available}", row.name),
    }
}

fn later_remedy(name: &str) -> String {
    format!("remove or change {}, or leave this connector with Debezium for now", shown_name(name))
}
