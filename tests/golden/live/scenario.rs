//! A scenario's statements and directives, in order.
//!
//! `-- @before` begins the statements that run before the connector starts, `-- @after` those that it streams. Statements
//! end with `;` at a line's end, or with what `DELIMITER` says. `-- @session NAME` changes to another client session
//! (made when it is new), `-- @fails` says that the next statement must fail, `-- @sleep S` waits. In the second part,
//! `-- @stop` waits until nothing more comes and stops the connector, `-- @stop-now` does not wait, `-- @start [k=v ...]`
//! starts it again with changed properties, `-- @drop-history` loses the history topic, `-- @restart [k=v ...]` does both, `-- @wait` waits until nothing more comes.

use std::time::Duration;

/// One thing to do.
#[derive(Debug, PartialEq)]
pub enum Step {
    Statement(String),
    /// The next statement must fail.
    Fails,
    Session(String),
    Sleep(Duration),
    Wait,
    /// Stop the connector; wait for quiet first, or not.
    Stop {
        wait: bool,
    },
    /// The history topic is lost.
    DropHistory,
    /// Start the connector with these properties on top.
    Start(Vec<(String, String)>),
}

/// The two parts.
#[derive(Debug, Default, PartialEq)]
pub struct Scenario {
    pub before: Vec<Step>,
    pub after: Vec<Step>,
}

impl Scenario {
    /// Reads a scenario file's text; an unknown directive is an error.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut scenario = Scenario::default();
        let mut part: Option<&mut Vec<Step>> = None;
        let mut delimiter = ";".to_owned();
        let mut statement = String::new();
        for line in text.lines() {
            let trimmed = line.trim();
            let directive = trimmed.strip_prefix("-- @").map(|d| d.split_once(' ').unwrap_or((d, "")));
            if let Some((name @ ("before" | "after"), "")) = directive {
                finish(&mut statement, part.as_deref_mut());
                part = Some(if name == "before" { &mut scenario.before } else { &mut scenario.after });
                continue;
            }
            // Above the first part are only comments, and `-- @config` lines that config.json repeats.
            let Some(steps) = part.as_deref_mut() else { continue };
            if let Some((name, argument)) = directive {
                finish(&mut statement, Some(steps));
                steps.extend(directive_steps(name, argument.trim())?);
                continue;
            }
            let first_word = trimmed.split(char::is_whitespace).next().unwrap_or_default();
            if first_word.eq_ignore_ascii_case("delimiter") {
                delimiter = trimmed[first_word.len()..].trim().to_owned();
                continue;
            }
            if !statement.is_empty() {
                statement.push('\n');
            }
            statement.push_str(line);
            if let Some(whole) = statement.trim_end().strip_suffix(&delimiter) {
                statement = whole.to_owned();
                finish(&mut statement, Some(steps));
            }
        }
        finish(&mut statement, part);
        Ok(scenario)
    }
}

fn finish(statement: &mut String, part: Option<&mut Vec<Step>>) {
    let text = std::mem::take(statement);
    let text = text.trim_matches('\n');
    // A comment with nothing after it is no statement.
    let blank = text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with("-- "));
    if let Some(steps) = part
        && !blank
    {
        steps.push(Step::Statement(text.to_owned()));
    }
}

fn directive_steps(name: &str, argument: &str) -> Result<Vec<Step>, String> {
    let properties = || {
        let pairs = argument.split_whitespace().map(|pair| pair.split_once('='));
        let pairs: Option<Vec<_>> = pairs.collect();
        let pairs = pairs.ok_or_else(|| format!("-- @{name} {argument}: not k=v"))?;
        Ok::<_, String>(pairs.into_iter().map(|(k, v)| (k.to_owned(), v.to_owned())).collect())
    };
    Ok(match name {
        "session" if !argument.is_empty() => vec![Step::Session(argument.to_owned())],
        "sleep" => {
            let seconds: f64 = argument.parse().map_err(|e| format!("-- @sleep {argument}: {e}"))?;
            vec![Step::Sleep(Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())?)]
        }
        "fails" => vec![Step::Fails],
        "wait" => vec![Step::Wait],
        "stop" => vec![Step::Stop { wait: true }],
        "stop-now" => vec![Step::Stop { wait: false }],
        "drop-history" => vec![Step::DropHistory],
        "start" => vec![Step::Start(properties()?)],
        "restart" => vec![Step::Stop { wait: true }, Step::Start(properties()?)],
        _ => return Err(format!("unknown directive -- @{name}")),
    })
}

/// The reader proves itself on a made-up scenario.
pub fn proof() -> Result<(), String> {
    let text = "-- a title\n-- @config a=b\n-- @before\ncreate table t(a int);\n-- @after\n-- a comment\ninsert into t\n values(1);\n\
                -- @session two\ndelimiter //\ncreate procedure p() begin select 1; end//\ndelimiter ;\n-- @fails\nbad;\n-- @restart x=y\n";
    let statement = |text: &str| Step::Statement(text.to_owned());
    let wanted = Scenario {
        before: vec![statement("create table t(a int)")],
        after: vec![
            statement("-- a comment\ninsert into t\n values(1)"),
            Step::Session("two".to_owned()),
            statement("create procedure p() begin select 1; end"),
            Step::Fails,
            statement("bad"),
            Step::Stop { wait: true },
            Step::Start(vec![("x".to_owned(), "y".to_owned())]),
        ],
    };
    match Scenario::parse(text)? {
        found if found == wanted => Ok(()),
        found => Err(format!("wanted {wanted:?}, found {found:?}")),
    }
}
