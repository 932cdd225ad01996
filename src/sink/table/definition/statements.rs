//! The statements that make, change, fill and empty a table.
//!
//! All are idempotent, so that a sink that was stopped between two of them does both again. ON CLUSTER and Replicated engines
//! differ in the text only. Manual: "CREATE TABLE", "Manipulating Columns", "Data Replication", "Distributed DDL".

use crate::config::sink::modes::TableEngine;
use crate::sink::table::definition::{Identity, TableDefinition};
use crate::sink::table::identifier::{literal, qualified, quoted, quoted_list};
use crate::sink::table::mapping::MappedColumn;
use crate::sink::table::mapping::added_default::{AddedDefault, statement_time};
use crate::sink::table::meta_columns::DeletionMarker;
use crate::sink::version::Version;

impl TableDefinition {
    /// `CREATE DATABASE IF NOT EXISTS`.
    pub fn create_database(&self) -> String {
        format!("CREATE DATABASE IF NOT EXISTS {}{}", quoted(&self.database), self.on_cluster())
    }

    /// `CREATE TABLE IF NOT EXISTS`, with a comment for the sink to know it again (`TableComment`). No column of MySQL's
    /// has a DEFAULT: every row comes with all values.
    pub fn create_table(&self, comment: &str) -> String {
        let source =
            self.columns.iter().map(|column| format!("    {} {}", quoted(&column.name), column.column_type));
        let meta = self.meta.typed();
        let meta = meta.iter().map(|(name, column_type)| format!("    {} {column_type}", quoted(name)));
        let columns = source.chain(meta).collect::<Vec<_>>().join(",\n");
        let partition_by = self
            .partition_by
            .as_ref()
            .map(|key| format!("PARTITION BY {}\n", key.text()))
            .unwrap_or_default();
        format!(
            "CREATE TABLE IF NOT EXISTS {}{}\n(\n{columns}\n)\nENGINE = {}\n{partition_by}ORDER BY {}\nSETTINGS {}\nCOMMENT {}",
            self.name(),
            self.on_cluster(),
            self.engine_text(),
            self.order_by.text(),
            self.settings(),
            literal(comment),
        )
    }

    /// `ADD COLUMN IF NOT EXISTS` behind another column of MySQL's, or as the first. A default must be materialised at once
    /// ([`materialize_column`](Self::materialize_column)).
    pub fn add_column(
        &self,
        column: &MappedColumn,
        default: &AddedDefault,
        statement_seconds: u32,
        after: Option<&str>,
    ) -> String {
        let default = match default {
            AddedDefault::Expression(expression) => format!(" DEFAULT {expression}"),
            AddedDefault::StatementTime => format!(" DEFAULT {}", statement_time(statement_seconds)),
            AddedDefault::Null | AddedDefault::Refresh(_) => String::new(),
        };
        let place = after.map_or(" FIRST".to_owned(), |name| format!(" AFTER {}", quoted(name)));
        format!(
            "{} ADD COLUMN IF NOT EXISTS {} {}{default}{place}",
            self.alter_table(),
            quoted(&column.name),
            column.column_type
        )
    }

    /// `MATERIALIZE COLUMN`: writes the default into the old parts, before it can change under them.
    pub fn materialize_column(&self, name: &str) -> String {
        format!("{} MATERIALIZE COLUMN {}", self.alter_table(), quoted(name))
    }

    /// `MODIFY COLUMN` to a type that holds all values of the one before.
    pub fn widen_column(&self, column: &MappedColumn) -> String {
        format!("{} MODIFY COLUMN {} {}", self.alter_table(), quoted(&column.name), column.column_type)
    }

    /// `MODIFY COMMENT`: what the table has got is written down when it has it.
    pub fn modify_comment(&self, comment: &str) -> String {
        format!("{} MODIFY COMMENT {}", self.alter_table(), literal(comment))
    }

    /// `TRUNCATE TABLE`.
    pub fn truncate(&self) -> String {
        format!("TRUNCATE TABLE {}{}", self.name(), self.on_cluster())
    }

    /// `DROP TABLE`, at once.
    pub fn drop_table(&self) -> String {
        format!("DROP TABLE IF EXISTS {}{} SYNC", self.name(), self.on_cluster())
    }

    /// Deletes what a snapshot did not find: rows that are live and older than its read point were deleted while nobody
    /// looked. Deletions get the version of the read point, and stand where the rows stand. None for a table whose rows have no
    /// key.
    pub fn sweep(&self, read_point: Version) -> Option<String> {
        let place = self.place()?;
        let (live, deleted) = self.meta.deletion.words();
        let (version, deletion) = (quoted(&self.meta.version), quoted(self.meta.deletion.name()));
        Some(format!(
            "INSERT INTO {name} ({place}, {version}, {deletion}) SELECT {place}, {read_point}, {deleted} FROM {name} FINAL \
             WHERE {version} < {read_point} AND {deletion} = {live}",
            name = self.name(),
        ))
    }

    /// The columns that say where a row stands: of two with the same ones the newer is the row.
    pub(super) fn place(&self) -> Option<String> {
        let place: Vec<&str> = match &self.identity {
            Identity::Key(key) => key.iter().map(String::as_str).chain(self.position_columns()).collect(),
            Identity::RowHash => vec![self.meta.row_hash.as_deref()?],
            Identity::None => return None,
        };
        Some(quoted_list(place))
    }

    pub(super) fn name(&self) -> String {
        qualified(&self.database, &self.table)
    }

    /// `ALTER TABLE`, up to what is to be altered.
    pub fn alter_table(&self) -> String {
        format!("ALTER TABLE {}{}", self.name(), self.on_cluster())
    }

    fn on_cluster(&self) -> String {
        self.cluster.as_ref().map(|cluster| format!(" ON CLUSTER {}", literal(cluster))).unwrap_or_default()
    }

    fn is_replicated(&self) -> bool {
        self.engine == TableEngine::ReplicatedReplacingMergeTree
    }

    fn engine_text(&self) -> String {
        let replicated = if self.is_replicated() { "Replicated" } else { "" };
        let family = if self.identity == Identity::None { "MergeTree" } else { "ReplacingMergeTree" };
        let replica = self.replica.iter().filter(|_| self.is_replicated());
        let replica = replica.flat_map(|(path, name)| [literal(path), literal(name)]);
        let versions = match (&self.identity, &self.meta.deletion) {
            (Identity::None, _) => vec![],
            (_, DeletionMarker::IsDeleted(deleted)) => vec![quoted(&self.meta.version), quoted(deleted)],
            (_, DeletionMarker::Sign(_)) => vec![quoted(&self.meta.version)],
        };
        let arguments: Vec<String> = replica.chain(versions).collect();
        format!("{replicated}{family}({})", arguments.join(", "))
    }

    fn settings(&self) -> String {
        let window = if self.is_replicated() {
            "replicated_deduplication_window"
        } else {
            "non_replicated_deduplication_window"
        };
        format!("{window} = {}", self.deduplication_window)
    }
}
