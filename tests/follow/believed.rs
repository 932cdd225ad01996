//! The tables that are believed in, as facts.

use tidewire::schema::column::Column;
use tidewire::schema::data_type::DataType;
use tidewire::schema::database_schema::DatabaseSchema;
use tidewire::schema::ddl::binary_default;
use tidewire::schema::table::Table;

use crate::facts::{
    ColumnFacts, DefaultFact, TableFacts, Tables, charset_name, shortest_number, shortest_time,
};
use crate::ground::Server;

/// All tables of the databases for which `wanted` says so.
pub fn tables(schema: &DatabaseSchema, server: Server, wanted: impl Fn(&str) -> bool) -> Tables {
    let tables = schema.tables().filter(|table| wanted(&table.id.database));
    tables.map(|table| (table.id.to_string(), facts(table, server))).collect()
}

fn facts(table: &Table, server: Server) -> TableFacts {
    TableFacts {
        charset: charset_name(table.default_charset_name.as_deref().unwrap_or("none")),
        comment: table.comment.clone().unwrap_or_default(),
        key: table.primary_key_column_names.clone(),
        columns: table.columns.iter().map(|column| column_facts(column, server)).collect(),
    }
}

fn column_facts(column: &Column, server: Server) -> ColumnFacts {
    let data_type = column.data_type();
    let bytes = data_type.is_some_and(DataType::is_binary);
    let json = data_type == Some(DataType::Json);
    let charset = column.charset_name.as_deref().map(charset_name);
    // MariaDB's JSON is text.
    let charset = if json && server.is_mariadb() { Some("utf8mb4".to_owned()) } else { charset };
    ColumnFacts {
        name: column.name.clone(),
        column_type: column_type(column, server),
        charset: charset.filter(|name| !bytes && name != "binary"),
        nullable: column.optional,
        default: default(column),
        by_server: column.auto_incremented && column.generated,
        comment: column.comment.clone().unwrap_or_default(),
    }
}

fn default(column: &Column) -> DefaultFact {
    match (&column.default_value_expression, column.has_default_value) {
        (Some(text), true) => DefaultFact::Value(value(text, column)),
        (None, true) => DefaultFact::NullOrExpression,
        (None, false) => DefaultFact::Absent,
        (Some(text), false) => DefaultFact::Value(format!("{text} though there is none")),
    }
}

/// A default value in the spelling that both sides are brought to.
fn value(text: &str, column: &Column) -> String {
    use DataType as T;
    match column.data_type() {
        Some(
            T::Boolean
            | T::TinyInt
            | T::SmallInt
            | T::MediumInt
            | T::Int
            | T::BigInt
            | T::Float
            | T::Double
            | T::Real
            | T::Decimal
            | T::Year,
        ) => shortest_number(&rounded(text, column)),
        Some(T::Time | T::DateTime | T::Timestamp) => shortest_time(text),
        Some(T::Bit) => text.trim_start_matches('0').to_owned(),
        Some(data_type) if data_type.is_binary() => {
            // Text of the character set binary has a character for each byte.
            let spelled = DataType::named(&column.type_name).is_some_and(DataType::is_binary);
            let byte = |character: char| u8::try_from(u32::from(character)).unwrap_or(b'?');
            let mut bytes = if spelled { binary_default(text) } else { text.chars().map(byte).collect() };
            if data_type == T::Binary {
                let length = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
                bytes.truncate(length);
            }
            format!("{bytes:02x?}")
        }
        _ => text.to_owned(),
    }
}

/// A default of DECIMAL has the digits of the column, half rounded away from zero.
fn rounded(text: &str, column: &Column) -> String {
    let number = shortest_number(text);
    let scale = match (column.data_type(), column.scale.map(usize::try_from)) {
        (Some(DataType::Decimal), Some(Ok(scale))) => scale,
        _ => return number,
    };
    let Some((whole, fraction)) = number.split_once('.') else { return number };
    if fraction.len() <= scale {
        return number;
    }
    let (kept, cut) = fraction.split_at(scale);
    let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |whole| ("-", whole));
    let digits: i128 = format!("{whole}{kept}").parse().unwrap_or(0);
    let digits = format!("{:0>1$}", digits + i128::from(cut >= "5"), scale + 1);
    let (whole, kept) = digits.split_at(digits.len() - scale);
    format!("{sign}{whole}.{kept}")
}

/// Whether a character set has no character of one byte.
pub fn has_wide_units(charset: &str) -> bool {
    ["ucs2", "utf16", "utf16le", "utf32"].contains(&charset.to_ascii_lowercase().as_str())
}

/// The most bytes that a character takes.
pub fn longest_character(charset: Option<&str>) -> i64 {
    match charset.unwrap_or("binary").to_ascii_lowercase().as_str() {
        "utf8mb4" | "utf16" | "utf16le" | "utf32" | "gb18030" => 4,
        "utf8mb3" | "utf8" | "ujis" | "eucjpms" => 3,
        "ucs2" | "gbk" | "gb2312" | "big5" | "sjis" | "cp932" | "euckr" => 2,
        _ => 1,
    }
}

/// What `COLUMN_TYPE` would say.
fn column_type(column: &Column, server: Server) -> String {
    use DataType as T;
    let Some(data_type) = column.data_type() else { return format!("unknown {}", column.type_name) };
    let zerofill = column.type_name.contains("ZEROFILL");
    let length = column.length.map(i64::from);
    let number = |name: &str, dimension: bool| {
        let mut out = name.to_owned();
        if let (true, Some(length)) = (dimension, column.length) {
            out.push_str(&match column.scale {
                Some(scale) => format!("({length},{scale})"),
                None => format!("({length})"),
            });
        }
        if column.is_unsigned() {
            out.push_str(" unsigned");
        }
        if zerofill {
            out.push_str(" zerofill");
        }
        out
    };
    let sized = |name: &str, default: i64| format!("{name}({})", length.unwrap_or(default));
    let fraction = |name: &str| match length.unwrap_or(0) {
        0 => name.to_owned(),
        digits => format!("{name}({digits})"),
    };
    let lob = |plain: &str| {
        let Some(length) = length.filter(|length| *length > 0) else { return plain.to_owned() };
        let bytes = length * longest_character(column.charset_name.as_deref());
        let kind = if plain.ends_with("blob") { "blob" } else { "text" };
        match bytes {
            ..=255 => format!("tiny{kind}"),
            256..=65_535 => kind.to_owned(),
            65_536..=16_777_215 => format!("medium{kind}"),
            _ => format!("long{kind}"),
        }
    };
    let members = |name: &str| {
        // MySQL loses labels when it alters a table that has them in such a set.
        if column.charset_name.as_deref().is_some_and(has_wide_units) {
            return name.to_owned();
        }
        let members: Vec<String> = column.enum_values.iter().map(|value| unquote(value)).collect();
        format!("{name}{members:?}")
    };
    match data_type {
        T::Boolean => "tinyint".to_owned(),
        T::TinyInt => number("tinyint", false),
        T::SmallInt => number("smallint", false),
        T::MediumInt => number("mediumint", false),
        T::Int => number("int", false),
        T::BigInt => number("bigint", false),
        T::Float if column.scale.is_some() => number("float", true),
        T::Float if length.is_some_and(|bits| bits > 24) => number("double", false),
        T::Float => number("float", false),
        T::Double | T::Real => number("double", column.scale.is_some()),
        T::Decimal => number("decimal", true),
        T::Bit => sized("bit", 1),
        T::Char => sized("char", 1),
        T::VarChar => sized("varchar", 1),
        T::Binary => sized("binary", 1),
        T::VarBinary => sized("varbinary", 1),
        T::TinyText => "tinytext".to_owned(),
        T::Text => lob("text"),
        T::MediumText => "mediumtext".to_owned(),
        T::LongText => "longtext".to_owned(),
        T::TinyBlob => "tinyblob".to_owned(),
        T::Blob => lob("blob"),
        T::MediumBlob => "mediumblob".to_owned(),
        T::LongBlob => "longblob".to_owned(),
        T::Enum => members("enum"),
        T::Set => members("set"),
        T::Json if server.is_mariadb() => "longtext".to_owned(),
        T::Json => "json".to_owned(),
        T::Year => "year".to_owned(),
        T::Date => "date".to_owned(),
        T::Time => fraction("time"),
        T::DateTime => fraction("datetime"),
        T::Timestamp => fraction("timestamp"),
        T::Geometry => "geometry".to_owned(),
        T::Point => "point".to_owned(),
        T::LineString => "linestring".to_owned(),
        T::Polygon => "polygon".to_owned(),
        T::MultiPoint => "multipoint".to_owned(),
        T::MultiLineString => "multilinestring".to_owned(),
        T::MultiPolygon => "multipolygon".to_owned(),
        T::GeometryCollection => "geometrycollection".to_owned(),
        T::Vector => sized("vector", 2048),
        T::Uuid => "uuid".to_owned(),
        T::Inet4 => "inet4".to_owned(),
        T::Inet6 => "inet6".to_owned(),
        T::XmlType => "xmltype".to_owned(),
    }
}

/// A member of ENUM or SET out of its literal.
pub fn unquote(literal: &str) -> String {
    let inner = literal.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap_or(literal);
    let mut out = String::new();
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        match character {
            '\'' => {
                characters.next();
                out.push('\'');
            }
            '\\' => match characters.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('r') => out.push('\r'),
                Some('0') => out.push('\0'),
                Some(other) => out.push(other),
                None => out.push('\\'),
            },
            _ => out.push(character),
        }
    }
    out
}
