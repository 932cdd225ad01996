//! One table, one way to change it, one form of records: what is measured.

use tidewire::connect::record::RecordBatch;
use tidewire::event::operation::Operation;
use tidewire::event::source_info::{SnapshotMarker, SourceEvent, SourcePosition};
use tidewire::offset::sequence::ChangeSequence;
use tidewire::plan::image::RowCells;
use tidewire::plan::row_plan::RowPlan;
use tidewire::plan::row_writer::{RowContext, RowSequence, RowWriter};
use tidewire::source::filters::Filters;
use tidewire::wire::reader::Reader;
use tidewire::wire::rows::{RowsEvent, RowsKind};

use crate::Outcome;
use crate::fixture::{FILE, Recording, configuration};
use crate::measure::Measured;
use crate::packet;

/// A batch is handed over at so many records or bytes (`max.batch.size`, and the dispatcher's own bound).
const BATCH_RECORDS: usize = 2048;
const BATCH_BYTES: usize = 1 << 20;

enum Rows<'a> {
    Binlog(Vec<RowsEvent<'a>>),
    Snapshot(Vec<Vec<u8>>),
}

/// A row plan with its rows.
pub struct Case<'a> {
    /// Table, change and form.
    pub name: String,
    /// Rows of a pass.
    pub rows: usize,
    /// Batches that have been full so far.
    batches_filled: usize,
    plan: RowPlan,
    input: Rows<'a>,
    writer: RowWriter,
    batch: RecordBatch,
    source: SourceEvent,
    sequence: ChangeSequence,
}

impl<'a> Case<'a> {
    /// Those whose names are wanted.
    pub fn all(recording: &'a Recording, wanted: impl Fn(&str) -> bool) -> Outcome<Vec<Self>> {
        let mut cases = Vec::new();
        for schemas in [false, true] {
            for table in ["narrow", "bench", "wide"] {
                for kind in [Some(RowsKind::Write), Some(RowsKind::Update), Some(RowsKind::Delete), None] {
                    let change = match kind {
                        Some(RowsKind::Write) => "insert",
                        Some(RowsKind::Update) => "update",
                        Some(RowsKind::Delete) => "delete",
                        None => "snapshot",
                    };
                    let name = format!("{table} {change}{}", if schemas { " with schema" } else { "" });
                    if wanted(&name) {
                        cases.push(Case::new(recording, name, table, kind, schemas)?);
                    }
                }
            }
        }
        Ok(cases)
    }

    /// Without a kind: a snapshot of the inserted rows.
    fn new(
        recording: &'a Recording,
        name: String,
        table: &str,
        kind: Option<RowsKind>,
        schemas: bool,
    ) -> Outcome<Self> {
        let config = configuration(schemas)?;
        let filters = Filters::new(&config.filters)?;
        let rows = recording.rows("bench", table, kind.unwrap_or(RowsKind::Write))?;
        let (plan, input) = if kind.is_some() {
            let visible: Vec<usize> = (0..rows.table.columns.len()).collect();
            (
                RowPlan::for_binlog(&rows.table, &rows.map, &visible, &config, &filters)?,
                Rows::Binlog(rows.events),
            )
        } else {
            let columns = RowPlan::snapshot_columns(&rows.table, &filters);
            let definitions = packet::definitions(&rows)?;
            let plan = RowPlan::for_result_set(&rows.table, &columns, &definitions, &config, &filters)?;
            (plan, Rows::Snapshot(packet::packets(&rows)?))
        };
        let mut case = Case {
            name,
            rows: 0,
            batches_filled: 0,
            plan,
            input,
            writer: RowWriter::default(),
            batch: RecordBatch::default(),
            source: SourceEvent::default(),
            sequence: ChangeSequence::from_last("micro", "micro", 0),
        };
        case.rows = case.pass()?;
        Ok(case)
    }
}

impl Measured for Case<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn units(&self) -> usize {
        self.rows
    }

    fn is_steady(&self) -> bool {
        self.batches_filled >= 3
    }

    /// Converts all rows once, and says how many.
    fn pass(&mut self) -> Outcome<usize> {
        let mut rows = 0;
        match &self.input {
            Rows::Binlog(events) => {
                for event in events {
                    self.source.begin(&self.plan.source, &position());
                    let mut reader = Reader::new(event.rows);
                    let mut row = 0;
                    while !reader.is_empty() {
                        let context = RowContext {
                            source: &self.source,
                            row,
                            now_nanos: 1_795_984_446_671_048_123,
                            transaction: None,
                            sequence: RowSequence::Running(&mut self.sequence, true),
                            tombstones: true,
                            context_headers: true,
                        };
                        let batch = &mut self.batch;
                        match event.kind {
                            RowsKind::Write => {
                                let mut image = self.plan.binlog_image(&self.plan.full, reader)?;
                                self.writer.insert(
                                    &self.plan,
                                    Operation::Create,
                                    (&self.plan.full, &mut image),
                                    context,
                                    batch,
                                )?;
                                reader = image.into_reader();
                            }
                            RowsKind::Update => {
                                let images = &self.plan.full_images;
                                reader =
                                    self.writer.update(&self.plan, images, (reader, None), context, batch)?;
                            }
                            RowsKind::Delete => {
                                let mut image = self.plan.binlog_image(&self.plan.full, reader)?;
                                let image_and_plan = (&*self.plan.full, &mut image);
                                self.writer.delete(&self.plan, image_and_plan, context, batch)?;
                                reader = image.into_reader();
                            }
                        }
                        row += 1;
                        self.batches_filled += usize::from(empty_if_full(batch));
                    }
                    rows += usize::try_from(row)?;
                }
            }
            Rows::Snapshot(packets) => {
                let position =
                    SourcePosition { snapshot: SnapshotMarker::True, gtid: None, thread: None, ..position() };
                self.source.begin(&self.plan.source, &position);
                for packet in packets {
                    let context = RowContext {
                        source: &self.source,
                        row: 0,
                        now_nanos: 1_795_984_446_671_048_123,
                        transaction: None,
                        sequence: RowSequence::Fixed(Some(1)),
                        tombstones: false,
                        context_headers: true,
                    };
                    let mut image = RowCells::of_result_set(packet, self.plan.full.cells.len())?;
                    let image_and_plan = (&*self.plan.full, &mut image);
                    self.writer.insert(
                        &self.plan,
                        Operation::Read,
                        image_and_plan,
                        context,
                        &mut self.batch,
                    )?;
                    self.batches_filled += usize::from(empty_if_full(&mut self.batch));
                }
                rows += packets.len();
            }
        }
        Ok(rows)
    }

    /// The mean size of a row's records that are in the batch.
    fn bytes_per_unit(&self) -> f64 {
        // A deleted row makes two records, of which the tombstone has no value.
        let rows = self.batch.records.iter().filter(|record| record.value.is_some()).count();
        self.batch.bytes.len() as f64 / rows as f64
    }
}

fn empty_if_full(batch: &mut RecordBatch) -> bool {
    let full = batch.records.len() >= BATCH_RECORDS || batch.bytes.len() >= BATCH_BYTES;
    if full {
        batch.clear();
    }
    full
}

fn position() -> SourcePosition<'static> {
    SourcePosition {
        timestamp_nanos: 1_795_984_446_670_700_000,
        server_id: 1,
        gtid: Some("8f828cbf-ec2e-11f1-b6f4-02fc00000001:6"),
        file: FILE,
        pos: 2151,
        thread: Some(508),
        ..SourcePosition::default()
    }
}
