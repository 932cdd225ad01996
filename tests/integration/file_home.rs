//! The file home with the process boundary and with Java: needs nothing but a JDK (`java` 11 or later) on the path.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use tidewire::config::worker::FileConfig;
use tidewire::connect::record::{Record, RecordBatch, RecordHeaders, RecordHome, StoredOffset};
use tidewire::file::home::FileHome;
use tidewire::file::store::FileStore;
use tidewire::offset::backing_store::OffsetBackingStore;

/// What Kafka Connect's FileOffsetBackingStore does with the file: one object in, one object out.
const CONNECT: &str = r#"
import java.io.*; import java.nio.file.*; import java.util.*;
public class Connect {
  @SuppressWarnings("unchecked")
  public static void main(String[] a) throws Exception {
    Path file = Paths.get(a[0]);
    HashMap<byte[], byte[]> map;
    try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(file))) { map = (HashMap<byte[], byte[]>) in.readObject(); }
    TreeMap<String, String> shown = new TreeMap<>();
    for (Map.Entry<byte[], byte[]> e : map.entrySet()) shown.put(new String(e.getKey(), "UTF-8"), new String(e.getValue(), "UTF-8"));
    System.out.println(shown);
    map.put("java".getBytes("UTF-8"), "{\"pos\":7}".getBytes("UTF-8"));
    try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(file))) { out.writeObject(map); }
  }
}
"#;

fn batch(count: usize, offset: &str) -> RecordBatch {
    let topics: Vec<Arc<str>> = (0..3).map(|number| Arc::from(format!("shop.t{number}"))).collect();
    let mut batch = RecordBatch::default();
    for number in 0..count {
        let start = batch.bytes.len() as u32;
        batch.bytes.extend_from_slice(format!("{{\"id\":{number}}}").as_bytes());
        let value = Some(start..batch.bytes.len() as u32);
        batch.records.push(Record {
            topic: Arc::clone(&topics[number % 3]),
            partition: None,
            key: None,
            value,
            headers: RecordHeaders { sequence: Some(number as u64), ..RecordHeaders::default() },
        });
    }
    batch
        .offsets
        .push(StoredOffset { key: r#"["c",{"server":"p"}]"#.to_owned(), value: Some(offset.to_owned()) });
    batch
}

fn config(folder: &Path) -> FileConfig {
    FileConfig { folder: Some(folder.join("records")), offset_file: folder.join("offsets.dat") }
}

#[test]
fn java_reads_our_offsets_and_we_read_javas() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path());
    let store = FileStore::open(&config).unwrap();
    let mut home = FileHome::new(Arc::clone(&store), Duration::ZERO);
    home.publish(&batch(10, r#"{"file":"binlog.000001","pos":4}"#)).unwrap();
    drop(home);
    drop(store);

    let source = folder.path().join("Connect.java");
    fs::write(&source, CONNECT).unwrap();
    let done = Command::new("java").arg(&source).arg(&config.offset_file).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(
        String::from_utf8_lossy(&done.stdout).trim(),
        r#"{["c",{"server":"p"}]={"file":"binlog.000001","pos":4}}"#
    );

    let store = FileStore::open(&config).unwrap();
    assert_eq!(store.get("java").unwrap().as_deref(), Some(r#"{"pos":7}"#));
    assert_eq!(
        store.get(r#"["c",{"server":"p"}]"#).unwrap().as_deref(),
        Some(r#"{"file":"binlog.000001","pos":4}"#)
    );
}

#[test]
fn large_batches_keep_their_order_in_each_file() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path());
    let store = FileStore::open(&config).unwrap();
    let mut home = FileHome::new(Arc::clone(&store), Duration::from_secs(3600));
    for round in 0..20 {
        home.publish(&batch(9_000, &round.to_string())).unwrap();
    }
    home.flush().unwrap();
    for number in 0..3_usize {
        let text = fs::read_to_string(folder.path().join(format!("records/shop.t{number}.jsonl"))).unwrap();
        assert_eq!(text.lines().count(), 60_000);
        for (place, line) in text.lines().enumerate() {
            let id = place % 3_000 * 3 + number;
            assert!(line.contains(&format!(r#""value":"{{\"id\":{id}}}""#)), "{line}");
        }
    }
}

/// A record file that is `/dev/full` refuses every byte with ENOSPC, as a full disk does.
#[test]
fn a_full_disk_is_retriable_and_leaves_nothing_half_written() {
    use tidewire::error::{Classify, ErrorClass};
    let folder = tempfile::tempdir().unwrap();
    let full = Path::new("/dev/full");
    let config = config(folder.path());
    fs::create_dir_all(folder.path().join("records")).unwrap();
    std::os::unix::fs::symlink(full, folder.path().join("records/shop.t1.jsonl")).unwrap();
    let store = FileStore::open(&config).unwrap();
    let mut home = FileHome::new(Arc::clone(&store), Duration::ZERO);
    let error = home.publish(&batch(10, "x")).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Retriable);
    assert!(error.remedy().unwrap().starts_with("make room on the file system of "), "{error}");
    drop(home);
    assert_eq!(store.get(r#"["c",{"server":"p"}]"#).unwrap(), None);
    for number in [0, 2] {
        let path = folder.path().join(format!("records/shop.t{number}.jsonl"));
        assert_eq!(fs::read_to_string(path).unwrap(), "", "nothing stays without a stored offset");
    }
}
