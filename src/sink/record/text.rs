//! A string of JSON text, and what its escapes stand for. Grammar: RFC 8259, section 7.

use std::borrow::Cow;

/// A string between its quotes, escapes still in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text<'a> {
    pub(super) raw: &'a str,
    pub(super) escaped: bool,
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
