//! TABLE_MAP and the rows events: which plan, which images, which records.

use std::sync::Arc;

use crate::config::modes::FailureHandlingMode;
use crate::event::operation::Operation;
use crate::plan::error::PlanError;
use crate::plan::row_plan::RowPlan;
use crate::plan::row_writer::{RowContext, RowSequence};
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
        let Some(table) = self.dispatcher.schema.table(id).cloned() else {
            let error = SourceError::UnknownTable { position: self.position(at), table: id.to_string() };
            return match self.dispatcher.config.events.inconsistent_schema {
                FailureHandlingMode::Fail => Err(error),
                FailureHandlingMode::Warn => {
                    tracing::warn!(table = %id, position = %self.position(at), "rows of an unknown table are passed over");
                    Ok(TablePlan::PassOver(pass_over(event).map_err(|source| self.event_error(at, source))?))
                }
                FailureHandlingMode::Skip => {
                    Ok(TablePlan::PassOver(pass_over(event).map_err(|source| self.event_error(at, source))?))
                }
            };
        };
        let plan = RowPlan::for_binlog(&table, event, &self.dispatcher.config, &self.dispatcher.filters)
            .map_err(|source| SourceError::Row { position: self.position(at), source })?;
        Ok(TablePlan::Publish(Arc::new(plan)))
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
        let images = if event.kind == RowsKind::Update { 2 } else { 1 };
        let skipped = self.dispatcher.config.events.skipped;
        let passed_over = published_before
            || match event.kind {
                RowsKind::Write => skipped.create,
                RowsKind::Update => skipped.update,
                RowsKind::Delete => skipped.delete,
            };
        let plan = match plan {
            TablePlan::PassOver(decoders) => {
                let rows = count_rows(event, &decoders).map_err(|source| self.event_error(at, source))?;
                self.dispatcher.sequence.take(rows);
                return Ok(());
            }
            TablePlan::Publish(plan) => plan,
        };
        let columns = plan.columns.len();
        if event.column_count != columns || !event.is_full() {
            let present = match event.kind {
                RowsKind::Write => event.columns_after.count_ones(),
                RowsKind::Delete => event.columns_before.count_ones(),
                RowsKind::Update => event.columns_before.count_ones().min(event.columns_after.count_ones()),
            };
            let source = PlanError::PartialImage { table: plan.name.to_string(), present, columns };
            return Err(SourceError::Row { position: self.position(at), source });
        }
        let skip_rows = if self.skip_events == done { self.skip_rows } else { 0 };
        self.begin_source(header, &plan, at);
        let mut reader = Reader::new(event.rows);
        let mut row: u64 = 0;
        while !reader.is_empty() {
            let result = if passed_over || row < skip_rows {
                self.pass_over_row(&plan, images, &mut reader)
            } else {
                self.publish_row(&plan, event.kind, row, &mut reader)
            };
            result.map_err(|source| SourceError::Row { position: self.position(at), source })?;
            row += 1;
            if !passed_over && row > skip_rows {
                self.dispatcher.offset.rows_done(row);
                self.dispatcher.offset.record_made();
                self.dispatcher.hand_over_if_full()?;
            }
        }
        if !passed_over && row > skip_rows {
            self.last_row = row_number(row - 1);
        }
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

    #[inline]
    fn publish_row(
        &mut self,
        plan: &RowPlan,
        kind: RowsKind,
        row: u64,
        reader: &mut Reader<'_>,
    ) -> Result<(), PlanError> {
        let dispatcher = &mut self.dispatcher;
        let events = &dispatcher.config.events;
        let context = RowContext {
            source: &self.source,
            row: row_number(row),
            now_nanos: self.now_nanos,
            transaction: dispatcher.offset.transaction(),
            sequence: RowSequence::Running(&mut dispatcher.sequence, events.sequence_header),
            tombstones: events.tombstones_on_delete,
            context_headers: events.extended_headers,
        };
        let batch = &mut dispatcher.batch;
        match kind {
            RowsKind::Write => {
                let mut image = plan.binlog_image(*reader)?;
                self.writer.insert(plan, Operation::Create, &mut image, context, batch)?;
                *reader = image.into_reader();
            }
            RowsKind::Update => self.writer.update(plan, reader, context, batch)?,
            RowsKind::Delete => {
                let mut image = plan.binlog_image(*reader)?;
                self.writer.delete(plan, &mut image, context, batch)?;
                *reader = image.into_reader();
            }
        }
        Ok(())
    }

    /// Reads over a row that is not published; the change sequence counts it as if it were.
    fn pass_over_row(
        &mut self,
        plan: &RowPlan,
        images: usize,
        reader: &mut Reader<'_>,
    ) -> Result<(), PlanError> {
        let numbers = plan.pass_over(images, reader)?;
        self.dispatcher.sequence.take(numbers);
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
    let mut cursor = event.cursor(decoders)?;
    let mut rows = 0;
    while cursor.has_next() {
        cursor.skip_row()?;
        rows += 1;
    }
    Ok(rows)
}
