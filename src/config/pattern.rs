//! Java's regular expressions, as the filter lists hold them, matched by `fancy-regex`.
//!
//! A list is split at commas; a literal comma is written `\,`; items are trimmed. An expression has to match the whole
//! name, without regard to case. Most of Java's syntax means the same to `fancy-regex` (look-around, possessive
//! quantifiers, named groups, back references); what differs is rewritten while the expression is walked once:
//! `\Q…\E`, the ASCII meaning of `\w \d \s \h \v`, `\uXXXX`, `\x{…}`, `\0n`, `\R`, Java's names of character classes
//! (`\p{Alpha}`, `\p{IsAlphabetic}`, `\p{javaLowerCase}`), a `[` inside a class (a union), and `\Z`.
//!
//! One difference is left: Java ignores the case of ASCII letters only, this matcher that of all letters.

use std::fmt::Write;

use fancy_regex::Regex;

/// A compiled expression for whole names.
#[derive(Clone, Debug)]
pub struct JavaPattern {
    regex: Regex,
}

impl JavaPattern {
    /// Compiles an expression; the error says what is wrong with it, in words for a person.
    pub fn compile(java: &str) -> Result<JavaPattern, String> {
        let translated = translate(java)?;
        // A group of its own, so that an alternative at the top is anchored on both sides.
        let regex = Regex::new(&format!("(?i)\\A(?:{translated})\\z")).map_err(|error| error.to_string())?;
        Ok(JavaPattern { regex })
    }

    /// The same with regard to case, for `topics.regex`: a pattern of Kafka Connect, not of Debezium.
    pub fn compile_with_case(java: &str) -> Result<JavaPattern, String> {
        let translated = translate(java)?;
        let regex = Regex::new(&format!("\\A(?:{translated})\\z")).map_err(|error| error.to_string())?;
        Ok(JavaPattern { regex })
    }

    /// Whether the whole name matches. An expression that backtracks without end matches nothing.
    pub fn matches(&self, name: &str) -> bool {
        self.regex.is_match(name).unwrap_or(false)
    }
}

/// The items of a comma separated list; `\,` is a literal comma; empty items are left out.
pub fn split_list(text: &str) -> Vec<String> {
    let mut items = Vec::new();
    let mut item = String::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' if characters.peek() == Some(&',') => item.extend(characters.next()),
            '\\' => {
                item.push('\\');
                item.extend(characters.next());
            }
            ',' => items.push(std::mem::take(&mut item)),
            other => item.push(other),
        }
    }
    items.push(item);
    items.iter().map(|item| item.trim()).filter(|item| !item.is_empty()).map(str::to_owned).collect()
}

/// Java's predefined classes: the inside of a bracket expression.
fn predefined(letter: char) -> Option<&'static str> {
    Some(match letter {
        'd' => "0-9",
        'w' => "0-9A-Za-z_",
        's' => "\\t\\n\\x0B\\x0C\\r ",
        'h' => " \\t\\u{A0}\\u{1680}\\u{180e}\\u{2000}-\\u{200a}\\u{202f}\\u{205f}\\u{3000}",
        'v' => "\\n\\x0B\\x0C\\r\\u{85}\\u{2028}\\u{2029}",
        _ => return None,
    })
}

/// Java's names inside `\p{…}` that Unicode does not have, as the inside of a bracket expression.
fn java_property(name: &str) -> Option<&'static str> {
    Some(match name {
        "Lower" => "a-z",
        "Upper" => "A-Z",
        "ASCII" => "\\x00-\\x7F",
        "Alpha" => "A-Za-z",
        "Digit" => "0-9",
        "Alnum" => "0-9A-Za-z",
        "Punct" => "!-/:-@\\[-`{-~",
        "Graph" => "!-~",
        "Print" => " -~",
        "Blank" => " \\t",
        "Cntrl" => "\\x00-\\x1F\\x7F",
        "XDigit" => "0-9A-Fa-f",
        "Space" => "\\t\\n\\x0B\\x0C\\r ",
        "javaLowerCase" => "\\p{Lowercase}",
        "javaUpperCase" => "\\p{Uppercase}",
        "javaWhitespace" => "\\s",
        _ => return None,
    })
}

struct Translation<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    out: String,
    /// Depth of open brackets; 0 outside a class.
    class_depth: usize,
}

/// Rewrites what Java spells differently.
fn translate(java: &str) -> Result<String, String> {
    let mut walk = Translation { rest: java.chars().peekable(), out: String::new(), class_depth: 0 };
    while let Some(character) = walk.rest.next() {
        match character {
            '\\' => walk.escape()?,
            '[' => {
                walk.class_depth += 1;
                walk.out.push('[');
                if walk.rest.next_if_eq(&'^').is_some() {
                    walk.out.push('^');
                }
                // A bracket right after the opening one is a member in Rust, and an error or a member in Java.
                if walk.rest.next_if_eq(&']').is_some() {
                    walk.out.push_str("\\]");
                }
            }
            ']' if walk.class_depth > 0 => {
                walk.class_depth -= 1;
                walk.out.push(']');
            }
            // `--` and `~~` are set operators to Rust; to Java the first is a range from or to a hyphen.
            '-' if walk.class_depth > 0 && walk.rest.peek() == Some(&'-') => {
                if walk.out.ends_with(['[', '^']) {
                    walk.out.push_str("\\-");
                } else {
                    walk.rest.next();
                    walk.out.push_str("-\\-");
                }
            }
            '~' if walk.class_depth > 0 => walk.out.push_str("\\~"),
            other => walk.out.push(other),
        }
    }
    if walk.class_depth > 0 { Err("unclosed character class".to_owned()) } else { Ok(walk.out) }
}

impl Translation<'_> {
    fn escape(&mut self) -> Result<(), String> {
        let Some(letter) = self.rest.next() else {
            return Err("a backslash at the end".to_owned());
        };
        match letter {
            'Q' => self.quoted(),
            'E' => {}
            'u' => self.code_point(4)?,
            'x' if self.rest.peek() == Some(&'{') => {
                self.rest.next();
                let digits = self.until('}')?;
                self.push_code_point(u32::from_str_radix(&digits, 16).ok())?;
            }
            'x' => self.code_point(2)?,
            '0' => {
                let mut value = 0;
                let mut digits = 0;
                while let Some(digit) =
                    self.rest.peek().and_then(|next| next.to_digit(8)).filter(|_| digits < 3)
                {
                    if value * 8 + digit > 0o377 {
                        break;
                    }
                    value = value * 8 + digit;
                    digits += 1;
                    self.rest.next();
                }
                self.push_code_point((digits > 0).then_some(value))?;
            }
            'R' if self.class_depth == 0 => {
                self.out.push_str("(?:\\r\\n|[\\n\\x0B\\x0C\\r\\u{85}\\u{2028}\\u{2029}])")
            }
            'e' => self.out.push_str("\\x1B"),
            'p' | 'P' => self.property(letter)?,
            'd' | 'w' | 's' | 'h' | 'v' => self.class(predefined(letter).unwrap_or_default(), false),
            'D' | 'W' | 'S' | 'H' | 'V' => {
                self.class(predefined(letter.to_ascii_lowercase()).unwrap_or_default(), true);
            }
            // Letters and digits that mean the same to both: anchors, back references, control characters.
            'b' | 'B' | 'A' | 'z' | 'Z' | 'G' | 'k' | 't' | 'n' | 'r' | 'f' | 'a' | '1'..='9' => {
                self.out.push('\\');
                self.out.push(letter);
            }
            other if other.is_ascii_alphabetic() => return Err(format!("unknown escape \\{other}")),
            other => self.literal(other),
        }
        Ok(())
    }

    /// A character for itself.
    fn literal(&mut self, character: char) {
        if character.is_ascii_punctuation() {
            self.out.push('\\');
        }
        self.out.push(character);
    }

    fn class(&mut self, inside: &str, negated: bool) {
        // Inside a class a nested one is a union to both engines.
        let open = if negated { "[^" } else { "[" };
        let _ = write!(self.out, "{open}{inside}]");
    }

    fn quoted(&mut self) {
        while let Some(character) = self.rest.next() {
            if character == '\\' && self.rest.next_if_eq(&'E').is_some() {
                return;
            }
            self.literal(character);
        }
    }

    fn until(&mut self, end: char) -> Result<String, String> {
        let mut text = String::new();
        loop {
            match self.rest.next() {
                Some(character) if character == end => return Ok(text),
                Some(character) => text.push(character),
                None => return Err(format!("unclosed escape, {end} expected")),
            }
        }
    }

    fn code_point(&mut self, digits: usize) -> Result<(), String> {
        let mut value = Some(0);
        for _ in 0..digits {
            let digit = self.rest.next().and_then(|next| next.to_digit(16));
            value = value.zip(digit).map(|(value, digit)| value * 16 + digit);
        }
        self.push_code_point(value)
    }

    fn push_code_point(&mut self, value: Option<u32>) -> Result<(), String> {
        let character = value.and_then(char::from_u32).ok_or("malformed character code")?;
        let _ = write!(self.out, "\\x{{{:x}}}", u32::from(character));
        Ok(())
    }

    fn property(&mut self, letter: char) -> Result<(), String> {
        let name = match self.rest.next() {
            Some('{') => self.until('}')?,
            Some(single) => single.to_string(),
            None => return Err("unknown character property".to_owned()),
        };
        let negated = letter == 'P';
        match java_property(&name) {
            Some(inside) => self.class(inside, negated),
            None => {
                let unicode = name.strip_prefix("Is").or_else(|| name.strip_prefix("In")).unwrap_or(&name);
                self.class(&format!("\\p{{{unicode}}}"), negated);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_split_as_debezium_splits_them() {
        let cases: &[(&str, &[&str])] = &[
            ("a,b", &["a", "b"]),
            (" a , b ,, ", &["a", "b"]),
            (
                r"ti\.or.*s,ti.a{1\,2}x,.*[.]every, ti.spaced",
                &[r"ti\.or.*s", "ti.a{1,2}x", ".*[.]every", "ti.spaced"],
            ),
            (r"a\\,b", &[r"a\\", "b"]),
            ("", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(split_list(text), *expected, "{text}");
        }
    }

    #[test]
    fn topics_are_matched_with_their_case() {
        let pattern = JavaPattern::compile_with_case(r"shop\.(orders|\w+_log)").expect("a pattern");
        let matching =
            ["shop.orders", "shop.Orders", "Shop.orders", "shop.a_log", "shop.a_log2", "xshop.orders"]
                .map(|topic| pattern.matches(topic));
        assert_eq!(matching, [true, false, false, true, false, false]);
    }

    #[test]
    fn expressions_mean_what_they_mean_to_java() {
        // pattern, names that match, names that do not
        let cases: &[(&str, &[&str], &[&str])] = &[
            ("db.t", &["db.t", "DB.T", "dbxt"], &["db.t2", "xdb.t", "db.t\n"]),
            ("a|b.c", &["a", "b.c"], &["ab.c", "a.c"]),
            (r"\Qa.b\E.*", &["a.b", "a.bc"], &["axb"]),
            (r"\Qa.b", &["a.b"], &["axb"]),
            (r"(?<x>a)\k<x>", &["aa"], &["a", "ab"]),
            ("(?!sys).*", &["a"], &["sys", "system"]),
            ("a(?=b).*", &["ab"], &["ac"]),
            ("a++b", &["aab"], &["b"]),
            ("a*+a", &[], &["aaa"]),
            ("(?>a|ab)c", &["ac"], &["abc"]),
            (r"\w+", &["a_1"], &["é", "a b"]),
            (r"[\w.]+", &["a.b"], &["a-b"]),
            (r"[^\d]", &["a"], &["1"]),
            (r"[a-z&&[^aeiou]]+", &["bcd", "BCD"], &["abc"]),
            (r"[a[0-9]]+", &["a1"], &["b"]),
            (r"\p{Alpha}+\p{Digit}", &["ab1"], &["é1"]),
            (r"\p{IsAlphabetic}+", &["été"], &["1"]),
            (r"\P{Digit}", &["a"], &["1"]),
            (r"[\p{Lower}_]+", &["a_b"], &["1"]),
            (r"A\x41\u0042", &["aab"], &["a"]),
            (r"\0101", &["A"], &["0101"]),
            (r"\x{e9}t", &["ét"], &["et"]),
            (r"a\-b\_c\#", &["a-b_c#"], &["ab"]),
            ("x--y", &["x--y"], &["xy"]),
            ("[+--]+", &["+,-"], &["."]),
            ("[--/]+", &["-./"], &[","]),
            ("[~~a]", &["~", "a"], &["b"]),
            ("(?-i)a", &["a"], &["A"]),
        ];
        for (pattern, matching, other) in cases {
            let compiled = JavaPattern::compile(pattern).expect(pattern);
            for name in *matching {
                assert!(compiled.matches(name), "{pattern} should match {name}");
            }
            for name in *other {
                assert!(!compiled.matches(name), "{pattern} should not match {name:?}");
            }
        }
    }

    #[test]
    fn malformed_expressions_are_refused() {
        for pattern in ["(", "[a", "a{2,1}", "*", r"\", r"\y", r"\p{Nonsense}", r"\xZZ"] {
            assert!(JavaPattern::compile(pattern).is_err(), "{pattern}");
        }
    }
}
