//! The rows: as Debezium publishes them, as text for ClickHouse, and the sums of their columns.
//!
//! Every value is a function of the row's number. A row is spelled out once for each form, so that no form is made from another.

use std::time::{SystemTime, UNIX_EPOCH};

/// The database and the prefix of topics.
pub const DATABASE: &str = "shop";
pub const PREFIX: &str = "bench";

/// 2024-01-01 in seconds since 1970.
const NEW_YEAR: u64 = 1_704_067_200;
const DAY: u64 = 86_400;

/// Columns: name, type, length, scale, JDBC's number of the type, and the labels of an ENUM.
const COLUMNS: &[(&str, &str, &str, &str, i32, &str)] = &[
    ("id", "BIGINT", "null", "null", -5, "null"),
    ("customer", "INT UNSIGNED", "null", "null", 4, "null"),
    ("state", "ENUM", "1", "null", 1, r#"["'new'","'paid'","'sent'"]"#),
    ("price", "DECIMAL", "10", "2", 3, "null"),
    ("quantity", "SMALLINT", "null", "null", 5, "null"),
    ("ordered", "DATETIME", "6", "null", 93, "null"),
    ("changed", "TIMESTAMP", "null", "null", 2014, "null"),
    ("weight", "DOUBLE", "null", "null", 8, "null"),
    ("note", "VARCHAR", "200", "null", 12, "null"),
];

/// A record for Kafka. The sequence goes into the header `tidewire.seq`.
pub struct Record {
    pub key: String,
    pub value: String,
    pub sequence: u64,
}

/// The values of a row.
struct Row {
    customer: u64,
    state: &'static str,
    cents: u64,
    quantity: u64,
    /// Of a day.
    second: u64,
    micros: u64,
    weight: u64,
    note: String,
}

/// All rows of a table. They have the numbers 1 to `count`.
pub struct Rows {
    pub count: u64,
    /// The sequence of the schema change; the rows' follow.
    pub first_sequence: u64,
    /// When they were written, in ms since 1970.
    ms: u64,
}

pub fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

impl Rows {
    pub fn new(count: u64) -> Self {
        let ms = now_ms();
        Rows { count, first_sequence: (ms * 1000) << 11, ms }
    }

    /// The record of an insert.
    pub fn record(&self, id: u64) -> Record {
        let Row { customer, state, cents, quantity, second, micros, weight, note } = Row::new(id);
        let price = base64_of(cents);
        let ordered = (NEW_YEAR + second) * 1_000_000 + micros;
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        let ms = self.ms;
        let value = format!(
            r#"{{"before":null,"after":{{"id":{id},"customer":{customer},"state":"{state}","price":"{price}","quantity":{quantity},"ordered":{ordered},"changed":"2024-01-01T{hour:02}:{minute:02}:{second:02}Z","weight":{weight}.25,"note":"{note}"}},"source":{{"version":"3.6.1.Final","connector":"mysql","name":"{PREFIX}","ts_ms":{ms},"snapshot":"false","db":"{DATABASE}","sequence":null,"ts_us":{ms}000,"ts_ns":{ms}000000,"table":"orders","server_id":1,"gtid":"edc98105-ec25-11f1-ac67-02fc00000001:{id}","file":"binlog.000001","pos":{pos},"row":0,"thread":12,"query":null}},"transaction":null,"op":"c","ts_ms":{ms},"ts_us":{ms}704,"ts_ns":{ms}704754}}"#,
            pos = 158 + id * 419
        );
        Record { key: format!(r#"{{"id":{id}}}"#), value, sequence: self.first_sequence + id }
    }

    /// A line of JSONEachRow, with the two columns that the sink adds.
    pub fn line(&self, id: u64, out: &mut String) {
        use std::fmt::Write;
        let Row { customer, state, cents, quantity, second, micros, weight, note } = Row::new(id);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        let (whole, hundredths) = (cents / 100, cents % 100);
        let version = self.first_sequence + id;
        // Writing into a string cannot fail.
        let _ = writeln!(
            out,
            r#"{{"id":{id},"customer":{customer},"state":"{state}","price":"{whole}.{hundredths:02}","quantity":{quantity},"ordered":"2024-01-01 {hour:02}:{minute:02}:{second:02}.{micros:06}","changed":"2024-01-01 {hour:02}:{minute:02}:{second:02}","weight":{weight}.25,"note":"{note}","_version":{version},"_deleted":0}}"#
        );
    }

    /// The record that describes the table.
    pub fn schema_change(&self) -> String {
        let ms = self.ms;
        let column = |(place, (name, kind, length, scale, jdbc, labels)): (
            usize,
            &(&str, &str, &str, &str, i32, &str),
        )| {
            format!(
                r#"{{"name":"{name}","jdbcType":{jdbc},"nativeType":null,"typeName":"{kind}","typeExpression":"{kind}","charsetName":null,"length":{length},"scale":{scale},"position":{},"optional":{},"autoIncremented":false,"generated":false,"comment":null,"defaultValueExpression":null,"enumValues":{labels}}}"#,
                place + 1,
                place > 0
            )
        };
        let columns: Vec<String> = COLUMNS.iter().enumerate().map(column).collect();
        format!(
            r#"{{"source":{{"version":"3.6.1.Final","connector":"mysql","name":"{PREFIX}","ts_ms":{ms},"snapshot":"false","db":"{DATABASE}","sequence":null,"ts_us":{ms}000,"ts_ns":{ms}000000,"table":"orders","server_id":1,"gtid":null,"file":"binlog.000001","pos":158,"row":0,"thread":null,"query":null}},"ts_ms":{ms},"databaseName":"{DATABASE}","schemaName":null,"ddl":"create table orders (id bigint primary key, customer int unsigned, state enum('new','paid','sent'), price decimal(10,2), quantity smallint, ordered datetime(6), changed timestamp null, weight double, note varchar(200))","tableChanges":[{{"type":"CREATE","id":"\"{DATABASE}\".\"orders\"","table":{{"defaultCharsetName":"utf8mb4","primaryKeyColumnNames":["id"],"columns":[{}],"comment":null}}}}]}}"#,
            columns.join(",")
        )
    }

    /// What `SUMS` has to say of a table with all rows.
    pub fn sums(&self) -> String {
        let (mut sums, mut states, mut weights) = ([0u64; 8], [0u64; 2], 0);
        for id in 1..=self.count {
            let row = Row::new(id);
            let micros = (NEW_YEAR + row.second) * 1_000_000 + row.micros;
            let seconds = NEW_YEAR + row.second;
            let values = [1, id, row.customer, row.cents, row.quantity, micros % 1_000_000_007, seconds];
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += value;
            }
            weights += row.weight * 4 + 1;
            states[0] += u64::from(row.state == "paid");
            states[1] += row.note.len() as u64;
        }
        sums[7] = weights;
        let numbers = sums.iter().chain(&states).map(u64::to_string);
        numbers.collect::<Vec<_>>().join("\t")
    }
}

/// Rows and sums of all columns, as whole numbers.
pub const SUMS: &str = "count(), sum(id), sum(customer), toUInt64(sum(price) * 100), sum(quantity), \
     sum(toUnixTimestamp64Micro(ordered) % 1000000007), sum(toUnixTimestamp(changed)), toUInt64(sum(weight) * 4), \
     countIf(state = 'paid'), sum(length(note))";

impl Row {
    fn new(id: u64) -> Self {
        Row {
            customer: 3_000_000_000 + id % 1_000_003,
            state: ["new", "paid", "sent"][(id % 3) as usize],
            cents: id * 7919 % 10_000_000,
            quantity: id % 100,
            second: id * 31 % DAY,
            micros: id * 104_729 % 1_000_000,
            weight: id % 1000,
            note: format!("left at the door of number {}", id * 48_271 % 1_000_003),
        }
    }
}

/// The unscaled number of a DECIMAL as Kafka Connect's converter prints it: big-endian, two's complement, base64.
fn base64_of(cents: u64) -> String {
    use base64::Engine;
    let bytes = cents.to_be_bytes();
    let first = bytes.iter().position(|byte| *byte != 0).unwrap_or(7);
    // The sign takes a bit.
    let first = if bytes[first] >= 0x80 { first - 1 } else { first };
    base64::engine::general_purpose::STANDARD.encode(&bytes[first..])
}
