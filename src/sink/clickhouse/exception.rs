//! What a ClickHouse server says went wrong: where it stands in an answer, and its code and words.
//!
//! A query that fails before its first byte of output is answered with a status of 4xx or 5xx, the code in
//! `X-ClickHouse-Exception-Code` and the text as the body. One that fails later has the status 200 already, so that its text
//! comes after what was sent. Servers from 25.11 on mark it with a tag of their choice, which they named in
//! `X-ClickHouse-Exception-Tag`:
//! ```text
//! …output…\r\n__exception__\r\n<tag>\r\n<text>\n<length of the text and its line end> <tag>\r\n__exception__\r\n
//! ```
//! Older ones append a line that begins with `Code: `, some of them behind the mark but without a tag. Manual: "HTTP
//! interface", HTTP response codes caveats; the form above is what a 26.7 server was seen to send.
//!
//! The text is `Code: 60. DB::Exception: … (UNKNOWN_TABLE) (version …)`. The texts about values that could not be read quote
//! these values, so of them only name and row are kept.

use std::fmt;

use crate::sink::clickhouse::treatment::{Scope, Treatment};

/// An exception of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerException {
    /// The number, as in `system.errors`; none where the answer names none.
    pub code: Option<u32>,
    /// `UNKNOWN_TABLE`; empty where the text has none.
    pub name: String,
    /// The server's words without code, name and version; empty where they may quote values.
    pub text: String,
    /// The row of an insert that could not be read, from 1.
    pub row: Option<u64>,
}

const MARK: &str = "__exception__";
/// What an exception's text begins with.
const CODE: &str = "Code: ";
/// An exception of an older server stands at the end of the body, in far fewer bytes than this.
const TAIL: usize = 64 << 10;

impl ServerException {
    /// The exception of an answer; none if it has none. `code` and `tag` are the headers.
    pub fn of_answer(status: u16, code: Option<&str>, tag: Option<&str>, body: &[u8]) -> Option<Self> {
        let code = code.and_then(|code| code.trim().parse().ok());
        if status != 200 {
            // A proxy's answers have neither.
            let text = String::from_utf8_lossy(body.get(..TAIL).unwrap_or(body));
            return (code.is_some() || text.starts_with(CODE)).then(|| Self::parse(&text, code));
        }
        let start = body.len().saturating_sub(TAIL);
        let tail = String::from_utf8_lossy(body.get(start..).unwrap_or_default());
        if let Some(tag) = tag {
            let begin = format!("\r\n{MARK}\r\n{tag}\r\n");
            if let Some(at) = tail.find(&begin) {
                let text = tail.get(at + begin.len()..).unwrap_or_default();
                let end = text.rfind(&format!(" {tag}\r\n{MARK}")).unwrap_or(text.len());
                let text = text.get(..end).unwrap_or_default();
                // The last line is the length.
                return Some(Self::parse(text.rsplit_once('\n').map_or(text, |(text, _)| text), code));
            }
        } else if let Some(at) = last_line_with_code(&tail) {
            return Some(Self::parse(tail.get(at..).unwrap_or_default(), code));
        }
        code.map(|code| Self::parse("", Some(code)))
    }

    /// Takes a text apart. A code that was told apart from it comes first.
    fn parse(text: &str, code: Option<u32>) -> Self {
        let mut words = text.trim();
        let mut own_code = None;
        if let Some((number, rest)) = words.strip_prefix(CODE).and_then(|rest| rest.split_once('.')) {
            own_code = number.trim().parse().ok();
            words = rest.trim_start();
            words = words.strip_prefix("DB::Exception: ").unwrap_or(words);
        }
        if let Some(at) = words.rfind(" (version ") {
            words = words.get(..at).unwrap_or_default();
        }
        let mut name = "";
        if let Some((before, last)) = words.rsplit_once('(')
            && let Some(inner) = last.strip_suffix(')')
            && !inner.is_empty()
            && inner.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        {
            (words, name) = (before, inner);
        }
        let code = code.or(own_code);
        let quotes_values = code.is_none_or(|code| Treatment::of(code, words).scope == Scope::Rows);
        ServerException {
            code,
            name: name.to_owned(),
            text: if quotes_values { String::new() } else { one_line(words) },
            row: row(words),
        }
    }
}

/// Where the last line that begins with `Code: ` begins, if that is an exception.
fn last_line_with_code(text: &str) -> Option<usize> {
    let at = match text.rfind("\nCode: ") {
        Some(at) => at + 1,
        None if text.starts_with(CODE) => 0,
        None => return None,
    };
    text.get(at..)?.contains("DB::Exception: ").then_some(at)
}

/// The number in `(at row 7)`.
fn row(text: &str) -> Option<u64> {
    let (_, rest) = text.rsplit_once("(at row ")?;
    rest.split_once(')')?.0.parse().ok()
}

/// The words on one line, without a full stop.
fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.trim_end_matches(['.', ' ']).to_owned()
}

impl fmt::Display for ServerException {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => write!(out, "code {code}")?,
            None => out.write_str("no code")?,
        }
        if !self.name.is_empty() {
            write!(out, " {}", self.name)?;
        }
        if !self.text.is_empty() {
            write!(out, ", {}", self.text)?;
        } else if let Some(row) = self.row {
            write!(out, ", at row {row} of the insert")?;
        }
        Ok(())
    }
}

impl std::error::Error for ServerException {}

#[cfg(test)]
mod tests;
