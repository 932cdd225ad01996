//! One offset file for all connectors of a worker: the first one that starts opens it, the others share it.
//!
//! It is closed when the last one that runs lets go of it, so that a connector that starts again alone reads and cuts
//! everything anew, as after a kill.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::config::worker::FileConfig;
use crate::file::error::FileHomeError;
use crate::file::store::FileStore;

/// The store, while somebody uses it.
#[derive(Debug, Default)]
pub struct SharedFileStore {
    open: Mutex<Weak<FileStore>>,
}

impl SharedFileStore {
    /// The open store, or a newly opened one.
    pub fn open(&self, config: &FileConfig) -> Result<Arc<FileStore>, FileHomeError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = open.upgrade() {
            return Ok(store);
        }
        let store = FileStore::open(config)?;
        *open = Arc::downgrade(&store);
        Ok(store)
    }
}
