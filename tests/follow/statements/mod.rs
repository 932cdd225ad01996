//! Random statements that a server accepts, as a rule: they are made from what it has at that moment.
//!
//! In the texts a `~` stands for white space, which becomes a blank, a line, or a comment; nothing else uses that
//! character. What the server refuses all the same changes nothing and is not counted.

mod alter_table;
mod column;
mod create_table;
mod database;
mod names;
mod partition;
mod rename;

use tidewire::source::mysql::Connection;

use crate::chance::Chance;
use crate::ground::Server;
use crate::information_schema::{Rows, quoted, rows};

/// All databases that the statements touch.
pub const DATABASES: [&str; 3] = ["follow_a", "follow_b", "Follow ć"];
/// From this many tables on, more are dropped than made.
const MANY_TABLES: usize = 14;

/// What statements are made from.
pub struct Maker {
    pub server: Server,
    pub chance: Chance,
    /// The current database.
    pub current: String,
    /// `"x"` is a name.
    pub ansi_quotes: bool,
    /// A backslash is an ordinary character.
    pub no_backslash_escapes: bool,
    tables: Vec<(String, String)>,
    views: Vec<(String, String)>,
    databases: Vec<String>,
    /// Tables that a temporary one has the name of. The log does not say the character set of what is made like these.
    shadowed: Vec<(String, String)>,
}

/// A table as the server has it.
pub struct Found {
    pub database: String,
    pub name: String,
    pub columns: Vec<FoundColumn>,
    /// Name, whether unique, columns.
    pub keys: Vec<(String, bool, Vec<String>)>,
}

/// A column as the server has it.
pub struct FoundColumn {
    pub name: String,
    pub column_type: String,
    pub nullable: bool,
    pub extra: String,
}

impl FoundColumn {
    /// Whether a key may have it without a length.
    fn fits_a_key(&self) -> bool {
        let long = ["text", "blob", "json", "geom", "point", "linestring", "polygon", "multi", "vector"];
        !long.iter().any(|word| self.column_type.contains(word))
    }

    fn is_generated(&self) -> bool {
        self.extra.contains("VIRTUAL") || self.extra.contains("STORED") || self.extra.contains("PERSISTENT")
    }
}

impl Maker {
    pub fn new(server: Server, seed: u64) -> Self {
        Maker {
            server,
            chance: Chance::new(seed),
            current: DATABASES[0].to_owned(),
            ansi_quotes: false,
            no_backslash_escapes: false,
            tables: Vec::new(),
            views: Vec::new(),
            databases: Vec::new(),
            shadowed: Vec::new(),
        }
    }

    /// The next statement.
    pub fn next(&mut self, connection: &mut Connection) -> Result<String, String> {
        self.look(connection)?;
        if !self.databases.contains(&self.server.stored(&self.current)) {
            let missing = self.current.clone();
            return Ok(self.styled(&format!("CREATE DATABASE~{}", quoted(&missing))));
        }
        let few = self.tables.len() < 5;
        let text = match self.chance.below(if few { 30 } else { 100 }) {
            0..20 => self.create_table(connection)?,
            20..24 => self.create_like(),
            24..30 => self.create_as_select(connection)?,
            30..66 => self.alter_table(connection)?,
            66..75 => self.rename_table(),
            75..80 => self.create_index(connection)?,
            80..83 => self.drop_index(connection)?,
            83..86 => self.truncate(),
            86..90 => self.drop_tables(),
            90..93 => self.database_statement(),
            93..95 => self.view_statement(),
            95..97 => self.temporary_table(),
            _ => self.other_statement(),
        };
        let text =
            if self.tables.len() > MANY_TABLES && self.chance.once_in(3) { self.drop_tables() } else { text };
        Ok(self.styled(&text))
    }

    fn look(&mut self, connection: &mut Connection) -> Result<(), String> {
        self.tables.clear();
        self.views.clear();
        let there = rows(connection, "SHOW DATABASES")?;
        let there = there.into_iter().flatten();
        let names = DATABASES.map(|name| self.server.stored(name));
        self.databases = there.filter(|name| names.contains(name)).collect();
        for database in self.databases.clone() {
            for row in rows(connection, &format!("SHOW FULL TABLES FROM {}", quoted(&database)))? {
                if let [name, kind] = row.as_slice() {
                    let list = if kind == "VIEW" { &mut self.views } else { &mut self.tables };
                    if kind != "SEQUENCE" {
                        list.push((database.clone(), name.clone()));
                    }
                }
            }
        }
        Ok(())
    }

    /// A table with its columns and keys.
    fn found(&mut self, connection: &mut Connection) -> Result<Option<Found>, String> {
        let Some((database, name)) = self.chance.pick_of(&self.tables).cloned() else { return Ok(None) };
        let of = format!("{}.{}", quoted(&database), quoted(&name));
        let columns = rows(connection, &format!("SHOW FULL COLUMNS FROM {of}"))?;
        let columns = columns.into_iter().filter_map(|row| {
            let [name, column_type, _, null, _, _, extra, ..] = row.as_slice() else { return None };
            Some(FoundColumn {
                name: name.clone(),
                column_type: column_type.clone(),
                nullable: null == "YES",
                extra: extra.clone(),
            })
        });
        let columns = columns.collect();
        let mut keys: Vec<(String, bool, Vec<String>)> = Vec::new();
        let index: Rows = rows(connection, &format!("SHOW INDEX FROM {of}"))?;
        for row in index {
            let [_, non_unique, key, _, column, ..] = row.as_slice() else { continue };
            match keys.iter_mut().find(|(name, ..)| name == key) {
                Some((.., columns)) => columns.push(column.clone()),
                None => keys.push((key.clone(), non_unique == "0", vec![column.clone()])),
            }
        }
        Ok(Some(Found { database, name, columns, keys }))
    }

    /// Blanks, lines and comments in place of `~`.
    fn styled(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 32);
        if self.chance.once_in(12) {
            out.push_str(self.chance.pick(&[
                "/* it's */ ",
                "-- a 'line'\n",
                "  \n\t",
                "# `x\n",
                "/*!50000 */",
            ]));
        }
        for character in text.chars() {
            if character != '~' {
                out.push(character);
                continue;
            }
            out.push_str(match self.chance.below(40) {
                0 => "\n",
                1 => "  ",
                2 => "\t",
                3 => "/**/ ",
                4 => " /* , ) it's */ ",
                5 => " -- ' \" `\n",
                6 => " # ; x\n",
                7 => " /*!99999 nonsense ( */ ",
                8 if !self.server.is_mariadb() => " /*M! no ' word */ ",
                _ => " ",
            });
        }
        if self.chance.once_in(20) {
            out.push_str(self.chance.pick(&[" ", "\n", " /* end */", " -- end", ";"]));
        }
        out
    }

    fn create_index(&mut self, connection: &mut Connection) -> Result<String, String> {
        let Some(table) = self.found(connection)? else { return self.create_table(connection) };
        let kind = self.chance.pick(&["", "", "UNIQUE~", "UNIQUE~"]);
        let name = self.new_key_name();
        let parts = self.key_parts(&table);
        let or_replace = if self.server.is_mariadb() && self.chance.once_in(5) { "OR REPLACE~" } else { "" };
        let exists = if self.server.is_mariadb() && self.chance.once_in(4) { "IF NOT EXISTS~" } else { "" };
        let exists = if or_replace.is_empty() { exists } else { "" };
        let using = self.chance.pick(&["", "", "USING BTREE~"]);
        let options = self.chance.pick(&[
            "",
            "",
            "~COMMENT 'index'",
            "~KEY_BLOCK_SIZE=0",
            "~ALGORITHM=INPLACE~LOCK=NONE",
        ]);
        let of = self.table_name(&table.database, &table.name);
        Ok(format!("CREATE~{or_replace}{kind}INDEX~{exists}{name}~{using}ON~{of}~({parts}){options}"))
    }

    fn drop_index(&mut self, connection: &mut Connection) -> Result<String, String> {
        let Some(table) = self.found(connection)? else { return self.create_table(connection) };
        let Some((key, ..)) = self.chance.pick_of(&table.keys) else { return self.alter_table(connection) };
        let exists = if self.server.is_mariadb() && self.chance.once_in(3) { "IF EXISTS~" } else { "" };
        let (key, of) = (self.name(key), self.table_name(&table.database, &table.name));
        Ok(format!("DROP INDEX~{exists}{key}~ON~{of}"))
    }

    fn truncate(&mut self) -> String {
        let Some((database, name)) = self.chance.pick_of(&self.tables).cloned() else {
            return self.other_statement();
        };
        let of = self.table_name(&database, &name);
        let word = self.chance.pick(&["TABLE~", ""]);
        format!("TRUNCATE~{word}{of}")
    }

    fn drop_tables(&mut self) -> String {
        let mut list = self.tables.clone();
        self.chance.shuffle(&mut list);
        list.truncate(1 + self.chance.below(3));
        let mut exists = self.chance.pick(&["", "IF EXISTS~"]);
        let mut names: Vec<String> =
            list.iter().map(|(database, name)| self.table_name(database, name)).collect();
        if self.chance.once_in(4) || names.is_empty() {
            exists = "IF EXISTS~";
            names.push("never_was".to_owned());
        }
        let end = self.chance.pick(&["", "", "~RESTRICT", "~CASCADE"]);
        let word = self.chance.pick(&["TABLE", "TABLES", "table"]);
        format!("DROP {word}~{exists}{}{end}", names.join("~,~"))
    }
}
