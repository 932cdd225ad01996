//! ALTER TABLE: a list of clauses, read one by one.
//!
//! Clauses that touch neither columns nor keys nor character sets are stepped over up to the next comma, whatever they
//! are: the server has accepted them. Partition clauses come last and may hold commas of their own, so they end the list.
//! (Manual: "ALTER TABLE Statement"; MariaDB manual: "ALTER TABLE".)

use crate::schema::ddl::column_definition;
use crate::schema::ddl::create_table;
use crate::schema::ddl::cursor::{Cursor, Parsed};
use crate::schema::ddl::data_type;
use crate::schema::ddl::default_value;
use crate::schema::ddl::index;
use crate::schema::ddl::statement::{Action, AlterSpec, AlterTable, CharsetChoice};

/// After ALTER.
pub(crate) fn alter_table(cursor: &mut Cursor<'_>) -> Parsed<Action> {
    cursor.eat_any(&["ONLINE", "OFFLINE"]);
    cursor.eat(&["IGNORE"]);
    cursor.expect("TABLE", "TABLE")?;
    cursor.eat_if_exists();
    let name = cursor.table_id()?;
    // MariaDB: how long to wait for the lock.
    if cursor.eat(&["WAIT"]) {
        cursor.skip_one()?;
    }
    cursor.eat(&["NOWAIT"]);
    let mut specs = Vec::new();
    loop {
        spec(cursor, &mut specs)?;
        // Partitions may follow the last clause without a comma.
        if starts_partitions(cursor) {
            cursor.skip_all();
        }
        if !cursor.eat_symbol(',') {
            break;
        }
    }
    if cursor.at_end() {
        Ok(Action::AlterTable(AlterTable { name, explicit_timestamps: true, specs }))
    } else {
        Err(cursor.unexpected("a comma or the end of the statement"))
    }
}

/// One clause.
fn spec(cursor: &mut Cursor<'_>, specs: &mut Vec<AlterSpec>) -> Parsed<()> {
    if cursor.eat(&["ADD"]) {
        add(cursor, specs)
    } else if cursor.eat(&["MODIFY"]) {
        cursor.eat(&["COLUMN"]);
        let if_exists = cursor.eat_if_exists();
        let old_name = cursor.column_name()?;
        change(cursor, specs, old_name.clone(), old_name, if_exists)
    } else if cursor.eat(&["CHANGE"]) {
        cursor.eat(&["COLUMN"]);
        let if_exists = cursor.eat_if_exists();
        let old_name = cursor.column_name()?;
        let name = cursor.column_name()?;
        change(cursor, specs, old_name, name, if_exists)
    } else if cursor.eat(&["DROP"]) {
        drop_clause(cursor, specs)
    } else if cursor.eat(&["RENAME"]) {
        rename(cursor, specs)
    } else if cursor.eat(&["ALTER"]) {
        alter(cursor, specs)
    } else if cursor.eat(&["CONVERT", "TO"]) {
        convert(cursor, specs)
    } else if starts_partitions(cursor) {
        cursor.skip_all();
        Ok(())
    } else {
        options(cursor, specs)
    }
}

/// ADD: columns, keys, partitions.
fn add(cursor: &mut Cursor<'_>, specs: &mut Vec<AlterSpec>) -> Parsed<()> {
    if cursor.are_words(&["PERIOD", "IF", "NOT", "EXISTS", "FOR"]) {
        // MariaDB: the columns of the period are NOT NULL already, or become so.
        let mut ahead = cursor.clone();
        ahead.advance();
        if ahead.eat_if_not_exists() {
            *cursor = ahead;
            specs.extend(index::period(cursor)?.map(AlterSpec::AddKey));
            return Ok(());
        }
    }
    if cursor.is_word(0, "PARTITION") || cursor.are_words(&["SYSTEM", "VERSIONING"]) {
        return if cursor.is_word(0, "PARTITION") {
            cursor.skip_all();
            Ok(())
        } else {
            cursor.skip_to_comma()
        };
    }
    let column = cursor.eat(&["COLUMN"]);
    let if_not_exists = cursor.eat_if_not_exists();
    if cursor.eat_symbol('(') {
        loop {
            match index::key(cursor)? {
                Some(key) => specs.push(AlterSpec::AddKey(key)),
                None => {
                    let column = column_definition::column(cursor)?;
                    let place = column_definition::place(cursor)?;
                    specs.push(AlterSpec::AddColumn { column, place, if_not_exists });
                }
            }
            if !cursor.eat_symbol(',') {
                break;
            }
        }
        return cursor.expect_symbol(')', "a comma or the end of the columns");
    }
    if !column && let Some(key) = index::key(cursor)? {
        specs.push(AlterSpec::AddKey(key));
        return Ok(());
    }
    let column = column_definition::column(cursor)?;
    let place = column_definition::place(cursor)?;
    specs.push(AlterSpec::AddColumn { column, place, if_not_exists });
    Ok(())
}

fn change(
    cursor: &mut Cursor<'_>,
    specs: &mut Vec<AlterSpec>,
    old_name: String,
    name: String,
    if_exists: bool,
) -> Parsed<()> {
    let column = column_definition::definition(cursor, name)?;
    let place = column_definition::place(cursor)?;
    specs.push(AlterSpec::ChangeColumn { old_name, column, place, if_exists });
    Ok(())
}

/// DROP: columns, keys, constraints, partitions.
fn drop_clause(cursor: &mut Cursor<'_>, specs: &mut Vec<AlterSpec>) -> Parsed<()> {
    if cursor.eat(&["PRIMARY", "KEY"]) {
        specs.push(AlterSpec::DropPrimaryKey);
        return Ok(());
    }
    if cursor.eat(&["FOREIGN", "KEY"]) || cursor.eat(&["CHECK"]) {
        cursor.eat_if_exists();
        return cursor.name().map(drop);
    }
    if cursor.eat_any(&["INDEX", "KEY", "CONSTRAINT"]) {
        cursor.eat_if_exists();
        let name = cursor.name()?;
        let primary = name.eq_ignore_ascii_case("PRIMARY");
        specs.push(if primary { AlterSpec::DropPrimaryKey } else { AlterSpec::DropKey { name } });
        return Ok(());
    }
    if cursor.is_word(0, "PARTITION") {
        cursor.skip_all();
        return Ok(());
    }
    if cursor.are_words(&["SYSTEM", "VERSIONING"])
        || cursor.are_words(&["PERIOD", "FOR"])
        || cursor.are_words(&["PERIOD", "IF"])
    {
        return cursor.skip_to_comma();
    }
    cursor.eat(&["COLUMN"]);
    cursor.eat_if_exists();
    let name = cursor.column_name()?;
    cursor.eat_any(&["RESTRICT", "CASCADE"]);
    specs.push(AlterSpec::DropColumn { name });
    Ok(())
}

/// RENAME: a column, a key, the table.
fn rename(cursor: &mut Cursor<'_>, specs: &mut Vec<AlterSpec>) -> Parsed<()> {
    if cursor.eat(&["COLUMN"]) {
        let if_exists = cursor.eat_if_exists();
        let from = cursor.column_name()?;
        cursor.expect("TO", "TO")?;
        let to = cursor.column_name()?;
        specs.push(AlterSpec::RenameColumn { from, to, if_exists });
    } else if cursor.eat_any(&["INDEX", "KEY"]) {
        cursor.eat_if_exists();
        let from = cursor.name()?;
        cursor.expect("TO", "TO")?;
        specs.push(AlterSpec::RenameKey { from, to: cursor.name()? });
    } else {
        // `RENAME x`, `RENAME TO x`, `RENAME AS x`, `RENAME = x`.
        if !cursor.eat_symbol('=') {
            let bare =
                cursor.is_any(&["TO", "AS"]) && !(cursor.is_symbol(1, ',') || cursor.is_symbol(1, '.'));
            if bare {
                cursor.advance();
            }
        }
        specs.push(AlterSpec::RenameTable(cursor.table_id()?));
    }
    Ok(())
}

/// ALTER: the default of a column; visibility and checks mean nothing here.
fn alter(cursor: &mut Cursor<'_>, specs: &mut Vec<AlterSpec>) -> Parsed<()> {
    let column = cursor.eat(&["COLUMN"]);
    if !column && (cursor.is_any(&["INDEX", "KEY", "CHECK", "CONSTRAINT"])) {
        return cursor.skip_to_comma();
    }
    let if_exists = cursor.eat_if_exists();
    let name = cursor.column_name()?;
    if cursor.eat(&["SET", "DEFAULT"]) {
        let default = Some(default_value::default_value(cursor)?);
        specs.push(AlterSpec::SetDefault { name, default, if_exists });
        Ok(())
    } else if cursor.eat(&["DROP", "DEFAULT"]) {
        specs.push(AlterSpec::SetDefault { name, default: None, if_exists });
        Ok(())
    } else if cursor.eat(&["SET"]) && cursor.eat_any(&["VISIBLE", "INVISIBLE"]) {
        Ok(())
    } else {
        Err(cursor.unexpected("SET DEFAULT or DROP DEFAULT"))
    }
}

/// `CONVERT TO CHARACTER SET x [COLLATE y]`.
fn convert(cursor: &mut Cursor<'_>, specs: &mut Vec<AlterSpec>) -> Parsed<()> {
    let charset = data_type::charset(cursor)?.ok_or_else(|| cursor.unexpected("CHARACTER SET"))?;
    let default = charset.eq_ignore_ascii_case("DEFAULT");
    let mut choice = if default { CharsetChoice::Default } else { CharsetChoice::Named(charset) };
    if cursor.is_word(0, "COLLATE") {
        // Beside DEFAULT, the collation decides.
        let so_far = (!default).then_some(&choice);
        if let Some(collated) = create_table::charset_option(cursor, so_far)? {
            choice = collated;
        }
    }
    specs.push(AlterSpec::ConvertCharset(choice));
    Ok(())
}

/// Clauses about partitions, which are the last ones.
fn starts_partitions(cursor: &Cursor<'_>) -> bool {
    const ALWAYS: &[&str] = &["PARTITION", "COALESCE", "REORGANIZE", "EXCHANGE", "TRUNCATE"];
    const BEFORE_PARTITION: &[&str] =
        &["ANALYZE", "CHECK", "OPTIMIZE", "REBUILD", "REPAIR", "DISCARD", "IMPORT", "REMOVE"];
    (cursor.is_any(ALWAYS) && !cursor.is_symbol(1, '='))
        || (cursor.is_any(BEFORE_PARTITION)
            && (cursor.is_word(1, "PARTITION") || cursor.is_word(1, "PARTITIONING")))
}

/// Table options, several of them without commas between, and everything else.
fn options(cursor: &mut Cursor<'_>, specs: &mut Vec<AlterSpec>) -> Parsed<()> {
    let mut charset: Option<CharsetChoice> = None;
    while !cursor.at_end() && !cursor.is_symbol(0, ',') && !starts_partitions(cursor) {
        if let Some(choice) = create_table::charset_option(cursor, charset.as_ref())? {
            charset = Some(choice);
        } else if let Some(comment) = create_table::comment_option(cursor)? {
            specs.push(AlterSpec::Comment(comment));
        } else {
            create_table::skip_option(cursor)?;
        }
    }
    if starts_partitions(cursor) {
        cursor.skip_all();
    }
    if let Some(choice) = charset {
        specs.push(AlterSpec::DefaultCharset(choice));
    }
    Ok(())
}
