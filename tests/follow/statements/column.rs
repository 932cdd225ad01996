//! Column definitions.

use crate::ground::Server;
use crate::statements::Maker;

/// What may follow a type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Integer,
    Number,
    Bit,
    Text,
    LongText,
    National,
    Enum,
    Set,
    Bytes,
    LongBytes,
    Date,
    Time,
    Instant,
    Year,
    Json,
    Geometry,
    Other,
}

const TYPES: &[(&str, Class)] = &[
    ("INT", Class::Integer),
    ("int(6)", Class::Integer),
    ("INTEGER", Class::Integer),
    ("BIGINT", Class::Integer),
    ("BIGINT UNSIGNED", Class::Integer),
    ("SMALLINT UNSIGNED", Class::Integer),
    ("TINYINT(1)", Class::Integer),
    ("MEDIUMINT", Class::Integer),
    ("INT UNSIGNED ZEROFILL", Class::Integer),
    ("int(5) zerofill", Class::Integer),
    ("INT4", Class::Integer),
    ("INT8", Class::Integer),
    ("INT1", Class::Integer),
    ("MIDDLEINT", Class::Integer),
    ("BIGINT SIGNED", Class::Integer),
    ("BOOL", Class::Integer),
    ("BOOLEAN", Class::Integer),
    ("DECIMAL(10,2)", Class::Number),
    ("NUMERIC(8, 3)", Class::Number),
    ("DEC(5)", Class::Number),
    ("FIXED(6,2)", Class::Number),
    ("DECIMAL", Class::Number),
    ("DECIMAL(20,0) UNSIGNED", Class::Number),
    ("FLOAT", Class::Number),
    ("DOUBLE", Class::Number),
    ("DOUBLE PRECISION", Class::Number),
    ("REAL", Class::Number),
    ("FLOAT(7,3)", Class::Number),
    ("FLOAT(30)", Class::Number),
    ("FLOAT(20)", Class::Number),
    ("DOUBLE(10,2) UNSIGNED", Class::Number),
    ("FLOAT8", Class::Number),
    ("BIT", Class::Bit),
    ("BIT(8)", Class::Bit),
    ("BIT(20)", Class::Bit),
    ("CHAR", Class::Text),
    ("CHAR(20)", Class::Text),
    ("CHARACTER(5)", Class::Text),
    ("VARCHAR(20)", Class::Text),
    ("VARCHAR(255)", Class::Text),
    ("CHARACTER VARYING(21)", Class::Text),
    ("CHAR VARYING(21)", Class::Text),
    ("VARCHARACTER(9)", Class::Text),
    ("VARCHAR(10) BINARY", Class::Text),
    ("CHAR(7) ASCII", Class::National),
    ("CHAR(7) UNICODE", Class::National),
    ("TINYTEXT", Class::LongText),
    ("TEXT", Class::LongText),
    ("MEDIUMTEXT", Class::LongText),
    ("LONGTEXT", Class::LongText),
    ("TEXT(100)", Class::LongText),
    ("TEXT(20000)", Class::LongText),
    ("LONG", Class::LongText),
    ("LONG VARCHAR", Class::LongText),
    ("NCHAR(5)", Class::National),
    ("NATIONAL VARCHAR(10)", Class::National),
    ("NVARCHAR(8)", Class::National),
    ("NATIONAL CHARACTER VARYING(5)", Class::National),
    ("NCHAR VARCHAR(5)", Class::National),
    ("ENUM('x','y''z','w,v')", Class::Enum),
    ("enum('x')", Class::Enum),
    ("SET('x','y','z')", Class::Set),
    ("BINARY(4)", Class::Bytes),
    ("VARBINARY(10)", Class::Bytes),
    ("BINARY", Class::Bytes),
    ("CHAR(4) BYTE", Class::Bytes),
    ("BLOB", Class::LongBytes),
    ("TINYBLOB", Class::LongBytes),
    ("MEDIUMBLOB", Class::LongBytes),
    ("LONGBLOB", Class::LongBytes),
    ("BLOB(500)", Class::LongBytes),
    ("LONG VARBINARY", Class::LongBytes),
    ("DATE", Class::Date),
    ("TIME", Class::Time),
    ("TIME(3)", Class::Time),
    ("DATETIME", Class::Instant),
    ("DATETIME(6)", Class::Instant),
    ("TIMESTAMP", Class::Instant),
    ("TIMESTAMP(3)", Class::Instant),
    ("YEAR", Class::Year),
    ("YEAR(4)", Class::Year),
    ("JSON", Class::Json),
    ("POINT", Class::Geometry),
    ("GEOMETRY", Class::Geometry),
    ("LINESTRING", Class::Geometry),
    ("GEOMETRYCOLLECTION", Class::Geometry),
    ("MULTIPOLYGON", Class::Geometry),
];

const OF_MARIADB: &[(&str, Class)] = &[
    ("UUID", Class::Other),
    ("INET6", Class::Other),
    ("INET4", Class::Other),
    ("NUMBER(10,2)", Class::Number),
    ("VARCHAR2(20)", Class::Text),
    ("RAW(12)", Class::Bytes),
    ("CLOB", Class::LongText),
];

/// Character sets that all servers have, with a collation of each.
const CHARSETS: [(&str, &str); 9] = [
    ("utf8mb4", "utf8mb4_bin"),
    ("utf8mb4", "utf8mb4_unicode_ci"),
    ("latin1", "latin1_german2_ci"),
    ("utf8", "utf8_general_ci"),
    ("ascii", "ascii_bin"),
    ("greek", "greek_general_ci"),
    ("ucs2", "ucs2_bin"),
    ("gbk", "gbk_chinese_ci"),
    ("binary", "binary"),
];

impl Maker {
    /// Character set and collation clauses of a table or database.
    pub fn default_charset(&mut self) -> String {
        let (charset, collation) = self.charset();
        let default = self.chance.pick(&["", "DEFAULT~"]);
        let equals = self.chance.pick(&["~", "=", " = "]);
        match self.chance.below(5) {
            0 => format!("{default}COLLATE{equals}{collation}"),
            1 => format!("{default}CHARSET{equals}{charset}~COLLATE{equals}{collation}"),
            2 => format!("{default}CHARACTER SET{equals}'{charset}'"),
            3 => format!("{default}CHARACTER SET{equals}{}", charset.to_uppercase()),
            _ => format!("{default}CHARSET{equals}{charset}"),
        }
    }

    /// A character set and a collation of it.
    pub fn charset(&mut self) -> (&'static str, &'static str) {
        let chosen = self.chance.pick(&CHARSETS);
        // MySQL 8.0.15 and MariaDB 10.11 spoil the members of ENUM when they convert them from or to UCS-2.
        let spoils = self.server == Server::MySql80 || self.server.is_mariadb();
        if spoils && chosen.0 == "ucs2" { CHARSETS[0] } else { chosen }
    }

    fn data_type(&mut self) -> (&'static str, Class) {
        if self.server.is_mariadb() && self.chance.once_in(12) {
            return self.chance.pick(OF_MARIADB);
        }
        if self.server == Server::MySql97 && self.chance.once_in(60) {
            return ("VECTOR(3)", Class::Other);
        }
        self.chance.pick(TYPES)
    }

    /// A type with its attributes, without a name. `inline_key`: it may become a key by itself.
    pub fn definition(&mut self, inline_key: bool) -> String {
        let (name, class) = self.data_type();
        let mut out = if self.chance.once_in(3) && !name.contains('\'') {
            name.to_lowercase()
        } else {
            name.to_owned()
        };
        let charset = self.column_charset(class);
        out.push_str(&charset);
        if self.chance.once_in(14) && !matches!(class, Class::Geometry | Class::Other | Class::Json) {
            return self.generated(out, class);
        }
        let mut attributes = Vec::new();
        let mut nullable = true;
        match self.chance.below(5) {
            0 | 1 => {
                nullable = false;
                attributes.push("NOT NULL".to_owned());
            }
            2 => attributes.push("NULL".to_owned()),
            _ => {}
        }
        if self.chance.once_in(2)
            && let Some(default) = self.default_of(class, name, nullable)
        {
            attributes.push(format!("DEFAULT~{default}"));
        }
        if class == Class::Instant && self.chance.once_in(4) {
            attributes.push(format!("ON UPDATE~{}", now(name)));
        }
        if self.chance.once_in(5) {
            attributes.push(format!("COMMENT~{}", self.comment()));
        }
        if inline_key && self.chance.once_in(14) && !self.is_long(class) {
            attributes.push(self.chance.pick(&["UNIQUE", "UNIQUE KEY"]).to_owned());
        }
        if self.chance.once_in(10) {
            attributes.push(self.odd_attribute());
        }
        self.chance.shuffle(&mut attributes);
        for attribute in attributes {
            out.push('~');
            out.push_str(&attribute);
        }
        out
    }

    fn is_long(&self, class: Class) -> bool {
        matches!(class, Class::LongText | Class::LongBytes | Class::Json | Class::Geometry | Class::Other)
    }

    fn column_charset(&mut self, class: Class) -> String {
        if !matches!(class, Class::Text | Class::LongText | Class::Enum | Class::Set)
            || !self.chance.once_in(3)
        {
            return String::new();
        }
        let (charset, collation) = self.charset();
        match self.chance.below(4) {
            0 => format!("~COLLATE~{collation}"),
            1 => format!("~CHARACTER SET {charset}~COLLATE~'{collation}'"),
            2 => format!("~CHAR SET~{charset}"),
            _ => format!("~CHARSET~'{charset}'"),
        }
    }

    fn generated(&mut self, data_type: String, class: Class) -> String {
        let always = self.chance.pick(&["GENERATED ALWAYS AS", "AS", "generated always as"]);
        let expression = match class {
            Class::Integer | Class::Number => "(1 + (2 * 3))",
            Class::Bit => "(b'1')",
            Class::Date => "('2024-01-02')",
            Class::Time => "('10:11:12')",
            Class::Instant => "('2024-01-02 03:04:05')",
            Class::Year => "(2024)",
            Class::Enum | Class::Set => "('x')",
            _ => "(concat('a', ')', \"b\"))",
        };
        let expression = if self.ansi_quotes { expression.replace('"', "'") } else { expression.to_owned() };
        let stored = self.chance.pick(&["", "~VIRTUAL", "~STORED"]);
        let end = match self.chance.below(4) {
            0 => format!("~COMMENT~{}", self.comment()),
            1 if !self.server.is_mariadb() => "~NOT NULL".to_owned(),
            _ => String::new(),
        };
        format!("{data_type}~{always}~{expression}{stored}{end}")
    }

    fn odd_attribute(&mut self) -> String {
        let mut choices = vec!["CHECK (1 = 1)", "CHECK (1 <> ')')"];
        if !self.server.is_mariadb() {
            choices.extend([
                "COLUMN_FORMAT DYNAMIC",
                "COLUMN_FORMAT DEFAULT",
                "STORAGE DISK",
                "STORAGE DEFAULT",
            ]);
        }
        if self.server == Server::MySql97 {
            choices.extend([
                "INVISIBLE",
                "VISIBLE",
                "CONSTRAINT CHECK (2 = 2) NOT ENFORCED",
                "/*!80023 INVISIBLE */",
            ]);
            choices.extend(["ENGINE_ATTRIBUTE '{}'", "CHECK (3 = 3) ENFORCED"]);
        }
        if self.server.is_mariadb() {
            choices.extend(["INVISIBLE", "/*M!100300 INVISIBLE */", "CHECK (4 = 4)"]);
        }
        self.chance.pick(&choices).to_owned()
    }

    /// A default, where the type may have one.
    pub fn default_of(&mut self, class: Class, data_type: &str, nullable: bool) -> Option<String> {
        let expressions = !self.server.is_mysql57();
        if nullable && self.chance.once_in(5) {
            return Some("NULL".to_owned());
        }
        Some(match class {
            Class::Integer => match self.chance.below(9) {
                0 => "'7'".to_owned(),
                1 => "+5".to_owned(),
                2 => "007".to_owned(),
                3 => "0x10".to_owned(),
                4 => "b'101'".to_owned(),
                5 => self.chance.pick(&["TRUE", "false"]).to_owned(),
                6 if expressions => "(1 + 2)".to_owned(),
                7 if !data_type.contains("UNSIGNED") && !data_type.contains("zerofill") => "-3".to_owned(),
                _ => "1".to_owned(),
            },
            Class::Number => self.chance.pick(&["1", "'1.50'", "2.25", "0", "15e-1", ".5", "'0'"]).to_owned(),
            Class::Bit => self.chance.pick(&["b'1'", "1", "0", "0b1", "0x01"]).to_owned(),
            Class::Text => match self.chance.below(7) {
                0 => self.text("é"),
                1 => self.text("q"),
                2 => self.text(""),
                3 => self.text("\\"),
                4 => self.text("'"),
                5 if expressions => "(concat('a', ')'))".to_owned(),
                _ => "'z'".to_owned(),
            },
            Class::National => self.text("n"),
            Class::Enum | Class::Set => "'x'".to_owned(),
            Class::Bytes => self.chance.pick(&["'a'", "0x41", "x'42'", "''"]).to_owned(),
            Class::Date => self.chance.pick(&["'2024-02-29'", "DATE '2024-01-31'"]).to_owned(),
            Class::Time => self.chance.pick(&["'10:11:12'", "TIME '00:00:00'"]).to_owned(),
            Class::Instant => match self.chance.below(4) {
                0 => "'2024-02-29 10:11:12'".to_owned(),
                1 => "TIMESTAMP '2024-01-31 00:00:00'".to_owned(),
                _ => now(data_type),
            },
            Class::Year => self.chance.pick(&["2024", "'1999'"]).to_owned(),
            Class::LongText | Class::Json if self.server == Server::MySql97 => {
                "(concat('\"', '\"'))".to_owned()
            }
            Class::LongText | Class::LongBytes if self.server.is_mariadb() => self.text("long"),
            Class::LongText | Class::LongBytes | Class::Json | Class::Geometry | Class::Other => return None,
        })
    }
}

/// CURRENT_TIMESTAMP with the digits of the type.
fn now(data_type: &str) -> String {
    let digits = match data_type.find('(') {
        Some(at) => data_type.get(at..).unwrap_or_default(),
        None => "",
    };
    format!("CURRENT_TIMESTAMP{digits}")
}
