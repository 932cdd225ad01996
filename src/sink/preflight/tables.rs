//! Whether the rows that are to come have a place: in tables that are there, or in those that the sink would make.
//!
//! The comparison is that of the first record of a table (`apply::opening`): by the description that the table has, by its comment,
//! or that its first record follows. Later descriptions are followed when the connector runs.

use crate::config::sink::TableConfig;
use crate::error::{Classify, chain};
use crate::sink::apply::catalog::{Description, SourceName, in_force};
use crate::sink::apply::error::TableError;
use crate::sink::apply::incarnations::check_partitions;
use crate::sink::apply::ledger::{Kind, Ledger};
use crate::sink::apply::record::TopicLife;
use crate::sink::apply::server::Server;
use crate::sink::apply::shapes::with_columns;
use crate::sink::apply::target::{Found, Place};
use crate::sink::clickhouse::error::ClickHouseError;
use crate::sink::preflight::finding::{Finding, Severity};
use crate::sink::table::comment::TableComment;
use crate::sink::table::evolution::shape::Shape;
use crate::sink::version::{Version, VersionScheme};

/// A table of which rows are to come.
#[derive(Clone, Debug)]
pub struct ComingTable {
    /// In MySQL.
    pub name: SourceName,
    /// `topic.prefix`.
    pub source: String,
    /// What the oldest of its records that was looked at says of its columns; none without a schema.
    pub shape: Option<Shape>,
    /// The columns of that record.
    pub columns: Vec<String>,
    /// The topic of its records.
    pub topic: String,
    /// The topic's life, where offsets are its versions.
    pub life: Option<TopicLife>,
    /// Its version, where it has the header `tidewire.seq`.
    pub version: Option<Version>,
}

/// Whether the topics whose offsets are versions have still their partitions.
pub(super) fn lives(ledger: &Ledger, config: &TableConfig, coming: &[ComingTable]) -> Vec<Finding> {
    let changed = |table: &ComingTable| {
        let topic = &table.topic;
        let line = ledger.get(Kind::Incarnation, topic)?;
        let name = format!("{}.{}", config.database(&table.name.0), table.name.1);
        let error = check_partitions(line, table.life.as_ref()?, &name, topic).err()?;
        Some(of_table(&format!("topic {topic}"), &error))
    };
    coming.iter().filter_map(changed).collect()
}

/// Looks at the table of one.
pub(super) fn look(
    server: &Server,
    config: &TableConfig,
    table: &ComingTable,
    descriptions: &[Description],
) -> Result<Vec<Finding>, ClickHouseError> {
    let place = Place::new(server, config, &table.name);
    let what = format!("table {}", place.name());
    let found = place.find()?;
    let mut findings = Vec::new();
    if let Some(Found { comment: Some(comment), .. }) = &found
        && comment.source != table.source
    {
        let (stored, from) = (comment.source.clone(), table.source.clone());
        findings.push(of_table(&what, &TableError::OtherSource { table: place.name(), stored, found: from }));
        return Ok(findings);
    }
    let comment = found.as_ref().and_then(|found| found.comment.as_ref());
    match shape_for(comment, table, descriptions) {
        Some(shape) => {
            if let Err(error) = place.check(found.as_ref(), shape) {
                findings.extend(of_check(&what, &error, found.as_ref()));
            }
        }
        // Nobody tells the types: that is said of the records.
        None if descriptions.is_empty() => {}
        None => findings.push(of_table(&what, &TableError::NoTypes { table: place.name() })),
    }
    let Some(found) = found else { return Ok(findings) };
    if findings.is_empty() && found.comment.is_none() && found.has_rows(server)? {
        findings.push(Finding::new(
            Severity::Warning,
            &what,
            "no rows that the sink has not written",
            "rows of somebody else's are there, which stay wherever the topics have no newer version of them",
            "empty the table, or rename it, unless its rows are an older state of the same table",
        ));
    }
    if findings.is_empty() {
        findings.extend(versions(server, &what, &found, table)?);
    }
    Ok(findings)
}

/// Tables of MySQL that would be written into one of ClickHouse: their rows would replace each other.
pub(super) fn collisions(config: &TableConfig, coming: &[ComingTable]) -> Vec<Finding> {
    let target = |table: &ComingTable| format!("{}.{}", config.database(&table.name.0), table.name.1);
    let mut found: Vec<Finding> = Vec::new();
    for (at, table) in coming.iter().enumerate() {
        let what = format!("table {}", target(table));
        let other = coming.iter().take(at).find(|other| target(other) == target(table));
        let Some(other) = other.filter(|_| !found.iter().any(|known| known.what == what)) else { continue };
        let name = |table: &ComingTable| format!("{}.{} of {}", table.name.0, table.name.1, table.source);
        found.push(Finding::new(
            Severity::Error,
            what,
            "rows of one table of one source",
            format!("rows of {} and of {}", name(other), name(table)),
            "map them to different databases (clickhouse.database.override.map), or give each source a connector of its own",
        ));
    }
    found
}

/// The columns that the table has, or is made with.
fn shape_for<'a>(
    comment: Option<&TableComment>,
    table: &'a ComingTable,
    descriptions: &'a [Description],
) -> Option<&'a Shape> {
    let applied = comment.and_then(|comment| comment.schema);
    let at = match (applied, table.version) {
        (Some(applied), _) => in_force(descriptions, applied),
        (None, Some(version)) => in_force(descriptions, version),
        (None, None) => with_columns(descriptions, &table.columns),
    };
    at.and_then(|at| descriptions.get(at)?.shape.as_ref()).or(table.shape.as_ref())
}

/// Rows with another kind of versions win against all that is to come, or not.
fn versions(
    server: &Server,
    what: &str,
    found: &Found,
    table: &ComingTable,
) -> Result<Option<Finding>, ClickHouseError> {
    let (Some(first), Some(comment)) = (table.version, &found.comment) else { return Ok(None) };
    if comment.scheme == VersionScheme::Sequence {
        return Ok(None);
    }
    let highest = found.highest(server)?;
    let followed = VersionScheme::Sequence.may_follow(Some(comment.scheme), highest, first);
    Ok(followed.err().map(|error| {
        Finding::of_error(what, "rows with versions below those to come", &error, "drop the table")
    }))
}

/// One finding for each thing that does not fit.
fn of_check(what: &str, error: &TableError, found: Option<&Found>) -> Vec<Finding> {
    let TableError::DoesNotFit { differences, .. } = error else { return vec![of_table(what, error)] };
    let is_distributed = found.is_some_and(|found| found.engine() == "Distributed");
    let remedy = if is_distributed {
        "let the sink write the local tables (clickhouse.url of a server, or clickhouse.cluster), and read by the Distributed one".to_owned()
    } else {
        error.remedy().unwrap_or_default()
    };
    let fits = "a table that can be taken over";
    differences
        .iter()
        .map(|difference| Finding::new(Severity::Error, what, fits, difference.to_string(), &remedy))
        .collect()
}

fn of_table(what: &str, error: &TableError) -> Finding {
    let remedy = error.remedy().unwrap_or_else(|| "leave the table out of the topics".to_owned());
    Finding::new(Severity::Error, what, "a table whose rows can be written", chain(error), remedy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::table::mapping::{AddedValue, SourceColumn, SourceType};
    use crate::sink::table::meta_columns::MetaColumns;

    fn shape(columns: &[&str]) -> Shape {
        let column = |name: &&str| SourceColumn {
            name: (*name).to_owned(),
            source_type: SourceType::Text,
            nullable: true,
            exact: true,
            added: AddedValue::Implicit,
        };
        Shape { columns: columns.iter().map(column).collect(), key: vec![], statement_seconds: 0 }
    }

    #[test]
    fn a_table_is_compared_with_the_description_that_it_has() {
        let described = |version, columns: &[&str]| Description {
            version: Version::new(version).unwrap(),
            sequenced: true,
            shape: Some(shape(columns)),
            breaks: None,
            source: "p".to_owned(),
        };
        let descriptions =
            [described(10, &["id"]), described(20, &["id", "a"]), described(30, &["id", "a", "b"])];
        let coming = |version, columns: &[&str]| ComingTable {
            name: ("d".to_owned(), "t".to_owned()),
            source: "p".to_owned(),
            shape: None,
            columns: columns.iter().map(|name| (*name).to_owned()).collect(),
            version: Version::new(version).filter(|_| version > 0),
            topic: "p.d.t".to_owned(),
            life: None,
        };
        let comment = |schema| TableComment {
            scheme: VersionScheme::Sequence,
            source: "p".to_owned(),
            schema: Version::new(schema),
            meta: MetaColumns::beside(["id"].into_iter(), true, false),
        };
        let columns = |comment: Option<&TableComment>, coming: &ComingTable| {
            shape_for(comment, coming, &descriptions).map(|shape| shape.columns.len())
        };
        assert_eq!(columns(Some(&comment(20)), &coming(35, &["id", "a", "b"])), Some(2));
        assert_eq!(columns(None, &coming(35, &["id"])), Some(3));
        assert_eq!(columns(None, &coming(0, &["a", "id"])), Some(2));
        assert_eq!(columns(None, &coming(0, &["other"])), None);
        let with_schema = ComingTable { shape: Some(shape(&["x"])), ..coming(0, &["x"]) };
        assert_eq!(columns(None, &with_schema), Some(1));
    }

    #[test]
    fn two_tables_in_one_are_told_once() {
        let text = "name=m\nconnector.class=tidewire.clickhouse.ClickHouseSinkConnector\ntopics=t\n\
                    clickhouse.url=http://localhost:8123\nclickhouse.database.override.map=a:shop,b:shop\n";
        let properties = crate::config::properties::java::parse(text, std::path::Path::new("s")).unwrap();
        let config = crate::config::sink::SinkConfig::from_properties(&properties).unwrap().0;
        let coming = |database: &str, table: &str, source: &str| ComingTable {
            name: (database.to_owned(), table.to_owned()),
            source: source.to_owned(),
            shape: None,
            columns: vec![],
            topic: "p.d.t".to_owned(),
            life: None,
            version: None,
        };
        let all =
            [coming("a", "t", "p"), coming("a", "u", "p"), coming("b", "t", "p"), coming("a", "t", "q")];
        let found = collisions(&config.tables, &all);
        let actual: Vec<_> = found.iter().map(|found| (found.what.as_str(), found.actual.as_str())).collect();
        assert_eq!(actual, [("table shop.t", "rows of a.t of p and of b.t of p")]);
        assert_eq!(collisions(&config.tables, &all[..2]), []);
    }
}
