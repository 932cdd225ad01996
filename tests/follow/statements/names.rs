//! Names and strings as a statement may write them.

use crate::information_schema::quoted;
use crate::statements::{FoundColumn, Maker};

/// Words that no server reserves; some of them mean something in the statements that use them.
const WORDS: [&str; 34] = [
    "a",
    "b",
    "c",
    "d",
    "id",
    "value",
    "comment",
    "date",
    "status",
    "type",
    "year",
    "data",
    "first",
    "after",
    "position",
    "user",
    "level",
    "name",
    "action",
    "time",
    "timestamp",
    "text",
    "checksum",
    "engine",
    "offset",
    "no",
    "enum",
    "storage",
    "visible",
    "charset",
    "at",
    "x$y",
    "json",
    "bit",
];

/// Names that stand in quotes only.
const QUOTED: [&str; 14] = [
    "select",
    "key",
    "sp ace",
    "we`ird",
    "dou\"ble",
    "quo'te",
    "a.b",
    "ünï",
    "日本",
    "primary",
    "constraint",
    "(",
    "--x",
    "1",
];

impl Maker {
    /// A name, bare where that is possible.
    pub fn name(&mut self, name: &str) -> String {
        let bare = WORDS.contains(&name)
            || name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
                && !QUOTED.contains(&name)
                && (name.contains('_') || name.len() < 2);
        if bare && !self.chance.once_in(3) {
            return if self.chance.once_in(6) { name.to_ascii_uppercase() } else { name.to_owned() };
        }
        self.quoted_name(name)
    }

    /// A name in quotes.
    pub fn quoted_name(&mut self, name: &str) -> String {
        if self.ansi_quotes && self.chance.once_in(2) {
            return format!("\"{}\"", name.replace('"', "\"\""));
        }
        quoted(name)
    }

    /// A table's name with its database, or without it when that is the current one. Names of tables keep their case.
    pub fn table_name(&mut self, database: &str, name: &str) -> String {
        let table = self.table_word(name);
        if database == self.current && !self.chance.once_in(3) {
            return table;
        }
        let dot = self.chance.pick(&[".", ".", ".", " . "]);
        format!("{}{dot}{table}", self.table_word(database))
    }

    fn table_word(&mut self, name: &str) -> String {
        let bare =
            name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        if bare && name.contains('_') && !self.chance.once_in(3) {
            name.to_owned()
        } else {
            self.quoted_name(name)
        }
    }

    /// A name for a new table: its database and itself. Often one that is there already.
    pub fn new_table(&mut self) -> (String, String) {
        let database = self.chance.pick_of(&self.databases).cloned().unwrap_or_else(|| self.current.clone());
        let database = if self.chance.once_in(3) { database } else { self.current.clone() };
        let name = self.chance.pick(&[
            "t_1", "t_2", "t_3", "t_4", "t_5", "t_6", "t_7", "t_8", "table", "Order", "order", "sp ace",
            "tä", "日本", "a.b", "we`ird", "user", "x_new", "x_old", "#odd", "dou\"ble",
        ]);
        (database, name.to_owned())
    }

    /// A name for a new column.
    pub fn new_column_name(&mut self, taken: &[String]) -> String {
        loop {
            let name =
                if self.chance.once_in(4) { self.chance.pick(&QUOTED) } else { self.chance.pick(&WORDS) };
            let free = |name: &str| !taken.iter().any(|known| known.to_lowercase() == name.to_lowercase());
            if free(name) {
                return name.to_owned();
            }
            let longer = format!("{name}{}", self.chance.below(100));
            if free(&longer) {
                return longer;
            }
        }
    }

    /// A name for a new key.
    pub fn new_key_name(&mut self) -> String {
        let number = self.chance.below(12);
        let name = self.chance.pick(&["k_", "u_", "Key ", "idx"]);
        self.quoted_name(&format!("{name}{number}"))
    }

    /// A string literal.
    pub fn text(&mut self, text: &str) -> String {
        let escaped = if self.no_backslash_escapes { text.to_owned() } else { text.replace('\\', "\\\\") };
        if !self.ansi_quotes && self.chance.once_in(4) {
            return format!("\"{}\"", escaped.replace('"', "\"\""));
        }
        if !self.no_backslash_escapes && self.chance.once_in(3) {
            return format!("'{}'", escaped.replace('\'', "\\'").replace('\n', "\\n"));
        }
        format!("'{}'", escaped.replace('\'', "''"))
    }

    /// A comment.
    pub fn comment(&mut self) -> String {
        let text = self.chance.pick(&[
            "",
            "plain",
            "it's",
            "a \"b\" c",
            "/* no */",
            "back\\slash",
            "日本",
            "two\nlines",
            "-- x",
        ]);
        self.text(text)
    }

    /// The columns of a key over existing columns.
    pub fn key_parts(&mut self, table: &crate::statements::Found) -> String {
        let usable: Vec<&FoundColumn> = table.columns.iter().collect();
        let mut parts = Vec::new();
        for _ in 0..1 + self.chance.below(3) {
            if let Some(column) = self.chance.pick_of(&usable) {
                let name = self.name(&column.name);
                let text = column.column_type.contains("text") || column.column_type.contains("char");
                let part = match self.chance.below(6) {
                    _ if !column.fits_a_key() && text => format!("{name}(7)"),
                    0 if text && column.column_type.contains("char(2") => format!("{name}(3)"),
                    1 => format!("{name}~DESC"),
                    2 => format!("{name} ASC"),
                    3 if self.server == crate::ground::Server::MySql97 && self.chance.once_in(3) => {
                        format!("(concat({name}, 1))")
                    }
                    _ => name,
                };
                parts.push(part);
            }
        }
        parts.join(",~")
    }
}
