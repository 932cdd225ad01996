//! One connection that reads rows: begins tables, cuts them, and publishes chunks through batches of its own.
//!
//! One row is always held back, since only the next one tells what it is (`markers`).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::clock::Clock;
use crate::config::source::SourceConfig;
use crate::offset::position::BinlogPosition;
use crate::plan::row_plan::RowPlan;
use crate::source::error::SourceError;
use crate::source::mysql::connection::Connection;
use crate::source::mysql::error::MySqlError;
use crate::source::mysql::error_codes::ER_LOCK_WAIT_TIMEOUT;
use crate::source::snapshot::captured_table::CapturedTable;
use crate::source::snapshot::chunks::{Boundary, TableCut};
use crate::source::snapshot::key_order::KeyOrder;
use crate::source::snapshot::markers::RowPlace;
use crate::source::snapshot::output::{HeldRow, Output};
use crate::source::snapshot::row_publisher::RowPublisher;
use crate::source::snapshot::work::{Chunk, Expected, Task, Work};

/// Rows between two looks at the clock and at the wish to stop.
const ROWS_A_LOOK: u64 = 64;
/// Where a reader's transaction goes back to when the tables that it has locked are done.
pub const SAVEPOINT: &str = "tidewire_view";

/// What all readers look at.
pub struct Shared<'a> {
    /// The connector's configuration.
    pub config: &'a SourceConfig,
    /// Processing times.
    pub clock: Clock,
    /// The position of the snapshot.
    pub position: BinlogPosition,
    /// The change sequence of all rows, if it is published.
    pub sequence: Option<u64>,
    /// How many readers there are.
    pub readers: usize,
    /// The tables, in order.
    pub tables: &'a [CapturedTable],
    /// What is left to do.
    pub work: Work,
    /// A session outside the view.
    pub control: Mutex<&'a mut Connection>,
    /// Where rows go.
    pub output: Mutex<Output<'a>>,
    /// The user wants an end.
    pub stop: &'a AtomicBool,
}

impl<'a> Shared<'a> {
    /// The output, for this reader alone.
    pub fn output(&self) -> MutexGuard<'_, Output<'a>> {
        // A reader that panicked ends the snapshot; what the others see until then does not matter.
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An error when it is in vain to go on.
    fn check_stop(&self) -> Result<(), SourceError> {
        let is_over = self.stop.load(Ordering::Relaxed) || self.work.is_given_up();
        if is_over { Err(SourceError::Stopped) } else { Ok(()) }
    }
}

/// One of the readers.
pub struct TableReader<'a, 's> {
    shared: &'a Shared<'s>,
    session: &'a mut Connection,
    /// The tables whose metadata lock this session may have.
    locked: Vec<usize>,
    /// Those that somebody waits to alter.
    avoided: Vec<usize>,
    publisher: RowPublisher,
}

impl<'a, 's> TableReader<'a, 's> {
    /// A reader with its view.
    pub fn new(shared: &'a Shared<'s>, session: &'a mut Connection) -> Self {
        let publisher = RowPublisher::new(shared.config.queue.max_batch_size);
        TableReader { shared, session, locked: Vec::new(), avoided: Vec::new(), publisher }
    }

    /// Works until nothing is left.
    pub fn run(&mut self) -> Result<(), SourceError> {
        loop {
            self.release_tables()?;
            match self.shared.work.next(&self.avoided) {
                Task::Begin(table) => self.begin(table)?,
                Task::Read(chunk) => self.read_or_give_back(chunk)?,
                Task::End => break,
            }
        }
        self.publisher.hand_over(&mut self.shared.output())
    }

    /// Ends the metadata locks of tables that are done, if all are.
    fn release_tables(&mut self) -> Result<(), SourceError> {
        if self.locked.is_empty() || !self.locked.iter().all(|table| self.shared.work.is_done(*table)) {
            return Ok(());
        }
        self.locked.clear();
        Ok(self.session.execute(&format!("ROLLBACK TO SAVEPOINT {SAVEPOINT}")).map(|_| ())?)
    }

    /// Takes a table over and gives its chunks out.
    fn begin(&mut self, number: usize) -> Result<(), SourceError> {
        let shared = self.shared;
        let Some(table) = shared.tables.get(number) else { return Ok(()) };
        self.locked.push(number);
        table.lock(self.session)?;
        let cut = table.begin(&mut shared.control.lock().unwrap_or_else(PoisonError::into_inner))?;
        let seconds = self
            .session
            .query_value("SELECT UNIX_TIMESTAMP()")?
            .and_then(|text| text.parse().ok())
            .unwrap_or(shared.clock.now_nanos() / 1_000_000_000);
        shared.output().progress.table_started(&table.id);
        let whole = Chunk {
            table: number,
            sql: String::new(),
            seconds,
            is_first: true,
            is_last: true,
            expected: None,
        };
        match cut {
            None => {
                let sql = table.select(self.session)?;
                shared.work.add(Chunk { sql, ..whole });
            }
            Some(cut) => self.cut(table, cut, &whole)?,
        }
        let finished = shared.work.all_cut(number);
        self.finish_table(number, table, finished)
    }

    /// Gives out the chunks of a table that is cut.
    fn cut(&mut self, table: &CapturedTable, cut: &TableCut, whole: &Chunk) -> Result<(), SourceError> {
        let mut from: Option<Boundary> = None;
        loop {
            self.shared.check_stop()?;
            let next = cut.next_boundary(self.session, from.as_ref());
            let to = next.map_err(|error| table.error(error))?;
            let is_last = to.is_none();
            self.shared.work.add(Chunk {
                sql: table.select_range(cut, from.as_ref(), to.as_ref()),
                is_first: from.is_none(),
                is_last,
                expected: Some(Expected {
                    key: cut.key().map(str::to_owned).collect(),
                    rows: (!is_last).then_some(cut.rows),
                }),
                ..whole.clone()
            });
            if is_last {
                return Ok(());
            }
            from = to;
        }
    }

    /// When all of a table is read, publishes the last rows that are not the last ones of all.
    fn finish_table(
        &mut self,
        number: usize,
        table: &CapturedTable,
        rows: Option<u64>,
    ) -> Result<(), SourceError> {
        let Some(rows) = rows else { return Ok(()) };
        let due = self.shared.output().table_finished((number, &table.id), rows);
        self.publisher.publish_all(due, self.shared)
    }

    /// Reads a chunk; one whose table somebody waits to alter is for the table's owner.
    fn read_or_give_back(&mut self, chunk: Chunk) -> Result<(), SourceError> {
        let Some(table) = self.shared.tables.get(chunk.table) else { return Ok(()) };
        if !self.locked.contains(&chunk.table) {
            match table.lock(self.session) {
                Err(SourceError::MySql(MySqlError::Server { code: ER_LOCK_WAIT_TIMEOUT, .. })) => {
                    tracing::info!(table = %table.id, "somebody waits to alter the table: one reader goes on alone");
                    self.avoided.push(chunk.table);
                    self.shared.work.give_back(chunk);
                    return Ok(());
                }
                other => other?,
            }
            self.locked.push(chunk.table);
        }
        let rows = self.read(table, &chunk)?;
        if self.shared.readers > 1 {
            // The table's last row, which another reader may publish, must find these before it.
            self.publisher.hand_over(&mut self.shared.output())?;
        }
        let finished = self.shared.work.finish(chunk.table, rows);
        self.finish_table(chunk.table, table, finished)
    }

    /// Reads and publishes a chunk; gives the number of its rows.
    fn read(&mut self, table: &CapturedTable, chunk: &Chunk) -> Result<u64, SourceError> {
        let shared = self.shared;
        let mut stream = self.session.prepare_and_stream(&chunk.sql).map_err(|error| table.error(error))?;
        let definitions: Vec<_> = stream
            .columns()
            .iter()
            .map(|column| (column.column_type, column.flags, column.charset))
            .collect();
        // The server names the columns as they were asked for; a statement of the user's own may select others.
        let columns: Vec<String> = stream.columns().iter().map(|column| column.name.clone()).collect();
        let plan = {
            let output = shared.output();
            let filters = &output.dispatcher.filters;
            RowPlan::for_result_set(&table.table, &columns, &definitions, shared.config, filters)
                .map_err(SourceError::SnapshotRow)?
        };
        let plan = Arc::new(plan);
        let mut order =
            chunk.expected.as_ref().and_then(|expected| key_order(&expected.key, &columns, &plan));
        let mut rows: u64 = 0;
        self.publisher.begin();
        loop {
            let packet = match stream.next_row() {
                Ok(Some(packet)) => packet,
                Ok(None) => break,
                Err(error) => return Err(table.error(error)),
            };
            if let Some(order) = &mut order
                && !order.follows(packet).map_err(|source| table.unreadable(source))?
            {
                return Err(table.out_of_order(chunk, rows));
            }
            let packet = self.publisher.copy(packet);
            if rows == 0 {
                let due = shared.output().first_row(chunk.table)?;
                self.publisher.publish_all(due, shared)?;
            } else if let Some(before) = self.publisher.held.take() {
                self.publisher.publish(before, shared)?;
            }
            let place = RowPlace {
                first: chunk.table == 0 && chunk.is_first && rows == 0,
                first_in_table: chunk.is_first && rows == 0,
                ..RowPlace::default()
            };
            self.publisher.held =
                Some(HeldRow { plan: Arc::clone(&plan), packet, seconds: chunk.seconds, place });
            rows += 1;
            if rows.is_multiple_of(ROWS_A_LOOK) {
                self.publisher.look_at_clock(shared.clock);
                shared.check_stop()?;
            }
        }
        drop(stream);
        if let Some(expected) = chunk.expected.as_ref().and_then(|expected| expected.rows)
            && expected != rows
        {
            return Err(table.out_of_order(chunk, rows));
        }
        if let Some(mut last) = self.publisher.held.take() {
            last.place.last_in_table = chunk.is_last;
            if chunk.is_last {
                shared.output().last_row(chunk.table, last);
            } else {
                self.publisher.publish(last, shared)?;
            }
        }
        Ok(rows)
    }
}

/// The key of a chunk, where all of it is selected.
fn key_order(key: &[String], columns: &[String], plan: &RowPlan) -> Option<KeyOrder> {
    let place = |name: &String| columns.iter().position(|column| column.eq_ignore_ascii_case(name));
    let places: Vec<usize> = key.iter().map(place).collect::<Option<_>>()?;
    Some(KeyOrder::new(columns.len(), places, plan.full.cells.iter().map(|cell| cell.decoder)))
}
