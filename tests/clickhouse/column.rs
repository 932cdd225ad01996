//! Columns of every type: a literal for MySQL, how each server is asked to print a cell, and when two texts say the same.
//!
//! How a type is stored in ClickHouse is what users were promised, so each server prints what it has by itself: numbers as
//! digits, text and bytes in hexadecimal digits, moments as `1999-12-31 23:59:59.000000`.

use std::fmt::Write;

use serde_json::Value;

use crate::random::Random;

/// What a column may hold.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    Integer(i128, i128),
    Float,
    Double,
    /// Digits, and those behind the point.
    Decimal(u8, u8),
    Bits(u8),
    /// So many characters, beyond Latin 1 or not.
    Text(usize, bool),
    Bytes(usize),
    Label(&'static [&'static str]),
    Labels(&'static [&'static str]),
    Date,
    /// Fractional digits.
    DateTime(u8),
    Timestamp(u8),
    Time(u8),
    Year,
    Json,
    Point,
    Vector,
}

/// A type of MySQL.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    pub sql: &'static str,
    pub values: Values,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    pub name: String,
    pub kind: Kind,
    pub nullable: bool,
}

const LABELS: &[&str] = &["a", "b c", "ü'", "0", "Z"];

const fn kind(sql: &'static str, values: Values) -> Kind {
    Kind { sql, values }
}

pub const INT: Kind = kind("INT", Values::Integer(-(1 << 31), (1 << 31) - 1));
pub const BIGINT_UNSIGNED: Kind = kind("BIGINT UNSIGNED", Values::Integer(0, (1 << 64) - 1));
pub const KEY_TEXT: Kind =
    kind("VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", Values::Text(8, true));
pub const SHORT_TEXT: Kind = kind("VARCHAR(10) CHARACTER SET latin1", Values::Text(10, false));

/// Every type.
pub const KINDS: &[Kind] = &[
    kind("TINYINT", Values::Integer(-128, 127)),
    kind("TINYINT UNSIGNED", Values::Integer(0, 255)),
    kind("TINYINT(1)", Values::Integer(-128, 127)),
    kind("SMALLINT", Values::Integer(-(1 << 15), (1 << 15) - 1)),
    kind("SMALLINT UNSIGNED", Values::Integer(0, (1 << 16) - 1)),
    kind("MEDIUMINT", Values::Integer(-(1 << 23), (1 << 23) - 1)),
    kind("MEDIUMINT UNSIGNED", Values::Integer(0, (1 << 24) - 1)),
    INT,
    kind("INT UNSIGNED", Values::Integer(0, (1 << 32) - 1)),
    kind("BIGINT", Values::Integer(-(1 << 63), (1 << 63) - 1)),
    BIGINT_UNSIGNED,
    kind("FLOAT", Values::Float),
    kind("DOUBLE", Values::Double),
    kind("DECIMAL(10,3)", Values::Decimal(10, 3)),
    kind("DECIMAL(5,0)", Values::Decimal(5, 0)),
    kind("DECIMAL(65,30)", Values::Decimal(65, 30)),
    kind("BIT(1)", Values::Bits(1)),
    kind("BIT(17)", Values::Bits(17)),
    kind("BIT(64)", Values::Bits(64)),
    kind("CHAR(20) CHARACTER SET utf8mb4", Values::Text(20, true)),
    kind("VARCHAR(50) CHARACTER SET latin1", Values::Text(50, false)),
    kind("TEXT CHARACTER SET utf8mb4", Values::Text(300, true)),
    kind("BINARY(7)", Values::Bytes(7)),
    kind("VARBINARY(40)", Values::Bytes(40)),
    kind("BLOB", Values::Bytes(200)),
    kind("ENUM('a','b c','ü''','0','Z') CHARACTER SET utf8mb4", Values::Label(LABELS)),
    kind("SET('a','b c','ü''','0','Z') CHARACTER SET utf8mb4", Values::Labels(LABELS)),
    kind("DATE", Values::Date),
    kind("DATETIME", Values::DateTime(0)),
    kind("DATETIME(3)", Values::DateTime(3)),
    kind("DATETIME(6)", Values::DateTime(6)),
    kind("TIMESTAMP", Values::Timestamp(0)),
    kind("TIMESTAMP(6)", Values::Timestamp(6)),
    kind("TIME", Values::Time(0)),
    kind("TIME(6)", Values::Time(6)),
    kind("YEAR", Values::Year),
    kind("JSON", Values::Json),
    kind("POINT", Values::Point),
    kind("VECTOR(3)", Values::Vector),
];

/// Columns that are added later, with the default that the rows before get.
pub const ADDED: &[(Kind, &str)] = &[
    (INT, "-7"),
    (BIGINT_UNSIGNED, "18446744073709551615"),
    (kind("DECIMAL(10,3)", Values::Decimal(10, 3)), "-12.5"),
    (SHORT_TEXT, "'é x'"),
    (kind("DATE", Values::Date), "'1999-12-31'"),
    (kind("DATETIME(6)", Values::DateTime(6)), "'2024-02-29 23:59:59.000001'"),
    (kind("ENUM('a','b c','ü''','0','Z') CHARACTER SET utf8mb4", Values::Label(LABELS)), "'b c'"),
    (kind("DOUBLE", Values::Double), "2.5"),
];

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02X}");
        text
    })
}

fn text(most: usize, wide: bool, random: &mut Random) -> String {
    const NARROW: &[&str] = &["a", "Z", "0", " ", "'", "\\", "é", "ÿ", "\n", "\t", "%", "\""];
    const WIDE: &[&str] = &["日", "ß", "😀", "\u{301}"];
    (0..random.below(most + 1))
        .map(|_| if wide && random.chance(30) { random.pick(WIDE) } else { random.pick(NARROW) })
        .collect()
}

fn digits(count: u8, random: &mut Random) -> String {
    (0..count).map(|_| char::from(b'0' + random.below(10) as u8)).collect()
}

fn fraction(count: u8, random: &mut Random) -> String {
    if count == 0 { String::new() } else { format!(".{}", digits(count, random)) }
}

fn day(from: i64, to: i64, random: &mut Random) -> String {
    format!("{:04}-{:02}-{:02}", random.between(from, to), random.between(1, 12), random.between(1, 28))
}

fn clock(random: &mut Random) -> String {
    format!("{:02}:{:02}:{:02}", random.below(24), random.below(60), random.below(60))
}

fn json(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth > 2 { 5 } else { 7 }) {
        0 => Value::Null,
        1 => random.chance(50).into(),
        2 => random.between(i64::MIN / 2, i64::MAX / 2).into(),
        3 => (random.between(-1000, 1000) as f64 / 8.0).into(),
        4 => text(12, true, random).into(),
        5 => (0..random.below(4)).map(|_| json(random, depth + 1)).collect(),
        _ => Value::Object(
            (0..random.below(4)).map(|place| (format!("k{place}"), json(random, depth + 1))).collect(),
        ),
    }
}

impl Values {
    /// A literal for MySQL.
    pub fn literal(self, random: &mut Random) -> String {
        match self {
            Values::Integer(from, to) => {
                let number = match random.below(6) {
                    0 => from,
                    1 => to,
                    2 => from.max(0),
                    _ => from + i128::from(random.next()) % (to - from + 1),
                };
                number.to_string()
            }
            Values::Float => format!("{}e{}", random.between(-99_999, 99_999), random.between(-20, 20)),
            Values::Double => format!("{}e{}", random.between(-1 << 52, 1 << 52), random.between(-250, 250)),
            Values::Decimal(precision, scale) => {
                let sign = if random.chance(50) { "-" } else { "" };
                let whole = 1 + random.below(usize::from(precision - scale)) as u8;
                format!("{sign}{}{}", digits(whole, random), fraction(scale, random))
            }
            Values::Bits(count) => (random.next() >> (64 - u32::from(count))).to_string(),
            Values::Text(most, wide) => format!("_utf8mb4 X'{}'", hex(text(most, wide, random).as_bytes())),
            Values::Bytes(most) => {
                let length = random.length(most).min(most);
                format!("X'{}'", hex(&random.bytes(length)))
            }
            Values::Label(labels) => format!("'{}'", random.pick(labels).replace('\'', "''")),
            Values::Labels(labels) => {
                let some: Vec<String> = labels
                    .iter()
                    .filter(|_| random.chance(40))
                    .map(|label| label.replace('\'', "''"))
                    .collect();
                format!("'{}'", some.join(","))
            }
            Values::Date => format!("'{}'", day(1900, 2299, random)),
            Values::DateTime(places) => {
                format!("'{} {}{}'", day(1900, 2299, random), clock(random), fraction(places, random))
            }
            Values::Timestamp(places) => {
                format!("'{} {}{}'", day(1971, 2037, random), clock(random), fraction(places, random))
            }
            Values::Time(places) => {
                let sign = if random.chance(50) { "-" } else { "" };
                let (minutes, seconds) = (random.below(60), random.below(60));
                let hours = random.below(838);
                format!("'{sign}{hours}:{minutes:02}:{seconds:02}{}'", fraction(places, random))
            }
            Values::Year => random.between(1901, 2155).to_string(),
            Values::Json => format!("_utf8mb4 X'{}'", hex(json(random, 0).to_string().as_bytes())),
            Values::Point => {
                format!("ST_GeomFromText('POINT({} {})')", random.between(-999, 999), random.between(-99, 99))
            }
            Values::Vector => {
                let numbers: Vec<String> =
                    (0..3).map(|_| (random.between(-999, 999) as f64 / 4.0).to_string()).collect();
                format!("STRING_TO_VECTOR('[{}]')", numbers.join(","))
            }
        }
    }

    /// What MySQL is asked for.
    fn mysql(self, name: &str) -> String {
        match self {
            Values::Float => format!("CAST(CAST({name} AS DOUBLE) AS CHAR)"),
            Values::Bits(_) | Values::Year => format!("CAST({name} + 0 AS CHAR)"),
            Values::Text(..) | Values::Label(_) | Values::Labels(_) => {
                format!("HEX(CONVERT({name} USING utf8mb4))")
            }
            Values::Bytes(_) => format!("HEX({name})"),
            Values::Point => format!("HEX(ST_AsBinary({name}))"),
            Values::Vector => format!("VECTOR_TO_STRING({name})"),
            _ => format!("CAST({name} AS CHAR)"),
        }
    }

    /// What ClickHouse is asked for.
    fn clickhouse(self, name: &str) -> String {
        match self {
            Values::Float => format!("toString(toFloat64({name}))"),
            Values::Bits(1) => format!("toString(toUInt8({name}))"),
            Values::Text(..) | Values::Label(_) | Values::Labels(_) | Values::Bytes(_) | Values::Point => {
                format!("hex({name})")
            }
            _ => format!("toString({name})"),
        }
    }

    /// Another value than the one that a cell of ClickHouse has.
    fn other(self, name: &str) -> String {
        match self {
            Values::Integer(..) | Values::Bits(_) | Values::Year => format!("bitXor({name}, 1)"),
            Values::Float | Values::Double => format!("if({name} = 0, 1, {name} / 2)"),
            Values::Decimal(..) => format!("if({name} = 0, '1', toString(-{name}))"),
            Values::Date => format!("{name} + 1"),
            Values::DateTime(_) | Values::Timestamp(_) => format!("{name} + INTERVAL 1 SECOND"),
            Values::Time(_) => {
                format!(
                    "if(toString({name}) LIKE '-%', substring(toString({name}), 2), concat('-', toString({name})))"
                )
            }
            Values::Json => "'{\"another\": 1}'".to_owned(),
            Values::Vector => format!("arrayPushBack({name}, 1)"),
            Values::Text(..) | Values::Bytes(_) | Values::Label(_) | Values::Labels(_) | Values::Point => {
                format!("concat({name}, 'x')")
            }
        }
    }

    /// Whether two cells are the same.
    fn same(self, mysql: &str, clickhouse: &str) -> bool {
        match self {
            Values::Float => {
                // Of a double in place of the FLOAT MySQL prints 16 digits.
                let number = |text: &str| text.parse::<f64>().ok().map(|number| (number as f32).to_bits());
                number(mysql).is_some() && number(mysql) == number(clickhouse)
            }
            Values::Double => {
                let bits = |text: &str| text.parse::<f64>().ok().map(f64::to_bits);
                bits(mysql).is_some() && bits(mysql) == bits(clickhouse)
            }
            Values::Decimal(..) => decimal(mysql) == decimal(clickhouse),
            Values::Time(_) => micros(mysql).is_some() && micros(mysql) == micros(clickhouse),
            Values::Json => {
                let parsed = |text: &str| serde_json::from_str::<Value>(text).ok();
                parsed(mysql).is_some() && parsed(mysql) == parsed(clickhouse)
            }
            Values::Vector => {
                let parsed = |text: &str| serde_json::from_str::<Vec<f32>>(text).ok();
                parsed(mysql).is_some() && parsed(mysql) == parsed(clickhouse)
            }
            _ => mysql == clickhouse,
        }
    }
}

/// Digits without zeros that say nothing.
fn decimal(text: &str) -> &str {
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text };
    if text == "-0" { "0" } else { text }
}

/// Microseconds of `-838:59:59.000000`, or of a number of them.
fn micros(text: &str) -> Option<i64> {
    let (sign, rest) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let Some((hours, rest)) = rest.split_once(':') else { return text.parse().ok() };
    let (minutes, rest) = rest.split_once(':')?;
    let (seconds, fraction) = rest.split_once('.').unwrap_or((rest, ""));
    let fraction: i64 = format!("{fraction:0<6}").parse().ok()?;
    let whole = (hours.parse::<i64>().ok()? * 60 + minutes.parse::<i64>().ok()?) * 60
        + seconds.parse::<i64>().ok()?;
    Some(sign * (whole * 1_000_000 + fraction))
}

impl Column {
    pub fn quoted(&self) -> String {
        format!("`{}`", self.name)
    }

    /// As it stands in CREATE TABLE.
    pub fn definition(&self) -> String {
        format!("{} {} {}", self.quoted(), self.kind.sql, if self.nullable { "NULL" } else { "NOT NULL" })
    }

    /// A literal, at times NULL.
    pub fn literal(&self, random: &mut Random) -> String {
        if self.nullable && random.chance(20) { "NULL".to_owned() } else { self.kind.values.literal(random) }
    }

    pub fn mysql(&self) -> String {
        self.kind.values.mysql(&self.quoted())
    }

    pub fn clickhouse(&self) -> String {
        self.kind.values.clickhouse(&self.quoted())
    }

    pub fn other(&self) -> String {
        self.kind.values.other(&self.quoted())
    }

    pub fn same(&self, mysql: Option<&str>, clickhouse: Option<&str>) -> bool {
        match (mysql, clickhouse) {
            (Some(mysql), Some(clickhouse)) => self.kind.values.same(mysql, clickhouse),
            (None, None) => true,
            _ => false,
        }
    }
}
