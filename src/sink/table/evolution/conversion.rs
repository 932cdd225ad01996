//! What becomes of old rows when MySQL changes the type of a column.
//!
//! It rewrites them without a row event. Where every value stays what it is, the column in ClickHouse is right after it was
//! widened; where values are rounded, padded, put in order or moved to another time zone, old rows would differ from then on.
//! Narrowing keeps the values that fit, and a strict server refuses the statement otherwise. MySQL manual: "ALTER TABLE",
//! "Type Conversion in Expression Evaluation".

use crate::sink::table::mapping::SourceType;

/// Whether every value of a column is the same after the change of its type.
pub(super) fn keeps_values(before: &SourceType, after: &SourceType) -> bool {
    use SourceType::{
        Binary, Bit, Bytes, DateTime, Decimal, Double, Enum, Float, Integer, Json, Set, Text, Time,
        Timestamp, TinyInt1, Year,
    };
    match (before, after) {
        (before, after) if before == after => true,
        (TinyInt1 | Integer { .. } | Bit(_), TinyInt1 | Integer { .. } | Bit(_))
        | (Year, Integer { .. })
        | (TinyInt1 | Integer { .. }, Decimal { .. })
        | (Float, Double) => true,
        (TinyInt1, Float | Double) => true,
        (Integer { bytes, .. }, Float) => *bytes <= 2,
        (Integer { bytes, .. }, Double) => *bytes <= 4,
        // Digits behind the point are rounded away without a word.
        (Decimal { scale: before, .. }, Decimal { scale: after, .. }) => before <= after,
        (DateTime(before), DateTime(after))
        | (Timestamp(before), Timestamp(after))
        | (Time(before), Time(after)) => before <= after,
        // Labels stay, whatever their number becomes; a text that becomes a SET is put in the order of the members.
        (Enum(_), Enum(_)) | (Enum(_) | Set | Json, Text) | (Text, Enum(_)) => true,
        (TinyInt1 | Integer { unsigned: false, .. }, Text) => true,
        (Binary(_), Bytes) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the manual.
    #[test]
    fn r_5_a_conversion_that_rewrites_values_is_known() {
        use SourceType::*;
        let int = |bytes| Integer { bytes, unsigned: false };
        let decimal = |precision, scale| Decimal { precision, scale };
        for (before, after, wanted) in [
            (int(4), int(8), true),
            (int(8), int(4), true),
            (int(4), Integer { bytes: 4, unsigned: true }, true),
            (TinyInt1, int(1), true),
            (Bit(1), int(4), true),
            (Year, int(4), true),
            (int(4), Year, false),
            (int(4), decimal(12, 2), true),
            (int(4), Double, true),
            (int(8), Double, false),
            (int(4), Float, false),
            (Float, Double, true),
            (Double, Float, false),
            (decimal(10, 2), decimal(12, 4), true),
            (decimal(10, 2), decimal(12, 1), false),
            (DateTime(3), DateTime(6), true),
            (DateTime(6), DateTime(3), false),
            (DateTime(3), Timestamp(3), false),
            (Timestamp(0), Timestamp(6), true),
            (Time(0), Time(3), true),
            (Date, DateTime(0), false),
            (Text, Text, true),
            (Enum(vec!["a".to_owned()]), Enum(vec!["b".to_owned(), "a".to_owned()]), true),
            (Enum(vec![]), Text, true),
            (Text, Enum(vec![]), true),
            (Text, Set, false),
            (Text, Json, false),
            (Json, Text, true),
            (int(4), Text, true),
            (Integer { bytes: 4, unsigned: true }, Text, false),
            (decimal(10, 2), Text, false),
            (Enum(vec![]), int(4), false),
            (Binary(4), Binary(8), false),
            (Binary(4), Bytes, true),
            (Bytes, Binary(4), false),
            (Text, Bytes, false),
            (Bytes, Text, false),
        ] {
            assert_eq!(keeps_values(&before, &after), wanted, "{before:?} {after:?}");
        }
    }
}
