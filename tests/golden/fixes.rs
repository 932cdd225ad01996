//! `fixes.jsonl`: where the right record is not Debezium's, and why.
//!
//! A line is `{"scenario", "topic": REGEX, "path": REGEX, "why"}`: a differing record of that topic passes when every
//! path that differs in it is listed (`value.payload.after.c`); or `{"scenario", "topic": REGEX, "whole": true, "why"}`:
//! records are lost or invented there, so the topic is compared with `expect/SCENARIO/TOPIC.jsonl` instead, which was
//! derived by hand from what the server stored. `"run": "online"` or `"run": "replay"` is for a difference that only one
//! of the two runs can show (a snapshot's). A line that nothing needs is itself a difference.

use crate::json::Json;
use crate::scrub::Run;
use fancy_regex::Regex;

/// One line, for one scenario.
pub struct Fix {
    text: String,
    topic: Regex,
    /// `None` for a whole topic.
    path: Option<Regex>,
    /// The only run that it is for; `None` for every run.
    run: Option<Run>,
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
            let run = match field("run") {
                None => None,
                Some("online") => Some(Run::Online),
                Some("replay") => Some(Run::Replay),
                Some(_) => return Err(bad("run is online or replay")),
            };
            fixes.push(Fix { text: line.to_owned(), topic, path, run, used: false });
        }
        Ok(Fixes(fixes))
    }

    /// Whether some run has an expectation of its own for a topic.
    pub fn names_topic(&self, topic: &str) -> bool {
        self.0.iter().any(|fix| fix.path.is_none() && fix.topic.is_match(topic).unwrap_or(false))
    }

    /// Whether a topic has an expectation of its own in this run.
    pub fn replace_topic(&mut self, topic: &str, run: Run) -> bool {
        self.first(topic, run, |fix| fix.path.is_none())
    }

    /// Whether a path of a topic's records may differ in this run.
    pub fn allow_path(&mut self, topic: &str, path: &str, run: Run) -> bool {
        self.first(topic, run, |fix| fix.path.as_ref().is_some_and(|p| p.is_match(path).unwrap_or(false)))
    }

    fn first(&mut self, topic: &str, run: Run, fits: impl Fn(&Fix) -> bool) -> bool {
        let mut of_run = self.0.iter_mut().filter(|fix| fix.run.is_none_or(|only| only == run));
        let fix = of_run.find(|fix| fix.topic.is_match(topic).unwrap_or(false) && fits(fix));
        fix.map(|fix| fix.used = true).is_some()
    }

    /// Lines for this run that no difference needed.
    pub fn unused(&self, run: Run) -> impl Iterator<Item = &str> {
        self.0
            .iter()
            .filter(move |fix| !fix.used && fix.run.is_none_or(|only| only == run))
            .map(|fix| fix.text.as_str())
    }
}

/// Every scenario that the file names, so that a line for none of them is found.
pub fn scenarios(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(Json::parse);
    lines.filter_map(|line| line.get("scenario").and_then(Json::text).map(str::to_owned)).collect()
}
