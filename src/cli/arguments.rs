//! The command line's grammar and its help.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::cli::arguments::history::HistoryCommand;
use crate::cli::arguments::sink::SinkCommand;

pub mod history;
pub mod sink;

const EXIT_CODES: &str = "\
Exit codes:
  0  stopped cleanly
  1  a connector failed for good; a history differs from its server; a record is refused again
  2  arguments or configuration are wrong

Environment:
  TIDEWIRE_LOG  what is logged to standard error: a level (error, warn, info, debug, trace) or target=level,…";

const RUN_HELP: &str = "\
Run connectors until told to stop

A connector file is what Kafka Connect takes: {\"name\": …, \"config\": {…}} or the flat map as JSON, or .properties.
The worker file has Kafka Connect's worker properties. With bootstrap.servers, records, offsets and history are in
Kafka. Without it (or without a worker file) records go to tidewire.file.path: a folder with one file a topic, or -
for standard output, which is the default; offsets go to offset.storage.file.filename.

Placeholders ${env:NAME}, ${file:/path:key} and ${dir:/folder:file} are replaced in values.

SIGINT and SIGTERM stop all connectors; what is read is published and its offset stored. Faults that may go away by
themselves (a lost connection, a broker away) are waited for, as often as errors.max.retries allows.";

const VALIDATE_HELP: &str = "\
Print every problem of a configuration and of its server

Prints every problem at once, each with what it is about, what is expected, what is there, and what to change: in the
files first, then at the server; of a sink at Kafka, in some records of its topics, and at ClickHouse, where a table of
its own is made and dropped again. Warnings and information are no problems. Unknown properties are problems here; `run` only warns of them. The last line is
`validate: ok` or `validate: N problems`, and with problems the exit code is 2.";

const DECODE_HELP: &str = "\
Turn binlog files into records, with no server at all

Reads binlog files in the order given, with no server, and writes the records that a connector of the configuration
would publish. The configuration needs topic.prefix only; what is said about databases, values, events and converters
counts. Tables are known from the schema history file (Debezium's records, one a line), and from the statements in
the binlog itself.";

const DEMO_HELP: &str = "\
Show the records of a small changing shop

Makes a small shop in a MySQL-compatible server, changes it, and prints the records and a summary. The user needs to
create a database and to replicate. With --kafka and --clickhouse the shop is mirrored: both sides are shown while it
changes, and compared row by row at the end. The database tidewire_demo of both servers is made anew.";

/// Change data capture for MySQL and MariaDB: Debezium's records, offsets and history from one binary.
#[derive(Debug, Parser)]
#[command(name = "tidewire", version, after_help = EXIT_CODES, max_term_width = 120)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum Command {
    /// Run connectors until told to stop.
    #[command(long_about = RUN_HELP, after_help = EXIT_CODES)]
    Run(RunArguments),
    /// Print every problem of a configuration and of its server.
    #[command(long_about = VALIDATE_HELP, after_help = EXIT_CODES)]
    Validate(ValidateArguments),
    /// Turn binlog files into records, with no server at all.
    #[command(long_about = DECODE_HELP, after_help = EXIT_CODES)]
    Decode(DecodeArguments),
    /// Look at a connector's schema history: show, verify, compact.
    #[command(subcommand, after_help = EXIT_CODES)]
    History(HistoryCommand),
    /// Look at the records that a sink has put aside, and write them.
    #[command(subcommand, after_help = EXIT_CODES)]
    Sink(SinkCommand),
    /// Show the records of a small changing shop.
    #[command(long_about = DEMO_HELP, after_help = EXIT_CODES)]
    Demo(DemoArguments),
}

/// Arguments of `run`.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct RunArguments {
    /// Kafka Connect worker properties.
    #[arg(long, value_name = "FILE")]
    pub worker: Option<PathBuf>,
    /// Connector configurations, JSON or .properties.
    #[arg(required = true, value_name = "CONNECTOR")]
    pub connectors: Vec<PathBuf>,
}

/// Arguments of `validate`.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct ValidateArguments {
    /// Kafka Connect worker properties.
    #[arg(long, value_name = "FILE")]
    pub worker: Option<PathBuf>,
    /// A connector configuration, JSON or .properties.
    #[arg(value_name = "CONNECTOR")]
    pub connector: PathBuf,
}

/// Arguments of `decode`.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct DecodeArguments {
    /// The connector's configuration, JSON or .properties.
    #[arg(long, value_name = "FILE")]
    pub config: PathBuf,
    /// Debezium schema history, one record a line.
    #[arg(long, value_name = "FILE")]
    pub schema_history: Option<PathBuf>,
    /// Where to start: the base name of one of the binlog files and a position in it.
    #[arg(long, value_name = "FILE:POS", value_parser = start_position)]
    pub start_position: Option<StartPosition>,
    /// Binlog files, in order.
    #[arg(required = true, value_name = "BINLOG")]
    pub binlogs: Vec<PathBuf>,
}

/// A place in a binlog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartPosition {
    /// The file's name without a folder.
    pub file: String,
    /// Bytes from its beginning, at least 4.
    pub position: u64,
}

fn start_position(text: &str) -> Result<StartPosition, String> {
    let (file, position) = text.rsplit_once(':').ok_or("expected FILE:POS")?;
    let position: u64 =
        position.parse().map_err(|_| "the position after the last colon is no number".to_owned())?;
    if file.is_empty() || file.contains('/') {
        return Err("the file is the base name of one of the binlog files".to_owned());
    }
    if position < 4 {
        return Err("the first event of a binlog file is at position 4".to_owned());
    }
    Ok(StartPosition { file: file.to_owned(), position })
}

/// Arguments of `demo`.
#[derive(Args, Clone, PartialEq, Eq)]
pub struct DemoArguments {
    /// The server, as HOST:PORT.
    #[arg(long, value_name = "HOST:PORT", value_parser = server_address)]
    pub mysql: ServerAddress,
    /// Its user.
    #[arg(long, value_name = "NAME", default_value = "root")]
    pub user: String,
    /// The user's password is in this environment variable.
    #[arg(long, value_name = "VARIABLE")]
    pub password_env: Option<String>,
    /// Go on until told to stop.
    #[arg(long)]
    pub follow: bool,
    /// Brokers, HOST:PORT,…: mirror the shop into ClickHouse over them.
    #[arg(long, value_name = "HOST:PORT", requires = "clickhouse")]
    pub kafka: Option<String>,
    /// Where ClickHouse is, as http://HOST:PORT (user `default` without a password).
    #[arg(long, value_name = "URL", requires = "kafka", value_parser = clickhouse_url)]
    pub clickhouse: Option<String>,
}

fn clickhouse_url(text: &str) -> Result<String, String> {
    if text.starts_with("http://") || text.starts_with("https://") {
        Ok(text.to_owned())
    } else {
        Err("expected http://HOST:PORT".to_owned())
    }
}

impl std::fmt::Debug for DemoArguments {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "demo {}@{}:{} follow={}", self.user, self.mysql.host, self.mysql.port, self.follow)
    }
}

/// Where a server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerAddress {
    /// Host name or address.
    pub host: String,
    /// Port.
    pub port: u16,
}

fn server_address(text: &str) -> Result<ServerAddress, String> {
    let (host, port) = text.rsplit_once(':').unwrap_or((text, "3306"));
    let port = port.parse().map_err(|_| "the port after the last colon is no number".to_owned())?;
    if host.is_empty() {
        Err("expected HOST:PORT".to_owned())
    } else {
        Ok(ServerAddress { host: host.to_owned(), port })
    }
}

/// Reads the arguments; the first is the program's name. The error holds what to print and the exit code: help and
/// version are errors with code 0.
pub fn parse<I, T>(arguments: I) -> Result<Command, clap::Error>
where
    I: IntoIterator<Item = T>,
    T: Into<OsString> + Clone,
{
    Arguments::try_parse_from(arguments).map(|arguments| arguments.command)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        text.split(' ').collect()
    }

    #[test]
    fn commands_are_read() {
        let run = parse(words("tidewire run --worker w.properties a.json b.json")).expect("valid");
        let expected = RunArguments {
            worker: Some("w.properties".into()),
            connectors: vec!["a.json".into(), "b.json".into()],
        };
        assert_eq!(run, Command::Run(expected));
        let decode = "tidewire decode --config c.json --schema-history h.jsonl --start-position binlog.000002:157 d/binlog.000002";
        let expected = DecodeArguments {
            config: "c.json".into(),
            schema_history: Some("h.jsonl".into()),
            start_position: Some(StartPosition { file: "binlog.000002".to_owned(), position: 157 }),
            binlogs: vec!["d/binlog.000002".into()],
        };
        assert_eq!(parse(words(decode)).expect("valid"), Command::Decode(expected));
        let Ok(Command::Demo(demo)) = parse(words("tidewire demo --mysql localhost:3310 --follow")) else {
            panic!("not read")
        };
        assert_eq!((demo.mysql.host.as_str(), demo.mysql.port, demo.follow), ("localhost", 3310, true));
    }

    #[test]
    fn mistakes_are_code_2_and_help_is_code_0() {
        let cases = [
            ("tidewire", 2),
            ("tidewire run", 2),
            ("tidewire fly", 2),
            ("tidewire decode --config c.json", 2),
            ("tidewire decode --config c.json --start-position x b", 2),
            ("tidewire decode --config c.json --start-position b:3 b", 2),
            ("tidewire decode --config c.json --start-position a/b:4 b", 2),
            ("tidewire --help", 0),
            ("tidewire run --help", 0),
            ("tidewire --version", 0),
        ];
        for (text, code) in cases {
            assert_eq!(parse(words(text)).expect_err(text).exit_code(), code, "{text}");
        }
    }

    #[test]
    fn help_names_the_exit_codes() {
        for text in
            ["tidewire --help", "tidewire run --help", "tidewire validate --help", "tidewire decode --help"]
        {
            let help = parse(words(text)).expect_err(text).to_string();
            assert!(help.contains("1  a connector failed for good"), "{help}");
        }
    }
}
