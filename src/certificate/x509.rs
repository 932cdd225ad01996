//! What of a server's certificate we must read ourselves.
//!
//! webpki looks for names in the subject alternative names only and takes version 3 certificates only. MySQL's
//! clients also compare the common name when there are no alternative names, and the certificates that MySQL's manual
//! tells how to make with `openssl x509 -req` are of version 1. Layout: RFC 5280, section 4.1.

use crate::certificate::der::{BIT_STRING, Der, INTEGER, OBJECT_IDENTIFIER, SEQUENCE, SET, time, whole_bits};

/// 2.5.4.3, commonName.
const COMMON_NAME: &[u8] = &[0x55, 0x04, 0x03];
/// 2.5.29.17, subjectAltName.
const SUBJECT_ALT_NAME: &[u8] = &[0x55, 0x1D, 0x11];

/// A certificate's parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Certificate<'a> {
    /// 1 or 3, as people count.
    pub(crate) version: u8,
    /// The last common name of the subject.
    pub(crate) common_name: Option<&'a str>,
    pub(crate) has_alternative_names: bool,
    /// The public key.
    pub(crate) key: PublicKey<'a>,
    /// The content of the issuer's name.
    pub(crate) issuer: &'a [u8],
    /// Seconds since 1970: the first and the last of its life.
    pub(crate) validity: (i64, i64),
    /// What is signed.
    pub(crate) signed: &'a [u8],
    /// The content of the signature's AlgorithmIdentifier.
    pub(crate) signature_algorithm: &'a [u8],
    /// The issuer's signature over `signed`.
    pub(crate) signature: &'a [u8],
}

/// A public key and the content of its AlgorithmIdentifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PublicKey<'a> {
    pub(crate) algorithm: &'a [u8],
    pub(crate) bits: &'a [u8],
}

impl<'a> PublicKey<'a> {
    /// Reads the content of a SubjectPublicKeyInfo.
    pub(crate) fn parse(info: &'a [u8]) -> Option<Self> {
        let mut info = Der(info);
        Some(PublicKey { algorithm: info.expect(SEQUENCE)?, bits: whole_bits(info.expect(BIT_STRING)?)? })
    }
}

impl<'a> Certificate<'a> {
    /// Reads a DER certificate; None when it is malformed.
    pub(crate) fn parse(der: &'a [u8]) -> Option<Self> {
        let mut outer = Der(Der(der).expect(SEQUENCE)?);
        let (signed, body) = outer.whole(SEQUENCE)?;
        let signature_algorithm = outer.expect(SEQUENCE)?;
        let signature = whole_bits(outer.expect(BIT_STRING)?)?;
        let mut body = Der(body);
        let version = match body.optional(0xA0) {
            Some(version) => Der(version).expect(INTEGER)?.last()?.checked_add(1)?,
            None => 1,
        };
        body.expect(INTEGER)?; // serial number
        // Named twice, and only the one inside is signed.
        if body.expect(SEQUENCE)? != signature_algorithm {
            return None;
        }
        let issuer = body.expect(SEQUENCE)?;
        let mut validity = Der(body.expect(SEQUENCE)?);
        let (first, last) = (validity.next()?, validity.next()?);
        let validity = (time(first.0, first.1)?, time(last.0, last.1)?);
        let common_name = common_name(body.expect(SEQUENCE)?);
        let key = PublicKey::parse(body.expect(SEQUENCE)?)?;
        let mut has_alternative_names = false;
        while let Some((tag, content)) = body.next() {
            if tag == 0xA3 {
                has_alternative_names = has_extension(content, SUBJECT_ALT_NAME);
            }
        }
        Some(Certificate {
            version,
            common_name,
            has_alternative_names,
            key,
            issuer,
            validity,
            signed,
            signature_algorithm,
            signature,
        })
    }

    /// Whether the common name names this host, as MySQL's clients ask when there are no alternative names.
    pub(crate) fn common_name_matches(&self, host: &str) -> bool {
        let Some(name) = self.common_name.filter(|_| !self.has_alternative_names) else {
            return false;
        };
        if name.eq_ignore_ascii_case(host) {
            return true;
        }
        // A star stands for the whole first label.
        match (name.strip_prefix("*."), host.split_once('.')) {
            (Some(domain), Some((label, rest))) => {
                !label.is_empty() && domain.contains('.') && rest.eq_ignore_ascii_case(domain)
            }
            _ => false,
        }
    }
}

fn common_name(subject: &[u8]) -> Option<&str> {
    let mut names = Der(subject);
    let mut found = None;
    while let Some(set) = names.optional(SET) {
        let mut attribute = Der(Der(set).expect(SEQUENCE)?);
        if attribute.expect(OBJECT_IDENTIFIER)? == COMMON_NAME {
            let (_, text) = attribute.next()?;
            found = std::str::from_utf8(text).ok();
        }
    }
    found
}

fn has_extension(content: &[u8], identifier: &[u8]) -> bool {
    let mut extensions = Der(Der(content).expect(SEQUENCE).unwrap_or_default());
    while let Some(extension) = extensions.optional(SEQUENCE) {
        if Der(extension).expect(OBJECT_IDENTIFIER) == Some(identifier) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str, alternative: bool) -> Certificate<'_> {
        Certificate {
            version: 3,
            common_name: Some(name),
            has_alternative_names: alternative,
            key: PublicKey { algorithm: &[], bits: &[] },
            issuer: &[],
            validity: (0, 0),
            signed: &[],
            signature_algorithm: &[],
            signature: &[],
        }
    }

    #[test]
    fn common_names_match_as_in_the_clients_of_mysql() {
        let cases = [
            ("db.example.com", "DB.example.com", true),
            ("*.example.com", "db.example.com", true),
            ("*.example.com", "a.b.example.com", false),
            ("*.example.com", "example.com", false),
            ("*.com", "example.com", false),
            ("127.0.0.1", "127.0.0.1", true),
            ("MySQL_Server_9.7.4_Auto_Generated_Server_Certificate", "localhost", false),
        ];
        for (name, host, matches) in cases {
            assert_eq!(named(name, false).common_name_matches(host), matches, "{name} {host}");
        }
        assert!(!named("db.example.com", true).common_name_matches("db.example.com"));
    }

    #[test]
    fn a_version_1_certificate_is_read() {
        // Made by hand: serial 1, empty algorithm and issuer, all of 2024, subject CN=db, key of one byte.
        let subject = [0x31, 11, 0x30, 9, 0x06, 3, 0x55, 4, 3, 0x0C, 2, b'd', b'b'];
        let mut body = vec![0x02, 1, 1, 0x30, 0, 0x30, 0, 0x30, 30];
        body.extend_from_slice(b"\x17\x0D240101000000Z\x17\x0D241231235959Z");
        body.extend_from_slice(&[0x30, 13]);
        body.extend_from_slice(&subject);
        body.extend_from_slice(&[0x30, 8, 0x30, 2, 0x05, 0, 0x03, 2, 0, 9]);
        let mut der = vec![0x30, body.len() as u8 + 8, 0x30, body.len() as u8];
        der.extend_from_slice(&body);
        der.extend_from_slice(&[0x30, 0, 0x03, 2, 0, 7]);
        let certificate = Certificate::parse(&der).unwrap();
        assert_eq!((certificate.version, certificate.common_name), (1, Some("db")));
        assert_eq!(certificate.key, PublicKey { algorithm: &[5, 0], bits: &[9] });
        assert_eq!(certificate.validity, (1_704_067_200, 1_735_689_599));
        assert_eq!((certificate.signed, certificate.signature), (&der[2..der.len() - 6], &[7][..]));
        for length in 0..der.len() {
            assert_eq!(Certificate::parse(&der[..length]), None);
        }
    }
}
