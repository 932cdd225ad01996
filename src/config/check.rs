//! Checks of single values, with the reasons that Debezium gives (`The 'NAME' value is invalid: REASON`).

use crate::config::define::{ConfigDef, Kind};
use crate::config::pattern::{JavaPattern, split_list};

pub mod sink;

/// A check of a value, beside that of its type.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    test: fn(&str) -> Result<(), Refusal>,
    /// What passes it, in words.
    pub expected: &'static str,
}

/// Why a value is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Debezium refuses it too; the reason follows `The 'NAME' value is invalid: `.
    Invalid(String),
    /// Debezium accepts it and this version cannot do it: a whole sentence.
    NotYet(String),
}

/// `?` turns a reason into a refusal.
impl From<String> for Refusal {
    fn from(reason: String) -> Self {
        Refusal::Invalid(reason)
    }
}

fn invalid(reason: impl Into<String>) -> Result<(), Refusal> {
    Err(Refusal::Invalid(reason.into()))
}

fn not_yet(what: impl std::fmt::Display) -> Result<(), Refusal> {
    Err(Refusal::NotYet(format!("{what} is not supported yet")))
}

/// Checks a value against its row: the type, then the row's own check.
pub fn value(row: &ConfigDef, text: &str) -> Result<(), Refusal> {
    match row.kind {
        Kind::Boolean if !["true", "false"].iter().any(|word| word.eq_ignore_ascii_case(text)) => {
            return invalid("Either 'true' or 'false' is expected");
        }
        Kind::Int if text.parse::<i32>().is_err() => return invalid("An integer is expected"),
        Kind::Long if text.parse::<i64>().is_err() && row.check.is_none() => {
            return invalid("A long value is expected");
        }
        Kind::RegexList => regex_list(text)?,
        Kind::Word { allowed, .. } if !contains(allowed, text) => return invalid(one_of(allowed)),
        Kind::Word { later, .. } if contains(later, text) => {
            return not_yet(format_args!("{} = {text}", row.name));
        }
        Kind::Words { allowed, later } => {
            let words = || text.split(',').map(str::trim).filter(|word| !word.is_empty());
            if words().any(|word| !contains(allowed, word)) {
                return invalid(one_of(allowed));
            }
            if let Some(word) = words().find(|word| contains(later, word)) {
                return not_yet(format_args!("{} = {word}", row.name));
            }
        }
        _ => {}
    }
    row.check.map_or(Ok(()), |check| (check.test)(text))
}

/// What a row takes, in words.
pub fn expected(row: &ConfigDef) -> String {
    if let Some(check) = row.check {
        return check.expected.to_owned();
    }
    match row.kind {
        Kind::Boolean => "true or false".to_owned(),
        Kind::Int => "an integer of 32 bits".to_owned(),
        Kind::Long => "an integer of 64 bits".to_owned(),
        Kind::Text | Kind::Password => "a text".to_owned(),
        Kind::Class => "the name of a class".to_owned(),
        Kind::RegexList => "regular expressions of Java, separated by commas".to_owned(),
        Kind::Word { allowed, later } => format!("one of {}", available(allowed, later)),
        Kind::Words { allowed, later } => format!("a list of {}", available(allowed, later)),
    }
}

fn available(allowed: &[&str], later: &[&str]) -> String {
    allowed.iter().filter(|word| !contains(later, word)).copied().collect::<Vec<_>>().join(", ")
}

fn contains(words: &[&str], text: &str) -> bool {
    words.iter().any(|word| word.eq_ignore_ascii_case(text))
}

fn one_of(allowed: &[&str]) -> String {
    format!("Value must be one of {}", allowed.join(", "))
}

/// Comma separated expressions, each of which compiles.
pub fn regex_list(text: &str) -> Result<(), Refusal> {
    for item in split_list(text) {
        if let Err(reason) = JavaPattern::compile(&item) {
            return invalid(format!(
                "A comma-separated list of valid regular expressions is expected, but {item} is not one: {reason}"
            ));
        }
    }
    Ok(())
}

/// `Field.isPositiveLong`.
pub const POSITIVE_LONG: Check = Check { test: positive_long, expected: "a number of 64 bits above 0" };

fn positive_long(text: &str) -> Result<(), Refusal> {
    match text.parse::<i64>() {
        Ok(1..) => Ok(()),
        _ => invalid("A positive, non-zero long value is expected"),
    }
}

/// `Field.isPositiveInteger`.
pub const POSITIVE_INT: Check = Check { test: positive_int, expected: "a number of 32 bits above 0" };

fn positive_int(text: &str) -> Result<(), Refusal> {
    match text.parse::<i32>() {
        Ok(1..) => Ok(()),
        _ => invalid("A positive, non-zero integer value is expected"),
    }
}

/// `Field.isNonNegativeInteger`.
pub const NON_NEGATIVE_INT: Check =
    Check { test: non_negative_int, expected: "a number of 32 bits, not negative" };

fn non_negative_int(text: &str) -> Result<(), Refusal> {
    match text.parse::<i32>() {
        Ok(0..) => Ok(()),
        _ => invalid("A non-negative integer is expected"),
    }
}

/// `Field.isNonNegativeLong`.
pub const NON_NEGATIVE_LONG: Check =
    Check { test: non_negative_long, expected: "a number of 64 bits, not negative" };

fn non_negative_long(text: &str) -> Result<(), Refusal> {
    match text.parse::<i64>() {
        Ok(0..) => Ok(()),
        _ => invalid("A non-negative long value is expected"),
    }
}

/// A server id of MySQL: 32 bits, not zero.
pub const SERVER_ID: Check = Check { test: server_id, expected: "a number from 1 to 4294967295" };

fn server_id(text: &str) -> Result<(), Refusal> {
    positive_long(text)?;
    match text.parse::<u32>() {
        Ok(_) => Ok(()),
        Err(_) => invalid("A server id is at most 4294967295"),
    }
}

/// A TCP port.
pub const PORT: Check = Check { test: port, expected: "a port from 1 to 65535" };

fn port(text: &str) -> Result<(), Refusal> {
    match text.parse::<u16>() {
        Ok(1..) => Ok(()),
        _ => invalid("A port from 1 to 65535 is expected"),
    }
}

/// A number that fits 32 bits and is positive, or -1.
pub const MINUS_ONE_OR_POSITIVE: Check =
    Check { test: minus_one_or_positive, expected: "-1 or a number above 0" };

fn minus_one_or_positive(text: &str) -> Result<(), Refusal> {
    match text.parse::<i32>() {
        Ok(-1 | 1..) => Ok(()),
        _ => invalid("A positive integer, or -1 for the broker's default, is expected"),
    }
}

fn is_topic_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.')
}

/// A topic name or prefix.
pub const TOPIC_NAME: Check =
    Check { test: topic_name, expected: "letters, digits, underscores, hyphens and dots" };

fn topic_name(text: &str) -> Result<(), Refusal> {
    if !text.is_empty() && text.chars().all(is_topic_character) {
        return Ok(());
    }
    invalid(format!(
        "{text} has invalid format (only the underscore, hyphen, dot and alphanumeric characters are allowed)"
    ))
}

/// A host name or an IP address; the zone and brackets of IPv6 included.
pub const HOST_NAME: Check = Check { test: host_name, expected: "a host name or an address" };

fn host_name(text: &str) -> Result<(), Refusal> {
    let valid = |character| is_topic_character(character) || matches!(character, ':' | '%' | '[' | ']');
    if !text.is_empty() && text.chars().all(valid) {
        return Ok(());
    }
    invalid(format!(
        "{text} has invalid format (only the underscore, hyphen, dot and alphanumeric characters are allowed)"
    ))
}

/// `skipped.operations`: letters of operations, or `none` by itself.
pub const SKIPPED_OPERATIONS: Check =
    Check { test: skipped_operations, expected: "a list of c, u, d, t, r, or none by itself" };

fn skipped_operations(text: &str) -> Result<(), Refusal> {
    let operations: Vec<&str> = text.split(',').map(str::trim).collect();
    let known = ["c", "u", "d", "t", "r", "none"];
    if operations.iter().any(|operation| !known.contains(operation)) {
        return invalid("Invalid operation");
    }
    if operations.contains(&"none") && operations.len() > 1 {
        return invalid("'none' cannot be specified together with other skipped operations");
    }
    Ok(())
}

/// `message.key.columns`: each item `tables:column,column`, in the grammar
/// `^\s*([^:]+):([^:,]+(,[^:,]+)*)\s*$`, and the expressions compile.
pub const MESSAGE_KEY_COLUMNS: Check =
    Check { test: message_key_columns, expected: "items tables:column,column separated by semicolons" };

fn message_key_columns(text: &str) -> Result<(), Refusal> {
    for item in text.split(';').map(str::trim).filter(|item| !item.is_empty()) {
        let well_formed = item.split_once(':').is_some_and(|(tables, columns)| {
            !tables.is_empty()
                && !columns.contains(':')
                && columns.split(',').all(|column| !column.is_empty())
        });
        if !well_formed {
            return invalid(format!(
                r"{item} has an invalid format (expecting '^\s*([^:]+):([^:,]+(,[^:,]+)*)\s*$')"
            ));
        }
    }
    for pattern in key_patterns(text) {
        if let Err(reason) = JavaPattern::compile(&pattern) {
            return invalid(format!("{pattern} is no valid regular expression: {reason}"));
        }
    }
    Ok(())
}

/// `message.key.columns` as one pattern for `db.table.column` each, in order.
pub fn key_patterns(text: &str) -> Vec<String> {
    let items = text.split(';').filter_map(|item| item.split_once(':'));
    items
        .flat_map(|(tables, columns)| {
            columns.split(',').map(move |column| format!("{}.{}", tables.trim(), column.trim()))
        })
        .collect()
}

/// `signal.data.collection`: one `database.table`.
pub const ONE_TABLE: Check = Check { test: one_table, expected: "one table as database.table" };

fn one_table(text: &str) -> Result<(), Refusal> {
    let well_formed = !text.contains(',')
        && text.split_once('.').is_some_and(|(database, table)| !database.is_empty() && !table.is_empty());
    if well_formed {
        Ok(())
    } else {
        invalid(format!("{text} is not the name of one table (expecting database.table)"))
    }
}

/// A single task.
pub const ONE_TASK: Check = Check { test: one_task, expected: "1" };

fn one_task(text: &str) -> Result<(), Refusal> {
    if text == "1" { Ok(()) } else { invalid("The connector has exactly one task") }
}

/// The class of the connector: MySQL only, in this version.
pub const CONNECTOR_CLASS: Check =
    Check { test: connector_class, expected: "io.debezium.connector.mysql.MySqlConnector" };

fn connector_class(text: &str) -> Result<(), Refusal> {
    match text {
        "io.debezium.connector.mysql.MySqlConnector" | "MySqlConnector" | "MySql" => Ok(()),
        "io.debezium.connector.mariadb.MariaDbConnector" => not_yet("the MariaDB connector"),
        "tidewire.clickhouse.ClickHouseSinkConnector" => {
            invalid("The connector is a sink, and a source is expected".to_owned())
        }
        other => invalid(format!(
            "Failed to find any class that implements Connector and which name matches {other}"
        )),
    }
}

/// The class of a converter: JSON only, in this version.
pub const CONVERTER_CLASS: Check =
    Check { test: converter_class, expected: "org.apache.kafka.connect.json.JsonConverter" };

fn converter_class(text: &str) -> Result<(), Refusal> {
    match text {
        "org.apache.kafka.connect.json.JsonConverter" | "JsonConverter" | "Json" => Ok(()),
        other => not_yet(format_args!("converter {other}")),
    }
}

/// `time.precision.mode`: one of the words that is gone since Debezium's first version.
pub const TIME_PRECISION: Check = Check {
    test: time_precision,
    expected: "one of adaptive_time_microseconds, isostring, microseconds, nanoseconds, connect",
};

fn time_precision(text: &str) -> Result<(), Refusal> {
    if text.eq_ignore_ascii_case("adaptive") {
        return invalid("The 'adaptive' time.precision.mode is no longer supported");
    }
    Ok(())
}

/// `unavailable.value.placeholder`.
pub const UNAVAILABLE_PLACEHOLDER: Check = Check {
    test: unavailable_placeholder,
    expected: "a text, or hex: and an even number of hexadecimal digits",
};

fn unavailable_placeholder(text: &str) -> Result<(), Refusal> {
    match placeholder_bytes(text) {
        Some(_) => Ok(()),
        None => invalid("hex: must be followed by an even number of hexadecimal digits"),
    }
}

/// The bytes of a placeholder: those behind `hex:`, else the text's own.
pub fn placeholder_bytes(text: &str) -> Option<Vec<u8>> {
    let Some(digits) = text.strip_prefix("hex:") else { return Some(text.as_bytes().to_vec()) };
    let nibbles: Option<Vec<u8>> =
        digits.chars().map(|digit| digit.to_digit(16).and_then(|value| u8::try_from(value).ok())).collect();
    let nibbles = nibbles.filter(|nibbles| nibbles.len().is_multiple_of(2))?;
    Some(nibbles.chunks_exact(2).map(|pair| pair.iter().fold(0, |byte, nibble| byte << 4 | nibble)).collect())
}

/// `schema.history.internal`.
pub const HISTORY_CLASS: Check = Check {
    test: history_class,
    expected: "KafkaSchemaHistory, FileSchemaHistory or MemorySchemaHistory, with their packages",
};

fn history_class(text: &str) -> Result<(), Refusal> {
    let known = [
        "io.debezium.storage.kafka.history.KafkaSchemaHistory",
        "io.debezium.storage.file.history.FileSchemaHistory",
        "io.debezium.relational.history.MemorySchemaHistory",
    ];
    if known.contains(&text) { Ok(()) } else { not_yet(format_args!("schema history {text}")) }
}
