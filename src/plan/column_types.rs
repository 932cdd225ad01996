//! Which binlog types can carry a column of a declared type.
//!
//! It is the last guard against a schema that went its own way (`sql_log_bin=0`): a value is never published under a type
//! that it does not have. Types that the server stores alike (all widths of TEXT, for one) are one kind here.

use crate::schema::column::Column;
use crate::wire::column_type::ColumnType;

/// Whether the binlog writes a column of this declaration as this type.
pub fn fits(column: &Column, sent: ColumnType) -> bool {
    let name = column.type_name.as_str();
    let base = name.split([' ', '(']).next().unwrap_or(name);
    match base {
        "TINYINT" | "BOOL" | "BOOLEAN" | "INT1" => sent == ColumnType::Tiny,
        "SMALLINT" | "INT2" => sent == ColumnType::Short,
        "MEDIUMINT" | "MIDDLEINT" | "INT3" => sent == ColumnType::Int24,
        "INT" | "INTEGER" | "INT4" => sent == ColumnType::Long,
        "BIGINT" | "SERIAL" | "INT8" => sent == ColumnType::LongLong,
        "DECIMAL" | "NUMERIC" | "DEC" | "FIXED" => {
            matches!(sent, ColumnType::NewDecimal | ColumnType::Decimal)
        }
        "FLOAT" | "DOUBLE" | "REAL" | "FLOAT4" | "FLOAT8" => {
            matches!(sent, ColumnType::Float | ColumnType::Double)
        }
        "BIT" => sent == ColumnType::Bit,
        "DATE" => matches!(sent, ColumnType::Date | ColumnType::NewDate),
        "TIME" => matches!(sent, ColumnType::Time | ColumnType::Time2),
        "DATETIME" => matches!(sent, ColumnType::DateTime | ColumnType::DateTime2),
        "TIMESTAMP" => matches!(sent, ColumnType::Timestamp | ColumnType::Timestamp2),
        "YEAR" => sent == ColumnType::Year,
        "ENUM" => sent == ColumnType::Enum,
        "SET" => sent == ColumnType::Set,
        "JSON" => sent == ColumnType::Json,
        "CHAR" | "CHARACTER" | "NCHAR" | "BINARY" | "VARCHAR" | "VARCHARACTER" | "NVARCHAR" | "VARBINARY"
        | "NATIONAL" => {
            matches!(sent, ColumnType::String | ColumnType::VarChar | ColumnType::VarString)
        }
        "TINYTEXT" | "TEXT" | "MEDIUMTEXT" | "LONGTEXT" | "LONG" | "TINYBLOB" | "BLOB" | "MEDIUMBLOB"
        | "LONGBLOB" => {
            matches!(
                sent,
                ColumnType::TinyBlob | ColumnType::Blob | ColumnType::MediumBlob | ColumnType::LongBlob
            )
        }
        // A type that has no mapping stops the plan with a better message.
        _ => true,
    }
}
