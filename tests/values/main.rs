//! The server is the oracle: `tests/run values SERVER SEED COUNT`.
//!
//! Random tables with columns of every type and character set get random values by inserts, updates and deletes. What one
//! connector streams meanwhile and what another one's snapshot reads at the end must both be what the server's own text
//! says of each cell, under the connector's modes. Rounds follow each other until COUNT cells were compared; the seed gives
//! the same tables, statements and modes again.
//!
//! `server` and `table`, `column` are what is made, `generate` and `workload` make it; `connector` runs the binary;
//! `published` decodes its records by their schemas, `oracle` asks the server, `expectation` says what its answer must look
//! like in a record, `judge` compares.
//!
//! Old temporal formats (before 5.6.4) are not here: no server of today can make such a column.

// Here a panic is how a test fails.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod column;
mod connector;
mod expectation;
mod generate;
mod json;
mod judge;
mod modes;
mod oracle;
mod published;
mod random;
mod round;
mod server;
mod table;
mod value;
mod workload;

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use round::Size;
use server::Server;

/// What can go wrong is for a person to read.
type Outcome<T> = Result<T, String>;

/// Differences of so many tables are printed; all are counted.
const MOST_SHOWN: usize = 40_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            let _ = writeln!(io::stderr(), "values: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all cells that were wanted were compared, and none differs.
fn run(arguments: &[String]) -> Outcome<bool> {
    let [name, seed, count] = arguments else {
        return Err("usage: tests/run values mysql97|mysql80|mysql57 SEED COUNT".to_owned());
    };
    let seed: u64 = seed.parse().map_err(|_| format!("{seed} is no seed"))?;
    let count: usize = count.parse().map_err(|_| format!("{count} is no count of cells"))?;
    let server = Server::named(name)?;
    let mut out = io::stdout().lock();
    let mut say =
        |text: &str| writeln!(out, "{text}").and_then(|()| out.flush()).map_err(|error| error.to_string());
    let (mut cells, mut differences, mut shown) = (0, 0, 0);
    // A round has some 6,000 cells; a server that refuses nearly everything must not be asked for ever.
    let most_rounds = 4 + count / 1000;
    for round in 0..most_rounds as u64 {
        if cells >= count {
            break;
        }
        let left = count - cells;
        let size = Size { tables: 16.min(left / 300 + 2), columns: 20, rows: 20 };
        let began = Instant::now();
        let report = round::run(&server, name, seed, round, size)?;
        cells += report.cells;
        differences += report.differences;
        if shown < MOST_SHOWN {
            say(report.text.trim_end()).map(|()| shown += report.text.len())?;
        }
        say(&format!(
            "round {round}: {} cells, {} differences, {} statements refused, {:.1} s",
            report.cells,
            report.differences,
            report.refused,
            began.elapsed().as_secs_f64()
        ))?;
    }
    if cells < count {
        say(&format!("only {cells} of {count} cells could be compared"))?;
    }
    say(&format!("values: {cells} cells, {differences} differences"))?;
    Ok(differences == 0 && cells >= count)
}
