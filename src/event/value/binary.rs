//! BINARY, VARBINARY, BLOB, and text columns of the character set `binary`.
//!
//! By `binary.handling.mode` BYTES, or text in Base64 (standard or URL alphabet, both padded) or lower-case hexadecimal.
//! The binlog leaves out the zeros at the end of a BINARY(n); they are put back, in values and defaults. Manual: "The
//! BINARY and VARBINARY Types".

use base64::Engine;
use base64::engine::general_purpose::{GeneralPurpose, STANDARD, URL_SAFE};

use crate::config::modes::BinaryHandlingMode;
use crate::config::source::ValueConfig;
use crate::connect::cell::{CellSink, ColumnValue};
use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::event::value::error::{Failure, OTHER_KIND};
use crate::event::value::{Compiled, Family, literal, text_of};
use crate::schema::column::Column;

const HEX: &[u8; 16] = b"0123456789abcdef";

/// A column of bytes.
#[derive(Clone, Copy, Debug)]
pub struct Binary {
    mode: BinaryHandlingMode,
    /// The length to which values are filled with zeros; 0 for none.
    padded: usize,
}

/// `fixed`: the column is BINARY(n).
pub(super) fn compile(column: &Column, fixed: bool, values: &ValueConfig) -> Compiled {
    // BINARY(n) ends at 255.
    let padded = if fixed { usize::try_from(column.length.unwrap_or(1)).unwrap_or(0).min(255) } else { 0 };
    let family = Binary { mode: values.binary, padded };
    let default = column.default_value_expression.as_deref().map(|text| {
        // The schema history spells what is not text as 0x….
        let bytes = text.starts_with("0x").then(|| literal::hexadecimal(text)).flatten();
        let mut bytes = bytes.unwrap_or_else(|| text.as_bytes().to_vec());
        bytes.resize(bytes.len().max(padded), 0);
        family.value(bytes)
    });
    let kind = match values.binary {
        BinaryHandlingMode::Bytes => Type::Bytes,
        BinaryHandlingMode::Base64 | BinaryHandlingMode::Base64UrlSafe | BinaryHandlingMode::Hex => {
            Type::String
        }
    };
    Compiled {
        schema: Schema::new(kind),
        default: Ok(default),
        zero: family.value(Vec::new()),
        family: Family::Binary(family),
    }
}

impl Binary {
    pub(super) fn value(self, bytes: Vec<u8>) -> Value {
        let mut text = Vec::new();
        match self.mode {
            BinaryHandlingMode::Bytes => return Value::Bytes(bytes),
            BinaryHandlingMode::Base64 => base64(&STANDARD, &bytes, &mut text),
            BinaryHandlingMode::Base64UrlSafe => base64(&URL_SAFE, &bytes, &mut text),
            BinaryHandlingMode::Hex => hex(&bytes, &mut text),
        }
        // Both alphabets are ASCII.
        Value::String(String::from_utf8(text).unwrap_or_default())
    }

    #[inline]
    pub(super) fn write<S: CellSink>(
        &self,
        value: ColumnValue<'_>,
        scratch: &mut Vec<u8>,
        sink: &mut S,
    ) -> Result<(), Failure> {
        let bytes = match value {
            ColumnValue::Bytes(bytes) => bytes,
            ColumnValue::Text(text) => text.as_bytes(),
            _ => return Err(OTHER_KIND),
        };
        if bytes.len() >= self.padded {
            return self.write_whole(bytes, scratch, sink);
        }
        let mut filled = [0u8; 255];
        let Some(whole) = filled.get_mut(..self.padded) else { return Err(OTHER_KIND) };
        if let Some(start) = whole.get_mut(..bytes.len()) {
            start.copy_from_slice(bytes);
        }
        self.write_whole(whole, scratch, sink)
    }

    #[inline]
    fn write_whole<S: CellSink>(
        &self,
        bytes: &[u8],
        scratch: &mut Vec<u8>,
        sink: &mut S,
    ) -> Result<(), Failure> {
        scratch.clear();
        match self.mode {
            BinaryHandlingMode::Bytes => {
                sink.bytes(bytes);
                return Ok(());
            }
            BinaryHandlingMode::Base64 => base64(&STANDARD, bytes, scratch),
            BinaryHandlingMode::Base64UrlSafe => base64(&URL_SAFE, bytes, scratch),
            BinaryHandlingMode::Hex => hex(bytes, scratch),
        }
        sink.string(text_of(scratch)?);
        Ok(())
    }
}

fn base64(engine: &GeneralPurpose, bytes: &[u8], out: &mut Vec<u8>) {
    // Four characters for three bytes, begun groups are padded: exactly the encoded length.
    out.resize(bytes.len().div_ceil(3).saturating_mul(4), 0);
    let written = engine.encode_slice(bytes, out).unwrap_or(0);
    out.truncate(written);
}

fn hex(bytes: &[u8], out: &mut Vec<u8>) {
    for byte in bytes {
        out.extend([byte >> 4, byte & 0xf].iter().filter_map(|nibble| HEX.get(usize::from(*nibble))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::value::tests::{TestColumn, config};

    /// types_binary_bytes, types_binary_base64, types_binary_hex, and a run with `base64-url-safe`.
    #[test]
    fn bytes_come_by_the_mode() {
        for (mode, cells) in [
            (BinaryHandlingMode::Bytes, [r#""AQAAAA==""#, r#""Pj4+Pz8/""#, r#""""#]),
            (BinaryHandlingMode::Base64, [r#""AQAAAA==""#, r#""Pj4+Pz8/""#, r#""""#]),
            (BinaryHandlingMode::Base64UrlSafe, [r#""AQAAAA==""#, r#""Pj4-Pz8_""#, r#""""#]),
            (BinaryHandlingMode::Hex, [r#""01000000""#, r#""3e3e3e3f3f3f""#, r#""""#]),
        ] {
            let mut config = config();
            config.binary = mode;
            let kind = if mode == BinaryHandlingMode::Bytes { "bytes" } else { "string" };
            let fixed = TestColumn::new("BINARY").length(4);
            assert_eq!(fixed.schema_json(&config), format!(r#"{{"type":"{kind}","optional":false}}"#));
            let free = TestColumn::new("VARBINARY").length(20);
            let [padded, whole, empty] = cells;
            assert_eq!(fixed.json(&config, ColumnValue::Bytes(b"\x01")), padded);
            assert_eq!(free.json(&config, ColumnValue::Bytes(b">>>???")), whole);
            assert_eq!(free.json(&config, ColumnValue::Bytes(b"")), empty);
            assert_eq!(TestColumn::new("BLOB").json(&config, ColumnValue::Null), empty);
        }
    }

    /// By hand: what `binary(4) default 'ab'`, `varbinary(10) default 0x00ff00` and `binary(3) default 0x000102` store.
    #[test]
    fn defaults_are_the_bytes_that_are_stored() {
        for (type_name, text, default) in [
            ("BINARY", "ab", "YWIAAA=="),
            ("VARBINARY", "0x00FF00", "AP8A"),
            ("BINARY", "\0\u{1}\u{2}", "AAECAA=="),
            ("VARBINARY", "abc", "YWJj"),
            ("VARBINARY", "", ""),
        ] {
            assert_eq!(
                TestColumn::new(type_name).length(4).optional().default(text).schema_json(&config()),
                format!(r#"{{"type":"bytes","optional":true,"default":"{default}"}}"#)
            );
        }
    }
}
