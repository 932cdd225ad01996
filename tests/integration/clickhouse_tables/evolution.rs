//! Schema changes of the golden scenarios, applied to tables that hold a row, each plan also cut off in its middle.

use std::collections::HashMap;

use tidewire::error::chain;
use tidewire::sink::record::schema_change::ChangedTable;
use tidewire::sink::table::definition::{SourceTable, TableDefinition};
use tidewire::sink::table::evolution::shape::{Shape, shape_of};
use tidewire::sink::table::evolution::{Evolution, EvolutionError, StepKind, evolve};

use super::golden::{existing, mapping, options, scenarios, schema_changes};
use crate::support::clickhouse::{client, new_database, run, values};

const DATABASE: &str = "tables_evolution";

fn defined(table: &str, shape: &Shape) -> TableDefinition {
    let source = SourceTable { columns: &shape.columns, key: &shape.key, low_cardinality: &|_| false };
    TableDefinition::new(DATABASE, table, source, &mapping(), &options()).expect("a table")
}

fn described(table: &ChangedTable) -> Shape {
    let columns = table.columns.iter().map(|column| column.source_column().expect("a type of MySQL's"));
    let key = table.primary_key_column_names.clone().unwrap_or_default();
    Shape { columns: columns.collect(), key, statement_seconds: 0 }
}

#[test]
fn schema_changes_of_the_golden_records_are_applied() {
    let client = client();
    new_database(&client, DATABASE);
    let plan = |present: &TableDefinition, shape: &Shape| -> Result<Evolution, EvolutionError> {
        let there = existing(&client, DATABASE, &present.table);
        let source = SourceTable { columns: &shape.columns, key: &shape.key, low_cardinality: &|_| false };
        evolve(present, &there, source, shape.statement_seconds, &mapping())
    };
    let mut done: HashMap<StepKind, usize> = HashMap::new();
    let mut refused: Vec<String> = Vec::new();
    for scenario in scenarios("ddl_") {
        let mut tables: HashMap<String, TableDefinition> = HashMap::new();
        for change in schema_changes(&scenario) {
            for table_change in &change.table_changes {
                let id = format!("{scenario} {}", table_change.id);
                let Some(table) = &table_change.table else {
                    tables.remove(&id);
                    continue;
                };
                let evolved = match tables.remove(&id) {
                    Some(present) => match shape_of(&change, table_change) {
                        Ok(shape) => {
                            let shape = shape.expect("a described table");
                            plan(&present, &shape).map(|evolution| Some((present, shape, evolution)))
                        }
                        Err(error) => Err(error),
                    },
                    None => Ok(None),
                };
                let table = match evolved {
                    Ok(Some((present, shape, evolution))) => {
                        let half = evolution.steps.len() / 2;
                        for step in evolution.steps.iter().take(half) {
                            run(&client, &step.statement);
                        }
                        let again = plan(&present, &shape).expect("the rest of the plan");
                        assert_eq!(again.table, evolution.table, "{id}");
                        for step in &again.steps {
                            run(&client, &step.statement);
                            *done.entry(step.kind).or_default() += 1;
                        }
                        let there = existing(&client, DATABASE, &present.table);
                        let types = evolution.table.columns.iter().map(|column| {
                            let found = there.columns.iter().find(|found| found.name == column.name);
                            assert_eq!(
                                found.map(|found| found.column_type.clone()),
                                Some(column.column_type.to_string()),
                                "{id}"
                            );
                        });
                        assert_eq!(types.count(), evolution.table.columns.len());
                        let nothing = plan(&evolution.table, &shape).expect("no more changes");
                        assert_eq!((nothing.steps, nothing.table), (vec![], evolution.table.clone()), "{id}");
                        evolution.table
                    }
                    // A table that is new, or that stopped and is made anew.
                    other => {
                        if let Err(error) = other {
                            refused.push(chain(&error));
                        }
                        let definition = defined(&id, &described(table));
                        run(&client, &format!("DROP TABLE IF EXISTS `{DATABASE}`.{} SYNC", quoted(&id)));
                        run(&client, &definition.create_table(""));
                        run(
                            &client,
                            &format!("INSERT INTO `{DATABASE}`.{} (_version) VALUES (1)", quoted(&id)),
                        );
                        definition
                    }
                };
                tables.insert(id, table);
            }
        }
    }
    let failed = format!(
        "SELECT latest_fail_reason FROM system.mutations WHERE database = '{DATABASE}' AND latest_fail_reason != ''"
    );
    assert_eq!(values(&client, &failed), []);
    for (kind, least) in [(StepKind::Add, 40), (StepKind::Materialize, 10), (StepKind::Widen, 4)] {
        assert!(done.get(&kind).is_some_and(|count| *count >= least), "{done:?}");
    }
    assert!(refused.len() > 20, "{refused:?}");
}

fn quoted(name: &str) -> String {
    tidewire::sink::table::identifier::quoted(name)
}
