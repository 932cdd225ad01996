//! Checks of the sink's values.

use crate::config::check::{Check, Refusal, invalid, is_topic_character};
use crate::config::pattern::{JavaPattern, split_list};

/// The class of the connector.
pub const CONNECTOR_CLASS: Check =
    Check { test: connector_class, expected: "tidewire.clickhouse.ClickHouseSinkConnector" };

fn connector_class(text: &str) -> Result<(), Refusal> {
    match text {
        "tidewire.clickhouse.ClickHouseSinkConnector" | "ClickHouseSinkConnector" | "ClickHouseSink" => {
            Ok(())
        }
        other => invalid(format!(
            "Failed to find any class that implements Connector and which name matches {other}"
        )),
    }
}

/// `topics`.
pub const TOPICS: Check = Check { test: topics, expected: "names of topics, separated by commas" };

fn topics(text: &str) -> Result<(), Refusal> {
    let is_topic = |name: &String| !name.is_empty() && name.chars().all(is_topic_character);
    match split_list(text).iter().find(|name| !is_topic(name)) {
        Some(name) => invalid(format!("{name} is not the name of a topic")),
        None => Ok(()),
    }
}

/// `topics.regex`.
pub const REGEX: Check = Check { test: regex, expected: "a regular expression of Java" };

fn regex(text: &str) -> Result<(), Refusal> {
    match JavaPattern::compile(text) {
        Ok(_) => Ok(()),
        Err(reason) => invalid(format!("Invalid regular expression: {reason}")),
    }
}

/// `clickhouse.url`.
pub const URL: Check = Check { test: url, expected: "http://host:port or https://host:port" };

fn url(text: &str) -> Result<(), Refusal> {
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    let Some(rest) = rest else { return invalid("The scheme is neither http nor https") };
    let authority = rest.strip_suffix('/').unwrap_or(rest);
    if authority.contains(['/', '?', '#']) {
        return invalid("A path or query is not expected behind host and port");
    }
    if authority.contains('@') {
        return invalid("User and password have properties of their own");
    }
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    };
    if host.is_empty() || host.contains(char::is_whitespace) {
        return invalid("The host is missing");
    }
    match port.map(str::parse::<u16>) {
        None | Some(Ok(1..)) => Ok(()),
        Some(_) => invalid("A port from 1 to 65535 is expected"),
    }
}

/// `clickhouse.database.override.map`.
pub const DATABASE_MAP: Check =
    Check { test: database_map, expected: "items source:target separated by commas" };

fn database_map(text: &str) -> Result<(), Refusal> {
    let pairs = database_pairs(text);
    let broken = pairs.iter().any(|(source, target)| source.is_empty() || target.is_empty());
    if broken {
        return invalid("An item is not of the form source:target");
    }
    let twice = |source: &String| pairs.iter().filter(|(other, _)| other == source).count() > 1;
    match pairs.iter().find(|(source, _)| twice(source)) {
        Some((source, _)) => invalid(format!("{source} is there twice")),
        None => Ok(()),
    }
}

/// The pairs of a database map, in order; an item without a colon has an empty target.
pub fn database_pairs(text: &str) -> Vec<(String, String)> {
    let pair = |item: &String| match item.split_once(':') {
        Some((source, target)) => (source.trim().to_owned(), target.trim().to_owned()),
        None => (item.clone(), String::new()),
    };
    split_list(text).iter().map(pair).collect()
}

/// `table.order.by`, `table.partition.by`.
pub const TABLE_KEYS: Check =
    Check { test: table_keys, expected: "items tables:expressions separated by semicolons" };

fn table_keys(text: &str) -> Result<(), Refusal> {
    for (tables, key) in table_key_pairs(text) {
        if tables.is_empty() || key.is_empty() {
            return invalid("An item is not of the form tables:expressions");
        }
        if let Err(reason) = JavaPattern::compile(&tables) {
            return invalid(format!("{tables} is no valid regular expression: {reason}"));
        }
    }
    Ok(())
}

/// The pairs of `tables:expressions;…`: an expression for `database.table`, and a key.
pub fn table_key_pairs(text: &str) -> Vec<(String, String)> {
    let items = text.split(';').map(str::trim).filter(|item| !item.is_empty());
    items
        .map(|item| match item.split_once(':') {
            Some((tables, key)) => (tables.trim().to_owned(), key.trim().to_owned()),
            None => (item.to_owned(), String::new()),
        })
        .collect()
}

/// A number of 64 bits from -1 on.
pub const MINUS_ONE_OR_MORE: Check =
    Check { test: minus_one_or_more, expected: "-1 or a number of 64 bits that is not negative" };

fn minus_one_or_more(text: &str) -> Result<(), Refusal> {
    match text.parse::<i64>() {
        Ok(-1..) => Ok(()),
        _ => invalid("Value must be at least -1"),
    }
}
