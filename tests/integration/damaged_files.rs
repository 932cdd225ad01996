//! `tidewire decode` and files that are damaged: everything before the damage is printed, then file and position.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::support::process::tidewire;
use crate::support::records::{Record, of_lines};

/// Length of an event's header.
const HEADER: usize = 19;

/// A binlog of the golden corpus with a place to spoil it.
struct Binlog {
    bytes: Vec<u8>,
    /// Start of each event, and at last the end of the file.
    events: Vec<usize>,
    folder: tempfile::TempDir,
    whole: Vec<Record>,
}

fn corpus(case: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/corpus").join(case)
}

impl Binlog {
    fn of(case: &str) -> Self {
        let bytes = fs::read(corpus(case).join("binlog.000001")).unwrap();
        let mut events = vec![4];
        while let Some(size) =
            bytes.get(events[events.len() - 1] + 9..).and_then(|rest| rest.first_chunk::<4>())
        {
            events.push(events[events.len() - 1] + u32::from_le_bytes(*size) as usize);
        }
        let folder = tempfile::tempdir().unwrap();
        fs::write(
            folder.path().join("config.json"),
            r#"{"name": "damaged", "config": {"topic.prefix": "damaged"}}"#,
        )
        .unwrap();
        let mut binlog = Binlog { bytes, events, folder, whole: Vec::new() };
        let output = binlog.decode(&binlog.bytes, &[]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        binlog.whole = printed(&output);
        assert!(binlog.whole.len() > 10);
        binlog
    }

    fn decode(&self, bytes: &[u8], config: &[(&str, &str)]) -> Output {
        let file = self.folder.path().join("binlog.000001");
        fs::write(&file, bytes).unwrap();
        self.decode_path(&file, config)
    }

    fn decode_path(&self, file: &Path, config: &[(&str, &str)]) -> Output {
        let path = self.folder.path().join("config.json");
        if !config.is_empty() {
            let mut all: serde_json::Map<String, serde_json::Value> =
                config.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())).collect();
            all.insert("topic.prefix".to_owned(), "damaged".into());
            fs::write(&path, serde_json::json!({"name": "damaged", "config": all}).to_string()).unwrap();
        }
        tidewire(["decode", "--config"]).args([path.as_path(), file]).output().unwrap()
    }

    /// What is printed of a spoiled file must be the records of the events before one, then its file and position.
    fn assert_stops_at(&self, event: usize, bytes: &[u8], what: &str) {
        let output = self.decode(bytes, &[]);
        let log = String::from_utf8_lossy(&output.stderr);
        let before = |record: &&Record| record.value.is_null() || position(record) < event as i64;
        let wanted = self.whole.iter().take_while(before).count();
        // A tombstone goes with its delete.
        let wanted = if self.whole.get(wanted).is_some()
            && wanted > 0
            && self.whole[wanted - 1].value.is_null()
            && !before(&&self.whole[wanted - 2])
        {
            wanted - 1
        } else {
            wanted
        };
        assert_eq!(output.status.code(), Some(1), "{what} at {event}: {log}");
        assert!(
            log.contains("binlog.000001") && log.contains(&event.to_string()),
            "{what} at {event}: {log}"
        );
        assert_eq!(printed(&output).len(), wanted, "{what} at {event}: {log}");
    }
}

fn printed(output: &Output) -> Vec<Record> {
    of_lines(&String::from_utf8(output.stdout.clone()).unwrap())
}

/// Where its event begins; 0 for a tombstone.
fn position(record: &Record) -> i64 {
    record.value["source"]["pos"].as_i64().unwrap_or_default()
}

#[test]
fn a_flipped_bit_is_found_wherever_it_is() {
    for (case, step) in [("tx_keys", 13), ("tx_compressed", 7)] {
        let binlog = Binlog::of(case);
        let events: Vec<_> = binlog.events.windows(2).map(|pair| (pair[0], pair[1])).collect();
        for (number, (start, end)) in
            events.iter().copied().enumerate().filter(|(number, _)| number % step < 1 || *number < 3)
        {
            // Time, kind, server, size, next position, flags; the body's ends and middle; the checksum.
            let places = [
                0,
                4,
                5,
                9,
                10,
                13,
                17,
                HEADER,
                (HEADER + end - start - 4) / 2,
                end - start - 5,
                end - start - 4,
                end - start - 1,
            ];
            for (index, place) in places.into_iter().enumerate() {
                let mut bytes = binlog.bytes.clone();
                bytes[start + place] ^= 1 << ((number + index) % 8);
                binlog.assert_stops_at(start, &bytes, &format!("{case}: byte {place} flipped"));
            }
        }
    }
}

#[test]
fn no_flipped_bit_of_the_format_description_passes() {
    let binlog = Binlog::of("tx_compressed");
    for place in 0..binlog.events[1] - 4 {
        let mut bytes = binlog.bytes.clone();
        bytes[4 + place] ^= 1 << (place % 8);
        let output = binlog.decode(&bytes, &[]);
        assert_eq!(output.status.code(), Some(1), "byte {place}");
        assert!(output.stdout.is_empty(), "byte {place}");
    }
}

#[test]
fn a_cut_file_is_an_error_unless_it_ends_with_an_event() {
    for case in ["tx_keys", "tx_compressed"] {
        let binlog = Binlog::of(case);
        for (number, pair) in binlog.events.windows(2).enumerate().filter(|(number, _)| number % 12 < 2) {
            let (start, end) = (pair[0], pair[1]);
            for length in [1, 10, HEADER, HEADER + 1, end - start - 1] {
                let cut = &binlog.bytes[..start + length];
                binlog.assert_stops_at(start, cut, &format!("{case}: {length} bytes of event {number}"));
            }
            let output = binlog.decode(&binlog.bytes[..end], &[]);
            assert_eq!(output.status.code(), Some(0), "cut behind event {number}");
        }
    }
}

#[test]
fn what_is_no_binlog_is_said() {
    let binlog = Binlog::of("tx_keys");
    let cases: [(&[u8], &str); 5] = [
        (b"", "truncated binlog magic"),
        (b"\xfebi", "truncated binlog magic"),
        (b"CREATE TABLE", "not a binlog"),
        (b"\xfdbin\x01\x02\x03", "encrypted"),
        (&[0; 100], "not a binlog"),
    ];
    for (bytes, said) in cases {
        let output = binlog.decode(bytes, &[]);
        let log = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{log}");
        assert!(log.contains(said) && log.contains("binlog.000001"), "{log}");
    }
    let folder = binlog.folder.path().display().to_string();
    for path in ["/no/such/binlog.000007", folder.as_str()] {
        let output = binlog.decode_path(Path::new(path), &[]);
        let log = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{log}");
        assert!(log.contains(path), "{log}");
    }
}

/// A statement of the log replaced by another text of the same length, with a right checksum.
fn rewritten(binlog: &Binlog, text: &str, by: &str) -> (usize, Vec<u8>) {
    assert_eq!(text.len(), by.len());
    let mut bytes = binlog.bytes.clone();
    let place = bytes.windows(text.len()).position(|window| window == text.as_bytes()).unwrap();
    bytes[place..place + text.len()].copy_from_slice(by.as_bytes());
    let number = binlog.events.iter().position(|start| *start > place).unwrap();
    let (start, end) = (binlog.events[number - 1], binlog.events[number]);
    let checksum = crc32fast::hash(&bytes[start..end - 4]);
    bytes[end - 4..end].copy_from_slice(&checksum.to_le_bytes());
    (start, bytes)
}

#[test]
fn a_statement_that_cannot_be_parsed_stops_with_its_place_and_text() {
    let binlog = Binlog::of("basic_crud");
    let (start, bytes) = rewritten(&binlog, "truncate table", "alter table ((");
    binlog.assert_stops_at(start, &bytes, "a statement");
    let log = String::from_utf8(binlog.decode(&bytes, &[]).stderr).unwrap();
    for said in ["cannot parse the ddl statement", "(( ", "schema.history.internal.skip.unparseable.ddl=true"]
    {
        assert!(log.contains(said), "{log}");
    }
    let output = binlog.decode(&bytes, &[("schema.history.internal.skip.unparseable.ddl", "true")]);
    let log = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(0), "{log}");
    assert!(log.contains("passed over"), "{log}");
    assert!(printed(&output).iter().any(|record| position(record) > start as i64));
}
