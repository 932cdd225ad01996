//! A column definition, resolved: its character set from the table, its nullability and default by MySQL's rules.

use crate::schema::charset::Charset;
use crate::schema::column::Column;
use crate::schema::data_type::DataType;
use crate::schema::ddl::session::Session;
use crate::schema::ddl::statement::{ColumnCharset, ColumnDefinition, DefaultValue, Member};
use crate::schema::ddl::{default_value, literal};

/// The column that a definition makes in a table of this default character set. Its position is set later.
pub(crate) fn column(
    definition: &ColumnDefinition,
    table_charset: Option<&str>,
    comments: bool,
    session: &Session,
) -> Column {
    let data_type = &definition.data_type;
    let charset_name = match &data_type.charset {
        ColumnCharset::None => None,
        ColumnCharset::Table => table_charset.map(str::to_owned),
        ColumnCharset::Named(name) => Some(name.clone()),
    };
    let charset = charset_name.as_deref().and_then(Charset::named).unwrap_or(Charset::UTF8MB4);
    let label = |member: &Member| match member {
        Member::Literal(literal) => literal.clone(),
        Member::Bytes(bytes) => literal::quote_text(&charset.text_of_literal(bytes)),
    };
    let enum_values = data_type.members.iter().map(label).collect();
    let required = definition.primary_key || definition.auto_increment;
    // Debezium marks both AUTO_INCREMENT and ON UPDATE columns so.
    let by_server = definition.auto_increment || definition.on_update;
    let mut column = Column {
        name: definition.name.clone(),
        jdbc_type: data_type.jdbc_type,
        native_type: None,
        type_name: data_type.type_name.clone(),
        type_expression: data_type.type_name.clone(),
        charset_name,
        length: data_type.length,
        scale: data_type.scale,
        position: 0,
        optional: !required && definition.nullable.unwrap_or(true),
        auto_incremented: by_server,
        generated: by_server,
        comment: definition.comment.clone().filter(|_| comments),
        has_default_value: false,
        default_value_expression: None,
        default_is_expression: false,
        enum_values,
    };
    set_default(&mut column, definition.default.as_ref(), session);
    column
}

/// DEFAULT, or none: then a nullable column defaults to NULL and another one has no default. The server drops a default
/// beside AUTO_INCREMENT.
pub(crate) fn set_default(column: &mut Column, default: Option<&DefaultValue>, session: &Session) {
    let by_number = column.auto_incremented && !column.data_type().is_some_and(DataType::is_instant);
    let default = default.filter(|_| !by_number);
    column.default_value_expression =
        default.and_then(|default| default_value::spell(default, column, session));
    column.default_is_expression = default == Some(&DefaultValue::Expression);
    column.has_default_value = match default {
        None | Some(DefaultValue::Null) => column.optional,
        Some(_) => true,
    };
}

/// Makes a column NOT NULL that need not say so: NULL is no default any more, but an expression stays.
pub(crate) fn require(column: &mut Column) {
    column.optional = false;
    column.has_default_value = column.default_value_expression.is_some() || column.default_is_expression;
}

/// MariaDB's JSON is text of utf8mb4 that can be given another character set.
pub(crate) fn json_as_text(column: &mut Column) {
    if column.data_type() == Some(DataType::Json) {
        let spelling = DataType::LongText.spelling();
        column.jdbc_type = spelling.jdbc_type;
        column.type_name = spelling.words.join(" ");
        column.type_expression.clone_from(&column.type_name);
        column.charset_name = Some("utf8mb4".to_owned());
    }
}
