use std::time::Duration;

use super::*;
use crate::connect::record::{Record, RecordBatch, RecordHeaders, RecordHome};
use crate::file::home::FileHome;

const DAY: Duration = Duration::from_secs(86_400);

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Place { folder: tempfile::tempdir().unwrap() }
    }

    fn records(&self) -> PathBuf {
        self.folder.path().join("records")
    }

    fn offsets(&self) -> PathBuf {
        self.folder.path().join("state/offsets.dat")
    }

    fn open(&self) -> Result<Arc<FileStore>, FileHomeError> {
        FileStore::open(&FileConfig { folder: Some(self.records()), offset_file: self.offsets() })
    }

    /// The values in a record file.
    fn values(&self, topic: &str) -> Vec<String> {
        let text = fs::read_to_string(self.records().join(format!("{topic}.jsonl"))).unwrap_or_default();
        text.lines()
            .map(|line| {
                serde_json::from_str::<serde_json::Value>(line).unwrap()["value"].as_str().unwrap().to_owned()
            })
            .collect()
    }
}

fn batch(records: &[(&str, &str)], offset: Option<&str>) -> RecordBatch {
    let mut batch = RecordBatch::default();
    for (topic, value) in records {
        let start = batch.bytes.len() as u32;
        batch.bytes.extend_from_slice(value.as_bytes());
        batch.records.push(Record {
            topic: Arc::from(*topic),
            partition: None,
            key: None,
            value: Some(start..batch.bytes.len() as u32),
            headers: RecordHeaders::default(),
        });
    }
    batch
        .offsets
        .extend(offset.map(|value| StoredOffset { key: "k".to_owned(), value: Some(value.to_owned()) }));
    batch
}

/// Ends a process without its destructors: the home is forgotten, and only the lock is given back.
fn kill(home: FileHome, store: Arc<FileStore>) {
    store._lock.unlock().unwrap();
    std::mem::forget(home);
    std::mem::forget(store);
}

#[test]
fn records_behind_the_stored_offset_are_cut_at_the_start() {
    let place = Place::new();
    let store = place.open().unwrap();
    let mut home = FileHome::new(Arc::clone(&store), DAY);
    home.publish(&batch(&[("a", "1"), ("b", "1"), ("a", "2")], Some("two"))).unwrap();
    home.flush().unwrap();
    home.publish(&batch(&[("a", "3"), ("c", "1")], Some("three"))).unwrap();
    home.idle().unwrap();
    assert_eq!(place.values("a"), ["1", "2", "3"], "they are visible before they are stored");
    kill(home, store);

    let store = place.open().unwrap();
    assert_eq!(store.get("k").unwrap().as_deref(), Some("two"));
    assert_eq!(
        (place.values("a"), place.values("b"), place.values("c")),
        (vec!["1".to_owned(), "2".to_owned()], vec!["1".to_owned()], vec![])
    );
}

#[test]
fn records_without_an_offset_are_not_covered_by_the_one_before() {
    let place = Place::new();
    let store = place.open().unwrap();
    let mut home = FileHome::new(Arc::clone(&store), DAY);
    home.publish(&batch(&[("a", "1")], Some("one"))).unwrap();
    home.publish(&batch(&[("a", "2")], None)).unwrap();
    home.flush().unwrap();
    kill(home, store);
    let store = place.open().unwrap();
    assert_eq!(store.get("k").unwrap().as_deref(), Some("one"));
    assert_eq!(place.values("a"), ["1"]);
}

#[test]
fn a_task_that_starts_again_in_the_same_process_repeats_nothing() {
    let place = Place::new();
    let store = place.open().unwrap();
    let mut home = FileHome::new(Arc::clone(&store), DAY);
    home.publish(&batch(&[("a", "1")], Some("one"))).unwrap();
    home.flush().unwrap();
    home.publish(&batch(&[("a", "2")], Some("two"))).unwrap();
    home.idle().unwrap();
    drop(home);
    let mut home = FileHome::new(Arc::clone(&store), DAY);
    home.publish(&batch(&[("a", "2")], Some("two"))).unwrap();
    home.flush().unwrap();
    assert_eq!(place.values("a"), ["1", "2"]);
}

/// Every point of a kill while offsets are stored: the state files as they are at that point, the record file longer.
#[test]
fn any_kill_while_offsets_are_stored_leaves_offsets_and_records_that_belong_together() {
    let place = Place::new();
    let store = place.open().unwrap();
    let lengths = beside(&place.offsets(), ".lengths");
    let mut home = FileHome::new(Arc::clone(&store), DAY);
    home.publish(&batch(&[("a", "1")], Some("one"))).unwrap();
    home.flush().unwrap();
    let before = (fs::read(place.offsets()).unwrap(), fs::read(&lengths).unwrap());
    home.publish(&batch(&[("a", "2")], Some("two"))).unwrap();
    home.flush().unwrap();
    let after = (fs::read(place.offsets()).unwrap(), fs::read(&lengths).unwrap());
    home.publish(&batch(&[("a", "3")], Some("three"))).unwrap();
    home.idle().unwrap();
    kill(home, store);
    let records = fs::read(place.records().join("a.jsonl")).unwrap();
    for (name, offsets, lengths_then, offset, values) in [
        ("records synced", &before.0, &before.1, "one", vec!["1"]),
        ("lengths replaced", &before.0, &after.1, "one", vec!["1"]),
        ("offsets replaced", &after.0, &after.1, "two", vec!["1", "2"]),
    ] {
        fs::write(place.offsets(), offsets).unwrap();
        fs::write(&lengths, lengths_then).unwrap();
        fs::write(place.records().join("a.jsonl"), &records).unwrap();
        let store = place.open().unwrap();
        assert_eq!(store.get("k").unwrap().as_deref(), Some(offset), "{name}");
        assert_eq!(place.values("a"), values, "{name}");
    }
}

#[test]
fn files_that_are_not_ours_stay() {
    let place = Place::new();
    fs::create_dir_all(place.records()).unwrap();
    fs::write(place.records().join("notes.jsonl"), "mine\n").unwrap();
    fs::write(place.records().join("a.jsonl"), "{\"value\":\"old\"}\n").unwrap();
    let store = place.open().unwrap();
    let mut home = FileHome::new(Arc::clone(&store), DAY);
    home.publish(&batch(&[("a", "1")], Some("one"))).unwrap();
    home.idle().unwrap();
    kill(home, store);
    place.open().unwrap();
    assert_eq!(place.values("a"), ["old"]);
    assert_eq!(fs::read_to_string(place.records().join("notes.jsonl")).unwrap(), "mine\n");
}

#[test]
fn a_shorter_record_file_and_a_second_process_are_told() {
    let place = Place::new();
    let store = place.open().unwrap();
    let mut home = FileHome::new(Arc::clone(&store), Duration::ZERO);
    home.publish(&batch(&[("a", "1")], Some("one"))).unwrap();
    assert!(matches!(place.open(), Err(FileHomeError::InUse { .. })));
    drop(home);
    drop(store);
    fs::write(place.records().join("a.jsonl"), "").unwrap();
    assert!(matches!(place.open(), Err(FileHomeError::RecordsLost { actual: 0, .. })));
}

#[test]
fn removed_offsets_and_foreign_names() {
    let place = Place::new();
    let store = place.open().unwrap();
    let mut home = FileHome::new(Arc::clone(&store), Duration::ZERO);
    home.publish(&batch(&[], Some("one"))).unwrap();
    let mut removed = RecordBatch::default();
    removed.offsets.push(StoredOffset { key: "k".to_owned(), value: None });
    home.publish(&removed).unwrap();
    assert_eq!(store.get("k").unwrap(), None);
    assert!(matches!(home.publish(&batch(&[("../x", "1")], None)), Err(FileHomeError::TopicName { .. })));
}
