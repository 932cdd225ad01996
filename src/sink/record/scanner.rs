//! JSON text, walked from left to right.
//!
//! The text is checked once to be UTF-8. Then a [`Scanner`] hands out one [`Json`] after the other as slices of it: a string
//! with its escapes still in it, a number as its digits, an object or array as a whole, which can be walked in its turn
//! ([`Members`], [`Elements`]). Nothing is allocated, and nothing recurses, so that no depth of nesting matters. What is
//! inside a value that nobody looks at is only checked for brackets and quotes that match. Grammar: RFC 8259.
//!
//! Most strings of a record are names and short values, for which a search with wide registers costs more to begin than it saves:
//! their first bytes are looked at eight at once, in an integer ([`words`]), and only what is longer is searched.

use std::str;

use crate::sink::record::text::Text;
use crate::sink::record::words;

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
                let rest = self.text.as_bytes().get(start..).unwrap_or_default();
                self.at += rest.iter().position(|byte| !OF_NUMBER[usize::from(*byte)]).unwrap_or(rest.len());
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
    #[inline]
    fn skip_string(&mut self) -> Result<bool, ScanError> {
        let mut escaped = false;
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let found = words::quote_or_backslash(rest).ok_or(ScanError { at: self.text.len() })?;
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
        self.skip_to_end(0)?;
        Ok(self.slice(start))
    }

    /// Behind the bracket that closes the outermost object or array, where so many are open.
    fn skip_to_end(&mut self, open: usize) -> Result<(), ScanError> {
        let mut depth = open;
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let found =
                words::find(rest, words::quotes_and_brackets).ok_or(ScanError { at: self.text.len() })?;
            self.at += found + 1;
            match rest.get(found) {
                Some(b'"') => {
                    self.skip_string()?;
                }
                Some(b'{' | b'[') => depth += 1,
                _ => {
                    // One was open, or the first byte opened it.
                    depth -= 1;
                    if depth == 0 {
                        return Ok(());
                    }
                }
            }
        }
    }
}

/// Whether a byte may be part of a number.
const OF_NUMBER: [bool; 256] = {
    let mut of_number = [false; 256];
    let bytes = b"0123456789-+.eE";
    let mut at = 0;
    while at < bytes.len() {
        of_number[bytes[at] as usize] = true;
        at += 1;
    }
    of_number
};

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

    /// The next one; none behind the last.
    #[inline]
    pub fn next_member(&mut self) -> Result<Option<(Text<'a>, Json<'a>)>, ScanError> {
        let Some(name) = self.next_name()? else { return Ok(None) };
        let value = self.scanner.value()?;
        Ok(Some((name, value)))
    }

    /// The name of the next one, whose value is to be taken then: by [`Members::value`] or [`Members::enter`].
    #[inline]
    pub fn next_name(&mut self) -> Result<Option<Text<'a>>, ScanError> {
        self.scanner.skip_blanks();
        if self.scanner.peek() == Some(b'}') {
            return Ok(None);
        }
        if !std::mem::take(&mut self.is_first) {
            self.scanner.expect(b',')?;
        }
        let name = self.scanner.string()?;
        self.scanner.expect(b':')?;
        Ok(Some(name))
    }

    /// Takes the name of the next member if it is `spelled` so, with its quotes and the colon, and nothing else around: it is compared
    /// and not looked for.
    #[inline]
    pub fn take_name(&mut self, spelled: &str) -> bool {
        let rest = self.scanner.text.as_bytes().get(self.scanner.at..).unwrap_or_default();
        let separator = usize::from(!self.is_first);
        let is_next = (self.is_first || rest.first() == Some(&b','))
            && rest.get(separator..).is_some_and(|rest| rest.starts_with(spelled.as_bytes()));
        if is_next {
            self.is_first = false;
            self.scanner.at += separator + spelled.len();
        }
        is_next
    }

    /// What the next member is by a list of names as they are spelled, none for another one; none behind the last. Members
    /// stand in the order of the list, so the one behind the last that was found, `guess`, is compared first.
    #[inline]
    pub fn next_of<T: Copy>(
        &mut self,
        names: &[(&str, T)],
        guess: &mut usize,
    ) -> Result<Option<Option<T>>, ScanError> {
        if let Some((spelled, found)) = names.get(*guess)
            && self.take_name(spelled)
        {
            *guess += 1;
            return Ok(Some(Some(*found)));
        }
        let Some(name) = self.next_name()? else { return Ok(None) };
        let is_it = |spelled: &str| spelled.get(1..spelled.len() - 2).is_some_and(|plain| name.is(plain));
        let place = names.iter().position(|(spelled, _)| is_it(spelled));
        *guess = place.map_or(*guess, |place| place + 1);
        Ok(Some(place.and_then(|place| Some(names.get(place)?.1))))
    }

    /// The value behind a name.
    #[inline]
    pub fn value(&mut self) -> Result<Json<'a>, ScanError> {
        self.scanner.value()
    }

    /// The members of the object behind a name, if it is one, so that it is walked once and not found first. To be given
    /// back to [`Members::leave`].
    pub fn enter(&mut self) -> Option<Members<'a>> {
        self.scanner.skip_blanks();
        let mut inner = self.scanner.clone();
        inner.expect(b'{').ok()?;
        Some(Members { scanner: inner, is_first: true })
    }

    /// Goes on behind an object; members of it that were not looked at are passed over.
    pub fn leave(&mut self, mut inner: Members<'a>) -> Result<(), ScanError> {
        inner.scanner.skip_to_end(1)?;
        self.scanner = inner.scanner;
        Ok(())
    }

    /// Passes over the members that are left: whether only blanks follow the object.
    pub fn pass_over(mut self) -> Result<(), ScanError> {
        self.scanner.skip_to_end(1)?;
        self.scanner.end()
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
