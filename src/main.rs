//! The `tidewire` binary: arguments in, exit code out.

use std::process::ExitCode;

use tidewire::cli;
use tidewire::cli::commands::TaskCommands;

fn main() -> ExitCode {
    cli::run(std::env::args_os(), &TaskCommands)
}
