//! Every authentication plugin, with and without TLS.

use tidewire::config::modes::SslMode;
use tidewire::error::{Classify, ErrorClass};
use tidewire::source::mysql::{Connection, MySqlError};

use crate::mysql_server::{MYSQL57, MYSQL80, MYSQL97, account, config};

/// Longer than one hash, with bytes beyond ASCII and a quote.
const PASSWORD: &str = "correct horse battery staple; ünï-\"code\" 0123456789 0123456789";

fn login(server: &str, user: &str, password: &str, ssl_mode: SslMode) -> Result<(), MySqlError> {
    let mut config = config(server, user, password);
    config.ssl_mode = ssl_mode;
    let mut connection = Connection::connect(&config)?;
    assert_eq!(connection.is_encrypted(), ssl_mode != SslMode::Disabled);
    let current = connection.query_value("SELECT CURRENT_USER()")?;
    assert_eq!(current, Some(format!("{user}@%")));
    Ok(())
}

#[test]
fn mysql_native_password() {
    for (server, user) in [(MYSQL80, "it_native_80"), (MYSQL57, "it_native_57")] {
        account(server, user, "mysql_native_password", PASSWORD);
        login(server, user, PASSWORD, SslMode::Disabled).unwrap();
        assert_eq!(login(server, user, "wrong", SslMode::Disabled).unwrap_err().code(), Some(1045));
        assert_eq!(login(server, user, "", SslMode::Disabled).unwrap_err().code(), Some(1045));
    }
}

#[test]
fn caching_sha2_password() {
    for (server, user, mode) in [
        (MYSQL97, "it_caching_rsa", SslMode::Disabled),
        (MYSQL97, "it_caching_tls", SslMode::Required),
        (MYSQL80, "it_caching_rsa", SslMode::Disabled),
    ] {
        account(server, user, "caching_sha2_password", PASSWORD);
        assert_eq!(login(server, user, "wrong", mode).unwrap_err().code(), Some(1045));
        // A new account is not cached: the whole exchange; then the short one; then without a cache again.
        login(server, user, PASSWORD, mode).unwrap();
        login(server, user, PASSWORD, mode).unwrap();
        account(server, user, "caching_sha2_password", PASSWORD);
        login(server, user, PASSWORD, mode).unwrap();
        assert_eq!(login(server, user, "wrong", mode).unwrap_err().code(), Some(1045));
    }
}

#[test]
fn sha256_password() {
    for (server, modes) in
        [(MYSQL97, &[SslMode::Disabled, SslMode::Required][..]), (MYSQL80, &[SslMode::Disabled])]
    {
        account(server, "it_sha256", "sha256_password", PASSWORD);
        for &mode in modes {
            login(server, "it_sha256", PASSWORD, mode).unwrap();
            assert_eq!(login(server, "it_sha256", "wrong", mode).unwrap_err().code(), Some(1045));
            assert_eq!(login(server, "it_sha256", "", mode).unwrap_err().code(), Some(1045));
        }
    }
}

#[test]
fn sha256_password_without_tls_and_without_keys_is_refused_by_the_server() {
    // This build of 5.7 has neither TLS nor RSA keys.
    account(MYSQL57, "it_sha256", "sha256_password", PASSWORD);
    let error = login(MYSQL57, "it_sha256", PASSWORD, SslMode::Disabled).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Fatal, "{error:?}");
}

#[test]
fn empty_passwords() {
    for (server, plugins) in [
        (MYSQL97, &["caching_sha2_password", "sha256_password"][..]),
        (MYSQL80, &["caching_sha2_password", "sha256_password", "mysql_native_password"]),
        (MYSQL57, &["mysql_native_password"]),
    ] {
        for plugin in plugins {
            let user = format!("it_empty_{}", &plugin[..6]);
            account(server, &user, plugin, "");
            login(server, &user, "", SslMode::Disabled).unwrap();
            assert_eq!(login(server, &user, "some", SslMode::Disabled).unwrap_err().code(), Some(1045));
        }
    }
}

#[test]
fn a_locked_account_is_fatal() {
    let mut root = account(MYSQL97, "it_locked", "caching_sha2_password", "pw");
    root.execute("ALTER USER it_locked ACCOUNT LOCK").unwrap();
    let error = login(MYSQL97, "it_locked", "pw", SslMode::Required).unwrap_err();
    assert_eq!((error.code(), error.class()), (Some(3118), ErrorClass::Fatal));
    assert!(error.remedy().unwrap().contains("UNLOCK"));
}
