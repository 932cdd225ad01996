//! The arguments of `tidewire history`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::cli::arguments::EXIT_CODES;

const SHOW_HELP: &str = "\
Print the tables as they are believed to be at a position

Reads the connector's schema history as a start would, and prints databases, tables, columns and keys. No server is
asked.";

const VERIFY_HELP: &str = "\
Compare the tables as they are believed to be with the server

Prints each difference with table, column, what is believed, what the server has, and what to do. Only captured tables
are compared. With differences the exit code is 1.";

const COMPACT_HELP: &str = "\
Write an equivalent short history

Writes the tables in force at the connector's stored offset, and the records behind it, to a new topic or file, reads
it back and compares. The connector must be stopped. The old history stays unless --delete-old is given; the
connector uses the new one once its configuration names it. Refuses when the order of a record and the stored offset
is not certain.";

/// `tidewire history …`.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum HistoryCommand {
    /// Print the tables as they are believed to be at a position.
    #[command(long_about = SHOW_HELP, after_help = EXIT_CODES)]
    Show(LookArguments),
    /// Compare the tables as they are believed to be with the server.
    #[command(long_about = VERIFY_HELP, after_help = EXIT_CODES)]
    Verify(LookArguments),
    /// Write an equivalent short history.
    #[command(long_about = COMPACT_HELP, after_help = EXIT_CODES)]
    Compact(CompactArguments),
}

/// The files that name a connector.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct ConnectorFiles {
    /// Kafka Connect worker properties.
    #[arg(long, value_name = "FILE")]
    pub worker: Option<PathBuf>,
    /// A connector configuration, JSON or .properties.
    #[arg(value_name = "CONNECTOR")]
    pub connector: PathBuf,
}

/// Arguments of `history show` and `history verify`.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct LookArguments {
    /// Up to where: `end`, `stored` (the connector's stored offset), FILE:POS of a binlog, or a set of GTIDs.
    #[arg(long, value_name = "POSITION", default_value = "end")]
    pub position: String,
    /// Only tables whose `database.table` matches, as in table.include.list. May be given several times.
    #[arg(long = "table", value_name = "PATTERN")]
    pub tables: Vec<String>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// The connector.
    #[command(flatten)]
    pub files: ConnectorFiles,
}

/// Arguments of `history compact`.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct CompactArguments {
    /// The new topic or file, of the kind of the old one.
    #[arg(long, value_name = "NAME")]
    pub to: String,
    /// Delete the old topic or file once the new one is proved.
    #[arg(long)]
    pub delete_old: bool,
    /// The connector.
    #[command(flatten)]
    pub files: ConnectorFiles,
}

impl HistoryCommand {
    /// The files that it names.
    pub fn files(&self) -> &ConnectorFiles {
        match self {
            HistoryCommand::Show(look) | HistoryCommand::Verify(look) => &look.files,
            HistoryCommand::Compact(compact) => &compact.files,
        }
    }
}
