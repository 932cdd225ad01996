//! A column definition: name, type, attributes.
//!
//! Attributes come in any order. Those that the model does not keep are stepped over by name, so that an attribute that
//! nobody knows is an error and not a column with a wrong meaning. (MySQL manual: "CREATE TABLE Statement",
//! `column_definition`; MariaDB manual: "CREATE TABLE", "Column Definitions".)

use crate::schema::charset::collation;
use crate::schema::ddl::cursor::{Cursor, Parsed};
use crate::schema::ddl::data_type;
use crate::schema::ddl::default_value;
use crate::schema::ddl::index;
use crate::schema::ddl::statement::{ColumnCharset, ColumnDefinition, Place};

/// Name and definition.
pub(crate) fn column(cursor: &mut Cursor<'_>) -> Parsed<ColumnDefinition> {
    let name = cursor.column_name()?;
    definition(cursor, name)
}

/// The definition of a column whose name was read.
pub(crate) fn definition(cursor: &mut Cursor<'_>, name: String) -> Parsed<ColumnDefinition> {
    let mut out = ColumnDefinition {
        name,
        data_type: data_type::data_type(cursor)?,
        nullable: None,
        default: None,
        auto_increment: false,
        on_update: false,
        generated: false,
        primary_key: false,
        unique_key: false,
        comment: None,
    };
    if out.data_type.serial {
        serial(&mut out);
    }
    let mut collated = None;
    while !at_end_of_definition(cursor) {
        if let Some(charset) = data_type::charset(cursor)? {
            out.data_type.charset = ColumnCharset::Named(charset);
        } else if cursor.eat(&["COLLATE"]) {
            cursor.eat_symbol('=');
            collated = collation::charset_of_collation(&cursor.name_or_text()?);
        } else {
            attribute(cursor, &mut out)?;
        }
    }
    // A collation alone says the character set; beside one it says nothing new.
    if let (ColumnCharset::Table, Some(charset)) = (&out.data_type.charset, collated) {
        out.data_type.charset = ColumnCharset::Named(charset);
    }
    Ok(out)
}

/// FIRST or AFTER.
pub(crate) fn place(cursor: &mut Cursor<'_>) -> Parsed<Option<Place>> {
    if cursor.eat(&["FIRST"]) {
        return Ok(Some(Place::First));
    }
    if cursor.eat(&["AFTER"]) {
        return Ok(Some(Place::After(cursor.column_name()?)));
    }
    Ok(None)
}

fn at_end_of_definition(cursor: &Cursor<'_>) -> bool {
    cursor.at_end()
        || cursor.is_symbol(0, ',')
        || cursor.is_symbol(0, ')')
        || cursor.is_any(&["FIRST", "AFTER"])
        || cursor.are_words(&["PARTITION", "BY"])
        || cursor.are_words(&["REMOVE", "PARTITIONING"])
}

/// SERIAL and SERIAL DEFAULT VALUE.
fn serial(out: &mut ColumnDefinition) {
    out.nullable = Some(false);
    out.auto_increment = true;
    out.unique_key = true;
}

/// One attribute.
fn attribute(cursor: &mut Cursor<'_>, out: &mut ColumnDefinition) -> Parsed<()> {
    if cursor.eat(&["NOT", "NULL"]) {
        out.nullable = Some(false);
        // MariaDB: NOT NULL ENABLE.
        cursor.eat(&["ENABLE"]);
    } else if cursor.eat(&["NULL"]) {
        out.nullable = Some(true);
    } else if cursor.eat(&["SERIAL", "DEFAULT", "VALUE"]) {
        serial(out);
    } else if cursor.eat(&["DEFAULT"]) {
        out.default = Some(default_value::default_value(cursor)?);
    } else if cursor.eat(&["AUTO_INCREMENT"]) {
        out.auto_increment = true;
    } else if cursor.eat(&["ON", "UPDATE"]) {
        if !default_value::current_timestamp(cursor)? {
            return Err(cursor.unexpected("CURRENT_TIMESTAMP"));
        }
        out.on_update = true;
    } else if cursor.eat(&["UNIQUE"]) {
        cursor.eat(&["KEY"]);
        out.unique_key = true;
        index::skip_clustering(cursor);
    } else if cursor.eat(&["PRIMARY", "KEY"]) || cursor.eat(&["PRIMARY"]) || cursor.eat(&["KEY"]) {
        out.primary_key = true;
    } else if cursor.eat(&["COMMENT"]) {
        cursor.eat_symbol('=');
        out.comment = Some(cursor.text()?);
    } else if cursor.eat(&["GENERATED", "ALWAYS", "AS"]) || cursor.eat(&["AS"]) {
        // `GENERATED ALWAYS AS ROW START` is MariaDB's system versioning.
        if cursor.eat(&["ROW"]) {
            if !cursor.eat_any(&["START", "END"]) {
                return Err(cursor.unexpected("START or END"));
            }
            out.nullable = Some(false);
        } else {
            out.generated = true;
            cursor.skip_parentheses()?;
        }
    } else {
        meaningless_attribute(cursor)?;
    }
    Ok(())
}

/// What changes neither the values nor the key.
fn meaningless_attribute(cursor: &mut Cursor<'_>) -> Parsed<()> {
    const WORDS: &[&str] = &[
        "VIRTUAL",
        "STORED",
        "PERSISTENT",
        "VISIBLE",
        "INVISIBLE",
        "SIGNED",
        "UNSIGNED",
        "ZEROFILL",
        "ENFORCED",
        "BINARY",
        "HIDDEN",
    ];
    if cursor.eat_any(WORDS) || cursor.eat(&["NOT", "ENFORCED"]) || cursor.eat(&["NOT", "SECONDARY"]) {
        return Ok(());
    }
    if cursor.eat(&["WITH", "SYSTEM", "VERSIONING"]) || cursor.eat(&["WITHOUT", "SYSTEM", "VERSIONING"]) {
        return Ok(());
    }
    if cursor.eat_any(&["COLUMN_FORMAT", "STORAGE", "SRID", "REF_SYSTEM_ID"]) {
        cursor.eat_symbol('=');
        return cursor.skip_one();
    }
    if cursor.eat_any(&["ENGINE_ATTRIBUTE", "SECONDARY_ENGINE_ATTRIBUTE"]) {
        cursor.eat_symbol('=');
        return cursor.text().map(drop);
    }
    // MariaDB; the binlog holds the plain value.
    if cursor.eat(&["COMPRESSED"]) {
        return if cursor.eat_symbol('=') { cursor.name().map(drop) } else { Ok(()) };
    }
    if cursor.eat(&["CONSTRAINT"]) {
        if !cursor.is_word(0, "CHECK") {
            cursor.name()?;
        }
        return Ok(());
    }
    if cursor.eat(&["CHECK"]) {
        return cursor.skip_parentheses();
    }
    if cursor.eat(&["REFERENCES"]) {
        return index::references(cursor);
    }
    // MariaDB: an engine's own attribute, `name = value` with any name.
    if cursor.is_name() && cursor.is_symbol(1, '=') {
        cursor.advance();
        cursor.advance();
        return cursor.skip_one();
    }
    Err(cursor.unexpected("a column attribute"))
}
