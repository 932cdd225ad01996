//! What is wrong with a configuration: every finding names the property, what it should be, what it is, what to do.
//!
//! Problems are collected and reported together, never one per start. Where Debezium has a sentence of its own for a
//! problem, `actual` is that sentence word for word, so that a search for it finds Debezium's documentation.

use std::fmt;

use crate::config::properties::{Origin, Properties, shown_name};

/// One problem of a configuration. It stops the connector that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigProblem {
    /// The property's name, without the salt of a hash.
    pub property: String,
    /// Its value as written; stars for a secret, the placeholder where one was resolved, absent when not set.
    pub value: Option<String>,
    /// Where the value was written.
    pub origin: Option<Origin>,
    /// What the property has to be.
    pub expected: String,
    /// What it is: Debezium's sentence where it has one.
    pub actual: String,
    /// What to change.
    pub remedy: String,
}

impl ConfigProblem {
    /// A problem of one property, with value and origin looked up.
    pub fn new(
        properties: &Properties,
        property: &str,
        expected: impl Into<String>,
        actual: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        ConfigProblem {
            property: shown_name(property),
            value: properties.shown(property),
            origin: properties.origin(property).cloned(),
            expected: expected.into(),
            actual: actual.into(),
            remedy: remedy.into(),
        }
    }

    /// A value that Debezium refuses: its sentence is `The 'NAME' value is invalid: REASON`.
    pub fn invalid(
        properties: &Properties,
        property: &str,
        expected: impl Into<String>,
        reason: &str,
        remedy: impl Into<String>,
    ) -> Self {
        let actual = format!("The '{property}' value is invalid: {reason}");
        ConfigProblem::new(properties, property, expected, actual, remedy)
    }
}

impl ConfigProblem {
    /// `property = value (origin)`, the headline of a finding.
    pub fn what(&self) -> String {
        let mut text = self.property.clone();
        if let Some(value) = &self.value {
            text.push_str(" = ");
            text.push_str(value);
        }
        if let Some(origin) = &self.origin {
            text.push_str(&format!(" ({origin})"));
        }
        text
    }
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}; expected: {}; remedy: {}", self.what(), self.actual, self.expected, self.remedy)
    }
}

/// Something that does not stop a connector, but that its owner should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The property's name.
    pub property: String,
    /// What is odd, lower case, without a full stop, without the value of a secret.
    pub text: String,
    /// The name was not known; `validate` counts these as problems.
    pub unknown_property: bool,
}

impl Warning {
    /// A warning about a known property.
    pub fn new(property: &str, text: impl Into<String>) -> Self {
        Warning { property: shown_name(property), text: text.into(), unknown_property: false }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.property, self.text)
    }
}

/// A configuration that was looked at: what it says, what is wrong, what is odd.
#[derive(Clone, Debug)]
pub struct Examined<T> {
    /// What it says; none when anything is wrong.
    pub config: Option<T>,
    /// What is wrong.
    pub problems: Vec<ConfigProblem>,
    /// What is odd, whether or not anything is wrong.
    pub warnings: Vec<Warning>,
}

impl<T> Examined<T> {
    /// The configuration if nothing is wrong with it.
    pub fn into_result(self) -> Result<(T, Vec<Warning>), Vec<ConfigProblem>> {
        match self.config {
            Some(config) => Ok((config, self.warnings)),
            None => Err(self.problems),
        }
    }
}
