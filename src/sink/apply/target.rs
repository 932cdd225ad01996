//! One table of ClickHouse: made, taken over, changed, and how rows are written into it.
//!
//! ```text
//! not there                     CREATE TABLE by the description of the first record
//! there, with our comment       it has the schema change that the comment names; the later ones are applied in their order
//! there, without                taken over if it fits, and given our comment
//! ```
//! A change is a plan of statements that can be repeated, run from a comparison with the server; the comment names the change when
//! all of it is done. Rows of an older description are written with the columns that they have, in the types that the table has now;
//! the columns that came later get the value that MySQL gave them when it added them, which is their DEFAULT.

use std::sync::Arc;

use crate::config::sink::TableConfig;
use crate::sink::apply::catalog::SourceName;
use crate::sink::apply::error::TableError;
use crate::sink::apply::server::Server;
use crate::sink::clickhouse::client::Query;
use crate::sink::clickhouse::error::ClickHouseError;
use crate::sink::clickhouse::insert::InsertStatement;
use crate::sink::clickhouse::system_tables;
use crate::sink::record::envelope::row_schema;
use crate::sink::row::row_writer::{RowForm, RowWriter};
use crate::sink::table::adoption::ExistingTable;
use crate::sink::table::comment::TableComment;
use crate::sink::table::definition::{Identity, SourceTable, TableDefinition, TableOptions};
use crate::sink::table::evolution::shape::Shape;
use crate::sink::table::evolution::{StepKind, evolve};
use crate::sink::table::identifier::{qualified, quoted};
use crate::sink::version::{Version, VersionScheme};

/// An insert may name columns that MaterializedMySQL made MATERIALIZED.
const MATERIALIZED: (&str, &str) = ("insert_allow_materialized_columns", "1");

/// What is on the server under the name of a table.
pub struct Found {
    qualified: String,
    existing: ExistingTable,
    /// Our comment, if it has it.
    pub comment: Option<TableComment>,
}

impl Found {
    /// `system.tables.engine`.
    pub fn engine(&self) -> &str {
        &self.existing.engine
    }

    /// Whether there is a row in it.
    pub fn has_rows(&self, server: &Server) -> Result<bool, ClickHouseError> {
        let sql = format!("SELECT 1 FROM {} LIMIT 1", self.qualified);
        let rows: Vec<(u8,)> = server.client.rows(Query::new(&format!("read {}", self.qualified), &sql))?;
        Ok(!rows.is_empty())
    }

    /// The highest version of a table that has our comment.
    pub fn highest(&self, server: &Server) -> Result<Option<Version>, ClickHouseError> {
        let Some(comment) = &self.comment else { return Ok(None) };
        Ok(highest(server, &self.qualified, &comment.meta.version)?.map(|(version, _)| version))
    }
}

fn highest(server: &Server, table: &str, version: &str) -> Result<Option<(Version, u64)>, ClickHouseError> {
    let version = quoted(version);
    let sql = format!(
        "SELECT toUInt64({version}), count() FROM {table} WHERE {version} = (SELECT max({version}) FROM {table}) \
         GROUP BY {version}"
    );
    let rows: Vec<(u64, u64)> = server.client.rows(Query::new(&format!("read versions of {table}"), &sql))?;
    Ok(rows.first().and_then(|&(version, count)| Some((Version::new(version)?, count))))
}

/// A table that is written.
#[derive(Debug)]
pub struct Target {
    /// In MySQL.
    pub source: SourceName,
    /// In ClickHouse, `database.table`.
    pub name: String,
    /// What the table's comment says.
    pub comment: TableComment,
    /// Whether this sink has made it just now: nothing is in it but what it inserts.
    pub is_new: bool,
    present: TableDefinition,
    existing: ExistingTable,
    inserts_materialized: bool,
}

/// How rows of one description are written.
#[derive(Debug)]
pub struct Layout {
    /// Makes the rows.
    pub writer: RowWriter,
    /// The insert of all of them.
    pub insert: Arc<InsertStatement>,
    /// Its settings.
    pub settings: &'static [(&'static str, &'static str)],
}

/// Where a table goes, and what the configuration says of it.
pub struct Place<'a> {
    server: &'a Server,
    config: &'a TableConfig,
    source: &'a SourceName,
}

impl<'a> Place<'a> {
    /// Of a table of MySQL.
    pub const fn new(server: &'a Server, config: &'a TableConfig, source: &'a SourceName) -> Self {
        Place { server, config, source }
    }

    fn database(&self) -> &str {
        self.config.database(&self.source.0)
    }

    /// `database.table` in ClickHouse.
    pub fn name(&self) -> String {
        format!("{}.{}", self.database(), self.source.1)
    }

    /// What is there.
    pub fn find(&self) -> Result<Option<Found>, ClickHouseError> {
        let table = system_tables::table(&self.server.client, self.database(), &self.source.1)?;
        Ok(table.map(|table| Found {
            qualified: qualified(self.database(), &self.source.1),
            existing: ExistingTable::from(&table),
            comment: TableComment::parse(&table.comment),
        }))
    }

    fn define(&self, shape: &Shape) -> Result<TableDefinition, TableError> {
        let named = format!("{}.{}", self.source.0, self.source.1);
        let low_cardinality = |column: &str| {
            let column = format!("{named}.{column}");
            self.server.low_cardinality.iter().any(|pattern| pattern.matches(&column))
        };
        let source =
            SourceTable { columns: &shape.columns, key: &shape.key, low_cardinality: &low_cardinality };
        let options = TableOptions::of(self.config, &named);
        Ok(TableDefinition::new(self.database(), &self.source.1, source, &self.server.mapping, &options)?)
    }

    /// Whether rows of a shape have a place: in a table that can be made, and in the one that is there, if there is one.
    pub fn check(&self, found: Option<&Found>, shape: &Shape) -> Result<(), TableError> {
        let definition = self.define(shape)?;
        match found.map(|found| found.existing.adopt(&definition)) {
            Some(Err(differences)) => Err(TableError::DoesNotFit { table: self.name(), differences }),
            Some(Ok(_)) | None => Ok(()),
        }
    }

    /// Makes the table, with its database. Another sink may do the same at the same time.
    pub fn create(
        &self,
        shape: &Shape,
        source: &str,
        scheme: VersionScheme,
        schema: Option<Version>,
    ) -> Result<Target, TableError> {
        let definition = self.define(shape)?;
        if system_tables::database_engine(&self.server.client, self.database())?.is_none() {
            self.server
                .run(&format!("create database {}", self.database()), &definition.create_database())?;
        }
        let comment =
            TableComment { scheme, source: source.to_owned(), schema, meta: definition.meta.clone() };
        self.server
            .run(&format!("create table {}", self.name()), &definition.create_table(&comment.to_json()))?;
        let found = self
            .find()?
            .ok_or_else(|| TableError::DoesNotFit { table: self.name(), differences: Vec::new() })?;
        tracing::info!(table = self.name(), columns = definition.columns.len(), "table made");
        let mut target = self.take_over(found, shape, source, scheme, schema)?;
        target.is_new = true;
        Ok(target)
    }

    /// Takes a table over that is there. Writes our comment if it has none.
    pub fn take_over(
        &self,
        found: Found,
        shape: &Shape,
        source: &str,
        scheme: VersionScheme,
        schema: Option<Version>,
    ) -> Result<Target, TableError> {
        let definition = self.define(shape)?;
        let adoption = found
            .existing
            .adopt(&definition)
            .map_err(|differences| TableError::DoesNotFit { table: self.name(), differences })?;
        let inserts_materialized = adoption.inserts_materialized;
        let present = adoption.apply(definition);
        let is_ours = found.comment.is_some();
        let comment = found.comment.unwrap_or_else(|| TableComment {
            scheme,
            source: source.to_owned(),
            schema,
            meta: present.meta.clone(),
        });
        if comment.source != source {
            let (stored, found) = (comment.source, source.to_owned());
            return Err(TableError::OtherSource { table: self.name(), stored, found });
        }
        let mut target = Target {
            source: self.source.clone(),
            name: self.name(),
            comment,
            is_new: false,
            present,
            existing: found.existing,
            inserts_materialized,
        };
        if !is_ours {
            tracing::info!(table = self.name(), "table taken over");
            target.write_comment(self.server)?;
        }
        Ok(target)
    }
}

impl Target {
    /// Applies a later description. What is in the table's comment was applied already.
    pub fn follow(&mut self, place: &Place<'_>, shape: &Shape, version: Version) -> Result<(), TableError> {
        let server = place.server;
        let named = format!("{}.{}", self.source.0, self.source.1);
        let low_cardinality = |column: &str| {
            let column = format!("{named}.{column}");
            server.low_cardinality.iter().any(|pattern| pattern.matches(&column))
        };
        let wanted =
            SourceTable { columns: &shape.columns, key: &shape.key, low_cardinality: &low_cardinality };
        let plan = evolve(&self.present, &self.existing, wanted, shape.statement_seconds, &server.mapping)?;
        if let Some(refresh) = plan.refresh.first()
            && self.has_rows(server)?
        {
            let (column, reason) = (refresh.column.clone(), refresh.reason);
            return Err(TableError::Refresh { table: self.name.clone(), column, reason });
        }
        for step in &plan.steps {
            let what = format!("change column {} of {}", step.column, self.name);
            // Reads convert old parts as they go, so nobody waits for the mutation.
            let settings: &[(&str, &str)] =
                if step.kind == StepKind::Widen { &[("alter_sync", "0")] } else { &[] };
            server.run_with(&what, &step.statement, settings)?;
        }
        if !plan.steps.is_empty() {
            tracing::info!(table = self.name, statements = plan.steps.len(), "table changed");
            self.read_again(place)?;
        }
        self.present = plan.table;
        if !self.comment.has_applied(version) {
            self.comment.schema = Some(version);
            self.write_comment(server)?;
        }
        Ok(())
    }

    fn read_again(&mut self, place: &Place<'_>) -> Result<(), TableError> {
        if let Some(found) = place.find()? {
            self.existing = found.existing;
        }
        Ok(())
    }

    /// Versions come from elsewhere from now on.
    pub fn set_scheme(&mut self, server: &Server, scheme: VersionScheme) -> Result<(), TableError> {
        self.comment.scheme = scheme;
        self.write_comment(server)
    }

    fn write_comment(&mut self, server: &Server) -> Result<(), TableError> {
        let statement = self.present.modify_comment(&self.comment.to_json());
        Ok(server.run(&format!("comment on table {}", self.name), &statement)?)
    }

    /// How rows of a description are written. `schema`: of the record's value, if it came with one.
    pub fn layout(
        &self,
        place: &Place<'_>,
        shape: &Shape,
        schema: Option<&str>,
        at: impl Fn(crate::sink::record::envelope::RecordError) -> TableError,
    ) -> Result<Layout, TableError> {
        let definition = place.define(shape)?;
        let adoption = self
            .existing
            .adopt(&definition)
            .map_err(|differences| TableError::DoesNotFit { table: self.name.clone(), differences })?;
        let definition = adoption.apply(definition);
        let row = schema.map(row_schema).transpose().map_err(at)?;
        let form = RowForm {
            schema: row.as_ref(),
            handling: place.server.handling,
            dates: place.server.dates,
            placeholder: &place.server.placeholder,
        };
        let writer = RowWriter::new(&definition, Some(&self.existing), form)
            .map_err(|source| TableError::Type { table: self.name.clone(), source })?;
        let insert = InsertStatement::new(&definition.database, &definition.table, &writer.columns());
        let settings: &[_] = if self.inserts_materialized { &[MATERIALIZED] } else { &[] };
        Ok(Layout { writer, insert: Arc::new(insert), settings })
    }

    /// The table as it is written.
    pub const fn definition(&self) -> &TableDefinition {
        &self.present
    }

    /// Whether each change is a row of its own.
    pub fn is_append(&self) -> bool {
        self.present.identity == Identity::None
    }

    fn has_rows(&self, server: &Server) -> Result<bool, ClickHouseError> {
        let sql = format!("SELECT 1 FROM {} LIMIT 1", self.qualified());
        let rows: Vec<(u8,)> = server.client.rows(Query::new(&format!("read {}", self.name), &sql))?;
        Ok(!rows.is_empty())
    }

    fn qualified(&self) -> String {
        qualified(&self.present.database, &self.present.table)
    }

    /// The highest version in the table, and how many rows have it; none when it is empty.
    pub fn highest(&self, server: &Server) -> Result<Option<(Version, u64)>, ClickHouseError> {
        highest(server, &self.qualified(), &self.present.meta.version)
    }

    /// How many rows have a version.
    pub fn rows_of(&self, server: &Server, version: Version) -> Result<u64, ClickHouseError> {
        let of_version = quoted(&self.present.meta.version);
        let sql = format!("SELECT count() FROM {} WHERE {of_version} = {version}", self.qualified());
        let rows: Vec<(u64,)> =
            server.client.rows(Query::new(&format!("read versions of {}", self.name), &sql))?;
        Ok(rows.first().map_or(0, |&(count,)| count))
    }

    /// Deletes what is in the table up to a version, wherever it came from. Rows above it stay: other partitions may be ahead of
    /// the one that had the truncate.
    pub fn truncate(&self, server: &Server, version: Version) -> Result<(), ClickHouseError> {
        let of_version = quoted(&self.present.meta.version);
        let what = format!("truncate {}", self.name);
        let highest = self.highest(server)?;
        match highest {
            None => Ok(()),
            Some((highest, _)) if highest <= version => server.run(&what, &self.present.truncate()),
            Some(_) => {
                let statement =
                    format!("{} DELETE WHERE {of_version} <= {version}", self.present.alter_table());
                server.run_with(&what, &statement, &[("mutations_sync", "2")])
            }
        }
    }
}
