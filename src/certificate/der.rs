//! Just enough of DER (X.690) to look into a certificate and a public key.

/// A position in DER bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Der<'a>(pub(crate) &'a [u8]);

/// SEQUENCE.
pub(crate) const SEQUENCE: u8 = 0x30;
/// SET.
pub(crate) const SET: u8 = 0x31;
/// INTEGER.
pub(crate) const INTEGER: u8 = 0x02;
/// BIT STRING.
pub(crate) const BIT_STRING: u8 = 0x03;
/// OBJECT IDENTIFIER.
pub(crate) const OBJECT_IDENTIFIER: u8 = 0x06;

impl<'a> Der<'a> {
    /// The next element: tag and content. None at the end and when the bytes are cut.
    pub(crate) fn next(&mut self) -> Option<(u8, &'a [u8])> {
        let (&tag, rest) = self.0.split_first()?;
        let (&first, mut rest) = rest.split_first()?;
        let mut length = usize::from(first);
        if first & 0x80 != 0 {
            let count = usize::from(first & 0x7F);
            if count == 0 || count > 4 {
                return None;
            }
            let (bytes, after) = rest.split_at_checked(count)?;
            length = bytes.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte));
            rest = after;
        }
        let (content, after) = rest.split_at_checked(length)?;
        self.0 = after;
        Some((tag, content))
    }

    /// The next element of this tag, tag and length included, beside its content.
    pub(crate) fn whole(&mut self, tag: u8) -> Option<(&'a [u8], &'a [u8])> {
        let before = self.0;
        let content = self.expect(tag)?;
        let whole = before.get(..before.len() - self.0.len())?;
        Some((whole, content))
    }

    /// The content of the next element, which must have this tag.
    pub(crate) fn expect(&mut self, tag: u8) -> Option<&'a [u8]> {
        self.next().and_then(|(found, content)| (found == tag).then_some(content))
    }

    /// The next element when it has this tag, else nothing is consumed.
    pub(crate) fn optional(&mut self, tag: u8) -> Option<&'a [u8]> {
        let mut ahead = *self;
        let content = ahead.expect(tag)?;
        *self = ahead;
        Some(content)
    }
}

/// A UTCTime (tag 0x17, two digits of the year) or GeneralizedTime (0x18) in UTC, as seconds since 1970; RFC 5280,
/// section 4.1.2.5.
pub(crate) fn time(tag: u8, content: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(content).ok()?.strip_suffix('Z')?;
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (year, rest) = match tag {
        0x17 => {
            let (digits, rest) = text.split_at_checked(2)?;
            let short: i64 = digits.parse().ok()?;
            (if short < 50 { 2000 + short } else { 1900 + short }, rest)
        }
        0x18 => {
            let (digits, rest) = text.split_at_checked(4)?;
            (digits.parse().ok()?, rest)
        }
        _ => return None,
    };
    let number = |at: usize| rest.get(at..at + 2)?.parse::<i64>().ok();
    let (month, day) = (number(0)?, number(2)?);
    let (hour, minute, second) = (number(4)?, number(6)?, number(8)?);
    if rest.len() != 10 || !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 23 || minute > 59
    {
        return None;
    }
    // Days since 1970 with years that begin in March, so that the leap day is the last.
    let shifted = if month <= 2 { year - 1 } else { year };
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + day_of_year - 719_468;
    Some(((days * 24 + hour) * 60 + minute) * 60 + second)
}

/// The bits of a BIT STRING of whole bytes.
pub(crate) fn whole_bits(content: &[u8]) -> Option<&[u8]> {
    content.strip_prefix(&[0])
}

/// The size in bytes of the modulus of an RSA public key in PEM (PKCS #1 or SubjectPublicKeyInfo); None when it is
/// not one.
pub(crate) fn rsa_modulus_size(pem: &[u8]) -> Option<usize> {
    use base64::Engine;

    let text = std::str::from_utf8(pem).ok()?;
    let body = |label: &str| {
        let (_, after) = text.split_once(&format!("-----BEGIN {label}-----"))?;
        let (body, _) = after.split_once(&format!("-----END {label}-----"))?;
        let body: String = body.chars().filter(|c| !c.is_ascii_whitespace()).collect();
        base64::engine::general_purpose::STANDARD.decode(body).ok()
    };
    let (bytes, wrapped) = match body("RSA PUBLIC KEY") {
        Some(bytes) => (bytes, false),
        None => (body("PUBLIC KEY")?, true),
    };
    let mut key = Der(&bytes);
    if wrapped {
        let mut info = Der(key.expect(SEQUENCE)?);
        info.expect(SEQUENCE)?;
        key = Der(whole_bits(info.expect(BIT_STRING)?)?);
    }
    let mut fields = Der(key.expect(SEQUENCE)?);
    let modulus = fields.expect(INTEGER)?;
    fields.expect(INTEGER)?;
    let size = modulus.iter().skip_while(|byte| **byte == 0).count();
    (size >= 128 && modulus.last().is_some_and(|last| last & 1 == 1)).then_some(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_walked_and_cut_ones_refused() {
        let mut der = Der(&[0x02, 0x01, 0x05, 0x04, 0x81, 0x02, 0xAA, 0xBB]);
        assert_eq!(der.optional(SEQUENCE), None);
        assert_eq!(der.next(), Some((INTEGER, &[5][..])));
        assert_eq!(der.expect(0x04), Some(&[0xAA, 0xBB][..]));
        assert_eq!(der.next(), None);
        for bytes in [
            &[0x02][..],
            &[0x02, 2, 1],
            &[0x02, 0x80, 1],
            &[0x02, 0x85, 1, 1, 1, 1, 1],
            &[2, 0x84, 255, 255, 255, 255],
        ] {
            assert_eq!(Der(bytes).next(), None, "{bytes:?}");
        }
    }

    #[test]
    fn times_are_seconds_since_1970() {
        let cases: [(u8, &[u8], Option<i64>); 8] = [
            (0x17, b"700101000000Z", Some(0)),
            (0x17, b"491231235959Z", Some(2_524_607_999)),
            (0x17, b"500101000000Z", Some(-631_152_000)),
            (0x17, b"240229120000Z", Some(1_709_208_000)),
            (0x18, b"20500101000000Z", Some(2_524_608_000)),
            (0x18, b"21261105214000Z", Some(4_949_588_400)),
            (0x17, b"241329120000Z", None),
            (0x17, b"2402291200Z", None),
        ];
        for (tag, text, seconds) in cases {
            assert_eq!(time(tag, text), seconds, "{}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn keys_are_measured() {
        let pem = "-----BEGIN PUBLIC KEY-----\n\
            MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAxSKOcxiet8lLMn8ImyUE\n\
            bGGKob5EdRz/4wdiw12ED0GfKKTKhVnodFCfm1mdy7bKOX5QxL9skrvYodpW43eR\n\
            R5bfOzIgy1qIB8RYb6qOXRBw1oA4snBDqtUjDv/lbHLJN+IbzM4oU+e3Lt9rXyLX\n\
            VY289ewONPweXHqSCnTL91w+wkU1peIFV2QhZ+upUCdCtwOn5hnJPNgxtbklFoya\n\
            C8W3Z7Xx7He2QDJsEWAqX197efw0L6j8X8Tyd8Uwb7zUB1tfMGhHfm9EwejPAtzx\n\
            4GztQNtNMtGS2oGZLQBLV9hib4dDL92iiZeckg2LAf4GsJofLLR8mcHCRoqVbQJ1\n\
            YQIDAQAB\n-----END PUBLIC KEY-----\n";
        assert_eq!(rsa_modulus_size(pem.as_bytes()), Some(256));
        for bad in [
            "",
            "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
            &pem[..200],
            "-----BEGIN PUBLIC KEY-----",
        ] {
            assert_eq!(rsa_modulus_size(bad.as_bytes()), None);
        }
    }
}
