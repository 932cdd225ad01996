//! A folder of the corpus: what a scenario's run through the real Debezium 3.6.1 on MySQL 9.7 left.
//!
//! `scenario.sql` (the statements, with directives), `config.json` (the connector's properties), `records.jsonl`
//! (everything published, in order within a topic), `history.jsonl` and `offsets.jsonl` (everything stored),
//! `binlog.NNNNNN` (the server's files), `server.json` (version, where streaming began, how Debezium failed).

use crate::compare::Expectation;
use crate::fixes::Fixes;
use crate::json::Json;
use crate::record::Record;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// One scenario.
pub struct Case {
    pub name: String,
    pub folder: PathBuf,
    /// Where the connector's streaming began: binlog file and position.
    pub start: (String, u64),
    /// Debezium stopped with an error.
    pub debezium_failed: bool,
}

/// Among the expectations by topic: the history that has to be stored.
pub const HISTORY: &str = "history.jsonl";

/// The folder of corpus and expectations.
pub fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// A file's text, or an error that names the file.
pub fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// The text of `fixes.jsonl`.
pub fn fixes() -> Result<String, String> {
    read(&home().join("fixes.jsonl"))
}

fn sorted_entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|e| e.path())).collect();
    paths.sort();
    Ok(paths)
}

impl Case {
    /// Every case of the corpus, by name.
    pub fn all() -> Result<Vec<Case>, String> {
        sorted_entries(&home().join("corpus"))?.into_iter().map(Case::open).collect()
    }

    fn open(folder: PathBuf) -> Result<Case, String> {
        let name = folder.file_name().and_then(|n| n.to_str()).ok_or("a case without a name")?.to_owned();
        let server = folder.join("server.json");
        let server = Json::parse(&read(&server)?).ok_or_else(|| format!("{}: not JSON", server.display()))?;
        let start = server.get("streaming_starts_at");
        let file = start.and_then(|s| s.get("file")).and_then(Json::text);
        let position = start.and_then(|s| s.get("pos")).and_then(Json::integer);
        let (Some(file), Some(position)) = (file, position) else {
            return Err(format!("{name}: server.json does not say where streaming starts"));
        };
        let start = (file.to_owned(), u64::try_from(position).map_err(|e| e.to_string())?);
        let debezium_failed = matches!(server.get("failed"), Some(Json::List(errors)) if !errors.is_empty());
        Ok(Case { name, folder, start, debezium_failed })
    }

    /// Whether a recorded history and binlog say all that was published: not where the binlog was not read, and not where the
    /// history was read from the server again. Those run live only.
    pub fn can_be_replayed(&self) -> bool {
        let scenario = fs::read_to_string(self.folder.join("scenario.sql")).unwrap_or_default();
        !["snapshot.mode=initial_only", "snapshot.mode=recovery"].iter().any(|mode| scenario.contains(mode))
    }

    /// The case's binlog files in order.
    pub fn binlogs(&self) -> Result<Vec<PathBuf>, String> {
        let mut files = sorted_entries(&self.folder)?;
        files.retain(|path| {
            path.file_name().and_then(|n| n.to_str()).is_some_and(|n| n.starts_with("binlog."))
        });
        if files.is_empty() { Err(format!("{}: no binlog", self.name)) } else { Ok(files) }
    }

    /// What has to be published.
    pub fn expectation(&self, fixes: &str) -> Result<Expectation, String> {
        let golden = Record::from_lines(&read(&self.folder.join("records.jsonl"))?)?;
        let mut own = HashMap::new();
        let folder = home().join("expect").join(&self.name);
        for path in if folder.is_dir() { sorted_entries(&folder)? } else { Vec::new() } {
            if path.ends_with(HISTORY) {
                continue;
            }
            let topic = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
            own.insert(topic, Record::from_lines(&read(&path)?)?);
        }
        let fixes = Fixes::of(&self.name, fixes)?;
        Ok(Expectation { golden, own, fixes, debezium_failed: self.debezium_failed })
    }
}
