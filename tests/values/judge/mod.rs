//! Server, snapshot and stream side by side.

mod falsehood;
mod rows;
mod schema;

use std::collections::HashSet;

use crate::Outcome;
use crate::column::{Column, Kind};
use crate::expectation::{self, Meaning, Spelling};
use crate::json::Json;
use crate::judge::falsehood::falsified;
use crate::judge::rows::Row;
use crate::modes::Modes;
use crate::oracle::Truth;
use crate::published::{Field, Record};
use crate::server::{Version, shortened};
use crate::table::Table;
use crate::value::Value;

/// Where records came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    Snapshot,
    Stream,
}

/// One difference, or several of one column.
#[derive(Clone, Debug)]
pub struct Difference {
    pub column: String,
    /// The row; none when it is about the schema.
    pub row: Option<i64>,
    /// What differs.
    pub what: String,
    pub server: String,
    pub snapshot: String,
    pub stream: String,
}

/// What came of a table.
pub struct Verdict {
    /// Cells that were compared on both paths.
    pub cells: usize,
    pub differences: Vec<Difference>,
}

/// Compares a table.
pub fn judge(
    table: &Table,
    truth: &Truth,
    version: Version,
    modes: Modes,
    snapshot: &[Record],
    stream: &[Record],
) -> Outcome<Verdict> {
    let mut judge = Judge { table, truth, version, modes, differences: Vec::new(), schemas: HashSet::new() };
    let snapshot = judge.replay(snapshot, Source::Snapshot)?;
    let stream = judge.replay(stream, Source::Stream)?;
    let mut cells = 0;
    for (number, texts) in &truth.rows {
        let (Some(from_snapshot), Some(from_stream)) = (snapshot.get(number), stream.get(number)) else {
            let is_there = |row: Option<&Row>| if row.is_some() { "there" } else { "missing" };
            judge.differences.push(Difference {
                column: "rn".to_owned(),
                row: Some(*number),
                what: "a row is missing".to_owned(),
                server: "there".to_owned(),
                snapshot: is_there(snapshot.get(number)).to_owned(),
                stream: is_there(stream.get(number)).to_owned(),
            });
            continue;
        };
        judge.schema(from_snapshot, Source::Snapshot)?;
        judge.schema(from_stream, Source::Stream)?;
        for (place, column) in table.columns.iter().enumerate() {
            let cell = Cell { column, place, text: texts[place].as_deref() };
            judge.cell(*number, cell, from_snapshot, from_stream, cells < table.columns.len())?;
            cells += 1;
        }
        judge.key(*number, texts, from_snapshot, Source::Snapshot)?;
        judge.key(*number, texts, from_stream, Source::Stream)?;
    }
    for (source, rows) in [(Source::Snapshot, &snapshot), (Source::Stream, &stream)] {
        for number in rows.keys().filter(|number| !truth.rows.contains_key(number)) {
            judge.note("rn", Some(*number), format!("a row of the {source:?} that the server has not"));
        }
    }
    Ok(Verdict { cells, differences: judge.differences })
}

/// A cell as the server has it.
#[derive(Clone, Copy)]
struct Cell<'a> {
    column: &'a Column,
    /// Among the table's columns.
    place: usize,
    text: Option<&'a str>,
}

struct Judge<'a> {
    table: &'a Table,
    truth: &'a Truth,
    version: Version,
    modes: Modes,
    differences: Vec<Difference>,
    /// Schemas that were looked at, by their address.
    schemas: HashSet<(*const Field, Source)>,
}

impl Judge<'_> {
    fn note(&mut self, column: &str, row: Option<i64>, what: String) {
        let none = String::new;
        self.differences.push(Difference {
            column: column.to_owned(),
            row,
            what,
            server: none(),
            snapshot: none(),
            stream: none(),
        });
    }

    /// Whether the table is known from SHOW CREATE TABLE.
    fn is_printed(&self, source: Source) -> bool {
        source == Source::Snapshot || !self.table.streamed
    }

    fn spelling(&self, source: Source) -> Spelling {
        match source {
            Source::Snapshot if self.modes.snapshot_as_stream => Spelling::SnapshotAsStream,
            Source::Snapshot => Spelling::Snapshot,
            Source::Stream => Spelling::Stream,
        }
    }

    /// What a cell must be.
    fn wanted(&self, cell: Cell<'_>, source: Source, field: &Field, spelling: Spelling) -> Outcome<Value> {
        let column = cell.column;
        let declared = !self.is_printed(source);
        let meaning = cell
            .text
            .map(|text| expectation::meaning(&column.kind, text, self.modes, spelling, declared))
            .transpose()?;
        let default = self.default(column, cell.place, source, field)?;
        Ok(match meaning {
            Some(Meaning::Value(value)) => value,
            // The converter shows the default for null.
            _ if column.nullable => match default {
                Some(default) if self.modes.replace_null => default,
                _ => Value::Null,
            },
            Some(Meaning::Missing) => default.unwrap_or_else(|| expectation::zero(column, self.modes)),
            Some(Meaning::NoForm) => default.ok_or_else(|| format!("{} cannot hold a value", column.name))?,
            None => return Err(format!("NULL in {}, which allows none", column.name)),
        })
    }

    /// What is wrong with a published cell.
    fn problem(
        &self,
        cell: Cell<'_>,
        source: Source,
        field: Option<&Field>,
        payload: Option<&Json>,
    ) -> Outcome<Option<String>> {
        let (Some(field), Some(payload)) = (field, payload) else {
            return Ok(Some(format!("{source:?}: no such field")));
        };
        let spelling = self.spelling(source);
        let wanted = self.wanted(cell, source, field, spelling)?;
        Ok(match field.decode(payload) {
            Ok(value) if same(&wanted, &value) => None,
            Ok(value)
                if expectation::alternative(cell.column, cell.text, spelling) == Some(value.clone()) =>
            {
                None
            }
            Ok(_) => Some(format!("{source:?}: {wanted} is wanted")),
            Err(why) => Some(format!("{source:?}: {why}; {wanted} is wanted")),
        })
    }

    /// Compares a cell; with `prove` also a wrong one in its place, which must be noticed.
    fn cell(
        &mut self,
        number: i64,
        cell: Cell<'_>,
        snapshot: &Row,
        stream: &Row,
        prove: bool,
    ) -> Outcome<()> {
        let name = &cell.column.name;
        let mut shown = Vec::new();
        let mut wrong = Vec::new();
        for (source, row) in [(Source::Snapshot, snapshot), (Source::Stream, stream)] {
            let (field, payload) = (row.field(name), row.payload.get(name));
            let problem = self.problem(cell, source, field, payload)?;
            if prove && problem.is_none() {
                let false_payload = payload.map(falsified);
                if self.problem(cell, source, field, false_payload.as_ref())?.is_none() {
                    wrong.push(format!("{source:?}: the comparison does not notice {false_payload:?}"));
                }
            }
            wrong.extend(problem);
            shown.push(payload.map_or("none".to_owned(), |payload| shortened(&payload.to_string(), 400)));
        }
        let alike = snapshot.payload.get(name) == stream.payload.get(name);
        // What the server's text leaves open; and for NULL a default may stand, which SHOW CREATE TABLE spoils.
        let is_open = match (&cell.column.kind, cell.text) {
            (_, None) => true,
            (Kind::Integer { boolean: true, .. } | Kind::Binary { text: true, .. }, _) => self.table.streamed,
            (kind, Some(text)) => expectation::is_ambiguous(kind, text, self.version),
        };
        let spelled_alike = alike || !self.modes.snapshot_as_stream || is_open;
        if !spelled_alike && wrong.is_empty() {
            wrong.push("tidewire.snapshot.values=stream, and the two are spelled differently".to_owned());
        }
        if !wrong.is_empty() {
            self.differences.push(Difference {
                column: name.clone(),
                row: Some(number),
                what: wrong.join("; "),
                server: shortened(&expectation::readable(&cell.column.kind, cell.text), 400),
                snapshot: shown[0].clone(),
                stream: shown[1].clone(),
            });
        }
        Ok(())
    }

    /// The key of a row: always the stream's spelling.
    fn key(&mut self, number: i64, texts: &[Option<String>], row: &Row, source: Source) -> Outcome<()> {
        let Some(key) = &row.key else {
            if !self.table.key.is_empty() {
                self.note("rn", Some(number), format!("{source:?}: no key"));
            }
            return Ok(());
        };
        let mut names: Vec<&str> = key.schema.fields.iter().map(|field| field.name.as_str()).collect();
        let mut wanted: Vec<&str> = self.table.key.iter().map(String::as_str).collect();
        names.sort_unstable();
        wanted.sort_unstable();
        if names != wanted {
            self.note("rn", Some(number), format!("{source:?}: the key has {names:?}"));
            return Ok(());
        }
        for (place, column) in self.table.columns.iter().enumerate() {
            let Some(field) = key.schema.field(&column.name) else { continue };
            let Some(payload) = key.payload.get(&column.name) else {
                self.note(&column.name, Some(number), format!("{source:?}: missing in the key"));
                continue;
            };
            let cell = Cell { column, place, text: texts[place].as_deref() };
            let wanted = self.wanted(cell, source, field, Spelling::Stream)?;
            let shown = field.decode(payload);
            if !shown.as_ref().is_ok_and(|value| same(&wanted, value)) {
                self.note(
                    &column.name,
                    Some(number),
                    format!("{source:?}: {payload} in the key where {wanted} is wanted ({:?})", texts[place]),
                );
            }
        }
        Ok(())
    }
}

/// Whether a published value is the one that is wanted.
fn same(wanted: &Value, shown: &Value) -> bool {
    match (wanted, shown) {
        (Value::Document(wanted), Value::Text(shown)) => {
            Json::parse(shown).is_ok_and(|shown| expectation::same_document(wanted, &shown))
        }
        _ => wanted == shown,
    }
}
