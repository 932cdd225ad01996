//! Definitions of columns: every type in every spelling, with its attributes.

mod numeric;
mod strings;

use crate::column::{Column, Default, Kind};
use crate::generate::Generator;
use crate::generate::text::quote;
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

    fn with_digits(&mut self, name: &str, kind: impl Fn(u8) -> Kind) -> Declared {
        let digits = self.random.below(7) as u8;
        let bare = digits == 0 && self.random.chance(70);
        Declared::new(kind(digits), if bare { name.to_owned() } else { format!("{name}({digits})") })
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
