//! Random statements on a table: inserts of one row and of several, updates of some columns, deletes.
//!
//! The sessions are not strict, so that values out of range are stored as the server bends them, and take impossible dates
//! now and then. A statement that the server refuses (a key that is there already) changes nothing and counts as refused.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::Outcome;
use crate::column::{Column, Kind};
use crate::generate::Generator;
use crate::server::{Session, Version};
use crate::table::Table;

/// What was done to a table.
#[derive(Default)]
pub struct History {
    /// The statement that wrote each row last, by `rn`.
    pub last: BTreeMap<i64, Rc<str>>,
    pub refused: usize,
    /// What the server said last when it refused.
    pub refusal: Option<String>,
}

/// Settings of a session for the statements on one table.
pub fn prepare(session: &mut Session, generator: &mut Generator<'_>) -> Outcome<()> {
    let random = &mut generator.random;
    let mode = ["", "ALLOW_INVALID_DATES", "ALLOW_INVALID_DATES", "NO_ZERO_IN_DATE"][random.below(4)];
    session.run(&format!("SET SESSION sql_mode = '{mode}'"))?;
    let zone = ["+00:00", "+00:00", "+05:30", "-08:00"][random.below(4)];
    session.run(&format!("SET SESSION time_zone = '{zone}'"))?;
    if generator.server.version >= Version::MySql80 {
        let partial = if generator.random.chance(50) { "PARTIAL_JSON" } else { "" };
        session.run(&format!("SET SESSION binlog_row_value_options = '{partial}'"))?;
    }
    if generator.server.version == Version::MySql97 {
        let compressed = if generator.random.chance(30) { "ON" } else { "OFF" };
        session.run(&format!("SET SESSION binlog_transaction_compression = {compressed}"))?;
    }
    Ok(())
}

/// Writes about so many rows into a table and changes some of them.
pub fn write(
    session: &mut Session,
    generator: &mut Generator<'_>,
    table: &Table,
    rows: usize,
) -> Outcome<History> {
    prepare(session, generator)?;
    let mut history = History::default();
    let mut next = 1;
    session.run("BEGIN")?;
    while next <= rows as i64 {
        let count = if generator.random.chance(30) { 1 + generator.random.below(4) as i64 } else { 1 };
        let numbers: Vec<i64> = (next..next + count).collect();
        next += count;
        let statement = insert(generator, table, &numbers);
        history.attempt(session, statement, &numbers);
    }
    session.run("COMMIT")?;
    session.run("BEGIN")?;
    for _ in 0..rows / 2 {
        let here: Vec<i64> = history.last.keys().copied().collect();
        if here.is_empty() {
            break;
        }
        let number = here[generator.random.below(here.len())];
        if generator.random.chance(15) {
            let statement = format!("DELETE FROM `{}` WHERE `rn` = {number}", table.name);
            if history.attempt(session, statement, &[]) {
                history.last.remove(&number);
            }
            continue;
        }
        let several = generator.random.chance(10);
        let touched: Vec<i64> = if several {
            here.iter().copied().filter(|other| other % 5 == number % 5).collect()
        } else {
            vec![number]
        };
        let place = if several { format!("`rn` % 5 = {}", number % 5) } else { format!("`rn` = {number}") };
        if let Some(changes) = changes(generator, table) {
            let statement = format!("UPDATE `{}` SET {changes} WHERE {place}", table.name);
            history.attempt(session, statement, &touched);
        }
    }
    session.run("COMMIT")?;
    Ok(history)
}

impl History {
    /// Runs a statement on rows; whether the server took it.
    fn attempt(&mut self, session: &mut Session, statement: String, rows: &[i64]) -> bool {
        let result = session.attempt(&statement);
        let statement: Rc<str> = statement.into();
        match result {
            Ok(()) => {
                for row in rows {
                    self.last.insert(*row, Rc::clone(&statement));
                }
                true
            }
            Err(error) => {
                self.refused += 1;
                self.refusal = Some(error);
                false
            }
        }
    }
}

/// Of a geometry that allows no null, 5.7 makes zero bytes, which are no geometry.
fn may_be_left_out(column: &Column) -> bool {
    column.nullable || !matches!(column.kind, Kind::Geometry { .. })
}

fn insert(generator: &mut Generator<'_>, table: &Table, numbers: &[i64]) -> String {
    // Now and then a column is left out, and the server puts in what it sees fit.
    let leave_out = generator.random.chance(20);
    let columns: Vec<&Column> = table
        .columns
        .iter()
        .skip(1)
        .filter(|column| {
            let left_out = leave_out && may_be_left_out(column) && generator.random.chance(10);
            !(column.generated || left_out)
        })
        .collect();
    let names: Vec<String> = columns.iter().map(|column| column.quoted()).collect();
    let rows: Vec<String> = numbers
        .iter()
        .map(|number| {
            let values = columns.iter().map(|column| generator.value(column));
            format!("({})", std::iter::once(number.to_string()).chain(values).collect::<Vec<_>>().join(", "))
        })
        .collect();
    let names: String = names.iter().map(|name| format!(", {name}")).collect();
    format!("INSERT INTO `{}` (`rn`{names}) VALUES {}", table.name, rows.join(", "))
}

fn changes(generator: &mut Generator<'_>, table: &Table) -> Option<String> {
    let mut changed = Vec::new();
    for column in table.columns.iter().skip(1).filter(|column| !column.generated) {
        if generator.random.chance(30) {
            changed.push(format!("{} = {}", column.quoted(), generator.change(column)));
        }
    }
    (!changed.is_empty()).then(|| changed.join(", "))
}
