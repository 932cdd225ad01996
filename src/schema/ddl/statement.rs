//! What a statement says, before it is resolved against the tables in force.

use crate::schema::table_id::TableId;

/// One statement of a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    CreateTable(CreateTable),
    AlterTable(AlterTable),
    DropTables {
        if_exists: bool,
        tables: Vec<TableId>,
    },
    RenameTables(Vec<Renaming>),
    Truncate(TableId),
    CreateIndex {
        table: TableId,
        key: KeyDefinition,
        or_replace: bool,
    },
    DropIndex {
        table: TableId,
        name: String,
    },
    CreateDatabase {
        name: String,
        if_not_exists: bool,
        or_replace: bool,
        charset: Option<CharsetChoice>,
    },
    AlterDatabase {
        /// None is the current one.
        name: Option<String>,
        charset: Option<CharsetChoice>,
    },
    DropDatabase {
        name: String,
    },
    Use(String),
    /// SET of system variables, with the new `character_set_server` if it is among them.
    Set {
        server_charset: Option<String>,
    },
    /// Recorded with its text, without effect.
    Other,
    /// Not recorded at all.
    Ignored,
}

/// A pair of RENAME TABLE.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Renaming {
    pub from: TableId,
    pub to: TableId,
    /// The words before the first pair, and this pair.
    pub ddl: String,
}

/// CREATE TABLE.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CreateTable {
    pub name: TableId,
    pub or_replace: bool,
    pub if_not_exists: bool,
    /// `explicit_defaults_for_timestamp` of the session.
    pub explicit_timestamps: bool,
    pub body: CreateTableBody,
}

/// Where the columns come from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CreateTableBody {
    /// From another table.
    Like(TableId),
    /// From the statement. The keys are in order, with those that columns have as attributes.
    Definition { columns: Vec<ColumnDefinition>, keys: Vec<KeyDefinition>, options: TableOptions },
}

/// The table options that the model keeps.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TableOptions {
    pub charset: Option<CharsetChoice>,
    pub comment: Option<String>,
}

/// A character set named in a statement, directly or by a collation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CharsetChoice {
    /// `DEFAULT`: that of the level above.
    Default,
    /// This one.
    Named(String),
}

/// A column as written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ColumnDefinition {
    pub name: String,
    pub data_type: DeclaredType,
    /// NULL or NOT NULL, where written.
    pub nullable: Option<bool>,
    pub default: Option<DefaultValue>,
    pub auto_increment: bool,
    pub on_update: bool,
    /// GENERATED ALWAYS AS.
    pub generated: bool,
    pub primary_key: bool,
    pub unique_key: bool,
    pub comment: Option<String>,
}

/// A data type as written, with Debezium's view of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DeclaredType {
    pub jdbc_type: i32,
    pub type_name: String,
    pub length: Option<i32>,
    pub scale: Option<i32>,
    pub charset: ColumnCharset,
    pub members: Vec<Member>,
    /// SERIAL: NOT NULL AUTO_INCREMENT UNIQUE.
    pub serial: bool,
}

/// A member of ENUM or SET.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Member {
    /// A literal in single quotes that reads the same in any `sql_mode`.
    Literal(String),
    /// `x'4D'`, `0x4D`, `b'1'`, `0b1`: bytes in the column's character set.
    Bytes(Vec<u8>),
}

/// The character set of a column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ColumnCharset {
    /// No text.
    None,
    /// The table's.
    Table,
    /// This one.
    Named(String),
}

/// DEFAULT, as written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum DefaultValue {
    Null,
    /// CURRENT_TIMESTAMP and its synonyms.
    CurrentTimestamp,
    /// An expression.
    Expression,
    /// A string, unescaped.
    Text(String),
    /// A number with its sign, TRUE or FALSE; as written.
    Number(String),
    /// A string or bytes under an introducer: the character set and the bytes.
    Introduced(String, Vec<u8>),
    /// `x'4D'`, `0x4D`, `b'1'`, `0b1`: their bytes, most significant first.
    Bytes(Vec<u8>),
    /// The digits of `b'101'` or `0b101`.
    Bits(String),
}

/// A key as written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KeyDefinition {
    pub clause: KeyClause,
    pub name: Option<String>,
    pub if_not_exists: bool,
    pub parts: Vec<KeyPart>,
}

/// What a clause defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyClause {
    Primary,
    Unique,
    /// A key that is not unique.
    Index,
    /// A foreign key, which brings an index where none has its columns.
    ForeignKey,
    /// MariaDB's PERIOD FOR: no key, but its two columns become NOT NULL.
    Period,
    /// CHECK.
    Check,
}

/// A part of a key.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum KeyPart {
    /// A column, or so many characters or bytes of it.
    Column {
        name: String,
        prefix: Option<i32>,
    },
    Expression,
}

/// ALTER TABLE.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AlterTable {
    pub name: TableId,
    /// `explicit_defaults_for_timestamp` of the session.
    pub explicit_timestamps: bool,
    pub specs: Vec<AlterSpec>,
}

/// Where a column goes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Place {
    First,
    After(String),
}

/// One clause of ALTER TABLE.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AlterSpec {
    AddColumn {
        column: ColumnDefinition,
        place: Option<Place>,
        if_not_exists: bool,
    },
    /// MODIFY and CHANGE.
    ChangeColumn {
        old_name: String,
        column: ColumnDefinition,
        place: Option<Place>,
        if_exists: bool,
    },
    DropColumn {
        name: String,
    },
    RenameColumn {
        from: String,
        to: String,
        if_exists: bool,
    },
    /// ALTER COLUMN … SET DEFAULT, or DROP DEFAULT when there is none.
    SetDefault {
        name: String,
        default: Option<DefaultValue>,
        if_exists: bool,
    },
    AddKey(KeyDefinition),
    DropPrimaryKey,
    DropKey {
        name: String,
    },
    RenameKey {
        from: String,
        to: String,
    },
    RenameTable(TableId),
    ConvertCharset(CharsetChoice),
    DefaultCharset(CharsetChoice),
    Comment(String),
}

impl AlterSpec {
    /// The column that the clause defines.
    pub fn definition(&self) -> Option<&ColumnDefinition> {
        match self {
            AlterSpec::AddColumn { column, .. } | AlterSpec::ChangeColumn { column, .. } => Some(column),
            _ => None,
        }
    }

    /// The same, to be completed.
    pub fn definition_mut(&mut self) -> Option<&mut ColumnDefinition> {
        match self {
            AlterSpec::AddColumn { column, .. } | AlterSpec::ChangeColumn { column, .. } => Some(column),
            _ => None,
        }
    }
}
