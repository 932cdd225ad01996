//! A place among the tokens of one statement, and the small steps that every parser is made of.
//!
//! Names are taken as the server takes them: where a name must stand, any bare word is one. Clauses that mean nothing to
//! the model are stepped over with balanced parentheses.

use std::ops::Range;

use crate::schema::charset::Charset;
use crate::schema::ddl::DdlError;
use crate::schema::ddl::literal;
use crate::schema::ddl::token::{SqlMode, Token, TokenKind};
use crate::schema::table_id::TableId;

/// What a parser gives.
pub(crate) type Parsed<T> = Result<T, DdlError>;

/// Where a parser is.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    /// How strings are read.
    pub mode: SqlMode,
    /// The database that a bare table name is in.
    pub database: &'a str,
    /// The character set that the client sent the statement in.
    pub client: Charset,
}

impl<'a> Cursor<'a> {
    /// At the first of the tokens.
    pub fn new(text: &'a str, tokens: &'a [Token], mode: SqlMode, database: &'a str) -> Self {
        Cursor { text, tokens, at: 0, mode, database, client: Charset::UTF8MB4 }
    }

    /// The same in a statement of a client of this character set.
    pub fn of_client(self, client: Charset) -> Self {
        Cursor { client, ..self }
    }

    /// The token `ahead` of this one.
    pub fn peek(&self, ahead: usize) -> Option<&'a Token> {
        self.tokens.get(self.at + ahead)
    }

    /// Its kind.
    pub fn kind(&self, ahead: usize) -> Option<TokenKind> {
        self.peek(ahead).map(|token| token.kind)
    }

    /// Its text, as written.
    pub fn raw(&self, ahead: usize) -> &'a str {
        self.peek(ahead).and_then(|token| self.text.get(token.span.clone())).unwrap_or_default()
    }

    /// Whether nothing is left.
    pub fn at_end(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// To the next token.
    pub fn advance(&mut self) {
        self.at += 1;
    }

    /// The number of tokens behind this place.
    pub fn index(&self) -> usize {
        self.at
    }

    /// The bytes of the tokens from an index up to here.
    pub fn span_from(&self, index: usize) -> Range<usize> {
        let start = self.tokens.get(index).map_or(self.text.len(), |token| token.span.start);
        let last = self.at.checked_sub(1).and_then(|last| self.tokens.get(last));
        start..last.map_or(start, |token| token.span.end).max(start)
    }

    /// Whether the token ahead is this bare word.
    pub fn is_word(&self, ahead: usize, word: &str) -> bool {
        self.kind(ahead) == Some(TokenKind::Word) && self.raw(ahead).eq_ignore_ascii_case(word)
    }

    /// Whether the token here is one of these bare words.
    pub fn is_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is_word(0, word))
    }

    /// Whether these bare words come next.
    pub fn are_words(&self, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(ahead, word)| self.is_word(ahead, word))
    }

    /// Steps over these words when they come next.
    pub fn eat(&mut self, words: &[&str]) -> bool {
        let found = self.are_words(words);
        if found {
            self.at += words.len();
        }
        found
    }

    /// Steps over the first of these words, when it comes next.
    pub fn eat_any(&mut self, words: &[&str]) -> bool {
        let found = self.is_any(words);
        if found {
            self.at += 1;
        }
        found
    }

    /// Whether the token ahead is this character.
    pub fn is_symbol(&self, ahead: usize, symbol: char) -> bool {
        self.kind(ahead) == Some(TokenKind::Symbol(symbol))
    }

    /// Steps over this character when it comes next.
    pub fn eat_symbol(&mut self, symbol: char) -> bool {
        let found = self.is_symbol(0, symbol);
        if found {
            self.at += 1;
        }
        found
    }

    /// This character must come next.
    pub fn expect_symbol(&mut self, symbol: char, expected: &'static str) -> Parsed<()> {
        if self.eat_symbol(symbol) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// This word must come next.
    pub fn expect(&mut self, word: &str, expected: &'static str) -> Parsed<()> {
        if self.eat(&[word]) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// The error of this place.
    pub fn unexpected(&self, expected: &'static str) -> DdlError {
        let position = self.peek(0).map_or(self.text.len(), |token| token.span.start);
        let excerpt = self.text.get(position..).unwrap_or_default().chars().take(40).collect();
        DdlError::Unparseable { position, excerpt, expected }
    }

    /// `IF EXISTS`.
    pub fn eat_if_exists(&mut self) -> bool {
        self.eat(&["IF", "EXISTS"])
    }

    /// `IF NOT EXISTS`.
    pub fn eat_if_not_exists(&mut self) -> bool {
        self.eat(&["IF", "NOT", "EXISTS"])
    }

    /// Whether a name can stand here. A string may be one too where the server takes an alias for a name.
    pub fn is_name(&self) -> bool {
        matches!(self.kind(0), Some(TokenKind::Word | TokenKind::QuotedName))
    }

    /// A name.
    pub fn name(&mut self) -> Parsed<String> {
        let name = match self.kind(0) {
            Some(TokenKind::Word) => self.raw(0).to_owned(),
            Some(TokenKind::QuotedName) => literal::unquote_name(self.raw(0)),
            _ => return Err(self.unexpected("a name")),
        };
        self.at += 1;
        Ok(name)
    }

    /// A name or a string: character sets and engines may be either.
    pub fn name_or_text(&mut self) -> Parsed<String> {
        if self.kind(0) == Some(TokenKind::Text) { self.text() } else { self.name() }
    }

    /// A string, unescaped. Neighbouring strings are one (manual: "String Literals").
    pub fn text(&mut self) -> Parsed<String> {
        if self.kind(0) != Some(TokenKind::Text) {
            return Err(self.unexpected("a string"));
        }
        let mut out = String::new();
        while self.kind(0) == Some(TokenKind::Text) {
            out.push_str(&literal::unquote_text(self.raw(0), self.mode));
            self.at += 1;
        }
        Ok(out)
    }

    /// An unsigned whole number; what is beyond i32 (`BLOB(4294967295)`) counts as its end, as Debezium has it.
    pub fn number(&mut self) -> Parsed<i32> {
        let number: Option<u64> =
            self.raw(0).parse().ok().filter(|_| self.kind(0) == Some(TokenKind::Number));
        let number = number.ok_or_else(|| self.unexpected("a number"))?;
        self.at += 1;
        Ok(i32::try_from(number).unwrap_or(i32::MAX))
    }

    /// `table`, `database.table` or `.table`.
    pub fn table_id(&mut self) -> Parsed<TableId> {
        if self.eat_symbol('.') {
            let table = self.name()?;
            return self.in_current_database(table);
        }
        let first = self.name()?;
        if self.eat_symbol('.') {
            return Ok(TableId::new(first, self.name()?));
        }
        self.in_current_database(first)
    }

    fn in_current_database(&self, table: String) -> Parsed<TableId> {
        if self.database.is_empty() {
            return Err(DdlError::NoDatabase { table });
        }
        Ok(TableId::new(self.database, table))
    }

    /// A column, possibly with its table (and database) before it.
    pub fn column_name(&mut self) -> Parsed<String> {
        self.eat_symbol('.');
        let mut name = self.name()?;
        while self.eat_symbol('.') {
            name = self.name()?;
        }
        Ok(name)
    }

    /// Steps over a part in parentheses, which must begin here.
    pub fn skip_parentheses(&mut self) -> Parsed<()> {
        let mut depth = 0usize;
        loop {
            match self.kind(0) {
                Some(TokenKind::Symbol('(')) => depth += 1,
                Some(TokenKind::Symbol(')')) => depth = depth.saturating_sub(1),
                Some(_) => {}
                None => return Err(self.unexpected("a closing parenthesis")),
            }
            if depth == 0 && !self.is_symbol(0, ')') {
                return Err(self.unexpected("an opening parenthesis"));
            }
            self.at += 1;
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Steps over one token, or one part in parentheses.
    pub fn skip_one(&mut self) -> Parsed<()> {
        if self.is_symbol(0, '(') {
            return self.skip_parentheses();
        }
        self.at += 1;
        Ok(())
    }

    /// Steps to the next comma or closing parenthesis of this level, or to the end.
    pub fn skip_to_comma(&mut self) -> Parsed<()> {
        while !self.at_end() && !self.is_symbol(0, ',') && !self.is_symbol(0, ')') {
            self.skip_one()?;
        }
        Ok(())
    }

    /// To the end.
    pub fn skip_all(&mut self) {
        self.at = self.tokens.len();
    }
}
