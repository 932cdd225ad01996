//! RENAME TABLE: one, several, chains, swaps, to other databases.

use crate::statements::Maker;

impl Maker {
    pub fn rename_table(&mut self) -> String {
        let mut list = self.tables.clone();
        self.chance.shuffle(&mut list);
        let [one, rest @ ..] = list.as_slice() else { return self.other_statement() };
        let from = self.table_name(&one.0, &one.1);
        let word = self.chance.pick(&["TABLE", "TABLES", "table"]);
        let exists = if self.server.is_mariadb() && self.chance.once_in(5) { "IF EXISTS~" } else { "" };
        let (database, name) = self.new_table();
        let to = self.table_name(&database, &name);
        let pairs = match (rest.first(), self.chance.below(4)) {
            // A swap over a third name.
            (Some(other), 0 | 1) => {
                let other_name = self.table_name(&other.0, &other.1);
                format!("{from}~TO~`x_swap`~,~{other_name}~TO~{from},~`x_swap`~TO~{other_name}")
            }
            // A chain: the other one takes the place of the first.
            (Some(other), 2) => {
                let other = self.table_name(&other.0, &other.1);
                format!("{from}~TO~{to},~{other}~TO~{from}")
            }
            _ => format!("{from}~TO~{to}"),
        };
        format!("RENAME~{word}~{exists}{pairs}")
    }
}
