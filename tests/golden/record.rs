//! A published record, as a golden file, `tidewire decode` or a topic has it.

use crate::json::Json;
use std::collections::BTreeMap;

/// One record with what is compared of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub topic: String,
    /// Line of the file it was read from, from 1; 0 when it was read from a topic.
    pub line: usize,
    /// `[partition, headers, key, value]`; headers by name, since a map has no order.
    pub parts: [Json; 4],
    /// Key and value as they were published, where that is known.
    pub text: [Option<String>; 2],
}

/// What the four parts are called in paths and messages.
pub const PARTS: [&str; 4] = ["partition", "headers", "key", "value"];

impl Record {
    /// Puts a record together; headers are sorted, key and value become JSON where they are.
    pub fn new(
        topic: String,
        line: usize,
        partition: i64,
        headers: Vec<(String, Json)>,
        text: [Option<String>; 2],
    ) -> Self {
        let sorted: BTreeMap<String, Json> = headers.into_iter().collect();
        let [key, value] = text.each_ref().map(|t| t.as_deref().map_or(Json::Null, read_text));
        let headers = Json::Object(sorted.into_iter().collect());
        Record { topic, line, parts: [Json::Number(partition.to_string()), headers, key, value], text }
    }

    /// A line `{"topic","partition","headers","key","value"[,"raw"]}`: key and value as JSON with the published text in
    /// `raw` (a golden file), or as strings that hold the published text (`decode`, the file home).
    pub fn from_line(line: usize, text: &str) -> Result<Self, String> {
        let bad = |what: &str| format!("line {line}: {what}: {}", text.chars().take(200).collect::<String>());
        let json = Json::parse(text).ok_or_else(|| bad("not JSON"))?;
        let topic = json.get("topic").and_then(Json::text).ok_or_else(|| bad("no topic"))?.to_owned();
        let partition = json.get("partition").and_then(Json::integer).unwrap_or(0);
        let headers = match json.get("headers") {
            Some(Json::Object(members)) => members.clone(),
            None | Some(Json::Null) => Vec::new(),
            Some(_) => return Err(bad("headers are no object")),
        };
        let of = |name: &str| json.get(name).cloned().unwrap_or(Json::Null);
        let string = |value: &Json| value.text().map(str::to_owned);
        let (key, value) = (of("key"), of("value"));
        let text = match json.get("raw") {
            Some(Json::List(raw)) if raw.len() == 2 => [string(&raw[0]), string(&raw[1])],
            _ => [string(&key), string(&value)],
        };
        let mut record = Record::new(topic, line, partition, headers, [None, None]);
        record.parts[2] = key.text().map(read_text).unwrap_or(key);
        record.parts[3] = value.text().map(read_text).unwrap_or(value);
        record.text = text;
        Ok(record)
    }

    /// All records of a text of such lines.
    pub fn from_lines(text: &str) -> Result<Vec<Self>, String> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        lines.map(|(i, line)| Record::from_line(i + 1, line)).collect()
    }

    pub fn value(&self) -> &Json {
        &self.parts[3]
    }
}

/// Published text as JSON, or as the string it is.
fn read_text(text: &str) -> Json {
    Json::parse(text).unwrap_or_else(|| Json::Text(text.to_owned()))
}

/// What the JSON converter wrapped, when schemas are on; otherwise the value itself.
pub fn payload(value: &Json) -> &Json {
    match value.has_exactly(&["schema", "payload"]) {
        true => value.get("payload").unwrap_or(value),
        false => value,
    }
}

/// [`payload`], to be changed.
pub fn payload_mut(value: &mut Json) -> &mut Json {
    if value.has_exactly(&["schema", "payload"])
        && let Json::Object(members) = value
    {
        let at = usize::from(members[1].0 == "payload");
        return &mut members[at].1;
    }
    value
}
