//! The `tidewire` binary: arguments in, exit code out.

use std::process::ExitCode;

use tidewire::cli::arguments::DemoArguments;
use tidewire::cli::plan::{DecodePlan, RunPlan};
use tidewire::cli::report::Finding;
use tidewire::cli::{self, CommandResult, Commands};
use tidewire::config::source::SourceConfig;

/// What this build can do beside reading configurations.
struct Binary;

/// A command that this build does not have.
#[derive(Debug, thiserror::Error)]
#[error("this build cannot {0}")]
struct NotInThisBuild(&'static str);

impl Commands for Binary {
    fn run(&self, _: RunPlan) -> CommandResult {
        Err(NotInThisBuild("run connectors").into())
    }

    fn server_findings(
        &self,
        _: &SourceConfig,
    ) -> Result<Vec<Finding>, Box<dyn std::error::Error + Send + Sync>> {
        Err(NotInThisBuild("ask servers").into())
    }

    fn decode(&self, _: DecodePlan) -> CommandResult {
        Err(NotInThisBuild("decode binlog files").into())
    }

    fn demo(&self, _: DemoArguments) -> CommandResult {
        Err(NotInThisBuild("show the demonstration").into())
    }
}

fn main() -> ExitCode {
    cli::run(std::env::args_os(), &Binary)
}
