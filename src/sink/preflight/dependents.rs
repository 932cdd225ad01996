//! What reads the tables of the sink: views, dictionaries, projections, Distributed tables.
//!
//! None of it stands in the way of a start. A materialized view counts what an insert brings once more when its target forgets
//! the token of the insert; a table or view over columns has them as they were; a Distributed table through which rows of one key
//! come to several servers has all their versions.

use crate::sink::preflight::finding::{Finding, Severity};
use crate::sink::preflight::questions::{Questions, array};

const READERS: &str = "SELECT database, name, dependencies_database, dependencies_table FROM system.tables \
                       WHERE has({databases:Array(String)}, database) AND notEmpty(dependencies_table) ORDER BY database, name";
const LOADERS: &str = "SELECT database, name, loading_dependent_database, loading_dependent_table FROM system.tables \
                       WHERE has({databases:Array(String)}, database) AND notEmpty(loading_dependent_table) ORDER BY database, name";
const PROJECTIONS: &str = "SELECT database, table, groupArray(name) FROM system.projections \
                           WHERE has({databases:Array(String)}, database) GROUP BY database, table ORDER BY database, table";
const DISTRIBUTED: &str = "SELECT database, name, engine_full FROM system.tables WHERE engine = 'Distributed' ORDER BY database, name";

/// A table of the sink, and what tells its rows apart.
pub(super) struct Mirrored {
    pub(super) database: String,
    pub(super) table: String,
    pub(super) key: Vec<String>,
}

type Dependents = (String, String, Vec<String>, Vec<String>);

/// Looks for readers of the tables.
pub(super) fn look(questions: &mut Questions<'_>, databases: &[String], mirrored: &[Mirrored]) {
    let databases = array(databases);
    let of_databases = [("param_databases", databases.as_str())];
    let is_ours = |database: &str, table: &str| {
        mirrored.iter().any(|known| known.database == database && known.table == table)
    };
    let readers = questions.ask::<Dependents>("tables", READERS, &of_databases).unwrap_or_default();
    for (database, table, of, names) in readers.into_iter().filter(|row| is_ours(&row.0, &row.1)) {
        questions.add(
            Severity::Warning,
            format!("table {database}.{table}"),
            "no materialized view that counts or adds up",
            format!("{} read what is inserted, and see an insert that is repeated twice", joined(&of, &names)),
            "give the targets of the views non_replicated_deduplication_window=10000 (or make them Replicated), and leave \
             deduplicate_blocks_in_dependent_materialized_views at 1",
        );
    }
    let loaders = questions.ask::<Dependents>("tables", LOADERS, &of_databases).unwrap_or_default();
    for (database, table, of, names) in loaders.into_iter().filter(|row| is_ours(&row.0, &row.1)) {
        questions.add(
            Severity::Warning,
            format!("table {database}.{table}"),
            "nothing that depends on its columns",
            format!("{} read it, with the columns of when they were made", joined(&of, &names)),
            "make them anew when a column is added that they are to have",
        );
    }
    let projections =
        questions.ask::<(String, String, Vec<String>)>("projections", PROJECTIONS, &of_databases);
    for (database, table, names) in projections.unwrap_or_default() {
        if is_ours(&database, &table) {
            questions.add(
                Severity::Warning,
                format!("table {database}.{table}"),
                "no projection: merges that replace rows do not keep them",
                format!("projections {}", names.join(", ")),
                "drop them, or set deduplicate_merge_projection_mode=rebuild for the table",
            );
        }
    }
    let distributed =
        questions.ask::<(String, String, String)>("tables", DISTRIBUTED, &[]).unwrap_or_default();
    for (database, table, engine) in distributed {
        questions.found.extend(judge_distributed(&database, &table, &engine, mirrored));
    }
}

fn joined(databases: &[String], names: &[String]) -> String {
    let names = databases.iter().zip(names).map(|(database, name)| format!("{database}.{name}"));
    names.collect::<Vec<_>>().join(", ")
}

/// Of a Distributed table over one of ours: whether the rows of one key stay on one server.
fn judge_distributed(database: &str, table: &str, engine: &str, mirrored: &[Mirrored]) -> Option<Finding> {
    let arguments = arguments(engine)?;
    let text = |at: usize| arguments.get(at).map(|argument| argument.trim_matches('\''));
    let over = mirrored
        .iter()
        .find(|known| Some(known.database.as_str()) == text(1) && Some(known.table.as_str()) == text(2))?;
    let sharding = arguments.get(3)?;
    let names = words(sharding);
    let is_of_key = names.iter().any(|name| over.key.contains(name))
        && !["rand", "now", "generateUUIDv4"]
            .iter()
            .any(|moving| names.iter().any(|name| name.starts_with(moving)));
    (!is_of_key).then(|| {
        Finding::new(
            Severity::Warning,
            format!("table {database}.{table}"),
            format!("a sharding key of {}, the key of {}.{}", over.key.join(", "), over.database, over.table),
            format!("Distributed by {sharding}: versions of one row come to different servers and are never merged"),
            format!("make it with the sharding key cityHash64({})", over.key.join(", ")),
        )
    })
}

/// The arguments of `Distributed(…)`.
fn arguments(engine: &str) -> Option<Vec<String>> {
    let inner = engine.strip_prefix("Distributed(")?;
    let (mut arguments, mut argument, mut depth, mut quoted) = (Vec::new(), String::new(), 0_usize, false);
    for character in inner.chars() {
        match character {
            '\'' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted && depth == 0 => {
                arguments.push(argument.trim().to_owned());
                return Some(arguments);
            }
            ')' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                arguments.push(std::mem::take(&mut argument).trim().to_owned());
                continue;
            }
            _ => {}
        }
        argument.push(character);
    }
    None
}

/// The names in an expression.
fn words(expression: &str) -> Vec<String> {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    expression
        .split(|character| !is_word(character))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `engine_full` as a server 26.7 prints it.
    #[test]
    fn rows_of_one_key_stay_on_one_server() {
        let mirrored = [Mirrored {
            database: "shop".to_owned(),
            table: "orders".to_owned(),
            key: vec!["id".to_owned(), "line".to_owned()],
        }];
        let judged =
            |engine: &str| judge_distributed("shop", "all", engine, &mirrored).map(|found| found.actual);
        assert_eq!(judged("Distributed('main', 'shop', 'orders')"), None, "only read");
        assert_eq!(judged("Distributed('main', 'shop', 'orders', cityHash64(id, line))"), None);
        assert_eq!(judged("Distributed('main', 'shop', 'other', rand())"), None, "of something else");
        for sharding in ["rand()", "cityHash64(total)", "id + rand()"] {
            let found = judged(&format!("Distributed('main', 'shop', 'orders', {sharding}, 'policy')"));
            assert!(
                found.is_some_and(|actual| actual.starts_with(&format!("Distributed by {sharding}:"))),
                "{sharding}"
            );
        }
        assert_eq!(judged("MergeTree ORDER BY id"), None);
    }
}
