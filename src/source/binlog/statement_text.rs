//! The text of a statement in the binlog.

use std::borrow::Cow;

use crate::schema::charset::Charset;
use crate::schema::ddl::written_by_server;
use crate::wire::event::QueryEvent;

/// The statement in UTF-8. It stands in the log in the client's character set, whatever it was sent as; but a CREATE TABLE
/// that the server wrote itself (for CREATE TABLE … SELECT, and LIKE a temporary table) is UTF-8 under any client.
pub fn statement_text<'a>(event: &QueryEvent<'a>) -> Cow<'a, str> {
    let client = event.status.charsets.and_then(|charsets| Charset::of_client(charsets.client));
    match std::str::from_utf8(event.query) {
        Ok(text) if written_by_server(text) => Cow::Borrowed(text),
        _ => client.unwrap_or(Charset::UTF8MB4).text(event.query),
    }
}
