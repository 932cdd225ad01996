//! The record files: `<topic>.jsonl` in one folder, appended to through buffers.
//!
//! A thousand topics must not cost a thousand open files or big buffers, so lines wait in small buffers that are
//! written out together when they hold `BUFFERED` bytes in all, and only the files written last stay open. What is
//! written is not durable before `sync`; what is durable is not *covered* before an offset says so: `cover` marks the
//! lengths up to which the offsets of the last batch reach. Records behind a mark are cut when the home is dropped or
//! opened again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tracing::warn;

use crate::connect::record::{ContextHeaders, Record, RecordBatch};
use crate::file::error::FileHomeError;
use crate::file::lengths::Lengths;
use crate::file::record_line;
use crate::file::store::FileStore;

/// Bytes in all buffers at most, but for one line.
const BUFFERED: usize = 4 << 20;
/// Files open at most.
const OPEN: usize = 256;

/// The record files of one connector.
#[derive(Debug)]
pub struct RecordFiles {
    store: Arc<FileStore>,
    folder: PathBuf,
    places: HashMap<Arc<str>, usize>,
    files: Vec<RecordFile>,
    buffered: usize,
    open: usize,
}

#[derive(Debug)]
struct RecordFile {
    name: String,
    path: PathBuf,
    buffer: Vec<u8>,
    file: Option<File>,
    /// Bytes written.
    length: u64,
    /// Bytes that the offsets of the last batch with offsets reach.
    covered: u64,
    /// Written and not synced.
    dirty: bool,
}

impl RecordFiles {
    /// No file is touched yet.
    pub fn new(store: Arc<FileStore>, folder: PathBuf) -> Self {
        RecordFiles { store, folder, places: HashMap::new(), files: Vec::new(), buffered: 0, open: 0 }
    }

    /// Appends the records of a batch.
    pub fn append(&mut self, batch: &RecordBatch, context: &ContextHeaders) -> Result<(), FileHomeError> {
        self.prepare(batch)?;
        let mut last: Option<(&Arc<str>, usize)> = None;
        for record in &batch.records {
            let place = match last {
                Some((topic, place)) if Arc::ptr_eq(topic, &record.topic) => place,
                _ => self.places.get(&record.topic).copied().unwrap_or(usize::MAX),
            };
            last = Some((&record.topic, place));
            self.append_one(place, batch, record, context)?;
        }
        Ok(())
    }

    fn append_one(
        &mut self,
        place: usize,
        batch: &RecordBatch,
        record: &Record,
        context: &ContextHeaders,
    ) -> Result<(), FileHomeError> {
        // Every topic of the batch was prepared.
        let Some(file) = self.files.get_mut(place) else { return Ok(()) };
        let before = file.buffer.len();
        record_line::append(&mut file.buffer, batch, record, context);
        self.buffered += file.buffer.len() - before;
        if self.buffered > BUFFERED { self.write_out() } else { Ok(()) }
    }

    /// Lists the files of topics that were not seen before.
    fn prepare(&mut self, batch: &RecordBatch) -> Result<(), FileHomeError> {
        let mut fresh: Vec<Arc<str>> = Vec::new();
        let mut last: Option<&Arc<str>> = None;
        for record in &batch.records {
            let topic = &record.topic;
            if !last.is_some_and(|last| Arc::ptr_eq(last, topic))
                && !self.places.contains_key(topic)
                && !fresh.contains(topic)
            {
                if topic.is_empty() || topic.starts_with('.') || topic.contains(['/', '\\', '\0']) {
                    return Err(FileHomeError::TopicName { topic: topic.to_string() });
                }
                fresh.push(Arc::clone(topic));
            }
            last = Some(topic);
        }
        if fresh.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = fresh.iter().map(|topic| format!("{topic}.jsonl")).collect();
        self.store.list(names.iter().map(String::as_str))?;
        for (topic, name) in fresh.into_iter().zip(names) {
            let length = self.store.length(&name).unwrap_or(0);
            let path = self.folder.join(&name);
            cut(&path, length)?;
            self.places.insert(topic, self.files.len());
            self.files.push(RecordFile {
                path,
                name,
                buffer: Vec::new(),
                file: None,
                length,
                covered: length,
                dirty: false,
            });
        }
        Ok(())
    }

    /// Everything appended so far belongs to offsets that may be stored.
    pub fn cover(&mut self) {
        for file in &mut self.files {
            file.covered = file.length + file.buffer.len() as u64;
        }
    }

    /// Writes the buffers into the files, so that others see the records.
    pub fn write_out(&mut self) -> Result<(), FileHomeError> {
        if self.buffered == 0 {
            return Ok(());
        }
        if self.open > OPEN {
            self.close_all()?;
        }
        for file in self.files.iter_mut().filter(|file| !file.buffer.is_empty()) {
            self.open += usize::from(file.file.is_none());
            file.write_out()?;
        }
        self.buffered = 0;
        Ok(())
    }

    /// Syncs and closes every file.
    fn close_all(&mut self) -> Result<(), FileHomeError> {
        for file in &mut self.files {
            file.sync()?;
            file.file = None;
        }
        self.open = 0;
        Ok(())
    }

    /// Makes everything durable; gives the lengths that are covered and not yet stored.
    pub fn sync(&mut self) -> Result<Lengths, FileHomeError> {
        self.write_out()?;
        let mut lengths = Lengths::new();
        for file in &mut self.files {
            file.sync()?;
            if self.store.length(&file.name) != Some(file.covered) {
                lengths.insert(file.name.clone(), file.covered);
            }
        }
        Ok(lengths)
    }
}

impl RecordFile {
    fn open(&mut self) -> Result<&mut File, FileHomeError> {
        let file = match self.file.take() {
            Some(file) => file,
            None => OpenOptions::new()
                .append(true)
                .create(true)
                .open(&self.path)
                .map_err(FileHomeError::io("open", &self.path))?,
        };
        Ok(self.file.insert(file))
    }

    fn write_out(&mut self) -> Result<(), FileHomeError> {
        self.open()?;
        let Some(file) = &mut self.file else { return Ok(()) };
        if let Err(error) = file.write_all(&self.buffer) {
            // On a full disk a part may be there: the lines stay in the buffer and go out whole another time.
            let _ = file.set_len(self.length);
            return Err(FileHomeError::io("write", &self.path)(error));
        }
        self.length += self.buffer.len() as u64;
        self.dirty = true;
        self.buffer.clear();
        // A file that was busy once need not hold the memory for ever.
        self.buffer.shrink_to(BUFFERED / 64);
        Ok(())
    }

    fn sync(&mut self) -> Result<(), FileHomeError> {
        if self.dirty {
            let synced = self.open()?.sync_data();
            synced.map_err(FileHomeError::io("sync", &self.path))?;
            self.dirty = false;
        }
        Ok(())
    }
}

/// Removes what an earlier attempt left behind the stored length and could not remove itself.
fn cut(path: &Path, length: u64) -> Result<(), FileHomeError> {
    let file = OpenOptions::new().append(true).open(path).map_err(FileHomeError::io("open", path))?;
    let longer = file.metadata().map_err(FileHomeError::io("look at", path))?.len() > length;
    if longer { file.set_len(length).map_err(FileHomeError::io("cut", path)) } else { Ok(()) }
}

/// A task that failed starts again in the same process: what it wrote beyond the stored offsets goes away with it.
impl Drop for RecordFiles {
    fn drop(&mut self) {
        for file in &mut self.files {
            let Some(stored) = self.store.length(&file.name) else { continue };
            let Ok(open) = OpenOptions::new().append(true).open(&file.path) else { continue };
            let longer = open.metadata().is_ok_and(|metadata| metadata.len() > stored);
            if longer && let Err(error) = open.set_len(stored) {
                warn!(file = %file.path.display(), "records without a stored offset stay for now: {error}");
            }
        }
    }
}
