//! Records as lines on standard output, and nothing else: no offset is kept.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use crate::connect::record::{ContextHeaders, RecordBatch, RecordHome};
use crate::file::error::FileHomeError;
use crate::file::record_line;

/// Lines are written in pieces of this size, bytes.
const PIECE: usize = 256 << 10;

/// Standard output, behind a buffer.
#[derive(Debug)]
pub struct StandardOutput {
    lines: Vec<u8>,
    context: ContextHeaders,
}

impl Default for StandardOutput {
    fn default() -> Self {
        StandardOutput { lines: Vec::with_capacity(PIECE), context: Arc::new([]) }
    }
}

impl StandardOutput {
    /// The headers of the run, which go on every record that asks for them.
    pub fn set_context_headers(&mut self, headers: ContextHeaders) {
        self.context = headers;
    }
}

impl RecordHome for StandardOutput {
    type Error = FileHomeError;

    fn publish(&mut self, batch: &RecordBatch) -> Result<(), FileHomeError> {
        for record in &batch.records {
            record_line::append(&mut self.lines, batch, record, &self.context);
            if self.lines.len() >= PIECE {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), FileHomeError> {
        let mut out = io::stdout().lock();
        let written = out.write_all(&self.lines).and_then(|()| out.flush());
        self.lines.clear();
        written.map_err(|source| FileHomeError::Io {
            action: "write",
            path: PathBuf::from("standard output"),
            source,
        })
    }

    fn idle(&mut self) -> Result<(), FileHomeError> {
        self.flush()
    }
}
