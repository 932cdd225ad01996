//! JSON as it was written: members in their order, every number with its own digits.
//!
//! Readers that make numbers into doubles lose what is compared here: integers past 2^53, decimals of 65 digits, the
//! difference between `1` and `1.0`. RFC 8259.

use std::fmt::{self, Write};

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    /// The number as written.
    Number(String),
    Text(String),
    List(Vec<Json>),
    /// Members in the order of the text.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads a text that is one JSON value.
    pub fn parse(text: &str) -> Result<Json, String> {
        Json::read(text, false)
    }

    /// The same of a server's text, which has the line breaks of long base64 as they are.
    pub fn parse_lenient(text: &str) -> Result<Json, String> {
        Json::read(text, true)
    }

    fn read(text: &str, lenient: bool) -> Result<Json, String> {
        let mut reader = Reader { text: text.as_bytes(), at: 0, depth: 0, lenient };
        let value = reader.value()?;
        reader.blanks();
        if reader.at == text.len() { Ok(value) } else { Err(reader.error("something follows the value")) }
    }

    /// The member of an object.
    pub fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|(n, _)| n == name).map(|(_, value)| value),
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

    /// The items of a list.
    pub fn items(&self) -> &[Json] {
        match self {
            Json::List(items) => items,
            _ => &[],
        }
    }

    /// Whether it stands there and is not null.
    pub fn is_value(&self) -> bool {
        *self != Json::Null
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => f.write_str("null"),
            Json::Bool(value) => write!(f, "{value}"),
            Json::Number(digits) => f.write_str(digits),
            Json::Text(text) => write!(f, "{text:?}"),
            Json::List(items) => {
                f.write_char('[')?;
                for (place, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if place == 0 { "" } else { "," })?;
                }
                f.write_char(']')
            }
            Json::Object(members) => {
                f.write_char('{')?;
                for (place, (name, value)) in members.iter().enumerate() {
                    write!(f, "{}{name:?}:{value}", if place == 0 { "" } else { "," })?;
                }
                f.write_char('}')
            }
        }
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    depth: usize,
    /// Whether control characters may stand in strings.
    lenient: bool,
}

impl Reader<'_> {
    fn error(&self, what: &str) -> String {
        format!("not JSON at byte {}: {what}", self.at)
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(|byte| b" \t\r\n".contains(&byte)) {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> Result<(), String> {
        self.blanks();
        if self.peek() != Some(byte) {
            return Err(self.error(&format!("{:?} expected", char::from(byte))));
        }
        self.at += 1;
        Ok(())
    }

    fn word(&mut self, word: &str, value: Json) -> Result<Json, String> {
        if !self.text[self.at..].starts_with(word.as_bytes()) {
            return Err(self.error("an unknown word"));
        }
        self.at += word.len();
        Ok(value)
    }

    fn value(&mut self) -> Result<Json, String> {
        self.blanks();
        self.depth += 1;
        if self.depth > 200 {
            return Err(self.error("nested too deeply"));
        }
        let value = match self.peek() {
            Some(b'{') => self.object(),
            Some(b'[') => self.list(),
            Some(b'"') => self.string().map(Json::Text),
            Some(b'n') => self.word("null", Json::Null),
            Some(b't') => self.word("true", Json::Bool(true)),
            Some(b'f') => self.word("false", Json::Bool(false)),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => Err(self.error("a value expected")),
        };
        self.depth -= 1;
        value
    }

    fn object(&mut self) -> Result<Json, String> {
        self.take(b'{')?;
        let mut members = Vec::new();
        self.blanks();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Json::Object(members));
        }
        loop {
            self.blanks();
            let name = self.string()?;
            self.take(b':')?;
            members.push((name, self.value()?));
            self.blanks();
            if self.peek() == Some(b'}') {
                self.at += 1;
                return Ok(Json::Object(members));
            }
            self.take(b',')?;
        }
    }

    fn list(&mut self) -> Result<Json, String> {
        self.take(b'[')?;
        let mut items = Vec::new();
        self.blanks();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Json::List(items));
        }
        loop {
            items.push(self.value()?);
            self.blanks();
            if self.peek() == Some(b']') {
                self.at += 1;
                return Ok(Json::List(items));
            }
            self.take(b',')?;
        }
    }

    fn string(&mut self) -> Result<String, String> {
        self.take(b'"')?;
        let mut text = String::new();
        loop {
            let start = self.at;
            let least = if self.lenient { 0 } else { 0x20 };
            while self.peek().is_some_and(|byte| byte != b'"' && byte != b'\\' && byte >= least) {
                self.at += 1;
            }
            let plain =
                std::str::from_utf8(&self.text[start..self.at]).map_err(|_| self.error("not UTF-8"))?;
            text.push_str(plain);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => {
                    self.at += 1;
                    text.push(self.escape()?);
                }
                _ => return Err(self.error("a string without an end, or with a control character")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        let byte = self.peek().ok_or_else(|| self.error("an escape expected"))?;
        self.at += 1;
        Ok(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = self.hex4()?;
                let mut units = vec![first];
                if (0xd800..0xdc00).contains(&first) {
                    if self.text.get(self.at..self.at + 2) != Some(b"\\u") {
                        return Err(self.error("half a surrogate pair"));
                    }
                    self.at += 2;
                    units.push(self.hex4()?);
                }
                match char::decode_utf16(units).next() {
                    Some(Ok(character)) => character,
                    _ => return Err(self.error("half a surrogate pair")),
                }
            }
            _ => return Err(self.error("an unknown escape")),
        })
    }

    fn hex4(&mut self) -> Result<u16, String> {
        let digits = self.text.get(self.at..self.at + 4).and_then(|digits| std::str::from_utf8(digits).ok());
        let unit = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok());
        self.at += 4;
        unit.ok_or_else(|| self.error("four hexadecimal digits expected"))
    }

    fn number(&mut self) -> Result<Json, String> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte)) {
            self.at += 1;
        }
        let text = String::from_utf8_lossy(&self.text[start..self.at]).into_owned();
        let digits = text.strip_prefix('-').unwrap_or(&text);
        let zero_led = digits.len() > 1 && digits.starts_with('0') && digits.as_bytes()[1].is_ascii_digit();
        if zero_led || text.parse::<f64>().is_err() || text.ends_with('.') || text.starts_with('+') {
            return Err(self.error("a malformed number"));
        }
        Ok(Json::Number(text))
    }
}
