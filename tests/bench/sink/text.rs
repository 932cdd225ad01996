//! The same rows by a client that sends text.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use crate::clickhouse::ClickHouse;
use crate::process::Usage;
use crate::records::{DATABASE, Rows};
use crate::{Measured, Result};

/// Rows of a request.
const REQUEST: u64 = 100_000;
/// `INSERT INTO shop.text FORMAT JSONEachRow`, for a URL.
const INSERT: &str = "INSERT%20INTO%20shop.text%20FORMAT%20JSONEachRow";

/// Into a table of the mirror's definition, which is still there.
pub fn measure(server: &ClickHouse, rows: &Rows) -> Result<Measured> {
    server.run(&format!("CREATE TABLE {DATABASE}.text AS {DATABASE}.orders"))?;
    let before = server.cpu()?;
    let (mut wall, mut cpu, mut body) = (Duration::ZERO, Duration::ZERO, String::new());
    let mut next = 1;
    while next <= rows.count {
        body.clear();
        let end = rows.count.min(next + REQUEST - 1);
        (next..=end).for_each(|id| rows.line(id, &mut body));
        next = end + 1;
        let (began, used) = (Instant::now(), thread_cpu());
        server.insert(INSERT, body.as_bytes())?;
        wall += began.elapsed();
        cpu += thread_cpu().saturating_sub(used);
    }
    let server_cpu = server.cpu()?.saturating_sub(before);
    server.compare("text", rows)?;
    Ok(Measured { rows: rows.count, wall, used: Usage { cpu, peak_kib: 0 }, server: server_cpu })
}

/// CPU time of this thread.
fn thread_cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}
