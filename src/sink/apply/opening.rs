//! The first record of a table, and every new description of it.
//!
//! A table that is not there is made by the description that its first record follows, and then changed by the later ones, as
//! MySQL's was: so old rows get what MySQL gave them. One that is there has what its comment says. Which versions its rows
//! get stands in the comment, too; versions from elsewhere are let in only above all that the table has.

use crate::config::sink::SinkConfig;
use crate::sink::apply::applier::Applier;
use crate::sink::apply::catalog::{Description, SourceName, in_force};
use crate::sink::apply::error::{ApplyError, TableError};
use crate::sink::apply::ledger::Kind;
use crate::sink::apply::record::{Record, RecordStore};
use crate::sink::apply::shapes::{key_columns, shape_of_schema, with_columns};
use crate::sink::apply::table::Table;
use crate::sink::apply::target::{Place, Target};
use crate::sink::record::envelope::{RecordError, RecordKey, RowChange, row_schema};
use crate::sink::table::evolution::EvolutionError;
use crate::sink::table::evolution::shape::Shape;
use crate::sink::version::{TruncateFloor, Version, VersionScheme};

/// What the first record of a table says about it.
pub(super) struct FirstRecord<'a> {
    pub record: Record<'a>,
    /// `topic.prefix`.
    pub source: &'a str,
    pub change: Option<&'a RowChange<'a>>,
    pub key: Option<RecordKey<'a>>,
    pub seconds: u32,
}

/// A failure of one table, or of the attempt.
pub(super) enum Failure {
    Table(TableError),
    Attempt(ApplyError),
}

impl<E: Into<TableError>> From<E> for Failure {
    fn from(error: E) -> Self {
        match error.into().of_attempt() {
            Ok(error) => Failure::Attempt(error),
            Err(error) => Failure::Table(error),
        }
    }
}

impl Applier {
    /// The place of a table among those that are known; it is opened if it is new. One that cannot be opened is there, stopped.
    pub(super) fn add_table(
        &mut self,
        name: SourceName,
        first: &FirstRecord<'_>,
        records: &mut dyn RecordStore,
    ) -> Result<usize, ApplyError> {
        let target = Place::new(&self.server, &self.config.tables, &name).name();
        let mut table = Table::new(name, target, VersionScheme::Sequence, self.config.flush.interval);
        let opened = self.open_table(&mut table, first, records);
        let at = self.tables.len();
        self.tables.push(table);
        match opened {
            Ok(()) => {
                if let Some(table) = self.tables.get(at) {
                    self.report.opened(&table.name);
                }
                self.follow(at, records)?;
            }
            Err(Failure::Table(error)) => self.stop(at, &error),
            Err(Failure::Attempt(error)) => {
                self.tables.pop();
                return Err(error);
            }
        }
        Ok(at)
    }

    fn open_table(
        &mut self,
        table: &mut Table,
        first: &FirstRecord<'_>,
        records: &mut dyn RecordStore,
    ) -> Result<(), Failure> {
        let place = Place::new(&self.server, &self.config.tables, &table.source);
        let found = place.find().map_err(TableError::from)?;
        let comment = found.as_ref().and_then(|found| found.comment.clone());
        let stored = |kind| self.ledger.get(kind, &table.name)?.parse().ok().and_then(Version::new);
        table.floor = stored(Kind::Floor).map_or_else(TruncateFloor::default, TruncateFloor::at);
        table.swept = stored(Kind::Snapshot).unwrap_or(Version::ZERO);
        table.cleanup_floor = stored(Kind::Cleanup).unwrap_or(Version::ZERO);
        if found.is_none() {
            // Of a table that was dropped: a new one is swept like any other, and takes all rows.
            for (kind, known) in
                [(Kind::Snapshot, &mut table.swept), (Kind::Cleanup, &mut table.cleanup_floor)]
            {
                if *known != Version::ZERO {
                    *known = Version::ZERO;
                    self.ledger
                        .set(&self.server, kind, &table.name, known.get().to_string())
                        .map_err(TableError::from)?;
                }
            }
        }
        let stored = comment.as_ref().map(|comment| comment.scheme);
        table.scheme = match (first.record.headers.sequence, stored) {
            (_, Some(stored)) if self.is_retrying() => stored,
            (Some(_), _) => VersionScheme::Sequence,
            (None, stored) => {
                let present = match stored {
                    Some(VersionScheme::Offset(incarnation)) => Some(incarnation),
                    _ => None,
                };
                self.incarnation(&first.record.origin.topic, present, table, records)?
            }
        };
        if first.change.is_some() && first.key.is_none() {
            self.check_order(table, &first.record.origin.topic)?;
        }
        let version = first
            .record
            .version_by(table.scheme)
            .map_err(|source| TableError::Version { table: table.name.clone(), source })?;
        let descriptions = self.catalog.descriptions(&table.source);
        let applied = comment.as_ref().and_then(|comment| comment.schema);
        let at = match (applied, table.scheme) {
            (Some(applied), _) => in_force(descriptions, applied),
            (None, VersionScheme::Sequence) => in_force(descriptions, version),
            (None, VersionScheme::Offset(_)) => by_columns(descriptions, first)?,
        };
        let place = Place::new(&self.server, &self.config.tables, &table.source);
        let (shape, schema) = match at.and_then(|at| descriptions.get(at)) {
            Some(description) => {
                let dropped = || {
                    let statement = EvolutionError::Statement {
                        table: format!("{}.{}", table.source.0, table.source.1),
                        what: "it was dropped",
                    };
                    TableError::Evolution(description.breaks.clone().unwrap_or(statement))
                };
                (description.shape.clone().ok_or_else(dropped)?, description.version)
            }
            None => (first_shape(first, &table.name)?, version),
        };
        let scheme = table.scheme;
        let mut target = match found {
            None => place.create(&shape, first.source, scheme, Some(schema))?,
            Some(found) => place.take_over(found, &shape, first.source, scheme, Some(schema))?,
        };
        enter(&self.server, &mut target, scheme, version, comment.is_some())?;
        // Records that are beyond all descriptions have them behind them.
        table.followed = at.or_else(|| self.catalog.descriptions(&table.source).len().checked_sub(1));
        table.target = Some(target);
        Ok(())
    }

    /// Applies the descriptions that a table does not have yet. Rows of before are confirmed first.
    pub(super) fn follow(&mut self, at: usize, records: &mut dyn RecordStore) -> Result<(), ApplyError> {
        loop {
            let Some(table) = self.tables.get(at) else { return Ok(()) };
            if table.is_stopped || table.broken.is_some() || table.target.is_none() {
                return Ok(());
            }
            let next = table.followed.map_or(0, |followed| followed + 1);
            let Some(description) = self.catalog.descriptions(&table.source).get(next).cloned() else {
                return Ok(());
            };
            if let Some(error) = description.breaks {
                self.breaks(at, next, error.into());
                return Ok(());
            }
            let Some(shape) = description.shape else { return Ok(()) };
            self.drain(at, records)?;
            let Applier { tables, server, config, .. } = &mut *self;
            let Some(Table { target: Some(target), source, layouts, followed, .. }) = tables.get_mut(at)
            else {
                return Ok(());
            };
            let place = Place::new(server, &config.tables, source);
            let done = target.follow(&place, &shape, description.version);
            // Types may be others now.
            layouts.clear();
            match done.map_err(Failure::from) {
                Ok(()) => *followed = Some(next),
                Err(Failure::Attempt(error)) => return Err(error),
                Err(Failure::Table(error)) => self.breaks(at, next, error),
            }
        }
    }

    /// A description that a table cannot follow: it stops at the first row of it.
    pub(super) fn breaks(&mut self, at: usize, description: usize, error: TableError) {
        let Some(table) = self.tables.get_mut(at) else { return };
        tracing::warn!(
            connector = self.config.name,
            table = table.name,
            error = crate::error::chain(&error),
            "a schema change cannot be followed: the table stops at its next row"
        );
        table.broken = Some((description, Some(error)));
    }

    /// Makes the tables that have a description and no row yet.
    pub(super) fn make_empty_tables(&mut self, quiet: bool) -> Result<(), ApplyError> {
        let known = |name: &SourceName| self.tables.iter().any(|table| table.source == *name);
        let new: Vec<SourceName> = self.catalog.tables().filter(|name| !known(name)).cloned().collect();
        for name in new {
            if self.without_rows.contains(&name) {
                continue;
            }
            let descriptions = self.catalog.descriptions(&name);
            let Some(last) = descriptions.last() else { continue };
            let is_broken = descriptions.iter().any(|known| known.breaks.is_some());
            if !quiet && is_broken {
                continue;
            }
            if !last.sequenced || last.shape.is_none() || !self.is_read(&last.source, &name) {
                continue;
            }
            if let Err(error) = self.make_empty_table(&name) {
                match error {
                    Failure::Attempt(error) => return Err(error),
                    Failure::Table(error) => tracing::warn!(
                        connector = self.config.name,
                        error = crate::error::chain(&error),
                        "a table without rows is not made"
                    ),
                }
            }
            self.without_rows.insert(name);
        }
        Ok(())
    }

    fn make_empty_table(&self, name: &SourceName) -> Result<(), Failure> {
        let place = Place::new(&self.server, &self.config.tables, name);
        let descriptions = self.catalog.descriptions(name);
        let found = place.find().map_err(TableError::from)?;
        let applied = found.as_ref().and_then(|found| found.comment.as_ref()?.schema);
        let at = match (&found, applied) {
            (Some(_), Some(applied)) => in_force(descriptions, applied),
            // Somebody else's: its first row decides.
            (Some(_), None) => None,
            // A new table begins behind what the one before could not follow.
            (None, _) => {
                let begin = descriptions.iter().rposition(|known| known.breaks.is_some()).unwrap_or(0);
                (begin..descriptions.len())
                    .find(|at| descriptions.get(*at).is_some_and(|known| known.shape.is_some()))
            }
        };
        let Some(at) = at else { return Ok(()) };
        let Some(Description { shape: Some(shape), version, source, .. }) = descriptions.get(at) else {
            return Ok(());
        };
        let (scheme, schema) = (VersionScheme::Sequence, Some(*version));
        let mut target = match found {
            Some(found) => place.take_over(found, shape, source, scheme, schema)?,
            None => place.create(shape, source, scheme, schema)?,
        };
        for later in descriptions.iter().skip(at + 1) {
            if let Some(breaks) = &later.breaks {
                return Err(TableError::from(breaks.clone()).into());
            }
            if let Some(shape) = &later.shape {
                target.follow(&place, shape, later.version)?;
            }
        }
        Ok(())
    }

    /// Whether the topic of a table is one of the connector's, under the name that Debezium gives it.
    fn is_read(&self, source: &str, name: &SourceName) -> bool {
        let topic = format!("{source}.{}.{}", name.0, name.1);
        self.is_of_topics(&topic)
    }
}

/// A table whose versions come from elsewhere is entered only above all that it has.
fn enter(
    server: &crate::sink::apply::server::Server,
    target: &mut Target,
    scheme: VersionScheme,
    first: Version,
    is_ours: bool,
) -> Result<(), TableError> {
    let stored = is_ours.then_some(target.comment.scheme);
    if stored == Some(scheme) || target.is_new {
        return Ok(());
    }
    let highest = target.highest(server)?.map(|(version, _)| version);
    let named = |source| TableError::Version { table: target.name.clone(), source };
    scheme.may_follow(stored, highest, first).map_err(named)?;
    target.set_scheme(server, scheme)
}

/// The description that the first record follows by its columns.
fn by_columns(descriptions: &[Description], first: &FirstRecord<'_>) -> Result<Option<usize>, TableError> {
    let Some(row) = first.change.and_then(|change| change.after.or(change.before)) else {
        return Ok(descriptions.iter().rposition(|known| known.shape.is_some()));
    };
    let columns = crate::sink::apply::shapes::names(row)
        .map_err(|source| of_first(first, RecordError::Json { part: "value", source }))?;
    Ok(with_columns(descriptions, &columns))
}

/// Without a description the record's schema tells the columns.
fn first_shape(first: &FirstRecord<'_>, table: &str) -> Result<Shape, TableError> {
    let schema = first.change.and_then(|change| change.schema);
    let Some(schema) = schema else { return Err(TableError::NoTypes { table: table.to_owned() }) };
    let row = row_schema(schema).map_err(|source| of_first(first, source))?;
    let key = key_columns(first.key)
        .map_err(|source| of_first(first, RecordError::Json { part: "key", source }))?;
    shape_of_schema(&row, key, first.seconds)
        .map_err(|source| TableError::Evolution(EvolutionError::Column { table: table.to_owned(), source }))
}

fn of_first(first: &FirstRecord<'_>, source: RecordError) -> TableError {
    let Record { origin, offset, .. } = first.record;
    TableError::Record {
        table: origin.topic.to_string(),
        topic: origin.topic.to_string(),
        partition: origin.partition,
        offset,
        source,
    }
}

/// What a sink's configuration says of its topics.
pub(super) fn topic_pattern(config: &SinkConfig) -> Option<crate::config::pattern::JavaPattern> {
    match &config.topics {
        crate::config::sink::Topics::Named(_) => None,
        crate::config::sink::Topics::Matching(java) => {
            crate::config::pattern::JavaPattern::compile_with_case(java).ok()
        }
    }
}
