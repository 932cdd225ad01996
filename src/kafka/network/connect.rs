//! Opens a connection: TCP, TLS, the broker's versions, the login. Blocking, within `socket.connection.setup.timeout.ms`
//! a step.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use socket2::{SockRef, TcpKeepalive};

use crate::kafka::network::connection::{Connection, LARGEST_RESPONSE};
use crate::kafka::network::sasl::{LoginFailure, SaslSettings};
use crate::kafka::network::tls::TlsSettings;
use crate::kafka::network::transport::Transport;
use crate::kafka::protocol::api_versions::ApiVersions;
use crate::kafka::protocol::error_code::ErrorCode;
use crate::kafka::protocol::wire::{Malformed, Reader, begin_request, end_request, put_bytes, put_string};
use crate::kafka::protocol::{
    API_VERSIONS, Api, INIT_PRODUCER_ID, METADATA, PRODUCE, SASL_AUTHENTICATE, SASL_HANDSHAKE,
    sasl::read_authenticate, sasl::read_handshake,
};

/// A silent peer is asked whether it is there after this.
const KEEP_ALIVE: Duration = Duration::from_secs(60);

/// What all connections of a producer have in common.
pub struct ConnectionSettings {
    /// `client.id`.
    pub client_id: String,
    /// `socket.connection.setup.timeout.ms`.
    pub timeout: Duration,
    /// `send.buffer.bytes`; the operating system's own without.
    pub send_buffer: Option<usize>,
    /// `receive.buffer.bytes`; likewise.
    pub receive_buffer: Option<usize>,
    /// For `security.protocol` SSL and SASL_SSL.
    pub tls: Option<TlsSettings>,
    /// For `security.protocol` SASL_PLAINTEXT and SASL_SSL.
    pub sasl: Option<SaslSettings>,
}

/// Why a connection could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The network, or the broker hung up.
    #[error("{doing}: {source}")]
    Network {
        /// What was being done.
        doing: &'static str,
        /// The operating system's or TLS's reason.
        source: io::Error,
    },
    /// The broker talks something else.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// The broker refused the question for its versions.
    #[error("asking for the broker's versions: {0}")]
    Versions(ErrorCode),
    /// The broker is too old or too new.
    #[error("the broker knows no version of {api} that is spoken here")]
    Unsupported {
        /// The request.
        api: &'static str,
    },
    /// The credentials were refused. This does not pass by itself.
    #[error("{reason}")]
    Authentication {
        /// The broker's words.
        reason: String,
    },
}

/// Opens a connection to a broker.
pub fn connect(settings: &ConnectionSettings, host: &str, port: u16) -> Result<Connection, ConnectError> {
    let doing = |doing| move |source| ConnectError::Network { doing, source };
    let socket = reach(host, port, settings).map_err(doing("connecting"))?;
    socket
        .set_read_timeout(Some(settings.timeout))
        .and_then(|()| socket.set_write_timeout(Some(settings.timeout)))
        .map_err(doing("connecting"))?;
    let transport = match &settings.tls {
        Some(tls) => tls.handshake(host, socket).map_err(doing("making the TLS handshake"))?,
        None => Transport::Plain(socket),
    };
    let mut dialogue = Dialogue { transport, client_id: &settings.client_id, correlation: 0 };
    let answer = dialogue.ask(API_VERSIONS, |_| {}, "asking for the broker's versions")?;
    let (error, versions) = ApiVersions::read(&mut answer.reader()?)?;
    ErrorCode::check(error).map_err(ConnectError::Versions)?;
    for api in [PRODUCE, METADATA, INIT_PRODUCER_ID] {
        versions.choose(api).ok_or(ConnectError::Unsupported { api: api.name })?;
    }
    if let Some(sasl) = &settings.sasl {
        dialogue.log_in(sasl)?;
    }
    dialogue.transport.socket().set_nonblocking(true).map_err(doing("connecting"))?;
    Ok(Connection::new(dialogue.transport, versions))
}

/// Connects to the first address of the host that answers.
fn reach(host: &str, port: u16, settings: &ConnectionSettings) -> io::Result<TcpStream> {
    let deadline = Instant::now() + settings.timeout;
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the host name has no address");
    for address in (host, port).to_socket_addrs()? {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        match TcpStream::connect_timeout(&address, left) {
            Ok(socket) => {
                socket.set_nodelay(true)?;
                let options = SockRef::from(&socket);
                options.set_tcp_keepalive(&TcpKeepalive::new().with_time(KEEP_ALIVE))?;
                if let Some(bytes) = settings.send_buffer {
                    options.set_send_buffer_size(bytes)?;
                }
                if let Some(bytes) = settings.receive_buffer {
                    options.set_recv_buffer_size(bytes)?;
                }
                return Ok(socket);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Question and answer, one at a time.
struct Dialogue<'a> {
    transport: Transport,
    client_id: &'a str,
    correlation: i32,
}

/// A response with its header.
struct Answer(Vec<u8>);

impl Answer {
    /// The body.
    fn reader(&self) -> Result<Reader<'_>, Malformed> {
        let mut reader = Reader::new(&self.0);
        reader.i32()?; // correlation; there is only one question at a time
        Ok(reader)
    }
}

impl Dialogue<'_> {
    fn ask(
        &mut self,
        api: Api,
        body: impl FnOnce(&mut Vec<u8>),
        doing: &'static str,
    ) -> Result<Answer, ConnectError> {
        self.correlation += 1;
        let mut frame = begin_request(api, api.newest, self.correlation, self.client_id);
        body(&mut frame);
        end_request(&mut frame, 0);
        self.exchange(&frame).map_err(|source| ConnectError::Network { doing, source })
    }

    fn exchange(&mut self, frame: &[u8]) -> io::Result<Answer> {
        self.transport.write_all(frame)?;
        self.transport.flush()?;
        let mut length = [0; 4];
        self.transport.read_exact(&mut length)?;
        let length = usize::try_from(i32::from_be_bytes(length)).unwrap_or(usize::MAX);
        if length > LARGEST_RESPONSE {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the peer does not speak kafka's protocol",
            ));
        }
        let mut answer = vec![0; length];
        self.transport.read_exact(&mut answer)?;
        Ok(Answer(answer))
    }

    fn log_in(&mut self, sasl: &SaslSettings) -> Result<(), ConnectError> {
        const LOGIN: &str = "logging in";
        let mechanism = sasl.mechanism.name();
        let answer = self.ask(SASL_HANDSHAKE, |body| put_string(body, mechanism), LOGIN)?;
        let (error, offered) = read_handshake(&mut answer.reader()?)?;
        if error != 0 {
            let reason = format!("{mechanism} is not among its mechanisms: {}", offered.join(", "));
            return Err(ConnectError::Authentication { reason });
        }
        let outcome = sasl.log_in(|token| {
            let answer = self.ask(SASL_AUTHENTICATE, |body| put_bytes(body, token), LOGIN);
            let answer = answer.map_err(LoginFailure::Broken)?;
            let read = answer.reader().and_then(|mut body| read_authenticate(&mut body));
            let (error, message, token) = read.map_err(|error| LoginFailure::Broken(error.into()))?;
            match ErrorCode::check(error) {
                Ok(()) => Ok(token),
                Err(code) => Err(LoginFailure::Refused(message.unwrap_or_else(|| code.to_string()))),
            }
        });
        outcome.map_err(|failure| match failure {
            LoginFailure::Refused(reason) => ConnectError::Authentication { reason },
            LoginFailure::Broken(error) => error,
        })
    }
}
