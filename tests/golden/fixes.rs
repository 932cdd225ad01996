//! `fixes.jsonl`: where the right record is not Debezium's, and why.
//!
//! A line is `{"scenario", "topic": REGEX, "path": REGEX, "right": VALUE, "why"}`: a differing record of that topic passes
//! when every path that differs in it (`value.payload.after.c`) is listed with the value that was published. `right` is
//! worked out by hand from the scenario's statements and the server's rules; where records of a topic have several right
//! values at a path, each has a line. Or `{"scenario", "topic": REGEX, "whole": true, "why"}`: records are lost or invented
//! there, so the topic is compared with `expect/SCENARIO/TOPIC.jsonl` instead, which was derived by hand from what the
//! server stored. A line that nothing needs is itself a difference.
//!
//! `why` begins with the findings that say what is wrong, `T-6: …` or `D-13, W-1: …`; those with a W are in `findings.md`.
//!
//! The topic `history` is the stored schema history, and `offset` the last stored offset, whose path is empty.
//!
//! `"topic": "history", "whole": true` does the same for the stored history, with `expect/SCENARIO/history.jsonl`.
//!
//! `"run": "online"` or `"run": "replay"` is for a difference that only one of the two runs can show (a snapshot's);
//! `"corpus": false` for a scenario whose recording is too large to be kept here.

use crate::json::Json;
use crate::scrub::Run;
use fancy_regex::Regex;

/// What was found wrong by us.
const FINDINGS: &str = include_str!("findings.md");

/// One line, for one scenario.
pub struct Fix {
    text: String,
    topic: Regex,
    /// Where the record differs and what stands there rightly; `None` for a whole topic.
    path: Option<(Regex, Json)>,
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
            cited(field("why").unwrap_or_default()).map_err(|what| bad(&what))?;
            let pattern = |text: &str| Regex::new(text).map_err(|e| bad(&e.to_string()));
            let topic = pattern(&format!("^(?:{})$", field("topic").ok_or_else(|| bad("no topic"))?))?;
            let path = match (json.get("whole"), field("path"), json.get("right")) {
                (Some(Json::Bool(true)), None, None) => None,
                (None, Some(path), Some(right)) => Some((pattern(path)?, right.clone())),
                _ => return Err(bad("either path and right, or whole")),
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

    /// Whether a path of a topic's records differs rightly in this run.
    pub fn allow_path(&mut self, topic: &str, path: &str, got: &Json, run: Run) -> bool {
        self.first(topic, run, |fix| {
            fix.path
                .as_ref()
                .is_some_and(|(pattern, right)| right == got && pattern.is_match(path).unwrap_or(false))
        })
    }

    /// Whether a history record differs rightly at a path: as the record of the schema-change topic, whose path is the
    /// same below its value, or by a line of its own for the topic `history`.
    pub fn allow_stored(&mut self, scenario: &str, path: &str, got: &Json, run: Run) -> bool {
        self.allow_path("history", path, got, run)
            || ["value", "value.payload"]
                .iter()
                .any(|above| self.allow_path(scenario, &format!("{above}.{path}"), got, run))
    }

    /// Whether the last stored offset differs rightly: a line of its own for the topic `offset`, with the whole offset.
    pub fn allow_offset(&mut self, got: &Json) -> bool {
        self.allow_path("offset", "", got, Run::Online)
    }

    fn first(&mut self, topic: &str, run: Run, fits: impl Fn(&Fix) -> bool) -> bool {
        let mut of_run = self.0.iter_mut().filter(|fix| fix.run.is_none_or(|only| only == run));
        let fix = of_run.find(|fix| fix.topic.is_match(topic).unwrap_or(false) && fits(fix));
        fix.map(|fix| fix.used = true).is_some()
    }

    /// Lines for this run that no difference of the records needed; what is stored is judged apart.
    pub fn unused(&self, run: Run) -> impl Iterator<Item = &str> {
        self.0
            .iter()
            .filter(move |fix| !fix.used && fix.run.is_none_or(|only| only == run))
            .filter(|fix| {
                !["history", "offset"].iter().any(|topic| fix.topic.is_match(topic).unwrap_or(false))
            })
            .map(|fix| fix.text.as_str())
    }
}

/// Whether a reason begins with findings, and `findings.md` describes those of our own.
fn cited(why: &str) -> Result<(), String> {
    let (findings, text) = why.split_once(": ").ok_or("why has to begin with findings")?;
    // An aside names the place of the finding.
    let findings = findings.split(" (").next().unwrap_or_default();
    for finding in findings.split(", ") {
        let number = finding.split_once('-').filter(|(list, _)| ["T", "D", "W"].contains(list));
        if number.is_none_or(|(_, number)| number.parse::<u32>().is_err()) {
            return Err(format!("{finding:?} is no finding"));
        }
        if finding.starts_with('W') && !FINDINGS.contains(&format!("**{finding}. ")) {
            return Err(format!("findings.md has no {finding}"));
        }
    }
    if text.is_empty() { Err("why says nothing".to_owned()) } else { Ok(()) }
}

/// Every scenario of the corpus that the file names, so that a line for none of them is found.
pub fn scenarios(text: &str) -> Vec<String> {
    let lines =
        text.lines().filter_map(Json::parse).filter(|line| line.get("corpus") != Some(&Json::Bool(false)));
    lines.filter_map(|line| line.get("scenario").and_then(Json::text).map(str::to_owned)).collect()
}
