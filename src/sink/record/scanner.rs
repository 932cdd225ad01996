//! JSON text, walked from left to right.
//!
//! The text is checked once to be UTF-8. Then a [`Scanner`] hands out one [`Json`] after the other as slices of it: a string
//! with its escapes still in it, a number as its digits, an object or array as a whole, which can be walked in its turn
//! ([`Members`], [`Elements`]). Nothing is allocated, and nothing recurses, so that no depth of nesting matters. What is
//! inside a value that nobody looks at is only checked for brackets and quotes that match. Grammar: RFC 8259.
//!
//! Most strings of a record are names and short values, for which a search with wide registers costs more to begin than it saves:
//! their first bytes are looked at eight at once, in an integer (`quote_or_backslash`), and only what is longer is searched.

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
                let rest = self.text.as_bytes().get(start..).unwrap_or_default();
                let of_number = |byte: &u8| CLASSES[usize::from(*byte)] == Class::OfNumber;
                self.at += rest.iter().position(|byte| !of_number(byte)).unwrap_or(rest.len());
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
            let found = quote_or_backslash(rest).ok_or(ScanError { at: self.text.len() })?;
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
            let class = |byte: &u8| CLASSES[usize::from(*byte)];
            let plain = |byte: &u8| matches!(class(byte), Class::Other | Class::OfNumber);
            let Some(found) = rest.iter().position(|byte| !plain(byte)) else {
                return Err(ScanError { at: self.text.len() });
            };
            self.at += found + 1;
            match rest.get(found).map(class) {
                Some(Class::Quote) => {
                    self.skip_string()?;
                }
                Some(Class::Opening) => depth += 1,
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

/// What a byte may be outside of strings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Other,
    Quote,
    Opening,
    Closing,
    OfNumber,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let of_bytes: [(&[u8], Class); 4] = [
        (b"\"", Class::Quote),
        (b"{[", Class::Opening),
        (b"}]", Class::Closing),
        (b"0123456789-+.eE", Class::OfNumber),
    ];
    let mut class = 0;
    while class < of_bytes.len() {
        let mut at = 0;
        while at < of_bytes[class].0.len() {
            classes[of_bytes[class].0[at] as usize] = of_bytes[class].1;
            at += 1;
        }
        class += 1;
    }
    classes
};

/// Words of eight bytes that are looked at before a search begins.
const WORDS: usize = 4;
const LOW_BITS: u64 = u64::from_ne_bytes([0x01; 8]);
const HIGH_BITS: u64 = u64::from_ne_bytes([0x80; 8]);

/// The first quote or backslash.
#[inline]
fn quote_or_backslash(bytes: &[u8]) -> Option<usize> {
    let (words, _) = bytes.as_chunks::<8>();
    for (place, word) in words.iter().take(WORDS).enumerate() {
        let word = u64::from_le_bytes(*word);
        // A byte that becomes zero borrows from its high bit; so may bytes above it, but none below, and the lowest is wanted.
        let zeros = |word: u64| word.wrapping_sub(LOW_BITS) & !word & HIGH_BITS;
        let found = zeros(word ^ (LOW_BITS * u64::from(b'"'))) | zeros(word ^ (LOW_BITS * u64::from(b'\\')));
        if found != 0 {
            return Some(place * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    let looked_at = words.len().min(WORDS) * 8;
    let rest = bytes.get(looked_at..)?;
    Some(looked_at + memchr2(b'"', b'\\', rest)?)
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
