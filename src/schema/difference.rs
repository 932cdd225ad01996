//! What is believed of a table against what the server says of it.
//!
//! A type has many spellings, and the server prints its own: `INTEGER` is `int`, `BOOL` is `tinyint(1)`, a display width
//! is gone in 8.0, `TEXT(100)` is `tinytext`. Two columns are the same when rows of the one read as rows of the other: the
//! type by its meaning, what counts of its length, the sign, the character set, the labels, NULL and the default. What
//! no record shows (indexes that are no keys, AUTO_INCREMENT, comments) is not compared.

use crate::connect::cell::{DateTime, Time};
use crate::schema::column::Column;
use crate::schema::data_type::DataType;
use crate::schema::ddl::literal::stored_text;
use crate::schema::table::{Table, same_column_name};
use crate::schema::temporal_literal::{DateLiteral, TimeLiteral};

/// One thing in which two versions of a table differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The column, unless it is about the table.
    pub column: Option<String>,
    /// What differs.
    pub what: &'static str,
    /// What is believed.
    pub believed: String,
    /// What the server says.
    pub actual: String,
}

/// Everything in which two versions of a table differ, the table first, then its columns in order.
pub fn differences(believed: &Table, actual: &Table) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut add = |column: Option<&str>, what, believed: String, actual: String| {
        if believed != actual {
            found.push(Difference { column: column.map(str::to_owned), what, believed, actual });
        }
    };
    let names = |table: &Table| table.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>();
    let (left, right) = (names(believed), names(actual));
    let same = left.len() == right.len() && left.iter().zip(&right).all(|(l, r)| same_column_name(l, r));
    if !same {
        add(None, "columns in order", left.join(", "), right.join(", "));
    }
    let key = |names: &[String]| listed(names.iter().map(|name| name.to_lowercase()).collect());
    add(None, "record key", key(&believed.primary_key_column_names), key(&actual.primary_key_column_names));
    // Unknown where only table changes were recovered.
    if !believed.unique_keys.is_empty() {
        add(None, "unique keys", unique_keys(believed), unique_keys(actual));
    }
    if let (Some(left), Some(right)) = (&believed.default_charset_name, &actual.default_charset_name) {
        add(None, "default character set", charset_name(left), charset_name(right));
    }
    for column in &believed.columns {
        let Some(other) = actual.column(&column.name) else { continue };
        let name = Some(column.name.as_str());
        if !is_json_of_mariadb(column, other) {
            add(name, "type", type_of(column), type_of(other));
            if let (Some(left), Some(right)) = (&column.charset_name, &other.charset_name) {
                add(name, "character set", charset_name(left), charset_name(right));
            }
        }
        add(name, "nullable", column.optional.to_string(), other.optional.to_string());
        if !same_default(column, other) {
            add(name, "default", default_of(column), default_of(other));
        }
    }
    found
}

fn listed(names: Vec<String>) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn unique_keys(table: &Table) -> String {
    let key = |columns: &[String]| format!("({})", columns.join(",").to_lowercase());
    let mut keys: Vec<String> =
        table.unique_keys.iter().map(|one| format!("{}{}", one.name, key(&one.columns))).collect();
    keys.sort_unstable();
    listed(keys)
}

/// MySQL 8.4 prints utf8mb3 for what older servers and statements call utf8.
fn charset_name(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    if name == "utf8" { "utf8mb3".to_owned() } else { name }
}

/// JSON is an alias there, and SHOW CREATE TABLE prints what it stands for.
fn is_json_of_mariadb(believed: &Column, actual: &Column) -> bool {
    believed.data_type() == Some(DataType::Json) && actual.data_type() == Some(DataType::LongText)
}

/// The type as its rows read, in one spelling.
fn type_of(column: &Column) -> String {
    let Some(data_type) = column.data_type() else { return column.type_name.clone() };
    let length = |usual: i32| column.length.unwrap_or(usual);
    let data_type = match data_type {
        DataType::Boolean => DataType::TinyInt,
        DataType::Real => DataType::Double,
        // Manual: "Floating-Point Types": a precision above 24 bits is double precision.
        DataType::Float if column.scale.is_none() && length(0) > 24 => DataType::Double,
        DataType::Text | DataType::Blob => sized(data_type, column),
        other => other,
    };
    let name = data_type.spelling().words.join(" ");
    match data_type {
        DataType::TinyInt | DataType::SmallInt | DataType::MediumInt | DataType::Int | DataType::BigInt => {
            if column.is_unsigned() {
                format!("{name} UNSIGNED")
            } else {
                name
            }
        }
        DataType::Decimal => format!("{name}({},{})", length(10), column.scale.unwrap_or(0)),
        DataType::Bit | DataType::Char | DataType::Binary => format!("{name}({})", length(1)),
        DataType::VarChar | DataType::VarBinary => format!("{name}({})", length(0)),
        DataType::Time | DataType::DateTime | DataType::Timestamp => format!("{name}({})", length(0)),
        // Manual: "The VECTOR Type".
        DataType::Vector => format!("{name}({})", length(2048)),
        DataType::Enum | DataType::Set => format!("{name}({})", labels(column)),
        DataType::Boolean
        | DataType::Real
        | DataType::Float
        | DataType::Double
        | DataType::TinyText
        | DataType::Text
        | DataType::MediumText
        | DataType::LongText
        | DataType::TinyBlob
        | DataType::Blob
        | DataType::MediumBlob
        | DataType::LongBlob
        | DataType::Json
        | DataType::Year
        | DataType::Date
        | DataType::Geometry
        | DataType::Point
        | DataType::LineString
        | DataType::Polygon
        | DataType::MultiPoint
        | DataType::MultiLineString
        | DataType::MultiPolygon
        | DataType::GeometryCollection
        | DataType::Uuid
        | DataType::Inet4
        | DataType::Inet6
        | DataType::XmlType => name,
    }
}

/// `TEXT(n)` is the smallest type that holds n characters (manual: "The BLOB and TEXT Types").
fn sized(data_type: DataType, column: &Column) -> DataType {
    let Some(length) = column.length.and_then(|length| u64::try_from(length).ok()) else { return data_type };
    let bytes = match column.charset_name.as_deref() {
        Some(name) if data_type == DataType::Text => length * longest_character(name),
        _ => length,
    };
    let place = [1_u64 << 8, 1 << 16, 1 << 24].iter().filter(|bound| bytes >= **bound).count();
    let types = if data_type == DataType::Text {
        [DataType::TinyText, DataType::Text, DataType::MediumText, DataType::LongText]
    } else {
        [DataType::TinyBlob, DataType::Blob, DataType::MediumBlob, DataType::LongBlob]
    };
    types.get(place).copied().unwrap_or(data_type)
}

/// Bytes (information_schema.CHARACTER_SETS.MAXLEN).
fn longest_character(charset: &str) -> u64 {
    match charset_name(charset).as_str() {
        "utf8mb4" | "utf16" | "utf16le" | "utf32" | "gb18030" => 4,
        "utf8mb3" | "ujis" | "eucjpms" => 3,
        "big5" | "cp932" | "euckr" | "gb2312" | "gbk" | "sjis" | "ucs2" => 2,
        _ => 1,
    }
}

/// The labels without their quotes: these have several spellings. Trailing blanks are not stored.
fn labels(column: &Column) -> String {
    let labels = column.enum_values.iter().map(|raw| stored_text(raw));
    labels.map(|label| format!("{:?}", label.trim_end_matches(' '))).collect::<Vec<_>>().join(",")
}

/// Defaults of TIMESTAMPs are printed in the time zone of the session and are not compared.
fn same_default(left: &Column, right: &Column) -> bool {
    if left.data_type() == Some(DataType::Timestamp) {
        return true;
    }
    let (Some(one), Some(two)) = (&left.default_value_expression, &right.default_value_expression) else {
        return default_of(left) == default_of(right);
    };
    let number = |text: &str| match text.to_ascii_lowercase().as_str() {
        "true" => Some(1.0),
        "false" => Some(0.0),
        text => text.trim().parse::<f64>().ok(),
    };
    // Debezium keeps the escapes of a literal.
    let unescaped = |text: &str| stored_text(&format!("'{text}'"));
    one == two
        || number(one).is_some_and(|one| number(two) == Some(one))
        || unescaped(one) == *two
        || same_moment(right, one, two)
}

/// The server fills in what a date, a time or a year leaves out, and rounds to the digits of the column.
fn same_moment(column: &Column, left: &str, right: &str) -> bool {
    let digits = column.length.and_then(|length| u8::try_from(length).ok()).unwrap_or_default();
    let both =
        |same: &dyn Fn(&str) -> Option<[u64; 3]>| same(left).is_some_and(|one| same(right) == Some(one));
    match column.data_type() {
        Some(DataType::Date | DataType::DateTime) => both(&|text| {
            let DateTime { date, hour, minute, second, micros } =
                DateLiteral::read(text)?.at_digits(digits, true)?;
            let day = u64::from(date.year) * 10_000 + u64::from(date.month) * 100 + u64::from(date.day);
            let clock = (u64::from(hour) * 60 + u64::from(minute)) * 60 + u64::from(second);
            Some([day, clock, micros.into()])
        }),
        Some(DataType::Time) => both(&|text| {
            let time = TimeLiteral::read(text)?.at_digits(digits, true);
            let Time { negative, hours, minutes, seconds, micros } = time;
            let clock = (u64::from(hours) * 60 + u64::from(minutes)) * 60 + u64::from(seconds);
            Some([clock, micros.into(), negative.into()])
        }),
        // Manual: "2-Digit YEAR(2) Limitations and Migrating to 4-Digit YEAR", "The YEAR Type".
        Some(DataType::Year) => both(&|text| match text.parse().ok()? {
            short @ 1..=69 => Some([2000 + short, 0, 0]),
            short @ 70..=99 => Some([1900 + short, 0, 0]),
            year => Some([year, 0, 0]),
        }),
        _ => false,
    }
}

fn default_of(column: &Column) -> String {
    match (&column.default_value_expression, column.has_default_value) {
        (Some(text), _) => format!("{text:?}"),
        (None, true) => "null or an expression".to_owned(),
        (None, false) => "none".to_owned(),
    }
}

#[cfg(test)]
mod tests;
