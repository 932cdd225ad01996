//! QUERY events: BEGIN, COMMIT, statements that change a table, and everything else that a server logs as text.

use std::sync::Arc;

use crate::config::modes::FailureHandlingMode;
use crate::connect::record::RecordHeaders;
use crate::event::schema_change;
use crate::event::source_info::{SourceEvent, SourceInfo, SourcePosition};
use crate::offset::position::BinlogPosition;
use crate::plan::row_plan::RowPlan;
use crate::plan::row_writer::{RowContext, RowSequence, write_truncate};
use crate::schema::database_schema::Statement;
use crate::schema::ddl::DdlError;
use crate::schema::ddl::row_statement::RowStatement;
use crate::schema::history::record::HistoryRecord;
use crate::schema::schema_change::{SchemaChange, SchemaChangeKind};
use crate::schema::table_change::{TableChange, TableChangeType};
use crate::schema::table_id::TableId;
use crate::source::binlog::event_handler::{EventHandler, EventPlace};
use crate::source::binlog::statement_text::{logged_statement, statement_text};
use crate::source::binlog::xid::XaStatement;
use crate::source::error::SourceError;
use crate::wire::event::{EventHeader, QueryEvent};

impl EventHandler {
    pub(super) fn query(
        &mut self,
        header: &EventHeader,
        event: &QueryEvent<'_>,
        at: EventPlace,
    ) -> Result<(), SourceError> {
        let text = statement_text(event);
        let word = text.trim_start();
        if word.eq_ignore_ascii_case("BEGIN") {
            return self.begin(header, event.thread_id, at);
        }
        if word.eq_ignore_ascii_case("COMMIT") {
            return self.commit(header, at);
        }
        if let Some(statement) = XaStatement::parse(word) {
            return self.xa_statement(header, event.thread_id, statement, at);
        }
        if starts_with_word(word, "SAVEPOINT") || starts_with_word(word, "RELEASE") {
            return Ok(());
        }
        self.statement(header, event, &text, at)
    }

    fn statement(
        &mut self,
        header: &EventHeader,
        event: &QueryEvent<'_>,
        text: &str,
        at: EventPlace,
    ) -> Result<(), SourceError> {
        if self.was_applied(at) || self.is_passed_over(text) {
            self.end_of_statement(at);
            return Ok(());
        }
        if self.was_applied_in_transaction() {
            return self.number_again(event, text);
        }
        let database = String::from_utf8_lossy(event.database);
        let logged = logged_statement(event, text, &database, self.dispatcher.schema.options().flavor);
        if let Some(RowStatement { verb, table }) = self.dispatcher.schema.row_statement(&logged) {
            self.logged_as_statement(verb, table, at)?;
        }
        let changes = self.apply(event, text, at)?;
        let micros = self.transaction.source_micros(header);
        self.dispatcher.offset.observe(micros / 1_000_000, header.server_id);
        if !self.transaction.open {
            self.dispatcher.begin_statement(self.transaction.gtid, self.transaction.sequence_micros(header));
        }
        if changes.is_empty() {
            self.end_of_statement(at);
            return Ok(());
        }
        self.plans.clear();
        self.changes(header, &changes, micros, at)
    }

    /// Rows were changed and the log has the statement instead of the rows, as with `binlog_format` STATEMENT or MIXED.
    pub(super) fn logged_as_statement(
        &mut self,
        statement: &'static str,
        table: Option<TableId>,
        at: EventPlace,
    ) -> Result<(), SourceError> {
        if table.as_ref().is_some_and(|table| !self.dispatcher.filters.table_captured(table)) {
            return Ok(());
        }
        let table = table.map_or_else(|| "unknown tables".to_owned(), |table| format!("table {table}"));
        match self.dispatcher.config.events.processing_failure {
            FailureHandlingMode::Fail => {
                Err(SourceError::StatementFormat { position: self.position(at), statement, table })
            }
            FailureHandlingMode::Warn => {
                let what = format!("{statement}, {table}");
                self.warn_once(&what, "rows that were changed by a logged statement are passed over");
                Ok(())
            }
            FailureHandlingMode::Skip => Ok(()),
        }
    }

    /// Applies a statement to the schema, and no more.
    pub(super) fn follow_statement(
        &mut self,
        event: &QueryEvent<'_>,
        at: EventPlace,
    ) -> Result<(), SourceError> {
        let text = statement_text(event);
        self.apply(event, &text, at)?;
        Ok(())
    }

    fn apply(
        &mut self,
        event: &QueryEvent<'_>,
        text: &str,
        at: EventPlace,
    ) -> Result<Vec<SchemaChange>, SourceError> {
        let database = String::from_utf8_lossy(event.database);
        let statement = logged_statement(event, text, &database, self.dispatcher.schema.options().flavor);
        match self.dispatcher.schema.apply_ddl(&statement) {
            Ok(changes) => Ok(changes),
            Err(DdlError::UnknownColumn { table, .. }) if self.is_not_kept_up(&table) => {
                tracing::info!(%table, "what a table that is not captured looks like is no longer known");
                self.dispatcher.schema.remove(&table);
                Ok(Vec::new())
            }
            Err(source) if self.dispatcher.config.history.skip_unparseable => {
                let position = self.position(at);
                tracing::warn!(%position, error = %source, "a statement that cannot be understood is passed over");
                Ok(vec![SchemaChange::other(&database, text)])
            }
            Err(source) => Err(SourceError::Ddl { position: self.position(at), source }),
        }
    }

    /// Stores and publishes what a statement changed.
    fn changes(
        &mut self,
        header: &EventHeader,
        changes: &[SchemaChange],
        micros: i64,
        at: EventPlace,
    ) -> Result<(), SourceError> {
        let stored: Vec<&SchemaChange> = changes.iter().filter(|change| self.is_stored(change)).collect();
        if !stored.is_empty() {
            self.dispatcher.barrier()?;
        }
        if self.transaction.open {
            self.dispatcher.offset.record_made();
        } else {
            self.dispatcher.offset.statement_done(self.transaction.gtid, &self.log_file, at.end);
        }
        let now_ms = self.dispatcher.clock.now_nanos() / 1_000_000;
        if !stored.is_empty() {
            let position = self.dispatcher.offset.members();
            let records: Vec<HistoryRecord> = stored
                .iter()
                .map(|change| history_record(&self.dispatcher.config.topic_prefix, &position, change, now_ms))
                .collect();
            let statements = records.len();
            self.dispatcher.record_history(records)?;
            tracing::info!(statements, position = %self.position(at), "a schema change was applied");
        }
        let mut published = false;
        for change in changes.iter().filter(|change| self.is_published(change)).collect::<Vec<_>>() {
            published |= match &change.kind {
                SchemaChangeKind::TruncateTable(table) => self.truncate(header, table, micros, at)?,
                _ => self.publish_change(header, change, micros, at)?,
            };
        }
        // Not before the last one: the position of each of them is behind the whole statement. Without GTIDs a restart goes on there.
        if !self.transaction.open && self.dispatcher.offset.gtids().is_none() {
            self.dispatcher.sequence.settle();
        }
        self.dispatcher.hand_over_if_full()?;
        if published && !stored.is_empty() {
            self.dispatcher.barrier()?;
        }
        if !self.transaction.open {
            self.dispatcher.sequence.settle();
            if published { self.transaction.over() } else { self.end_of_statement(at) }
        }
        Ok(())
    }

    fn publish_change(
        &mut self,
        header: &EventHeader,
        change: &SchemaChange,
        micros: i64,
        at: EventPlace,
    ) -> Result<bool, SourceError> {
        let (events, numbered) = (&self.dispatcher.config.events, self.dispatcher.sequence.take(1));
        if !events.include_schema_changes {
            return Ok(false);
        }
        let headers = RecordHeaders {
            key_change: None,
            context: events.extended_headers,
            sequence: events.sequence_header.then_some(numbered),
        };
        let position = self.source_position(header, at, to_milliseconds(micros));
        let info = SourceInfo {
            name: &self.dispatcher.config.topic_prefix,
            database: &change.database,
            table: change.source_table.as_deref(),
            position: self.statement_position(position),
        };
        let now_ms = self.dispatcher.clock.now_nanos() / 1_000_000;
        let (database, ddl) = (&change.database, &change.ddl);
        let key = schema_change::key(database);
        let value = schema_change::value(info.to_value(), now_ms, database, ddl, &change.table_changes);
        let topic: Arc<str> = self.dispatcher.config.topic_prefix.as_str().into();
        let (key_schema, value_schema) = (schema_change::key_schema(), schema_change::value_schema());
        self.dispatcher.add_event(&topic, Some(0), Some((key_schema, &key)), (value_schema, &value), headers);
        Ok(true)
    }

    /// A statement's source block: no query, the number of the last row before it, and a thread only inside a
    /// transaction (`CREATE TABLE … START TRANSACTION`), whose BEGIN names it.
    fn statement_position<'a>(&self, position: SourcePosition<'a>) -> SourcePosition<'a> {
        let thread = if self.transaction.open { position.thread } else { None };
        SourcePosition { thread, query: None, row: self.last_row, ..position }
    }

    /// A truncated table gives a record of its own, if `skipped.operations` lets it.
    fn truncate(
        &mut self,
        header: &EventHeader,
        table: &TableId,
        micros: i64,
        at: EventPlace,
    ) -> Result<bool, SourceError> {
        let number = self.dispatcher.sequence.take(1);
        if self.dispatcher.config.events.skipped.truncate || !self.dispatcher.filters.table_captured(table) {
            return Ok(false);
        }
        let Some(definition) = self.dispatcher.schema.table(table).cloned() else { return Ok(false) };
        let dispatcher = &mut self.dispatcher;
        let plan = RowPlan::for_truncate(&definition, &dispatcher.config, &dispatcher.filters).map_err(
            |source| SourceError::Row {
                position: BinlogPosition::new(self.log_file.clone(), at.start),
                source,
            },
        )?;
        let position = self.source_position(header, at, to_milliseconds(micros));
        let mut source = SourceEvent::default();
        source.begin(&plan.source, &self.statement_position(position));
        let events = &self.dispatcher.config.events;
        let context = RowContext {
            source: &source,
            row: self.last_row,
            now_nanos: self.dispatcher.clock.now_nanos(),
            transaction: None,
            sequence: RowSequence::Fixed(events.sequence_header.then_some(number)),
            tombstones: false,
            context_headers: events.extended_headers,
        };
        let written = write_truncate(&plan, context, &mut self.dispatcher.batch);
        written.map_err(|source| SourceError::Row { position: self.position(at), source })?;
        self.dispatcher.offset.record_made();
        Ok(true)
    }

    /// A statement that left no record: the position moves by itself.
    fn end_of_statement(&mut self, at: EventPlace) {
        if self.transaction.open {
            return;
        }
        self.dispatcher.offset.statement_done(self.transaction.gtid, &self.log_file, at.end);
        self.dispatcher.settle();
        self.dispatcher.sequence.settle();
        self.dispatcher.moved_silently();
        self.transaction.over();
        self.resumed_transaction_is_over();
    }

    /// Whether a restart reads again a statement that was stored and published: its record's offset is the position
    /// behind it, but without its GTID, so that a server with GTIDs sends it once more.
    fn was_applied(&self, at: EventPlace) -> bool {
        let end = BinlogPosition::new(self.log_file.clone(), at.end);
        !self.transaction.open && self.applied_statement.as_ref() == Some(&end)
    }

    /// The same inside a transaction (`CREATE TABLE … START TRANSACTION`). Its record was stored with the count of the
    /// events before it.
    fn was_applied_in_transaction(&self) -> bool {
        let done = self.dispatcher.offset.events_done();
        let by_counts = self.skip_events > 0 && done <= self.skip_events;
        self.transaction.open && (by_counts || self.dispatcher.sequence.taken() < self.skip_numbers)
    }

    /// The record that was published has its number: the rows that follow keep theirs.
    fn number_again(&mut self, event: &QueryEvent<'_>, text: &str) -> Result<(), SourceError> {
        let database = String::from_utf8_lossy(event.database);
        if let Some(id) = self.dispatcher.schema.created_table(&Statement {
            text,
            database: &database,
            sql_mode: event.status.sql_mode.unwrap_or_default(),
            ..Statement::default()
        }) {
            let change = TableChange { kind: TableChangeType::Create, id, previous_id: None, table: None };
            let change = SchemaChange {
                kind: SchemaChangeKind::CreateTable,
                database: change.id.database.clone(),
                table_changes: vec![change],
                ..SchemaChange::other(&database, text)
            };
            if self.is_published(&change) {
                self.dispatcher.sequence.take(1);
            }
        }
        Ok(())
    }

    /// Whether `internal.schema.history.internal.ddl.filter` takes the statement away. TRUNCATE gives an event all the same.
    fn is_passed_over(&self, text: &str) -> bool {
        let text = text.trim();
        let passed_over = self.dispatcher.filters.passed_over().iter().any(|pattern| pattern.matches(text));
        passed_over && !starts_with_word(text, "TRUNCATE")
    }

    /// Whether a change gives a record.
    fn is_published(&self, change: &SchemaChange) -> bool {
        self.is_recorded(change) && !self.is_of_awaited_tables(change)
    }

    /// Whether a change is one of those that are published, by the history settings (`store.only.captured.…`) too.
    fn is_recorded(&self, change: &SchemaChange) -> bool {
        let history = &self.dispatcher.config.history;
        let filters = &self.dispatcher.filters;
        match &change.kind {
            SchemaChangeKind::SetVariable => return true,
            SchemaChangeKind::TruncateTable(table) => return filters.table_captured(table),
            _ => {}
        }
        if history.only_captured_databases && !filters.database_captured(&change.database) {
            return false;
        }
        if !history.only_captured_tables {
            return !change.database.is_empty() || change.table_changes.is_empty();
        }
        match &change.kind {
            SchemaChangeKind::CreateDatabase
            | SchemaChangeKind::DropDatabase
            | SchemaChangeKind::UseDatabase => filters.database_captured(&change.database),
            _ => change.table_changes.iter().any(|table| filters.table_captured(&table.id)),
        }
    }

    /// Whether a change goes into the history: what is published, and what is not but has to be known after a restart:
    /// the character set of a database, and where a captured table went.
    fn is_stored(&self, change: &SchemaChange) -> bool {
        let filters = &self.dispatcher.filters;
        match &change.kind {
            SchemaChangeKind::TruncateTable(_) => false,
            SchemaChangeKind::AlterDatabase if filters.database_captured(&change.database) => true,
            _ => {
                let mut previous = change.table_changes.iter().filter_map(|table| table.previous_id.as_ref());
                self.is_recorded(change) || previous.any(|id| filters.table_captured(id))
            }
        }
    }
}

/// Debezium's history record of a change.
pub fn history_record(
    prefix: &str,
    position: &serde_json::Map<String, serde_json::Value>,
    change: &SchemaChange,
    now_ms: i64,
) -> HistoryRecord {
    let mut source = serde_json::Map::new();
    source.insert("server".into(), prefix.into());
    HistoryRecord {
        source,
        position: position.clone(),
        ts_ms: Some(now_ms),
        database_name: Some(change.database.clone()),
        schema_name: None,
        ddl: Some(change.ddl.clone()),
        table_changes: change.table_changes.clone(),
    }
}

/// Schema changes and truncates carry their time cut to milliseconds.
fn to_milliseconds(micros: i64) -> i64 {
    micros.div_euclid(1_000).saturating_mul(1_000_000)
}

fn starts_with_word(text: &str, word: &str) -> bool {
    let Some(start) = text.get(..word.len()) else { return false };
    let next = text.as_bytes().get(word.len());
    start.eq_ignore_ascii_case(word) && next.is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
}
