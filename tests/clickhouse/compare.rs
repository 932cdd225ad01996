//! Both servers' rows, cell by cell.

use std::collections::BTreeMap;

use tidewire::source::mysql::Connection;

use crate::column::Column;
use crate::server::{Cell, ClickHouse, marked};
use crate::table::Table;
use crate::{DATABASE, Outcome};

/// What a comparison found.
#[derive(Debug, Default)]
pub struct Comparison {
    pub rows: usize,
    pub differences: usize,
    /// The first of them, for a person.
    pub told: Vec<String>,
}

/// So many are told of each table.
const TOLD: usize = 5;

impl Comparison {
    fn differs(&mut self, text: impl FnOnce() -> String) {
        self.differences += 1;
        if self.told.len() < TOLD {
            self.told.push(text());
        }
    }
}

/// Key, and all cells.
type Rows = BTreeMap<Vec<Cell>, Vec<Cell>>;

fn keyed(rows: Vec<Vec<Cell>>, table: &Table, of: &str, found: &mut Comparison) -> Rows {
    let mut all = Rows::new();
    for row in rows {
        let key = row[..table.keys.len()].to_vec();
        if all.insert(key.clone(), row).is_some() {
            found.differs(|| format!("{of}, {}: the key {key:?} twice", table.name));
        }
    }
    all
}

/// Compares a table of MySQL with one of ClickHouse, which has its name or another one.
pub fn compare(
    session: &mut Connection,
    clickhouse: &ClickHouse,
    table: &Table,
    in_clickhouse: &str,
) -> Outcome<Comparison> {
    let mut found = Comparison::default();
    let list =
        |expression: &dyn Fn(&Column) -> String| table.all().map(expression).collect::<Vec<_>>().join(", ");
    let sql = format!("SELECT {} FROM {DATABASE}.{}", list(&|column| column.mysql()), table.name);
    let result = session.query(&sql).map_err(|error| format!("{error}: {sql}"))?;
    let mysql = result.rows.into_iter().collect();
    let mysql = keyed(mysql, table, "MySQL", &mut found);
    let expressions = list(&|column| marked(&column.clickhouse()));
    let sql = format!("SELECT {expressions} FROM {DATABASE}.{in_clickhouse} FINAL WHERE _deleted = 0");
    let theirs = keyed(clickhouse.rows(&sql)?, table, "ClickHouse", &mut found);
    found.rows = mysql.len();
    for (key, row) in &mysql {
        let Some(other) = theirs.get(key) else {
            found.differs(|| format!("{}: no row {key:?}", table.name));
            continue;
        };
        for (place, column) in table.all().enumerate() {
            let (ours, theirs) = (row[place].as_deref(), other[place].as_deref());
            if !column.same(ours, theirs) {
                found.differs(|| {
                    format!(
                        "{}, {key:?}, {} {}: {ours:?} is {theirs:?}",
                        table.name, column.name, column.kind.sql
                    )
                });
            }
        }
    }
    for key in theirs.keys().filter(|key| !mysql.contains_key(*key)) {
        found.differs(|| format!("{}: a row too many, {key:?}", table.name));
    }
    Ok(found)
}
