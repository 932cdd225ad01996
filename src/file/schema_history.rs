//! The schema history in a file: Debezium's FileSchemaHistory, one compact record a line.
//!
//! A line counts once its line feed is there. A kill can leave a torn last line; it was never acknowledged to anybody,
//! so it is cut before anything is written. Reading changes nothing: the file may be another process's. A last line that lacks only the line feed, as other programs leave it, is
//! whole and gets one.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use memchr::memrchr;
use tracing::warn;

use crate::file::durable::{create_folder_of, sync_folder_of};
use crate::file::error::FileHomeError;
use crate::schema::history::SchemaHistory;
use crate::schema::history::record::HistoryRecord;

/// Bytes at the end of the file in which the last line feed is looked for first: a record of a wide table.
const LAST_LINE: u64 = 1 << 16;

/// `schema.history.internal.file.filename`.
#[derive(Debug)]
pub struct FileSchemaHistory {
    path: PathBuf,
    file: Option<File>,
}

impl FileSchemaHistory {
    /// A history in this file. Nothing is touched yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        FileSchemaHistory { path: path.into(), file: None }
    }

    /// The file, with its folders and its end in order.
    fn open(&mut self) -> Result<&mut File, FileHomeError> {
        let file = match self.file.take() {
            Some(file) => file,
            None => {
                create_folder_of(&self.path)?;
                let mut file = OpenOptions::new()
                    .append(true)
                    .create(true)
                    .open(&self.path)
                    .map_err(FileHomeError::io("open", &self.path))?;
                sync_folder_of(&self.path)?;
                self.mend(&mut file)?;
                file
            }
        };
        Ok(self.file.insert(file))
    }

    /// Sees to it that the file ends with a line feed.
    fn mend(&self, file: &mut File) -> Result<(), FileHomeError> {
        let rest = self.last_line().map_err(FileHomeError::io("read", &self.path))?;
        if rest.is_empty() {
            return Ok(());
        }
        let mended = if parse(&rest).is_some() {
            file.write_all(b"\n")
        } else {
            warn!(file = %self.path.display(), bytes = rest.len(), "a torn last line of the schema history was cut");
            file.metadata()
                .and_then(|metadata| file.set_len(metadata.len().saturating_sub(rest.len() as u64)))
        };
        mended.and_then(|()| file.sync_data()).map_err(FileHomeError::io("mend", &self.path))
    }
}

impl FileSchemaHistory {
    /// What stands behind the last line feed.
    fn last_line(&self) -> io::Result<Vec<u8>> {
        let mut file = File::open(&self.path)?;
        let length = file.seek(SeekFrom::End(0))?;
        let mut wanted = LAST_LINE;
        loop {
            let mut end = Vec::new();
            file.seek(SeekFrom::Start(length.saturating_sub(wanted)))?;
            file.read_to_end(&mut end)?;
            if let Some(place) = memrchr(b'\n', &end) {
                return Ok(end.split_off(place + 1));
            }
            if wanted >= length {
                return Ok(end);
            }
            wanted *= 2;
        }
    }
}

/// A line as a record.
fn parse(line: &[u8]) -> Option<HistoryRecord> {
    std::str::from_utf8(line).ok()?.parse().ok()
}

impl SchemaHistory for FileSchemaHistory {
    type Error = FileHomeError;

    fn exists(&mut self) -> Result<bool, FileHomeError> {
        self.path.try_exists().map_err(FileHomeError::io("look at", &self.path))
    }

    fn initialize_storage(&mut self) -> Result<(), FileHomeError> {
        self.open().map(|_| ())
    }

    fn record(&mut self, records: &[HistoryRecord]) -> Result<(), FileHomeError> {
        let mut lines = Vec::new();
        for record in records {
            lines.extend_from_slice(record.to_json().as_bytes());
            lines.push(b'\n');
        }
        let file = self.open()?;
        let written = file.metadata().and_then(|metadata| {
            let length = metadata.len();
            let written = file.write_all(&lines).and_then(|()| file.sync_data());
            if written.is_err() {
                // What was not acknowledged must not be found later.
                let _ = file.set_len(length);
            }
            written
        });
        written.map_err(|error| {
            self.file = None;
            FileHomeError::io("write", &self.path)(error)
        })
    }

    fn delete(&mut self) -> Result<(), FileHomeError> {
        self.file = None;
        fs::remove_file(&self.path).map_err(FileHomeError::io("remove", &self.path))?;
        sync_folder_of(&self.path)
    }

    fn recover(&mut self, each: &mut dyn FnMut(u64, &str)) -> Result<(), FileHomeError> {
        let file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(FileHomeError::io("read", &self.path)(error)),
        };
        let mut lines = BufReader::with_capacity(1 << 16, file);
        let (mut line, mut number) = (Vec::new(), 0);
        loop {
            line.clear();
            let read = lines.read_until(b'\n', &mut line).map_err(FileHomeError::io("read", &self.path))?;
            if read == 0 {
                return Ok(());
            }
            number += 1;
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            match std::str::from_utf8(&line) {
                Ok(text) => each(number, text),
                Err(_) => warn!(file = %self.path.display(), line = number, "a line is no text"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::history::read_records;

    /// What the real connector wrote (golden scenario `basic_crud`), shortened to a statement without tables.
    const RECORD: &str = r#"{"source":{"server":"basic_crud"},"position":{"ts_sec":1795984446,"file":"binlog.000001","pos":219},"ts_ms":1795984446311,"databaseName":"shop","ddl":"CREATE DATABASE shop","tableChanges":[]}"#;

    fn recovered(history: &mut FileSchemaHistory) -> Vec<String> {
        let mut all = Vec::new();
        read_records(history, &mut |record| all.push(record.to_json())).unwrap();
        all
    }

    #[test]
    fn records_come_back_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/er/history.dat");
        let mut history = FileSchemaHistory::new(&path);
        assert!(!history.exists().unwrap());
        assert!(recovered(&mut history).is_empty());
        history.initialize_storage().unwrap();
        let record: HistoryRecord = RECORD.parse().unwrap();
        let mut second = record.clone();
        second.ddl = Some("DROP DATABASE shop".to_owned());
        history.record(std::slice::from_ref(&record)).unwrap();
        history.record(std::slice::from_ref(&second)).unwrap();
        assert!(history.exists().unwrap());
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            format!("{}\n{}\n", record.to_json(), second.to_json())
        );
        assert_eq!(recovered(&mut FileSchemaHistory::new(&path)), [record.to_json(), second.to_json()]);
    }

    #[test]
    fn torn_foreign_and_unfinished_lines() {
        let record = RECORD.parse::<HistoryRecord>().unwrap().to_json();
        let torn = &record[..40];
        let cases = [
            (format!("{record}\n{torn}"), 1, format!("{record}\n")),
            (torn.to_owned(), 0, String::new()),
            (format!("{record}\n{record}"), 2, format!("{record}\n{record}\n")),
            (format!("nonsense\n\n{record}\r\n"), 1, format!("nonsense\n\n{record}\r\n")),
        ];
        for (before, count, after) in cases {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("history.dat");
            fs::write(&path, &before).unwrap();
            let mut history = FileSchemaHistory::new(&path);
            assert_eq!(recovered(&mut history).len(), count, "{before}");
            assert_eq!(fs::read_to_string(&path).unwrap(), before);
            history.initialize_storage().unwrap();
            assert_eq!(recovered(&mut history).len(), count, "{before}");
            assert_eq!(fs::read_to_string(&path).unwrap(), after);
        }
    }
}
