//! `fixes.jsonl`: where the right record is not Debezium's, and why.
//!
//! A line is `{"scenario", "topic": REGEX, "path": REGEX, "why"}`: a differing record of that topic passes when every
//! path that differs in it is listed (`value.payload.after.c`); or `{"scenario", "topic": REGEX, "whole": true, "why"}`:
//! records are lost or invented there, so the topic is compared with `expect/SCENARIO/TOPIC.jsonl` instead, which was
//! derived by hand from what the server stored. A line that nothing needs is itself a difference.

use crate::json::Json;
use fancy_regex::Regex;

/// One line, for one scenario.
pub struct Fix {
    text: String,
    topic: Regex,
    /// `None` for a whole topic.
    path: Option<Regex>,
    used: bool,
}

/// The lines that concern one scenario.
pub struct Fixes(Vec<Fix>);

impl Fixes {
    /// Takes the lines of a scenario out of the file's text.
    pub fn of(scenario: &str, text: &str) -> Result<Self, String> {
        let mut fixes = Vec::new();
        for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let bad = |what: &str| format!("fixes.jsonl line {}: {what}", i + 1);
            let json = Json::parse(line).ok_or_else(|| bad("not JSON"))?;
            let field = |name: &str| json.get(name).and_then(Json::text);
            if field("scenario").ok_or_else(|| bad("no scenario"))? != scenario {
                continue;
            }
            if field("why").is_none_or(str::is_empty) {
                return Err(bad("no why"));
            }
            let pattern = |text: &str| Regex::new(text).map_err(|e| bad(&e.to_string()));
            let topic = pattern(&format!("^(?:{})$", field("topic").ok_or_else(|| bad("no topic"))?))?;
            let path = match (json.get("whole"), field("path")) {
                (Some(Json::Bool(true)), None) => None,
                (None, Some(path)) => Some(pattern(path)?),
                _ => return Err(bad("either path or whole")),
            };
            fixes.push(Fix { text: line.to_owned(), topic, path, used: false });
        }
        Ok(Fixes(fixes))
    }

    /// Whether a topic has an expectation of its own.
    pub fn replace_topic(&mut self, topic: &str) -> bool {
        self.first(topic, |fix| fix.path.is_none())
    }

    /// Whether a path of a topic's records may differ.
    pub fn allow_path(&mut self, topic: &str, path: &str) -> bool {
        self.first(topic, |fix| fix.path.as_ref().is_some_and(|p| p.is_match(path).unwrap_or(false)))
    }

    fn first(&mut self, topic: &str, fits: impl Fn(&Fix) -> bool) -> bool {
        let fix = self.0.iter_mut().find(|fix| fix.topic.is_match(topic).unwrap_or(false) && fits(fix));
        fix.map(|fix| fix.used = true).is_some()
    }

    /// Lines that no difference needed.
    pub fn unused(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter(|fix| !fix.used).map(|fix| fix.text.as_str())
    }
}

/// Every scenario that the file names, so that a line for none of them is found.
pub fn scenarios(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(Json::parse);
    lines.filter_map(|line| line.get("scenario").and_then(Json::text).map(str::to_owned)).collect()
}
