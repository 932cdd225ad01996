//! The data types of MySQL and MariaDB, each with every spelling of its name.
//!
//! A type has many names (`INT`, `INTEGER`, `INT4`), and Debezium keeps the one that was written: its schema history has
//! `INTEGER UNSIGNED ZEROFILL` where the server says `int unsigned`. Everything that depends on the type (the value's
//! mapping, the binlog types that may carry it, what DDL may write behind its name) asks for the [`DataType`] and matches
//! it without a catch-all, so that a new type does not compile until each of these places knows it.
//!
//! Manual: "Data Types", "Using Data Types from Other Database Engines"; MariaDB's: "Data Types".

use crate::schema::column::Column;

/// What may stand behind the name of a type in a column definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// `(length[, scale])`, SIGNED, UNSIGNED, ZEROFILL.
    Number,
    /// `(length)` and nothing else.
    Plain,
    /// `(length)`, character set, BINARY, ASCII, UNICODE, BYTE.
    Text,
    /// `(length)` and BINARY; the character set is utf8 by itself.
    National,
    /// `('a','b')`, then as text.
    Members,
    /// Nothing: the name alone is BIGINT UNSIGNED NOT NULL AUTO_INCREMENT UNIQUE.
    Serial,
}

/// A name of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spelling {
    /// Its words, in upper case.
    pub words: &'static [&'static str],
    /// What it names.
    pub data_type: DataType,
    /// The java.sql.Types number that Debezium gives this spelling, read off schema histories that it wrote.
    pub jdbc_type: i32,
    /// What may follow.
    pub syntax: Syntax,
}

macro_rules! data_types {
    ($($(#[$doc:meta])* $variant:ident { $([$($word:literal)+] = $jdbc:literal, $syntax:ident;)+ })*) => {
        /// A data type, whatever its spelling.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum DataType {
            $($(#[$doc])* $variant,)*
        }

        /// All names of all types.
        const SPELLINGS: &[Spelling] = &[
            $($(Spelling {
                words: &[$($word),+],
                data_type: DataType::$variant,
                jdbc_type: $jdbc,
                syntax: Syntax::$syntax,
            },)+)*
        ];
    };
}

data_types! {
    /// TINYINT(1), as a statement names it; SHOW CREATE TABLE prints that.
    Boolean { ["BOOLEAN"] = 16, Plain; ["BOOL"] = 16, Plain; }
    /// One byte.
    TinyInt { ["TINYINT"] = 5, Number; ["INT1"] = 5, Number; }
    /// Two bytes.
    SmallInt { ["SMALLINT"] = 5, Number; ["INT2"] = 5, Number; }
    /// Three bytes.
    MediumInt { ["MEDIUMINT"] = 4, Number; ["MIDDLEINT"] = 4, Number; ["INT3"] = 4, Number; }
    /// Four bytes.
    Int { ["INT"] = 4, Number; ["INTEGER"] = 4, Number; ["INT4"] = 4, Number; }
    /// Eight bytes.
    BigInt { ["BIGINT"] = -5, Number; ["INT8"] = -5, Number; ["SERIAL"] = -5, Serial; }
    /// Single precision; FLOAT(p) above 24 bits is double precision.
    Float { ["FLOAT"] = 6, Number; ["FLOAT4"] = 6, Number; }
    /// Double precision.
    Double { ["DOUBLE"] = 8, Number; ["DOUBLE" "PRECISION"] = 8, Number; ["FLOAT8"] = 8, Number; }
    /// Double precision, or single precision under the SQL mode REAL_AS_FLOAT.
    Real { ["REAL"] = 7, Number; }
    /// Decimal digits. NUMBER is MariaDB's.
    Decimal {
        ["DECIMAL"] = 3, Number; ["DEC"] = 3, Number; ["FIXED"] = 3, Number; ["NUMERIC"] = 2, Number;
        ["NUMBER"] = 3, Number;
    }
    /// 1 to 64 bits.
    Bit { ["BIT"] = -7, Plain; }
    /// Text of a fixed length.
    Char {
        ["CHAR"] = 1, Text; ["CHARACTER"] = 1, Text;
        ["NCHAR"] = -15, National; ["NATIONAL" "CHAR"] = -15, National; ["NATIONAL" "CHARACTER"] = -15, National;
    }
    /// Text up to a length. VARCHAR2 is MariaDB's.
    VarChar {
        ["VARCHAR"] = 12, Text; ["VARCHARACTER"] = 12, Text; ["VARCHAR2"] = 12, Text;
        ["CHAR" "VARYING"] = 12, Text; ["CHARACTER" "VARYING"] = 12, Text;
        ["NVARCHAR"] = -9, National; ["NCHAR" "VARCHAR"] = -9, National; ["NCHAR" "VARCHARACTER"] = -9, National;
        ["NCHAR" "VARYING"] = -9, National;
        ["NATIONAL" "VARCHAR"] = -9, National; ["NATIONAL" "VARCHARACTER"] = -9, National;
        ["NATIONAL" "CHAR" "VARYING"] = -9, National; ["NATIONAL" "CHARACTER" "VARYING"] = -9, National;
    }
    /// Text up to 2^8 bytes.
    TinyText { ["TINYTEXT"] = 12, Text; }
    /// Text up to 2^16 bytes.
    Text { ["TEXT"] = 12, Text; }
    /// Text up to 2^24 bytes.
    MediumText {
        ["MEDIUMTEXT"] = 12, Text; ["LONG"] = 12, Text; ["LONG" "VARCHAR"] = 12, Text;
        ["LONG" "VARCHARACTER"] = 12, Text; ["LONG" "CHAR" "VARYING"] = 12, Text;
        ["LONG" "CHARACTER" "VARYING"] = 12, Text;
    }
    /// Text up to 2^32 bytes. CLOB is MariaDB's.
    LongText { ["LONGTEXT"] = 12, Text; ["CLOB"] = 12, Text; }
    /// Bytes of a fixed length.
    Binary { ["BINARY"] = -2, Plain; }
    /// Bytes up to a length. RAW is MariaDB's.
    VarBinary { ["VARBINARY"] = -3, Plain; ["RAW"] = -3, Plain; }
    /// Up to 2^8 bytes.
    TinyBlob { ["TINYBLOB"] = 2004, Plain; }
    /// Up to 2^16 bytes.
    Blob { ["BLOB"] = 2004, Plain; }
    /// Up to 2^24 bytes.
    MediumBlob { ["MEDIUMBLOB"] = 2004, Plain; ["LONG" "VARBINARY"] = 2004, Plain; }
    /// Up to 2^32 bytes.
    LongBlob { ["LONGBLOB"] = 2004, Plain; }
    /// One of some labels.
    Enum { ["ENUM"] = 1, Members; }
    /// Any of some labels.
    Set { ["SET"] = 1, Members; }
    /// A JSON document; MariaDB's is LONGTEXT.
    Json { ["JSON"] = 1111, Plain; }
    /// A year.
    Year { ["YEAR"] = 4, Plain; }
    /// A day.
    Date { ["DATE"] = 91, Plain; }
    /// A duration.
    Time { ["TIME"] = 92, Plain; }
    /// A day and a time of day.
    DateTime { ["DATETIME"] = 93, Plain; }
    /// An instant.
    Timestamp { ["TIMESTAMP"] = 2014, Plain; }
    /// Any geometry.
    Geometry { ["GEOMETRY"] = 1111, Plain; }
    /// A point.
    Point { ["POINT"] = 1111, Plain; }
    /// A line.
    LineString { ["LINESTRING"] = 1111, Plain; }
    /// An area.
    Polygon { ["POLYGON"] = 1111, Plain; }
    /// Points.
    MultiPoint { ["MULTIPOINT"] = 1111, Plain; }
    /// Lines.
    MultiLineString { ["MULTILINESTRING"] = 1111, Plain; }
    /// Areas.
    MultiPolygon { ["MULTIPOLYGON"] = 1111, Plain; }
    /// Geometries of any kind.
    GeometryCollection { ["GEOMETRYCOLLECTION"] = 1111, Plain; ["GEOMCOLLECTION"] = 1111, Plain; }
    /// Numbers of single precision.
    Vector { ["VECTOR"] = 1111, Plain; }
    /// MariaDB: a UUID.
    Uuid { ["UUID"] = 1111, Plain; }
    /// MariaDB: an IPv4 address.
    Inet4 { ["INET4"] = 1111, Plain; }
    /// MariaDB: an IPv6 address.
    Inet6 { ["INET6"] = 1111, Plain; }
    /// MariaDB: an XML document.
    XmlType { ["XMLTYPE"] = 1111, Plain; }
}

/// The longest name for which `stands` says that it stands there.
pub(crate) fn longest_spelling(stands: impl Fn(&[&str]) -> bool) -> Option<&'static Spelling> {
    SPELLINGS.iter().filter(|spelling| stands(spelling.words)).max_by_key(|spelling| spelling.words.len())
}

impl DataType {
    /// The first of its names.
    pub(crate) fn spelling(self) -> &'static Spelling {
        // Each type has a name: the table is made so.
        SPELLINGS.iter().find(|spelling| spelling.data_type == self).unwrap_or(&SPELLINGS[0])
    }

    /// The type of a type name of the schema history: a name and the words that may follow it, such as `DOUBLE PRECISION
    /// UNSIGNED`. None when no server has such a type.
    ///
    /// ```
    /// use tidewire::schema::data_type::DataType;
    /// assert_eq!(DataType::named("INTEGER UNSIGNED ZEROFILL"), Some(DataType::Int));
    /// assert_eq!(DataType::named("CHAR BYTE"), Some(DataType::Binary));
    /// assert_eq!(DataType::named("HSTORE"), None);
    /// ```
    pub fn named(type_name: &str) -> Option<Self> {
        let words: Vec<&str> = words(type_name).collect();
        let spelling = longest_spelling(|name| {
            words.len() >= name.len()
                && words.iter().zip(name).all(|(word, other)| word.eq_ignore_ascii_case(other))
        })?;
        let mut data_type = spelling.data_type;
        for word in words.get(spelling.words.len()..)? {
            match word.to_ascii_uppercase().as_str() {
                "SIGNED" | "UNSIGNED" | "ZEROFILL" | "BINARY" | "ASCII" | "UNICODE" => {}
                "BYTE" => data_type = data_type.of_bytes(),
                _ => return None,
            }
        }
        Some(data_type)
    }

    /// What the server makes of the type in the character set `binary` (manual: "Character String Types"; `CHAR BYTE` is
    /// the same).
    pub fn of_bytes(self) -> Self {
        match self {
            DataType::Char => DataType::Binary,
            DataType::VarChar => DataType::VarBinary,
            DataType::TinyText => DataType::TinyBlob,
            DataType::Text => DataType::Blob,
            DataType::MediumText => DataType::MediumBlob,
            DataType::LongText => DataType::LongBlob,
            other => other,
        }
    }

    /// Whether values are instants, which the server can keep at the time of the last change.
    pub fn is_instant(self) -> bool {
        matches!(self, DataType::DateTime | DataType::Timestamp)
    }

    /// Whether values are of the TEXT or BLOB family.
    pub fn is_large(self) -> bool {
        matches!(
            self,
            DataType::TinyText
                | DataType::Text
                | DataType::MediumText
                | DataType::LongText
                | DataType::TinyBlob
                | DataType::Blob
                | DataType::MediumBlob
                | DataType::LongBlob
        )
    }

    /// Whether values are strings of bytes.
    pub fn is_binary(self) -> bool {
        matches!(
            self,
            DataType::Binary
                | DataType::VarBinary
                | DataType::TinyBlob
                | DataType::Blob
                | DataType::MediumBlob
                | DataType::LongBlob
        )
    }
}

/// The words of a type name; a length behind them is none.
fn words(type_name: &str) -> impl Iterator<Item = &str> {
    type_name.split('(').next().unwrap_or_default().split_ascii_whitespace()
}

impl Column {
    /// The column's type as the server has it: text of the character set `binary` is a string of bytes. None when no
    /// server has a type of this name.
    pub fn data_type(&self) -> Option<DataType> {
        let data_type = DataType::named(&self.type_name)?;
        let binary = self.charset_name.as_deref().is_some_and(|name| name.eq_ignore_ascii_case("binary"));
        Some(if binary { data_type.of_bytes() } else { data_type })
    }

    /// Whether the column's numbers are unsigned, which the cells of the binlog do not say. ZEROFILL implies it.
    pub fn is_unsigned(&self) -> bool {
        words(&self.type_name)
            .any(|word| ["UNSIGNED", "ZEROFILL", "SERIAL"].iter().any(|sign| word.eq_ignore_ascii_case(sign)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_with_and_without_what_follows_it() {
        for (name, data_type) in [
            ("BIGINT UNSIGNED ZEROFILL", DataType::BigInt),
            ("DOUBLE PRECISION UNSIGNED", DataType::Double),
            ("DOUBLE", DataType::Double),
            ("NATIONAL VARCHAR", DataType::VarChar),
            ("NATIONAL CHARACTER VARYING BINARY", DataType::VarChar),
            ("NATIONAL CHARACTER", DataType::Char),
            ("LONG VARCHAR", DataType::MediumText),
            ("LONG VARBINARY", DataType::MediumBlob),
            ("LONG", DataType::MediumText),
            ("LONG BYTE", DataType::MediumBlob),
            ("GEOMCOLLECTION", DataType::GeometryCollection),
            ("VARCHAR BINARY", DataType::VarChar),
            ("VARBINARY", DataType::VarBinary),
            ("timestamp(6)", DataType::Timestamp),
        ] {
            assert_eq!(DataType::named(name), Some(data_type), "{name}");
        }
        for spelling in SPELLINGS {
            assert_eq!(DataType::named(&spelling.words.join(" ")), Some(spelling.data_type));
        }
    }

    #[test]
    fn a_name_that_no_server_has_is_none() {
        for name in ["", "HSTORE", "NATIONAL", "INT VARYING", "PRECISION", "UNSIGNED"] {
            assert_eq!(DataType::named(name), None, "{name}");
        }
    }

    #[test]
    fn no_name_is_listed_twice() {
        for (place, spelling) in SPELLINGS.iter().enumerate() {
            assert!(
                !SPELLINGS.iter().skip(place + 1).any(|other| other.words == spelling.words),
                "{spelling:?}"
            );
        }
    }
}
