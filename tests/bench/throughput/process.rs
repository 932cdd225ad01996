//! What a process has used, from /proc (proc(5)): its own threads only, not its children.

use crate::Result;
use std::fs;
use std::process::Command;
use std::time::Duration;

/// CPU time so far and the most memory that was resident.
#[derive(Clone, Copy, Debug, Default)]
pub struct Usage {
    pub cpu: Duration,
    /// VmHWM, in KiB.
    pub peak_kib: u64,
}

impl Usage {
    /// Of a live process.
    pub fn of(pid: u32) -> Result<Self> {
        let stat =
            fs::read_to_string(format!("/proc/{pid}/stat")).map_err(|e| format!("process {pid}: {e}"))?;
        // The name in parentheses may hold anything; fields 14 and 15 (utime, stime) are the 12th and 13th after it.
        let fields: Vec<&str> =
            stat.rsplit(')').next().unwrap_or_default().split_ascii_whitespace().collect();
        let ticks =
            |i: usize| fields.get(i).and_then(|f| f.parse::<u64>().ok()).ok_or("unreadable /proc/PID/stat");
        let per_second = Command::new("getconf").arg("CLK_TCK").output()?.stdout;
        let per_second: f64 = String::from_utf8_lossy(&per_second).trim().parse()?;
        let cpu = Duration::from_secs_f64((ticks(11)? + ticks(12)?) as f64 / per_second);
        let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
        let peak = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))
            .ok_or("no VmHWM in /proc/PID/status")?;
        Ok(Usage { cpu, peak_kib: peak.trim().trim_end_matches(" kB").parse()? })
    }

    /// The CPU time since an earlier reading; the peak is the process's own.
    pub fn since(self, earlier: Usage) -> Self {
        Usage { cpu: self.cpu.saturating_sub(earlier.cpu), ..self }
    }

    pub fn peak_mb(&self) -> f64 {
        self.peak_kib as f64 * 1024.0 / 1e6
    }
}
