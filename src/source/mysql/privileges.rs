//! What the account may do, from `SHOW GRANTS`
//! (<https://dev.mysql.com/doc/refman/9.7/en/show-grants.html>).

use std::collections::BTreeSet;

use crate::source::mysql::connection::Connection;
use crate::source::mysql::error::MySqlError;

/// The account's privileges: those on `*.*`, and those on anything narrower.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Privileges {
    global: BTreeSet<String>,
    narrower: BTreeSet<String>,
}

impl Privileges {
    /// `SHOW GRANTS` of the account that the server matched, its active roles included.
    pub fn read(connection: &mut Connection) -> Result<Self, MySqlError> {
        let result = connection.query("SHOW GRANTS")?;
        Ok(Self::parse(result.rows.iter().flatten().flatten().map(String::as_str)))
    }

    /// Reads the statements that `SHOW GRANTS` prints. Grants of roles and REVOKE lines add nothing.
    pub fn parse<'a>(statements: impl IntoIterator<Item = &'a str>) -> Self {
        let mut privileges = Privileges::default();
        for statement in statements {
            let Some((list, rest)) =
                statement.strip_prefix("GRANT ").and_then(|rest| rest.split_once(" ON "))
            else {
                continue;
            };
            let target =
                if rest.starts_with("*.* ") { &mut privileges.global } else { &mut privileges.narrower };
            for name in split_outside_parentheses(list) {
                target.insert(name);
            }
        }
        privileges
    }

    /// Whether it has this privilege on everything. Names are in upper case.
    pub fn has(&self, name: &str) -> bool {
        self.global.contains("ALL PRIVILEGES") || self.global.contains(name)
    }

    /// Whether it has this privilege on something.
    pub fn has_anywhere(&self, name: &str) -> bool {
        self.has(name) || self.narrower.contains("ALL PRIVILEGES") || self.narrower.contains(name)
    }

    /// Whether it may read the binlog as a replica does. MariaDB calls it REPLICATION SLAVE, too.
    pub fn can_replicate(&self) -> bool {
        self.has("REPLICATION SLAVE") || self.has("REPLICATION REPLICA")
    }

    /// Whether it may ask where the binlog ends. SUPER and MariaDB's BINLOG MONITOR (the new name of REPLICATION
    /// CLIENT since 10.5) say so, too.
    pub fn can_see_binlog_status(&self) -> bool {
        ["REPLICATION CLIENT", "BINLOG MONITOR", "SUPER"].iter().any(|name| self.has(name))
    }

    /// Whether it may take the global read lock (`FLUSH TABLES WITH READ LOCK`).
    pub fn can_lock_globally(&self) -> bool {
        self.has("RELOAD") || self.has("FLUSH_TABLES")
    }

    /// Whether it may lock tables, at least some.
    pub fn can_lock_tables(&self) -> bool {
        self.has_anywhere("LOCK TABLES")
    }
}

/// Names, separated by commas, without the column lists that may follow them.
fn split_outside_parentheses(list: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut depth = 0usize;
    for c in list.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => names.push(String::new()),
            c if depth == 0 => {
                if let Some(name) = names.last_mut() {
                    name.push(c.to_ascii_uppercase());
                }
            }
            _ => {}
        }
    }
    names.into_iter().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grants_are_read() {
        let privileges = Privileges::parse([
            "GRANT SELECT, RELOAD, REPLICATION SLAVE ON *.* TO `cdc`@`%`",
            "GRANT FLUSH_TABLES,BACKUP_ADMIN ON *.* TO `cdc`@`%`",
            "GRANT SELECT (`a`, `b`), LOCK TABLES ON `shop`.* TO `cdc`@`%`",
            "GRANT `reader`@`%` TO `cdc`@`%`",
            "REVOKE INSERT ON `shop`.* FROM `cdc`@`%`",
        ]);
        assert!(privileges.has("SELECT") && privileges.can_replicate() && privileges.can_lock_globally());
        assert!(privileges.has("BACKUP_ADMIN") && privileges.can_lock_tables());
        assert!(!privileges.has("LOCK TABLES") && !privileges.can_see_binlog_status());
        assert!(!privileges.has_anywhere("INSERT") && !privileges.has("B"));
    }

    #[test]
    fn all_privileges_are_all() {
        let privileges =
            Privileges::parse(["GRANT ALL PRIVILEGES ON *.* TO 'root'@'localhost' WITH GRANT OPTION"]);
        assert!(
            privileges.can_replicate() && privileges.can_see_binlog_status() && privileges.can_lock_tables()
        );
        let privileges =
            Privileges::parse(["GRANT USAGE ON *.* TO 'a'@'%'", "GRANT ALL PRIVILEGES ON `d`.* TO 'a'@'%'"]);
        assert!(privileges.has_anywhere("SELECT") && !privileges.can_replicate());
    }
}
