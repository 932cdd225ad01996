//! The five values of `database.ssl.mode`.
//!
//! 9.7 has the certificates that it made for itself; 5.7 has no TLS; 8.0.15, built with OpenSSL 1.0, has TLS but no
//! cipher with elliptic curves, which are all that we speak.

use std::path::PathBuf;

use tidewire::config::modes::SslMode;
use tidewire::error::{Classify, ErrorClass};
use tidewire::source::mysql::{Connection, MySqlError};

use crate::mysql_server::{ALL, MYSQL57, MYSQL80, MYSQL97, account, config, data_file, root_config};

fn connect(server: &str, mode: SslMode, ca: Option<PathBuf>) -> Result<Connection, MySqlError> {
    let mut config = root_config(server);
    config.ssl_mode = mode;
    config.ssl_ca = ca;
    Connection::connect(&config)
}

#[test]
fn disabled_is_plain_everywhere() {
    for server in ALL {
        assert!(!connect(server, SslMode::Disabled, None).unwrap().is_encrypted());
    }
}

#[test]
fn preferred_takes_what_there_is() {
    for (server, encrypted) in [(MYSQL97, true), (MYSQL80, false), (MYSQL57, false)] {
        assert_eq!(connect(server, SslMode::Preferred, None).unwrap().is_encrypted(), encrypted, "{server}");
    }
}

#[test]
fn required_needs_tls_but_no_authority() {
    let mut connection = connect(MYSQL97, SslMode::Required, None).unwrap();
    let status = connection.query("SHOW SESSION STATUS LIKE 'Ssl_version'").unwrap();
    assert_eq!(status.rows[0][1].as_deref(), Some("TLSv1.3"));
    // Much data both ways, in records of TLS.
    let sql = format!("SELECT REPEAT('x', 20000000), LENGTH('{}')", "y".repeat(1_000_000));
    let result = connection.query(&sql).unwrap();
    assert_eq!(result.rows[0][0].as_ref().map(String::len), Some(20_000_000));
    assert_eq!(result.rows[0][1].as_deref(), Some("1000000"));
}

#[test]
fn a_server_without_a_common_cipher_is_refused_where_tls_is_demanded() {
    let error = connect(MYSQL80, SslMode::Required, None).unwrap_err();
    assert!(matches!(error, MySqlError::Tls { .. }), "{error:?}");
    assert_eq!(error.class(), ErrorClass::Fatal);
    assert!(error.remedy().unwrap().contains("ECDHE"), "{:?}", error.remedy());
}

#[test]
fn a_server_without_tls_is_refused_where_it_is_demanded() {
    for mode in [SslMode::Required, SslMode::VerifyCa, SslMode::VerifyIdentity] {
        let error = connect(MYSQL57, mode, Some(data_file("ca.pem"))).unwrap_err();
        assert!(matches!(error, MySqlError::TlsNotOffered { .. }), "{error:?}");
        assert_eq!(error.class(), ErrorClass::Fatal);
    }
}

#[test]
fn verify_ca_wants_the_authority_and_no_name() {
    let connection = connect(MYSQL97, SslMode::VerifyCa, Some(data_file("ca.pem"))).unwrap();
    assert!(connection.is_encrypted());
    // A certificate that did not sign the server's.
    let error = connect(MYSQL97, SslMode::VerifyCa, Some(data_file("client-cert.pem"))).unwrap_err();
    assert!(matches!(error, MySqlError::Tls { .. }), "{error:?}");
    assert_eq!(error.class(), ErrorClass::Fatal);
    assert!(error.remedy().unwrap().contains("tidewire.ssl.ca"), "{:?}", error.remedy());
}

#[test]
fn verify_identity_wants_the_name_too() {
    let error = connect(MYSQL97, SslMode::VerifyIdentity, Some(data_file("ca.pem"))).unwrap_err();
    assert!(matches!(error, MySqlError::Tls { .. }), "{error:?}");
    assert!(error.remedy().unwrap().contains("verify_ca"), "{:?}", error.remedy());
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let missing = connect(MYSQL97, SslMode::VerifyCa, Some("no/such/ca.pem".into())).unwrap_err();
    let empty = connect(MYSQL97, SslMode::VerifyCa, Some(data_file("auto.cnf"))).unwrap_err();
    for (error, file) in [(missing, "no/such/ca.pem"), (empty, "auto.cnf")] {
        assert!(matches!(error, MySqlError::TlsFile { .. }), "{error:?}");
        assert_eq!(error.class(), ErrorClass::Fatal);
        assert!(error.to_string().contains(file), "{error}");
    }
}

#[test]
fn a_client_certificate_is_shown_to_a_server_that_asks() {
    let mut root = account(MYSQL97, "it_x509", "caching_sha2_password", "pw");
    root.execute("ALTER USER it_x509 REQUIRE X509").unwrap();
    let mut config = config(MYSQL97, "it_x509", "pw");
    config.ssl_mode = SslMode::VerifyCa;
    config.ssl_ca = Some(data_file("ca.pem"));
    assert_eq!(Connection::connect(&config).unwrap_err().code(), Some(1045));
    config.ssl_client = Some((data_file("client-cert.pem"), data_file("client-key.pem")));
    assert!(Connection::connect(&config).unwrap().is_encrypted());
}
