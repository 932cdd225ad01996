//! SaslHandshake and SaslAuthenticate: the frames around a mechanism's tokens.

use crate::kafka::protocol::wire::{Malformed, Reader};

/// Reads the body of a handshake's response: error code and the mechanisms that the broker has.
pub fn read_handshake(body: &mut Reader<'_>) -> Result<(i16, Vec<String>), Malformed> {
    let error = body.i16()?;
    let mut mechanisms = Vec::new();
    for _ in 0..body.count()? {
        mechanisms.push(body.string()?.to_owned());
    }
    Ok((error, mechanisms))
}

/// Reads the body of an authentication's response: error code, the broker's words, its token.
pub fn read_authenticate(body: &mut Reader<'_>) -> Result<(i16, Option<String>, Vec<u8>), Malformed> {
    Ok((body.i16()?, body.nullable_string()?.map(str::to_owned), body.bytes()?.to_vec()))
}
