//! JSON text, walked from left to right.
//!
//! The text is checked once to be UTF-8. Then a [`Scanner`] hands out one [`Json`] after the other as slices of it: a string
//! with its escapes still in it, a number as its digits, an object or array as a whole, which can be walked in its turn
//! ([`Members`], [`Elements`]). Nothing is allocated, and nothing recurses, so that no depth of nesting matters. What is
//! inside a value that nobody looks at is only checked for brackets and quotes that match. Grammar: RFC 8259.

use std::borrow::Cow;
use std::str;

use memchr::memchr2;

/// Where text is no JSON: the byte, counted from the begin of what was to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no valid json at byte {at}")]
pub struct ScanError {
    /// The byte.
    pub at: usize,
}

/// A value, borrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Json<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// The digits of a number, with sign, point and exponent.
    Number(&'a str),
    /// A string.
    String(Text<'a>),
    /// An object with its braces.
    Object(&'a str),
    /// An array with its brackets.
    Array(&'a str),
}

/// A string between its quotes, escapes still in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text<'a> {
    raw: &'a str,
    escaped: bool,
}

impl<'a> Text<'a> {
    /// The string. `scratch` is overwritten when there are escapes; a lone surrogate becomes U+FFFD.
    pub fn unescaped<'s>(&self, scratch: &'s mut String) -> &'s str
    where
        'a: 's,
    {
        if !self.escaped {
            return self.raw;
        }
        scratch.clear();
        let mut rest = self.raw;
        while let Some(at) = rest.find('\\') {
            let (plain, escape) = rest.split_at(at);
            scratch.push_str(plain);
            let mut characters = escape.chars();
            characters.next();
            let (character, after) = match characters.next() {
                Some('u') => unicode(characters.as_str()),
                Some('n') => ('\n', characters.as_str()),
                Some('r') => ('\r', characters.as_str()),
                Some('t') => ('\t', characters.as_str()),
                Some('b') => ('\u{8}', characters.as_str()),
                Some('f') => ('\u{c}', characters.as_str()),
                Some(other) => (other, characters.as_str()),
                None => (char::REPLACEMENT_CHARACTER, ""),
            };
            scratch.push(character);
            rest = after;
        }
        scratch.push_str(rest);
        scratch
    }

    /// The string, owned where it has escapes.
    pub fn to_cow(&self) -> Cow<'a, str> {
        match self.plain() {
            Some(plain) => Cow::Borrowed(plain),
            None => Cow::Owned(self.unescaped(&mut String::new()).to_owned()),
        }
    }

    /// The string if there is no escape in it.
    pub fn plain(&self) -> Option<&'a str> {
        (!self.escaped).then_some(self.raw)
    }

    /// Whether it is this text, which has nothing to be escaped.
    pub fn is(&self, text: &str) -> bool {
        self.raw == text
    }
}

/// The character of `\uXXXX`, or of two of them, and what follows.
fn unicode(text: &str) -> (char, &str) {
    let unit = |text: &str| text.get(..4).and_then(|digits| u16::from_str_radix(digits, 16).ok());
    let Some(first) = unit(text) else { return (char::REPLACEMENT_CHARACTER, text) };
    let rest = text.get(4..).unwrap_or_default();
    if let Some(character) = char::from_u32(first.into()) {
        return (character, rest);
    }
    let second = rest.strip_prefix("\\u").and_then(unit);
    match second.and_then(|second| char::decode_utf16([first, second]).next()?.ok()) {
        Some(character) => (character, rest.get(6..).unwrap_or_default()),
        None => (char::REPLACEMENT_CHARACTER, rest),
    }
}

/// Bytes as text.
pub fn utf8(bytes: &[u8]) -> Result<&str, ScanError> {
    str::from_utf8(bytes).map_err(|error| ScanError { at: error.valid_up_to() })
}

/// A place in a text.
#[derive(Clone, Debug)]
pub struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    /// The begin of a text.
    pub fn new(text: &'a str) -> Self {
        Scanner { text, at: 0 }
    }

    /// The one value that bytes hold, with nothing but blanks around it.
    pub fn only_value(bytes: &'a [u8]) -> Result<Json<'a>, ScanError> {
        let mut scanner = Scanner::new(utf8(bytes)?);
        let value = scanner.value()?;
        scanner.end()?;
        Ok(value)
    }

    /// Nothing but blanks is left.
    fn end(&mut self) -> Result<(), ScanError> {
        self.skip_blanks();
        if self.at == self.text.len() { Ok(()) } else { Err(self.error()) }
    }

    fn error(&self) -> ScanError {
        ScanError { at: self.at }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Result<(), ScanError> {
        self.skip_blanks();
        if self.peek() != Some(byte) {
            return Err(self.error());
        }
        self.at += 1;
        Ok(())
    }

    /// The next value.
    pub fn value(&mut self) -> Result<Json<'a>, ScanError> {
        self.skip_blanks();
        let start = self.at;
        match self.peek() {
            Some(b'"') => Ok(Json::String(self.string()?)),
            Some(b'{') => Ok(Json::Object(self.nested(start)?)),
            Some(b'[') => Ok(Json::Array(self.nested(start)?)),
            Some(b't') => self.word("true", Json::Boolean(true)),
            Some(b'f') => self.word("false", Json::Boolean(false)),
            Some(b'n') => self.word("null", Json::Null),
            Some(b'-' | b'0'..=b'9') => {
                while matches!(self.peek(), Some(b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')) {
                    self.at += 1;
                }
                Ok(Json::Number(self.slice(start)))
            }
            _ => Err(self.error()),
        }
    }

    fn word(&mut self, word: &str, value: Json<'a>) -> Result<Json<'a>, ScanError> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        if !rest.starts_with(word) {
            return Err(self.error());
        }
        self.at += word.len();
        Ok(value)
    }

    /// All from a start to here. Both are beside ASCII characters, so that it is text.
    fn slice(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn string(&mut self) -> Result<Text<'a>, ScanError> {
        self.expect(b'"')?;
        let start = self.at;
        let escaped = self.skip_string()?;
        let raw = self.text.get(start..self.at - 1).unwrap_or_default();
        Ok(Text { raw, escaped })
    }

    /// Behind the closing quote; whether there were escapes.
    fn skip_string(&mut self) -> Result<bool, ScanError> {
        let mut escaped = false;
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let found = memchr2(b'"', b'\\', rest).ok_or(ScanError { at: self.text.len() })?;
            self.at += found + 1;
            if rest.get(found) == Some(&b'"') {
                return Ok(escaped);
            }
            escaped = true;
            // The escaped character may be a quote; one of several bytes does not begin with one.
            self.at += 1;
        }
    }

    /// A whole object or array.
    fn nested(&mut self, start: usize) -> Result<&'a str, ScanError> {
        let mut depth = 0usize;
        loop {
            let byte = self.peek().ok_or_else(|| self.error())?;
            self.at += 1;
            match byte {
                b'"' => {
                    self.skip_string()?;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => {
                    // The first byte opened it.
                    depth -= 1;
                    if depth == 0 {
                        return Ok(self.slice(start));
                    }
                }
                _ => {}
            }
        }
    }
}

/// The members of an object, in order.
#[derive(Clone, Debug)]
pub struct Members<'a> {
    scanner: Scanner<'a>,
    is_first: bool,
}

impl<'a> Members<'a> {
    /// Of an object with its braces.
    pub fn of(object: &'a str) -> Result<Self, ScanError> {
        let mut scanner = Scanner::new(object);
        scanner.expect(b'{')?;
        Ok(Members { scanner, is_first: true })
    }

    /// Behind the last one: whether only blanks follow the object.
    pub fn end(mut self) -> Result<(), ScanError> {
        self.scanner.expect(b'}')?;
        self.scanner.end()
    }

    /// The next one; none behind the last.
    #[inline]
    pub fn next_member(&mut self) -> Result<Option<(Text<'a>, Json<'a>)>, ScanError> {
        self.scanner.skip_blanks();
        if self.scanner.peek() == Some(b'}') {
            return Ok(None);
        }
        if !std::mem::take(&mut self.is_first) {
            self.scanner.expect(b',')?;
            self.scanner.skip_blanks();
        }
        let name = self.scanner.string()?;
        self.scanner.expect(b':')?;
        let value = self.scanner.value()?;
        Ok(Some((name, value)))
    }
}

/// The elements of an array, in order.
#[derive(Clone, Debug)]
pub struct Elements<'a> {
    scanner: Scanner<'a>,
    is_first: bool,
}

impl<'a> Elements<'a> {
    /// Of an array with its brackets.
    pub fn of(array: &'a str) -> Result<Self, ScanError> {
        let mut scanner = Scanner::new(array);
        scanner.expect(b'[')?;
        Ok(Elements { scanner, is_first: true })
    }

    /// The next one; none behind the last.
    pub fn next_element(&mut self) -> Result<Option<Json<'a>>, ScanError> {
        self.scanner.skip_blanks();
        if self.scanner.peek() == Some(b']') {
            return Ok(None);
        }
        if !std::mem::take(&mut self.is_first) {
            self.scanner.expect(b',')?;
        }
        self.scanner.value().map(Some)
    }
}

#[cfg(test)]
mod tests;
