//! Comments, before the tokenizer.
//!
//! One pass copies the statement and writes spaces over what the server does not read, byte for byte, so that every
//! position in the copy is a position in the original. Plain comments go whole. Of a versioned comment (manual:
//! "Comments", `/*!80023 INVISIBLE */`) only the marker and the closing go when the server runs it, and the whole
//! otherwise:
//!
//! - `/*!` runs always; `/*!NNNNN` and `/*!NNNNNN` run from that version on (50723 is 5.7.23, 090704 is 9.7.4).
//! - MariaDB runs `/*M!` the same way, where it is a plain comment to MySQL; and it leaves out the numbers 50700 to
//!   99999, which are features of MySQL that it does not have (MariaDB manual: "Comment Syntax").
//!
//! Quoted text is stepped over with regard to `sql_mode`. What was a comment that ran is remembered: the published
//! text of a statement must not lose its `/*!` or `*/`.

use std::ops::Range;

use crate::schema::database_schema::Flavor;
use crate::schema::ddl::token::SqlMode;

/// A statement without comments.
#[derive(Debug)]
pub(crate) struct Preprocessed {
    /// As long as the original, byte for byte.
    pub text: String,
    /// The versioned comments that run and stand in no other, with marker and closing, in order.
    pub executed: Vec<Range<usize>>,
}

/// Writes spaces over comments.
pub(crate) fn preprocess(text: &str, mode: SqlMode, flavor: Flavor, version: u32) -> Preprocessed {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut executed = Vec::new();
    let mut open = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied();
        match (byte, next) {
            (b'\'' | b'"' | b'`', _) => {
                let escapes =
                    byte != b'`' && mode.backslash_escapes() && !(byte == b'"' && mode.ansi_quotes());
                at = end_of_quoted(bytes, at, escapes);
            }
            (b'#', _) => at = blank(&mut out, at, end_of_line(bytes, at)),
            (b'-', Some(b'-')) if bytes.get(at + 2).is_none_or(|after| *after <= b' ') => {
                at = blank(&mut out, at, end_of_line(bytes, at));
            }
            (b'/', Some(b'*')) => match marker(bytes, at, flavor, version) {
                Some(length) => {
                    open.push(at);
                    at = blank(&mut out, at, at + length);
                }
                None => at = blank(&mut out, at, end_of_comment(bytes, at)),
            },
            (b'*', Some(b'/')) => match open.pop() {
                Some(start) => {
                    executed.push(start..at + 2);
                    at = blank(&mut out, at, at + 2);
                }
                // A product, and maybe a comment after it.
                None => at += 1,
            },
            _ => at += 1,
        }
    }
    executed.sort_by_key(|range| range.start);
    executed.dedup_by(|inner, outer| inner.end <= outer.end);
    // Only whole comments became spaces, so what is left is UTF-8 still; the fallback is never taken.
    let text = String::from_utf8(out).unwrap_or_else(|_| text.to_owned());
    Preprocessed { text, executed }
}

/// The length of the marker of a versioned comment that this server runs.
fn marker(bytes: &[u8], at: usize, flavor: Flavor, version: u32) -> Option<usize> {
    let mut length = 2;
    let of_mariadb = bytes.get(at + length) == Some(&b'M') && bytes.get(at + length + 1) == Some(&b'!');
    if of_mariadb {
        if flavor != Flavor::MariaDb {
            return None;
        }
        length += 1;
    }
    if bytes.get(at + length) != Some(&b'!') {
        return None;
    }
    length += 1;
    let digits = bytes.get(at + length..)?.iter().take(6).take_while(|byte| byte.is_ascii_digit());
    let digits: Vec<u32> = digits.map(|byte| u32::from(byte - b'0')).collect();
    if digits.len() < 5 {
        return Some(length);
    }
    let wanted = digits.iter().fold(0, |number, digit| number * 10 + digit);
    let foreign = flavor == Flavor::MariaDb && !of_mariadb && (50_700..=99_999).contains(&wanted);
    (wanted <= version && !foreign).then_some(length + digits.len())
}

/// Past the closing quote, or the end of the text. A doubled quote reads as two quoted parts, which does no harm here.
fn end_of_quoted(bytes: &[u8], start: usize, escapes: bool) -> usize {
    let quote = bytes.get(start);
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        if escapes && *byte == b'\\' {
            at += 1;
        } else if Some(byte) == quote {
            return at + 1;
        }
        at += 1;
    }
    bytes.len()
}

/// The end of the line, its line feed not included.
fn end_of_line(bytes: &[u8], start: usize) -> usize {
    bytes.iter().skip(start).position(|byte| *byte == b'\n').map_or(bytes.len(), |length| start + length)
}

/// Past the closing of a comment that is not run. Inside, one level of comments is allowed for a versioned one.
fn end_of_comment(bytes: &[u8], start: usize) -> usize {
    let versioned = bytes.get(start + 2) == Some(&b'!');
    let mut depth = 1;
    let mut at = start + 2;
    while at < bytes.len() {
        match (bytes.get(at), bytes.get(at + 1)) {
            (Some(b'*'), Some(b'/')) => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            (Some(b'/'), Some(b'*')) if versioned && depth == 1 => {
                depth += 1;
                at += 2;
            }
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Writes spaces and gives the end.
fn blank(out: &mut [u8], start: usize, end: usize) -> usize {
    if let Some(part) = out.get_mut(start..end) {
        // Line feeds stay, so that lines can be counted.
        part.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str, flavor: Flavor, version: u32) -> String {
        let out = preprocess(text, SqlMode::default(), flavor, version);
        assert_eq!(out.text.len(), text.len());
        out.text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Which of them MySQL 9.7.4 ran, seen on the server (scenario ddl_comment_versions).
    #[test]
    fn versioned_comments_run_from_their_version_on() {
        for (text, left) in [
            ("a /*! b */ c", "a b c"),
            ("a /*!50001 b */ c", "a b c"),
            ("a /*!80400 b */ c", "a b c"),
            ("a /*!90700 b */ c", "a b c"),
            ("a /*!090704 b */ c", "a b c"),
            ("a /*!090705 b */ c", "a c"),
            ("a /*!99999 b */ c", "a c"),
            ("a /*!199999 b */ c", "a c"),
            ("a /*M!100100 b */ c", "a c"),
            ("a /*!99999 b /* d */ e */ c", "a c"),
            ("a /*!50001 b /* d */ e */ c", "a b e c"),
            ("a /* b /* d */ c", "a c"),
            ("a /*+ hint */ c", "a c"),
            ("a/**/c", "a c"),
            ("2*/* x */3", "2* 3"),
            ("'/* no */' \"-- no\" `# no` -- yes", "'/* no */' \"-- no\" `# no`"),
            ("'it''s /* no */ \\' /* no */' # yes\nc", "'it''s /* no */ \\' /* no */' c"),
            ("1--1", "1--1"),
            ("a --\tb\nc", "a c"),
            ("a /* open", "a"),
            ("日本 /* 日本 */ 語", "日本 語"),
        ] {
            assert_eq!(run(text, Flavor::MySql, 90_704), left, "{text}");
        }
    }

    #[test]
    fn mariadb_runs_its_own_comments_and_not_those_of_later_mysqls() {
        for (text, left) in [
            ("a /*M! b */ c", "a b c"),
            ("a /*M!100401 b */ c", "a b c"),
            ("a /*M!130000 b */ c", "a c"),
            ("a /*!50100 b */ c", "a b c"),
            ("a /*!80023 b */ c", "a c"),
            ("a /*!100301 b */ c", "a b c"),
        ] {
            assert_eq!(run(text, Flavor::MariaDb, 110_408), left, "{text}");
        }
    }

    #[test]
    fn comments_that_ran_are_remembered() {
        let out = preprocess("/*!50001 create table c(x int) */", SqlMode::default(), Flavor::MySql, 90_704);
        assert_eq!(out.executed, vec![0..33]);
    }

    #[test]
    fn backslashes_are_ordinary_without_escapes() {
        let mode = SqlMode::new(SqlMode::NO_BACKSLASH_ESCAPES);
        assert_eq!(preprocess("'\\' /*x*/", mode, Flavor::MySql, 90_704).text, "'\\'      ");
    }
}
