//! CREATE TABLE in its forms.

use tidewire::source::mysql::Connection;

use crate::ground::Server;
use crate::statements::Maker;

impl Maker {
    pub fn create_table(&mut self, _connection: &mut Connection) -> Result<String, String> {
        let (database, name) = self.new_table();
        let of = self.table_name(&database, &name);
        let mut taken = Vec::new();
        let mut parts = Vec::new();
        let (columns, keyed) = (1 + self.chance.below(7), self.chance.below(6));
        for at in 0..columns {
            let column = self.new_column_name(&taken);
            taken.push(column.clone());
            let written = self.name(&column);
            parts.push(match (at, keyed) {
                (0, 0) => format!("{written}~INT~NOT NULL~AUTO_INCREMENT~PRIMARY KEY"),
                (0, 1) => format!("{written}~BIGINT UNSIGNED~PRIMARY KEY"),
                (0, 2) => format!("{written}~SERIAL"),
                (0, 3) => format!("{written}~INT~KEY~COMMENT~{}", self.comment()),
                (0, 4) => format!("{written}~VARCHAR(20)~NOT NULL"),
                _ => format!("{written}~{}", self.definition(true)),
            });
        }
        if keyed == 4 {
            let first = taken.first().cloned().unwrap_or_default();
            let column = self.name(&first);
            let constraint = self.chance.pick(&["", "CONSTRAINT~", "CONSTRAINT c_1~"]);
            let kind = self.chance.pick(&["PRIMARY KEY", "UNIQUE", "UNIQUE KEY", "UNIQUE INDEX"]);
            let name = if kind == "PRIMARY KEY" { String::new() } else { self.new_key_name() };
            let using = self.chance.pick(&["", "~USING BTREE"]);
            parts.push(format!("{constraint}{kind}~{name}{using}~({column})"));
        }
        if self.chance.once_in(3) {
            let column = self.chance.pick_of(&taken).cloned().unwrap_or_default();
            let (column, key) = (self.name(&column), self.new_key_name());
            let kind = self.chance.pick(&["KEY", "INDEX", "UNIQUE", "UNIQUE KEY"]);
            parts.push(format!("{kind}~{key}~({column})"));
        }
        // The first column stays: it may be the one of the key.
        if let [_, rest @ ..] = parts.as_mut_slice() {
            self.chance.shuffle(rest);
        }
        let mut options = Vec::new();
        for _ in 0..self.chance.below(4) {
            options.push(match self.chance.below(7) {
                0 | 1 => self.default_charset(),
                2 => format!("COMMENT={}", self.comment()),
                3 => "ENGINE=InnoDB".to_owned(),
                4 => "/*!50100 ROW_FORMAT=DYNAMIC */".to_owned(),
                5 => "AUTO_INCREMENT~5".to_owned(),
                _ => "STATS_PERSISTENT=1".to_owned(),
            });
        }
        if options.iter().filter(|option| option.to_uppercase().contains("COLLATE")).count() > 1 {
            options.clear();
        }
        let separator = self.chance.pick(&["~", "~,~", "~"]);
        let partition = if self.chance.once_in(9) { self.hash_partitions(&taken) } else { String::new() };
        let (create, exists) = self.create_words();
        Ok(format!(
            "{create}TABLE~{exists}{of}~({})~{}{partition}",
            parts.join(",~"),
            options.join(separator)
        ))
    }

    /// `CREATE [OR REPLACE]` and `[IF NOT EXISTS]`.
    fn create_words(&mut self) -> (&'static str, &'static str) {
        match self.chance.below(5) {
            0 if self.server.is_mariadb() => ("CREATE~OR REPLACE~", ""),
            1 => ("CREATE~", "IF NOT EXISTS~"),
            2 => ("create ", ""),
            _ => ("CREATE~", ""),
        }
    }

    pub fn create_like(&mut self) -> String {
        let Some((database, name)) = self.chance.pick_of(&self.tables).cloned() else {
            return self.other_statement();
        };
        if self.shadowed.contains(&(database.clone(), name.clone())) {
            return self.other_statement();
        }
        let other = self.table_name(&database, &name);
        let (database, name) = self.new_table();
        let of = self.table_name(&database, &name);
        let (create, exists) = self.create_words();
        if self.chance.once_in(2) {
            format!("{create}TABLE~{exists}{of}~LIKE~{other}")
        } else {
            format!("{create}TABLE~{exists}{of}~(~LIKE {other}~)")
        }
    }

    pub fn create_as_select(&mut self, connection: &mut Connection) -> Result<String, String> {
        let Some(table) = self.found(connection)? else { return self.create_table(connection) };
        // What the server writes for it escapes backslashes even where they need none; a newer one is known by its end.
        if self.no_backslash_escapes && self.server != Server::MySql97 {
            return self.create_table(connection);
        }
        let other = self.table_name(&table.database, &table.name);
        let (database, name) = self.new_table();
        let of = self.table_name(&database, &name);
        let (create, exists) = self.create_words();
        let charset =
            if self.chance.once_in(3) { format!("{}~", self.default_charset()) } else { String::new() };
        let declared = match self.chance.below(4) {
            0 => format!("(z_1~{})~", self.definition(false)),
            1 => "(z_1~INT~PRIMARY KEY~AUTO_INCREMENT)~".to_owned(),
            _ => String::new(),
        };
        let word = self.chance.pick(&["", "AS~", "IGNORE~AS~", "REPLACE~"]);
        let query = match self.chance.below(5) {
            0 => "SELECT~1 AS y_1, 'x' AS y_2, NOW() AS y_3, NULL AS y_4".to_owned(),
            1 => format!("SELECT~q.*, 1.5 AS y_1~FROM~{other} AS q"),
            2 if !self.server.is_mariadb() || declared.is_empty() => format!("(SELECT~*~FROM~{other})"),
            _ => format!("SELECT~*~FROM~{other}"),
        };
        Ok(format!("{create}TABLE~{exists}{of}~{declared}{charset}{word}{query}"))
    }
}
