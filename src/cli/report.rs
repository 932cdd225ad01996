//! Problems as people read them.

use std::fmt::Write;

use crate::config::problem::ConfigProblem;
use crate::task::validate::Severity;

/// Something that is not as it has to be, in a file or at a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is about: a property with its value and place, or a fact of the server.
    pub what: String,
    /// What it has to be.
    pub expected: String,
    /// What it is.
    pub actual: String,
    /// What to change.
    pub remedy: String,
    /// Whether a connector can run with it.
    pub severity: Severity,
}

impl From<ConfigProblem> for Finding {
    fn from(problem: ConfigProblem) -> Self {
        Finding {
            what: problem.what(),
            expected: problem.expected,
            actual: problem.actual,
            remedy: problem.remedy,
            severity: Severity::Error,
        }
    }
}

/// One block for each finding, an empty line after each.
pub fn blocks(findings: &[Finding]) -> String {
    let mut text = String::new();
    for finding in findings {
        // Writing to a String cannot fail.
        let kind = match finding.severity {
            Severity::Error => "",
            Severity::Warning => "warning: ",
            Severity::Information => "information: ",
        };
        let _ = writeln!(text, "{kind}{}", finding.what);
        let _ = writeln!(text, "  expected: {}", finding.expected);
        let _ = writeln!(text, "  actual:   {}", finding.actual);
        let _ = writeln!(text, "  remedy:   {}\n", finding.remedy);
    }
    text
}

/// The last line of `validate`.
pub fn verdict(problems: usize) -> String {
    match problems {
        0 => "validate: ok".to_owned(),
        1 => "validate: 1 problem".to_owned(),
        count => format!("validate: {count} problems"),
    }
}
