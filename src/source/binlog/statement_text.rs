//! The text of a statement in the binlog, and the variables of its session that stand beside it.

use std::borrow::Cow;

use crate::schema::charset::Charset;
use crate::schema::database_schema::{Flavor, Statement};
use crate::schema::ddl::written_by_server;
use crate::wire::event::QueryEvent;

/// The bit of `explicit_defaults_for_timestamp` among MariaDB's flags (seen on 10.11; `OPTION_EXPLICIT_DEF_TIMESTAMP`).
const MARIADB_EXPLICIT_DEFAULTS: u32 = 1 << 24;

/// The statement in UTF-8. It stands in the log in the client's character set, whatever it was sent as; but a CREATE TABLE
/// that the server wrote itself (for CREATE TABLE … SELECT, and LIKE a temporary table) is UTF-8 under any client.
pub fn statement_text<'a>(event: &QueryEvent<'a>) -> Cow<'a, str> {
    let client = event.status.charsets.and_then(|charsets| Charset::of_client(charsets.client));
    match std::str::from_utf8(event.query) {
        Ok(text) if written_by_server(text) => Cow::Borrowed(text),
        _ => client.unwrap_or(Charset::UTF8MB4).text(event.query),
    }
}

/// A logged statement with the session's variables that decide what it means; `text` and `database` are the event's, in
/// UTF-8.
pub fn logged_statement<'a>(
    event: &QueryEvent<'a>,
    text: &'a str,
    database: &'a str,
    flavor: Flavor,
) -> Statement<'a> {
    let status = &event.status;
    // MariaDB has it among the flags that other servers give another meaning or none.
    let of_mariadb = (flavor == Flavor::MariaDb)
        .then_some(status.flags2)
        .flatten()
        .map(|flags| flags & MARIADB_EXPLICIT_DEFAULTS != 0);
    Statement {
        text,
        database,
        sql_mode: status.sql_mode.unwrap_or_default(),
        collation_client: status.charsets.map(|charsets| charsets.client),
        // What the server wrote itself is not in the session's character set.
        collation_connection: status
            .charsets
            .map(|charsets| charsets.connection)
            .filter(|_| !written_by_server(text)),
        collation_server: status.charsets.map(|charsets| charsets.server),
        time_zone: status.time_zone.and_then(|zone| std::str::from_utf8(zone).ok()),
        error_code: event.error_code,
        explicit_defaults_for_timestamp: status.explicit_defaults_for_timestamp.or(of_mariadb),
    }
}
