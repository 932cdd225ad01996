//! Quoted names and strings of MySQL, and back.
//!
//! Escapes after the manual's "String Literals": `\0 \b \n \r \t \Z` have a meaning, `\%` and `\_` stay two
//! characters, any other escaped character stands for itself; a doubled quote is one. Under NO_BACKSLASH_ESCAPES only the
//! doubling holds.

use crate::schema::ddl::token::SqlMode;

/// The name inside of backticks or double quotes.
pub(crate) fn unquote_name(raw: &str) -> String {
    let quote = raw.chars().next().unwrap_or('`');
    let inner = raw.strip_prefix(quote).unwrap_or(raw);
    let inner = inner.strip_suffix(quote).unwrap_or(inner);
    let doubled: String = [quote, quote].iter().collect();
    inner.replace(&doubled, quote.encode_utf8(&mut [0; 4]))
}

/// A name in backticks.
pub(crate) fn quote_name(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// The text of a string literal in single or double quotes.
pub(crate) fn unquote_text(raw: &str, mode: SqlMode) -> String {
    let quote = raw.chars().next().unwrap_or('\'');
    let inner = raw.strip_prefix(quote).unwrap_or(raw);
    let inner = inner.strip_suffix(quote).unwrap_or(inner);
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(character) = chars.next() {
        if character == '\\' && mode.backslash_escapes() {
            match chars.next() {
                Some('0') => out.push('\0'),
                Some('b') => out.push('\u{8}'),
                Some('n') => out.push('\n'),
                Some('r') => out.push('\r'),
                Some('t') => out.push('\t'),
                Some('Z') => out.push('\u{1a}'),
                Some(escaped @ ('%' | '_')) => out.extend(['\\', escaped]),
                Some(escaped) => out.push(escaped),
                None => out.push('\\'),
            }
        } else {
            if character == quote {
                // The second of a doubled quote.
                chars.next();
            }
            out.push(character);
        }
    }
    out
}

/// The same under the default `sql_mode`, which is that of stored literals.
pub(crate) fn stored_text(raw: &str) -> String {
    unquote_text(raw, SqlMode::default())
}

/// A string literal in single quotes that reads the same under the default `sql_mode`.
pub(crate) fn quote_text(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''"))
}

/// The bytes of `x'4D'`, `0x4D`, `b'101'` or `0b101`, most significant first. (Manual: "Hexadecimal Literals", "Bit-Value
/// Literals": a half byte or an incomplete byte is filled with zeros in front.)
pub(crate) fn bytes(raw: &str) -> Option<Vec<u8>> {
    let (digits, radix) = digits(raw)?;
    let per_byte = if radix == 16 { 2 } else { 8 };
    let digits = digits.as_bytes();
    let mut out = Vec::with_capacity(digits.len() / per_byte + 1);
    for chunk in digits.rchunks(per_byte).rev() {
        out.push(u8::from_str_radix(std::str::from_utf8(chunk).ok()?, radix).ok()?);
    }
    Some(out)
}

/// The digits of such a literal, and their base.
pub(crate) fn digits(raw: &str) -> Option<(&str, u32)> {
    let first = raw.chars().next()?;
    if let Some(rest) = raw.strip_prefix("0x") {
        return Some((rest, 16));
    }
    if let Some(rest) = raw.strip_prefix("0b") {
        return Some((rest, 2));
    }
    let radix = match first {
        'x' | 'X' => 16,
        'b' | 'B' => 2,
        _ => return None,
    };
    let quoted = raw.get(1..)?;
    let inner = quoted.strip_prefix(['\'', '"'])?.strip_suffix(['\'', '"'])?;
    Some((inner, radix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_unescaped_as_mysql_does() {
        for (raw, text) in [
            ("'it''s'", "it's"),
            ("\"dq \\\"x\\\" \"\"y\"\"\"", "dq \"x\" \"y\""),
            ("'a\\\\b\\n'", "a\\b\n"),
            ("'\\0\\Z\\b\\t\\r'", "\0\u{1a}\u{8}\t\r"),
            ("'\\%\\_\\x'", "\\%\\_x"),
            ("''", ""),
            ("'é日😀'", "é日😀"),
        ] {
            assert_eq!(unquote_text(raw, SqlMode::default()), text, "{raw}");
        }
        assert_eq!(unquote_text("'a\\b'''", SqlMode::new(SqlMode::NO_BACKSLASH_ESCAPES)), "a\\b'");
    }

    #[test]
    fn hex_and_bit_literals_are_bytes() {
        for (raw, value) in [
            ("0x4D", Some(vec![0x4d])),
            ("x'00ff00'", Some(vec![0, 0xff, 0])),
            ("0x1", Some(vec![1])),
            ("0x123", Some(vec![1, 0x23])),
            ("b'101'", Some(vec![5])),
            ("0b100000001", Some(vec![1, 1])),
            ("x''", Some(vec![])),
            ("0xzz", None),
            ("abc", None),
        ] {
            assert_eq!(bytes(raw), value, "{raw}");
        }
    }

    #[test]
    fn names_are_unquoted() {
        assert_eq!(unquote_name("`a``b`"), "a`b");
        assert_eq!(unquote_name("\"w\"\"q\""), "w\"q");
        assert_eq!(quote_name("a`b"), "`a``b`");
    }
}
