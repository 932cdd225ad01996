//! `tidewire history verify`: what is believed against what the server has.
//!
//! The server is asked for the definition of every captured table, and each is read as a snapshot would read it. A
//! difference is either a statement that the connector has not read yet, which goes away when it has caught up, or a
//! belief that is wrong: its rows would be mislabelled or stop the connector.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::schema::database_schema::{DatabaseSchema, Statement};
use crate::schema::difference::differences;
use crate::schema::table::Table;
use crate::schema::table_id::TableId;
use crate::source::coordinator::{needs, schema_options};
use crate::source::error::SourceError;
use crate::source::filters::Filters;
use crate::source::mysql::position::binlog_status;
use crate::source::mysql::prerequisites::Facts;
use crate::source::snapshot::schema_reader::SchemaReader;
use crate::source::snapshot::session;
use crate::task::history::{HistoryCommandError, HistoryPosition, Subject, TablePatterns};

/// What to do about a difference.
const REMEDY: &str = "if the server is ahead of the position, let the connector read on and verify again; otherwise remove \
                      the stored offset: the new snapshot stores the definition as it is";

/// What was found.
pub struct Verified {
    /// For people, or as JSON.
    pub text: String,
    /// How many differences.
    pub differences: usize,
}

/// One difference.
struct Found {
    table: TableId,
    column: Option<String>,
    what: &'static str,
    believed: String,
    actual: String,
}

/// Compares the captured tables.
pub fn verify(
    subject: &Subject<'_>,
    position: &HistoryPosition,
    tables: &TablePatterns,
    as_json: bool,
) -> Result<Verified, HistoryCommandError> {
    let source = subject.source;
    let filters = Filters::new(&source.filters).map_err(SourceError::from)?;
    let mut session = session(source)?;
    let facts = Facts::read(&mut session, &needs(source, None))?;
    let believed = subject.believed(position, schema_options(&facts, source))?;
    let status = binlog_status(&mut session)?;
    let at_server = match status.executed_gtids.as_str() {
        "" => format!("{}:{}", status.file, status.position),
        gtids => format!("{}:{} ({gtids})", status.file, status.position),
    };
    let mut definitions = SchemaReader::read_names(&mut session, &filters, &source.history)?;
    definitions.tables.retain(|id, _| filters.table_captured(id));
    definitions.read_definitions(&mut session, &filters)?;

    let mut actual = DatabaseSchema::new(schema_options(&facts, source));
    for (database, defaults) in &definitions.databases {
        actual.set_database_charset(database, &defaults.charset);
    }
    for (id, text) in &definitions.tables {
        let statement = Statement::printed(text, &id.database);
        actual
            .apply_ddl(&statement)
            .map_err(|source| HistoryCommandError::Definition { table: id.to_string(), source })?;
    }
    let captured = |table: &&Table| filters.table_captured(&table.id) && tables.matches(table);
    let found = compare(&believed.schema, &actual, captured);
    let compared = actual.tables().map(AsRef::as_ref).filter(captured).count();
    let places = (believed.position.as_str(), at_server.as_str());
    let text = if as_json { json_text(places, compared, &found) } else { text(places, compared, &found) };
    Ok(Verified { text, differences: found.len() })
}

fn compare(
    believed: &DatabaseSchema,
    actual: &DatabaseSchema,
    captured: impl Fn(&&Table) -> bool,
) -> Vec<Found> {
    let mut found = Vec::new();
    let whole = |table: &Table, believed: &str, actual: &str| Found {
        table: table.id.clone(),
        column: None,
        what: "table",
        believed: believed.to_owned(),
        actual: actual.to_owned(),
    };
    for table in believed.tables().map(AsRef::as_ref).filter(&captured) {
        let Some(other) = actual.table(&table.id) else {
            found.push(whole(table, "exists", "does not exist"));
            continue;
        };
        found.extend(differences(table, other).into_iter().map(|one| Found {
            table: table.id.clone(),
            column: one.column,
            what: one.what,
            believed: one.believed,
            actual: one.actual,
        }));
    }
    for table in actual.tables().map(AsRef::as_ref).filter(&captured) {
        if believed.table(&table.id).is_none() {
            found.push(whole(table, "is not known", "exists"));
        }
    }
    found
}

fn text((position, at_server): (&str, &str), compared: usize, found: &[Found]) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(out, "believed at {position}\nserver   at {at_server}\n");
    for one in found {
        let column = one.column.as_ref().map(|column| format!(".{column}")).unwrap_or_default();
        let _ = writeln!(out, "{}{column}: {}", one.table, one.what);
        let _ = writeln!(out, "  believed: {}", one.believed);
        let _ = writeln!(out, "  actual:   {}", one.actual);
        let _ = writeln!(out, "  remedy:   {REMEDY}\n");
    }
    let plural = if found.len() == 1 { "" } else { "s" };
    let _ = writeln!(out, "verify: {compared} tables, {} difference{plural}", found.len());
    out
}

fn json_text((position, at_server): (&str, &str), compared: usize, found: &[Found]) -> String {
    let differences: Vec<Value> = found
        .iter()
        .map(|one| {
            json!({
                "table": one.table.to_string(),
                "column": one.column,
                "what": one.what,
                "believed": one.believed,
                "actual": one.actual,
                "remedy": REMEDY,
            })
        })
        .collect();
    let verified = json!({
        "position": position,
        "serverPosition": at_server,
        "tables": compared,
        "differences": differences,
    });
    format!("{verified:#}\n")
}
