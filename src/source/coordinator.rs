//! Snapshot, then stream: what a start does with what is stored.
//!
//! | stored offset | schema history | what happens |
//! |---|---|---|
//! | none | – | a snapshot by `snapshot.mode`, then the stream |
//! | of a running initial snapshot | – | the same: a snapshot starts again from the beginning |
//! | a position | there | the schema is recovered up to the position, then the stream goes on from it |
//! | a position, with `initial_only` | – | nothing: the snapshot was all |
//! | a position | missing | an error: without it nobody knows what the columns were |
//!
//! Before anything is read the server is judged: everything that would lose or garble changes is told at once.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::clock::Clock;
use crate::config::modes::{SnapshotLockingMode, SnapshotMode};
use crate::config::source::SourceConfig;
use crate::error::StorageError;
use crate::offset::context::{OffsetContext, offset_key};
use crate::offset::gtid::GtidSet;
use crate::offset::position::BinlogPosition;
use crate::offset::sequence::ChangeSequence;
use crate::schema::database_schema::{DatabaseSchema, Flavor, SchemaOptions};
use crate::schema::history::recover::{RecoverOptions, Replay, UpTo, recover};
use crate::source::binlog::streaming::stream;
use crate::source::dispatcher::{EventDispatcher, History};
use crate::source::error::SourceError;
use crate::source::filters::Filters;
use crate::source::mysql::connection::Connection;
use crate::source::mysql::flavor::ServerVersion;
use crate::source::mysql::prerequisites::{Facts, Finding, Needs, Severity, judge};
use crate::source::pause::pause;
use crate::source::queue::QueueWriter;
use crate::source::snapshot::schema_reader::database_defaults;
use crate::source::snapshot::snapshot;

/// What was stored of a connector.
#[derive(Clone, Debug, Default)]
pub struct Stored {
    /// Debezium's own offset.
    pub offset: Option<String>,
    /// The change sequence beside it.
    pub sequence: Option<String>,
}

/// What the server is needed for, by configuration and offset.
pub fn needs(config: &SourceConfig, offset: Option<&OffsetContext>) -> Needs {
    let goes_on = offset.filter(|offset| !offset.in_initial_snapshot());
    Needs {
        user: config.connection.user.clone(),
        snapshot_rows: goes_on.is_none() && config.snapshot.mode != SnapshotMode::NoData,
        snapshot_locks: goes_on.is_none() && config.snapshot.locking != SnapshotLockingMode::None,
        offset_file: goes_on.map(|offset| offset.position().file),
        offset_gtids: goes_on.and_then(|offset| offset.gtids().map(ToString::to_string)),
    }
}

/// Runs a source connector until it is told to stop, until it has nothing more to do (`initial_only`), or until an error.
pub fn run(
    config: &Arc<SourceConfig>,
    stored: &Stored,
    history: History,
    queue: QueueWriter,
    stop: &AtomicBool,
) -> Result<(), SourceError> {
    let key = offset_key(&config.connector_name, &config.topic_prefix);
    let restored = match &stored.offset {
        Some(text) => Some(OffsetContext::from_stored(key.clone(), text)?),
        None => None,
    };
    let mut connection = Connection::connect(&config.connection)?;
    let facts = Facts::read(&mut connection, &needs(config, restored.as_ref()))?;
    check(judge(&facts, &needs(config, restored.as_ref())))?;
    let databases = database_defaults(&mut connection)?;
    drop(connection);

    let gtids = facts.variables.gtid_mode_on();
    let goes_on = restored.as_ref().is_some_and(|offset| !offset.in_initial_snapshot());
    let offset = match restored {
        Some(offset) if goes_on => offset.on_server(gtids),
        _ => OffsetContext::new(key, BinlogPosition::default(), gtids.then(GtidSet::default)),
    };
    let mut dispatcher = EventDispatcher::new(
        Arc::clone(config),
        Filters::new(&config.filters)?
            .with_snapshot_tables(config.snapshot.include_collections.as_deref())?
            .with_history(&config.history)?,
        DatabaseSchema::new(schema_options(&facts, config)),
        history,
        offset,
        sequence(config, stored, goes_on),
        queue,
    );
    let only_snapshot = config.snapshot.mode == SnapshotMode::InitialOnly;
    if goes_on && only_snapshot {
        tracing::info!(
            server = config.topic_prefix.as_str(),
            "the snapshot is done and snapshot.mode is initial_only: nothing is left to do"
        );
        return Ok(());
    }
    if goes_on {
        recover_schema(&mut dispatcher)?;
        // A history of captured tables alone does not say what new tables of a database get. What the server says now is
        // right unless the rest of the log changes it, and then it says so.
        for (database, defaults) in &databases {
            if dispatcher.schema.database_charset(database).is_none() {
                dispatcher.schema.set_database_charset(database, &defaults.charset);
            }
        }
    } else {
        snapshot(&mut dispatcher, stop)?;
        if only_snapshot {
            tracing::info!(
                server = config.topic_prefix.as_str(),
                "snapshot.mode is initial_only: nothing is left to do"
            );
            return Ok(());
        }
        pause(config.snapshot.streaming_delay, stop)?;
    }
    stream(dispatcher, stop)
}

/// Warnings are logged; errors end the start, all together.
fn check(findings: Vec<Finding>) -> Result<(), SourceError> {
    let mut errors = Vec::new();
    for finding in findings {
        let text = format!(
            "{}: expected {}, is {} ({})",
            finding.what, finding.expected, finding.actual, finding.remedy
        );
        match finding.severity {
            Severity::Error => errors.push(text),
            Severity::Warning => tracing::warn!("{text}"),
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
fn recover_schema(dispatcher: &mut EventDispatcher) -> Result<(), SourceError> {
    let missing = || SourceError::HistoryMissing { history: dispatcher.config.history.store.to_string() };
    if !dispatcher.history.exists().map_err(SourceError::History)? {
        return Err(missing());
    }
    // It is there: this looks after its settings.
    dispatcher.history.initialize_storage().map_err(SourceError::History)?;
    let began = std::time::Instant::now();
    let prefix = dispatcher.config.topic_prefix.clone();
    let options = RecoverOptions {
        server: &prefix,
        up_to: UpTo::Offset { offset: &dispatcher.offset.members(), gtid_sources: None },
        replay: Replay::of(&dispatcher.config.history, dispatcher.filters.passed_over()),
    };
    let recovered = recover(dispatcher.history.as_mut(), &mut dispatcher.schema, &options);
    let recovered = recovered.map_err(|error| SourceError::History(StorageError::new(error)))?;
    // A snapshot stores at least the server's character set.
    if recovered.applied == 0 {
        return Err(missing());
    }
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
