//! Definitions of columns: every type in every spelling, with its attributes.

use crate::column::{Column, Default, Kind};
use crate::generate::text::quote;
use crate::generate::{Generator, hex_literal};
use crate::server::Version;

/// What a column's place in the table demands of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Part of a primary or unique key.
    Key,
    Free,
}

/// A type with all its attributes, before NULL, DEFAULT and the like.
struct Declared {
    kind: Kind,
    sql: String,
    /// A literal that the type takes as its default, if any.
    default: Option<String>,
    /// The attributes say NOT NULL already, and that there is no default.
    serial: bool,
}

impl Declared {
    fn new(kind: Kind, sql: impl Into<String>) -> Self {
        Declared { kind, sql: sql.into(), default: None, serial: false }
    }
}

impl Generator<'_> {
    /// A column of any kind.
    pub fn column(&mut self, number: usize, place: Place, auto_increment: bool) -> Column {
        let declared = self.declared(place, auto_increment);
        let name = self.column_name(number);
        self.finished(name, declared, place)
    }

    fn column_name(&mut self, number: usize) -> String {
        match self.random.below(12) {
            0 => format!("c{number} é"),
            1 => format!("C{number}_$"),
            2 => format!("c`{number}"),
            3 => format!("日{number}"),
            _ => format!("c{number}"),
        }
    }

    fn declared(&mut self, place: Place, auto_increment: bool) -> Declared {
        let documents = if place == Place::Key { 0 } else { 6 };
        let vectors = if self.server.version == Version::MySql97 { documents / 2 } else { 0 };
        let weights = [16, 8, 7, 5, 3, 6, 7, 8, 7, 26, 8, 5, 5, documents, documents, vectors];
        let mut declared = match self.random.weighted(&weights) {
            0 => self.integer_type(place, auto_increment),
            1 => self.decimal_type(),
            2 => self.float_type(),
            3 => self.bit_type(),
            4 => Declared::new(Kind::Year, ["YEAR", "YEAR(4)"][self.random.below(2)]),
            5 => Declared::new(Kind::Date, "DATE"),
            6 => self.with_digits("TIME", |digits| Kind::Time { digits }),
            7 => self.with_digits("DATETIME", |digits| Kind::DateTime { digits }),
            8 => self.with_digits("TIMESTAMP", |digits| Kind::Timestamp { digits }),
            9 => self.text_type(place),
            10 => self.binary_type(place),
            11 => self.enum_type(),
            12 => self.set_type(),
            13 => Declared::new(Kind::Json, "JSON"),
            14 => self.spatial_type(),
            _ => {
                let dimensions = 1 + self.random.below(16);
                let sql = if self.random.chance(10) {
                    "VECTOR".to_owned()
                } else {
                    format!("VECTOR({dimensions})")
                };
                Declared::new(Kind::Vector { dimensions }, sql)
            }
        };
        if self.random.chance(50) {
            declared.sql = lower_words(&declared.sql);
        }
        declared
    }

    fn finished(&mut self, name: String, declared: Declared, place: Place) -> Column {
        let mut column = Column {
            name,
            kind: declared.kind,
            definition: declared.sql,
            generated: false,
            default: Default::None,
            nullable: place == Place::Free && self.random.chance(70) && !declared.serial,
            must_convert: true,
        };
        let definition = &mut column.definition;
        if declared.serial {
            return column;
        }
        if place == Place::Free
            && self.random.chance(8)
            && let Some(expression) = generated_expression(&column.kind)
        {
            // MySQL 8.0.15 writes freed memory for the document that a virtual column had before an update.
            let virtual_is_broken = column.kind == Kind::Json && self.server.version == Version::MySql80;
            let stored =
                if virtual_is_broken { "STORED" } else { ["STORED", "VIRTUAL", ""][self.random.below(3)] };
            definition.push_str(&format!(" GENERATED ALWAYS AS ({expression}) {stored}"));
            column.generated = true;
            column.nullable = true;
            column.must_convert = false;
        }
        if !column.generated {
            definition.push_str(if column.nullable { " NULL" } else { " NOT NULL" });
            if self.random.chance(35) {
                self.give_default(&mut column, declared.default);
            }
        }
        // Of a zero date nothing is converted; a literal stands for what has no form.
        column.must_convert = !column.nullable && column.default != Default::Literal;
        if self.random.chance(5) {
            column.definition.push_str(&format!(" COMMENT {}", quote("it's \"a\" \\ comment; é")));
        }
        if self.server.version == Version::MySql97 && self.random.chance(4) {
            column.definition.push_str(" INVISIBLE");
        }
        column
    }

    /// Adds a DEFAULT where the type takes one.
    fn give_default(&mut self, column: &mut Column, literal: Option<String>) {
        let takes_expressions = self.server.version != Version::MySql57;
        let is_long = literal.is_none()
            && matches!(
                column.kind,
                Kind::Text { .. }
                    | Kind::Binary { .. }
                    | Kind::Json
                    | Kind::Geometry { .. }
                    | Kind::Vector { .. }
            );
        if let Kind::DateTime { digits } | Kind::Timestamp { digits } = column.kind
            && self.random.chance(30)
        {
            let digits = if digits == 0 { String::new() } else { format!("({digits})") };
            let update = if self.random.chance(30) {
                format!(" ON UPDATE CURRENT_TIMESTAMP{digits}")
            } else {
                String::new()
            };
            column.definition.push_str(&format!(" DEFAULT CURRENT_TIMESTAMP{digits}{update}"));
            column.default = Default::Now;
        } else if is_long {
            if takes_expressions && matches!(column.kind, Kind::Json) {
                column.definition.push_str(" DEFAULT (JSON_ARRAY(1, 'a'))");
                column.default = Default::Expression;
            } else if takes_expressions && matches!(column.kind, Kind::Text { .. } | Kind::Binary { .. }) {
                column.definition.push_str(" DEFAULT ('ab c')");
                column.default = Default::Expression;
            }
        } else {
            let literal = literal.unwrap_or_else(|| self.value_of(&column.kind, true));
            column.definition.push_str(&format!(" DEFAULT {literal}"));
            column.default = Default::Literal;
        }
    }

    fn integer_type(&mut self, place: Place, auto_increment: bool) -> Declared {
        if auto_increment && place == Place::Free && self.random.chance(10) {
            let kind = Kind::Integer { bytes: 8, unsigned: true, boolean: false };
            return Declared { serial: true, ..Declared::new(kind, "SERIAL") };
        }
        if self.random.chance(12) {
            let kind = Kind::Integer { bytes: 1, unsigned: false, boolean: true };
            let default = Some(["true", "FALSE", "1", "'0'"][self.random.below(4)].to_owned());
            return Declared { default, ..Declared::new(kind, ["BOOL", "BOOLEAN"][self.random.below(2)]) };
        }
        let (bytes, names): (u8, &[&str]) = [
            (1, &["TINYINT", "INT1", "TINYINT(1)"] as &[&str]),
            (2, &["SMALLINT", "INT2"]),
            (3, &["MEDIUMINT", "INT3", "MIDDLEINT"]),
            (4, &["INT", "INTEGER", "INT4"]),
            (8, &["BIGINT", "INT8"]),
        ][self.random.below(5)];
        let mut sql = self.random.pick(names).to_owned();
        if !sql.contains('(') && self.random.chance(25) {
            sql.push_str(&format!("({})", 1 + self.random.below(20)));
        }
        let attribute = ["", "", " SIGNED", " UNSIGNED", " UNSIGNED", " ZEROFILL", " UNSIGNED ZEROFILL"]
            [self.random.below(7)];
        sql.push_str(attribute);
        let unsigned = attribute.contains("UNSIGNED") || attribute.contains("ZEROFILL");
        Declared::new(Kind::Integer { bytes, unsigned, boolean: false }, sql).with_quoted_integer(self)
    }

    fn decimal_type(&mut self) -> Declared {
        let name = self.random.pick(&["DECIMAL", "NUMERIC", "DEC", "FIXED"]);
        let (precision, scale, mut sql) = match self.random.below(6) {
            0 => (10, 0, name.to_owned()),
            1 => {
                let precision = 1 + self.random.below(65) as u8;
                (precision, 0, format!("{name}({precision})"))
            }
            2 => (65, 30, format!("{name}(65,30)")),
            _ => {
                let precision = 1 + self.random.below(65) as u8;
                let scale = self.random.below(usize::from(precision.min(30)) + 1) as u8;
                (precision, scale, format!("{name}({precision},{scale})"))
            }
        };
        let attribute = ["", "", "", " UNSIGNED", " ZEROFILL"][self.random.below(5)];
        sql.push_str(attribute);
        let unsigned = !attribute.is_empty();
        let mut declared = Declared::new(Kind::Decimal { precision, scale, unsigned }, sql);
        let whole = usize::from(precision - scale).min(3);
        let sign = if !unsigned && self.random.chance(40) { "-" } else { "" };
        let number = format!("{sign}{}", &"123"[..whole]);
        let number = if whole == 0 { "0".to_owned() } else { number };
        let number = if scale > 0 { format!("{number}.{}", self.random.below(10)) } else { number };
        declared.default = Some(if self.random.chance(50) { quote(&number) } else { number });
        declared
    }

    fn float_type(&mut self) -> Declared {
        let digits = || "(12,4)".to_owned();
        let (single, narrow, mut sql) = match self.random.below(8) {
            0 | 1 => (true, true, "FLOAT".to_owned()),
            2 => {
                let bits = self.random.below(25);
                (true, true, format!("FLOAT({bits})"))
            }
            3 => (false, false, format!("FLOAT({})", 25 + self.random.below(29))),
            4 => (true, false, format!("FLOAT{}", digits())),
            5 => (false, false, format!("DOUBLE{}", digits())),
            6 => (true, true, "FLOAT4".to_owned()),
            _ => {
                (false, false, self.random.pick(&["DOUBLE", "DOUBLE PRECISION", "REAL", "FLOAT8"]).to_owned())
            }
        };
        let attribute = ["", "", "", " UNSIGNED", " ZEROFILL"][self.random.below(5)];
        sql.push_str(attribute);
        let unsigned = !attribute.is_empty();
        let mut declared = Declared::new(Kind::Float { single, narrow, unsigned }, sql);
        declared.default = Some(["1.5", "'0.25'", "1e3", "0", "12.3"][self.random.below(5)].to_owned());
        declared
    }

    fn bit_type(&mut self) -> Declared {
        match self.random.below(4) {
            0 => Declared::new(Kind::Bit { length: 1 }, ["BIT", "BIT(1)"][self.random.below(2)]),
            1 => Declared::new(Kind::Bit { length: 64 }, "BIT(64)"),
            _ => {
                let length = 1 + self.random.below(64) as u8;
                Declared::new(Kind::Bit { length }, format!("BIT({length})"))
            }
        }
    }

    fn with_digits(&mut self, name: &str, kind: impl Fn(u8) -> Kind) -> Declared {
        let digits = self.random.below(7) as u8;
        let bare = digits == 0 && self.random.chance(70);
        Declared::new(kind(digits), if bare { name.to_owned() } else { format!("{name}({digits})") })
    }

    /// The name of one of the server's character sets, the common ones more often.
    fn any_charset(&mut self) -> String {
        if self.random.chance(25) {
            return "utf8mb4".to_owned();
        }
        self.server.charsets[self.random.below(self.server.charsets.len())].name.clone()
    }

    fn text_type(&mut self, place: Place) -> Declared {
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
    fn charset_attribute(&mut self, charset: &str, plain: bool) -> String {
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

    fn binary_type(&mut self, place: Place) -> Declared {
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

    fn enum_type(&mut self) -> Declared {
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

    fn set_type(&mut self) -> Declared {
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

    fn spatial_type(&mut self) -> Declared {
        let subtype = self.random.pick(&[
            "GEOMETRY",
            "POINT",
            "LINESTRING",
            "POLYGON",
            "MULTIPOINT",
            "MULTILINESTRING",
            "MULTIPOLYGON",
            "GEOMETRYCOLLECTION",
        ]);
        // A column of the subtype is named by a constant.
        let subtype: &'static str = subtype;
        let srid = match self.server.version {
            Version::MySql57 => None,
            Version::MySql80 | Version::MySql97 => {
                [None, None, Some(0), Some(4326), Some(3857)][self.random.below(5)]
            }
        };
        let attribute = srid.map_or_else(String::new, |srid| format!(" SRID {srid}"));
        Declared::new(Kind::Geometry { subtype, srid }, format!("{subtype}{attribute}"))
    }
}

impl Declared {
    /// Integers take their defaults also as text.
    fn with_quoted_integer(mut self, generator: &mut Generator<'_>) -> Self {
        if let Kind::Integer { bytes, unsigned, .. } = self.kind {
            // Within the range: a default beyond it is refused.
            let number = generator.random.between(if unsigned { 0 } else { -100 }, 100);
            let number = if bytes > 1 && generator.random.chance(20) { number * 300 } else { number };
            let text = number.to_string();
            self.default = Some(if generator.random.chance(50) { quote(&text) } else { text });
        }
        self
    }
}

/// An expression of `rn` that the kind takes.
fn generated_expression(kind: &Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::Integer { bytes: 1, .. } | Kind::Bit { .. } | Kind::Year => "`rn` % 2",
        Kind::Integer { .. } | Kind::Decimal { .. } | Kind::Float { .. } => "`rn` % 8",
        Kind::Enum { .. } | Kind::Set { .. } => "1",
        Kind::Text { most, .. } | Kind::Binary { most, .. } if *most >= 20 => "concat('row ', `rn`)",
        Kind::Date => "20200101 + `rn` % 28",
        Kind::DateTime { .. } => "20200101112233 + `rn` % 20",
        Kind::Time { .. } => "112200 + `rn` % 60",
        Kind::Json => "json_array(`rn`, 'a', 1.5)",
        _ => return None,
    })
}

/// Words outside of quotes in lower case.
fn lower_words(sql: &str) -> String {
    let mut quoted = false;
    sql.chars()
        .map(|character| {
            quoted ^= character == '\'';
            if quoted { character } else { character.to_ascii_lowercase() }
        })
        .collect()
}
