//! Databases, and statements that change no table.

use crate::information_schema::quoted;
use crate::statements::{DATABASES, Maker};

impl Maker {
    pub fn database_statement(&mut self) -> String {
        let name = self.chance.pick(&DATABASES);
        let word = self.chance.pick(&["DATABASE", "SCHEMA", "database"]);
        let quoted_name = self.quoted_name(name);
        match self.chance.below(9) {
            0..3 => format!("ALTER {word}~{quoted_name}~{}", self.default_charset()),
            3 => format!("ALTER {word}~{}", self.default_charset()),
            4 | 5 => {
                let options = if self.chance.once_in(2) {
                    format!("~{}", self.default_charset())
                } else {
                    String::new()
                };
                format!("CREATE {word}~IF NOT EXISTS~{quoted_name}{options}")
            }
            6 => {
                let exists = self.chance.pick(&["", "IF EXISTS~"]);
                let other = if name == self.current { DATABASES[1] } else { name };
                let other = if other == self.current { DATABASES[2] } else { other };
                format!("DROP {word}~{exists}{}", self.quoted_name(other))
            }
            7 => {
                let options = self.default_charset();
                format!("CREATE {word}~{quoted_name}~{options}")
            }
            _ => format!("ALTER {word}~{quoted_name}~CHARACTER SET DEFAULT"),
        }
    }

    pub fn view_statement(&mut self) -> String {
        let Some((database, name)) = self.chance.pick_of(&self.tables).cloned() else {
            return self.other_statement();
        };
        let of = self.table_name(&database, &name);
        match (self.chance.below(4), self.chance.pick_of(&self.views).cloned()) {
            (0, Some((database, name))) => format!("DROP VIEW~{}", self.table_name(&database, &name)),
            (1, Some((database, name))) => {
                let view = self.table_name(&database, &name);
                format!("ALTER~ALGORITHM=MERGE~VIEW~{view} AS~SELECT~1 AS x~FROM~{of}")
            }
            _ => {
                let number = self.chance.below(4);
                let words = self.chance.pick(&[
                    "CREATE~VIEW",
                    "CREATE~OR REPLACE~VIEW",
                    "CREATE~ALGORITHM=TEMPTABLE~SQL SECURITY INVOKER~VIEW",
                    "CREATE~OR REPLACE~DEFINER=`root`@`localhost`~VIEW",
                    "CREATE~OR REPLACE~DEFINER = root@localhost~SQL SECURITY DEFINER~VIEW",
                    "CREATE~DEFINER=CURRENT_USER~VIEW",
                ]);
                format!("{words}~v_{number}~AS~SELECT~*~FROM~{of}")
            }
        }
    }

    /// Temporary tables, some with the name of a real one. They leave nothing behind.
    pub fn temporary_table(&mut self) -> String {
        let name = match self.chance.pick_of(&self.tables).cloned() {
            // MariaDB logs the renaming of a temporary table as if it were that of the real one.
            Some((database, name)) if !self.server.is_mariadb() && self.chance.once_in(2) => {
                self.shadowed.push((database.clone(), name.clone()));
                self.table_name(&database, &name)
            }
            _ => "tmp_1".to_owned(),
        };
        let column = self.definition(false);
        match self.chance.below(4) {
            0 => format!("CREATE~TEMPORARY~TABLE~{name}~(q_1~{column})"),
            1 => format!("CREATE~TEMPORARY~TABLE~IF NOT EXISTS~{name}~SELECT~1 AS q_1"),
            2 => format!("DROP~TEMPORARY~TABLE~IF EXISTS~{name}"),
            _ => format!("CREATE~TEMPORARY~TABLE~{name}~LIKE~{name}"),
        }
    }

    /// What no table is changed by.
    pub fn other_statement(&mut self) -> String {
        let table = self.chance.pick_of(&self.tables).cloned();
        let of = match &table {
            Some((database, name)) => self.table_name(database, name),
            None => "nothing".to_owned(),
        };
        let db = quoted(&self.current);
        match self.chance.below(14) {
            // With IGNORE, 5.7 stores geometries of no bytes, which no value can be made of.
            0 if self.server.is_mysql57() => format!("INSERT INTO~{of}~() VALUES ()"),
            0 => format!("INSERT IGNORE INTO~{of}~() VALUES ()"),
            1 => format!("DELETE FROM~{of}"),
            2 => format!("ANALYZE~TABLE~{of}"),
            3 => format!("OPTIMIZE~NO_WRITE_TO_BINLOG~TABLE~{of}"),
            4 => format!("CREATE~TRIGGER~tr_1~BEFORE INSERT~ON~{of}~FOR EACH ROW~SET @x = 'ALTER TABLE; y'"),
            5 => "DROP~TRIGGER~IF EXISTS~tr_1".to_owned(),
            6 => format!(
                "CREATE~PROCEDURE~p_1()~BEGIN~DROP TABLE IF EXISTS {of};~CREATE TABLE zz (a INT);~END"
            ),
            7 => "DROP~PROCEDURE~IF EXISTS~p_1".to_owned(),
            8 => "CREATE~FUNCTION~f_1(x INT)~RETURNS INT~DETERMINISTIC~RETURN x + 1".to_owned(),
            9 => "DROP~FUNCTION~IF EXISTS~f_1".to_owned(),
            10 => format!("CREATE~EVENT~IF NOT EXISTS~e_1~ON SCHEDULE EVERY 1 YEAR~DO~TRUNCATE TABLE {of}"),
            11 => "DROP~EVENT~IF EXISTS~e_1".to_owned(),
            12 => format!("CREATE~USER~IF NOT EXISTS~'follow'@'localhost' /* {db} */"),
            _ => "FLUSH~TABLES".to_owned(),
        }
    }
}
