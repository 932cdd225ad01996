//! The arguments of `tidewire sink`.

use clap::{Args, Subcommand};

use crate::cli::arguments::EXIT_CODES;
use crate::cli::arguments::history::ConnectorFiles;

const QUARANTINE_HELP: &str = "\
Print the records that were put aside

With errors.tolerance=all a record that cannot be written is kept in the table _tidewire.quarantine of ClickHouse. Prints
each with its table, topic, partition, offset, version, time and reason, without values.";

const RETRY_HELP: &str = "\
Write the records that were put aside

Writes them with their original versions, so that a row that has changed since keeps its newer value, and deletes them in
the quarantine. What is refused again stays there; then the exit code is 1. The connector may run meanwhile.";

/// `tidewire sink …`.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum SinkCommand {
    /// Print the records that were put aside.
    #[command(long_about = QUARANTINE_HELP, after_help = EXIT_CODES)]
    Quarantine(QuarantineArguments),
    /// Write the records that were put aside.
    #[command(long_about = RETRY_HELP, after_help = EXIT_CODES)]
    RetryQuarantine(QuarantineArguments),
}

/// Arguments of `sink quarantine` and `sink retry-quarantine`.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct QuarantineArguments {
    /// Only this table, as `database.table` in ClickHouse.
    #[arg(long, value_name = "TABLE")]
    pub table: Option<String>,
    /// The connector.
    #[command(flatten)]
    pub files: ConnectorFiles,
}

impl SinkCommand {
    /// Its arguments.
    pub const fn arguments(&self) -> &QuarantineArguments {
        match self {
            SinkCommand::Quarantine(arguments) | SinkCommand::RetryQuarantine(arguments) => arguments,
        }
    }
}
