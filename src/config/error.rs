//! Why a configuration cannot be read or used.

use std::path::PathBuf;

use crate::config::problem::ConfigProblem;
use crate::error::{Classify, ErrorClass};

/// An error of the configuration. All are fatal: somebody has to change a file.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A file cannot be read.
    #[error("cannot read configuration {}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// A file is not JSON although it begins with a brace.
    #[error("{} is no valid json: line {line} column {column}", .path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// Why.
        #[source]
        source: serde_json::Error,
    },
    /// A value is an object or a list.
    #[error("property {name} in {} is {found}, not a text", .path.display())]
    Nested {
        /// The file.
        path: PathBuf,
        /// The property.
        name: String,
        /// `an object` or `a list`.
        found: &'static str,
    },
    /// A .properties file has a `\u` without four hexadecimal digits.
    #[error("malformed \\uXXXX escape in {} line {line}", .path.display())]
    Escape {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
    },
    /// A regular expression is not one that Java knows, or one that this program cannot match.
    #[error("{property} has a malformed regular expression {pattern}: {reason}")]
    Pattern {
        /// The property.
        property: String,
        /// The expression.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The values have problems, all of which are listed.
    #[error("the configuration has {} problems", .0.len())]
    Invalid(Vec<ConfigProblem>),
}

impl Classify for ConfigError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Fatal
    }

    fn remedy(&self) -> Option<String> {
        match self {
            ConfigError::Nested { .. } => {
                Some("write flat properties with dotted names, or {\"name\": …, \"config\": {…}}".to_owned())
            }
            _ => None,
        }
    }
}
