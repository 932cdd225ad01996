//! Which folder may name which: the layers of the data path, and the one home of every client library.
//!
//! A path that begins at the crate root (`crate::X`, or `super::` as often as it takes to get there) is an import of
//! folder X. A folder may always name itself and layer 0's `error`, `clock` and `fail_point`; what else it may name stands in
//! [`LAYERS`]. Comment lines are not read, so a doc link may point upwards.

/// A folder or file below `src/`, its layer, and what it may import besides itself, `error`, `clock` and `fail_point`.
struct Layer {
    folder: &'static str,
    level: u8,
    imports: Imports,
}

enum Imports {
    /// These and nothing else.
    Only(&'static [&'static str]),
    /// Every folder of a lower level.
    AllBelow,
    /// Every folder: the binary's own file.
    All,
}

use Imports::{All, AllBelow, Only};

/// From the bottom to the top. Two folders of one level never see each other unless a row names it.
const LAYERS: &[Layer] = &[
    Layer { folder: "error", level: 0, imports: Only(&[]) },
    Layer { folder: "certificate", level: 0, imports: Only(&[]) },
    Layer { folder: "clock", level: 0, imports: Only(&[]) },
    Layer { folder: "fail_point", level: 0, imports: Only(&[]) },
    Layer { folder: "config", level: 0, imports: Only(&["connect"]) },
    Layer { folder: "connect", level: 0, imports: Only(&[]) },
    Layer { folder: "telemetry", level: 1, imports: Only(&["config"]) },
    Layer { folder: "converter", level: 1, imports: Only(&["connect", "config"]) },
    Layer { folder: "offset", level: 1, imports: Only(&["connect", "config"]) },
    Layer { folder: "wire", level: 2, imports: Only(&["connect", "offset"]) },
    Layer { folder: "schema", level: 2, imports: Only(&["connect", "config", "offset"]) },
    Layer { folder: "event", level: 3, imports: AllBelow },
    Layer { folder: "plan", level: 4, imports: AllBelow },
    Layer { folder: "transform", level: 4, imports: Only(&["connect", "config"]) },
    Layer { folder: "source", level: 5, imports: AllBelow },
    Layer {
        folder: "sink",
        level: 5,
        imports: Only(&["config", "connect", "converter", "event", "telemetry"]),
    },
    Layer { folder: "kafka", level: 6, imports: AllBelow },
    Layer { folder: "file", level: 6, imports: AllBelow },
    Layer { folder: "task", level: 7, imports: AllBelow },
    Layer { folder: "server", level: 8, imports: Only(&["config", "telemetry", "task"]) },
    Layer { folder: "cli", level: 8, imports: Only(&["config", "telemetry", "task", "server"]) },
    Layer { folder: "main", level: 9, imports: All },
    Layer { folder: "lib", level: 9, imports: All },
];

/// A client library and the folders whose code may name it.
const LIBRARIES: &[(&str, &[&str])] = &[
    ("rdkafka", &["kafka"]),
    ("mysql_common", &["source", "wire"]),
    ("mysql_async", &["source"]),
    ("rustls", &["source", "kafka", "certificate"]),
    ("sqlparser", &["schema/ddl"]),
    ("jiff", &["schema/ddl"]),
    ("apache_avro", &["converter"]),
    ("ureq", &["sink/clickhouse"]),
    ("clap", &["cli", "main.rs"]),
];

fn layer(folder: &str) -> Option<&'static Layer> {
    LAYERS.iter().find(|l| l.folder == folder)
}

/// `a/b.rs` → `a`, `error.rs` → `error`.
fn folder_of(file: &str) -> &str {
    let first = file.split('/').next().unwrap_or(file);
    first.strip_suffix(".rs").unwrap_or(first)
}

/// How many `super::` lead from a file's module to the crate root.
fn depth(file: &str) -> usize {
    let parts = file.split('/').count();
    match file.rsplit('/').next() {
        Some("mod.rs" | "lib.rs" | "main.rs") => parts - 1,
        _ => parts,
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The identifiers that follow `before` where it stands as a word of its own.
fn names_after<'a>(line: &'a str, before: &'a str) -> impl Iterator<Item = &'a str> {
    line.match_indices(before).filter_map(move |(at, _)| {
        let own_word = !line[..at].ends_with(|c| is_word(c) || c == '$' || c == ':');
        let rest = &line[at + before.len()..];
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        own_word.then_some(&rest[..end])
    })
}

/// Everything wrong with the imports of one file, as `file:line: what`. `file` is relative to `src/`.
pub fn problems(file: &str, text: &str) -> Vec<String> {
    let from = folder_of(file);
    let mut found = Vec::new();
    let Some(own) = layer(from) else {
        return vec![format!("{file}:1: folder {from} has no layer; give it a row in tests/tidy/layers.rs")];
    };
    let upwards = "super::".repeat(depth(file).max(1));
    for (number, line) in text.lines().enumerate() {
        let number = number + 1;
        let code = line.trim_start();
        if code.starts_with("//") {
            continue;
        }
        if code.contains("use crate::{") {
            found.push(format!(
                "{file}:{number}: brace list at the crate root; one `use crate::…` line per folder"
            ));
        }
        for to in names_after(code, "crate::").chain(names_after(code, &upwards)) {
            let Some(target) = layer(to).filter(|t| t.folder != from) else { continue };
            let allowed = match own.imports {
                All => true,
                AllBelow => target.level < own.level,
                Only(names) => names.contains(&to),
            };
            if !allowed && !matches!(to, "error" | "clock" | "fail_point") {
                found.push(format!("{file}:{number}: {from} may not import {to}"));
            }
        }
        for (library, homes) in LIBRARIES {
            let named = code.match_indices(library).any(|(at, _)| {
                !code[..at].ends_with(is_word) && !code[at + library.len()..].starts_with(is_word)
            });
            if named && !homes.iter().any(|home| file == *home || file.starts_with(&format!("{home}/"))) {
                found.push(format!("{file}:{number}: {library} belongs to {}", homes.join(" and ")));
            }
        }
    }
    found
}

#[test]
fn a_reversed_import_is_found_with_file_and_line() {
    for (file, line, wanted) in [
        ("connect/value.rs", "use crate::config::SourceConfig;", "connect may not import config"),
        ("wire/reader.rs", "use crate::event::Envelope;", "wire may not import event"),
        ("wire/reader.rs", "use crate::config::SourceConfig;", "wire may not import config"),
        ("schema/table.rs", "    let x = crate::source::mysql::connect();", "schema may not import source"),
        ("source/binlog/mod.rs", "pub use crate::kafka::KafkaHome;", "source may not import kafka"),
        ("source/mod.rs", "use crate::sink::Batch;", "source may not import sink"),
        ("sink/mod.rs", "use crate::source::mysql;", "sink may not import source"),
        ("kafka/mod.rs", "use crate::file::FileHome;", "kafka may not import file"),
        ("event/mod.rs", "use crate::plan::RowPlan;", "event may not import plan"),
        ("event/value/json.rs", "use super::super::super::task::Task;", "event may not import task"),
        ("offset/mod.rs", "use super::wire::Event;", "offset may not import wire"),
        ("task/mod.rs", "use crate::cli::Arguments;", "task may not import cli"),
    ] {
        assert_eq!(
            problems(file, &format!("//! Story.\n{line}\n")),
            [format!("{file}:2: {wanted}")],
            "{line}"
        );
    }
}

#[test]
fn a_library_outside_its_folder_is_found() {
    for (file, line, wanted) in [
        ("file/mod.rs", "use rdkafka::producer::BaseProducer;", "rdkafka belongs to kafka"),
        ("schema/table.rs", "use sqlparser::tokenizer::Token;", "sqlparser belongs to schema/ddl"),
        ("event/mod.rs", "type P = mysql_common::Value;", "mysql_common belongs to source and wire"),
    ] {
        assert_eq!(problems(file, line), [format!("{file}:1: {wanted}")], "{line}");
    }
}

#[test]
fn a_brace_list_at_the_root_and_an_unknown_folder_are_found() {
    let brace = "use crate::{connect, event};";
    assert!(problems("task/mod.rs", brace)[0].starts_with("task/mod.rs:1: brace list at the crate root"));
    assert!(problems("new/mod.rs", "")[0].starts_with("new/mod.rs:1: folder new has no layer"));
}

#[test]
fn what_is_allowed_is_not_reported() {
    for (file, text) in [
        ("connect/value.rs", "use crate::connect::schema::Schema;\nuse crate::error::Classify;"),
        (
            "wire/reader.rs",
            "/// See [`crate::source`].\nuse crate::connect::cell::ColumnValue;\nuse mysql_common::x;",
        ),
        ("event/value/json.rs", "use super::super::source_info::SourceInfo;\nuse crate::wire::jsonb;"),
        ("schema/ddl/mod.rs", "use sqlparser::tokenizer::Token;"),
        ("task/run.rs", "use crate::kafka::KafkaHome;\nuse crate::file::FileHome;\nuse crate::source;"),
        ("cli/mod.rs", "use crate::task;\nuse crate::error::chain;"),
        ("telemetry/mod.rs", "macro_rules! m { () => { $crate::task::x() } }"),
        ("kafka/mod.rs", "use rdkafka::ClientConfig;\nlet sqlparsers = my_sqlparser;"),
    ] {
        assert_eq!(problems(file, text), Vec::<String>::new(), "{file}");
    }
}
