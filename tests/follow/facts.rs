//! What is compared of a table, in the words of `information_schema`.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

/// A default, as far as both sides tell it.
#[derive(Clone, Debug)]
pub enum DefaultFact {
    /// None.
    Absent,
    /// NULL or an expression; the schema history does not tell them apart.
    NullOrExpression,
    /// None or an expression: MySQL keeps `DEFAULT_GENERATED` where a default was dropped, and SHOW CREATE TABLE leaves out
    /// the expression of a key.
    AbsentOrExpression,
    /// This value; CURRENT_TIMESTAMP is Debezium's `1970-01-01 00:00:00`.
    Value(String),
}

impl PartialEq for DefaultFact {
    fn eq(&self, other: &Self) -> bool {
        use DefaultFact::{Absent, AbsentOrExpression, NullOrExpression, Value};
        match (self, other) {
            (Value(ours), Value(theirs)) => ours == theirs,
            (Absent, Absent) | (NullOrExpression, NullOrExpression) => true,
            (AbsentOrExpression, other) | (other, AbsentOrExpression) => !matches!(other, Value(_)),
            _ => false,
        }
    }
}

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnFacts {
    pub name: String,
    /// As `COLUMN_TYPE` has it, without display widths of integers.
    pub column_type: String,
    pub charset: Option<String>,
    pub nullable: bool,
    pub default: DefaultFact,
    /// AUTO_INCREMENT or ON UPDATE: what Debezium marks as generated.
    pub by_server: bool,
    pub comment: String,
}

/// One table.
#[derive(Clone, Debug, PartialEq)]
pub struct TableFacts {
    pub charset: String,
    pub comment: String,
    /// The columns of the record key.
    pub key: Vec<String>,
    pub columns: Vec<ColumnFacts>,
}

/// Tables by their full names.
pub type Tables = BTreeMap<String, TableFacts>;

impl fmt::Display for ColumnFacts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ColumnFacts { name, column_type, charset, nullable, default, by_server, comment } = self;
        let charset = charset.as_deref().unwrap_or("-");
        let null = if *nullable { "null" } else { "not null" };
        write!(out, "`{name}` {column_type} {charset} {null} {default:?} by_server={by_server} {comment:?}")
    }
}

impl fmt::Display for TableFacts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "charset {} comment {:?} key ({})", self.charset, self.comment, self.key.join(", "))?;
        self.columns.iter().try_for_each(|column| write!(out, "\n      {column}"))
    }
}

/// What differs between what is believed and what is, one text a table; the whole of both where both exist.
pub fn differences(believed: &Tables, is: &Tables) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for name in believed.keys().chain(is.keys().filter(|name| !believed.contains_key(*name))) {
        let (ours, theirs) = (believed.get(name), is.get(name));
        if ours == theirs {
            continue;
        }
        let mut text = String::new();
        for (whose, facts) in [("believed", ours), ("is", theirs)] {
            // Writing to a String cannot fail.
            let _ = match facts {
                Some(facts) => write!(text, "\n    {whose}: {facts}"),
                None => write!(text, "\n    {whose}: no such table"),
            };
        }
        found.push((name.clone(), text));
    }
    found
}

/// `utf8` is a name of `utf8mb3`.
pub fn charset_name(name: &str) -> String {
    if name.eq_ignore_ascii_case("utf8") { "utf8mb3".to_owned() } else { name.to_ascii_lowercase() }
}

/// A number in its shortest spelling, so that `007`, `+7` and `7.00` are one. What is no number stays.
pub fn shortest_number(text: &str) -> String {
    let unsigned = text.trim().trim_start_matches(['+', '-', ' ']);
    let negative = text.trim_start().starts_with('-');
    if unsigned.eq_ignore_ascii_case("true") {
        return "1".to_owned();
    }
    if unsigned.eq_ignore_ascii_case("false") {
        return "0".to_owned();
    }
    if unsigned.contains(['e', 'E']) {
        return match text.replace(' ', "").parse::<f64>() {
            Ok(number) => shortest_number(&format!("{number}")),
            Err(_) => text.to_owned(),
        };
    }
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    if !(whole.bytes().chain(fraction.bytes())).all(|byte| byte.is_ascii_digit()) || unsigned.is_empty() {
        return text.to_owned();
    }
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    if whole.is_empty() && fraction.is_empty() {
        return "0".to_owned();
    }
    let sign = if negative { "-" } else { "" };
    let whole = if whole.is_empty() { "0" } else { whole };
    if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

/// A time without zeros at the end of its fraction.
pub fn shortest_time(text: &str) -> String {
    match text.split_once('.') {
        Some((whole, fraction)) => match fraction.trim_end_matches('0') {
            "" => whole.to_owned(),
            rest => format!("{whole}.{rest}"),
        },
        None => text.to_owned(),
    }
}
