//! The home of records in files or on standard output.
//!
//! Into files every record comes exactly once: see `store`. Standard output cannot be cut back, so records behind the
//! last stored offset come again after a kill: at least once.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::connect::record::{ContextHeaders, RecordBatch, RecordHome, StoredOffset};
use crate::fail_point::fail_point;
use crate::file::error::FileHomeError;
use crate::file::lengths::Lengths;
use crate::file::record_files::RecordFiles;
use crate::file::standard_output::StandardOutput;
use crate::file::store::FileStore;

/// Records in files, one a topic, or on standard output; offsets in Kafka Connect's file.
#[derive(Debug)]
pub struct FileHome {
    store: Arc<FileStore>,
    output: Output,
    storable: Vec<StoredOffset>,
    interval: Duration,
    last_store: Instant,
    context: ContextHeaders,
}

#[derive(Debug)]
enum Output {
    Files(RecordFiles),
    Standard(StandardOutput),
}

impl FileHome {
    /// A home for one connector. Offsets are stored every `offset_flush_interval` (`offset.flush.interval.ms`).
    pub fn new(store: Arc<FileStore>, offset_flush_interval: Duration) -> Self {
        let output = match store.folder().map(Path::to_owned) {
            Some(folder) => Output::Files(RecordFiles::new(Arc::clone(&store), folder)),
            None => Output::Standard(StandardOutput::default()),
        };
        FileHome {
            store,
            output,
            storable: Vec::new(),
            interval: offset_flush_interval,
            last_store: Instant::now(),
            context: Arc::new([]),
        }
    }

    /// The headers of the run, which go on every record that asks for them.
    pub fn set_context_headers(&mut self, headers: ContextHeaders) {
        if let Output::Standard(output) = &mut self.output {
            output.set_context_headers(headers.clone());
        }
        self.context = headers;
    }

    fn store(&mut self) -> Result<(), FileHomeError> {
        let lengths = match &mut self.output {
            Output::Files(files) => files.sync()?,
            Output::Standard(output) => {
                output.flush()?;
                Lengths::new()
            }
        };
        fail_point("records-synced");
        self.last_store = Instant::now();
        if self.storable.is_empty() {
            return Ok(());
        }
        self.store.store(lengths, &self.storable)?;
        self.storable.clear();
        fail_point("offset-file-stored");
        Ok(())
    }

    fn store_when_due(&mut self) -> Result<(), FileHomeError> {
        if !self.storable.is_empty() && self.last_store.elapsed() >= self.interval {
            self.store()
        } else {
            Ok(())
        }
    }
}

impl RecordHome for FileHome {
    type Error = FileHomeError;

    fn publish(&mut self, batch: &RecordBatch) -> Result<(), FileHomeError> {
        match &mut self.output {
            Output::Files(files) => {
                files.append(batch, &self.context)?;
                if !batch.offsets.is_empty() {
                    files.cover();
                }
            }
            Output::Standard(output) => output.publish(batch)?,
        }
        for offset in &batch.offsets {
            self.storable.retain(|earlier| earlier.key != offset.key);
            self.storable.push(offset.clone());
        }
        self.store_when_due()
    }

    fn flush(&mut self) -> Result<(), FileHomeError> {
        self.store()
    }

    fn idle(&mut self) -> Result<(), FileHomeError> {
        match &mut self.output {
            Output::Files(files) => files.write_out()?,
            Output::Standard(output) => output.idle()?,
        }
        self.store_when_due()
    }
}
