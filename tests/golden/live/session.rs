//! Sessions of the database server, each a client process that runs one statement after the other.

use super::scenario::Step;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Where the server is.
pub struct Server {
    /// The script `tests/servers/servers`.
    pub script: String,
    /// The server's folder.
    pub folder: String,
}

/// No scenario's text has this.
const DELIMITER: &str = ";;END;;";

/// One client session of root with autocommit.
pub struct Session {
    client: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    statements: u64,
}

impl Session {
    pub fn open(server: &Server) -> Result<Self, String> {
        let options = [
            "--batch",
            "--skip-column-names",
            "--unbuffered",
            // The text goes to the server as it is.
            "--binary-mode",
            "--comments",
            // An error is printed and the session stays.
            "--force",
        ];
        let mut client = Command::new("bash")
            .args(["-c", r#"exec "$0" "$@" 2>&1"#, &server.script, "sql", &server.folder])
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| format!("{}: {e}", server.script))?;
        let (Some(mut stdin), Some(stdout)) = (client.stdin.take(), client.stdout.take()) else {
            return Err("a client without pipes".to_owned());
        };
        writeln!(stdin, "delimiter {DELIMITER}").map_err(|e| e.to_string())?;
        Ok(Session { client, stdin, stdout: BufReader::new(stdout), statements: 0 })
    }

    /// Runs one statement; what it printed, or the server's error.
    pub fn run(&mut self, statement: &str) -> Result<Vec<String>, String> {
        self.statements += 1;
        let done = format!("done-{}", self.statements);
        // A comment at the end would swallow a delimiter on its line; elsewhere the text gets no line more than it has.
        let last = statement.lines().last().unwrap_or_default();
        let end = if last.contains("--") || last.contains('#') { "\n" } else { "" };
        write!(self.stdin, "{statement}{end}{DELIMITER}\nselect '{done}'{DELIMITER}\n")
            .and_then(|()| self.stdin.flush())
            .map_err(|e| format!("the client is gone: {e}"))?;
        let mut printed = Vec::new();
        loop {
            let mut line = Vec::new();
            let read = self.stdout.read_until(b'\n', &mut line).map_err(|e| e.to_string())?;
            let line = String::from_utf8_lossy(&line).trim_end().to_owned();
            if read == 0 {
                return Err(format!("the client ended: {}", printed.join(" ")));
            }
            if line == done {
                break;
            }
            printed.push(line);
        }
        match printed.iter().find(|line| line.starts_with("ERROR ")) {
            Some(error) => Err(error.clone()),
            None => Ok(printed),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // The end of its input would end it too; a test that failed does not wait for it.
        let _ = self.client.kill();
        let _ = self.client.wait();
    }
}

/// Runs a part of a scenario; what is not about sessions goes to `other`.
pub fn run_steps(
    server: &Server,
    steps: &[Step],
    mut other: impl FnMut(&Step) -> Result<(), String>,
) -> Result<(), String> {
    let mut sessions = HashMap::from([("main".to_owned(), Session::open(server)?)]);
    let mut current = "main".to_owned();
    let mut fails = false;
    for step in steps {
        match step {
            Step::Session(name) => {
                if !sessions.contains_key(name) {
                    sessions.insert(name.clone(), Session::open(server)?);
                }
                current.clone_from(name);
            }
            Step::Fails => fails = true,
            Step::Sleep(time) => std::thread::sleep(*time),
            Step::Statement(statement) => {
                let session = sessions.get_mut(&current).ok_or("no session")?;
                let start: String = statement.chars().take(120).collect();
                match (session.run(statement), std::mem::take(&mut fails)) {
                    (Ok(_), false) | (Err(_), true) => {}
                    (Ok(_), true) => return Err(format!("should have failed: {start}")),
                    (Err(error), false) => return Err(format!("{error}, in: {start}")),
                }
            }
            _ => other(step)?,
        }
    }
    Ok(())
}
