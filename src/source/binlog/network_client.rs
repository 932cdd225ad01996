//! The binlog as the server sends it to a replica.
//!
//! 1. The session says what it understands: checksums (`@source_binlog_checksum`, and `@master_…` for servers before
//!    8.0.26), the heartbeat period in nanoseconds, and to MariaDB that we know its GTIDs.
//! 2. COM_REGISTER_SLAVE makes us visible in `SHOW REPLICAS`.
//! 3. COM_BINLOG_DUMP (file and position) or COM_BINLOG_DUMP_GTID (a set of what we have) starts the stream.
//! 4. One packet is one event behind a zero byte; an idle server sends heartbeat events. Silence for three heartbeat
//!    periods means that the connection is dead, whatever TCP believes.
//!
//! We set no replica UUID, as the Java binlog client of Debezium does not either: the server then recognises a second
//! replica with the same `database.server.id`, whichever of the two programs it is, and ends the older stream. With
//! UUIDs of their own both would go on, unseen.
//! (<https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_replication.html>)

use std::io;
use std::time::Duration;

use crate::config::source::ConnectionConfig;
use crate::source::mysql::connection::Connection;
use crate::source::mysql::error::MySqlError;
use crate::source::mysql::error_codes::ER_SOURCE_FATAL_ERROR_READING_BINLOG;
use crate::source::mysql::flavor::ServerVersion;
use crate::source::mysql::transport::SocketCloser;

const COM_BINLOG_DUMP: u8 = 0x12;
const COM_REGISTER_SLAVE: u8 = 0x15;
const COM_BINLOG_DUMP_GTID: u8 = 0x1E;
/// Flag: at the end of the last binlog send EOF instead of waiting.
const BINLOG_DUMP_NON_BLOCK: u16 = 1;
/// Flag: a GTID set follows.
const BINLOG_THROUGH_GTID: u16 = 4;
/// Where events begin in a binlog file, after its magic.
const FIRST_EVENT: u64 = 4;
const READING: &str = "reading the binlog";

/// Where the stream begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DumpStart {
    /// At an event's start in a file.
    Position {
        /// The file's name without its folder.
        file: String,
        /// Bytes from the start of the file; at least 4, at most 2^32 − 1.
        position: u64,
    },
    /// After all these transactions: the set in the encoding of COM_BINLOG_DUMP_GTID (`GtidSet` of `offset::gtid`
    /// makes it; eight zero bytes are the empty set).
    Gtids(Vec<u8>),
    /// MariaDB: after these GTIDs, one `domain-server-sequence` for each domain, separated by commas.
    MariaDbGtids(String),
}

/// What the dump session is told beside its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DumpOptions {
    /// How often an idle server is heard from; zero: never, and then nothing bounds its silence.
    pub heartbeat_period: Duration,
    /// `binlog.net.write.timeout`: how long the server waits for us to read.
    pub net_write_timeout: Option<Duration>,
    /// `binlog.net.read.timeout`.
    pub net_read_timeout: Option<Duration>,
    /// End the stream where the log ends now, instead of waiting for more.
    pub non_blocking: bool,
}

/// What `poll_frame` found.
#[derive(Debug, PartialEq, Eq)]
pub enum Polled<'a> {
    /// A whole event, header and checksum included.
    Frame(&'a [u8]),
    /// Nothing arrived in the time given.
    Idle,
    /// The end of a `non_blocking` stream.
    End,
}

/// The stream of events; see the module.
#[derive(Debug)]
pub struct BinlogClient {
    connection: Connection,
    server_id: u32,
    start: String,
    silence: Option<Duration>,
    non_blocking: bool,
}

impl BinlogClient {
    /// Connects, registers and starts the stream, with a heartbeat every `heartbeat_period`.
    ///
    /// # Errors
    /// As `open_with`.
    pub fn open(
        config: &ConnectionConfig,
        start: &DumpStart,
        heartbeat_period: Duration,
    ) -> Result<Self, MySqlError> {
        Self::open_with(config, start, &DumpOptions { heartbeat_period, ..DumpOptions::default() })
    }

    /// Connects, registers and starts the stream. What the server thinks of the position it says with the first
    /// frame only.
    ///
    /// # Errors
    /// Those of connecting; `PositionTooLarge`; `Server` when REPLICATION SLAVE is missing.
    pub fn open_with(
        config: &ConnectionConfig,
        start: &DumpStart,
        options: &DumpOptions,
    ) -> Result<Self, MySqlError> {
        let server = || format!("{}:{}", config.hostname, config.port);
        let dump = dump_command(start, config.server_id, options.non_blocking);
        let (command, argument) = dump.map_err(|(file, position)| MySqlError::PositionTooLarge {
            server: server(),
            file: file.to_owned(),
            position,
        })?;
        let mut connection = Connection::connect(config)?;
        // Tells no more than what the server may send: it decides itself whether it writes checksums.
        connection.execute(
            "SET @master_binlog_checksum = @@global.binlog_checksum, @source_binlog_checksum = @@global.binlog_checksum",
        )?;
        if connection.server_version().is_mariadb() {
            // 4: GTID events as they are, instead of stand-ins for older replicas.
            connection.execute("SET @mariadb_slave_capability = 4")?;
        }
        if let DumpStart::MariaDbGtids(list) = start {
            // Digits and two separators need no escapes.
            let list: String =
                list.chars().filter(|c| c.is_ascii_digit() || matches!(c, '-' | ',')).collect();
            connection.execute(&format!(
                "SET @slave_connect_state = '{list}', @slave_gtid_strict_mode = 0, @slave_gtid_ignore_duplicates = 0"
            ))?;
        }
        let period = options.heartbeat_period;
        if !period.is_zero() {
            let nanos = period.as_nanos();
            connection.execute(&format!(
                "SET @master_heartbeat_period = {nanos}, @source_heartbeat_period = {nanos}"
            ))?;
        }
        for (variable, limit) in
            [("net_write_timeout", options.net_write_timeout), ("net_read_timeout", options.net_read_timeout)]
        {
            if let Some(seconds) = limit.map(|limit| limit.as_secs()).filter(|seconds| *seconds > 0) {
                connection.execute(&format!("SET SESSION {variable} = {seconds}"))?;
            }
        }
        connection.command(
            COM_REGISTER_SLAVE,
            &registration(config.server_id),
            "registering as a replica",
        )?;
        connection.read_ok()?;
        connection.command(command, &argument, READING)?;
        let silence = Some(period.saturating_mul(3)).filter(|silence| !silence.is_zero());
        connection.set_read_timeout(silence);
        let start = match start {
            DumpStart::Position { file, position } => format!("file {file} position {position}"),
            DumpStart::Gtids(_) => "the stored GTID set".to_owned(),
            DumpStart::MariaDbGtids(list) => format!("gtid {list}"),
        };
        let (server_id, non_blocking) = (config.server_id, options.non_blocking);
        Ok(BinlogClient { connection, server_id, start, silence, non_blocking })
    }

    /// The next event, header and checksum included, borrowed until the next call; waits for it. None at the end of
    /// a `non_blocking` stream only.
    ///
    /// # Errors
    /// `NoHeartbeat` after three silent heartbeat periods and `ConnectionLost`, both retriable; `BinlogUnavailable`,
    /// `EventTooLarge` and `DuplicateServerId` for error 1236; `Server` for other errors.
    #[inline]
    pub fn next_frame(&mut self) -> Result<Option<&[u8]>, MySqlError> {
        if let Err(error) = self.connection.packets.receive() {
            return Err(self.explain(error));
        }
        match self.connection.packets.payload() {
            [0x00, ..] => Ok(self.connection.packets.payload().get(1..)),
            [0xFE, rest @ ..] if rest.len() < 8 && self.non_blocking => Ok(None),
            // A server that shuts down ends the stream as if all had been sent.
            [0xFE, rest @ ..] if rest.len() < 8 => Err(MySqlError::ConnectionLost {
                server: self.connection.server().to_owned(),
                doing: READING,
                source: io::Error::new(io::ErrorKind::ConnectionAborted, "the server ended the stream"),
            }),
            [0xFF, ..] => Err(self.explain(self.connection.server_error())),
            _ => Err(self.connection.packets.malformed("event packet")),
        }
    }

    /// As `next_frame`, but gives up waiting after `wait`, so that the caller can do something else meanwhile.
    /// Silence is not judged here: heartbeats come as frames, and the caller knows when the last frame came.
    pub fn poll_frame(&mut self, wait: Duration) -> Result<Polled<'_>, MySqlError> {
        match self.connection.packets.wait(wait) {
            Ok(false) => Ok(Polled::Idle),
            Ok(true) => self.next_frame().map(|frame| frame.map_or(Polled::End, Polled::Frame)),
            Err(error) => Err(self.explain(error)),
        }
    }

    /// Whether the next event is here already, so that `next_frame` will not wait.
    #[inline]
    pub fn has_frame(&self) -> bool {
        self.connection.packets.has_packet()
    }

    /// How long silence may last before the connection counts as dead; None is for ever.
    pub fn silence_limit(&self) -> Option<Duration> {
        self.silence
    }

    /// The error for a caller of `poll_frame` that has seen no frame within `silence_limit`.
    pub fn silent(&self) -> MySqlError {
        MySqlError::NoHeartbeat {
            server: self.connection.server().to_owned(),
            after: self.silence.unwrap_or_default(),
        }
    }

    /// A handle with which another thread can end the stream.
    pub fn closer(&self) -> Result<SocketCloser, MySqlError> {
        self.connection.closer()
    }

    /// The server's flavor and version.
    pub fn server_version(&self) -> &ServerVersion {
        self.connection.server_version()
    }

    /// The server's number for this connection, as in `SHOW PROCESSLIST`.
    pub fn connection_id(&self) -> u32 {
        self.connection.connection_id()
    }

    /// Gives errors of the stream their meaning.
    #[cold]
    fn explain(&self, error: MySqlError) -> MySqlError {
        match error {
            MySqlError::Timeout { .. } => self.silent(),
            MySqlError::Server { server, code: ER_SOURCE_FATAL_ERROR_READING_BINLOG, message, .. } => {
                // One number stands for everything that can be wrong; only the text tells these apart.
                if message.contains("same server_uuid/server_id") {
                    MySqlError::DuplicateServerId { server, server_id: self.server_id }
                } else if message.contains("exceeded max_allowed_packet") {
                    MySqlError::EventTooLarge { server, message }
                } else {
                    MySqlError::BinlogUnavailable { server, start: self.start.clone(), message }
                }
            }
            other => other,
        }
    }
}

/// The argument of COM_REGISTER_SLAVE: server id, host, user, password, port, rank, the source's id.
fn registration(server_id: u32) -> Vec<u8> {
    let mut bytes = server_id.to_le_bytes().to_vec();
    let host = b"tidewire";
    bytes.push(host.len() as u8);
    bytes.extend_from_slice(host);
    // No user, no password, port 0, rank 0, source id 0.
    bytes.extend_from_slice(&[0; 2 + 2 + 4 + 4]);
    bytes
}

/// Command and argument that start the stream; the position, when it does not fit.
fn dump_command(start: &DumpStart, server_id: u32, non_blocking: bool) -> Result<(u8, Vec<u8>), (&str, u64)> {
    let flags = if non_blocking { BINLOG_DUMP_NON_BLOCK } else { 0 };
    let mut bytes = Vec::new();
    let (file, position) = match start {
        DumpStart::Position { file, position } => (file.as_str(), (*position).max(FIRST_EVENT)),
        // Without a file MariaDB looks at the session variable.
        DumpStart::Gtids(_) | DumpStart::MariaDbGtids(_) => ("", FIRST_EVENT),
    };
    match start {
        DumpStart::Position { .. } | DumpStart::MariaDbGtids(_) => {
            let short = u32::try_from(position).map_err(|_| (file, position))?;
            bytes.extend_from_slice(&short.to_le_bytes());
            bytes.extend_from_slice(&flags.to_le_bytes());
            bytes.extend_from_slice(&server_id.to_le_bytes());
            bytes.extend_from_slice(file.as_bytes());
            Ok((COM_BINLOG_DUMP, bytes))
        }
        DumpStart::Gtids(set) => {
            bytes.extend_from_slice(&(flags | BINLOG_THROUGH_GTID).to_le_bytes());
            bytes.extend_from_slice(&server_id.to_le_bytes());
            // No file: the server finds it by the set.
            bytes.extend_from_slice(&0u32.to_le_bytes());
            bytes.extend_from_slice(&position.to_le_bytes());
            bytes.extend_from_slice(&u32::try_from(set.len()).unwrap_or(u32::MAX).to_le_bytes());
            bytes.extend_from_slice(set);
            Ok((COM_BINLOG_DUMP_GTID, bytes))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_the_manuals_layout() {
        let start = DumpStart::Position { file: "b.000001".into(), position: 0x01_0203 };
        let (command, bytes) = dump_command(&start, 7, true).unwrap();
        assert_eq!((command, &bytes[..]), (0x12, &b"\x03\x02\x01\0\x01\0\x07\0\0\0b.000001"[..]));

        let (command, bytes) = dump_command(&DumpStart::Gtids(vec![9; 2]), 7, false).unwrap();
        let expected = b"\x04\0\x07\0\0\0\0\0\0\0\x04\0\0\0\0\0\0\0\x02\0\0\0\x09\x09";
        assert_eq!((command, &bytes[..]), (0x1E, &expected[..]));

        let (command, bytes) = dump_command(&DumpStart::MariaDbGtids("0-1-2".into()), 7, false).unwrap();
        assert_eq!((command, &bytes[..]), (0x12, &b"\x04\0\0\0\0\0\x07\0\0\0"[..]));

        assert_eq!(registration(7).len(), 4 + 1 + 8 + 1 + 1 + 2 + 4 + 4);
    }

    #[test]
    fn positions_beyond_4_gib_are_refused_and_those_in_the_magic_moved() {
        let at = |position| DumpStart::Position { file: "b.000001".into(), position };
        assert_eq!(dump_command(&at(1 << 32), 7, false), Err(("b.000001", 1 << 32)));
        assert_eq!(dump_command(&at(u64::from(u32::MAX)), 7, false).unwrap().1[..4], [0xFF; 4]);
        assert_eq!(dump_command(&at(0), 7, false).unwrap().1[..4], [4, 0, 0, 0]);
    }
}
