//! TLS: what each `database.ssl.mode` demands, and the switch of a connection to it.
//!
//! | mode | server without TLS | certificate |
//! |---|---|---|
//! | `disabled` | plain | |
//! | `preferred` | plain, also when the handshake fails | not checked |
//! | `required` | error | not checked |
//! | `verify_ca` | error | signed by a trusted authority |
//! | `verify_identity` | error | that, and it names the host |
//!
//! These are the modes of MySQL's own clients
//! (<https://dev.mysql.com/doc/refman/9.7/en/connection-options.html#option_general_ssl-mode>).
//! Trusted are the authorities in `tidewire.ssl.ca`, otherwise the operating system's. Versions 1.2 and 1.3.

use std::io;
use std::path::Path;
use std::sync::Arc;

use rustls::client::WantsClientCert;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, ConfigBuilder, RootCertStore, StreamOwned};

use crate::certificate::verifier::{Checks, ServerVerifier};
use crate::config::modes::SslMode;
use crate::config::source::ConnectionConfig;
use crate::source::mysql::error::MySqlError;
use crate::source::mysql::transport::Transport;

/// What is being done while the handshake runs, in errors.
pub(crate) const HANDSHAKE: &str = "making the TLS handshake";

/// The client side of TLS, made once per connection attempt; None when the mode is `disabled`.
pub(crate) fn client_config(config: &ConnectionConfig) -> Result<Option<Arc<ClientConfig>>, MySqlError> {
    let checks = match config.ssl_mode {
        SslMode::Disabled => return Ok(None),
        SslMode::Preferred | SslMode::Required => Checks::None,
        SslMode::VerifyCa => Checks::Authority,
        SslMode::VerifyIdentity => Checks::AuthorityAndName,
    };
    let roots = match checks {
        Checks::None => RootCertStore::empty(),
        Checks::Authority | Checks::AuthorityAndName => trusted_roots(config.ssl_ca.as_deref())?,
    };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let verifier = ServerVerifier::new(checks, roots, &provider, bare_host(&config.hostname));
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|source| MySqlError::Tls { server: server(config), source })?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier));
    Ok(Some(Arc::new(with_client_certificate(builder, config)?)))
}

fn server(config: &ConnectionConfig) -> String {
    format!("{}:{}", config.hostname, config.port)
}

fn with_client_certificate(
    builder: ConfigBuilder<ClientConfig, WantsClientCert>,
    config: &ConnectionConfig,
) -> Result<ClientConfig, MySqlError> {
    let Some((certificate, key)) = &config.ssl_client else {
        return Ok(builder.with_no_client_auth());
    };
    let chain = read_certificates("client certificate", certificate)?;
    let private =
        PrivateKeyDer::from_pem_file(key).map_err(|error| unusable("client key", key, error.to_string()))?;
    builder
        .with_client_auth_cert(chain, private)
        .map_err(|error| unusable("client certificate", certificate, error.to_string()))
}

fn trusted_roots(file: Option<&Path>) -> Result<RootCertStore, MySqlError> {
    let mut roots = RootCertStore::empty();
    if let Some(path) = file {
        for certificate in read_certificates("certificate authority", path)? {
            roots
                .add(certificate)
                .map_err(|error| unusable("certificate authority", path, error.to_string()))?;
        }
        return Ok(roots);
    }
    let found = rustls_native_certs::load_native_certs();
    roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        let place = Path::new("of the operating system");
        let reason = "it has none; set tidewire.ssl.ca".to_owned();
        return Err(unusable("certificate authorities", place, reason));
    }
    Ok(roots)
}

fn read_certificates(what: &'static str, path: &Path) -> Result<Vec<CertificateDer<'static>>, MySqlError> {
    let read = CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    match read {
        Ok(certificates) if certificates.is_empty() => {
            Err(unusable(what, path, "it holds no certificate in PEM form".to_owned()))
        }
        Ok(certificates) => Ok(certificates),
        Err(error) => Err(unusable(what, path, error.to_string())),
    }
}

fn unusable(what: &'static str, path: &Path, reason: String) -> MySqlError {
    MySqlError::TlsFile { what, path: path.to_owned(), reason }
}

/// IPv6 literals may be written in brackets.
fn bare_host(host: &str) -> &str {
    host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host)
}

/// Performs the TLS handshake on a connection that has just sent its request for it.
///
/// # Errors
/// `Tls` when the two sides do not agree or the certificate is refused; `ConnectionLost` and `Timeout` otherwise.
pub(crate) fn handshake(
    transport: Transport,
    tls: Arc<ClientConfig>,
    config: &ConnectionConfig,
) -> Result<Transport, MySqlError> {
    let socket = match transport {
        Transport::Plain(socket) => socket,
        encrypted @ Transport::Tls(_) => return Ok(encrypted),
    };
    let failed = |source| MySqlError::Tls { server: server(config), source };
    // A host name that is none in DNS (an underscore, say) matters only where names are checked, and is refused there.
    let host = bare_host(&config.hostname).to_owned();
    let name = match ServerName::try_from(host) {
        Ok(name) => name,
        Err(_) => ServerName::try_from("invalid")
            .map_err(|error| failed(rustls::Error::General(error.to_string())))?,
    };
    let mut connection = ClientConnection::new(tls, name).map_err(failed)?;
    let mut socket = socket;
    let lost =
        |source: io::Error| MySqlError::ConnectionLost { server: server(config), doing: HANDSHAKE, source };
    socket.set_read_timeout(Some(config.connect_timeout).filter(|limit| !limit.is_zero())).map_err(lost)?;
    while connection.is_handshaking() {
        if let Err(error) = connection.complete_io(&mut socket) {
            let tls_error = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()).cloned();
            return Err(match tls_error {
                Some(source) => failed(source),
                None => lost(error),
            });
        }
    }
    Ok(Transport::Tls(Box::new(StreamOwned::new(connection, socket))))
}
