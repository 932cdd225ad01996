//! Proof that a comparison finds what it is for: faults in copies of tables that were found equal.
//!
//! Each fault is one cell or one row among all that are right, and exactly one difference has to be found.

use tidewire::source::mysql::Connection;

use crate::compare::compare;
use crate::server::ClickHouse;
use crate::table::Table;
use crate::{DATABASE, Outcome};

const COPY: &str = "planted";

/// A fault, and the SELECTs whose rows the copy has.
type Fault = (String, Vec<String>);

/// Makes a copy of a table.
fn copy(clickhouse: &ClickHouse, table: &Table, selects: &[String]) -> Outcome<()> {
    clickhouse.run(&format!("DROP TABLE IF EXISTS {DATABASE}.{COPY} SYNC"))?;
    clickhouse.run(&format!("CREATE TABLE {DATABASE}.{COPY} AS {DATABASE}.{}", table.name))?;
    for select in selects {
        clickhouse.run(&format!("INSERT INTO {DATABASE}.{COPY} {select}"))?;
    }
    Ok(())
}

/// Plants faults in rows and in each column of a table; how many.
pub fn plant(session: &mut Connection, clickhouse: &ClickHouse, table: &Table) -> Outcome<usize> {
    let from = format!("FROM {DATABASE}.{} FINAL WHERE _deleted = 0", table.name);
    // The number of a row with this property; every row has another one.
    let victim = |property: &str| -> Outcome<Option<String>> {
        let sql = format!("SELECT concat('=', toString(k)) {from} AND {property} ORDER BY k DESC LIMIT 1");
        Ok(clickhouse.rows(&sql)?.into_iter().next().and_then(|row| row.into_iter().next()).flatten())
    };
    let all = format!("SELECT * {from}");
    // The row is chosen inside: a replaced column would be replaced in the condition, too.
    let replaced =
        |with: &str, k: &str| format!("SELECT * REPLACE ({with}) FROM (SELECT * {from} AND k = {k})");
    copy(clickhouse, table, std::slice::from_ref(&all))?;
    let equal = compare(session, clickhouse, table, COPY)?;
    if equal.differences > 0 {
        return Err(format!("the copy of {} is not the table: {:?}", table.name, equal.told));
    }
    let mut faults: Vec<Fault> = Vec::new();
    if let Some(k) = victim("1")? {
        let without = format!("SELECT * {from} AND k != {k}");
        faults.push(("a row that is missing".to_owned(), vec![without]));
        if !table.is_keyless {
            // Above all numbers that the load has given.
            let double = replaced("k + 1000000 AS k", &k);
            faults.push(("a row too many".to_owned(), vec![all.clone(), double]));
            let deleted = replaced("_version + 1 AS _version, 1 AS _deleted", &k);
            faults.push(("a row that is deleted".to_owned(), vec![all.clone(), deleted]));
        }
    }
    for column in &table.columns {
        let name = column.quoted();
        let mut replace = |what: &str, value: String, k: String| {
            let others = format!("SELECT * {from} AND k != {k}");
            let planted = replaced(&format!("{value} AS {name}"), &k);
            faults.push((format!("{what} {} {}", column.name, column.kind.sql), vec![others, planted]));
        };
        if let Some(k) = victim(&format!("isNotNull({name})"))? {
            replace("another value of", column.other(), k.clone());
            if column.nullable {
                replace("NULL in place of a value of", "NULL".to_owned(), k);
            }
        }
        if let Some(k) = victim(&format!("isNull({name})"))? {
            let value = format!("ifNull({name}, defaultValueOfArgumentType(assumeNotNull({name})))");
            replace("a default in place of NULL of", value, k);
        }
        let default = format!("{name} = defaultValueOfArgumentType(assumeNotNull({name}))");
        if column.nullable
            && let Some(k) = victim(&default)?
        {
            replace("NULL in place of the default of", "NULL".to_owned(), k);
        }
    }
    for (fault, selects) in &faults {
        copy(clickhouse, table, selects)?;
        let found = compare(session, clickhouse, table, COPY)?;
        if found.differences != 1 {
            return Err(format!(
                "{fault} of {}: {} differences {:?}",
                table.name, found.differences, found.told
            ));
        }
    }
    clickhouse.run(&format!("DROP TABLE {DATABASE}.{COPY} SYNC"))?;
    Ok(faults.len())
}
