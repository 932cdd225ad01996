//! The id of an XA transaction, and the statements that name it in the binlog. Manual: "XA Transaction SQL Statements".
//!
//! A server logs them in one form, whatever the client wrote: `XA COMMIT X'6274',X'',1`, with global part, branch and
//! format. Of XA START and XA END only the verb matters: XA_PREPARE has the id again.

use std::fmt;

use crate::wire::event::XaPrepareEvent;

/// The id of an XA transaction: unique among those of a server that are not over.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Xid {
    /// The global part, at most 64 bytes.
    pub gtrid: Vec<u8>,
    /// The branch, at most 64 bytes.
    pub bqual: Vec<u8>,
    /// The format of both; 1 where the client said none.
    pub format_id: i32,
}

/// What an XA statement in the log does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum XaStatement {
    /// Rows follow.
    Start,
    /// There are no more rows.
    End,
    /// A prepared transaction is committed.
    Commit(Xid),
    /// A prepared transaction is rolled back.
    Rollback(Xid),
    /// None that a server is known to log.
    Other,
}

impl XaStatement {
    /// Reads a statement; none where it does not begin with the word XA.
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.splitn(3, |c: char| c.is_ascii_whitespace());
        if !words.next()?.eq_ignore_ascii_case("XA") {
            return None;
        }
        let verb = words.next().unwrap_or_default();
        let is = |name: &str| verb.eq_ignore_ascii_case(name);
        if is("START") || is("BEGIN") {
            return Some(XaStatement::Start);
        }
        if is("END") {
            return Some(XaStatement::End);
        }
        let statement = match Xid::parse(words.next().unwrap_or_default()) {
            Some(xid) if is("COMMIT") => XaStatement::Commit(xid),
            Some(xid) if is("ROLLBACK") => XaStatement::Rollback(xid),
            _ => XaStatement::Other,
        };
        Some(statement)
    }
}

impl Xid {
    /// The id that an XA_PREPARE event has.
    pub fn of(event: &XaPrepareEvent<'_>) -> Self {
        Xid { gtrid: event.gtrid.to_vec(), bqual: event.bqual.to_vec(), format_id: event.format_id }
    }

    /// Reads `X'6274',X'',1`.
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.trim().split(',');
        let (gtrid, bqual, format_id) = (parts.next()?, parts.next()?, parts.next()?);
        if parts.next().is_some() {
            return None;
        }
        Some(Xid { gtrid: hex(gtrid)?, bqual: hex(bqual)?, format_id: format_id.trim().parse().ok()? })
    }
}

/// The bytes of `X'6274'`.
fn hex(literal: &str) -> Option<Vec<u8>> {
    let literal = literal.trim();
    let digits = literal.strip_prefix(['X', 'x'])?.strip_prefix('\'')?.strip_suffix('\'')?.as_bytes();
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    digits
        .chunks_exact(2)
        .map(|pair| match pair {
            [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
            _ => None,
        })
        .collect()
}

/// As the server logs it, and takes it in XA COMMIT and XA ROLLBACK.
impl fmt::Display for Xid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in [&self.gtrid, &self.bqual] {
            f.write_str("X'")?;
            for byte in part {
                write!(f, "{byte:02x}")?;
            }
            f.write_str("',")?;
        }
        write!(f, "{}", self.format_id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_as_servers_log_them() {
        let xid = |gtrid: &[u8], bqual: &[u8], format_id| Xid {
            gtrid: gtrid.to_vec(),
            bqual: bqual.to_vec(),
            format_id,
        };
        for (text, statement) in [
            ("XA START X'7831',X'',1", Some(XaStatement::Start)),
            ("XA END X'7832',X'6272616e6368',7", Some(XaStatement::End)),
            ("XA COMMIT X'7832',X'6272616e6368',7", Some(XaStatement::Commit(xid(b"x2", b"branch", 7)))),
            ("XA ROLLBACK X'7833',X'',1", Some(XaStatement::Rollback(xid(b"x3", b"", 1)))),
            ("XA COMMIT X'7',X'',1", Some(XaStatement::Other)),
            ("XA COMMIT X'é0',X'',1", Some(XaStatement::Other)),
            ("XA", Some(XaStatement::Other)),
            ("XALTER", None),
            ("", None),
        ] {
            assert_eq!(XaStatement::parse(text), statement, "{text}");
        }
        assert_eq!(xid(b"x2", b"branch", 7).to_string(), "X'7832',X'6272616e6368',7");
    }
}
