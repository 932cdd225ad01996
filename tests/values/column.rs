//! A column of a random table, and how the server is asked for the text of its cells.

/// What kind of values a column has, with all that their representation depends on.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// TINYINT to BIGINT.
    Integer {
        /// 1, 2, 3, 4 or 8.
        bytes: u8,
        unsigned: bool,
        /// Declared as BOOL or BOOLEAN, which only the statement says.
        boolean: bool,
    },
    Decimal {
        precision: u8,
        scale: u8,
        unsigned: bool,
    },
    Float {
        /// Whether the server stores four bytes.
        single: bool,
        /// Whether the field is FLOAT32: no FLOAT(M,D).
        narrow: bool,
        unsigned: bool,
    },
    Bit {
        length: u8,
    },
    Year,
    Date,
    Time {
        digits: u8,
    },
    DateTime {
        digits: u8,
    },
    Timestamp {
        digits: u8,
    },
    /// CHAR, VARCHAR and TEXT.
    Text {
        charset: String,
        /// Most characters of a value that is made for it.
        most: usize,
    },
    /// BINARY, VARBINARY and BLOB, and text of the character set `binary`.
    Binary {
        most: usize,
        /// Declared as text, which only the statement says.
        text: bool,
    },
    Enum {
        labels: Vec<String>,
    },
    Set {
        labels: Vec<String>,
    },
    Json,
    Geometry {
        /// The subtype, upper case; GEOMETRY takes any.
        subtype: &'static str,
        /// The SRID of the column's SRID attribute.
        srid: Option<u32>,
    },
    Vector {
        dimensions: usize,
    },
}

/// A column.
#[derive(Clone, Debug)]
pub struct Column {
    pub name: String,
    pub kind: Kind,
    /// Everything behind the name in CREATE TABLE.
    pub definition: String,
    /// The expression of a generated column.
    pub generated: bool,
    /// DEFAULT with a literal, or CURRENT_TIMESTAMP.
    pub default: Default,
    /// The server has it as nullable; read back from the server.
    pub nullable: bool,
    /// A value without a form under the round's modes would stop the connector.
    pub must_convert: bool,
}

/// A column's DEFAULT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Default {
    /// None, or NULL.
    None,
    /// A literal.
    Literal,
    /// An expression in parentheses, which no schema shows.
    Expression,
    /// CURRENT_TIMESTAMP.
    Now,
}

impl Column {
    /// The name in backquotes.
    pub fn quoted(&self) -> String {
        format!("`{}`", self.name.replace('`', "``"))
    }

    /// What the server is asked for a cell, or for `DEFAULT(column)`: ASCII in all cases, and exact.
    pub fn oracle(&self, cell: &str) -> String {
        match &self.kind {
            Kind::Integer { .. } | Kind::Year => format!("CAST({cell} AS CHAR)"),
            Kind::Decimal { .. }
            | Kind::Date
            | Kind::Time { .. }
            | Kind::DateTime { .. }
            | Kind::Timestamp { .. } => format!("CAST({cell} AS CHAR)"),
            // The text of a FLOAT has six digits; its product with 1e0 is a double with all of them, -0 included.
            Kind::Float { .. } => format!("{cell} * 1e0"),
            Kind::Bit { .. } => format!("CAST({cell} AS UNSIGNED)"),
            Kind::Text { .. } | Kind::Enum { .. } | Kind::Set { .. } => {
                format!("HEX(CONVERT({cell} USING utf8mb4))")
            }
            Kind::Json => format!("HEX(CAST({cell} AS CHAR CHARACTER SET utf8mb4))"),
            Kind::Binary { .. } | Kind::Geometry { .. } | Kind::Vector { .. } => format!("HEX({cell})"),
        }
    }
}
