//! What the server says: the text of every cell, and of every literal default.

use std::collections::BTreeMap;

use crate::Outcome;
use crate::column::{Column, Default};
use crate::server::Session;
use crate::table::Table;

/// A table as the server has it.
pub struct Truth {
    /// By `rn`, then by the table's columns; None is NULL.
    pub rows: BTreeMap<i64, Vec<Option<String>>>,
    /// The text of each literal default; None for NULL and for columns without.
    pub defaults: Vec<Option<String>>,
}

/// Asks for all of a table, in a session whose time zone is UTC and which takes any date.
pub fn ask(session: &mut Session, table: &Table) -> Outcome<Truth> {
    session.run("SET SESSION sql_mode = 'ALLOW_INVALID_DATES', SESSION time_zone = '+00:00'")?;
    let cells: Vec<String> = table.columns.iter().map(|column| column.oracle(&column.quoted())).collect();
    let answer = session.rows(&format!("SELECT {} FROM `{}` ORDER BY `rn`", cells.join(", "), table.name))?;
    let mut rows = BTreeMap::new();
    for row in answer {
        let number = row.first().cloned().flatten().and_then(|text| text.parse().ok());
        rows.insert(number.ok_or("a row without a number")?, row);
    }
    let mut defaults = vec![None; table.columns.len()];
    let literal = |column: &Column| column.default == Default::Literal;
    let asked: Vec<usize> =
        (0..table.columns.len()).filter(|place| literal(&table.columns[*place])).collect();
    if !asked.is_empty() && !rows.is_empty() {
        let texts: Vec<String> = asked
            .iter()
            .map(|place| {
                table.columns[*place].oracle(&format!("DEFAULT({})", table.columns[*place].quoted()))
            })
            .collect();
        let answer = session.rows(&format!("SELECT {} FROM `{}` LIMIT 1", texts.join(", "), table.name))?;
        let answer = answer.into_iter().next().ok_or("no answer about defaults")?;
        for (place, text) in asked.into_iter().zip(answer) {
            defaults[place] = text;
        }
    }
    Ok(Truth { rows, defaults })
}

/// Reads back what the server made of the definitions: which columns allow NULL.
pub fn complete(session: &mut Session, database: &str, table: &mut Table) -> Outcome<()> {
    let answer = session.rows(&format!(
        "SELECT column_name, is_nullable, column_default FROM information_schema.columns
         WHERE table_schema = '{database}' AND table_name = '{}' ORDER BY ordinal_position",
        table.name
    ))?;
    if answer.len() != table.columns.len() {
        return Err(format!("{} has {} columns", table.name, answer.len()));
    }
    for (column, row) in table.columns.iter_mut().zip(answer) {
        let [Some(name), Some(nullable), default] = row.as_slice() else {
            return Err("a column without a name".to_owned());
        };
        if *name != column.name {
            return Err(format!("{name} stands where {} was expected", column.name));
        }
        column.nullable = nullable == "YES";
        if column.default == Default::Literal
            && default.as_deref().is_some_and(|text| text.starts_with("CURRENT_TIMESTAMP"))
        {
            column.default = Default::Now;
        }
    }
    Ok(())
}
