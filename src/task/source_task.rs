//! One attempt of a source connector.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::config::source::SourceConfig;
use crate::config::worker::WorkerConfig;
use crate::event::headers::{context_headers, new_run_id};
use crate::file::shared_store::SharedFileStore;
use crate::kafka::lease::Holding;
use crate::offset::captured_tables::{CapturedTables, captured_key, definition_key};
use crate::offset::context::offset_key;
use crate::offset::prepared::prepared_key;
use crate::offset::sequence::ChangeSequence;
use crate::source::coordinator::{Stored, run};
use crate::source::error::SourceError;
use crate::source::queue::change_event_queue;
use crate::task::error::TaskError;
use crate::task::home::{Home, history};
use crate::task::publisher::publish;

/// What is captured at the stored position, with the definitions of awaited tables.
fn captured(home: &Home, config: &SourceConfig) -> Result<Option<CapturedTables>, TaskError> {
    let (connector, prefix) = (&config.connector_name, &config.topic_prefix);
    let key = captured_key(connector, prefix);
    let Some(text) = home.stored(&key)? else { return Ok(None) };
    let mut captured = CapturedTables::from_stored(&key, &text).map_err(SourceError::from)?;
    for table in captured.awaited.iter_mut().flat_map(|awaited| &mut awaited.tables) {
        table.definition = home.stored(&definition_key(connector, prefix, table))?;
    }
    Ok(Some(captured))
}

/// Runs until told to stop, until there is nothing more to do, or until an error. Publishes nothing without `lease`, if there is one.
pub fn attempt(
    config: &Arc<SourceConfig>,
    worker: &WorkerConfig,
    files: &SharedFileStore,
    lease: Option<&Holding>,
    stop: &Arc<AtomicBool>,
) -> Result<(), TaskError> {
    let mut home = Home::open(config, worker, files, lease, stop)?;
    home.set_context_headers(context_headers(&config.topic_prefix, new_run_id()));
    let sequence_key =
        ChangeSequence::from_last(&config.connector_name, &config.topic_prefix, 0).key().to_owned();
    let stored = Stored {
        offset: home.stored(&offset_key(&config.connector_name, &config.topic_prefix))?,
        sequence: home.stored(&sequence_key)?,
        reached: home.stored(&prepared_key(&config.connector_name, &config.topic_prefix))?,
        captured: captured(&home, config)?,
    };
    let history = history(config, lease, stop)?;
    let (writer, reader) = change_event_queue(&config.queue);
    std::thread::scope(|scope| {
        let publisher = std::thread::Builder::new()
            .name("publish".to_owned())
            .spawn_scoped(scope, move || {
                // The reader must be gone before the writer is waited for, else a full queue would hold it for ever.
                let result = publish(&reader, &mut home);
                drop(reader);
                result
            })
            .map_err(|_| TaskError::Panicked)?;
        let read = run(config, &stored, history, writer, stop);
        let published = publisher.join().map_err(|_| TaskError::Panicked)?;
        match (read, published) {
            (Err(SourceError::Queue(_)) | Ok(()), Err(error)) => Err(TaskError::Home(error)),
            (Err(SourceError::Stopped), _) => Ok(()),
            (Err(error), Err(home)) => {
                tracing::warn!(
                    error = crate::error::chain(&home),
                    "what was read could not all be published"
                );
                Err(error.into())
            }
            (Err(error), Ok(())) => Err(error.into()),
            (Ok(()), Ok(())) => Ok(()),
        }
    })
}
