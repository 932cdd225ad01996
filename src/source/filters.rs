//! Which databases, tables and columns are captured, and by which columns a table is keyed.
//!
//! Every list is compiled once, when a connector starts. The questions are asked once for each table version, never
//! for a row; the caller keeps the answers. A name is written `database`, `database.table` or `database.table.column`
//! without quotes and matched whole by expressions of Java, without regard to case. Where an include list stands, it
//! alone decides; an exclude list counts otherwise. The database is asked for first, then the table. The signal table
//! passes whatever the lists say, as its rows are read from the binlog.

use crate::config::error::ConfigError;
use crate::config::pattern::JavaPattern;
use crate::config::source::{FilterConfig, HistoryConfig};
use crate::event::column_operations::ColumnOperations;
use crate::plan::row_plan::ColumnFilter;
use crate::schema::column::Column;
use crate::schema::table::Table;
use crate::schema::table_id::TableId;
use crate::source::column_rules::ColumnRules;

/// The server's own databases (Debezium's `BUILT_IN_DB_NAMES`).
const BUILTIN_DATABASES: [&str; 4] = ["mysql", "information_schema", "performance_schema", "sys"];

/// One list of each kind.
#[derive(Clone, Debug)]
struct IncludeExclude {
    include: Option<Vec<JavaPattern>>,
    exclude: Vec<JavaPattern>,
}

impl IncludeExclude {
    fn compile(
        kind: &str,
        include: Option<&[String]>,
        exclude: Option<&[String]>,
    ) -> Result<IncludeExclude, ConfigError> {
        let include = include.map(|list| compile(&format!("{kind}.include.list"), list)).transpose()?;
        let exclude = compile(&format!("{kind}.exclude.list"), exclude.unwrap_or_default())?;
        Ok(IncludeExclude { include, exclude })
    }

    fn passes(&self, name: &str) -> bool {
        match &self.include {
            Some(include) => any(include, name),
            None => !any(&self.exclude, name),
        }
    }
}

pub(super) fn any(patterns: &[JavaPattern], name: &str) -> bool {
    patterns.iter().any(|pattern| pattern.matches(name))
}

pub(super) fn compile(property: &str, list: &[String]) -> Result<Vec<JavaPattern>, ConfigError> {
    let compiled = list.iter().map(|pattern| {
        JavaPattern::compile(pattern).map_err(|reason| ConfigError::Pattern {
            property: property.to_owned(),
            pattern: pattern.clone(),
            reason,
        })
    });
    compiled.collect()
}

/// The filters of one connector.
#[derive(Clone, Debug)]
pub struct Filters {
    databases: IncludeExclude,
    tables: IncludeExclude,
    columns: IncludeExclude,
    ignore_builtin: bool,
    message_key_columns: Vec<JavaPattern>,
    signal_data_collection: Option<String>,
    /// `snapshot.include.collection.list`; none reads all captured tables.
    snapshot_tables: Option<Vec<JavaPattern>>,
    /// `internal.schema.history.internal.ddl.filter`.
    passed_over: Vec<JavaPattern>,
    column_rules: ColumnRules,
    /// The lists of before, where they count, too.
    earlier: Option<Earlier>,
}

/// What the lists of before say.
#[derive(Clone, Debug)]
enum Earlier {
    /// A table must have passed them.
    Passed(Box<Filters>),
    /// It must not.
    NotPassed(Box<Filters>),
}

impl Filters {
    /// Compiles the lists. The error names the property and the expression.
    pub fn new(config: &FilterConfig) -> Result<Filters, ConfigError> {
        let database_lists = (config.database_include.as_deref(), config.database_exclude.as_deref());
        let table_lists = (config.table_include.as_deref(), config.table_exclude.as_deref());
        let column_lists = (config.column_include.as_deref(), config.column_exclude.as_deref());
        Ok(Filters {
            databases: IncludeExclude::compile("database", database_lists.0, database_lists.1)?,
            tables: IncludeExclude::compile("table", table_lists.0, table_lists.1)?,
            columns: IncludeExclude::compile("column", column_lists.0, column_lists.1)?,
            ignore_builtin: config.ignore_builtin,
            message_key_columns: compile("message.key.columns", &config.message_key_columns)?,
            signal_data_collection: config.signal_data_collection.clone(),
            snapshot_tables: None,
            passed_over: Vec::new(),
            column_rules: ColumnRules::new(config)?,
            earlier: None,
        })
    }

    /// The same filters with `snapshot.include.collection.list`.
    pub fn with_snapshot_tables(self, list: Option<&[String]>) -> Result<Filters, ConfigError> {
        let snapshot_tables =
            list.map(|list| compile("snapshot.include.collection.list", list)).transpose()?;
        Ok(Filters { snapshot_tables, ..self })
    }

    /// The same filters with the statements that the history passes over.
    pub fn with_history(self, history: &HistoryConfig) -> Result<Filters, ConfigError> {
        Ok(Filters { passed_over: history.passed_over()?, ..self })
    }

    /// From here on what is captured has to pass `earlier`, too; with none, these filters alone count again.
    pub fn set_earlier(&mut self, earlier: Option<Filters>) {
        self.earlier = earlier.map(|earlier| Earlier::Passed(Box::new(earlier)));
    }

    /// Filters for the tables that these let in and `earlier` did not.
    pub fn new_since(&self, earlier: &Filters) -> Filters {
        Filters { earlier: Some(Earlier::NotPassed(Box::new(earlier.clone()))), ..self.clone() }
    }

    /// Whether a table is captured only from a later position on.
    pub fn is_awaited(&self, id: &TableId) -> bool {
        self.earlier.is_some() && self.passes_lists(id) && !self.table_captured(id)
    }

    /// The expressions of the statements that are neither applied nor published nor stored.
    pub fn passed_over(&self) -> &[JavaPattern] {
        &self.passed_over
    }

    /// Whether tables of a database may be captured.
    pub fn database_captured(&self, database: &str) -> bool {
        self.database_passes_lists(database)
            && match &self.earlier {
                Some(Earlier::Passed(earlier)) => earlier.database_captured(database),
                _ => true,
            }
    }

    /// Whether an include list asks for a database.
    pub fn names_database(&self, database: &str) -> bool {
        self.databases.include.is_some() && self.database_captured(database)
    }

    /// Whether the rows of a table are captured.
    pub fn table_captured(&self, id: &TableId) -> bool {
        self.passes_lists(id)
            && match &self.earlier {
                Some(Earlier::Passed(earlier)) => earlier.table_captured(id),
                Some(Earlier::NotPassed(earlier)) => !earlier.table_captured(id),
                None => true,
            }
    }

    /// The same, whatever the lists of before were.
    fn passes_lists(&self, id: &TableId) -> bool {
        let name = id.to_string();
        self.is_named_signal_table(&name)
            || (self.database_passes_lists(&id.database) && self.tables.passes(&name))
    }

    fn database_passes_lists(&self, database: &str) -> bool {
        !self.is_ignored_builtin(database) && self.databases.passes(database)
    }

    /// Whether a table is the signal table.
    pub fn is_signal_table(&self, id: &TableId) -> bool {
        self.is_named_signal_table(&id.to_string())
    }

    /// Whether a column is part of values. Key columns are part of keys whatever this says.
    pub fn column_captured(&self, id: &TableId, column: &str) -> bool {
        self.columns.passes(&format!("{id}.{column}"))
    }

    /// Whether a snapshot reads the rows of a table: it is captured, in `snapshot.include.collection.list` where there
    /// is one, and not the signal table, of which a snapshot takes the schema alone.
    pub fn snapshot_reads(&self, id: &TableId) -> bool {
        let listed = self.snapshot_tables.as_ref().is_none_or(|list| any(list, &id.to_string()));
        listed && !self.is_signal_table(id) && self.table_captured(id)
    }

    /// The key columns that `message.key.columns` gives a table, in the order of its entries and, for an entry that
    /// matches several, of the table; none when no entry matches and the table's own key counts.
    pub fn message_key_columns<'a>(
        &self,
        id: &TableId,
        columns: impl Iterator<Item = &'a str> + Clone,
    ) -> Option<Vec<String>> {
        let mut keys: Vec<String> = Vec::new();
        for pattern in &self.message_key_columns {
            for column in columns.clone().filter(|column| pattern.matches(&format!("{id}.{column}"))) {
                if !keys.iter().any(|known| known == column) {
                    keys.push(column.to_owned());
                }
            }
        }
        Some(keys).filter(|keys| !keys.is_empty())
    }

    /// The order in which a snapshot reads tables: by the first expression of `table.include.list` that matches, the
    /// signal table after these, then by name.
    pub fn sort_for_snapshot(&self, tables: &mut [TableId]) {
        tables.sort_by_cached_key(|id| {
            let name = id.to_string();
            let include = self.tables.include.as_deref().unwrap_or_default();
            let place = include.iter().position(|pattern| pattern.matches(&name)).unwrap_or(include.len());
            (place, name)
        });
    }

    fn is_ignored_builtin(&self, database: &str) -> bool {
        self.ignore_builtin && BUILTIN_DATABASES.iter().any(|builtin| builtin.eq_ignore_ascii_case(database))
    }

    fn is_named_signal_table(&self, name: &str) -> bool {
        self.signal_data_collection.as_deref() == Some(name)
    }
}

impl ColumnFilter for Filters {
    fn column_captured(&self, table: &TableId, column: &str) -> bool {
        Filters::column_captured(self, table, column)
    }

    fn message_key(&self, table: &Table) -> Option<Vec<String>> {
        self.message_key_columns(&table.id, table.columns.iter().map(|column| column.name.as_str()))
    }

    fn column_operations(&self, table: &TableId, column: &Column) -> ColumnOperations {
        self.column_rules.operations(table, column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::check::key_patterns;
    use crate::config::pattern::split_list;

    fn list(text: &str) -> Option<Vec<String>> {
        Some(split_list(text)).filter(|items| !items.is_empty())
    }

    fn id(name: &str) -> TableId {
        let (database, table) = name.split_once('.').expect("database.table");
        TableId::new(database, table)
    }

    fn filters(config: FilterConfig) -> Filters {
        Filters::new(&FilterConfig { ignore_builtin: true, ..config }).expect("valid lists")
    }

    #[test]
    fn the_database_is_asked_for_first() {
        let filters = filters(FilterConfig {
            database_include: list("shop|s2"),
            table_exclude: list(r".*\.secret.*"),
            ..FilterConfig::default()
        });
        for (table, captured) in [
            ("shop.orders", true),
            ("SHOP.Orders", true),
            ("s2.t", true),
            ("shop.secret_1", false),
            ("shop2.orders", false),
            ("other.t", false),
            ("mysql.user", false),
        ] {
            assert_eq!(filters.table_captured(&id(table)), captured, "{table}");
        }
    }

    #[test]
    fn an_include_list_alone_decides() {
        // The list and the tables of the golden case cfg_table_include.
        let filters = filters(FilterConfig {
            table_include: list(r"ti\.or.*s,ti.a{1\,2}x,.*[.]every, ti.spaced "),
            ..FilterConfig::default()
        });
        for (table, captured) in [
            ("ti.orders", true),
            ("ti.aax", true),
            ("ti.aaax", false),
            ("any.every", true),
            ("ti.every2", false),
            ("ti.spaced", true),
        ] {
            assert_eq!(filters.table_captured(&id(table)), captured, "{table}");
        }
    }

    #[test]
    fn the_lists_of_before_count_for_a_while() {
        let of =
            |tables: &str| filters(FilterConfig { table_include: list(tables), ..FilterConfig::default() });
        let (before, mut now) = (of("d.a,d.gone"), of("d.a,e.b"));
        let tables = ["d.a", "d.gone", "e.b", "e.c"].map(id);
        let captured = |filters: &Filters| tables.each_ref().map(|table| filters.table_captured(table));
        let awaited = |filters: &Filters| tables.each_ref().map(|table| filters.is_awaited(table));
        assert_eq!(captured(&now.new_since(&before)), [false, false, true, false]);
        now.set_earlier(Some(before));
        assert_eq!(captured(&now), [true, false, false, false]);
        assert_eq!(awaited(&now), [false, false, true, false]);
        now.set_earlier(None);
        assert_eq!(captured(&now), [true, false, true, false]);
        assert_eq!(awaited(&now), [false; 4]);
    }

    #[test]
    fn builtin_databases_and_the_signal_table() {
        let config = FilterConfig {
            table_include: list("mysql.help_x,bi.t"),
            signal_data_collection: Some("ops.signals".to_owned()),
            ..FilterConfig::default()
        };
        let ignoring = filters(config.clone());
        assert!(!ignoring.table_captured(&id("mysql.help_x")));
        assert!(!ignoring.database_captured("Information_Schema"));
        assert!(ignoring.table_captured(&id("ops.signals")));
        assert!(!ignoring.snapshot_reads(&id("ops.signals")));
        assert!(!ignoring.table_captured(&id("ops.signals2")));
        let keeping = Filters::new(&FilterConfig { ignore_builtin: false, ..config }).expect("valid");
        assert!(keeping.table_captured(&id("mysql.help_x")));
    }

    #[test]
    fn columns_are_matched_with_their_table() {
        let filters = filters(FilterConfig {
            column_exclude: list(r"shop\.users\.(password|token_.*)"),
            ..FilterConfig::default()
        });
        for (column, captured) in [("password", false), ("TOKEN_1", false), ("name", true)] {
            assert_eq!(filters.column_captured(&id("shop.users"), column), captured, "{column}");
        }
        assert!(filters.column_captured(&id("shop.admins"), "password"));
    }

    #[test]
    fn key_columns_follow_the_list() {
        // The entries of the golden case cfg_message_key, and an order that is not the table's.
        let filters = filters(FilterConfig {
            message_key_columns: key_patterns(
                "mk[.]a:b,c;mk.n:x;(.*).two(.*):id2;mk.ghost:q; mk.z : y , x ;mk.z:x",
            ),
            ..FilterConfig::default()
        });
        type Case<'a> = (&'a str, &'a [&'a str], Option<&'a [&'a str]>);
        let cases: &[Case] = &[
            ("mk.a", &["id", "b", "c"], Some(&["b", "c"])),
            ("mk.n", &["x", "y"], Some(&["x"])),
            ("mk.n", &["x_gone", "y"], None),
            ("mk.two_x", &["id", "id2"], Some(&["id2"])),
            ("mk.other", &["id"], None),
            ("mk.z", &["x", "y"], Some(&["y", "x"])),
        ];
        for (table, columns, expected) in cases {
            let found = filters.message_key_columns(&id(table), columns.iter().copied());
            let expected =
                expected.map(|names| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
            assert_eq!(found, expected, "{table}");
        }
    }

    #[test]
    fn snapshots_follow_the_include_list() {
        let filters =
            filters(FilterConfig { table_include: list(r"d\.c.*,d\.b,d\..*"), ..FilterConfig::default() })
                .with_snapshot_tables(Some(&[r"d\.[bc].*".to_owned()]))
                .expect("valid");
        let mut tables: Vec<TableId> = ["d.a", "d.b", "d.c2", "d.c1", "d.z"].map(id).to_vec();
        filters.sort_for_snapshot(&mut tables);
        let names: Vec<String> = tables.iter().map(TableId::to_string).collect();
        assert_eq!(names, ["d.c1", "d.c2", "d.b", "d.a", "d.z"]);
        assert!(filters.snapshot_reads(&id("d.b")));
        assert!(!filters.snapshot_reads(&id("d.a")));
    }

    #[test]
    fn a_malformed_expression_is_named() {
        let config = FilterConfig { table_include: Some(vec!["a(".to_owned()]), ..FilterConfig::default() };
        let text = Filters::new(&config).expect_err("malformed").to_string();
        assert!(text.starts_with("table.include.list has a malformed regular expression a(: "), "{text}");
    }
}
