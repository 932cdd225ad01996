//! Tables with random columns, and statements that change them.

use crate::column::{ADDED, BIGINT_UNSIGNED, Column, INT, KEY_TEXT, KINDS, SHORT_TEXT, Values};
use crate::random::Random;

/// A table of both servers.
#[derive(Clone, Debug)]
pub struct Table {
    pub name: String,
    /// What tells rows apart; without a primary key the first column does, whose values are unique all the same.
    pub keys: Vec<Column>,
    pub columns: Vec<Column>,
    pub is_keyless: bool,
    /// The number that the next row gets.
    next: u64,
    /// How often columns were added.
    added: usize,
}

fn column(name: &str, kind: crate::column::Kind, nullable: bool) -> Column {
    Column { name: name.to_owned(), kind, nullable }
}

impl Table {
    /// One whose columns have the types from `place` on, so that a few tables have all.
    pub fn new(name: String, place: usize, random: &mut Random) -> Self {
        let shape = random.below(4);
        let keys = match shape {
            0 => vec![column("k", INT, false)],
            1 => vec![column("k", BIGINT_UNSIGNED, false)],
            2 => vec![column("k", INT, false), column("k2", KEY_TEXT, false)],
            _ => vec![column("k2", KEY_TEXT, false), column("k", BIGINT_UNSIGNED, false)],
        };
        let mut columns: Vec<Column> = (place..place + 8)
            .map(|place| {
                let kind = KINDS[place % KINDS.len()];
                let nullable = !matches!(kind.values, Values::Vector) && random.chance(60);
                column(&format!("c{place}"), kind, nullable)
            })
            .collect();
        columns.push(column("widened", INT, false));
        columns.push(column("optional", INT, false));
        columns.push(column("longer", SHORT_TEXT, true));
        Table { name, keys, columns, is_keyless: false, next: 1, added: 0 }
    }

    /// One without a primary key.
    pub fn keyless(name: String) -> Self {
        let columns = vec![column("v", INT, true), column("s", SHORT_TEXT, true)];
        Table { name, keys: vec![column("k", INT, false)], columns, is_keyless: true, next: 1, added: 0 }
    }

    /// All columns, keys first.
    pub fn all(&self) -> impl Iterator<Item = &Column> {
        self.keys.iter().chain(&self.columns)
    }

    pub fn create(&self) -> String {
        let mut parts: Vec<String> = self.all().map(Column::definition).collect();
        if !self.is_keyless {
            let keys: Vec<String> = self.keys.iter().map(Column::quoted).collect();
            parts.push(format!("PRIMARY KEY ({})", keys.join(", ")));
        }
        format!("CREATE TABLE {} ({})", self.name, parts.join(", "))
    }

    fn row(&mut self, random: &mut Random) -> String {
        let number = self.next;
        self.next += 1;
        let cells: Vec<String> = self
            .all()
            .map(|column| if column.name == "k" { number.to_string() } else { column.literal(random) })
            .collect();
        format!("({})", cells.join(", "))
    }

    pub fn insert(&mut self, rows: usize, random: &mut Random) -> String {
        let names: Vec<String> = self.all().map(Column::quoted).collect();
        let rows: Vec<String> = (0..rows).map(|_| self.row(random)).collect();
        format!("INSERT INTO {} ({}) VALUES {}", self.name, names.join(", "), rows.join(", "))
    }

    /// Rows that are there, mostly.
    fn some(&self, random: &mut Random) -> String {
        let from = 1 + random.below(self.next as usize);
        format!("k BETWEEN {from} AND {}", from + random.below(4))
    }

    /// An update, a delete, or a change of keys.
    pub fn change(&mut self, random: &mut Random) -> String {
        let rows = self.some(random);
        match random.below(10) {
            0..=5 => {
                let mut sets = Vec::new();
                for _ in 0..=random.below(3) {
                    let column = &self.columns[random.below(self.columns.len())];
                    sets.push(format!("{} = {}", column.quoted(), column.literal(random)));
                }
                format!("UPDATE {} SET {} WHERE {rows}", self.name, sets.join(", "))
            }
            6 | 7 => format!("DELETE FROM {} WHERE {rows}", self.name),
            _ => {
                let to = self.next;
                self.next += 1;
                format!("UPDATE {} SET k = {to} WHERE k = {}", self.name, 1 + random.below(to as usize))
            }
        }
    }

    /// A change of the table, with what the table is then. It may be done already by a statement whose answer was lost.
    pub fn alter(&self, random: &mut Random) -> Option<(String, Table)> {
        if self.is_keyless {
            // What tells its rows apart is a hash over all of them; such a table is stopped.
            return None;
        }
        let mut after = self.clone();
        let name = &self.name;
        let statement = match random.below(6) {
            0 => format!("ALTER TABLE {name} MODIFY widened BIGINT NOT NULL"),
            1 => {
                set_nullable(&mut after, "optional");
                format!("ALTER TABLE {name} MODIFY optional INT NULL")
            }
            2 => {
                format!("ALTER TABLE {name} MODIFY longer VARCHAR(200) CHARACTER SET latin1 NULL")
            }
            _ => {
                let (kind, default) = ADDED[random.below(ADDED.len())];
                after.added += 1;
                let added = column(&format!("a{}", after.added), kind, random.chance(50));
                let definition = added.definition();
                after.columns.push(added);
                format!("ALTER TABLE {name} ADD COLUMN {definition} DEFAULT {default}")
            }
        };
        Some((statement, after))
    }
}

fn set_nullable(table: &mut Table, name: &str) {
    for column in table.columns.iter_mut().filter(|column| column.name == name) {
        column.nullable = true;
    }
}
