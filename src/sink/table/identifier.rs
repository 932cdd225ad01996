//! Names and texts inside ClickHouse statements: the one place where they are quoted.
//!
//! Every identifier stands between backticks and every text between apostrophes, whatever is in it; inside both a
//! backslash takes away the meaning of the next character. It is the form that the server itself prints (`SHOW CREATE
//! TABLE`, `system.tables.sorting_key`). Manual: "Syntax", identifiers and string literals.

/// A name between backticks.
pub fn quoted(name: &str) -> String {
    escaped(name, '`')
}

/// A text between apostrophes.
pub fn literal(text: &str) -> String {
    escaped(text, '\'')
}

/// Names between backticks, separated by commas.
pub fn quoted_list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(quoted).collect::<Vec<_>>().join(", ")
}

/// `database.table`, both quoted.
pub fn qualified(database: &str, table: &str) -> String {
    format!("{}.{}", quoted(database), quoted(table))
}

fn escaped(text: &str, quote: char) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            // The others are only for people: the server takes them as they are.
            '\0' => out.push_str("\\0"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            other if other == quote => {
                out.push('\\');
                out.push(quote);
            }
            other => out.push(other),
        }
    }
    out.push(quote);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R-4: all identifiers are quoted by one function. The forms are those that a server 26.7 printed.
    #[test]
    fn r_4_names_with_quotes_dashes_and_backslashes_are_quoted() {
        for (name, wanted) in [
            ("id", "`id`"),
            ("order-date", "`order-date`"),
            ("select", "`select`"),
            ("a`b\\c", "`a\\`b\\\\c`"),
            ("ü x", "`ü x`"),
            ("", "``"),
        ] {
            assert_eq!(quoted(name), wanted, "{name}");
        }
        assert_eq!(literal("it's \\ \n"), "'it\\'s \\\\ \\n'");
        assert_eq!(quoted_list(["a", "b`"]), "`a`, `b\\``");
        assert_eq!(qualified("my.db", "t"), "`my.db`.`t`");
    }
}
