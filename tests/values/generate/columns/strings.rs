//! Text, bytes, ENUM and SET.

use crate::column::Kind;
use crate::generate::columns::{Declared, Place};
use crate::generate::text::quote;
use crate::generate::{Generator, hex_literal};

impl Generator<'_> {
    /// The name of one of the server's character sets, the common ones more often.
    pub(super) fn any_charset(&mut self) -> String {
        if self.random.chance(25) {
            return "utf8mb4".to_owned();
        }
        self.server.charsets[self.random.below(self.server.charsets.len())].name.clone()
    }

    pub(super) fn text_type(&mut self, place: Place) -> Declared {
        let national = self.random.chance(8);
        let unicode = self.server.charset("utf8mb3").map_or("utf8", |_| "utf8mb3").to_owned();
        let charset = if national { unicode } else { self.any_charset() };
        let length = match place {
            Place::Key => 1 + self.random.below(30),
            Place::Free => [0, 1, 3, 20, 60, 255][self.random.below(6)],
        };
        let (most, mut sql) = if national {
            let names = [
                "NCHAR",
                "NATIONAL CHAR",
                "NATIONAL CHARACTER",
                "NVARCHAR",
                "NATIONAL VARCHAR",
                "NCHAR VARCHAR",
                "NATIONAL CHARACTER VARYING",
                "NATIONAL CHAR VARYING",
                "NCHAR VARYING",
            ];
            (length, format!("{}({length})", self.random.pick(&names)))
        } else if place == Place::Free && self.random.chance(35) {
            let names = ["TINYTEXT", "TEXT", "MEDIUMTEXT", "LONGTEXT", "TEXT(100)", "LONG", "LONG VARCHAR"];
            let name = names[self.random.below(names.len())];
            (if name == "TINYTEXT" { 60 } else { 70_000 }, name.to_owned())
        } else {
            let names = [
                "CHAR",
                "CHARACTER",
                "VARCHAR",
                "CHARACTER VARYING",
                "VARCHARACTER",
                "CHAR VARYING",
                "VARCHAR",
            ];
            (length, format!("{}({length})", self.random.pick(&names)))
        };
        if !national {
            sql.push_str(
                &self.charset_attribute(&charset, sql.starts_with("LONG") && !sql.starts_with("LONGTEXT")),
            );
        }
        let mut declared = Declared::new(Kind::Text { charset: charset.clone(), most }, sql);
        if most <= 255 && !declared.sql.contains("TEXT") {
            let text = self.default_text(&charset, most);
            declared.default = Some(quote(&text));
        }
        declared
    }

    /// `CHARACTER SET x COLLATE y` in one of its spellings.
    pub(super) fn charset_attribute(&mut self, charset: &str, plain: bool) -> String {
        let collations = self.server.charset(charset).map_or(&[] as &[String], |found| &found.collations);
        let collation = &collations[self.random.below(collations.len())];
        match (charset, self.random.below(6)) {
            ("latin1", 0) if !plain => " ASCII".to_owned(),
            ("ucs2", 0) if !plain => " UNICODE".to_owned(),
            (_, 0 | 1) => format!(" COLLATE {collation}"),
            (_, 2) => format!(" CHARSET {charset}"),
            (_, 3) => format!(" CHARACTER SET {charset}"),
            _ => format!(" CHARACTER SET {charset} COLLATE {collation}"),
        }
    }

    pub(super) fn binary_type(&mut self, place: Place) -> Declared {
        let length = match place {
            Place::Key => 1 + self.random.below(30),
            Place::Free => [0, 1, 3, 20, 60, 255][self.random.below(6)],
        };
        if place == Place::Free && self.random.chance(40) {
            let names = [
                "TINYBLOB",
                "BLOB",
                "MEDIUMBLOB",
                "LONGBLOB",
                "BLOB(100)",
                "LONG VARBINARY",
                "TEXT CHARACTER SET binary",
            ];
            let name = names[self.random.below(names.len())];
            let most = if name == "TINYBLOB" { 60 } else { 70_000 };
            return Declared::new(Kind::Binary { most, text: name.starts_with("TEXT") }, name);
        }
        if self.random.chance(15) {
            let sql = format!("VARCHAR({length}) CHARACTER SET binary");
            let mut declared = Declared::new(Kind::Binary { most: length, text: true }, sql);
            declared.default = Some(quote(&"ab c"[..length.min(4)]));
            return declared;
        }
        let sql = match self.random.below(5) {
            // Of BINARY(0) the schema history says BINARY(10), as Debezium has it.
            0 | 1 => format!("BINARY({})", length.max(1)),
            2 => format!("CHAR({}) BYTE", length.max(1)),
            _ => format!("VARBINARY({length})"),
        };
        let mut declared = Declared::new(Kind::Binary { most: length, text: false }, sql);
        let bytes_length = self.random.length(length.min(6));
        let bytes = self.random.bytes(bytes_length);
        declared.default = Some(match self.random.below(4) {
            0 => quote(&"ab\\'c\0d"[..bytes_length.min(7)]),
            1 if bytes_length > 0 => hex_literal(&bytes).replace("x'", "0x").replace('\'', ""),
            _ => hex_literal(&bytes),
        });
        declared
    }

    pub(super) fn enum_type(&mut self) -> Declared {
        let charset = self.any_charset();
        let count = if self.random.chance(4) { 300 } else { 1 + self.random.below(6) };
        let labels = self.label_list(&charset, count, true);
        let list: Vec<String> = labels.iter().map(|label| quote(label)).collect();
        let mut declared = Declared::new(
            Kind::Enum { labels },
            format!(
                "ENUM({}){}",
                list.join([",", ", "][self.random.below(2)]),
                self.charset_attribute(&charset, true)
            ),
        );
        declared.default = Some(list[self.random.below(list.len())].clone());
        declared
    }

    pub(super) fn set_type(&mut self) -> Declared {
        let charset = self.any_charset();
        let count = if self.random.chance(15) { 64 } else { 1 + self.random.below(9) };
        let labels = self.label_list(&charset, count, false);
        let list: Vec<String> = labels.iter().map(|label| quote(label)).collect();
        let two: Vec<&str> = labels.iter().take(2).map(String::as_str).collect();
        let default = quote(&two.join(","));
        let mut declared = Declared::new(
            Kind::Set { labels },
            format!("SET({}){}", list.join(","), self.charset_attribute(&charset, true)),
        );
        declared.default = Some(default);
        declared
    }
}
