//! The layout that a row is written with: of the description that its record follows (`shapes`).

use std::time::{Duration, Instant};

use crate::sink::apply::applier::Applier;
use crate::sink::apply::catalog::{Description, in_force};
use crate::sink::apply::error::{ApplyError, TableError};
use crate::sink::apply::opening::Failure;
use crate::sink::apply::record::{RecordStore, SchemaRecord};
use crate::sink::apply::rows::Row;
use crate::sink::apply::shapes::{key_columns, names, read_alike, with_columns};
use crate::sink::apply::table::{OpenLayout, Table};
use crate::sink::apply::target::Place;
use crate::sink::record::envelope::{RecordError, row_schema};
use crate::sink::table::evolution::shape::{Shape, shape_of_record};
use crate::sink::version::VersionScheme;

/// Between two looks at the schema-change topic while a description is waited for.
const LOOK: Duration = Duration::from_millis(300);

impl Applier {
    /// The layout that a record is written with.
    pub(super) fn layout_for(
        &mut self,
        at: usize,
        row: Row<'_>,
        records: &mut dyn RecordStore,
    ) -> Result<usize, Failure> {
        let Some(table) = self.tables.get(at) else { return Ok(0) };
        let descriptions = self.catalog.descriptions(&table.source);
        let schema = row.change.schema;
        if table.scheme == VersionScheme::Sequence && !descriptions.is_empty() {
            let description = in_force(descriptions, row.version);
            self.check_broken(at, description)?;
            return match self.tables.get(at).and_then(|table| table.layout_of(description, schema)) {
                Some(layout) => Ok(layout),
                None => self.add_layout(at, description, None, row),
            };
        }
        if let Some(layout) = table.layout_of(None, schema) {
            return Ok(layout);
        }
        match schema {
            None => self.layout_by_columns(at, row, records),
            Some(schema) => self.layout_by_schema(at, schema, row, records),
        }
    }

    /// A row of a description that the table cannot follow, or of a later one.
    fn check_broken(&mut self, at: usize, description: Option<usize>) -> Result<(), Failure> {
        let Some(table) = self.tables.get_mut(at) else { return Ok(()) };
        match &mut table.broken {
            Some((from, error)) if description >= Some(*from) => {
                // It stops over the first such row.
                match error.take() {
                    Some(error) => Err(Failure::from(error)),
                    None => Err(TableError::NoTypes { table: table.name.clone() }.into()),
                }
            }
            _ => Ok(()),
        }
    }

    /// Without version and schema the columns tell the description; one that is not there yet is waited for.
    pub(super) fn layout_by_columns(
        &mut self,
        at: usize,
        row: Row<'_>,
        records: &mut dyn RecordStore,
    ) -> Result<usize, Failure> {
        let columns = names(row.image())
            .map_err(|source| self.of_record(at, row, RecordError::Json { part: "value", source }))?;
        let Some(table) = self.tables.get(at) else { return Ok(0) };
        let has_them = |open: &OpenLayout| {
            open.schema.is_none()
                && open.columns.len() == columns.len()
                && open.columns.iter().all(|column| columns.contains(column))
        };
        if let Some(known) = table.layouts.iter().position(has_them) {
            return Ok(known);
        }
        let Some(description) = self.wait_for_description(at, &columns, records)? else {
            let table = self.tables.get(at).map(|table| table.name.clone()).unwrap_or_default();
            return Err(TableError::NoTypes { table }.into());
        };
        let Some(table) = self.tables.get(at) else { return Ok(0) };
        let descriptions = self.catalog.descriptions(&table.source);
        if !read_alike(descriptions, description, self.server.handling) {
            return Err(TableError::AmbiguousTypes { table: table.name.clone() }.into());
        }
        let shape = descriptions.get(description).and_then(|known| known.shape.clone());
        self.check_broken(at, Some(description))?;
        self.add_layout(at, None, shape, row)
    }

    /// The newest description with these columns. A row may come before the schema change that is told in another topic.
    fn wait_for_description(
        &mut self,
        at: usize,
        columns: &[String],
        records: &mut dyn RecordStore,
    ) -> Result<Option<usize>, Failure> {
        let end = Instant::now() + self.config.schema_changes_wait;
        loop {
            let Some(table) = self.tables.get(at) else { return Ok(None) };
            let known = with_columns(self.catalog.descriptions(&table.source), columns);
            if known.is_some() || self.config.schema_changes_topic.is_none() || Instant::now() >= end {
                return Ok(known);
            }
            std::thread::sleep(LOOK);
            self.read_schema_changes(records).map_err(Failure::Attempt)?;
            self.follow(at, records).map_err(Failure::Attempt)?;
        }
    }

    /// The newest description with the columns of the record's schema; one that is not there yet is waited for.
    fn layout_by_schema(
        &mut self,
        at: usize,
        schema: &str,
        row: Row<'_>,
        records: &mut dyn RecordStore,
    ) -> Result<usize, Failure> {
        let of_row = row_schema(schema).map_err(|source| self.of_record(at, row, source))?;
        let columns: Vec<String> = of_row.fields.iter().map(|field| field.name.clone()).collect();
        if let Some(known) = self.wait_for_description(at, &columns, records)? {
            let Some(table) = self.tables.get(at) else { return Ok(0) };
            let shape =
                self.catalog.descriptions(&table.source).get(known).and_then(|known| known.shape.clone());
            self.check_broken(at, Some(known))?;
            return self.add_layout(at, None, shape, row);
        }
        let key = key_columns(row.key)
            .map_err(|source| self.of_record(at, row, RecordError::Json { part: "key", source }))?;
        self.drain(at, records).map_err(Failure::Attempt)?;
        let Applier { tables, server, config, catalog, .. } = &mut *self;
        let Some(Table { target: Some(target), source, layouts, .. }) = tables.get_mut(at) else {
            return Ok(0);
        };
        let place = Place::new(server, &config.tables, source);
        let shape =
            shape_of_record(&of_row, &key, target.definition(), row.seconds).map_err(TableError::from)?;
        // An older schema comes again after a restart; schemas are never compared backwards. One that the topic does not describe
        // yet is beyond its descriptions.
        let described = catalog.descriptions(source).last().map(|last| last.version);
        if described.is_some() || !target.comment.has_applied(row.version) {
            layouts.clear();
            target.follow(&place, &shape, described.unwrap_or(row.version))?;
        }
        self.add_layout(at, None, Some(shape), row)
    }

    /// Reads the schema-change topic to its end, and changes the tables.
    pub fn read_schema_changes(&mut self, records: &mut dyn RecordStore) -> Result<(), ApplyError> {
        self.restore_descriptions(records)?;
        let mut learned = Ok(());
        let mut learn = |record: SchemaRecord<'_>| {
            if learned.is_ok() {
                learned = self.learn(record);
            }
        };
        records.schema_changes(&mut learn).map_err(ApplyError::Records)?;
        learned?;
        self.keep_descriptions()
    }

    fn add_layout(
        &mut self,
        at: usize,
        description: Option<usize>,
        shape: Option<Shape>,
        row: Row<'_>,
    ) -> Result<usize, Failure> {
        let of_record = |source| self.of_record(at, row, source);
        let Some(Table { target: Some(target), source, name, .. }) = self.tables.get(at) else {
            return Ok(0);
        };
        let described = || {
            let known: &Description = self.catalog.descriptions(source).get(description?)?;
            known.shape.clone()
        };
        let Some(shape) = shape.or_else(described) else {
            return Err(TableError::NoTypes { table: name.clone() }.into());
        };
        let place = Place::new(&self.server, &self.config.tables, source);
        let layout = target.layout(&place, &shape, row.change.schema, of_record)?;
        let open = OpenLayout {
            description,
            schema: row.change.schema.map(str::to_owned),
            columns: shape.columns.into_iter().map(|column| column.name).collect(),
            layout,
            batch: None,
        };
        let Some(table) = self.tables.get_mut(at) else { return Ok(0) };
        table.layouts.push(open);
        Ok(table.layouts.len() - 1)
    }
}
