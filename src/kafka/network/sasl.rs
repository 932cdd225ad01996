//! The login: PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512.

use crate::kafka::network::scram::{Exchange, Hash};

/// A mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mechanism {
    /// The password itself; for use under TLS.
    Plain,
    /// RFC 7677.
    ScramSha256,
    /// The same with SHA-512.
    ScramSha512,
}

impl Mechanism {
    /// By its name in `sasl.mechanism`.
    pub fn named(name: &str) -> Option<Self> {
        [Mechanism::Plain, Mechanism::ScramSha256, Mechanism::ScramSha512]
            .into_iter()
            .find(|mechanism| mechanism.name().eq_ignore_ascii_case(name.trim()))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Mechanism::Plain => "PLAIN",
            Mechanism::ScramSha256 => "SCRAM-SHA-256",
            Mechanism::ScramSha512 => "SCRAM-SHA-512",
        }
    }
}

/// The credentials.
#[derive(Clone)]
pub struct SaslSettings {
    /// How they are shown.
    pub mechanism: Mechanism,
    /// `sasl.username`.
    pub username: String,
    /// `sasl.password`.
    pub password: String,
}

/// Why a login did not succeed.
pub(super) enum LoginFailure<E> {
    /// A side was not content with the other.
    Refused(String),
    /// The exchange broke off.
    Broken(E),
}

impl SaslSettings {
    /// Logs in; `say` sends a token and gives the broker's answer to it.
    pub(super) fn log_in<E>(
        &self,
        mut say: impl FnMut(&[u8]) -> Result<Vec<u8>, LoginFailure<E>>,
    ) -> Result<(), LoginFailure<E>> {
        let hash = match self.mechanism {
            Mechanism::Plain => {
                return say(format!("\0{}\0{}", self.username, self.password).as_bytes()).map(drop);
            }
            Mechanism::ScramSha256 => Hash::Sha256,
            Mechanism::ScramSha512 => Hash::Sha512,
        };
        let refused = |reason: &str| LoginFailure::Refused(reason.to_owned());
        let text = |token: Vec<u8>| {
            String::from_utf8(token)
                .map_err(|_| LoginFailure::Refused("the broker's token is no text".to_owned()))
        };
        // 122 random bits.
        let nonce = uuid::Uuid::new_v4().simple().to_string();
        let mut exchange = Exchange::new(hash, &self.username, nonce);
        let server_first = text(say(exchange.client_first().as_bytes())?)?;
        let proof = exchange.client_final(&self.password, &server_first).map_err(refused)?;
        let server_final = text(say(proof.as_bytes())?)?;
        exchange.check_server_final(&server_final).map_err(refused)
    }
}
