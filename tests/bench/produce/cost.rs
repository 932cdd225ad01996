//! CPU time and instructions of a process.

use std::fs;
use std::process::Command;

/// Ticks of `/proc/self/stat` a second: USER_HZ, 100 on every Linux this runs on.
const TICKS: f64 = 100.0;

/// CPU seconds over all threads, those that ended too.
pub struct CpuTime {
    /// In user mode.
    pub user: f64,
    /// In the kernel.
    pub system: f64,
}

impl CpuTime {
    /// Up to now.
    pub fn of_this_process() -> Result<CpuTime, String> {
        let stat = fs::read_to_string("/proc/self/stat").map_err(|error| error.to_string())?;
        // The second field is the command in parentheses; utime and stime are fields 14 and 15 (proc(5)).
        let fields = stat.rsplit_once(')').map(|(_, rest)| rest).unwrap_or_default();
        let mut numbers = fields.split_ascii_whitespace().skip(11).map(|field| field.parse::<f64>());
        match (numbers.next(), numbers.next()) {
            (Some(Ok(user)), Some(Ok(system))) => Ok(CpuTime { user: user / TICKS, system: system / TICKS }),
            _ => Err("/proc/self/stat is not as expected".to_owned()),
        }
    }

    /// What was spent since `before`.
    pub fn since(&self, before: &CpuTime) -> CpuTime {
        CpuTime { user: self.user - before.user, system: self.system - before.system }
    }
}

/// Counted instructions.
pub struct Instructions {
    /// A message, user mode only.
    pub each: f64,
    /// The counter.
    pub with: &'static str,
}

/// Runs this program under a counter for two counts of messages; the difference is free of start-up.
pub fn instructions_per_message(variant: &str, broker: &str) -> Result<Instructions, String> {
    const FEW: u64 = 20_000;
    const MANY: u64 = 60_000;
    let mut last = String::new();
    for (with, counter) in [("perf", perf as fn(&[String]) -> Result<f64, String>), ("callgrind", callgrind)]
    {
        let count = |messages: u64| {
            let program = std::env::current_exe().map_err(|error| error.to_string())?;
            let program = program.to_string_lossy().into_owned();
            counter(&[program, "--one".into(), variant.to_owned(), broker.to_owned(), messages.to_string()])
        };
        match count(FEW).and_then(|few| Ok((few, count(MANY)?))) {
            Ok((few, many)) => return Ok(Instructions { each: (many - few) / (MANY - FEW) as f64, with }),
            Err(problem) => last = problem,
        }
    }
    Err(last)
}

fn perf(command: &[String]) -> Result<f64, String> {
    let text = stderr_of(Command::new("perf").args(["stat", "-x,", "-e", "instructions:u"]).args(command))?;
    let line = text.lines().find(|line| line.contains("instructions")).ok_or("perf counted nothing")?;
    line.split(',')
        .next()
        .and_then(|count| count.parse().ok())
        .ok_or_else(|| "perf has no counter here".to_owned())
}

fn callgrind(command: &[String]) -> Result<f64, String> {
    let text = stderr_of(
        Command::new("valgrind").args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).args(command),
    )?;
    let line = text.lines().find(|line| line.contains("Collected :")).ok_or("callgrind counted nothing")?;
    let count = line.rsplit(':').next().and_then(|rest| rest.split_ascii_whitespace().next());
    count.and_then(|count| count.parse().ok()).ok_or_else(|| "callgrind counted nothing".to_owned())
}

fn stderr_of(command: &mut Command) -> Result<String, String> {
    let done = command.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&done.stderr).into_owned();
    if done.status.success() { Ok(text) } else { Err(text.lines().last().unwrap_or("it failed").to_owned()) }
}
