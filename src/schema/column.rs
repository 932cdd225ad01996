//! A column, with the facts that Debezium keeps of it in the schema history.

/// One column of a table. Field names follow the history record (`tableChanges[].table.columns[]`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The java.sql.Types number that Debezium gives the type.
    pub jdbc_type: i32,
    /// Unused by MySQL; kept for a history that has it.
    pub native_type: Option<i32>,
    /// Upper-case type name: `INT UNSIGNED`, `VARCHAR`, `ENUM`.
    pub type_name: String,
    /// As printed in records; equal to the type name.
    pub type_expression: String,
    /// The character set of a text column, resolved: column, table, database, server.
    pub charset_name: Option<String>,
    /// Characters, digits, bits or fractional digits, where written.
    pub length: Option<i32>,
    /// Digits after the point, where written.
    pub scale: Option<i32>,
    /// From 1.
    pub position: i32,
    /// Whether NULL is allowed.
    pub optional: bool,
    /// AUTO_INCREMENT.
    pub auto_incremented: bool,
    /// As Debezium has it: true for AUTO_INCREMENT, not for GENERATED columns.
    pub generated: bool,
    /// COMMENT.
    pub comment: Option<String>,
    /// Whether there is a default, be it NULL or an expression.
    pub has_default_value: bool,
    /// The default as Debezium spells it; absent for NULL and for expressions.
    pub default_value_expression: Option<String>,
    /// Whether the default is an expression, which stays where a key makes the column NOT NULL. Not part of the stored
    /// history.
    pub default_is_expression: bool,
    /// The members of ENUM and SET as quoted SQL literals (`'it''s'`).
    pub enum_values: Vec<String>,
}
