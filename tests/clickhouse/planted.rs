//! Proof that a comparison finds what it is for: faults in copies of tables that were found equal.

use tidewire::source::mysql::Connection;

use crate::compare::compare;
use crate::server::ClickHouse;
use crate::table::Table;
use crate::{DATABASE, Outcome};

const COPY: &str = "planted";

/// Makes a copy of a table in which `select` stands for all rows.
fn copy(clickhouse: &ClickHouse, table: &Table, select: &str) -> Outcome<()> {
    clickhouse.run(&format!("DROP TABLE IF EXISTS {DATABASE}.{COPY} SYNC"))?;
    clickhouse.run(&format!("CREATE TABLE {DATABASE}.{COPY} AS {DATABASE}.{}", table.name))?;
    clickhouse.run(&format!("INSERT INTO {DATABASE}.{COPY} {select}"))?;
    Ok(())
}

/// Plants one fault of each kind in each column of a table; how many.
pub fn plant(session: &mut Connection, clickhouse: &ClickHouse, table: &Table) -> Outcome<usize> {
    let from = format!("FROM {DATABASE}.{} FINAL WHERE _deleted = 0", table.name);
    let first: String = table.keys.iter().map(|key| key.quoted()).collect::<Vec<_>>().join(", ");
    let mut faults = vec![
        (
            "a row that is missing".to_owned(),
            format!("SELECT * {from} ORDER BY {first} LIMIT 1000000 OFFSET 1"),
        ),
        ("no row at all".to_owned(), format!("SELECT * {from} AND 0")),
        (
            "a row too many".to_owned(),
            format!("SELECT * {from} UNION ALL (SELECT * REPLACE (k + 1000000 AS k) {from} LIMIT 1)"),
        ),
    ];
    for column in &table.columns {
        let name = column.quoted();
        let count = |condition: &str| -> Outcome<bool> {
            let rows =
                clickhouse.rows(&format!("SELECT concat('=', toString(count())) {from} AND {condition}"))?;
            Ok(rows.first().and_then(|row| row.first()).is_some_and(|cell| cell.as_deref() != Some("0")))
        };
        if count(&format!("isNotNull({name})"))? {
            faults.push((
                format!("other values of {} {}", column.name, column.kind.sql),
                format!("SELECT * REPLACE ({} AS {name}) {from}", column.other()),
            ));
        }
        if count(&format!("isNull({name})"))? {
            faults.push((
                format!("a default in place of NULL in {} {}", column.name, column.kind.sql),
                format!("SELECT * REPLACE (ifNull({name}, defaultValueOfArgumentType(assumeNotNull({name}))) AS {name}) {from}"),
            ));
        }
    }
    copy(clickhouse, table, &format!("SELECT * {from}"))?;
    let equal = compare(session, clickhouse, table, COPY)?;
    if equal.differences > 0 {
        return Err(format!("the copy of {} is not the table: {:?}", table.name, equal.told));
    }
    for (fault, select) in &faults {
        copy(clickhouse, table, select)?;
        if compare(session, clickhouse, table, COPY)?.differences == 0 {
            return Err(format!("{fault} of {} was not found", table.name));
        }
    }
    clickhouse.run(&format!("DROP TABLE {DATABASE}.{COPY} SYNC"))?;
    Ok(faults.len())
}
