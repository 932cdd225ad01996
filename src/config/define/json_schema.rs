//! The rows of a table as a JSON Schema, for editors and for readers.

use serde_json::{Map, Value, json};

use crate::config::check::expected;
use crate::config::define::{ConfigDef, ConfigTable, Importance, Kind, Support};

/// The schema of a table: `properties` by name, `patternProperties` for names with a star. Values are text in
/// configurations, so numbers and booleans are allowed as both.
pub fn schema(table: ConfigTable, title: &str) -> Value {
    let mut properties = Map::new();
    let mut patterns = Map::new();
    for row in table.rows() {
        match row.name.split_once('*') {
            None => properties.insert(row.name.to_owned(), property(row)),
            Some((before, after)) => {
                let pattern = format!("^{}.+{}$", before.replace('.', "\\."), after.replace('.', "\\."));
                patterns.insert(pattern, property(row))
            }
        };
    }
    let required: Vec<&str> = table.rows().filter(|row| row.required).map(|row| row.name).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "type": "object",
        "required": required,
        "properties": properties,
        "patternProperties": patterns,
    })
}

fn property(row: &ConfigDef) -> Value {
    let mut out = Map::new();
    out.insert("description".to_owned(), json!(row.doc));
    let kind = match row.kind {
        Kind::Boolean => json!(["boolean", "string"]),
        Kind::Int | Kind::Long => json!(["integer", "string"]),
        _ => json!("string"),
    };
    out.insert("type".to_owned(), kind);
    match row.kind {
        Kind::Boolean => out.insert("pattern".to_owned(), json!("^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$")),
        Kind::Int | Kind::Long => out.insert("pattern".to_owned(), json!("^[+-]?[0-9]+$")),
        Kind::Word { .. } | Kind::Words { .. } => out.insert("x-expected".to_owned(), json!(expected(row))),
        Kind::Password => out.insert("writeOnly".to_owned(), json!(true)),
        Kind::Text | Kind::Class | Kind::RegexList => None,
    };
    if let Some(default) = row.default {
        out.insert("default".to_owned(), json!(default));
    }
    let importance = match row.importance {
        Importance::High => "high",
        Importance::Medium => "medium",
        Importance::Low => "low",
    };
    out.insert("x-importance".to_owned(), json!(importance));
    let support = match row.support {
        Support::Full => "full",
        Support::Harmless => "harmless",
        Support::NoEffect => "no effect",
        Support::NotYet => "not yet",
    };
    out.insert("x-support".to_owned(), json!(support));
    Value::Object(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::define::{CLICKHOUSE_SINK_CONNECTOR, MYSQL_CONNECTOR, WORKER};

    /// `UPDATE=1 cargo test json_schema` writes the files anew.
    #[test]
    fn the_files_are_current() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas/config");
        let files = [
            ("mysql-connector.json", MYSQL_CONNECTOR, "Tidewire MySQL source connector"),
            (
                "clickhouse-sink-connector.json",
                CLICKHOUSE_SINK_CONNECTOR,
                "Tidewire ClickHouse sink connector",
            ),
            ("worker.json", WORKER, "Tidewire worker"),
        ];
        for (name, table, title) in files {
            let mut text = serde_json::to_string_pretty(&schema(table, title)).expect("a schema is JSON");
            text.push('\n');
            let path = root.join(name);
            if std::env::var_os("UPDATE").is_some() {
                std::fs::create_dir_all(&root).expect("folder");
                std::fs::write(&path, &text).expect("written");
            }
            let stored = std::fs::read_to_string(&path).expect(name);
            assert!(
                stored == text,
                "{name} is not current; write it anew with UPDATE=1 cargo test json_schema"
            );
        }
    }
}
