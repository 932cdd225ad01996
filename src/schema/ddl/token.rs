//! The tokens of a statement, each with its place in the text.
//!
//! The cutting is sqlparser's. Its dialect for MySQL is wrapped, because two bits of `sql_mode` change what a quote
//! means: ANSI_QUOTES makes `"x"` a name, NO_BACKSLASH_ESCAPES makes a backslash an ordinary character (manual: "Server
//! SQL Modes"). Of its tokens only the class and the place are kept; values are read from the text itself, because the
//! tokenizer knows other escapes than MySQL does. It counts lines and characters, so places are converted to bytes.

use std::any::TypeId;
use std::ops::Range;

use sqlparser::dialect::{Dialect, MySqlDialect};
use sqlparser::tokenizer::{Location, Token as Cut, Tokenizer};

use crate::schema::data_type::DataType;
use crate::schema::database_schema::Flavor;

/// How a text is to be read: by `sql_mode`, and by whose server it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SqlMode {
    bits: u64,
    mariadb: bool,
}

impl SqlMode {
    /// REAL is FLOAT.
    pub const REAL_AS_FLOAT: u64 = 1;
    /// `"x"` is a name.
    pub const ANSI_QUOTES: u64 = 4;
    /// MariaDB: DATE has a time of day, and so on.
    pub const ORACLE: u64 = 0x200;
    /// TIMESTAMP is DATETIME. MySQL 8.0 has it no more.
    pub const MAXDB: u64 = 0x4_0000;
    /// A backslash in a string is an ordinary character.
    pub const NO_BACKSLASH_ESCAPES: u64 = 0x10_0000;

    /// From the status variable of a QUERY event.
    pub fn new(bits: u64) -> Self {
        SqlMode { bits, mariadb: false }
    }

    /// The same on such a server.
    pub fn of(self, flavor: Flavor) -> Self {
        SqlMode { mariadb: flavor == Flavor::MariaDb, ..self }
    }

    /// The same, where a backslash escapes.
    pub fn with_backslash_escapes(self) -> Self {
        SqlMode { bits: self.bits & !Self::NO_BACKSLASH_ESCAPES, ..self }
    }

    fn has(self, bit: u64) -> bool {
        self.bits & bit != 0
    }

    /// Whether `"x"` is a name.
    pub fn ansi_quotes(self) -> bool {
        self.has(Self::ANSI_QUOTES)
    }

    /// Whether a backslash escapes.
    pub fn backslash_escapes(self) -> bool {
        !self.has(Self::NO_BACKSLASH_ESCAPES)
    }

    /// Whether it is MariaDB's.
    pub fn is_mariadb(self) -> bool {
        self.mariadb
    }

    /// The type that a name stands for under modes that lend it to another one.
    pub fn data_type(self, named: DataType) -> DataType {
        match named {
            DataType::Real if self.has(Self::REAL_AS_FLOAT) => DataType::Float,
            DataType::Timestamp if self.has(Self::MAXDB) => DataType::DateTime,
            DataType::Date if self.mariadb && self.has(Self::ORACLE) => DataType::DateTime,
            DataType::Blob if self.mariadb && self.has(Self::ORACLE) => DataType::LongBlob,
            other => other,
        }
    }
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A bare word: keyword or name.
    Word,
    /// A name in backticks, or in double quotes under ANSI_QUOTES.
    QuotedName,
    /// A string in single or double quotes.
    Text,
    /// `N'x'`.
    NationalText,
    /// `x'4D'` or `0x4D`.
    Hex,
    /// `b'01'`.
    Bits,
    /// An unsigned number.
    Number,
    /// A character of punctuation, or the first one of an operator.
    Symbol(char),
}

/// A token and its bytes in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub span: Range<usize>,
}

/// MySQL's dialect under an `sql_mode`.
#[derive(Debug)]
struct ModalDialect {
    inner: MySqlDialect,
    mode: SqlMode,
}

impl Dialect for ModalDialect {
    fn dialect(&self) -> TypeId {
        TypeId::of::<MySqlDialect>()
    }

    fn is_identifier_start(&self, ch: char) -> bool {
        self.inner.is_identifier_start(ch)
    }

    fn is_identifier_part(&self, ch: char) -> bool {
        self.inner.is_identifier_part(ch)
    }

    fn is_delimited_identifier_start(&self, ch: char) -> bool {
        ch == '`' || (ch == '"' && self.mode.ansi_quotes())
    }

    fn supports_string_literal_backslash_escape(&self) -> bool {
        self.mode.backslash_escapes()
    }

    fn supports_numeric_prefix(&self) -> bool {
        true
    }
}

/// Cuts a text that holds no comments any more. Where the tokenizer gives up, what it has so far is returned with
/// `false`: the statement may still be one whose first words say that it changes no table.
pub(crate) fn tokenize(text: &str, mode: SqlMode) -> (Vec<Token>, bool) {
    let dialect = ModalDialect { inner: MySqlDialect {}, mode };
    let mut cut = Vec::new();
    let whole =
        Tokenizer::new(&dialect, text).with_unescape(false).tokenize_with_location_into_buf(&mut cut).is_ok();
    let mut places = Places::new(text);
    let mut tokens = Vec::with_capacity(cut.len());
    for piece in cut {
        let (start, end) = (places.byte(piece.span.start), places.byte(piece.span.end));
        if let Some(kind) = kind(&piece.token, text.get(start..end).unwrap_or_default()) {
            tokens.push(Token { kind, span: start..end });
        }
    }
    (tokens, whole)
}

/// The class of a token; none for white space.
fn kind(token: &Cut, raw: &str) -> Option<TokenKind> {
    Some(match token {
        Cut::Whitespace(_) | Cut::EOF => return None,
        Cut::Word(word) if word.quote_style.is_some() => TokenKind::QuotedName,
        Cut::Word(_) => TokenKind::Word,
        Cut::SingleQuotedString(_) | Cut::DoubleQuotedString(_) => TokenKind::Text,
        Cut::NationalStringLiteral(_) => TokenKind::NationalText,
        Cut::HexStringLiteral(_) => TokenKind::Hex,
        Cut::SingleQuotedByteStringLiteral(_) | Cut::DoubleQuotedByteStringLiteral(_) => TokenKind::Bits,
        // `10L` is a name to MySQL.
        Cut::Number(_, true) => TokenKind::Word,
        Cut::Number(..) => TokenKind::Number,
        _ => TokenKind::Symbol(raw.chars().next()?),
    })
}

/// Lines and characters, from 1, to bytes. Asked in rising order only.
struct Places<'a> {
    rest: std::str::Chars<'a>,
    length: usize,
    line: u64,
    column: u64,
}

impl<'a> Places<'a> {
    fn new(text: &'a str) -> Self {
        Places { rest: text.chars(), length: text.len(), line: 1, column: 1 }
    }

    fn byte(&mut self, wanted: Location) -> usize {
        while (self.line, self.column) < (wanted.line, wanted.column) {
            match self.rest.next() {
                Some('\n') => {
                    self.line += 1;
                    self.column = 1;
                }
                Some(_) => self.column += 1,
                None => break,
            }
        }
        self.length - self.rest.as_str().len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, mode: u64) -> Vec<(TokenKind, &str)> {
        let (tokens, whole) = tokenize(text, SqlMode::new(mode));
        assert!(whole, "{text}");
        tokens.into_iter().map(|token| (token.kind, &text[token.span])).collect()
    }

    #[test]
    fn tokens_have_the_bytes_of_the_text() {
        use TokenKind::{Bits, Hex, NationalText, Number, QuotedName, Symbol, Text, Word};
        for (text, mode, expected) in [
            ("a.`b``c`", 0, vec![(Word, "a"), (Symbol('.'), "."), (QuotedName, "`b``c`")]),
            ("'日\n''\\'x' 日本", 0, vec![(Text, "'日\n''\\'x'"), (Word, "日本")]),
            ("\"q\"\"q\"", 0, vec![(Text, "\"q\"\"q\"")]),
            ("\"q\"\"q\"", 4, vec![(QuotedName, "\"q\"\"q\"")]),
            ("'a\\'", 0x10_0000, vec![(Text, "'a\\'")]),
            (
                "x'4D' 0x4d b'01' N'q' 0b1",
                0,
                vec![(Hex, "x'4D'"), (Hex, "0x4d"), (Bits, "b'01'"), (NationalText, "N'q'"), (Word, "0b1")],
            ),
            (
                "-1.5e-3,.5",
                0,
                vec![(Symbol('-'), "-"), (Number, "1.5e-3"), (Symbol(','), ","), (Number, ".5")],
            ),
            ("1a $v a$b 9z", 0, vec![(Word, "1a"), (Word, "$v"), (Word, "a$b"), (Word, "9z")]),
            ("_utf8mb4'é'", 0, vec![(Word, "_utf8mb4"), (Text, "'é'")]),
        ] {
            assert_eq!(words(text, mode), expected, "{text}");
        }
    }

    #[test]
    fn a_broken_end_keeps_the_beginning() {
        let (tokens, whole) = tokenize("create library l as $$ it's", SqlMode::default());
        assert!(!whole);
        assert!(tokens.len() >= 4);
    }
}
