//! A checked reader over one packet's payload: little-endian integers, length-encoded integers and strings
//! (<https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_data_types.html>).
//!
//! Every method gives None when the payload is too short; the caller names what it was reading.

/// What is left of a payload.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Payload<'a>(pub(crate) &'a [u8]);

impl<'a> Payload<'a> {
    pub(crate) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(count)?;
        self.0 = tail;
        Some(head)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// A length-encoded integer; 0xFB (NULL) and 0xFF (error) are none.
    pub(crate) fn lenenc(&mut self) -> Option<u64> {
        match self.u8()? {
            small @ 0..=0xFA => Some(small.into()),
            0xFC => self.u16().map(u64::from),
            0xFD => self.array::<3>().map(|[a, b, c]| u32::from_le_bytes([a, b, c, 0]).into()),
            0xFE => self.array().map(u64::from_le_bytes),
            0xFB | 0xFF => None,
        }
    }

    /// Bytes behind their length.
    pub(crate) fn lenenc_bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.lenenc()?).ok()?;
        self.take(length)
    }

    /// Bytes up to a zero byte, which is passed over.
    pub(crate) fn until_zero(&mut self) -> Option<&'a [u8]> {
        let end = memchr::memchr(0, self.0)?;
        let text = self.take(end)?;
        self.take(1)?;
        Some(text)
    }
}

/// Appends a length-encoded integer.
pub(crate) fn put_lenenc(out: &mut Vec<u8>, value: usize) {
    let bytes = (value as u64).to_le_bytes();
    match value {
        0..=0xFA => out.push(bytes[0]),
        0xFB..=0xFFFF => {
            out.push(0xFC);
            out.extend_from_slice(&bytes[..2]);
        }
        0x1_0000..=0xFF_FFFF => {
            out.push(0xFD);
            out.extend_from_slice(&bytes[..3]);
        }
        _ => {
            out.push(0xFE);
            out.extend_from_slice(&bytes);
        }
    }
}

/// Appends bytes behind their length.
pub(crate) fn put_lenenc_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_lenenc(out, bytes.len());
    out.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_encoded_integers() {
        let cases: [(&[u8], Option<u64>); 8] = [
            (&[0xFA], Some(250)),
            (&[0xFC, 0xFB, 0x00], Some(251)),
            (&[0xFD, 0x01, 0x02, 0x03], Some(0x03_0201)),
            (&[0xFE, 1, 0, 0, 0, 0, 0, 0, 0x80], Some(0x8000_0000_0000_0001)),
            (&[0xFB], None),
            (&[0xFF], None),
            (&[0xFC, 0xFB], None),
            (&[], None),
        ];
        for (bytes, value) in cases {
            assert_eq!(Payload(bytes).lenenc(), value, "{bytes:?}");
        }
        for value in [0, 250, 251, 0xFFFF, 0x1_0000, 0xFF_FFFF, 0x100_0000] {
            let mut bytes = Vec::new();
            put_lenenc(&mut bytes, value);
            assert_eq!(Payload(&bytes).lenenc(), Some(value as u64));
        }
    }

    #[test]
    fn strings_that_end_too_early_are_none() {
        assert_eq!(Payload(&[3, b'a', b'b']).lenenc_bytes(), None);
        assert_eq!(Payload(&[2, b'a', b'b']).lenenc_bytes(), Some(&b"ab"[..]));
        assert_eq!(Payload(b"ab").until_zero(), None);
        let mut payload = Payload(b"ab\0c");
        assert_eq!((payload.until_zero(), payload.0), (Some(&b"ab"[..]), &b"c"[..]));
    }
}
