//! The server that is asked: its sessions, its version, its character sets.

use std::time::Duration;

use tidewire::config::modes::SslMode;
use tidewire::config::source::ConnectionConfig;
use tidewire::source::mysql::Connection;

use crate::Outcome;
use crate::expectation::unhex;
use crate::generate::{hex_literal, text};

/// A server by its name in `tests/run`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    MySql57,
    /// 8.0.15: no invisible columns, no compressed transactions yet.
    MySql80,
    MySql97,
}

/// A character set of the server.
pub struct Charset {
    pub name: String,
    pub collations: Vec<String>,
    /// Characters that it has, of those that labels and defaults are made of.
    pub characters: Vec<char>,
}

/// Where the server is, and what it can do.
pub struct Server {
    pub version: Version,
    pub host: String,
    pub port: u16,
    /// Without `binary`.
    pub charsets: Vec<Charset>,
}

/// Rows of text; None is NULL.
pub type Rows = Vec<Vec<Option<String>>>;

impl Server {
    /// The server of a name, at the address in its variable.
    pub fn named(name: &str) -> Outcome<Self> {
        let version = match name {
            "mysql57" => Version::MySql57,
            "mysql80" => Version::MySql80,
            "mysql97" => Version::MySql97,
            _ => return Err(format!("{name} is none of mysql97, mysql80, mysql57")),
        };
        let variable = format!("TIDEWIRE_{}", name.to_uppercase());
        let address =
            std::env::var(&variable).map_err(|_| format!("{variable} is not set; use tests/run values"))?;
        let (host, port) = address.rsplit_once(':').ok_or_else(|| format!("{variable} is not host:port"))?;
        let port = port.parse().map_err(|_| format!("{variable} has no port"))?;
        let mut server = Server { version, host: host.to_owned(), port, charsets: Vec::new() };
        server.charsets = server.read_charsets()?;
        Ok(server)
    }

    fn read_charsets(&self) -> Outcome<Vec<Charset>> {
        let mut session = Session::open(self)?;
        let rows = session.rows(
            "select character_set_name, collation_name from information_schema.collations
             where character_set_name <> 'binary' order by 1, 2",
        )?;
        let mut charsets: Vec<Charset> = Vec::new();
        for row in rows {
            let [Some(name), Some(collation)] = row.as_slice() else {
                return Err("a character set without a name".to_owned());
            };
            if charsets.last().is_none_or(|last| last.name != *name) {
                let characters = known_characters(&mut session, name)?;
                charsets.push(Charset { name: name.clone(), collations: Vec::new(), characters });
            }
            if let Some(charset) = charsets.last_mut() {
                charset.collations.push(collation.clone());
            }
        }
        Ok(charsets)
    }

    /// The character set of a name.
    pub fn charset(&self, name: &str) -> Option<&Charset> {
        self.charsets.iter().find(|charset| charset.name == name)
    }
}

/// Those candidates that come back from the character set as they were.
fn known_characters(session: &mut Session, charset: &str) -> Outcome<Vec<char>> {
    let candidates = text::candidates(charset);
    let all: String = candidates.iter().collect();
    let answer = session.rows(&format!(
        "select hex(convert(convert(_utf8mb4 {} using {charset}) using utf8mb4))",
        hex_literal(all.as_bytes())
    ))?;
    let answer = answer.into_iter().flatten().next().flatten().and_then(|digits| unhex(&digits));
    let answer = String::from_utf8(answer.ok_or("no answer about characters")?).map_err(|e| e.to_string())?;
    Ok(candidates
        .into_iter()
        .zip(answer.chars())
        .filter(|(one, other)| one == other)
        .map(|(one, _)| one)
        .collect())
}

/// One session of root.
pub struct Session {
    connection: Connection,
}

impl Session {
    pub fn open(server: &Server) -> Outcome<Self> {
        let config = ConnectionConfig {
            hostname: server.host.clone(),
            port: server.port,
            user: "root".to_owned(),
            password: None,
            server_id: 4_001,
            connect_timeout: Duration::from_secs(10),
            keep_alive_interval: Duration::from_secs(60),
            ssl_mode: SslMode::Disabled,
            ssl_ca: None,
            ssl_client: None,
            query_timeout: Duration::from_secs(120),
            initial_statements: Vec::new(),
        };
        let connection = Connection::connect(&config).map_err(|error| error.to_string())?;
        Ok(Session { connection })
    }

    /// Runs a statement that the server must take.
    pub fn run(&mut self, sql: &str) -> Outcome<()> {
        self.attempt(sql).map_err(|error| format!("{error}: {}", shortened(sql, 600)))
    }

    /// Runs a statement that the server may refuse.
    pub fn attempt(&mut self, sql: &str) -> Outcome<()> {
        self.connection.execute(sql).map(|_| ()).map_err(|error| error.to_string())
    }

    /// The rows of a query.
    pub fn rows(&mut self, sql: &str) -> Outcome<Rows> {
        let result = self.connection.query(sql);
        Ok(result.map_err(|error| format!("{error}: {}", shortened(sql, 2000)))?.rows)
    }
}

/// A text for messages, cut to so many characters.
pub fn shortened(text: &str, most: usize) -> String {
    let cut: String = text.chars().take(most).collect();
    if cut.len() < text.len() { format!("{cut}… ({} bytes)", text.len()) } else { cut }
}
