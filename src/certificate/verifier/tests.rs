//! The certificates were made with openssl, valid for a hundred years: `ca.pem` signed the others.

use std::time::Duration;

use rustls::pki_types::pem::PemObject;

use super::*;

const CA: &[u8] = include_bytes!("ca.pem");
/// CN=db.example.com, no alternative names.
const COMMON_NAME: &[u8] = include_bytes!("common_name.pem");
/// CN=other.example.com; DNS db.example.com, *.wild.example.com; IP 127.0.0.1.
const ALTERNATIVE: &[u8] = include_bytes!("alternative.pem");
/// CN=localhost, version 1.
const VERSION_1: &[u8] = include_bytes!("version1.pem");

fn verify(pem: &[u8], checks: Checks, authority: &[u8], host: &str, year: u64) -> Result<(), Error> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(authority).unwrap()).unwrap();
    let verifier = ServerVerifier::new(checks, roots, &rustls::crypto::ring::default_provider(), host);
    let certificate = CertificateDer::from_pem_slice(pem).unwrap();
    let now = UnixTime::since_unix_epoch(Duration::from_secs((year - 1970) * 31_557_600 + 100_000));
    let name = ServerName::try_from("invalid").unwrap();
    verifier.verify_server_cert(&certificate, &[], &name, &[], now).map(|_| ())
}

fn refusal(result: Result<(), Error>) -> CertificateError {
    match result {
        Err(Error::InvalidCertificate(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

#[test]
fn names() {
    let cases = [
        (COMMON_NAME, "db.example.com", true),
        (COMMON_NAME, "DB.Example.com", true),
        (COMMON_NAME, "other.example.com", false),
        (COMMON_NAME, "127.0.0.1", false),
        (ALTERNATIVE, "db.example.com", true),
        (ALTERNATIVE, "a.wild.example.com", true),
        (ALTERNATIVE, "127.0.0.1", true),
        (ALTERNATIVE, "127.0.0.2", false),
        // The common name does not count beside alternative names.
        (ALTERNATIVE, "other.example.com", false),
        (ALTERNATIVE, "not a host name", false),
        (VERSION_1, "localhost", true),
        (VERSION_1, "db.example.com", false),
    ];
    for (pem, host, right) in cases {
        let result = verify(pem, Checks::AuthorityAndName, CA, host, 2030);
        assert_eq!(result.is_ok(), right, "{host}: {result:?}");
        if !right {
            let refusal = refusal(result);
            assert!(matches!(
                refusal,
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. }
            ));
        }
        assert_eq!(verify(pem, Checks::Authority, CA, host, 2030), Ok(()));
    }
}

#[test]
fn authorities_and_times() {
    for pem in [COMMON_NAME, ALTERNATIVE, VERSION_1] {
        // A certificate of another name is no authority for it.
        let other = if pem == COMMON_NAME { ALTERNATIVE } else { COMMON_NAME };
        assert_eq!(
            refusal(verify(pem, Checks::Authority, other, "x", 2030)),
            CertificateError::UnknownIssuer
        );
        let early = refusal(verify(pem, Checks::Authority, CA, "x", 2020));
        assert!(matches!(early, CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. }));
        let late = refusal(verify(pem, Checks::Authority, CA, "x", 2200));
        assert!(matches!(late, CertificateError::Expired | CertificateError::ExpiredContext { .. }));
        assert_eq!(verify(pem, Checks::None, CA, "x", 2200), Ok(()));
    }
}

#[test]
fn a_changed_version_1_certificate_is_refused() {
    let good = CertificateDer::from_pem_slice(VERSION_1).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(CA).unwrap()).unwrap();
    let verifier =
        ServerVerifier::new(Checks::Authority, roots, &rustls::crypto::ring::default_provider(), "localhost");
    let now = UnixTime::since_unix_epoch(Duration::from_secs(1_900_000_000));
    let name = ServerName::try_from("localhost").unwrap();
    assert!(verifier.verify_server_cert(&good, &[], &name, &[], now).is_ok());
    for at in 0..good.as_ref().len() {
        let mut bytes = good.as_ref().to_vec();
        bytes[at] ^= 1;
        let changed = CertificateDer::from(bytes);
        assert!(verifier.verify_server_cert(&changed, &[], &name, &[], now).is_err(), "byte {at}");
    }
}
