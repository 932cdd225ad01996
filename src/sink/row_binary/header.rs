//! The head of a body in `RowBinaryWithNamesAndTypes`, and the length that stands before every string.

use std::fmt::Display;

/// Appends the number of columns, all names, all types. Manual: "RowBinaryWithNamesAndTypes".
pub fn write_header<T: Display>(columns: &[(&str, T)], out: &mut Vec<u8>) {
    write_length(columns.len(), out);
    for (name, _) in columns {
        write_string(name.as_bytes(), out);
    }
    for (_, column_type) in columns {
        write_string(column_type.to_string().as_bytes(), out);
    }
}

/// Appends a length: seven bits a byte, the lowest first, the eighth set while more follow (LEB128).
#[inline]
pub fn write_length(length: usize, out: &mut Vec<u8>) {
    let mut rest = length;
    while rest > 0x7f {
        // The mask leaves seven bits.
        out.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

/// Appends length and bytes.
#[inline]
pub fn write_string(bytes: &[u8], out: &mut Vec<u8>) {
    write_length(bytes.len(), out);
    out.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand from the definition of LEB128.
    #[test]
    fn lengths() {
        for (length, wanted) in [
            (0, &[0][..]),
            (127, &[0x7f]),
            (128, &[0x80, 1]),
            (300, &[0xac, 2]),
            (16_383, &[0xff, 0x7f]),
            (16_384, &[0x80, 0x80, 1]),
            (624_485, &[0xe5, 0x8e, 0x26]),
        ] {
            let mut out = Vec::new();
            write_length(length, &mut out);
            assert_eq!(out, wanted, "{length}");
        }
    }

    #[test]
    fn names_before_types() {
        let mut out = Vec::new();
        write_header(&[("a", "Int8"), ("ö", "String")], &mut out);
        assert_eq!(out, b"\x02\x01a\x02\xc3\xb6\x04Int8\x06String");
    }
}
