//! How long a text type is, and what becomes of it where its character set changes.
//!
//! The lengths of TEXT and its kin are in bytes. CONVERT TO keeps the number of characters that fit, and so takes a larger
//! type where the characters of the new set are longer (manual: "ALTER TABLE Statement"; MySQL source: `Create_field`,
//! `get_blob_type_from_length`). A type that was declared with a length, `TEXT(100)`, is the smallest one that holds so
//! many characters. A column that the same statement changes is defined in the new set. MySQL 8.0 and later give it the type
//! that holds as many characters as the old column did, whatever the statement says, unless that is LONGTEXT or LONGBLOB
//! (8.0.15, 9.7.4 and 5.7.19 were asked).
//!
//! Text that becomes binary strings keeps its bytes, and so does its default.

use crate::schema::charset::Charset;
use crate::schema::column::Column;
use crate::schema::data_type::DataType;

/// The text types with the most bytes that they hold.
const TEXTS: [(DataType, u64); 4] = [
    (DataType::TinyText, 255),
    (DataType::Text, 65_535),
    (DataType::MediumText, 16_777_215),
    (DataType::LongText, 4_294_967_295),
];

/// The same of bytes.
const BLOBS: [(DataType, u64); 4] = [
    (DataType::TinyBlob, 255),
    (DataType::Blob, 65_535),
    (DataType::MediumBlob, 16_777_215),
    (DataType::LongBlob, 4_294_967_295),
];

/// `java.sql.Types.OTHER`.
const OTHER: i32 = 1111;

/// The most characters of numbers, dates and times, or few enough to stay below the limits of the types.
const WIDTH: u64 = 32;

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

/// Gives a column of the TEXT or BLOB family, changed beside CONVERT TO, the type that holds what the old column could.
pub(crate) fn resize(column: &mut Column, old: &Column) {
    let Some(data_type) = DataType::named(&column.type_name) else { return };
    let holds = |family: &[(DataType, u64); 4]| family.iter().any(|(known, _)| *known == data_type);
    let family = match data_type {
        DataType::LongText | DataType::LongBlob => return,
        _ if holds(&TEXTS) => TEXTS,
        _ if holds(&BLOBS) => BLOBS,
        _ => return,
    };
    let bytes =
        width(old).saturating_mul(longest_character(column.charset_name.as_deref().unwrap_or_default()));
    if column.length.is_none()
        && let Some((wanted, _)) = family.iter().find(|(_, most)| *most >= bytes).or(family.last())
        && *wanted != data_type
    {
        spell(column, *wanted);
    }
}

/// The most characters, or bytes, that a column holds.
fn width(column: &Column) -> u64 {
    let length =
        |otherwise: u64| column.length.and_then(|length| u64::try_from(length).ok()).unwrap_or(otherwise);
    let labels = || column.enum_values.iter().map(|label| label.chars().count().saturating_sub(2) as u64);
    let Some(data_type) = DataType::named(&column.type_name) else { return WIDTH };
    if let Some((_, most)) = BLOBS.iter().find(|(known, _)| *known == data_type) {
        return *most;
    }
    let charset = column.charset_name.as_deref().unwrap_or_default();
    if let Some((_, most)) = stored_type(data_type, column.length, charset) {
        return most / longest_character(charset);
    }
    match data_type {
        DataType::Char | DataType::VarChar | DataType::Binary | DataType::VarBinary | DataType::Bit => {
            length(1)
        }
        DataType::Decimal => length(10) + 2,
        DataType::Enum => labels().max().unwrap_or(0),
        DataType::Set => labels().map(|label| label + 1).sum(),
        // Documents, geometries, vectors.
        _ if data_type.spelling().jdbc_type == OTHER => u64::from(u32::MAX),
        _ => WIDTH,
    }
}

fn spell(column: &mut Column, data_type: DataType) {
    let spelling = data_type.spelling();
    column.type_name = spelling.words.join(" ");
    column.type_expression.clone_from(&column.type_name);
    column.jdbc_type = spelling.jdbc_type;
    column.length = None;
}

/// The bytes of a default, a character each.
fn default_of_bytes(column: &mut Column, before: &str) {
    let text = column.default_value_expression.as_deref().filter(|_| column.enum_values.is_empty());
    if let Some(bytes) = text.zip(Charset::named(before)).and_then(|(text, charset)| charset.encode(text)) {
        column.default_value_expression = Some(bytes.into_iter().map(char::from).collect());
    }
}

/// Gives a text column another character set, and a larger type where its characters would no longer fit.
pub(crate) fn convert(column: &mut Column, charset: &str) {
    let Some(before) = column.charset_name.replace(charset.to_owned()) else { return };
    if charset.eq_ignore_ascii_case("binary") {
        default_of_bytes(column, &before);
    }
    let Some(data_type) = DataType::named(&column.type_name) else { return };
    let Some((stored, most)) = stored_type(data_type, column.length, &before) else { return };
    let characters = most / longest_character(&before);
    let wanted = match stored {
        DataType::LongText => DataType::LongText,
        _ => type_of(characters * longest_character(charset)),
    };
    let by_itself = stored_type(data_type, column.length, charset).map(|(data_type, _)| data_type);
    if by_itself != Some(wanted) {
        spell(column, wanted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What MySQL 5.7.19 and 9.7.4 have after `CONVERT TO CHARACTER SET binary`: ucs2 'n' is 00 6e, latin1 'é' is e9.
    #[test]
    fn defaults_keep_their_bytes() {
        for (charset, text, bytes) in
            [("ucs2", "n", "\0n"), ("latin1", "é", "\u{e9}"), ("utf8mb4", "é", "\u{c3}\u{a9}")]
        {
            let mut column = Column {
                type_name: "VARCHAR".to_owned(),
                charset_name: Some(charset.to_owned()),
                default_value_expression: Some(text.to_owned()),
                ..Column::default()
            };
            convert(&mut column, "binary");
            assert_eq!(column.default_value_expression.as_deref(), Some(bytes), "{charset}");
        }
    }
}
