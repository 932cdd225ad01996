//! The "flexible" encoding of newer versions of messages: headers and structures end with tagged fields, lengths are one more
//! than they say, in 7 bits a byte.

use crate::kafka::protocol::wire::{Malformed, Reader};

/// No tagged field follows.
pub(super) const NO_TAGS: u8 = 0;

/// Appends a length.
pub(super) fn put_length(out: &mut Vec<u8>, length: usize) {
    let mut left = length + 1;
    while left >= 0x80 {
        out.push(0x80 | (left & 0x7f) as u8);
        left >>= 7;
    }
    out.push(left as u8);
}

fn varint(body: &mut Reader<'_>) -> Result<usize, Malformed> {
    let mut value = 0usize;
    for shift in [0, 7, 14, 21, 28] {
        let byte = body.i8()?.cast_unsigned();
        value |= usize::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    Ok(value)
}

/// Reads a length; that of a null is 0.
pub(super) fn length(body: &mut Reader<'_>) -> Result<usize, Malformed> {
    Ok(varint(body)?.saturating_sub(1))
}

/// Passes tagged fields over.
pub(super) fn skip_tags(body: &mut Reader<'_>) -> Result<(), Malformed> {
    for _ in 0..varint(body)? {
        varint(body)?;
        let size = varint(body)?;
        body.take(size)?;
    }
    Ok(())
}
