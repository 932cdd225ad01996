//! The statements of `tests/ddl`: each runs on every server that has it, and is followed.
//!
//! A file holds statements that end with `;` at the end of a line, in groups between empty lines. After each group the
//! believed tables of the databases `ddl_…` are compared with the server's. Directives stand on lines of their own before
//! a statement:
//!
//! - `-- @on mysql97 mariadb`: the servers that accept it; without it all four do. The others are not asked.
//! - `-- @fails`: the server refuses it (or carries out a part of it), and what is left is followed.
//! - `-- @end ;;`: from here on statements end with this at the end of a line.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use tidewire::source::mysql::{Connection, MySqlError};

use crate::believed;
use crate::facts::differences;
use crate::follower::Follower;
use crate::ground::{ALL, Server};
use crate::information_schema::{self, quoted, rows};

/// "Lock wait timeout exceeded; try restarting transaction".
const ER_LOCK_WAIT_TIMEOUT: u16 = 1205;

/// How many groups of a file may differ before it is left.
const MOST_DIFFERENCES: usize = 8;

/// One statement.
#[derive(Debug, PartialEq)]
pub struct Entry {
    pub text: String,
    pub servers: Vec<Server>,
    pub fails: bool,
    /// A group ends with it.
    pub last: bool,
}

/// The files, by name.
pub fn files() -> Result<Vec<PathBuf>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ddl");
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "sql"));
    files.sort();
    if files.is_empty() { Err(format!("{}: no statements", folder.display())) } else { Ok(files) }
}

/// Reads a file.
pub fn entries(text: &str) -> Result<Vec<Entry>, String> {
    let mut out: Vec<Entry> = Vec::new();
    let (mut servers, mut fails, mut end) = (ALL.to_vec(), false, ";".to_owned());
    let mut statement = String::new();
    for line in text.lines() {
        if statement.is_empty() {
            if line.trim().is_empty() {
                if let Some(entry) = out.last_mut() {
                    entry.last = true;
                }
                continue;
            }
            if let Some(directive) = line.strip_prefix("-- @") {
                let (name, argument) = directive.split_once(' ').unwrap_or((directive, ""));
                match name {
                    "on" => {
                        servers = argument.split_whitespace().map(Server::named).collect::<Result<_, _>>()?
                    }
                    "fails" => fails = true,
                    "end" => end = argument.to_owned(),
                    _ => return Err(format!("unknown directive: {line}")),
                }
                continue;
            }
            if line.starts_with("-- ") {
                continue;
            }
        } else {
            statement.push('\n');
        }
        statement.push_str(line);
        if let Some(whole) = statement.strip_suffix(end.as_str()) {
            out.push(Entry { text: whole.to_owned(), servers, fails, last: false });
            (servers, fails) = (ALL.to_vec(), false);
            statement.clear();
        }
    }
    if !statement.is_empty() {
        return Err(format!("a statement without an end: {statement}"));
    }
    if let Some(entry) = out.last_mut() {
        entry.last = true;
    }
    Ok(out)
}

/// All statements that stand in the files.
pub fn count() -> Result<usize, String> {
    files()?.iter().try_fold(0, |count, path| Ok(count + entries(&read(path)?)?.len()))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Runs a statement. One with NOWAIT may come while the server's own threads still have the table.
fn execute(session: &mut Connection, text: &str) -> Result<u64, MySqlError> {
    let mut tries = 1;
    loop {
        match session.execute(text) {
            Err(error) if error.code() == Some(ER_LOCK_WAIT_TIMEOUT) && tries < 50 => tries += 1,
            result => return result,
        }
        thread::sleep(Duration::from_millis(100));
    }
}

/// Runs a file's statements on a server; how many there were.
pub fn run(server: Server, path: &Path) -> Result<usize, String> {
    let entries = entries(&read(path)?)?;
    let mut session = server.connect()?;
    let mut asking = server.connect()?;
    clear(&mut asking)?;
    let mut follower = Follower::start(server)?;
    for sql in ["SET SESSION sql_mode = 'STRICT_TRANS_TABLES'", "CREATE DATABASE ddl_a", "USE ddl_a"] {
        session.execute(sql).map_err(|error| format!("{error}: {sql}"))?;
    }
    let (mut ran, mut found) = (0, Vec::new());
    let mut group: Vec<&str> = Vec::new();
    for entry in &entries {
        if entry.servers.contains(&server) {
            let result = execute(&mut session, &entry.text);
            match (result, entry.fails) {
                (Ok(_), false) | (Err(_), true) => {}
                (Err(error), false) => found.push(format!("{error}\n  {}", entry.text)),
                (Ok(_), true) => found.push(format!("the server accepted\n  {}", entry.text)),
            }
            ran += 1;
            group.push(&entry.text);
        }
        if entry.last && !group.is_empty() {
            match compare(server, &mut follower, &mut asking) {
                Ok(differing) if differing.is_empty() => {}
                Ok(differing) => {
                    found.push(format!("{}\n  after\n  {}", differing.join("\n"), group.join("\n  ")))
                }
                Err(error) => {
                    found.push(format!("{error}\n  after\n  {}", group.join("\n  ")));
                    // The stream ends there.
                    break;
                }
            }
            group.clear();
        }
        if found.len() >= MOST_DIFFERENCES {
            break;
        }
    }
    if !found.is_empty() {
        return Err(format!("{} on {}:\n{}", path.display(), server.name(), found.join("\n")));
    }
    clear(&mut asking)?;
    Ok(ran)
}

fn of_corpus(database: &str) -> bool {
    database.to_lowercase().starts_with("ddl_")
}

fn databases(session: &mut Connection) -> Result<Vec<String>, String> {
    Ok(rows(session, "SHOW DATABASES")?.into_iter().flatten().filter(|name| of_corpus(name)).collect())
}

fn clear(session: &mut Connection) -> Result<(), String> {
    for database in databases(session)? {
        let sql = format!("DROP DATABASE {}", quoted(&database));
        session.execute(&sql).map_err(|error| format!("{error}: {sql}"))?;
    }
    Ok(())
}

fn compare(server: Server, follower: &mut Follower, asking: &mut Connection) -> Result<Vec<String>, String> {
    follower.catch_up(asking)?;
    let databases = databases(asking)?;
    let is = information_schema::tables(asking, server, &databases)?;
    let believed = believed::tables(follower.schema(), server, of_corpus);
    Ok(differences(&believed, &is)
        .into_iter()
        .map(|(table, text)| format!("  table {table}{text}"))
        .collect())
}

/// The reader of files proves itself on a made-up one.
pub fn proof() -> Result<String, String> {
    let text = "-- a title\n\n-- @on mysql97\nCREATE TABLE a (x INT);\n-- @fails\nDROP\n  TABLE b;\n\n-- @end //\nx; y;//\n";
    let entry = |text: &str, servers: &[Server], fails: bool, last: bool| Entry {
        text: text.to_owned(),
        servers: servers.to_vec(),
        fails,
        last,
    };
    let wanted = vec![
        entry("CREATE TABLE a (x INT)", &[Server::MySql97], false, false),
        entry("DROP\n  TABLE b", &ALL, true, true),
        entry("x; y;", &ALL, false, true),
    ];
    match entries(text)? {
        found if found == wanted => Ok(String::new()),
        found => Err(format!("wanted {wanted:?}, found {found:?}")),
    }
}
