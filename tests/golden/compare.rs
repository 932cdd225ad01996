//! Published records against golden ones: topic by topic, in order, every member, and the text where it is recorded.

use crate::fixes::Fixes;
use crate::json::Json;
use crate::record::{PARTS, Record};
use crate::scrub::{Run, comparable};
use std::collections::{BTreeSet, HashMap};

/// What a comparison found.
#[derive(Debug, Default)]
pub struct Outcome {
    pub equal: usize,
    pub allowed: usize,
    pub total: usize,
    pub differences: Vec<String>,
}

impl Outcome {
    /// One line when all is well, otherwise the first differences.
    pub fn report(self, shown: usize) -> Result<String, String> {
        let sum =
            format!("{} of {} records equal, {} allowed to differ", self.equal, self.total, self.allowed);
        if self.differences.is_empty() {
            return Ok(sum);
        }
        let first: Vec<&str> = self.differences.iter().take(shown).map(String::as_str).collect();
        Err(format!("{}\n{sum}, {} differences", first.join("\n"), self.differences.len()))
    }
}

/// What is expected of a scenario.
pub struct Expectation {
    /// The real Debezium's records, all of them.
    pub golden: Vec<Record>,
    /// Records that replace a topic's golden ones, by topic.
    pub own: HashMap<String, Vec<Record>>,
    pub fixes: Fixes,
    /// Debezium stopped with an error: its records are the beginning of ours, which go on.
    pub debezium_failed: bool,
}

/// Compares; `own` expectations are read where a fix replaces a whole topic, and only there.
pub fn compare(expected: Expectation, published: Vec<Record>, run: Run) -> Outcome {
    let Expectation { golden, own, mut fixes, debezium_failed } = expected;
    let golden = comparable(golden, run);
    let published = comparable(published, run);
    let mut outcome = Outcome { total: golden.values().map(Vec::len).sum(), ..Outcome::default() };
    let unused_own: Vec<&String> = own.keys().filter(|topic| !fixes.names_topic(topic)).collect();
    let topics: BTreeSet<&String> = golden.keys().chain(published.keys()).collect();
    for topic in topics {
        let got = published.get(topic).map_or(&[][..], Vec::as_slice);
        let mut wanted = golden.get(topic).map_or(&[][..], Vec::as_slice);
        let replaced;
        let whole = fixes.replace_topic(topic, run);
        if whole {
            let Some(records) = own.get(topic) else {
                outcome
                    .differences
                    .push(format!("{topic}: a whole-topic fix without expect/…/{topic}.jsonl"));
                continue;
            };
            replaced = comparable(records.clone(), run).remove(topic).unwrap_or_default();
            outcome.allowed += wanted.len();
            wanted = &replaced;
        }
        if wanted.len() != got.len() && !(debezium_failed && got.len() > wanted.len()) {
            outcome.differences.push(format!(
                "{topic}: {} records expected, {} published",
                wanted.len(),
                got.len()
            ));
        }
        for (i, (want, got)) in wanted.iter().zip(got).enumerate() {
            match difference(want, got, &mut fixes, run) {
                Ok(true) if whole => {}
                Ok(true) => outcome.equal += 1,
                Ok(false) => outcome.allowed += 1,
                Err(what) => outcome.differences.push(format!(
                    "{topic}[{i}] (expected line {}, published line {}): {what}",
                    want.line, got.line
                )),
            }
        }
    }
    outcome
        .differences
        .extend(unused_own.iter().map(|topic| format!("expect/…/{topic}.jsonl: no whole-topic fix uses it")));
    outcome.differences.extend(fixes.unused(run).map(|line| format!("fix not needed: {line}")));
    outcome
}

/// `Ok(true)` equal, `Ok(false)` different as the fixes allow, otherwise the first difference.
fn difference(want: &Record, got: &Record, fixes: &mut Fixes, run: Run) -> Result<bool, String> {
    let mut found = Vec::new();
    for (name, (want, got)) in PARTS.iter().zip(want.parts.iter().zip(&got.parts)) {
        paths(want, got, name, &mut found);
    }
    if found.is_empty() {
        for (want, got) in want.text.iter().zip(&got.text) {
            if let (Some(want), Some(got)) = (want, got)
                && want != got
            {
                return Err(format!("same JSON, other text: {}", around(want, got)));
            }
        }
        return Ok(true);
    }
    // Every path asks, so that each fix is seen to be used.
    let mut wrong =
        found.into_iter().filter(|found| !fixes.allow_path(&want.topic, &found.path, found.got, run));
    let first = wrong.next();
    wrong.for_each(drop);
    first.map_or(Ok(false), |found| Err(found.what))
}

/// The first path at which a history record differs from the golden one without a fix, with what is to be said of it.
pub fn stored_difference(scenario: &str, want: &Json, got: &Json, fixes: &mut Fixes) -> Option<String> {
    let mut found = Vec::new();
    paths(want, got, "", &mut found);
    let path = |found: &Found<'_>| found.path.trim_start_matches('.').to_owned();
    found
        .into_iter()
        .find(|found| !fixes.allow_stored(scenario, &path(found), found.got, Run::Online))
        .map(|found| found.what)
}

/// One place where two records differ.
struct Found<'a> {
    path: String,
    /// What was published there.
    got: &'a Json,
    /// What is to be said about it.
    what: String,
}

/// The path of every leaf that differs; of a whole subtree where shapes differ.
fn paths<'a>(want: &Json, got: &'a Json, path: &str, found: &mut Vec<Found<'a>>) {
    let differs = |what| Found { path: path.to_owned(), got, what };
    match (want, got) {
        (Json::Object(w), Json::Object(g)) => {
            let names =
                |members: &[(String, Json)]| members.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
            if names(w) != names(g) {
                let what = format!("{path}: members {} → {}", names(w).join(" "), names(g).join(" "));
                return found.push(differs(what));
            }
            for ((name, want), (_, got)) in w.iter().zip(g) {
                paths(want, got, &format!("{path}.{name}"), found);
            }
        }
        (Json::List(w), Json::List(g)) if w.len() == g.len() => {
            for (i, (want, got)) in w.iter().zip(g).enumerate() {
                paths(want, got, &format!("{path}[{i}]"), found);
            }
        }
        (Json::List(w), Json::List(g)) => {
            found.push(differs(format!("{path}: {} → {} items", w.len(), g.len())));
        }
        _ if want == got => {}
        _ => {
            let short = |json: &Json| json.to_string().chars().take(200).collect::<String>();
            found.push(differs(format!("{path}: {} → {}", short(want), short(got))));
        }
    }
}

/// The two texts around the first character that differs.
fn around(want: &str, got: &str) -> String {
    let at = want.chars().zip(got.chars()).take_while(|(w, g)| w == g).count();
    let part = |text: &str| text.chars().skip(at.saturating_sub(40)).take(80).collect::<String>();
    format!("{:?} → {:?}", part(want), part(got))
}
