//! What SHOW CREATE TABLE could not print.
//!
//! The server prints in three-byte UTF-8. A character beyond it in the member of an ENUM or SET comes as `?`, before 9.7 also
//! in a default, and so do bytes of binary columns that are no such character. Here is the half of the remedy that is about
//! the text: which literals may be meant ([`doubtful_columns`]), and a literal with what the server stores in the place of
//! its question marks ([`restored`]). The snapshot asks the server for that.
//!
//! The text is the server's, printed under an empty `sql_mode`: names in backticks, strings with backslashes.

use std::ops::Range;

use crate::schema::ddl::literal;
use crate::schema::ddl::token::{SqlMode, Token, TokenKind, tokenize};

/// A column some of whose literals have a question mark. Ranges are bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DoubtfulColumn {
    pub name: String,
    /// The members of an ENUM or SET, in order, if any of them has one; else empty.
    pub members: Vec<Range<usize>>,
    /// Whether several members make a value.
    pub is_set: bool,
    /// The DEFAULT, if it has one.
    pub default: Option<Range<usize>>,
}

/// What the server stores where it printed a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stored {
    Text(String),
    /// Of the character set binary.
    Bytes(Vec<u8>),
}

/// The columns of the text of SHOW CREATE TABLE that have a question mark in a member or a default.
pub(crate) fn doubtful_columns(text: &str) -> Vec<DoubtfulColumn> {
    if !text.contains('?') {
        return Vec::new();
    }
    let (tokens, _) = tokenize(text, SqlMode::default());
    let opening = tokens.iter().position(|token| token.kind == TokenKind::Symbol('('));
    let inside = opening.and_then(|at| tokens.get(at + 1..)).unwrap_or_default();
    let mut columns = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, token) in inside.iter().enumerate() {
        match token.kind {
            TokenKind::Symbol('(') => depth += 1,
            TokenKind::Symbol(')') if depth > 0 => depth -= 1,
            TokenKind::Symbol(end @ (',' | ')')) if depth == 0 => {
                columns.extend(doubtful_column(text, inside.get(start..at).unwrap_or_default()));
                start = at + 1;
                if end == ')' {
                    break;
                }
            }
            _ => {}
        }
    }
    columns
}

/// The column that these tokens define, if it is one and has a question mark.
fn doubtful_column(text: &str, definition: &[Token]) -> Option<DoubtfulColumn> {
    let raw = |token: &Token| text.get(token.span.clone()).unwrap_or_default();
    let is_word =
        |token: &Token, word: &str| token.kind == TokenKind::Word && raw(token).eq_ignore_ascii_case(word);
    let asks = |span: &Range<usize>| text.get(span.clone()).is_some_and(|literal| literal.contains('?'));
    let [name, data_type, rest @ ..] = definition else { return None };
    if name.kind != TokenKind::QuotedName {
        return None;
    }
    let is_set = is_word(data_type, "set");
    let mut members: Vec<Range<usize>> = Vec::new();
    if is_set || is_word(data_type, "enum") {
        let list = rest.iter().take_while(|token| token.kind != TokenKind::Symbol(')'));
        let literals = list.filter(|token| matches!(token.kind, TokenKind::Text | TokenKind::Hex));
        members.extend(literals.map(|token| token.span.clone()));
        if !members.iter().any(asks) {
            members.clear();
        }
    }
    let default = rest.windows(2).find_map(|pair| match pair {
        [word, value] if is_word(word, "default") && value.kind == TokenKind::Text => {
            Some(value.span.clone())
        }
        _ => None,
    });
    let default = default.filter(asks);
    if members.is_empty() && default.is_none() {
        return None;
    }
    Some(DoubtfulColumn { name: literal::unquote_name(raw(name)), members, is_set, default })
}

/// The literal for what is stored, if a server could have printed `printed` for it: the same but for question marks, each of
/// which stands for one character that is not ASCII, or in a binary column for one byte.
pub(crate) fn restored(printed: &str, stored: &Stored) -> Option<String> {
    match stored {
        Stored::Text(text) => restored_text(printed, text),
        Stored::Bytes(bytes) => restored_bytes(printed, bytes),
    }
}

fn restored_text(printed: &str, text: &str) -> Option<String> {
    let mut out = String::with_capacity(printed.len() + text.len());
    let mut stored = text.chars();
    for (piece, character) in Characters::of(printed)? {
        let real = stored.next()?;
        if real == character {
            out.push_str(piece);
        } else if character == '?' && !real.is_ascii() {
            out.push(real);
        } else {
            return None;
        }
    }
    stored.next().is_none().then(|| format!("'{out}'"))
}

fn restored_bytes(printed: &str, bytes: &[u8]) -> Option<String> {
    let (mut rest, mut is_whole) = (bytes, true);
    for (_, character) in Characters::of(printed)? {
        if let Some(behind) = rest.strip_prefix(character.encode_utf8(&mut [0; 4]).as_bytes()) {
            rest = behind;
        } else if character == '?' {
            (_, rest) = rest.split_first()?;
            is_whole = false;
        } else {
            return None;
        }
    }
    if !rest.is_empty() {
        return None;
    }
    if is_whole {
        return Some(printed.to_owned());
    }
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Some(format!("x'{digits}'"))
}

/// The characters of a string literal in single quotes, each with how it is written.
struct Characters<'a>(&'a str);

impl<'a> Characters<'a> {
    /// None when it is no such literal.
    fn of(literal: &'a str) -> Option<Self> {
        literal.strip_prefix('\'')?.strip_suffix('\'').map(Characters)
    }
}

impl<'a> Iterator for Characters<'a> {
    type Item = (&'a str, char);

    fn next(&mut self) -> Option<Self::Item> {
        let mut ahead = self.0.chars();
        let first = ahead.next()?;
        if matches!(first, '\\' | '\'') {
            ahead.next();
        }
        let (piece, rest) = self.0.split_at(self.0.len() - ahead.as_str().len());
        self.0 = rest;
        Some((piece, literal::stored_text(&format!("'{piece}'")).chars().next()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As 8.0.15 printed a table (shortened).
    const PRINTED: &str = concat!(
        "CREATE TABLE `b``b` (\n  `id?` int(11) NOT NULL COMMENT 'who?',\n",
        "  `e``x` enum('a',x'61ff','q''?\\n\\\\') CHARACTER SET binary COLLATE binary DEFAULT 'a?' COMMENT 'DEFAULT ''?''',\n",
        "  `u` set('p?','q') CHARACTER SET utf16 DEFAULT NULL,\n",
        "  `s` set('default','q') DEFAULT 'q',\n",
        "  `g` varchar(9) GENERATED ALWAYS AS (concat(_utf8mb4'?',`v`)) VIRTUAL,\n",
        "  `d` decimal(10,2) DEFAULT '0.00',\n",
        "  `v` varchar(9) DEFAULT '?,(x)',\n",
        "  PRIMARY KEY (`id?`),\n  KEY `default` (`v`) COMMENT 'k?'\n) ENGINE=InnoDB COMMENT='t?'",
    );

    #[test]
    fn members_and_defaults_with_a_question_mark_are_found() {
        let found: Vec<_> = doubtful_columns(PRINTED)
            .into_iter()
            .map(|column| {
                let raw = |span: Range<usize>| PRINTED[span].to_owned();
                let members: Vec<_> = column.members.into_iter().map(raw).collect();
                (column.name, members, column.is_set, column.default.map(raw))
            })
            .collect();
        let texts = |members: &[&str]| members.iter().map(|&member| member.to_owned()).collect::<Vec<_>>();
        assert_eq!(
            found,
            [
                (
                    "e`x".to_owned(),
                    texts(&["'a'", "x'61ff'", "'q''?\\n\\\\'"]),
                    false,
                    Some("'a?'".to_owned())
                ),
                ("u".to_owned(), texts(&["'p?'", "'q'"]), true, None),
                ("v".to_owned(), vec![], false, Some("'?,(x)'".to_owned())),
            ]
        );
        assert_eq!(doubtful_columns("CREATE TABLE `t` (`a` int)"), []);
        assert_eq!(doubtful_columns("CREATE VIEW `t` AS select '?'"), []);
        assert_eq!(doubtful_columns("CREATE TABLE `t` (`a` enum('?"), []);
    }

    #[test]
    fn question_marks_become_what_is_stored() {
        for (printed, stored, literal) in [
            ("'a?'", "a😀", Some("'a😀'")),
            ("'a?'", "a?", Some("'a?'")),
            ("'?'''", "😀'", Some("'😀'''")),
            ("'q''\\n\\\\?'", "q'\n\\🎉", Some("'q''\\n\\\\🎉'")),
            ("'a?'", "ab", None),
            ("'a?'", "a", None),
            ("'a?'", "a😀😀", None),
            ("'a'", "1", None),
        ] {
            assert_eq!(restored(printed, &Stored::Text(stored.to_owned())).as_deref(), literal, "{printed}");
        }
        for (printed, stored, literal) in [
            ("'a?'", &b"a\xff"[..], Some("x'61ff'")),
            ("'????'", "😀".as_bytes(), Some("x'f09f9880'")),
            ("'é?'", b"\xc3\xa9?", Some("'é?'")),
            ("'?\\0?'", b"\xff\0\xfe", Some("x'ff00fe'")),
            ("'a?'", b"a", None),
            ("'a?'", b"b?", None),
        ] {
            assert_eq!(restored(printed, &Stored::Bytes(stored.to_vec())).as_deref(), literal, "{printed}");
        }
    }
}
