//! The first packets of a connection: the server's greeting, our answer, and the request for TLS in between
//! (<https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_connection_phase_packets_protocol_handshake_v10.html>).

use mysql_common::constants::CapabilityFlags;

use crate::source::mysql::payload::{Payload, put_lenenc, put_lenenc_bytes};

/// utf8mb4_general_ci: one byte long, and known to every server since 5.5.3.
const UTF8MB4_GENERAL_CI: u8 = 45;
/// The largest packet that we announce to accept, in bytes.
const MAX_PACKET: u32 = 1 << 30;

/// What the server says first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Greeting {
    /// As the server spells it; MariaDB's may begin with `5.5.5-`.
    pub(crate) version: String,
    pub(crate) connection_id: u32,
    /// The random bytes that a password is mixed with, without their final zero.
    pub(crate) nonce: Vec<u8>,
    pub(crate) capabilities: CapabilityFlags,
    /// The server's default authentication plugin.
    pub(crate) plugin: String,
}

impl Greeting {
    /// Reads the greeting of protocol version 10; None when it is something else.
    pub(crate) fn parse(payload: &[u8]) -> Option<Self> {
        let mut payload = Payload(payload);
        if payload.u8()? != 10 {
            return None;
        }
        let version = String::from_utf8_lossy(payload.until_zero()?).into_owned();
        let connection_id = payload.u32()?;
        let mut nonce = payload.take(8)?.to_vec();
        payload.take(1)?;
        let low = payload.u16()?;
        // Collation and status.
        payload.take(3)?;
        let high = payload.u16()?;
        let capabilities = CapabilityFlags::from_bits_truncate(u32::from(low) | u32::from(high) << 16);
        let nonce_length = usize::from(payload.u8()?);
        payload.take(10)?;
        // At least 13 bytes, of which the last is a zero.
        let rest = payload.take(nonce_length.saturating_sub(8).max(13).min(payload.0.len()))?;
        nonce.extend_from_slice(rest.strip_suffix(&[0]).unwrap_or(rest));
        let plugin = payload.until_zero().unwrap_or(payload.0);
        let plugin = String::from_utf8_lossy(plugin).into_owned();
        Some(Greeting { version, connection_id, nonce, capabilities, plugin })
    }
}

/// What we ask of the connection, as far as the server has it.
pub(crate) fn wanted_capabilities(server: CapabilityFlags, tls: bool) -> CapabilityFlags {
    let mut wanted = CapabilityFlags::CLIENT_LONG_PASSWORD
        | CapabilityFlags::CLIENT_LONG_FLAG
        | CapabilityFlags::CLIENT_PROTOCOL_41
        | CapabilityFlags::CLIENT_TRANSACTIONS
        | CapabilityFlags::CLIENT_SECURE_CONNECTION
        | CapabilityFlags::CLIENT_PLUGIN_AUTH
        | CapabilityFlags::CLIENT_PLUGIN_AUTH_LENENC_CLIENT_DATA
        | CapabilityFlags::CLIENT_CONNECT_ATTRS
        | CapabilityFlags::CLIENT_MULTI_RESULTS
        | CapabilityFlags::CLIENT_PS_MULTI_RESULTS;
    if tls {
        wanted |= CapabilityFlags::CLIENT_SSL;
    }
    wanted & server
}

/// The request for TLS: the fixed head of the answer alone.
pub(crate) fn ssl_request(capabilities: CapabilityFlags) -> Vec<u8> {
    let mut out = capabilities.bits().to_le_bytes().to_vec();
    out.extend_from_slice(&MAX_PACKET.to_le_bytes());
    out.push(UTF8MB4_GENERAL_CI);
    out.extend_from_slice(&[0; 23]);
    out
}

/// The answer to the greeting.
pub(crate) fn response(capabilities: CapabilityFlags, user: &str, auth: &[u8], plugin: &str) -> Vec<u8> {
    let mut out = ssl_request(capabilities);
    out.extend_from_slice(user.as_bytes());
    out.push(0);
    if capabilities.contains(CapabilityFlags::CLIENT_PLUGIN_AUTH_LENENC_CLIENT_DATA) {
        put_lenenc_bytes(&mut out, auth);
    } else {
        out.push(u8::try_from(auth.len()).unwrap_or_default());
        out.extend_from_slice(auth);
    }
    if capabilities.contains(CapabilityFlags::CLIENT_PLUGIN_AUTH) {
        out.extend_from_slice(plugin.as_bytes());
        out.push(0);
    }
    if capabilities.contains(CapabilityFlags::CLIENT_CONNECT_ATTRS) {
        let mut attributes = Vec::new();
        for text in [
            "program_name",
            "tidewire",
            "_client_name",
            "tidewire",
            "_client_version",
            env!("CARGO_PKG_VERSION"),
        ] {
            put_lenenc_bytes(&mut attributes, text.as_bytes());
        }
        put_lenenc(&mut out, attributes.len());
        out.extend_from_slice(&attributes);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A greeting in the manual's layout.
    fn greeting() -> Vec<u8> {
        let mut bytes = vec![10];
        bytes.extend_from_slice(b"9.7.4\0");
        bytes.extend_from_slice(&[7, 0, 0, 0]); // connection id
        bytes.extend_from_slice(b"abcdefgh\0"); // nonce, part 1, filler
        bytes.extend_from_slice(&[0xFF, 0xFF, 0xFF, 0x02, 0x00]); // capabilities, collation, status
        bytes.extend_from_slice(&[0xFF, 0xDF, 21]); // capabilities, length of the nonce
        bytes.extend_from_slice(&[0; 10]);
        bytes.extend_from_slice(b"ijklmnopqrst\0caching_sha2_password\0");
        bytes
    }

    #[test]
    fn a_greeting_is_read() {
        let greeting = Greeting::parse(&greeting()).unwrap();
        assert_eq!(greeting.version, "9.7.4");
        assert_eq!(greeting.connection_id, 7);
        assert_eq!(greeting.nonce, b"abcdefghijklmnopqrst");
        assert_eq!(greeting.plugin, "caching_sha2_password");
        assert!(
            greeting.capabilities.contains(CapabilityFlags::CLIENT_SSL | CapabilityFlags::CLIENT_PLUGIN_AUTH)
        );
    }

    #[test]
    fn no_cut_greeting_panics() {
        let whole = greeting();
        for length in 0..whole.len() {
            // The nonce's tail and the plugin are optional in old servers; all before is not.
            let parsed = Greeting::parse(&whole[..length]);
            assert_eq!(parsed.is_some(), length >= 38, "{length}");
        }
        assert_eq!(Greeting::parse(b"HTTP/1.1 400 Bad Request\r\n"), None);
    }

    #[test]
    fn the_answer_has_the_manuals_layout() {
        let capabilities = CapabilityFlags::CLIENT_PROTOCOL_41
            | CapabilityFlags::CLIENT_PLUGIN_AUTH
            | CapabilityFlags::CLIENT_PLUGIN_AUTH_LENENC_CLIENT_DATA;
        let bytes = response(capabilities, "me", &[1, 2], "p");
        assert_eq!(bytes[..9], [0x00, 0x02, 0x28, 0x00, 0, 0, 0, 0x40, 45]);
        assert_eq!(bytes[9..32], [0; 23]);
        assert_eq!(&bytes[32..], b"me\0\x02\x01\x02p\0");
    }
}
