//! TABLE_MAP and the rows events: which plan, which images, which records.

use std::sync::Arc;

use crate::config::modes::FailureHandlingMode;
use crate::error::chain;
use crate::event::operation::Operation;
use crate::plan::error::PlanError;
use crate::plan::hidden_columns::visible_columns;
use crate::plan::image_plan::ImagePlans;
use crate::plan::row_plan::RowPlan;
use crate::plan::row_writer::{RowContext, RowSequence};
use crate::schema::table::Table;
use crate::schema::table_id::TableId;
use crate::source::binlog::event_handler::{EventHandler, EventPlace};
use crate::source::binlog::table_plans::TablePlan;
use crate::source::error::SourceError;
use crate::wire::cell::CellDecoder;
use crate::wire::error::WireError;
use crate::wire::event::{EventHeader, TableMapEvent};
use crate::wire::reader::Reader;
use crate::wire::rows::{RowsEvent, RowsKind};

impl EventHandler {
    pub(super) fn table_map(&mut self, event: &TableMapEvent<'_>, at: EventPlace) -> Result<(), SourceError> {
        if self.plans.knows(event.table_id, event.body()) {
            return Ok(());
        }
        let id = TableId::new(String::from_utf8_lossy(event.database), String::from_utf8_lossy(event.table));
        let plan = if self.dispatcher.filters.table_captured(&id) {
            self.plan(&id, event, at)?
        } else {
            TablePlan::PassOver(pass_over(event).map_err(|source| self.event_error(at, source))?)
        };
        self.plans.keep(event.table_id, event.body(), plan);
        Ok(())
    }

    fn plan(
        &mut self,
        id: &TableId,
        event: &TableMapEvent<'_>,
        at: EventPlace,
    ) -> Result<TablePlan, SourceError> {
        let passed_over = |handler: &Self| {
            pass_over(event).map(TablePlan::PassOver).map_err(|source| handler.event_error(at, source))
        };
        let known = self.xa.table(id).or_else(|| self.dispatcher.schema.table(id));
        let Some(table) = known.cloned() else {
            let position = self.position(at);
            self.inconsistent(id, SourceError::UnknownTable { position, table: id.to_string() })?;
            return passed_over(self);
        };
        self.dispatcher.publish_table(id);
        let known = table.columns.len();
        if event.column_count() > known {
            return Ok(TablePlan::Undecided(table));
        }
        let visible: Vec<usize> = (0..known).collect();
        let (config, filters) = (&self.dispatcher.config, &self.dispatcher.filters);
        let plan = RowPlan::for_binlog(&table, event, &visible, config, filters);
        match self.compiled(&table, plan, at)? {
            Some(plan) => Ok(TablePlan::Publish(plan)),
            None => passed_over(self),
        }
    }

    /// A compiled plan. None where the schema is another one and such rows are passed over.
    fn compiled(
        &mut self,
        table: &Table,
        plan: Result<RowPlan, PlanError>,
        at: EventPlace,
    ) -> Result<Option<Arc<RowPlan>>, SourceError> {
        let source = match plan {
            Ok(plan) => return Ok(Some(Arc::new(plan))),
            Err(source) => source,
        };
        let is_inconsistent = source.is_inconsistent_schema();
        let error = SourceError::Row { position: self.position(at), source };
        if !is_inconsistent {
            return Err(error);
        }
        self.inconsistent(&table.id, error)?;
        Ok(None)
    }

    /// The plan of a table with hidden columns, for the images of an event; kept when these have told all of them.
    /// None where the images fit no such table, and the event is passed over.
    fn decided(
        &mut self,
        table: &Table,
        event: &RowsEvent<'_>,
        at: EventPlace,
    ) -> Result<Option<Arc<RowPlan>>, SourceError> {
        let body = self.plans.body(event.table_id).unwrap_or_default();
        let map =
            TableMapEvent::of_body(event.table_id, body).map_err(|source| self.event_error(at, source))?;
        let decoders = pass_over(&map).map_err(|source| self.event_error(at, source))?;
        self.check_column_count(event, decoders.len(), at)?;
        let (visible, is_certain) = match visible_columns(table, event) {
            Ok(visible) => visible,
            Err(error) => {
                self.refuse_images(&table.id.to_string(), event, &decoders, error, at)?;
                return Ok(None);
            }
        };
        let (config, filters) = (&self.dispatcher.config, &self.dispatcher.filters);
        let plan = RowPlan::for_binlog(table, &map, &visible, config, filters);
        let Some(plan) = self.compiled(table, plan, at)? else {
            self.count_over(event, &decoders, at)?;
            return Ok(None);
        };
        if is_certain {
            self.plans.replace(event.table_id, TablePlan::Publish(Arc::clone(&plan)));
        }
        Ok(Some(plan))
    }

    /// What `inconsistent.schema.handling.mode` says of rows for which the schema is not known, or is another one.
    fn inconsistent(
        &mut self,
        table: &impl std::fmt::Display,
        error: SourceError,
    ) -> Result<(), SourceError> {
        match self.dispatcher.config.events.inconsistent_schema {
            FailureHandlingMode::Fail => return Err(error),
            FailureHandlingMode::Warn => self.warn_once(
                &format!("rows of table {table}"),
                &format!("rows are passed over: {}", chain(&error)),
            ),
            FailureHandlingMode::Skip => {}
        }
        Ok(())
    }

    pub(super) fn rows(
        &mut self,
        header: &EventHeader,
        event: &RowsEvent<'_>,
        at: EventPlace,
    ) -> Result<(), SourceError> {
        let Some(plan) = self.plans.get(event.table_id).cloned() else {
            // The last rows event of a statement may be an empty one for table 0xFFFFFF ("dummy").
            if event.rows.is_empty() {
                return Ok(());
            }
            return Err(SourceError::NoTableMap { position: self.position(at), table_id: event.table_id });
        };
        let done = self.dispatcher.offset.events_done();
        let published_before = self.skip_events > done;
        let skipped = self.dispatcher.config.events.skipped;
        let passed_over = published_before
            || self.is_of_other_source
            || match event.kind {
                RowsKind::Write => skipped.create,
                RowsKind::Update => skipped.update,
                RowsKind::Delete => skipped.delete,
            };
        let plan = match plan {
            TablePlan::PassOver(decoders) => {
                return self.count_over(event, &decoders, at);
            }
            TablePlan::Publish(plan) => plan,
            TablePlan::Undecided(table) => match self.decided(&table, event, at)? {
                Some(plan) => plan,
                None => return Ok(()),
            },
        };
        let Some(images) = self.images(event, &plan, at)? else { return Ok(()) };
        let skip_rows = if self.skip_events == done { self.skip_rows } else { 0 };
        self.begin_source(header, &plan, at);
        let mut reader = Reader::new(event.rows);
        let mut row: u64 = 0;
        while !reader.is_empty() {
            let done_before = self.dispatcher.sequence.taken() < self.skip_numbers;
            let is_published = !passed_over && row >= skip_rows && !done_before;
            self.row(event, (&plan, &images), is_published.then_some(row), &mut reader)
                .map_err(|source| SourceError::Row { position: self.position(at), source })?;
            row += 1;
            if done_before {
                // What is counted for Debezium is counted in this log.
                self.dispatcher.offset.rows_done(row);
                self.dispatcher.offset.record_made();
            }
            if is_published {
                self.dispatcher.offset.rows_done(row);
                self.dispatcher.offset.record_made();
                self.dispatcher.hand_over_if_full()?;
            }
        }
        self.writer.give_back();
        if !passed_over && row > skip_rows {
            self.last_row = row_number(self.xa.rows_before() + row - 1);
        }
        self.xa.rows_read(row);
        Ok(())
    }

    /// Rows have the columns that their table map announces.
    fn check_column_count(
        &self,
        event: &RowsEvent<'_>,
        expected: usize,
        at: EventPlace,
    ) -> Result<(), SourceError> {
        let found = event.column_count;
        if found == expected {
            return Ok(());
        }
        let source = WireError::ColumnCount { table_id: event.table_id, expected, found };
        Err(self.event_error(at, source))
    }

    /// The plans for an event's images. None where they lack something that nothing can stand for, and such events are
    /// passed over.
    fn images(
        &mut self,
        event: &RowsEvent<'_>,
        plan: &RowPlan,
        at: EventPlace,
    ) -> Result<Option<Arc<ImagePlans>>, SourceError> {
        self.check_column_count(event, plan.decoders.len(), at)?;
        if event.is_full() && event.column_count == plan.full.cells.len() {
            return Ok(Some(Arc::clone(&plan.full_images)));
        }
        match self.plans.image_plans(event, plan) {
            Ok(images) => Ok(Some(images)),
            Err(error) => {
                self.refuse_images(&plan.name, event, &plan.decoders, error, at)?;
                Ok(None)
            }
        }
    }

    /// Passes over an event whose images cannot be published, unless that is an error.
    fn refuse_images(
        &mut self,
        table: &str,
        event: &RowsEvent<'_>,
        decoders: &[CellDecoder],
        error: PlanError,
        at: EventPlace,
    ) -> Result<(), SourceError> {
        let is_inconsistent = error.is_inconsistent_schema();
        let error = SourceError::Row { position: self.position(at), source: error };
        match self.dispatcher.config.events.processing_failure {
            _ if is_inconsistent => self.inconsistent(&table, error)?,
            FailureHandlingMode::Fail => return Err(error),
            FailureHandlingMode::Warn => {
                let what = format!("row images of table {table}");
                self.warn_once(
                    &what,
                    "rows without all columns are passed over: binlog_row_image is MINIMAL",
                );
            }
            FailureHandlingMode::Skip => {}
        }
        self.count_over(event, decoders, at)
    }

    /// Passes over the rows of an event: only the change sequence counts them.
    fn count_over(
        &mut self,
        event: &RowsEvent<'_>,
        decoders: &[CellDecoder],
        at: EventPlace,
    ) -> Result<(), SourceError> {
        let rows = count_rows(event, decoders).map_err(|source| self.event_error(at, source))?;
        self.dispatcher.sequence.take(rows);
        self.xa.rows_read(rows);
        Ok(())
    }

    /// Prints what all rows of the event share.
    fn begin_source(&mut self, header: &EventHeader, plan: &RowPlan, at: EventPlace) {
        let micros = self.transaction.source_micros(header);
        self.dispatcher.offset.observe(micros / 1_000_000, header.server_id);
        let mut source = std::mem::take(&mut self.source);
        let position = self.source_position(header, at, micros.saturating_mul(1_000));
        source.begin(&plan.source, &position);
        self.source = source;
        self.now_nanos = self.dispatcher.clock.now_nanos();
    }

    /// Publishes the next row, or reads over it where it has no number; the change sequence counts it all the same.
    #[inline]
    fn row(
        &mut self,
        event: &RowsEvent<'_>,
        (plan, images): (&RowPlan, &ImagePlans),
        number: Option<u64>,
        reader: &mut Reader<'_>,
    ) -> Result<(), PlanError> {
        let (first, second) = if images.is_incomplete {
            let read = self.after_image.read(event, &plan.decoders, reader);
            let (before, after) = read.map_err(|source| plan.image_error(source))?;
            (before, Some(after))
        } else {
            (*reader, None)
        };
        let size = first.remaining();
        let dispatcher = &mut self.dispatcher;
        let Some(number) = number else {
            let (numbers, rest) = plan.pass_over(images, event.kind, (first, second))?;
            dispatcher.sequence.take(numbers);
            if !images.is_incomplete {
                reader.next_bytes(size - rest.remaining());
            }
            return Ok(());
        };
        let events = &dispatcher.config.events;
        let context = RowContext {
            source: &self.source,
            row: row_number(self.xa.rows_before() + number),
            now_nanos: self.now_nanos,
            transaction: dispatcher.offset.transaction(),
            sequence: RowSequence::Running(&mut dispatcher.sequence, events.sequence_header),
            tombstones: events.tombstones_on_delete,
            context_headers: events.extended_headers,
        };
        let batch = &mut dispatcher.batch;
        let rest = match event.kind {
            RowsKind::Write => {
                let mut image = plan.binlog_image(&images.after, first)?;
                self.writer.insert(plan, Operation::Create, (&images.after, &mut image), context, batch)?;
                image.into_reader()
            }
            RowsKind::Update => self.writer.update(plan, images, (first, second), context, batch)?,
            RowsKind::Delete => {
                let mut image = plan.binlog_image(&images.before, first)?;
                self.writer.delete(plan, (&images.before, &mut image), context, batch)?;
                image.into_reader()
            }
        };
        if !images.is_incomplete {
            reader.next_bytes(size - rest.remaining());
        }
        Ok(())
    }
}

/// A row's number in its event, from 0. An event holds at most 1 GiB, so that its rows can be counted in 31 bits.
fn row_number(row: u64) -> i32 {
    i32::try_from(row).unwrap_or(i32::MAX)
}

/// Decoders for a table whose values do not matter.
fn pass_over(event: &TableMapEvent<'_>) -> Result<Arc<[CellDecoder]>, WireError> {
    Ok(event.cell_decoders(|_| false)?.into())
}

/// Counts the rows of an event by walking over their images.
fn count_rows(event: &RowsEvent<'_>, decoders: &[CellDecoder]) -> Result<u64, WireError> {
    if event.rows.is_empty() {
        // `INSERT INTO t VALUES ()` with binlog_row_image=MINIMAL: images without any column have no bytes.
        return Ok(0);
    }
    let mut cursor = event.cursor(decoders)?;
    let mut rows = 0;
    while cursor.has_next() {
        cursor.skip_row()?;
        rows += 1;
    }
    Ok(rows)
}
