//! One blocking connection to a MySQL or MariaDB server.
//!
//! Connecting: TCP; the server's greeting; TLS if the mode wants it and the server has it (under `preferred` a failed
//! handshake leads to a second attempt without); authentication. The session then has the character set utf8mb4 and
//! nothing else that the server would not give anyone.
//!
//! Commands go out one at a time, each answered before the next
//! (<https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_command_phase.html>). Several results of one
//! command are read to their end. A connection that lost its place is shut down rather than used on.

use mysql_common::constants::CapabilityFlags;
use std::sync::Arc;
use std::time::Duration;
use tracing::warn;

use crate::config::modes::SslMode;
use crate::config::source::ConnectionConfig;
use crate::source::mysql::auth::{AuthPlugin, Credentials, authenticate};
use crate::source::mysql::error::MySqlError;
use crate::source::mysql::flavor::ServerVersion;
use crate::source::mysql::handshake::{Greeting, response, ssl_request, wanted_capabilities};
use crate::source::mysql::packet::PacketStream;
use crate::source::mysql::payload::Payload;
use crate::source::mysql::result_set::{ColumnDefinition, RowStream, TextResult, parse_text_row};
use crate::source::mysql::server_error::read_server_error;
use crate::source::mysql::tls;
use crate::source::mysql::transport::{SocketCloser, Transport};

const COM_QUIT: u8 = 0x01;
const COM_QUERY: u8 = 0x03;
const COM_PING: u8 = 0x0E;
const COM_STMT_PREPARE: u8 = 0x16;
const COM_STMT_EXECUTE: u8 = 0x17;
const COM_STMT_CLOSE: u8 = 0x19;
/// In the status of an OK or EOF packet.
const SERVER_MORE_RESULTS_EXISTS: u16 = 8;

/// See the module.
pub struct Connection {
    pub(crate) packets: PacketStream,
    user: String,
    version: ServerVersion,
    connection_id: u32,
}

impl Connection {
    /// Connects and authenticates. `connect_timeout` bounds each step, `query_timeout` (zero: none) later reads.
    ///
    /// # Errors
    /// `UnknownHost`, `Connect`, `ConnectionLost` and `Timeout` are retriable; `Tls…`, `AuthPlugin` and `Server` with
    /// 1045 and the like are fatal.
    pub fn connect(config: &ConnectionConfig) -> Result<Self, MySqlError> {
        let tls = tls::client_config(config)?;
        let result = Self::attempt(config, tls.as_ref());
        match result {
            Err(MySqlError::Tls { ref source, .. }) if config.ssl_mode == SslMode::Preferred => {
                warn!(server = %address(config), error = %source, "TLS handshake failed, connecting without");
                Self::attempt(config, None)
            }
            Err(MySqlError::ConnectionLost { doing: tls::HANDSHAKE, ref source, .. })
                if config.ssl_mode == SslMode::Preferred =>
            {
                warn!(server = %address(config), error = %source, "TLS handshake failed, connecting without");
                Self::attempt(config, None)
            }
            other => other,
        }
    }

    fn attempt(
        config: &ConnectionConfig,
        tls: Option<&Arc<rustls::ClientConfig>>,
    ) -> Result<Self, MySqlError> {
        let timeout = if config.connect_timeout.is_zero() { FOREVER } else { config.connect_timeout };
        let transport =
            Transport::connect(&config.hostname, config.port, config.keep_alive_interval, timeout)?;
        let mut packets = PacketStream::new(transport, address(config).into());
        packets.set_limit(Some(config.connect_timeout));
        let first = packets.read()?.to_vec();
        if first.first() == Some(&0xFF) {
            return Err(read_server_error(&packets, &config.user, &first));
        }
        let greeting = Greeting::parse(&first)
            .ok_or_else(|| packets.malformed("the greeting is not a MySQL server's"))?;
        let version = ServerVersion::parse(&greeting.version);
        let offers_tls = greeting.capabilities.contains(CapabilityFlags::CLIENT_SSL);
        if tls.is_some() && !offers_tls && config.ssl_mode != SslMode::Preferred {
            return Err(MySqlError::TlsNotOffered { server: address(config) });
        }
        let tls = tls.filter(|_| offers_tls);
        let capabilities = wanted_capabilities(greeting.capabilities, tls.is_some());
        if !capabilities.contains(CapabilityFlags::CLIENT_PROTOCOL_41) {
            return Err(packets.malformed("the server is older than MySQL 4.1"));
        }
        if let Some(tls) = tls {
            packets.write(&ssl_request(capabilities))?;
            packets = packets.change_transport(|plain| tls::handshake(plain, tls.clone(), config))?;
        }
        let credentials = Credentials {
            user: &config.user,
            password: config.password.as_ref().map_or(&[], |password| password.reveal().as_bytes()),
            encrypted: packets.transport().is_encrypted(),
            oaep: version.is_mariadb() || version.is_mysql_from(8, 0, 5),
        };
        // A default plugin that we do not speak may not be the account's; the server will ask to switch.
        let plugin = AuthPlugin::by_name(&greeting.plugin).unwrap_or(AuthPlugin::MySqlNativePassword);
        let auth =
            credentials.first_response(plugin, &greeting.nonce).map_err(|what| packets.malformed(what))?;
        packets.write(&response(capabilities, &config.user, &auth, plugin.name()))?;
        authenticate(&mut packets, &credentials, plugin, greeting.nonce)?;
        packets.set_limit(Some(config.query_timeout));
        let connection_id = greeting.connection_id;
        Ok(Connection { packets, user: config.user.clone(), version, connection_id })
    }

    /// Runs `database.initial.statements`, which are for query connections and not for the binlog.
    pub fn run_initial_statements(&mut self, config: &ConnectionConfig) -> Result<(), MySqlError> {
        config.initial_statements.iter().try_for_each(|statement| self.execute(statement).map(|_| ()))
    }

    /// `host:port`.
    pub fn server(&self) -> &str {
        self.packets.server()
    }

    /// The account.
    pub fn user(&self) -> &str {
        &self.user
    }

    /// The server's flavor and version.
    pub fn server_version(&self) -> &ServerVersion {
        &self.version
    }

    /// The server's number for this connection, as in `SHOW PROCESSLIST`.
    pub fn connection_id(&self) -> u32 {
        self.connection_id
    }

    /// Whether TLS is in force.
    pub fn is_encrypted(&self) -> bool {
        self.packets.transport().is_encrypted()
    }

    /// How long one read may wait for bytes from now on; None or zero is for ever.
    pub fn set_read_timeout(&mut self, limit: Option<Duration>) {
        self.packets.set_limit(limit);
    }

    /// A handle with which another thread can end this connection.
    pub fn closer(&self) -> Result<SocketCloser, MySqlError> {
        SocketCloser::new(self.packets.transport().socket()).map_err(|source| MySqlError::ConnectionLost {
            server: self.server().to_owned(),
            doing: "duplicating the socket",
            source,
        })
    }

    /// Runs a statement for its effect; gives the number of affected rows. Rows, if any, are read and dropped.
    pub fn execute(&mut self, sql: &str) -> Result<u64, MySqlError> {
        self.command(COM_QUERY, sql.as_bytes(), RUNNING)?;
        let mut affected = 0;
        loop {
            let (_, count, more) = self.read_result(false)?;
            affected += count;
            if !more {
                return Ok(affected);
            }
        }
    }

    /// Runs a statement and keeps its first result set.
    pub fn query(&mut self, sql: &str) -> Result<TextResult, MySqlError> {
        self.command(COM_QUERY, sql.as_bytes(), RUNNING)?;
        let (result, _, mut more) = self.read_result(true)?;
        while more {
            (_, _, more) = self.read_result(false)?;
        }
        Ok(result)
    }

    /// The first column of the first row; None when there is none or it is NULL.
    pub fn query_value(&mut self, sql: &str) -> Result<Option<String>, MySqlError> {
        let result = self.query(sql)?;
        Ok(result.rows.into_iter().next().and_then(|row| row.into_iter().next()).flatten())
    }

    /// Prepares and executes a statement without parameters; its rows come in the binary protocol, one at a time.
    pub fn prepare_and_stream(&mut self, sql: &str) -> Result<RowStream<'_>, MySqlError> {
        self.command(COM_STMT_PREPARE, sql.as_bytes(), "preparing a statement")?;
        let packet = self.packets.read()?.to_vec();
        let prepared = match packet.as_slice() {
            [0xFF, ..] => return Err(self.server_error()),
            [0x00, rest @ ..] => {
                let mut rest = Payload(rest);
                rest.u32().zip(rest.u16()).zip(rest.u16())
            }
            _ => None,
        };
        let Some(((statement, columns), parameters)) = prepared else {
            return Err(self.packets.malformed("answer to COM_STMT_PREPARE"));
        };
        self.read_definitions(parameters.into())?;
        self.read_definitions(columns.into())?;
        let mut arguments = statement.to_le_bytes().to_vec();
        // No cursor; one iteration.
        arguments.extend_from_slice(&[0, 1, 0, 0, 0]);
        self.command(COM_STMT_EXECUTE, &arguments, "executing a prepared statement")?;
        self.packets.receive()?;
        let count = match self.packets.payload() {
            [0xFF, ..] => return Err(self.server_error()),
            payload => Payload(payload).lenenc().filter(|count| *count > 0),
        };
        let Some(count) = count.and_then(|count| usize::try_from(count).ok()) else {
            return Err(MySqlError::UnexpectedResult {
                server: self.server().to_owned(),
                statement: "a prepared statement",
                what: "it returns no rows at all",
            });
        };
        let columns = self.read_definitions(count)?;
        self.packets.begin_reading("reading rows");
        Ok(RowStream::new(self, statement, columns))
    }

    /// Asks whether the server is still there.
    pub fn ping(&mut self) -> Result<(), MySqlError> {
        self.command(COM_PING, &[], "pinging")?;
        self.read_ok()
    }

    /// Says goodbye and closes.
    pub fn close(mut self) {
        // The server closes without an answer, and so do we.
        let _ = self.command(COM_QUIT, &[], "closing");
        self.shut_down();
    }

    pub(crate) fn command(
        &mut self,
        command: u8,
        argument: &[u8],
        doing: &'static str,
    ) -> Result<(), MySqlError> {
        let mut payload = Vec::with_capacity(argument.len() + 1);
        payload.push(command);
        payload.extend_from_slice(argument);
        self.packets.begin(doing);
        self.packets.write(&payload)
    }

    /// Reads the answer of a command that has no rows.
    pub(crate) fn read_ok(&mut self) -> Result<(), MySqlError> {
        self.read_result(false).map(|_| ())
    }

    /// The error in the packet received last.
    pub(crate) fn server_error(&self) -> MySqlError {
        read_server_error(&self.packets, &self.user, self.packets.payload())
    }

    pub(crate) fn close_statement(&mut self, statement: u32) -> Result<(), MySqlError> {
        self.command(COM_STMT_CLOSE, &statement.to_le_bytes(), "closing a prepared statement")
    }

    pub(crate) fn shut_down(&mut self) {
        // The only failure is that the socket is closed already.
        let _ = self.packets.transport().socket().shutdown(std::net::Shutdown::Both);
    }

    /// Reads one result: rows (kept if wanted), affected rows, and whether another result follows.
    fn read_result(&mut self, keep: bool) -> Result<(TextResult, u64, bool), MySqlError> {
        self.packets.receive()?;
        let count = match self.packets.payload() {
            [0x00, rest @ ..] => {
                let mut rest = Payload(rest);
                let affected = rest.lenenc().zip(rest.lenenc());
                let Some(((affected, _), status)) = affected.zip(rest.u16()) else {
                    return Err(self.packets.malformed("OK packet"));
                };
                return Ok((TextResult::default(), affected, status & SERVER_MORE_RESULTS_EXISTS != 0));
            }
            [0xFF, ..] => return Err(self.server_error()),
            payload => Payload(payload).lenenc().and_then(|count| usize::try_from(count).ok()),
        };
        let count = count.ok_or_else(|| self.packets.malformed("answer to a statement"))?;
        let columns = self.read_definitions(count)?;
        let mut result =
            TextResult { columns: columns.into_iter().map(|column| column.name).collect(), rows: vec![] };
        loop {
            self.packets.receive()?;
            match self.packets.payload() {
                [0xFF, ..] => return Err(self.server_error()),
                [0xFE, rest @ ..] if rest.len() < 8 => {
                    let mut rest = Payload(rest);
                    let status = rest.u16().and_then(|_warnings| rest.u16()).unwrap_or_default();
                    return Ok((result, 0, status & SERVER_MORE_RESULTS_EXISTS != 0));
                }
                payload if keep => match parse_text_row(payload, count) {
                    Some(row) => result.rows.push(row),
                    None => return Err(self.packets.malformed("text row")),
                },
                _ => {}
            }
        }
    }

    /// Reads column definitions and the EOF packet behind them; none at all when there are none.
    fn read_definitions(&mut self, count: usize) -> Result<Vec<ColumnDefinition>, MySqlError> {
        let mut columns = Vec::new();
        for _ in 0..count {
            self.packets.receive()?;
            match self.packets.payload() {
                [0xFF, ..] => return Err(self.server_error()),
                payload => match ColumnDefinition::parse(payload) {
                    Some(column) => columns.push(column),
                    None => return Err(self.packets.malformed("column definition")),
                },
            }
        }
        if count > 0 {
            self.packets.receive()?;
            if self.packets.payload().first() != Some(&0xFE) {
                return Err(self.packets.malformed("end of the column definitions"));
            }
        }
        Ok(columns)
    }
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Connection({}@{}, id {})", self.user, self.server(), self.connection_id)
    }
}

/// What stands for "no limit" where the operating system demands one.
const FOREVER: Duration = Duration::from_secs(365 * 24 * 3600);
const RUNNING: &str = "running a statement";

fn address(config: &ConnectionConfig) -> String {
    format!("{}:{}", config.hostname, config.port)
}
