//! SCRAM (RFC 5802, RFC 7677): proves that both sides know the password without sending it.
//!
//! `n,,n=USER,r=NONCE` → `r=NONCE+THEIRS,s=SALT,i=ITERATIONS` → `c=biws,r=…,p=PROOF` → `v=SIGNATURE`. Channel binding is
//! not used by Kafka.

use std::num::NonZeroU32;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use ring::{digest, hmac, pbkdf2};

/// More would let a false broker keep us busy; Kafka's default is 4096.
const MOST_ITERATIONS: u32 = 10_000_000;

/// The hash of the mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hash {
    Sha256,
    Sha512,
}

impl Hash {
    fn algorithms(self) -> (hmac::Algorithm, pbkdf2::Algorithm, &'static digest::Algorithm) {
        match self {
            Hash::Sha256 => (hmac::HMAC_SHA256, pbkdf2::PBKDF2_HMAC_SHA256, &digest::SHA256),
            Hash::Sha512 => (hmac::HMAC_SHA512, pbkdf2::PBKDF2_HMAC_SHA512, &digest::SHA512),
        }
    }
}

/// A login that is under way.
pub(super) struct Exchange {
    hash: Hash,
    nonce: String,
    first: String,
    signature: Vec<u8>,
}

impl Exchange {
    /// `nonce` is printable without commas and new for every login.
    pub(super) fn new(hash: Hash, user: &str, nonce: String) -> Self {
        let user = user.replace('=', "=3D").replace(',', "=2C");
        Exchange { hash, first: format!("n={user},r={nonce}"), nonce, signature: Vec::new() }
    }

    /// What the client says first.
    pub(super) fn client_first(&self) -> String {
        format!("n,,{}", self.first)
    }

    /// The client's proof, in answer to what the server says first.
    pub(super) fn client_final(
        &mut self,
        password: &str,
        server_first: &str,
    ) -> Result<String, &'static str> {
        let attribute =
            |name: &str| server_first.split(',').find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
        let nonce = attribute("r").filter(|nonce| nonce.starts_with(&self.nonce));
        let nonce = nonce.ok_or("the broker's nonce does not continue ours")?;
        let salt =
            attribute("s").and_then(|salt| BASE64.decode(salt).ok()).ok_or("the broker sent no salt")?;
        let iterations = attribute("i").and_then(|count| count.parse::<u32>().ok());
        let iterations = iterations.filter(|count| *count <= MOST_ITERATIONS).and_then(NonZeroU32::new);
        let iterations = iterations.ok_or("the broker sent no usable count of iterations")?;
        let (mac, derive, hash) = self.hash.algorithms();
        let mut salted = vec![0; hash.output_len()];
        pbkdf2::derive(derive, iterations, &salt, password.as_bytes(), &mut salted);
        let sign = |key: &[u8], text: &[u8]| hmac::sign(&hmac::Key::new(mac, key), text);
        let client_key = sign(&salted, b"Client Key");
        let stored_key = digest::digest(hash, client_key.as_ref());
        let without_proof = format!("c=biws,r={nonce}");
        let all = format!("{},{server_first},{without_proof}", self.first);
        let client_signature = sign(stored_key.as_ref(), all.as_bytes());
        let proof: Vec<u8> =
            client_key.as_ref().iter().zip(client_signature.as_ref()).map(|(key, sign)| key ^ sign).collect();
        let server_key = sign(&salted, b"Server Key");
        self.signature = sign(server_key.as_ref(), all.as_bytes()).as_ref().to_vec();
        Ok(format!("{without_proof},p={}", BASE64.encode(proof)))
    }

    /// Whether the server knows the password too.
    pub(super) fn check_server_final(&self, server_final: &str) -> Result<(), &'static str> {
        let signature = server_final.split(',').find_map(|part| part.strip_prefix("v="));
        match signature.and_then(|text| BASE64.decode(text).ok()) {
            Some(signature) if signature == self.signature && !signature.is_empty() => Ok(()),
            _ => Err("the broker could not prove that it knows the password"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_rfc_7677() {
        let mut exchange = Exchange::new(Hash::Sha256, "user", "rOprNGfwEbeRWgbNEkqO".to_owned());
        assert_eq!(exchange.client_first(), "n,,n=user,r=rOprNGfwEbeRWgbNEkqO");
        let first = "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";
        assert_eq!(
            exchange.client_final("pencil", first).unwrap(),
            "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="
        );
        exchange.check_server_final("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=").unwrap();
        assert!(exchange.check_server_final("v=AAAA").is_err());
        assert!(exchange.client_final("pencil", "r=other,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096").is_err());
        assert!(exchange.client_final("pencil", "r=rOprNGfwEbeRWgbNEkqO1,s=AAAA,i=0").is_err());
    }
}
