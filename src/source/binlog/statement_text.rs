//! The text of a statement in the binlog.

use std::borrow::Cow;

use crate::schema::charset::Charset;
use crate::wire::event::QueryEvent;

/// The statement in UTF-8. It stands in the log in the client's character set, whatever it was sent as; but a CREATE TABLE
/// that the server wrote itself (for CREATE TABLE … SELECT, and LIKE a temporary table) is UTF-8 under any client.
pub(super) fn statement_text<'a>(event: &QueryEvent<'a>) -> Cow<'a, str> {
    let client = event.status.charsets.and_then(|charsets| Charset::of_client(charsets.client));
    match std::str::from_utf8(event.query) {
        Ok(text) if written_by_server(text) => Cow::Borrowed(text),
        _ => client.unwrap_or(Charset::UTF8MB4).text(event.query),
    }
}

/// Whether a statement has the form of SHOW CREATE TABLE and yet says what that never does, or leaves out what it always
/// has. MySQL 9.7 and 8.0.21 on say START TRANSACTION after the rows of a SELECT.
fn written_by_server(text: &str) -> bool {
    let rest = text.strip_prefix("CREATE TABLE `");
    rest.is_some_and(|rest| {
        rest.contains("` (\n  `")
            && (rest.ends_with(" START TRANSACTION") || !rest.contains(" DEFAULT CHARSET="))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As they stand in the logs of MySQL 9.7 and 5.7 and MariaDB 10.11 when a client has latin1.
    #[test]
    fn statements_of_the_server_are_told_from_those_of_clients() {
        for (text, by_server) in [
            ("CREATE TABLE `sé` (\n  `é` int NOT NULL DEFAULT '0'\n) START TRANSACTION", true),
            ("CREATE TABLE `ké` (\n  `é` int DEFAULT NULL\n) ENGINE=InnoDB", true),
            ("CREATE TABLE `sé` (\n  `é` int(1) NOT NULL\n)", true),
            ("CREATE TABLE `t` (\n  `a` int DEFAULT NULL\n) ENGINE=InnoDB DEFAULT CHARSET=latin1", false),
            ("create table `t` (\n  `a` int)", false),
            ("CREATE TABLE `t` (`a` int)", false),
        ] {
            assert_eq!(written_by_server(text), by_server, "{text}");
        }
    }
}
