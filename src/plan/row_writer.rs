//! The walk over row images that makes records of them.

use std::ops::Range;
use std::sync::Arc;

use crate::connect::cell::ColumnValue;
use crate::connect::record::{Record, RecordBatch, RecordHeaders, Span};
use crate::converter::json::sink::JsonSink;
use crate::event::envelope::{AFTER, SOURCE, write_transaction};
use crate::event::headers::{NEW_KEY, OLD_KEY};
use crate::event::key_header::HeaderSink;
use crate::event::operation::Operation;
use crate::event::source_info::SourceEvent;
use crate::event::transaction::TransactionBlock;
use crate::offset::sequence::ChangeSequence;
use crate::offset::transaction_context::TransactionContext;
use crate::plan::error::PlanError;
use crate::plan::image::RowCells;
use crate::plan::image_plan::{ImagePlan, ImagePlans};
use crate::plan::row_plan::RowPlan;
use crate::plan::value_end::End;
use crate::wire::reader::Reader;

/// What the records of one row need besides its images.
pub struct RowContext<'a> {
    /// The source block of the event.
    pub source: &'a SourceEvent,
    /// The row's number in its event.
    pub row: i32,
    /// The connector's clock.
    pub now_nanos: i64,
    /// The running transaction, when its metadata is provided.
    pub transaction: Option<&'a mut TransactionContext>,
    /// Where the row's number in the change sequence comes from.
    pub sequence: RowSequence<'a>,
    /// Whether deletes are followed by a tombstone.
    pub tombstones: bool,
    /// Whether records carry the common headers.
    pub context_headers: bool,
}

/// The numbers of `tidewire.seq`.
pub enum RowSequence<'a> {
    /// Taken one by one; published when the flag says so.
    Running(&'a mut ChangeSequence, bool),
    /// The same for all rows of a snapshot.
    Fixed(Option<u64>),
}

impl RowSequence<'_> {
    fn take(&mut self, count: u64) -> Option<u64> {
        match self {
            RowSequence::Running(sequence, published) => {
                let first = sequence.take(count);
                published.then_some(first)
            }
            RowSequence::Fixed(number) => *number,
        }
    }
}

/// What a writer keeps in a buffer from row to row; more was needed by a huge row, whose memory is given back.
const KEPT: usize = 1 << 20;

/// Where the cells of the key stand in an image: the bytes of each, none for NULL.
type KeyCells = Vec<Option<Range<usize>>>;

/// Writes rows. Holds only memory that is used again.
#[derive(Debug, Default)]
pub struct RowWriter {
    before_key: KeyCells,
    after_key: KeyCells,
    scratch: Vec<u8>,
    rows: Vec<u8>,
    end: End,
}

impl RowWriter {
    /// Gives back what a huge row needed.
    pub fn give_back(&mut self) {
        for buffer in [&mut self.scratch, &mut self.rows] {
            if buffer.capacity() > KEPT {
                *buffer = Vec::new();
            }
        }
    }

    /// Writes an inserted row (`c`) or one that a snapshot read (`r`).
    pub fn insert(
        &mut self,
        plan: &RowPlan,
        operation: Operation,
        (cells, image): (&ImagePlan, &mut RowCells<'_>),
        mut context: RowContext<'_>,
        batch: &mut RecordBatch,
    ) -> Result<(), PlanError> {
        let start = batch.bytes.len();
        batch.bytes.extend_from_slice(&plan.value_open);
        batch.bytes.extend_from_slice(b"null");
        batch.bytes.extend_from_slice(AFTER);
        let bytes = image.peek();
        write_row(plan, cells, image, &mut self.after_key, &mut self.scratch, &mut batch.bytes)?;
        let sequence = context.sequence.take(1);
        let value = finish(plan, operation, &mut context, &mut self.end, start, batch)?;
        let key = write_key(plan, bytes, &self.after_key, &mut self.scratch, batch)?;
        push(plan, key, Some(value), None, &context, sequence, batch);
        Ok(())
    }

    /// Writes a deleted row and its tombstone.
    pub fn delete(
        &mut self,
        plan: &RowPlan,
        (cells, image): (&ImagePlan, &mut RowCells<'_>),
        mut context: RowContext<'_>,
        batch: &mut RecordBatch,
    ) -> Result<(), PlanError> {
        let start = batch.bytes.len();
        batch.bytes.extend_from_slice(&plan.value_open);
        let bytes = image.peek();
        write_row(plan, cells, image, &mut self.before_key, &mut self.scratch, &mut batch.bytes)?;
        batch.bytes.extend_from_slice(AFTER);
        batch.bytes.extend_from_slice(b"null");
        let sequence = context.sequence.take(1);
        let value = finish(plan, Operation::Delete, &mut context, &mut self.end, start, batch)?;
        let key = write_key(plan, bytes, &self.before_key, &mut self.scratch, batch)?;
        push(plan, key.clone(), Some(value), None, &context, sequence, batch);
        // A tombstone without a key would say nothing, and compacted topics refuse it.
        if context.tombstones && key.is_some() {
            push(plan, key, None, None, &context, sequence, batch);
        }
        Ok(())
    }

    /// Writes an updated row: `u`, or `d`, tombstone and `c` when the key changed. The image after stands behind the one
    /// before where no other place is given. What is behind the image after is given back.
    pub fn update<'a>(
        &mut self,
        plan: &RowPlan,
        images: &ImagePlans,
        (before, after): (Reader<'a>, Option<Reader<'a>>),
        mut context: RowContext<'_>,
        batch: &mut RecordBatch,
    ) -> Result<Reader<'a>, PlanError> {
        let start = batch.bytes.len();
        batch.bytes.extend_from_slice(&plan.value_open);
        let before_at = batch.bytes.len();
        let mut before = plan.binlog_image(&images.before, before)?;
        let before_bytes = before.peek();
        write_row(
            plan,
            &images.before,
            &mut before,
            &mut self.before_key,
            &mut self.scratch,
            &mut batch.bytes,
        )?;
        let before_end = batch.bytes.len();
        batch.bytes.extend_from_slice(AFTER);
        let after_at = batch.bytes.len();
        let mut after = plan.binlog_image(&images.after, after.unwrap_or(before.into_reader()))?;
        let after_bytes = after.peek();
        write_row(plan, &images.after, &mut after, &mut self.after_key, &mut self.scratch, &mut batch.bytes)?;
        let rest = after.into_reader();

        let same = self.before_key.iter().zip(&self.after_key).all(|(old, new)| match (old, new) {
            (Some(old), Some(new)) => before_bytes.get(old.clone()) == after_bytes.get(new.clone()),
            (None, None) => true,
            _ => false,
        });
        if same {
            let sequence = context.sequence.take(1);
            let value = finish(plan, Operation::Update, &mut context, &mut self.end, start, batch)?;
            let key = write_key(plan, after_bytes, &self.after_key, &mut self.scratch, batch)?;
            push(plan, key, Some(value), None, &context, sequence, batch);
            return Ok(rest);
        }

        self.rows.clear();
        self.rows.extend_from_slice(batch.bytes.get(before_at..before_end).unwrap_or_default());
        let split = self.rows.len();
        self.rows.extend_from_slice(batch.bytes.get(after_at..).unwrap_or_default());
        batch.bytes.truncate(start);
        let (row_before, row_after) = self.rows.split_at(split);

        let sequence = context.sequence.take(2);
        let old_key = write_key(plan, before_bytes, &self.before_key, &mut self.scratch, batch)?;
        let new_key = write_key(plan, after_bytes, &self.after_key, &mut self.scratch, batch)?;
        let old_shown = write_header_key(plan, before_bytes, &self.before_key, &mut self.scratch, batch)?;
        let new_shown = write_header_key(plan, after_bytes, &self.after_key, &mut self.scratch, batch)?;

        let start = batch.bytes.len();
        batch.bytes.extend_from_slice(&plan.value_open);
        batch.bytes.extend_from_slice(row_before);
        batch.bytes.extend_from_slice(AFTER);
        batch.bytes.extend_from_slice(b"null");
        let value = finish(plan, Operation::Delete, &mut context, &mut self.end, start, batch)?;
        let header = Some((NEW_KEY, new_shown));
        push(plan, old_key.clone(), Some(value), header.clone(), &context, sequence, batch);
        if context.tombstones {
            push(plan, old_key, None, header, &context, sequence, batch);
        }

        let start = batch.bytes.len();
        batch.bytes.extend_from_slice(&plan.value_open);
        batch.bytes.extend_from_slice(b"null");
        batch.bytes.extend_from_slice(AFTER);
        batch.bytes.extend_from_slice(row_after);
        let value = finish(plan, Operation::Create, &mut context, &mut self.end, start, batch)?;
        let header = Some((OLD_KEY, old_shown));
        let second =
            sequence.map(
                |number| if matches!(context.sequence, RowSequence::Fixed(_)) { number } else { number + 1 },
            );
        push(plan, new_key, Some(value), header, &context, second, batch);
        Ok(rest)
    }
}

/// Prints a row image as an object and notes where the cells of the key are.
#[inline]
fn write_row(
    plan: &RowPlan,
    cells: &ImagePlan,
    image: &mut RowCells<'_>,
    key_cells: &mut KeyCells,
    scratch: &mut Vec<u8>,
    out: &mut Vec<u8>,
) -> Result<(), PlanError> {
    key_cells.clear();
    key_cells.resize(plan.key.len(), None);
    let all = image.peek().len();
    out.push(b'{');
    for (index, column) in cells.cells.iter().enumerate() {
        let start = all - image.peek().len();
        let is_null = image.is_null(index);
        let direct = match &column.shown {
            Some(shown) if !is_null => shown.direct.write(image.reader(), &shown.open, out),
            _ => false,
        };
        if !direct {
            let value = image
                .read(index, &column.decoder)
                .map_err(|source| plan.cell_error(column.number, source))?;
            if let Some(shown) = &column.shown {
                shown.open.write(out);
                let mut sink = JsonSink::for_field(&shown.field, out);
                shown
                    .converter
                    .write(value, scratch, &mut sink)
                    .map_err(|source| plan.value_error(source))?;
            }
        }
        if let Some(slot) = column.key_slot
            && !is_null
            && let Some(cell) = key_cells.get_mut(usize::from(slot))
        {
            *cell = Some(start..all - image.peek().len());
        }
    }
    out.extend_from_slice(&cells.close);
    Ok(())
}

/// Prints the rest of a value and gives its place.
#[inline]
fn finish(
    plan: &RowPlan,
    operation: Operation,
    context: &mut RowContext<'_>,
    end: &mut End,
    start: usize,
    batch: &mut RecordBatch,
) -> Result<Span, PlanError> {
    batch.bytes.extend_from_slice(SOURCE);
    context.source.write_row(context.row, &mut batch.bytes);
    let block = context.transaction.as_mut().map(|transaction| {
        let (total_order, data_collection_order) = transaction.count(&plan.name);
        TransactionBlock { id: transaction.id(), total_order, data_collection_order }
    });
    write_transaction(block.as_ref(), &mut batch.bytes);
    end.write(operation, context.now_nanos, &mut batch.bytes);
    batch.bytes.extend_from_slice(plan.value_close);
    span(plan, start, batch.bytes.len())
}

/// Prints the key, from the cells that were noted.
#[inline]
fn write_key(
    plan: &RowPlan,
    image: &[u8],
    cells: &KeyCells,
    scratch: &mut Vec<u8>,
    batch: &mut RecordBatch,
) -> Result<Option<Span>, PlanError> {
    if plan.key.is_empty() {
        return Ok(None);
    }
    let start = batch.bytes.len();
    batch.bytes.extend_from_slice(&plan.key_open);
    batch.bytes.push(b'{');
    for (column, cell) in plan.key.iter().zip(cells) {
        if let Some(bytes) = cell.as_ref().and_then(|range| image.get(range.clone()))
            && column.shown.direct.write(&mut Reader::new(bytes), &column.shown.open, &mut batch.bytes)
        {
            continue;
        }
        column.shown.open.write(&mut batch.bytes);
        let value = key_value(plan, column.cell, image, cell)?;
        let mut sink = JsonSink::for_field(&column.shown.field, &mut batch.bytes);
        column.shown.converter.write(value, scratch, &mut sink).map_err(|source| plan.value_error(source))?;
    }
    batch.bytes.push(b'}');
    batch.bytes.extend_from_slice(plan.key_close);
    span(plan, start, batch.bytes.len()).map(Some)
}

/// Prints the key as a header shows it.
fn write_header_key(
    plan: &RowPlan,
    image: &[u8],
    cells: &KeyCells,
    scratch: &mut Vec<u8>,
    batch: &mut RecordBatch,
) -> Result<Span, PlanError> {
    let start = batch.bytes.len();
    batch.bytes.push(b'{');
    for (column, cell) in plan.key.iter().zip(cells) {
        column.shown.open.write(&mut batch.bytes);
        let value = key_value(plan, column.cell, image, cell)?;
        let mut sink = HeaderSink::for_field(&column.header, &mut batch.bytes);
        column.shown.converter.write(value, scratch, &mut sink).map_err(|source| plan.value_error(source))?;
    }
    batch.bytes.push(b'}');
    span(plan, start, batch.bytes.len())
}

#[inline]
fn key_value<'a>(
    plan: &RowPlan,
    column: usize,
    image: &'a [u8],
    cell: &Option<Range<usize>>,
) -> Result<ColumnValue<'a>, PlanError> {
    let bytes = cell.as_ref().and_then(|range| image.get(range.clone()));
    match (bytes, plan.full.cells.get(column)) {
        (Some(bytes), Some(cell_plan)) => {
            cell_plan.decoder.read(&mut Reader::new(bytes)).map_err(|source| plan.cell_error(column, source))
        }
        _ => Ok(ColumnValue::Null),
    }
}

fn push(
    plan: &RowPlan,
    key: Option<Span>,
    value: Option<Span>,
    key_change: Option<(&'static str, Span)>,
    context: &RowContext<'_>,
    sequence: Option<u64>,
    batch: &mut RecordBatch,
) {
    batch.records.push(Record {
        topic: Arc::clone(&plan.topic),
        partition: None,
        key,
        value,
        headers: RecordHeaders { key_change, context: context.context_headers, sequence },
    });
}

fn span(plan: &RowPlan, start: usize, end: usize) -> Result<Span, PlanError> {
    match (u32::try_from(start), u32::try_from(end)) {
        (Ok(start), Ok(end)) => Ok(start..end),
        _ => Err(PlanError::TooLarge { table: plan.name.to_string() }),
    }
}

/// Writes the `t` record of a truncated table: no key, no rows, no transaction.
pub fn write_truncate(
    plan: &RowPlan,
    mut context: RowContext<'_>,
    batch: &mut RecordBatch,
) -> Result<(), PlanError> {
    let start = batch.bytes.len();
    batch.bytes.extend_from_slice(&plan.value_open);
    batch.bytes.extend_from_slice(b"null");
    batch.bytes.extend_from_slice(AFTER);
    batch.bytes.extend_from_slice(b"null");
    let value = finish(plan, Operation::Truncate, &mut context, &mut End::default(), start, batch)?;
    let sequence = context.sequence.take(1);
    push(plan, None, Some(value), None, &context, sequence, batch);
    Ok(())
}
