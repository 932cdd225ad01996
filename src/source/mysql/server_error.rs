//! Error packets: 0xFF, the number, `#` and SQLSTATE (absent before authentication), the text
//! (<https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_err_packet.html>).

use crate::source::mysql::error::MySqlError;
use crate::source::mysql::packet::PacketStream;
use crate::source::mysql::payload::Payload;

/// The error that an error packet reports; `packet` includes its first byte.
pub(crate) fn read_server_error(packets: &PacketStream, user: &str, packet: &[u8]) -> MySqlError {
    let mut payload = Payload(packet);
    payload.take(1);
    let Some(code) = payload.u16() else {
        return packets.malformed("error packet");
    };
    let mut state = "HY000";
    if let Some((b'#', rest)) = payload.0.split_first()
        && let Some((marked, text)) = rest.split_at_checked(5)
    {
        state = std::str::from_utf8(marked).unwrap_or(state);
        payload = Payload(text);
    }
    MySqlError::Server {
        server: packets.server().to_owned(),
        user: user.to_owned(),
        doing: packets.doing(),
        code,
        state: state.to_owned(),
        message: String::from_utf8_lossy(payload.0).into_owned(),
    }
}
