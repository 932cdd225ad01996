//! How long a text type is, and what becomes of it where its character set changes.
//!
//! The lengths of TEXT and its kin are in bytes. CONVERT TO keeps the number of characters that fit, and so takes a larger
//! type where the characters of the new set are longer (manual: "ALTER TABLE Statement"; MySQL source: `Create_field`,
//! `get_blob_type_from_length`). A type that was declared with a length, `TEXT(100)`, is the smallest one that holds so
//! many characters.

use crate::schema::column::Column;
use crate::schema::data_type::DataType;

/// The text types with the most bytes that they hold.
const TEXTS: [(DataType, u64); 4] = [
    (DataType::TinyText, 255),
    (DataType::Text, 65_535),
    (DataType::MediumText, 16_777_215),
    (DataType::LongText, 4_294_967_295),
];

/// The most bytes that a character takes (`information_schema.character_sets.maxlen`).
fn longest_character(charset: &str) -> u64 {
    match charset.to_ascii_lowercase().as_str() {
        "utf8mb4" | "utf16" | "utf16le" | "utf32" | "gb18030" => 4,
        "utf8mb3" | "utf8" | "ujis" | "eucjpms" => 3,
        "ucs2" | "gbk" | "gb2312" | "big5" | "sjis" | "cp932" | "euckr" => 2,
        _ => 1,
    }
}

/// The smallest type that holds so many bytes.
fn type_of(bytes: u64) -> DataType {
    TEXTS.iter().find(|(_, most)| *most >= bytes).map_or(DataType::LongText, |(data_type, _)| *data_type)
}

/// The type that the server makes of a column, where it is a text type.
fn stored_type(data_type: DataType, length: Option<i32>, charset: &str) -> Option<(DataType, u64)> {
    let (_, most) = *TEXTS.iter().find(|(known, _)| *known == data_type)?;
    let declared = length.and_then(|length| u64::try_from(length).ok()).filter(|length| *length > 0);
    Some(match declared {
        Some(characters) if data_type == DataType::Text => {
            let stored = type_of(characters.saturating_mul(longest_character(charset)));
            (stored, TEXTS.iter().find(|(known, _)| *known == stored).map_or(most, |(_, most)| *most))
        }
        _ => (data_type, most),
    })
}

/// Gives a text column another character set, and a larger type where its characters would no longer fit.
pub(crate) fn convert(column: &mut Column, charset: &str) {
    let Some(before) = column.charset_name.replace(charset.to_owned()) else { return };
    let Some(data_type) = DataType::named(&column.type_name) else { return };
    let Some((stored, most)) = stored_type(data_type, column.length, &before) else { return };
    let characters = most / longest_character(&before);
    let wanted = match stored {
        DataType::LongText => DataType::LongText,
        _ => type_of(characters * longest_character(charset)),
    };
    let by_itself = stored_type(data_type, column.length, charset).map(|(data_type, _)| data_type);
    if by_itself != Some(wanted) {
        let spelling = wanted.spelling();
        column.type_name = spelling.words.join(" ");
        column.type_expression.clone_from(&column.type_name);
        column.jdbc_type = spelling.jdbc_type;
        column.length = None;
    }
}
