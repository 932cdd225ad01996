//! The check of a server's certificate, as MySQL's clients make it.
//!
//! The chain is verified by webpki. Names are verified by webpki too; only when the certificate has no alternative
//! names at all does its common name count, as it does for MySQL's clients. When nothing is to be checked, the
//! handshake's signature still is (the peer must own the key), also for version 1 certificates, which webpki refuses.

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature,
};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

use crate::source::mysql::certificate::Certificate;

/// How much is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checks {
    None,
    Authority,
    AuthorityAndName,
}

/// See the module.
#[derive(Debug)]
pub(crate) struct ServerVerifier {
    checks: Checks,
    roots: RootCertStore,
    algorithms: WebPkiSupportedAlgorithms,
    host: String,
}

impl ServerVerifier {
    pub(crate) fn new(checks: Checks, roots: RootCertStore, provider: &CryptoProvider, host: &str) -> Self {
        ServerVerifier {
            checks,
            roots,
            algorithms: provider.signature_verification_algorithms,
            host: host.to_owned(),
        }
    }

    fn name_is_right(&self, parsed: &ParsedCertificate<'_>, der: &CertificateDer<'_>) -> Result<(), Error> {
        // The name that rustls hands over may be a stand-in for a host name that DNS would not allow.
        let by_alternative = match ServerName::try_from(self.host.as_str()) {
            Ok(name) => verify_server_name(parsed, &name),
            Err(_) => Err(CertificateError::NotValidForName.into()),
        };
        match by_alternative {
            Ok(()) => Ok(()),
            Err(refusal) => match Certificate::parse(der.as_ref()) {
                Some(certificate) if certificate.common_name_matches(&self.host) => Ok(()),
                _ => Err(refusal),
            },
        }
    }

    /// Version 1 certificates: the signature is verified with the key as we read it.
    fn verify_with_key(
        &self,
        certificate: &Certificate<'_>,
        message: &[u8],
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let valid = self
            .algorithms
            .mapping
            .iter()
            .filter(|(scheme, _)| *scheme == signed.scheme)
            .flat_map(|(_, algorithms)| algorithms.iter())
            .filter(|algorithm| algorithm.public_key_alg_id().as_ref() == certificate.key_algorithm)
            .any(|algorithm| {
                algorithm.verify_signature(certificate.key, message, signed.signature()).is_ok()
            });
        if valid {
            Ok(HandshakeSignatureValid::assertion())
        } else {
            Err(CertificateError::BadSignature.into())
        }
    }

    fn unchecked_version_1<'a>(&self, der: &'a CertificateDer<'_>) -> Option<Certificate<'a>> {
        let certificate = Certificate::parse(der.as_ref())?;
        (self.checks == Checks::None && certificate.version < 3).then_some(certificate)
    }
}

impl ServerCertVerifier for ServerVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if self.checks != Checks::None {
            let parsed = ParsedCertificate::try_from(end_entity)?;
            let all = self.algorithms.all;
            verify_server_cert_signed_by_trust_anchor(&parsed, &self.roots, intermediates, now, all)?;
            if self.checks == Checks::AuthorityAndName {
                self.name_is_right(&parsed, end_entity)?;
            }
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        match self.unchecked_version_1(cert) {
            Some(certificate) => self.verify_with_key(&certificate, message, dss),
            None => verify_tls12_signature(message, cert, dss, &self.algorithms),
        }
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        match self.unchecked_version_1(cert) {
            Some(certificate) => self.verify_with_key(&certificate, message, dss),
            None => verify_tls13_signature(message, cert, dss, &self.algorithms),
        }
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
