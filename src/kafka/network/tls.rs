//! TLS to brokers: which authorities are trusted, what of a certificate is checked, and our own certificate.
//!
//! The names are librdkafka's; `client_config` has translated Java's. Only PEM is read. The check itself is the one
//! that MySQL servers get (`certificate`): chain by webpki, names with the common name as a fallback.

use std::io;
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::certificate::verifier::{Checks, ServerVerifier};
use crate::kafka::network::transport::Transport;

/// What TLS connections to the brokers have in common.
pub struct TlsSettings {
    checks: Checks,
    roots: RootCertStore,
    client: Option<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>)>,
}

/// Certificates and keys, each in PEM: a file, or the text itself.
#[derive(Clone, Copy, Debug)]
pub enum Pem<'a> {
    /// A path.
    File(&'a str),
    /// The text.
    Text(&'a str),
}

impl Pem<'_> {
    fn certificates(self) -> Result<Vec<CertificateDer<'static>>, String> {
        let read: Result<Vec<_>, _> = match self {
            Pem::File(path) => CertificateDer::pem_file_iter(path).and_then(Iterator::collect),
            Pem::Text(text) => CertificateDer::pem_slice_iter(text.as_bytes()).collect(),
        };
        match read {
            Ok(found) if found.is_empty() => Err("it holds no certificate in PEM form".to_owned()),
            Ok(found) => Ok(found),
            Err(error) => Err(error.to_string()),
        }
    }

    fn key(self) -> Result<PrivateKeyDer<'static>, String> {
        let read = match self {
            Pem::File(path) => PrivateKeyDer::from_pem_file(Path::new(path)),
            Pem::Text(text) => PrivateKeyDer::from_pem_slice(text.as_bytes()),
        };
        read.map_err(|error| error.to_string())
    }
}

impl TlsSettings {
    /// `authorities` are those of the operating system when none are named. Neither chain nor name are checked unless
    /// `verify`; names are not unless `verify_name`. The error does not repeat what it read.
    pub fn new(authorities: Option<Pem<'_>>, verify: bool, verify_name: bool) -> Result<Self, String> {
        let mut roots = RootCertStore::empty();
        match authorities {
            Some(pem) => {
                for certificate in pem.certificates()? {
                    roots.add(certificate).map_err(|error| error.to_string())?;
                }
            }
            None => {
                roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            }
        }
        let checks = match (verify, verify_name) {
            (false, _) => Checks::None,
            (true, false) => Checks::Authority,
            (true, true) => Checks::AuthorityAndName,
        };
        Ok(TlsSettings { checks, roots, client: None })
    }

    /// Our own certificate, for brokers with `ssl.client.auth`.
    pub fn set_client(&mut self, chain: Pem<'_>, key: Pem<'_>) -> Result<(), String> {
        self.client = Some((chain.certificates()?, key.key()?));
        Ok(())
    }

    fn client_config(&self, host: &str) -> Result<ClientConfig, rustls::Error> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let verifier = ServerVerifier::new(self.checks, self.roots.clone(), &provider, host);
        let builder = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier));
        match &self.client {
            Some((chain, key)) => builder.with_client_auth_cert(chain.clone(), key.clone_key()),
            None => Ok(builder.with_no_client_auth()),
        }
    }

    /// Performs the handshake; the socket has time limits.
    pub(super) fn handshake(&self, host: &str, mut socket: TcpStream) -> io::Result<Transport> {
        let refused = |error: rustls::Error| io::Error::new(io::ErrorKind::InvalidData, error);
        let config = self.client_config(host).map_err(refused)?;
        // A host name that is none in DNS matters only where names are checked, and is refused there.
        let name = ServerName::try_from(host.to_owned())
            .or_else(|_| ServerName::try_from("invalid"))
            .map_err(io::Error::other)?;
        let mut connection = ClientConnection::new(Arc::new(config), name).map_err(refused)?;
        while connection.is_handshaking() {
            connection.complete_io(&mut socket)?;
        }
        Ok(Transport::Tls(Box::new(StreamOwned::new(connection, socket))))
    }
}
