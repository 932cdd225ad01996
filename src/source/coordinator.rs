//! Snapshot, then stream: what a start does with what is stored.
//!
//! What comes first is decided by `snapshot.mode` and by what is still there (`snapshot::snapshotter`): a snapshot, the
//! schema history, or the server's schema in its place.
//!
//! Before anything is read the server is judged: everything that would lose or garble changes is told at once.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::clock::Clock;
use crate::config::choice::Choice;
use crate::config::modes::{SnapshotLockingMode, SnapshotMode};
use crate::config::source::SourceConfig;
use crate::error::StorageError;
use crate::offset::captured_tables::{CaptureLists, CapturedTables};
use crate::offset::context::{OffsetContext, offset_key};
use crate::offset::error::OffsetError;
use crate::offset::gtid::{GtidSet, Tsid};
use crate::offset::position::BinlogPosition;
use crate::offset::sequence::ChangeSequence;
use crate::offset::unfinished::{StoredProgress, Unfinished};
use crate::schema::database_schema::{DatabaseSchema, Flavor, SchemaOptions};
use crate::schema::history::comparator::GtidFilter;
use crate::schema::history::recover::{RecoverOptions, Replay, UpTo, recover};
use crate::source::binlog::streaming::stream;
use crate::source::dispatcher::{EventDispatcher, History};
use crate::source::error::SourceError;
use crate::source::filters::Filters;
use crate::source::gtid_sources::GtidSources;
use crate::source::mysql::connection::Connection;
use crate::source::mysql::flavor::ServerVersion;
use crate::source::mysql::position::binary_logs;
use crate::source::mysql::prerequisites::{Facts, Finding, Needs, Severity, judge, lost_position};
use crate::source::mysql::replication::{ReplicaStatus, failover_findings};
use crate::source::pause::pause;
use crate::source::queue::QueueWriter;
use crate::source::snapshot;
use crate::source::snapshot::new_tables;
use crate::source::snapshot::schema_reader::{DatabaseDefaults, database_defaults};
use crate::source::snapshot::snapshotter::{Beginning, Decision, Refusal, State, decide};

/// What was stored of a connector.
#[derive(Clone, Debug, Default)]
pub struct Stored {
    /// Debezium's own offset.
    pub offset: Option<String>,
    /// The change sequence beside it.
    pub sequence: Option<String>,
    /// What was reached behind a position that stays at a prepared transaction (`offset::prepared`).
    pub reached: Option<String>,
    /// What is captured at that position, with the definitions of awaited tables.
    pub captured: Option<CapturedTables>,
}

/// What the server is needed for before it is known what a start does.
pub fn needs(config: &SourceConfig, offset: Option<&OffsetContext>) -> Needs {
    let goes_on = offset.filter(|offset| !offset.in_initial_snapshot());
    let state = State {
        has_position: goes_on.is_some(),
        snapshot_was_cut_off: offset.is_some() && goes_on.is_none(),
        position_is_available: true,
        history_exists: true,
    };
    let snapshot = match decide(config.snapshot.mode, config.snapshot.flags, state) {
        Ok(Decision { beginning: Beginning::Snapshot { rows }, .. }) => Some(rows),
        _ => None,
    };
    needs_of(config, goes_on, snapshot, &GtidSet::new())
}

/// What it is needed for by a snapshot, of rows or not, or by none. `begun` was published in part.
fn needs_of(
    config: &SourceConfig,
    goes_on: Option<&OffsetContext>,
    snapshot: Option<bool>,
    begun: &GtidSet,
) -> Needs {
    Needs {
        user: config.connection.user.clone(),
        snapshot_rows: snapshot == Some(true),
        snapshot_locks: snapshot.is_some() && config.snapshot.locking != SnapshotLockingMode::None,
        offset_file: goes_on.map(|offset| offset.position().file),
        offset_gtids: goes_on.and_then(|offset| offset.gtids()).map(|gtids| gtids.union(begun)),
    }
}

/// Runs a source connector until it is told to stop, until it has nothing more to do (`initial_only`), or until an error.
pub fn run(
    config: &Arc<SourceConfig>,
    stored: &Stored,
    mut history: History,
    queue: QueueWriter,
    stop: &AtomicBool,
) -> Result<(), SourceError> {
    let key = offset_key(&config.connector_name, &config.topic_prefix);
    let restored = match &stored.offset {
        Some(text) => Some(OffsetContext::from_stored(key.clone(), text)?),
        None => None,
    };
    let goes_on = restored.as_ref().filter(|offset| !offset.in_initial_snapshot());
    let mut progress =
        goes_on.map(|offset| StoredProgress::read(stored.sequence.as_deref(), offset)).unwrap_or_default();
    let begun = progress.begun();
    let sources = GtidSources::new(&config.filters)?;
    let mut connection = Connection::connect(&config.connection)?;
    let mut facts = Facts::read(&mut connection, &needs_of(config, goes_on, None, &begun))?;
    facts.replication = Some(ReplicaStatus::read(&mut connection)?);
    // What the server lacks of sources that are not captured.
    let lacking = facts.gtids.take();
    let not_captured =
        lacking.as_ref().map(|all| all.restrict(|tsid| !sources.take(tsid))).unwrap_or_default();
    facts.gtids = lacking.map(|all| all.restrict(|tsid| sources.take(tsid)));
    let lost = lost_position(&facts, &needs_of(config, goes_on, None, &begun));
    let state = State {
        has_position: goes_on.is_some(),
        snapshot_was_cut_off: restored.is_some() && goes_on.is_none(),
        position_is_available: lost.is_empty(),
        history_exists: goes_on.is_none() || history.exists().map_err(SourceError::History)?,
    };
    let decision = match decide(config.snapshot.mode, config.snapshot.flags, state) {
        Ok(decision) => decision,
        // The server's other faults are told along with it.
        Err(Refusal::PositionLost) => {
            check(judge(&facts, &needs_of(config, goes_on, None, &begun)))?;
            return Err(SourceError::Refused(Refusal::PositionLost));
        }
        Err(Refusal::HistoryLost) => return Err(history_missing(config)),
        Err(refusal) => return Err(SourceError::Refused(refusal)),
    };
    let snapshot = match decision.beginning {
        Beginning::Snapshot { rows } => Some(rows),
        _ => None,
    };
    for finding in lost.iter().filter(|_| snapshot.is_some() && config.snapshot.mode != SnapshotMode::Always)
    {
        tracing::warn!("{finding}: a new snapshot is taken");
    }
    let captured = stored.captured.as_ref();
    let new_tables = config.snapshot.new_tables
        && decision.stream
        && new_tables::may_be_new(captured, &CaptureLists::of(&config.filters));
    let read = snapshot.or(new_tables.then(|| new_tables::reads_rows(&config.snapshot)));
    check(judge(&facts, &needs_of(config, goes_on.filter(|_| snapshot.is_none()), read, &begun)))?;
    check(failover_findings(&facts))?;
    let databases = database_defaults(&mut connection)?;

    let gtids = facts.variables.gtid_mode_on();
    let from_stored = matches!(decision.beginning, Beginning::StoredPosition | Beginning::RecoveredSchema);
    let has_position = goes_on.is_some();
    let mut sequence = sequence(config, stored, has_position);
    let mut unfinished = Unfinished::on(facts.variables.server_uuid());
    let mut recovered_to = None;
    let offset = match restored {
        Some(offset) if from_stored => {
            // The history has it as it was stored.
            let as_stored = offset.members();
            let mut offset = offset.on_server(gtids);
            // A history that is made anew is written at the offset as it was stored.
            if decision.beginning == Beginning::StoredPosition {
                let progress = std::mem::take(&mut progress);
                unfinished = progress.resume(&mut offset, &mut sequence, facts.variables.server_uuid());
            }
            offset.take_for_done(&not_captured.purged);
            let offset = match (&stored.reached, &stored.offset) {
                (Some(beside), Some(text)) => offset.with_reached(beside, text)?,
                _ => offset,
            };
            // What is read before the position that was reached changes no table; those of prepared transactions are locked.
            recovered_to = Some(if offset.is_held() { offset.members() } else { as_stored });
            offset
        }
        _ if decision.beginning == Beginning::FirstBinlog => first_binlog(&mut connection, key, gtids)?,
        _ => OffsetContext::new(key, BinlogPosition::default(), gtids.then(GtidSet::default)),
    };
    drop(connection);
    let mut dispatcher = EventDispatcher::new(
        Arc::clone(config),
        Filters::new(&config.filters)?
            .with_snapshot_tables(config.snapshot.include_collections.as_deref())?
            .with_history(&config.history)?,
        DatabaseSchema::new(schema_options(&facts, config)),
        history,
        offset,
        sequence,
        queue,
    );
    dispatcher.unfinished = unfinished;
    if stored.reached.is_some() {
        dispatcher.has_stored_beside();
    }
    match captured {
        Some(captured) if !config.snapshot.new_tables => new_tables::forget(&mut dispatcher, captured)?,
        // A kill then leaves no position without the lists that it was reached with.
        _ if config.snapshot.new_tables && !has_position => new_tables::remember(&mut dispatcher, captured)?,
        _ => {}
    }
    match decision.beginning {
        Beginning::Snapshot { rows } => {
            snapshot::snapshot(&mut dispatcher, rows, stop)?;
            if config.snapshot.new_tables {
                new_tables::remember(&mut dispatcher, captured)?;
            }
            if decision.stream {
                pause(config.snapshot.streaming_delay, stop)?;
            }
        }
        Beginning::StoredPosition if decision.stream => {
            recover_schema(&mut dispatcher, &recovered_to.unwrap_or_default(), &sources)?;
            set_database_charsets(&mut dispatcher, &databases);
        }
        Beginning::StoredPosition => {}
        Beginning::RecoveredSchema => {
            snapshot::recover_schema(&mut dispatcher, stop)?;
            let (offset, sequence) = (&mut dispatcher.offset, &mut dispatcher.sequence);
            dispatcher.unfinished = progress.resume(offset, sequence, facts.variables.server_uuid());
        }
        Beginning::FirstBinlog => {
            dispatcher.history.initialize_storage().map_err(SourceError::History)?;
            set_database_charsets(&mut dispatcher, &databases);
        }
    }
    if decision.stream {
        if from_stored && config.snapshot.new_tables {
            new_tables::begin(&mut dispatcher, captured, stop)?;
        }
        return stream(dispatcher, sources, &not_captured.unknown, stop);
    }
    tracing::info!(
        server = config.topic_prefix.as_str(),
        mode = config.snapshot.mode.word(),
        "by snapshot.mode the binlog is not read: nothing is left to do"
    );
    Ok(())
}

/// A history of captured tables alone does not say what new tables of a database get. What the server says now is right
/// unless the rest of the log changes it, and then it says so.
fn set_database_charsets(dispatcher: &mut EventDispatcher, databases: &BTreeMap<String, DatabaseDefaults>) {
    for (database, defaults) in databases {
        if dispatcher.schema.database_charset(database).is_none() {
            dispatcher.schema.set_database_charset(database, &defaults.charset);
        }
    }
}

/// The beginning of all that the server has.
fn first_binlog(
    connection: &mut Connection,
    key: String,
    has_gtids: bool,
) -> Result<OffsetContext, SourceError> {
    let first = binary_logs(connection)?.into_iter().next().map(|log| log.name).unwrap_or_default();
    let gtids = match has_gtids {
        true => {
            // What is purged nobody can have.
            let purged = connection.query_value("SELECT @@GLOBAL.gtid_purged")?.unwrap_or_default();
            Some(purged.parse::<GtidSet>().map_err(|source| OffsetError::Gtids { source })?)
        }
        false => None,
    };
    Ok(OffsetContext::new(key, BinlogPosition::new(first, 4), gtids))
}

fn history_missing(config: &SourceConfig) -> SourceError {
    SourceError::HistoryMissing { history: config.history.store.to_string() }
}

/// Warnings are logged; errors end the start, all together.
fn check(findings: Vec<Finding>) -> Result<(), SourceError> {
    let mut errors = Vec::new();
    for finding in findings {
        match finding.severity {
            Severity::Error => errors.push(finding),
            Severity::Warning => tracing::warn!("{finding} ({})", finding.remedy),
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(SourceError::Prerequisites(errors)) }
}

/// The version as versioned comments count it.
fn version_number(version: &ServerVersion) -> u32 {
    let (major, minor, patch) = version.numbers;
    u32::from(major) * 10_000 + u32::from(minor) * 100 + u32::from(patch)
}

/// How the server reads statements.
pub fn schema_options(facts: &Facts, config: &SourceConfig) -> SchemaOptions {
    let version = &facts.version;
    SchemaOptions {
        flavor: if version.is_mariadb() { Flavor::MariaDb } else { Flavor::MySql },
        version: version_number(version),
        lower_case_table_names: facts.variables.lower_case_table_names(),
        server_charset: facts.variables.character_set_server().to_owned(),
        system_time_zone: facts.variables.system_time_zone().to_owned(),
        include_comments: config.events.include_schema_comments,
        explicit_defaults_for_timestamp: facts.variables.explicit_defaults_for_timestamp(),
    }
}

/// The change sequence goes on from what is stored; a new snapshot starts above it, at the present time.
fn sequence(config: &SourceConfig, stored: &Stored, goes_on: bool) -> ChangeSequence {
    let last = stored.sequence.as_deref().and_then(ChangeSequence::last_of);
    let now = ChangeSequence::starting_at(
        &config.connector_name,
        &config.topic_prefix,
        Clock::System.now_nanos() / 1_000,
    );
    match last {
        Some(last) if goes_on || last > now.last() => {
            ChangeSequence::from_last(&config.connector_name, &config.topic_prefix, last)
        }
        _ => now,
    }
}

/// Reads the schema history up to the position.
fn recover_schema(
    dispatcher: &mut EventDispatcher,
    up_to: &serde_json::Map<String, serde_json::Value>,
    sources: &GtidSources,
) -> Result<(), SourceError> {
    // It is there: this looks after its settings.
    dispatcher.history.initialize_storage().map_err(SourceError::History)?;
    let began = std::time::Instant::now();
    let prefix = dispatcher.config.topic_prefix.clone();
    let captured = |tsid: &Tsid| sources.take(tsid);
    let gtid_sources: Option<GtidFilter<'_>> = if sources.are_all() { None } else { Some(&captured) };
    let options = RecoverOptions {
        server: &prefix,
        up_to: UpTo::Offset { offset: up_to, gtid_sources },
        replay: Replay::of(&dispatcher.config.history, dispatcher.filters.passed_over()),
    };
    let recovered = recover(dispatcher.history.as_mut(), &mut dispatcher.schema, &options);
    let recovered = recovered.map_err(|error| SourceError::History(StorageError::new(error)))?;
    // A snapshot stores at least the server's character set.
    if recovered.applied == 0 {
        return Err(history_missing(&dispatcher.config));
    }
    dispatcher.stored = recovered.beyond;
    let elapsed_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    tracing::info!(
        server = prefix.as_str(),
        records = recovered.applied,
        tables = dispatcher.schema.tables().count(),
        elapsed_ms,
        "the schema history is recovered"
    );
    Ok(())
}
