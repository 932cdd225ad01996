//! MySQL or MariaDB, and which version, from the text of the greeting.

use std::fmt;

/// Which of the two servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerFlavor {
    /// MySQL, Percona Server and what calls itself so.
    MySql,
    /// MariaDB.
    MariaDb,
}

/// A server's version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerVersion {
    /// Which server.
    pub flavor: ServerFlavor,
    /// Major, minor, patch; what is missing is 0.
    pub numbers: (u16, u16, u16),
    /// As the server spells it, without MariaDB's `5.5.5-` prefix.
    pub text: String,
}

impl ServerVersion {
    /// Reads `9.7.4-2`, `5.7.19-log`, `5.5.5-10.11.6-MariaDB-log`. What cannot be read counts as 0.
    pub fn parse(greeting: &str) -> Self {
        let is_maria = greeting.to_ascii_lowercase().contains("mariadb");
        // MariaDB 10 and 11 pretend to be 5.5.5 to old replicas.
        let text = if is_maria { greeting.strip_prefix("5.5.5-").unwrap_or(greeting) } else { greeting };
        let mut parts = text.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().unwrap_or(0));
        let mut next = || parts.next().unwrap_or(0);
        let numbers = (next(), next(), next());
        let flavor = if is_maria { ServerFlavor::MariaDb } else { ServerFlavor::MySql };
        ServerVersion { flavor, numbers, text: text.to_owned() }
    }

    /// Whether it is MySQL of at least this version.
    pub fn is_mysql_from(&self, major: u16, minor: u16, patch: u16) -> bool {
        self.flavor == ServerFlavor::MySql && self.numbers >= (major, minor, patch)
    }

    /// Whether it is MariaDB.
    pub fn is_mariadb(&self) -> bool {
        self.flavor == ServerFlavor::MariaDb
    }
}

impl fmt::Display for ServerVersion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        let cases = [
            ("9.7.4-2", ServerFlavor::MySql, (9, 7, 4)),
            ("8.0.15", ServerFlavor::MySql, (8, 0, 15)),
            ("5.7.19-log", ServerFlavor::MySql, (5, 7, 19)),
            ("8.0.36-28", ServerFlavor::MySql, (8, 0, 36)),
            ("5.5.5-10.11.6-MariaDB-log", ServerFlavor::MariaDb, (10, 11, 6)),
            ("11.8.2-MariaDB-deb13", ServerFlavor::MariaDb, (11, 8, 2)),
            ("5.5.5", ServerFlavor::MySql, (5, 5, 5)),
            ("unknown", ServerFlavor::MySql, (0, 0, 0)),
        ];
        for (text, flavor, numbers) in cases {
            let version = ServerVersion::parse(text);
            assert_eq!((version.flavor, version.numbers), (flavor, numbers), "{text}");
        }
        assert!(ServerVersion::parse("8.4.0").is_mysql_from(8, 2, 0));
        assert!(!ServerVersion::parse("11.8.2-MariaDB").is_mysql_from(8, 2, 0));
    }
}
