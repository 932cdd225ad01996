//! What can go wrong between us and a MySQL server.
//!
//! Each fault is retriable or fatal from the moment it is born: what the network or a restarting server does to us is
//! retriable, what a configuration, an account or a purged binlog does is fatal. `remedy` says what to change.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::error::{Classify, ErrorClass};
use crate::source::mysql::error_codes as codes;

/// What is being done until the server has let us in.
pub(crate) const CONNECTING: &str = "connecting";
/// What an account for capture needs.
const PRIVILEGES: &str = "SELECT, RELOAD, SHOW DATABASES, REPLICATION SLAVE, REPLICATION CLIENT, LOCK TABLES";

/// An error of the connection to a MySQL server. `server` is always `host:port`.
#[derive(Debug, thiserror::Error)]
pub enum MySqlError {
    /// The host name has no address.
    #[error("cannot resolve the host name of mysql server {server}")]
    UnknownHost {
        /// `host:port`.
        server: String,
        /// What the resolver said.
        #[source]
        source: io::Error,
    },
    /// No TCP connection: refused, unreachable, or no answer in time.
    #[error("cannot connect to mysql server {server}")]
    Connect {
        /// `host:port`.
        server: String,
        /// What the operating system said.
        #[source]
        source: io::Error,
    },
    /// The connection broke or was closed by the server.
    #[error("lost the connection to mysql server {server} while {doing}")]
    ConnectionLost {
        /// `host:port`.
        server: String,
        /// What was being done.
        doing: &'static str,
        /// What the operating system said.
        #[source]
        source: io::Error,
    },
    /// The server was silent for too long.
    #[error("mysql server {server} did not answer within {} ms while {doing}", after.as_millis())]
    Timeout {
        /// `host:port`.
        server: String,
        /// What was being done.
        doing: &'static str,
        /// How long we waited.
        after: Duration,
    },
    /// The binlog stream was silent although heartbeats were asked for.
    #[error("no event and no heartbeat from mysql server {server} within {} ms", after.as_millis())]
    NoHeartbeat {
        /// `host:port`.
        server: String,
        /// Three heartbeat periods.
        after: Duration,
    },
    /// The TLS handshake failed: certificate, version or cipher.
    #[error("the TLS handshake with mysql server {server} failed")]
    Tls {
        /// `host:port`.
        server: String,
        /// What TLS said.
        #[source]
        source: rustls::Error,
    },
    /// TLS is demanded but the server does not offer it.
    #[error("mysql server {server} does not offer TLS, which database.ssl.mode demands")]
    TlsNotOffered {
        /// `host:port`.
        server: String,
    },
    /// A PEM file is missing or unusable, or no trusted authority is known.
    #[error("cannot use {what} {}: {reason}", path.display())]
    TlsFile {
        /// Which kind of file.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The account's authentication plugin is not supported, or would send the password in the clear.
    #[error("user {user} at mysql server {server} needs authentication plugin {plugin}: {reason}")]
    AuthPlugin {
        /// `host:port`.
        server: String,
        /// The account.
        user: String,
        /// The plugin's name.
        plugin: String,
        /// Why it cannot be used.
        reason: &'static str,
    },
    /// The server answered with an error packet.
    #[error("mysql server {server} refused {doing} by user {user}: error {code} ({state}): {message}")]
    Server {
        /// `host:port`.
        server: String,
        /// The account.
        user: String,
        /// What was being done.
        doing: &'static str,
        /// See `error_codes`.
        code: u16,
        /// SQLSTATE, five characters.
        state: String,
        /// The server's text.
        message: String,
    },
    /// The binlog at the wanted position cannot be sent (error 1236).
    #[error("mysql server {server} cannot send its binlog from {start}: error 1236: {message}")]
    BinlogUnavailable {
        /// `host:port`.
        server: String,
        /// The wanted position.
        start: String,
        /// The server's text.
        message: String,
    },
    /// Another replica with our `database.server.id` connected, and the server dropped us (error 1236).
    #[error("another replica of mysql server {server} uses server id {server_id}")]
    DuplicateServerId {
        /// `host:port`.
        server: String,
        /// `database.server.id`.
        server_id: u32,
    },
    /// A dump by position cannot start beyond 4 GiB: the protocol has 32 bits for it.
    #[error("cannot ask mysql server {server} for binlog {file} from position {position}: beyond 4294967295")]
    PositionTooLarge {
        /// `host:port`.
        server: String,
        /// The binlog file.
        file: String,
        /// The position.
        position: u64,
    },
    /// The server sent something that the protocol does not allow here.
    #[error("malformed packet from mysql server {server} while {doing}: {what}")]
    Protocol {
        /// `host:port`.
        server: String,
        /// What was being done.
        doing: &'static str,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A statement gave another result than the manual says.
    #[error("mysql server {server} gave no usable result for {statement}: {what}")]
    UnexpectedResult {
        /// `host:port`.
        server: String,
        /// The statement or its first words.
        statement: &'static str,
        /// What is missing.
        what: &'static str,
    },
}

impl MySqlError {
    /// The server's error number, for errors that the server reported.
    pub fn code(&self) -> Option<u16> {
        match self {
            MySqlError::Server { code, .. } => Some(*code),
            MySqlError::BinlogUnavailable { .. } | MySqlError::DuplicateServerId { .. } => {
                Some(codes::ER_SOURCE_FATAL_ERROR_READING_BINLOG)
            }
            _ => None,
        }
    }

    /// Whether the server refused for want of a privilege.
    pub fn is_missing_privilege(&self) -> bool {
        match self {
            // COM_REGISTER_SLAVE refuses an account without REPLICATION SLAVE as if it had the wrong password.
            MySqlError::Server { code: codes::ER_ACCESS_DENIED_ERROR, doing, .. } => *doing != CONNECTING,
            other => other.code().is_some_and(codes::is_missing_privilege),
        }
    }
}

impl Classify for MySqlError {
    fn class(&self) -> ErrorClass {
        match self {
            MySqlError::UnknownHost { .. }
            | MySqlError::Connect { .. }
            | MySqlError::ConnectionLost { .. }
            | MySqlError::Timeout { .. }
            | MySqlError::NoHeartbeat { .. } => ErrorClass::Retriable,
            MySqlError::Server { code, .. } if codes::is_retriable(*code) => ErrorClass::Retriable,
            // `gtid_mode` is no longer ON: the next attempt reads by file and position.
            MySqlError::BinlogUnavailable { message, .. } if message.contains("AUTO_POSITION") => {
                ErrorClass::Retriable
            }
            MySqlError::Server { .. }
            | MySqlError::Tls { .. }
            | MySqlError::TlsNotOffered { .. }
            | MySqlError::TlsFile { .. }
            | MySqlError::AuthPlugin { .. }
            | MySqlError::BinlogUnavailable { .. }
            | MySqlError::DuplicateServerId { .. }
            | MySqlError::PositionTooLarge { .. }
            | MySqlError::Protocol { .. }
            | MySqlError::UnexpectedResult { .. } => ErrorClass::Fatal,
        }
    }

    fn remedy(&self) -> Option<String> {
        let text = match self {
            MySqlError::UnknownHost { .. } => "check database.hostname",
            MySqlError::Connect { .. } => {
                "check database.hostname and database.port, that the server runs and that no firewall is between"
            }
            MySqlError::ConnectionLost { .. }
            | MySqlError::Timeout { .. }
            | MySqlError::NoHeartbeat { .. } => {
                return None;
            }
            MySqlError::Tls { source, .. } => tls_remedy(source),
            MySqlError::TlsNotOffered { .. } => {
                "set database.ssl.mode=preferred or disabled, or give the server a certificate (ssl_cert, ssl_key)"
            }
            MySqlError::TlsFile { .. } => "name a readable PEM file, or remove the property",
            MySqlError::AuthPlugin { .. } => {
                "give the account caching_sha2_password, sha256_password, mysql_native_password or ed25519"
            }
            MySqlError::Server { user, .. } if self.is_missing_privilege() => {
                return Some(format!("GRANT {PRIVILEGES} ON *.* TO '{user}'"));
            }
            MySqlError::Server { code, .. } => return server_remedy(*code),
            MySqlError::BinlogUnavailable { message, .. } if message.contains("AUTO_POSITION") => {
                return None;
            }
            // Such a server does not send the transactions with GTIDs that it still has.
            MySqlError::BinlogUnavailable { message, .. } if message.contains("GTID_MODE = OFF") => {
                "SET GLOBAL gtid_mode = OFF_PERMISSIVE until the connector has read the transactions with GTIDs, then OFF"
            }
            MySqlError::BinlogUnavailable { message, .. } if message.contains("GTID_MODE = ON") => {
                "SET GLOBAL gtid_mode = ON_PERMISSIVE until the connector has read the anonymous transactions, then ON"
            }
            MySqlError::BinlogUnavailable { .. } => {
                "the events after the stored offset are gone from the server: take a new snapshot (remove the stored \
                 offset), and raise binlog_expire_logs_seconds so that binlogs outlive the longest stop"
            }
            MySqlError::DuplicateServerId { .. } => {
                "give every replica and connector of this server its own database.server.id"
            }
            MySqlError::PositionTooLarge { .. } => {
                "switch gtid_mode on, or keep max_binlog_size and transactions small enough for binlogs below 4 GiB"
            }
            MySqlError::Protocol { .. } => {
                "make sure that database.hostname and database.port name a MySQL or MariaDB server itself"
            }
            MySqlError::UnexpectedResult { .. } => "make sure that the server writes a binlog (log_bin)",
        };
        Some(text.to_owned())
    }
}

fn tls_remedy(source: &rustls::Error) -> &'static str {
    use rustls::CertificateError as Bad;
    match source {
        rustls::Error::InvalidCertificate(Bad::UnknownIssuer) => {
            "set tidewire.ssl.ca to the PEM file of the authority that signed the server's certificate (ca.pem in its \
             data directory when the server made it itself)"
        }
        rustls::Error::InvalidCertificate(Bad::NotValidForName | Bad::NotValidForNameContext { .. }) => {
            "use the host name that the server's certificate carries, or database.ssl.mode=verify_ca"
        }
        rustls::Error::InvalidCertificate(
            Bad::Expired | Bad::ExpiredContext { .. } | Bad::NotValidYet | Bad::NotValidYetContext { .. },
        ) => "renew the server's certificate, and check the clocks of both machines",
        rustls::Error::InvalidCertificate(_) => {
            "give the server an X.509 version 3 certificate for TLS servers, signed by an authority"
        }
        _ => {
            "let the server speak TLS 1.3, or 1.2 with ECDHE ciphers (builds with OpenSSL 1.0 have none), or set \
             database.ssl.mode=disabled"
        }
    }
}

fn server_remedy(code: u16) -> Option<String> {
    let text = match code {
        codes::ER_ACCESS_DENIED_ERROR => {
            "check database.user and database.password, and the host that the account allows"
        }
        codes::ER_HOST_NOT_PRIVILEGED => "create the account for the host that this process connects from",
        codes::ER_HOST_IS_BLOCKED => "unblock the host: TRUNCATE TABLE performance_schema.host_cache",
        codes::ER_SECURE_TRANSPORT_REQUIRED => "set database.ssl.mode=required or stricter",
        codes::ER_MUST_CHANGE_PASSWORD => "set a new password for the account",
        codes::ER_ACCOUNT_HAS_BEEN_LOCKED => "unlock the account: ALTER USER ... ACCOUNT UNLOCK",
        _ => return None,
    };
    Some(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(code: u16) -> MySqlError {
        MySqlError::Server {
            server: "db:3306".into(),
            user: "u".into(),
            doing: "connecting",
            code,
            state: "HY000".into(),
            message: "text".into(),
        }
    }

    #[test]
    fn classes_follow_the_error_number() {
        let retriable = [1040, 1053, 1158, 1205, 1213, 1317, 4031];
        let fatal = [1044, 1045, 1064, 1130, 1142, 1227, 1820, 3159];
        for code in retriable {
            assert_eq!(server(code).class(), ErrorClass::Retriable, "{code}");
        }
        for code in fatal {
            assert_eq!(server(code).class(), ErrorClass::Fatal, "{code}");
        }
    }

    #[test]
    fn remedies_name_what_to_change() {
        let text = server(1227).remedy().unwrap();
        assert!(text.contains("REPLICATION SLAVE") && text.contains("'u'"), "{text}");
        assert!(server(1045).remedy().unwrap().contains("database.password"));
        assert_eq!(server(1205).remedy(), None);
    }
}
