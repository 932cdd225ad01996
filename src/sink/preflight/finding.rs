//! What `validate` tells of a sink: what it is about, what it has to be, what it is, what to do.

use crate::error::{Classify, chain};

/// What a finding means for a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The connector cannot do its work, or would do it wrongly.
    Error,
    /// It runs, and something will be lost, slow or unsafe one day.
    Warning,
    /// Good to know.
    Information,
}

/// Something that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it means.
    pub severity: Severity,
    /// The property or the object.
    pub what: String,
    /// What it has to be.
    pub expected: String,
    /// What it is; never a value of a cell or a password.
    pub actual: String,
    /// What to change.
    pub remedy: String,
}

impl Finding {
    /// A finding.
    pub fn new(
        severity: Severity,
        what: impl Into<String>,
        expected: impl Into<String>,
        actual: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Finding {
            severity,
            what: what.into(),
            expected: expected.into(),
            actual: actual.into(),
            remedy: remedy.into(),
        }
    }

    /// What an error says; `otherwise` is the remedy where it knows none.
    pub fn of_error(
        what: impl Into<String>,
        expected: impl Into<String>,
        error: &impl Classify,
        otherwise: &str,
    ) -> Self {
        let remedy = error.remedy().unwrap_or_else(|| otherwise.to_owned());
        Finding::new(Severity::Error, what, expected, chain(error), remedy)
    }
}
