//! Column types as the wire numbers them (`enum_field_types`, include/field_types.h of the server).

use crate::wire::error::WireError;

macro_rules! column_types {
    ($($(#[$doc:meta])* $variant:ident = $code:literal, $name:literal;)*) => {
        /// A column type on the wire.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum ColumnType {
            $($(#[$doc])* $variant = $code,)*
        }

        impl ColumnType {
            /// The type of a code; an error names a code that no server uses.
            pub fn from_code(code: u8) -> Result<Self, WireError> {
                match code {
                    $($code => Ok(ColumnType::$variant),)*
                    140 => Err(WireError::UnsupportedColumnType { code, name: "MariaDB BLOB_COMPRESSED" }),
                    141 => Err(WireError::UnsupportedColumnType { code, name: "MariaDB VARCHAR_COMPRESSED" }),
                    _ => Err(WireError::UnsupportedColumnType { code, name: "unknown" }),
                }
            }

            /// The name in the server's sources, without `MYSQL_TYPE_`.
            pub fn name(self) -> &'static str {
                match self {
                    $(ColumnType::$variant => $name,)*
                }
            }
        }
    };
}

column_types! {
    /// DECIMAL before MySQL 5.0.
    Decimal = 0, "DECIMAL";
    /// TINYINT, BOOLEAN.
    Tiny = 1, "TINY";
    /// SMALLINT.
    Short = 2, "SHORT";
    /// INT.
    Long = 3, "LONG";
    /// FLOAT.
    Float = 4, "FLOAT";
    /// DOUBLE.
    Double = 5, "DOUBLE";
    /// No value at all.
    Null = 6, "NULL";
    /// TIMESTAMP before MySQL 5.6; every TIMESTAMP in a result set.
    Timestamp = 7, "TIMESTAMP";
    /// BIGINT.
    LongLong = 8, "LONGLONG";
    /// MEDIUMINT.
    Int24 = 9, "INT24";
    /// DATE.
    Date = 10, "DATE";
    /// TIME before MySQL 5.6; every TIME in a result set.
    Time = 11, "TIME";
    /// DATETIME before MySQL 5.6; every DATETIME in a result set.
    DateTime = 12, "DATETIME";
    /// YEAR.
    Year = 13, "YEAR";
    /// DATE, inside of the server.
    NewDate = 14, "NEWDATE";
    /// VARCHAR, VARBINARY.
    VarChar = 15, "VARCHAR";
    /// BIT.
    Bit = 16, "BIT";
    /// TIMESTAMP with fractional seconds.
    Timestamp2 = 17, "TIMESTAMP2";
    /// DATETIME with fractional seconds.
    DateTime2 = 18, "DATETIME2";
    /// TIME with fractional seconds.
    Time2 = 19, "TIME2";
    /// The hidden column of a multi-valued index.
    TypedArray = 20, "TYPED_ARRAY";
    /// VECTOR.
    Vector = 242, "VECTOR";
    /// JSON.
    Json = 245, "JSON";
    /// DECIMAL.
    NewDecimal = 246, "NEWDECIMAL";
    /// ENUM, as the metadata of a STRING.
    Enum = 247, "ENUM";
    /// SET, as the metadata of a STRING.
    Set = 248, "SET";
    /// TINYTEXT, TINYBLOB.
    TinyBlob = 249, "TINY_BLOB";
    /// MEDIUMTEXT, MEDIUMBLOB.
    MediumBlob = 250, "MEDIUM_BLOB";
    /// LONGTEXT, LONGBLOB.
    LongBlob = 251, "LONG_BLOB";
    /// The TEXT and BLOB family; the metadata says which.
    Blob = 252, "BLOB";
    /// VARCHAR, VARBINARY in a result set.
    VarString = 253, "VAR_STRING";
    /// CHAR, BINARY; in table maps also ENUM and SET.
    String = 254, "STRING";
    /// GEOMETRY and its kin.
    Geometry = 255, "GEOMETRY";
}

impl ColumnType {
    /// The code on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Whether `binlog_row_image=NOBLOB` leaves such columns out where they are not needed: the TEXT and BLOB family, but not
    /// JSON, geometry and vectors, which are of other types (seen on MySQL 5.7 to 9.7).
    pub fn may_be_left_out(self) -> bool {
        matches!(
            self,
            ColumnType::TinyBlob | ColumnType::MediumBlob | ColumnType::LongBlob | ColumnType::Blob
        )
    }

    /// The error of a type that a reader does not take.
    pub(crate) fn unsupported(self) -> WireError {
        WireError::UnsupportedColumnType { code: self.code(), name: self.name() }
    }
}
