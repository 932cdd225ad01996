//! Records as `tidewire.file.path` has them, or as they came from Kafka.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// One record with key and value as JSON without their schemas.
#[derive(Clone, Debug)]
pub struct Record {
    pub topic: String,
    pub key: Value,
    pub value: Value,
    /// The header `tidewire.seq`, where the record is one of a file.
    pub sequence: Option<u64>,
}

impl Record {
    pub fn new(topic: &str, key: Option<&str>, value: Option<&str>) -> Self {
        let payload = |text: Option<&str>| -> Value {
            let json: Value = text.map_or(Value::Null, |text| {
                serde_json::from_str(text).unwrap_or_else(|error| panic!("{topic}: {error}: {text}"))
            });
            if json.get("schema").is_some() { json["payload"].clone() } else { json }
        };
        Record { topic: topic.to_owned(), key: payload(key), value: payload(value), sequence: None }
    }

    /// One line of a record file or of standard output.
    pub fn of_line(line: &str) -> Self {
        let json: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let topic = json["topic"].as_str().expect("a topic");
        assert!(json["partition"].is_i64(), "{line}");
        let header = json["headers"]["tidewire.seq"].as_str().and_then(|text| text.strip_prefix("0x"));
        let sequence = header.map(|digits| u64::from_str_radix(digits, 16).expect("hexadecimal digits"));
        Record { sequence, ..Record::new(topic, json["key"].as_str(), json["value"].as_str()) }
    }

    pub fn op(&self) -> &str {
        self.value["op"].as_str().unwrap_or_default()
    }

    /// A member of the row after the change, or before it for a delete.
    pub fn cell(&self, column: &str) -> &Value {
        let after = &self.value["after"];
        if after.is_null() { &self.value["before"][column] } else { &after[column] }
    }

    /// The number of the key.
    pub fn id(&self) -> i64 {
        self.key["id"].as_i64().unwrap_or_else(|| panic!("no id in {self:?}"))
    }
}

/// All lines of a text.
pub fn of_lines(text: &str) -> Vec<Record> {
    text.lines().map(Record::of_line).collect()
}

/// The records of a topic's file; none when there is no file. A line that the running program is still writing does not
/// count.
pub fn of_file(folder: &Path, topic: &str) -> Vec<Record> {
    let bytes = fs::read(folder.join(format!("{topic}.jsonl"))).unwrap_or_default();
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    of_lines(std::str::from_utf8(&bytes[..whole]).expect("UTF-8"))
}

/// Operation and id of each record; a tombstone is `-`.
pub fn changes(records: &[Record]) -> String {
    let all: Vec<String> = records
        .iter()
        .map(|record| format!("{}{}", if record.value.is_null() { "-" } else { record.op() }, record.id()))
        .collect();
    all.join(" ")
}
