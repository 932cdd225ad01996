//! Literals, numbers and strings of JSONB.

use std::io::Write;

use crate::wire::error::WireError;
use crate::wire::jsonb::READING;
use crate::wire::reader::Reader;

pub(super) const LITERAL: u8 = 0x04;
pub(super) const INT16: u8 = 0x05;
pub(super) const UINT16: u8 = 0x06;
pub(super) const INT32: u8 = 0x07;
pub(super) const UINT32: u8 = 0x08;
const INT64: u8 = 0x09;
const UINT64: u8 = 0x0a;
const DOUBLE: u8 = 0x0b;
pub(super) const STRING: u8 = 0x0c;
pub(super) const OPAQUE: u8 = 0x0f;

/// The bytes of a literal or number.
pub(super) fn number_size(kind: u8) -> Result<usize, WireError> {
    match kind {
        LITERAL => Ok(1),
        INT16 | UINT16 => Ok(2),
        INT32 | UINT32 => Ok(4),
        INT64 | UINT64 | DOUBLE => Ok(8),
        _ => Err(WireError::invalid(READING, "an unknown type")),
    }
}

/// Appends a literal or number.
pub(super) fn number(kind: u8, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), WireError> {
    let mut reader = Reader::new(bytes);
    match kind {
        LITERAL => {
            out.extend_from_slice(match reader.u8(READING)? {
                0 => b"null",
                1 => b"true",
                2 => b"false",
                _ => return Err(WireError::invalid(READING, "an unknown literal")),
            });
            return Ok(());
        }
        DOUBLE => {
            let value = f64::from_bits(reader.u64(READING)?);
            if !value.is_finite() {
                return Err(WireError::invalid(READING, "a number that is not finite"));
            }
            write_double(value, out);
            return Ok(());
        }
        _ => {}
    }
    let mut digits = itoa::Buffer::new();
    let text = match kind {
        INT16 => digits.format(reader.u16(READING)?.cast_signed()),
        UINT16 => digits.format(reader.u16(READING)?),
        INT32 => digits.format(reader.u32(READING)?.cast_signed()),
        UINT32 => digits.format(reader.u32(READING)?),
        INT64 => digits.format(reader.u64(READING)?.cast_signed()),
        UINT64 => digits.format(reader.u64(READING)?),
        _ => return Err(WireError::invalid(READING, "an unknown type")),
    };
    out.extend_from_slice(text.as_bytes());
    Ok(())
}

/// Appends a double as Debezium does: Java's `Double.toString`, unless that has an exponent (below 0.001, from
/// 10,000,000); then the exact value, which is `new BigDecimal(double).toPlainString()`.
pub fn write_double(value: f64, out: &mut Vec<u8>) {
    // Writing to a Vec cannot fail.
    if value == 0.0 || (1e-3..1e7).contains(&value.abs()) {
        let _ = write!(out, "{value:?}");
    } else {
        let _ = write!(out, "{value:.*}", fraction_digits(value));
    }
}

/// The decimal digits behind the point of a double: as many as it has binary ones.
fn fraction_digits(value: f64) -> usize {
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    // The value is mantissa × 2^(exponent - 1075).
    let (mantissa, exponent) = if exponent == 0 { (fraction, 1) } else { (fraction | 1 << 52, exponent) };
    let lowest = exponent - 1075 + mantissa.trailing_zeros().cast_signed();
    usize::try_from(-lowest).unwrap_or(0)
}

/// Takes bytes with their length in front: seven bits a byte, lowest first, the highest bit says that more follow.
pub(super) fn sized<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], WireError> {
    let mut length: u64 = 0;
    for shift in [0, 7, 14, 21, 28] {
        let byte = reader.u8(READING)?;
        length |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return reader.take(usize::try_from(length).unwrap_or(usize::MAX), READING);
        }
    }
    Err(WireError::invalid(READING, "a length of more than 5 bytes"))
}

/// Appends a quoted string: UTF-8 as it is; quotes, backslashes and control characters escaped, those without a short
/// form as `\u001F` in upper case.
pub(super) fn string(bytes: &[u8], out: &mut Vec<u8>) -> Result<(), WireError> {
    if std::str::from_utf8(bytes).is_err() {
        return Err(WireError::invalid(READING, "a string is not UTF-8"));
    }
    out.push(b'"');
    let mut rest = bytes;
    while let Some(end) = rest.iter().position(|byte| *byte < 0x20 || matches!(byte, b'"' | b'\\')) {
        let (plain, tail) = rest.split_at_checked(end).unwrap_or((rest, &[]));
        out.extend_from_slice(plain);
        let Some((special, after)) = tail.split_first() else { break };
        escape(*special, out);
        rest = after;
    }
    out.extend_from_slice(rest);
    out.push(b'"');
    Ok(())
}

fn escape(byte: u8, out: &mut Vec<u8>) {
    let short = match byte {
        b'"' | b'\\' => byte,
        0x08 => b'b',
        0x09 => b't',
        0x0a => b'n',
        0x0c => b'f',
        0x0d => b'r',
        _ => {
            let low = byte & 0xf;
            out.extend_from_slice(b"\\u00");
            out.push(b'0' + (byte >> 4));
            out.push(if low < 10 { b'0' + low } else { b'A' + low - 10 });
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}
