//! ALTER TABLE with one or many clauses.

use tidewire::source::mysql::Connection;

use crate::ground::Server;
use crate::statements::column::Class;
use crate::statements::{Found, FoundColumn, Maker};

impl Maker {
    pub fn alter_table(&mut self, connection: &mut Connection) -> Result<String, String> {
        let Some(table) = self.found(connection)? else { return self.create_table(connection) };
        if self.chance.once_in(12) {
            return self.alter_partitions(connection, &table);
        }
        let of = self.table_name(&table.database, &table.name);
        let exists = if self.server.is_mariadb() && self.chance.once_in(6) { "IF EXISTS~" } else { "" };
        let wait = if self.server.is_mariadb() && self.chance.once_in(12) { "WAIT 10~" } else { "" };
        let mut taken: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
        let mut used: Vec<String> = Vec::new();
        let mut clauses = Vec::new();
        let most = if self.chance.once_in(4) { 6 } else { 2 };
        let wanted = 1 + self.chance.below(most);
        // MySQL 8.0.15 dies of it beside other clauses.
        if self.server == Server::MySql80 && self.chance.once_in(20) {
            return Ok(format!("ALTER~TABLE~{of}~CONVERT TO~{}", self.convert_charset()));
        }
        while clauses.len() < wanted {
            clauses.push(self.clause(&table, &mut taken, &mut used));
        }
        // MariaDB 10.11 leaves the old table behind too, where a name is not ASCII and the table is copied.
        let of_table = |clause: &&String| {
            let rest = clause.strip_prefix("RENAME~");
            rest.is_some_and(|rest| !rest.starts_with("INDEX~") && !rest.starts_with("KEY~"))
        };
        let renaming = clauses.iter().find(of_table).cloned();
        if let (true, Some(renaming)) = (self.server.is_mariadb(), renaming) {
            clauses = vec![renaming];
        }
        let ignore = if self.server.is_mariadb() && self.chance.once_in(9) { "IGNORE~" } else { "" };
        Ok(format!("ALTER~{ignore}TABLE~{exists}{of}~{wait}{}", clauses.join(",~")))
    }

    /// A column that no earlier clause of the statement speaks of.
    fn unused<'a>(&mut self, table: &'a Found, used: &mut Vec<String>) -> Option<&'a FoundColumn> {
        let column = self.chance.pick_of(&table.columns)?;
        if used.contains(&column.name) {
            return None;
        }
        used.push(column.name.clone());
        Some(column)
    }

    fn place(&mut self, table: &Found, used: &[String]) -> String {
        match self.chance.below(6) {
            0 => "~FIRST".to_owned(),
            1 | 2 => match self.chance.pick_of(&table.columns) {
                Some(column) if !used.contains(&column.name) => format!("~AFTER~{}", self.name(&column.name)),
                _ => String::new(),
            },
            _ => String::new(),
        }
    }

    fn clause(&mut self, table: &Found, taken: &mut Vec<String>, used: &mut Vec<String>) -> String {
        let word = self.chance.pick(&["COLUMN~", "", "column "]);
        let maria = self.server.is_mariadb();
        let if_exists = if maria && self.chance.once_in(5) { "IF EXISTS~" } else { "" };
        let if_not_exists = if maria && self.chance.once_in(5) { "IF NOT EXISTS~" } else { "" };
        match self.chance.below(34) {
            0..6 => {
                let name = if maria && !if_not_exists.is_empty() && self.chance.once_in(2) {
                    taken.first().cloned().unwrap_or_default()
                } else {
                    self.new_column_name(taken)
                };
                taken.push(name.clone());
                let (written, place) = (self.name(&name), self.place(table, used));
                format!("ADD~{word}{if_not_exists}{written}~{}{place}", self.definition(true))
            }
            6 => {
                let mut list = Vec::new();
                for _ in 0..1 + self.chance.below(3) {
                    let name = self.new_column_name(taken);
                    taken.push(name.clone());
                    list.push(format!("{}~{}", self.name(&name), self.definition(true)));
                }
                if self.chance.once_in(3) {
                    let key = self.new_key_name();
                    let last = taken.last().cloned().unwrap_or_default();
                    list.push(format!("UNIQUE {key} ({})", self.name(&last)));
                }
                format!("ADD~{word}({})", list.join("~,~"))
            }
            7..10 => match self.unused(table, used) {
                Some(column) if table.columns.len() > used.len() => {
                    format!("DROP~{word}{if_exists}{}", self.name(&column.name))
                }
                _ => self.table_option(),
            },
            10..13 => match self.unused(table, used) {
                Some(column) => {
                    let (name, place) = (self.name(&column.name), self.place(table, used));
                    format!("MODIFY~{word}{if_exists}{name}~{}{place}", self.definition(true))
                }
                None => self.table_option(),
            },
            13..16 => match self.unused(table, used) {
                Some(column) => {
                    let new = if self.chance.once_in(4) {
                        column.name.to_uppercase()
                    } else {
                        self.new_column_name(taken)
                    };
                    taken.push(new.clone());
                    let (old, new, place) =
                        (self.name(&column.name), self.name(&new), self.place(table, used));
                    format!("CHANGE~{word}{if_exists}{old}~{new}~{}{place}", self.definition(true))
                }
                None => self.table_option(),
            },
            16..19 => self.rename_columns(table, taken, used),
            19 | 20 => match self.chance.pick_of(&table.columns) {
                Some(column) if !used.contains(&column.name) && !column.is_generated() => {
                    used.push(column.name.clone());
                    let name = self.name(&column.name);
                    match self.default_of_found(column) {
                        Some(default) => format!("ALTER~{word}{name}~SET DEFAULT~{default}"),
                        None => format!("ALTER~{word}{name}~DROP DEFAULT"),
                    }
                }
                _ => self.table_option(),
            },
            21 => match self.chance.pick_of(&table.columns) {
                Some(column) if column.fits_a_key() => {
                    let name = self.name(&column.name);
                    let constraint = self.chance.pick(&["", "CONSTRAINT~", "CONSTRAINT `pk`~"]);
                    format!("ADD~{constraint}PRIMARY KEY~({name})")
                }
                _ => self.table_option(),
            },
            22 => "DROP~PRIMARY KEY".to_owned(),
            23 | 24 => {
                let (key, parts) = (self.new_key_name(), self.key_parts(table));
                let kind = self.chance.pick(&["UNIQUE", "UNIQUE KEY", "UNIQUE INDEX", "INDEX", "KEY"]);
                let exists = if kind == "UNIQUE" { "" } else { if_not_exists };
                format!("ADD~{kind}~{exists}{key}~({parts})")
            }
            25 | 26 => match self.chance.pick_of(&table.keys) {
                Some((key, ..)) => {
                    let kind = self.chance.pick(&["INDEX", "KEY"]);
                    format!("DROP~{kind}~{if_exists}{}", self.quoted_name(key))
                }
                None => self.table_option(),
            },
            27 => match self.chance.pick_of(&table.keys) {
                Some((key, ..)) => {
                    let new = self.new_key_name();
                    format!(
                        "RENAME~{}~{}~TO~{new}",
                        self.chance.pick(&["INDEX", "KEY"]),
                        self.quoted_name(key)
                    )
                }
                None => self.table_option(),
            },
            28 => {
                let (database, name) = self.new_table();
                let to = self.table_name(&database, &name);
                let word = self.chance.pick(&["TO~", "AS~", "", "TO~"]);
                if self.server.is_modern() && word.is_empty() && self.chance.once_in(2) {
                    format!("RENAME = {to}")
                } else {
                    format!("RENAME~{word}{to}")
                }
            }
            29 if self.server != Server::MySql80 => format!("CONVERT TO~{}", self.convert_charset()),
            30 => self.default_charset(),
            31 => match self.chance.pick_of(&table.columns) {
                Some(column) if self.server == Server::MySql97 => {
                    let visible = self.chance.pick(&["VISIBLE", "INVISIBLE"]);
                    format!("ALTER~{word}{}~SET~{visible}", self.name(&column.name))
                }
                _ => self.table_option(),
            },
            _ => self.table_option(),
        }
    }

    fn convert_charset(&mut self) -> String {
        let (charset, collation) = self.charset();
        match self.chance.below(4) {
            // It is the end of MySQL 8.0.15.
            0 if self.server != Server::MySql80 => "CHARACTER SET~DEFAULT".to_owned(),
            1 => format!("CHARSET~{charset}~COLLATE~{collation}"),
            2 => format!("CHARSET~'{charset}'"),
            _ => format!("CHARACTER SET~{charset}"),
        }
    }

    /// RENAME COLUMN, also as a swap, which before 8.0 is CHANGE.
    fn rename_columns(&mut self, table: &Found, taken: &mut Vec<String>, used: &mut Vec<String>) -> String {
        let (Some(one), Some(other)) = (self.unused(table, used), self.unused(table, used)) else {
            return self.table_option();
        };
        let (one, other) = (one.name.clone(), other.name.clone());
        let new = self.new_column_name(taken);
        taken.push(new.clone());
        let (from, to, new) = (self.name(&one), self.name(&other), self.name(&new));
        let swap = self.chance.once_in(2);
        if self.server.is_mysql57() {
            let (first, second) = (self.definition(false), self.definition(false));
            return if swap {
                format!("CHANGE~{from}~{to}~{first},~CHANGE~{to}~{from}~{second}")
            } else {
                format!("CHANGE~{from}~{to}~{first},~CHANGE~{to}~{new}~{second}")
            };
        }
        if swap {
            format!("RENAME COLUMN~{from}~TO~{to},~RENAME COLUMN~{to}~TO~{from}")
        } else {
            format!("RENAME COLUMN~{from}~TO~{to},~RENAME COLUMN~{to}~TO~{new}")
        }
    }

    fn default_of_found(&mut self, column: &FoundColumn) -> Option<String> {
        let kind = column.column_type.as_str();
        let class = if kind.starts_with("enum") || kind.starts_with("set") {
            Class::Enum
        } else if kind.contains("int") && !kind.contains("point") {
            Class::Integer
        } else if kind.starts_with("decimal") || kind.starts_with("double") || kind.starts_with("float") {
            Class::Number
        } else if kind.starts_with("bit") {
            Class::Bit
        } else if kind.contains("char") {
            Class::Text
        } else if kind.starts_with("datetime") || kind.starts_with("timestamp") {
            Class::Instant
        } else if kind == "date" {
            Class::Date
        } else if kind.starts_with("time") {
            Class::Time
        } else {
            return None;
        };
        if self.chance.once_in(4) {
            return None;
        }
        let default = self.default_of(class, kind, column.nullable)?;
        // Before 8.0 no function may stand here.
        (!default.contains("CURRENT_TIMESTAMP")).then_some(default)
    }

    fn table_option(&mut self) -> String {
        match self.chance.below(9) {
            0 | 1 => format!("COMMENT~{}", self.comment()),
            2 => "ENGINE=InnoDB".to_owned(),
            3 => "AUTO_INCREMENT = 17".to_owned(),
            4 => "ROW_FORMAT~DYNAMIC".to_owned(),
            5 => "FORCE".to_owned(),
            6 => "ENABLE KEYS".to_owned(),
            7 => "ALGORITHM=COPY".to_owned(),
            _ => "LOCK=DEFAULT".to_owned(),
        }
    }
}
