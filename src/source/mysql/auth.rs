//! Authentication: the exchange between the greeting and the server's OK.
//!
//! The server names its default plugin in the greeting; we answer for that one at once, and the server asks us to
//! switch (AuthSwitchRequest, 0xFE) when the account uses another. Then the plugin's own packets follow (0x01), until
//! OK or an error (<https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_connection_phase.html>).
//!
//! | plugin | without TLS | with TLS |
//! |---|---|---|
//! | `mysql_native_password` | SHA-1 scramble | the same |
//! | `caching_sha2_password` | SHA-256 scramble; if the server has no cached entry, RSA with the server's key | scramble, then the password in the encrypted channel |
//! | `sha256_password` | RSA with the server's key | the password in the encrypted channel |
//! | `client_ed25519` (MariaDB) | Ed25519 signature | the same |
//!
//! Nothing ever sends a password that is not encrypted: `mysql_clear_password` and `mysql_old_password` are refused.
//! Without TLS the server's RSA key is taken on trust, so that an active attacker could read the password; only
//! `database.ssl.mode=verify_ca` and `verify_identity` prevent that.

use mysql_common::auth::plugins::caching_sha2_password::scramble_sha256;
use mysql_common::auth::plugins::client_ed25519::ClientEd25519;
use mysql_common::auth::plugins::mysql_native_password::scramble_native;
use mysql_common::auth::plugins::{ChallengeResponsePlugin, Context, Response};
use mysql_common::crypto::rsa::{GetRandom, Pkcs1OaepPadding, Pkcs1Padding, PublicKey};

use crate::certificate::der::rsa_modulus_size;
use crate::source::mysql::error::MySqlError;
use crate::source::mysql::packet::PacketStream;
use crate::source::mysql::payload::Payload;
use crate::source::mysql::server_error::read_server_error;

/// Length of the nonce of the MySQL plugins.
const NONCE: usize = 20;
const OK: u8 = 0x00;
const MORE_DATA: u8 = 0x01;
const SWITCH: u8 = 0xFE;
const ERR: u8 = 0xFF;
/// caching_sha2_password: the scramble was right.
const FAST_AUTH_SUCCESS: u8 = 3;
/// caching_sha2_password: the server has no cached entry and needs the password itself.
const PERFORM_FULL_AUTHENTICATION: u8 = 4;

/// The plugins that we speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AuthPlugin {
    MySqlNativePassword,
    CachingSha2Password,
    Sha256Password,
    Ed25519,
}

impl AuthPlugin {
    /// By the name on the wire.
    pub(crate) fn by_name(name: &str) -> Option<Self> {
        match name {
            "mysql_native_password" => Some(AuthPlugin::MySqlNativePassword),
            "caching_sha2_password" => Some(AuthPlugin::CachingSha2Password),
            "sha256_password" => Some(AuthPlugin::Sha256Password),
            "client_ed25519" => Some(AuthPlugin::Ed25519),
            _ => None,
        }
    }

    /// The name on the wire.
    pub(crate) fn name(self) -> &'static str {
        match self {
            AuthPlugin::MySqlNativePassword => "mysql_native_password",
            AuthPlugin::CachingSha2Password => "caching_sha2_password",
            AuthPlugin::Sha256Password => "sha256_password",
            AuthPlugin::Ed25519 => "client_ed25519",
        }
    }
}

/// Who wants in, and how the bytes travel.
pub(crate) struct Credentials<'a> {
    pub(crate) user: &'a str,
    pub(crate) password: &'a [u8],
    pub(crate) encrypted: bool,
    /// MySQL before 8.0.5 pads RSA as PKCS #1 version 1.5 does, later ones with OAEP.
    pub(crate) oaep: bool,
}

impl Credentials<'_> {
    /// What is sent first for `plugin`.
    pub(crate) fn first_response(&self, plugin: AuthPlugin, nonce: &[u8]) -> Result<Vec<u8>, &'static str> {
        if self.password.is_empty() && plugin != AuthPlugin::Ed25519 {
            return Ok(match plugin {
                AuthPlugin::MySqlNativePassword => Vec::new(),
                _ => vec![0],
            });
        }
        match plugin {
            AuthPlugin::MySqlNativePassword => {
                let nonce = nonce.get(..NONCE).ok_or(SHORT_NONCE)?;
                Ok(scramble_native(nonce, self.password).map(Vec::from).unwrap_or_default())
            }
            AuthPlugin::CachingSha2Password => {
                let nonce = nonce.first_chunk::<NONCE>().ok_or(SHORT_NONCE)?;
                Ok(scramble_sha256(nonce, self.password).map(Vec::from).unwrap_or_default())
            }
            AuthPlugin::Sha256Password if self.encrypted => Ok(self.terminated_password()),
            // Ask for the server's public key.
            AuthPlugin::Sha256Password => Ok(vec![1]),
            AuthPlugin::Ed25519 => match ClientEd25519::default().run(Ed25519Context(self.password), nonce) {
                Ok(Response::Next { packet } | Response::Last { packet }) => Ok(packet.unwrap_or_default()),
                Err(_) => Err(SHORT_NONCE),
            },
        }
    }

    fn terminated_password(&self) -> Vec<u8> {
        let mut bytes = self.password.to_vec();
        bytes.push(0);
        bytes
    }

    /// The password, mixed with the nonce and encrypted with the server's RSA key.
    fn encrypt_password(&self, nonce: &[u8], pem: &[u8]) -> Result<Vec<u8>, &'static str> {
        let size = rsa_modulus_size(pem).ok_or("the server's public key is not an RSA key")?;
        let nonce = nonce.get(..NONCE).ok_or(SHORT_NONCE)?;
        let mut bytes = self.terminated_password();
        for (byte, mix) in bytes.iter_mut().zip(nonce.iter().cycle()) {
            *byte ^= mix;
        }
        // OAEP with SHA-1 needs 42 bytes for itself, version 1.5 needs 11.
        if bytes.len() + 42 > size {
            return Err("the password is too long for the server's public key");
        }
        let key = PublicKey::from_pem(pem).map_err(|_| "the server's public key is malformed")?;
        let encrypted = if self.oaep {
            key.encrypt_block(&bytes, Pkcs1OaepPadding::new(GetRandom))
        } else {
            key.encrypt_block(&bytes, Pkcs1Padding::new(GetRandom))
        };
        encrypted.map_err(|_| "the password cannot be encrypted with the server's public key")
    }

    fn refused(&self, packets: &PacketStream, plugin: &str, reason: &'static str) -> MySqlError {
        MySqlError::AuthPlugin {
            server: packets.server().to_owned(),
            user: self.user.to_owned(),
            plugin: plugin.to_owned(),
            reason,
        }
    }
}

const SHORT_NONCE: &str = "the server's challenge has the wrong length";

/// What ed25519 needs to know: the password only.
struct Ed25519Context<'a>(&'a [u8]);

impl Context for Ed25519Context<'_> {
    fn pass(&self) -> &[u8] {
        self.0
    }
    fn is_ipc_transport(&self) -> bool {
        false
    }
    fn is_tls_transport(&self) -> bool {
        false
    }
    fn scramble(&self) -> &[u8] {
        &[]
    }
    fn server_key_pem(&self) -> Option<&[u8]> {
        None
    }
}

/// Goes on after the answer to the greeting was sent for `plugin` with `nonce`, until the server says OK.
///
/// # Errors
/// `Server` with 1045 for a wrong password; `AuthPlugin` for a plugin we do not speak.
pub(crate) fn authenticate(
    packets: &mut PacketStream,
    credentials: &Credentials<'_>,
    mut plugin: AuthPlugin,
    mut nonce: Vec<u8>,
) -> Result<(), MySqlError> {
    loop {
        let packet = packets.read()?.to_vec();
        let answer = match packet.split_first() {
            Some((&OK, _)) => return Ok(()),
            Some((&ERR, _)) => return Err(read_server_error(packets, credentials.user, &packet)),
            Some((&SWITCH, [])) => {
                return Err(credentials.refused(packets, "mysql_old_password", "it is too weak to be used"));
            }
            Some((&SWITCH, rest)) => {
                let mut rest = Payload(rest);
                let name = rest.until_zero().ok_or_else(|| packets.malformed("authentication switch"))?;
                let name = String::from_utf8_lossy(name);
                plugin = AuthPlugin::by_name(&name).ok_or_else(|| {
                    let reason = match &*name {
                        "mysql_clear_password" => "it would send the password in the clear",
                        "mysql_old_password" => "it is too weak to be used",
                        _ => "it is not supported",
                    };
                    credentials.refused(packets, &name, reason)
                })?;
                // MySQL ends the nonce with a zero, MariaDB's ed25519 does not.
                nonce = match rest.0.split_last() {
                    Some((0, bytes)) if bytes.len() == NONCE => bytes.to_vec(),
                    _ => rest.0.to_vec(),
                };
                Some(credentials.first_response(plugin, &nonce))
            }
            Some((&MORE_DATA, data)) => match (plugin, data) {
                (AuthPlugin::CachingSha2Password, [FAST_AUTH_SUCCESS]) => None,
                (AuthPlugin::CachingSha2Password, [PERFORM_FULL_AUTHENTICATION]) if credentials.encrypted => {
                    Some(Ok(credentials.terminated_password()))
                }
                // Ask for the server's public key.
                (AuthPlugin::CachingSha2Password, [PERFORM_FULL_AUTHENTICATION]) => Some(Ok(vec![2])),
                (AuthPlugin::CachingSha2Password | AuthPlugin::Sha256Password, pem)
                    if !credentials.encrypted =>
                {
                    Some(credentials.encrypt_password(&nonce, pem))
                }
                _ => return Err(packets.malformed("unexpected authentication data")),
            },
            _ => return Err(packets.malformed("unexpected packet during authentication")),
        };
        if let Some(answer) = answer {
            let answer = answer.map_err(|reason| credentials.refused(packets, plugin.name(), reason))?;
            packets.write(&answer)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn credentials(password: &str, encrypted: bool) -> Credentials<'_> {
        Credentials { user: "u", password: password.as_bytes(), encrypted, oaep: true }
    }

    #[test]
    fn every_plugin_is_found_by_its_own_name() {
        for plugin in [
            AuthPlugin::MySqlNativePassword,
            AuthPlugin::CachingSha2Password,
            AuthPlugin::Sha256Password,
            AuthPlugin::Ed25519,
        ] {
            assert_eq!(AuthPlugin::by_name(plugin.name()), Some(plugin));
        }
        assert_eq!(AuthPlugin::by_name("mysql_clear_password"), None);
    }

    #[test]
    fn first_responses() {
        let nonce = [7; 20];
        let native = AuthPlugin::MySqlNativePassword;
        let sha256 = AuthPlugin::Sha256Password;
        assert_eq!(credentials("", false).first_response(native, &nonce), Ok(vec![]));
        assert_eq!(credentials("", false).first_response(sha256, &nonce), Ok(vec![0]));
        assert_eq!(credentials("pw", false).first_response(sha256, &nonce), Ok(vec![1]));
        assert_eq!(credentials("pw", true).first_response(sha256, &nonce), Ok(b"pw\0".to_vec()));
        assert_eq!(credentials("pw", false).first_response(native, &nonce).unwrap().len(), 20);
        for plugin in [native, AuthPlugin::CachingSha2Password, AuthPlugin::Ed25519] {
            assert_eq!(credentials("pw", false).first_response(plugin, &[1; 5]), Err(SHORT_NONCE));
        }
        assert_eq!(credentials("pw", false).first_response(AuthPlugin::Ed25519, &[1; 32]).unwrap().len(), 64);
    }

    #[test]
    fn garbage_for_a_public_key_is_an_error() {
        assert!(credentials("pw", false).encrypt_password(&[0; 20], b"no key").is_err());
    }
}
