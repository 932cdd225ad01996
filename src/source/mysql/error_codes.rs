//! The server's error numbers that we act on, as the manual's error reference names them.
//!
//! MySQL: <https://dev.mysql.com/doc/mysql-errors/9.7/en/server-error-reference.html>.
//! What is retriable is decided here, once: a server that is full, going down or that timed out may be well again in
//! a minute; everything else stays until somebody changes something.

/// Too many connections.
pub const ER_CON_COUNT_ERROR: u16 = 1040;
/// The user may not use the database.
pub const ER_DBACCESS_DENIED_ERROR: u16 = 1044;
/// A column that the table does not have.
pub const ER_BAD_FIELD_ERROR: u16 = 1054;
/// A table that is not there.
pub const ER_NO_SUCH_TABLE: u16 = 1146;
/// There is no such database.
pub const ER_BAD_DB_ERROR: u16 = 1049;
/// Wrong user or password.
pub const ER_ACCESS_DENIED_ERROR: u16 = 1045;
/// The table was changed after the consistent view was opened.
pub const ER_TABLE_DEF_CHANGED: u16 = 1412;
/// The statement does not parse.
pub const ER_PARSE_ERROR: u16 = 1064;
/// The server is shutting down.
pub const ER_SERVER_SHUTDOWN: u16 = 1053;
/// The server shut down normally.
pub const ER_NORMAL_SHUTDOWN: u16 = 1077;
/// The connection was killed or aborted by the server.
pub const ER_ABORTING_CONNECTION: u16 = 1152;
/// The server could not read a packet.
pub const ER_NET_READ_ERROR: u16 = 1158;
/// The server timed out reading a packet.
pub const ER_NET_READ_INTERRUPTED: u16 = 1159;
/// The server could not write a packet.
pub const ER_NET_ERROR_ON_WRITE: u16 = 1160;
/// The server timed out writing a packet.
pub const ER_NET_WRITE_INTERRUPTED: u16 = 1161;
/// The host made too many broken connections and is locked out.
pub const ER_HOST_IS_BLOCKED: u16 = 1129;
/// The host may not connect.
pub const ER_HOST_NOT_PRIVILEGED: u16 = 1130;
/// A privilege on a table is missing.
pub const ER_TABLEACCESS_DENIED_ERROR: u16 = 1142;
/// A privilege on a column is missing.
pub const ER_COLUMNACCESS_DENIED_ERROR: u16 = 1143;
/// The user has too many connections.
pub const ER_TOO_MANY_USER_CONNECTIONS: u16 = 1203;
/// A lock was not granted in time.
pub const ER_LOCK_WAIT_TIMEOUT: u16 = 1205;
/// A deadlock, resolved against us.
pub const ER_LOCK_DEADLOCK: u16 = 1213;
/// The user exceeded a resource limit.
pub const ER_USER_LIMIT_REACHED: u16 = 1226;
/// A global privilege is missing.
pub const ER_SPECIFIC_ACCESS_DENIED_ERROR: u16 = 1227;
/// The binlog cannot be sent: purged, unknown file, impossible position, or another replica has our server id.
pub const ER_SOURCE_FATAL_ERROR_READING_BINLOG: u16 = 1236;
/// The statement was killed.
pub const ER_QUERY_INTERRUPTED: u16 = 1317;
/// The account must set a new password first.
pub const ER_MUST_CHANGE_PASSWORD: u16 = 1820;
/// The account is locked.
pub const ER_ACCOUNT_HAS_BEEN_LOCKED: u16 = 3118;
/// Only connections with TLS are allowed.
pub const ER_SECURE_TRANSPORT_REQUIRED: u16 = 3159;
/// The statement ran into `max_execution_time`.
pub const ER_QUERY_TIMEOUT: u16 = 3024;
/// Idle for longer than `wait_timeout`.
pub const ER_CLIENT_INTERACTION_TIMEOUT: u16 = 4031;

/// Whether an error of this number may go away by itself.
pub fn is_retriable(code: u16) -> bool {
    matches!(
        code,
        ER_CON_COUNT_ERROR
            | ER_SERVER_SHUTDOWN
            | ER_NORMAL_SHUTDOWN
            | ER_ABORTING_CONNECTION
            | ER_NET_READ_ERROR
            | ER_NET_READ_INTERRUPTED
            | ER_NET_ERROR_ON_WRITE
            | ER_NET_WRITE_INTERRUPTED
            | ER_TOO_MANY_USER_CONNECTIONS
            | ER_LOCK_WAIT_TIMEOUT
            | ER_LOCK_DEADLOCK
            | ER_USER_LIMIT_REACHED
            | ER_QUERY_INTERRUPTED
            | ER_QUERY_TIMEOUT
            | ER_CLIENT_INTERACTION_TIMEOUT
    )
}

/// Whether it says that a privilege is missing.
pub fn is_missing_privilege(code: u16) -> bool {
    matches!(
        code,
        ER_DBACCESS_DENIED_ERROR
            | ER_TABLEACCESS_DENIED_ERROR
            | ER_COLUMNACCESS_DENIED_ERROR
            | ER_SPECIFIC_ACCESS_DENIED_ERROR
    )
}
