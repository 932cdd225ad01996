//! A table: its columns, its key, its statement.

use crate::column::{Column, Default, Kind};
use crate::generate::Generator;
use crate::generate::columns::Place;
use crate::server::Version;
use crate::table::Table;

impl Generator<'_> {
    /// A table of a name.
    pub fn table(&mut self, name: &str, columns: usize, streamed: bool) -> Table {
        let mut all = vec![Column {
            name: "rn".to_owned(),
            kind: Kind::Integer { bytes: 4, unsigned: false, boolean: false },
            definition: "INT NOT NULL".to_owned(),
            generated: false,
            default: Default::None,
            nullable: false,
            must_convert: true,
        }];
        // Columns of the key besides `rn`; what kind of key it is.
        let (in_key, with_number, word) = match self.random.below(10) {
            0..4 => (0, true, "PRIMARY KEY"),
            4..6 => (1, true, "PRIMARY KEY"),
            6 => (2, true, "PRIMARY KEY"),
            7 => (1, false, "PRIMARY KEY"),
            8 => (1, true, "UNIQUE KEY"),
            _ => (0, false, ""),
        };
        let mut serials = word == "PRIMARY KEY";
        let mut key = Vec::new();
        for number in 0..columns {
            let place = if number < in_key { Place::Key } else { Place::Free };
            let column = self.column(number, place, serials);
            serials &= !column.definition.eq_ignore_ascii_case("SERIAL");
            if place == Place::Key {
                key.push(column.clone());
            }
            all.push(column);
        }
        if with_number {
            key.push(all[0].clone());
        }
        // The key's columns need not stand first.
        let shift = self.random.below(all.len());
        all[1..].rotate_left(shift.min(columns));
        let mut parts: Vec<String> =
            all.iter().map(|column| format!("{} {}", column.quoted(), column.definition)).collect();
        if !word.is_empty() {
            let names: Vec<String> = key.iter().map(Column::quoted).collect();
            let index = if word == "UNIQUE KEY" { " uk" } else { "" };
            parts.push(format!("{word}{index} ({})", names.join(", ")));
        }
        let options = self.table_options();
        Table {
            name: name.to_owned(),
            key: key.iter().map(|column| column.name.clone()).collect(),
            ddl: format!("CREATE TABLE `{name}` (\n  {}\n){options}", parts.join(",\n  ")),
            columns: all,
            streamed,
        }
    }

    fn table_options(&mut self) -> String {
        let charset = &self.server.charsets[self.random.below(self.server.charsets.len())].name;
        match self.random.below(4) {
            0 => format!(" DEFAULT CHARSET={charset}"),
            1 if self.server.version != Version::MySql57 => " ENGINE=InnoDB ROW_FORMAT=COMPRESSED".to_owned(),
            _ => String::new(),
        }
    }
}
