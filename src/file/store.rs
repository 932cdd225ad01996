//! The offsets of a worker in their file, and the record files that belong to them.
//!
//! To store offsets, in this order: (1) the records are synced, (2) the file of lengths is replaced by one with the
//! state before and the state after, (3) the offset file is replaced. To open: the offset file is read, its state is
//! looked up among the lengths, and every record file is cut back to its length.
//!
//! | killed | offset file | states beside it | at the next start |
//! |---|---|---|---|
//! | before anything was stored | none or old | old | records are cut to the old lengths and come again |
//! | during or after 1 | old | old | the same |
//! | during 2 | old | old, or old and new | the same: the old offsets pick the old lengths |
//! | between 2 and 3 | old | old and new | the same |
//! | after 3 | new | old and new | the records up to the new lengths stay, those behind are cut |
//! | disk full at any of them | old | as above | as above; nothing half written is left |
//!
//! A file is replaced by writing another, syncing it, renaming it and syncing the folder, so it is always one or the
//! other, also after a power failure. A record file is listed with its length before the first record goes into it: a
//! file that is not listed is never cut. So every record is in the files exactly once. When the offset file was changed
//! by somebody else (moved away, or brought from Kafka Connect), its lengths are unknown and nothing is cut.
//!
//! One store serves all connectors of a worker, as Kafka Connect's standalone worker has one offset file; a lock keeps
//! a second process out.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tracing::warn;

use crate::config::worker::FileConfig;
use crate::connect::record::StoredOffset;
use crate::fail_point::fail_point;
use crate::file::durable::{beside, create_folder_of, replace, sync_folder_of};
use crate::file::error::FileHomeError;
use crate::file::java_map::{self, Entry, Malformed};
use crate::file::lengths::{Lengths, State, States, identity};
use crate::offset::backing_store::OffsetBackingStore;

/// The offset file with its lengths.
#[derive(Debug)]
pub struct FileStore {
    folder: Option<PathBuf>,
    offset_file: PathBuf,
    /// Held until the process ends.
    _lock: File,
    stored: Mutex<Stored>,
}

/// What is durable.
#[derive(Clone, Debug, Default)]
struct Stored {
    entries: Vec<Entry>,
    identity: Option<String>,
    lengths: Lengths,
}

impl FileStore {
    /// Reads the offsets and cuts the record files back to what belongs to them. Folders are created.
    pub fn open(config: &FileConfig) -> Result<Arc<Self>, FileHomeError> {
        create_folder_of(&config.offset_file)?;
        let lock = lock(&config.offset_file)?;
        let bytes = read_if_there(&config.offset_file)?;
        let mut stored = Stored::default();
        if let Some(bytes) = &bytes {
            stored.identity = Some(identity(bytes));
            // Kafka Connect, too, takes an empty file for no offsets.
            if !bytes.is_empty() {
                stored.entries = java_map::read(bytes).map_err(|Malformed { problem, at }| {
                    FileHomeError::OffsetFile { path: config.offset_file.clone(), problem, at }
                })?;
            }
        }
        if let Some(folder) = &config.folder {
            fs::create_dir_all(folder).map_err(FileHomeError::io("create", folder))?;
            stored.lengths = cut_back(folder, &config.offset_file, stored.identity.as_deref())?;
        }
        let store = FileStore {
            folder: config.folder.clone(),
            offset_file: config.offset_file.clone(),
            _lock: lock,
            stored: Mutex::new(stored),
        };
        store.write_lengths(&States::of(store.stored().state()))?;
        Ok(Arc::new(store))
    }

    /// The offset of a key as the file has it now, whoever writes it: nothing is locked, made or cut.
    pub fn peek(config: &FileConfig, key: &str) -> Result<Option<String>, FileHomeError> {
        let path = &config.offset_file;
        let Some(bytes) = read_if_there(path)?.filter(|bytes| !bytes.is_empty()) else { return Ok(None) };
        let entries = java_map::read(&bytes).map_err(|Malformed { problem, at }| {
            FileHomeError::OffsetFile { path: path.clone(), problem, at }
        })?;
        let found = entries.into_iter().find(|(own, _)| own == key.as_bytes());
        Ok(found.and_then(|(_, value)| value).map(|value| String::from_utf8_lossy(&value).into_owned()))
    }

    /// The folder of the record files; none for standard output.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    fn stored(&self) -> MutexGuard<'_, Stored> {
        self.stored.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_lengths(&self, states: &States) -> Result<(), FileHomeError> {
        if self.folder.is_none() {
            return Ok(());
        }
        let path = beside(&self.offset_file, ".lengths");
        let text = serde_json::to_vec(states)
            .map_err(|source| FileHomeError::Lengths { path: path.clone(), source })?;
        replace(&path, &text)
    }

    /// The durable length of a record file, bytes; `None` when it is not listed.
    pub fn length(&self, name: &str) -> Option<u64> {
        self.stored().lengths.get(name).copied()
    }

    /// Makes record files that are to be written for the first time, or takes over what is there, and lists them.
    pub fn list<'a>(&self, names: impl Iterator<Item = &'a str>) -> Result<(), FileHomeError> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let mut stored = self.stored();
        let mut next = stored.clone();
        for name in names.filter(|name| !stored.lengths.contains_key(*name)) {
            let path = folder.join(name);
            let length = OpenOptions::new()
                .append(true)
                .create(true)
                .open(&path)
                .and_then(|file| file.metadata())
                .map_err(FileHomeError::io("create", &path))?
                .len();
            sync_folder_of(&path)?;
            next.lengths.insert(name.to_owned(), length);
        }
        if next.lengths.len() > stored.lengths.len() {
            self.write_lengths(&States::of(next.state()))?;
            *stored = next;
        }
        Ok(())
    }

    /// Stores offsets with the lengths of the record files that they cover. These are already synced.
    pub fn store(&self, lengths: Lengths, offsets: &[StoredOffset]) -> Result<(), FileHomeError> {
        let mut stored = self.stored();
        let mut next = stored.clone();
        next.lengths.extend(lengths);
        for offset in offsets {
            next.entries.retain(|(key, _)| key != offset.key.as_bytes());
            if let Some(value) = &offset.value {
                next.entries.push((offset.key.clone().into_bytes(), Some(value.clone().into_bytes())));
            }
        }
        let bytes = java_map::write(&next.entries);
        next.identity = Some(identity(&bytes));
        self.write_lengths(&States::changing(stored.state(), next.state()))?;
        fail_point("lengths-stored");
        let replaced = replace(&self.offset_file, &bytes);
        if replaced.is_err()
            && read_if_there(&self.offset_file).is_ok_and(|there| there.as_deref() != Some(&bytes))
        {
            return replaced;
        }
        // In place; or perhaps in place and not surely durable, and then the longer files are the safe belief.
        *stored = next;
        replaced
    }
}

impl Stored {
    fn state(&self) -> State {
        State { offsets: self.identity.clone(), lengths: self.lengths.clone() }
    }
}

impl OffsetBackingStore for Arc<FileStore> {
    type Error = FileHomeError;

    fn get(&self, key: &str) -> Result<Option<String>, FileHomeError> {
        let stored = self.stored();
        let found = stored.entries.iter().find(|(own, _)| own == key.as_bytes());
        Ok(found
            .and_then(|(_, value)| value.as_ref())
            .map(|value| String::from_utf8_lossy(value).into_owned()))
    }
}

/// Keeps other processes away from an offset file.
fn lock(offset_file: &Path) -> Result<File, FileHomeError> {
    let path = beside(offset_file, ".lock");
    let file =
        OpenOptions::new().append(true).create(true).open(&path).map_err(FileHomeError::io("open", &path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(FileHomeError::InUse { path }),
        Err(TryLockError::Error(source)) => Err(FileHomeError::Io { action: "lock", path, source }),
    }
}

fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, FileHomeError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FileHomeError::io("read", path)(error)),
    }
}

/// Cuts the record files to the lengths that go with an offset file, and gives these.
fn cut_back(folder: &Path, offset_file: &Path, offsets: Option<&str>) -> Result<Lengths, FileHomeError> {
    let path = beside(offset_file, ".lengths");
    let Some(bytes) = read_if_there(&path)? else { return Ok(Lengths::new()) };
    let states: States =
        serde_json::from_slice(&bytes).map_err(|source| FileHomeError::Lengths { path, source })?;
    let Some(known) = states.find(offsets) else {
        warn!(
            file = %offset_file.display(),
            "the offset file was changed by another program: records behind its offsets may come again"
        );
        return Ok(Lengths::new());
    };
    let mut lengths = Lengths::new();
    for (name, expected) in known {
        let path = folder.join(name);
        let file = match OpenOptions::new().append(true).open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if *expected > 0 {
                    warn!(file = %path.display(), "the record file was moved away, it begins anew");
                }
                continue;
            }
            Err(error) => return Err(FileHomeError::io("open", &path)(error)),
        };
        let actual = file.metadata().map_err(FileHomeError::io("look at", &path))?.len();
        if actual < *expected {
            return Err(FileHomeError::RecordsLost { path, actual, expected: *expected });
        }
        if actual > *expected {
            file.set_len(*expected)
                .and_then(|()| file.sync_all())
                .map_err(FileHomeError::io("cut", &path))?;
        }
        lengths.insert(name.clone(), *expected);
    }
    Ok(lengths)
}

#[cfg(test)]
mod tests;
