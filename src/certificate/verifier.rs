//! The check of a server's certificate, as MySQL's clients make it.
//!
//! The chain is verified by webpki. Names are verified by webpki too; only when the certificate has no alternative
//! names at all does its common name count, as it does for MySQL's clients.
//!
//! Certificates of version 1 come from the recipe of MySQL's manual (`openssl x509 -req` without extensions), and
//! webpki refuses them. Here they are taken when a trusted authority itself has signed them and their time has not
//! run out; they can stand in no longer chain. Even when nothing is to be checked, the handshake's signature is: the
//! peer must own the key of the certificate that it shows.

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature,
};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

use crate::certificate::x509::{Certificate, PublicKey};

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

    fn chain_is_right(
        &self,
        der: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<(), Error> {
        if let Some(certificate) = version_1(der) {
            return self.is_signed_by_authority(&certificate, now);
        }
        let parsed = ParsedCertificate::try_from(der)?;
        verify_server_cert_signed_by_trust_anchor(
            &parsed,
            &self.roots,
            intermediates,
            now,
            self.algorithms.all,
        )
    }

    fn is_signed_by_authority(&self, certificate: &Certificate<'_>, now: UnixTime) -> Result<(), Error> {
        let now = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
        let (first, last) = certificate.validity;
        if now < first {
            return Err(CertificateError::NotValidYet.into());
        }
        if now > last {
            return Err(CertificateError::Expired.into());
        }
        let authorities =
            self.roots.roots.iter().filter(|anchor| anchor.subject.as_ref() == certificate.issuer);
        let mut refusal = CertificateError::UnknownIssuer;
        for key in authorities.filter_map(|anchor| PublicKey::parse(anchor.subject_public_key_info.as_ref()))
        {
            let signed = self
                .algorithms
                .all
                .iter()
                .filter(|algorithm| algorithm.signature_alg_id().as_ref() == certificate.signature_algorithm)
                .filter(|algorithm| algorithm.public_key_alg_id().as_ref() == key.algorithm)
                .any(|algorithm| {
                    algorithm.verify_signature(key.bits, certificate.signed, certificate.signature).is_ok()
                });
            if signed {
                return Ok(());
            }
            refusal = CertificateError::BadSignature;
        }
        Err(refusal.into())
    }

    fn name_is_right(&self, der: &CertificateDer<'_>) -> Result<(), Error> {
        let certificate = Certificate::parse(der.as_ref()).ok_or(CertificateError::BadEncoding)?;
        if certificate.has_alternative_names {
            // The name that rustls hands over may be a stand-in for a host name that DNS would not allow.
            let name =
                ServerName::try_from(self.host.as_str()).map_err(|_| CertificateError::NotValidForName)?;
            return verify_server_name(&ParsedCertificate::try_from(der)?, &name);
        }
        if certificate.common_name_matches(&self.host) {
            return Ok(());
        }
        Err(CertificateError::NotValidForName.into())
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
            .filter(|algorithm| algorithm.public_key_alg_id().as_ref() == certificate.key.algorithm)
            .any(|algorithm| {
                algorithm.verify_signature(certificate.key.bits, message, signed.signature()).is_ok()
            });
        if valid {
            Ok(HandshakeSignatureValid::assertion())
        } else {
            Err(CertificateError::BadSignature.into())
        }
    }
}

/// The certificate, if it is one that webpki cannot read.
fn version_1<'a>(der: &'a CertificateDer<'_>) -> Option<Certificate<'a>> {
    Certificate::parse(der.as_ref()).filter(|certificate| certificate.version == 1)
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
            self.chain_is_right(end_entity, intermediates, now)?;
        }
        if self.checks == Checks::AuthorityAndName {
            self.name_is_right(end_entity)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        match version_1(cert) {
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
        match version_1(cert) {
            Some(certificate) => self.verify_with_key(&certificate, message, dss),
            None => verify_tls13_signature(message, cert, dss, &self.algorithms),
        }
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests;
