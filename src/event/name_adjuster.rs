//! Names that Avro accepts (`schema.name.adjustment.mode`, `field.name.adjustment.mode`).
//!
//! Avro's names are letters, digits and `_`, not beginning with a digit; schema names may have dots. What else there is
//! becomes `_` (`avro`; a leading digit stays behind a `_`), or `_u` with the hexadecimal number of the UTF-16 unit
//! (`avro_unicode`, where `_` itself and a leading digit are written so, too). Numbers of one or two digits get two
//! zeros in front, longer ones none: `_u009`, `_u005f`, `_u100`, `_u65e5`.

use crate::config::modes::NameAdjustmentMode;

/// The name of a schema.
pub fn schema_name(mode: NameAdjustmentMode, name: &str) -> String {
    adjust(mode, name, true)
}

/// The name of a field.
pub fn field_name(mode: NameAdjustmentMode, name: &str) -> String {
    adjust(mode, name, false)
}

fn adjust(mode: NameAdjustmentMode, name: &str, dots: bool) -> String {
    let unicode = match mode {
        NameAdjustmentMode::None => return name.to_owned(),
        NameAdjustmentMode::Avro => false,
        NameAdjustmentMode::AvroUnicode => true,
    };
    let mut adjusted = String::with_capacity(name.len());
    for (index, unit) in name.encode_utf16().enumerate() {
        let ascii = u8::try_from(unit).ok().filter(u8::is_ascii).map(char::from);
        let digit = ascii.filter(char::is_ascii_digit);
        match (ascii, digit) {
            (_, Some(digit)) if index > 0 => adjusted.push(digit),
            (_, Some(digit)) if !unicode => adjusted.extend(['_', digit]),
            (Some(letter), None) if letter.is_ascii_alphabetic() => adjusted.push(letter),
            (Some('_'), None) if !unicode => adjusted.push('_'),
            (Some('.'), None) if dots && index > 0 => adjusted.push('.'),
            _ if unicode => {
                let zeros = if unit <= 0xff { "00" } else { "" };
                adjusted.push_str(&format!("_u{zeros}{unit:x}"));
            }
            _ => adjusted.push('_'),
        }
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use NameAdjustmentMode::{Avro, AvroUnicode, None};

    /// types_names_avro, cfg_topic_names_dots, and a run with `avro_unicode`.
    #[test]
    fn fields_are_adjusted() {
        for (mode, name, field) in [
            (None, "ünï code", "ünï code"),
            (Avro, "order-id", "order_id"),
            (Avro, "1st", "_1st"),
            (Avro, "a b", "a_b"),
            (Avro, "ünïcode", "_n_code"),
            (Avro, "$dollar", "_dollar"),
            (Avro, "dot.ted", "dot_ted"),
            (Avro, "_ok", "_ok"),
            (Avro, "日本", "__"),
            (Avro, "q`tick", "q_tick"),
            (AvroUnicode, "1id_x", "_u0031id_u005fx"),
            (AvroUnicode, "日", "_u65e5"),
            (AvroUnicode, "a\tb", "a_u009b"),
            (AvroUnicode, "Ā", "_u100"),
            (AvroUnicode, "9", "_u0039"),
            (AvroUnicode, "d2", "d2"),
        ] {
            assert_eq!(field_name(mode, name), field);
        }
    }

    #[test]
    fn schemas_keep_their_dots() {
        for (mode, name, schema) in [
            (Avro, "srv.my-db.t-1_.Value", "srv.my_db.t_1_.Value"),
            (Avro, "p.my-db.2tab.Key", "p.my_db.2tab.Key"),
            (AvroUnicode, "ev_a.my-db._x.Key", "ev_u005fa.my_u002ddb._u005fx.Key"),
        ] {
            assert_eq!(schema_name(mode, name), schema);
        }
    }
}
