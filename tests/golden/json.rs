//! JSON as the comparison needs it: members in their order, numbers by value and kind, nothing rounded.
//!
//! The usual readers lose what matters here: an integer past 64 bits, the difference between `1` and `1.0`, a double's
//! last bit. A number keeps a canonical spelling instead: an integer its digits, any other the shortest decimal of the
//! nearest double, so that `1.0E22` (Java) and `1e+22` (Python) are equal and `1` and `1.0` are not.

use std::fmt::{self, Write};

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    /// Digits of an integer, or the shortest decimal of a double with a point or an exponent in it.
    Number(String),
    Text(String),
    List(Vec<Json>),
    /// Members in the order of the text.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads a whole text; `None` when it is anything but one JSON value.
    pub fn parse(text: &str) -> Option<Json> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value()?;
        reader.blanks();
        (reader.at == text.len()).then_some(value)
    }

    /// The member of an object.
    pub fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|(n, _)| n == name).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The member of an object, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Json> {
        match self {
            Json::Object(members) => members.iter_mut().find(|(n, _)| n == name).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The characters of a string.
    pub fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// An integer's value.
    pub fn integer(&self) -> Option<i64> {
        match self {
            Json::Number(digits) => digits.parse().ok(),
            _ => None,
        }
    }

    /// Whether an object has exactly these members, in any order.
    pub fn has_exactly(&self, names: &[&str]) -> bool {
        matches!(self, Json::Object(members) if members.len() == names.len()
            && names.iter().all(|name| members.iter().any(|(n, _)| n == name)))
    }

    /// A constant of the same JSON type, in place of what differs from run to run.
    pub fn blot(&mut self) {
        match self {
            Json::Number(digits) if digits.contains(['.', 'e', 'n', 'i']) => *digits = "1.0".to_owned(),
            Json::Number(digits) => *digits = "1".to_owned(),
            Json::Text(text) => *text = "*".to_owned(),
            Json::Bool(value) => *value = true,
            Json::Null | Json::List(_) | Json::Object(_) => {}
        }
    }

    /// Calls `change` with every string in it, member names included.
    pub fn each_text(&mut self, change: &impl Fn(&mut String)) {
        match self {
            Json::Text(text) => change(text),
            Json::List(items) => items.iter_mut().for_each(|item| item.each_text(change)),
            Json::Object(members) => members.iter_mut().for_each(|(name, value)| {
                change(name);
                value.each_text(change);
            }),
            Json::Null | Json::Bool(_) | Json::Number(_) => {}
        }
    }
}

/// Compact text, for messages.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => f.write_str("null"),
            Json::Bool(value) => write!(f, "{value}"),
            Json::Number(digits) => f.write_str(digits),
            Json::Text(text) => write!(f, "{text:?}"),
            Json::List(items) => {
                f.write_char('[')?;
                for (i, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if i == 0 { "" } else { "," })?;
                }
                f.write_char(']')
            }
            Json::Object(members) => {
                f.write_char('{')?;
                for (i, (name, value)) in members.iter().enumerate() {
                    write!(f, "{}{name:?}:{value}", if i == 0 { "" } else { "," })?;
                }
                f.write_char('}')
            }
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    fn take(&mut self, literal: &str) -> Option<()> {
        let found = self.text[self.at..].starts_with(literal);
        self.at += if found { literal.len() } else { 0 };
        found.then_some(())
    }

    fn value(&mut self) -> Option<Json> {
        self.blanks();
        match self.text[self.at..].chars().next()? {
            'n' => self.take("null").map(|()| Json::Null),
            't' => self.take("true").map(|()| Json::Bool(true)),
            'f' => self.take("false").map(|()| Json::Bool(false)),
            '"' => self.string().map(Json::Text),
            '[' => self.items(']', |reader| reader.value()).map(Json::List),
            '{' => self
                .items('}', |reader| {
                    let name = reader.string()?;
                    reader.blanks();
                    reader.take(":")?;
                    Some((name, reader.value()?))
                })
                .map(Json::Object),
            _ => self.number().map(Json::Number),
        }
    }

    fn items<T>(&mut self, close: char, read: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.at += 1;
        let mut items = Vec::new();
        self.blanks();
        let close = close.to_string();
        if self.take(&close).is_some() {
            return Some(items);
        }
        loop {
            self.blanks();
            items.push(read(self)?);
            self.blanks();
            if self.take(&close).is_some() {
                return Some(items);
            }
            self.take(",")?;
        }
    }

    fn string(&mut self) -> Option<String> {
        let start = self.at;
        self.take("\"")?;
        loop {
            match self.text.as_bytes().get(self.at)? {
                b'\\' => self.at += 2,
                b'"' => break,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        // Escapes are what the ordinary reader does well; a lone surrogate is refused, as it is no character.
        serde_json::from_str(self.text.get(start..self.at)?).ok()
    }

    fn number(&mut self) -> Option<String> {
        let rest = &self.text[self.at..];
        let end =
            rest.find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E')).unwrap_or(rest.len());
        let digits = &rest[..end];
        self.at += end;
        let value: f64 = digits.parse().ok()?;
        Some(match digits.contains(['.', 'e', 'E']) {
            true => format!("{value:?}"),
            false if digits == "-0" => "0".to_owned(),
            false => digits.to_owned(),
        })
    }
}
