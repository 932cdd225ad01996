//! How long a record takes from its timestamp until a SELECT sees it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::broker::{Broker, topic};
use crate::clickhouse::ClickHouse;
use crate::mirror::Mirror;
use crate::records::{DATABASE, Rows, now_ms};
use crate::{LIMIT, Result};

/// Records a second.
pub const PER_SECOND: u64 = 20_000;
const SECONDS: u64 = 30;
/// The topics.
const PHASE: &str = "lag";
/// Between two batches of the producer.
const TICK: Duration = Duration::from_millis(2);
/// Between two looks of the watcher.
const LOOK: Duration = Duration::from_millis(10);

/// What was seen.
pub struct Lag {
    /// Of each record in ms, sorted.
    lags: Vec<u64>,
    /// CPU time of the sink over time.
    pub share: f64,
    pub peak_mb: f64,
}

impl Lag {
    /// A quantile.
    pub fn at(&self, share: f64) -> Duration {
        let last = self.lags.len().saturating_sub(1);
        let at = (last as f64 * share).ceil() as usize;
        Duration::from_millis(self.lags.get(at).copied().unwrap_or(u64::MAX))
    }
}

/// A sink that has found its table is given records at a constant rate.
pub fn measure(mut mirror: Mirror, broker: &Broker, server: &ClickHouse) -> Result<Lag> {
    server.clear()?;
    let rows = Rows::new(PER_SECOND * SECONDS);
    broker.describe(PHASE, &rows)?;
    broker.send(&topic(PHASE), &rows.record(1), None)?;
    broker.flush()?;
    mirror.start()?;
    mirror.wait_for(server, 1)?;

    let (before, began) = (mirror.usage()?, Instant::now());
    let stop = AtomicBool::new(false);
    let (sent, seen) = thread::scope(|scope| {
        let publishing = scope.spawn(|| {
            let sent = publish(broker, &rows, &stop);
            sent.map_err(|error| error.to_string())
        });
        let seen = watch(&mut mirror, server, rows.count);
        stop.store(true, Ordering::Relaxed);
        (publishing.join(), seen)
    });
    let sent = sent.map_err(|_| "the producer panicked")??;
    let seen = seen?;
    let (wall, used) = (began.elapsed(), mirror.usage()?);
    mirror.stop()?;
    server.compare("orders", &rows)?;

    let mut lags = Vec::new();
    let mut looks = seen.iter();
    let mut look = looks.next();
    // The record 1 was there before.
    for (id, sent_ms) in (2..).zip(sent) {
        while look.is_some_and(|(until, _)| *until < id) {
            look = looks.next();
        }
        let (_, seen_ms) = look.ok_or("a record was not seen")?;
        lags.push(seen_ms.saturating_sub(sent_ms));
    }
    lags.sort_unstable();
    let share = used.since(before).cpu.as_secs_f64() / wall.as_secs_f64();
    Ok(Lag { lags, share, peak_mb: used.peak_mb() })
}

/// Publishes the rows from the second on; the timestamp of each.
fn publish(broker: &Broker, rows: &Rows, stop: &AtomicBool) -> Result<Vec<u64>> {
    let topic = topic(PHASE);
    let began = Instant::now();
    let mut sent = Vec::with_capacity(usize::try_from(rows.count)?);
    let mut id = 1;
    while id < rows.count && !stop.load(Ordering::Relaxed) {
        let due = (began.elapsed().as_secs_f64() * PER_SECOND as f64) as u64;
        while id < rows.count && id <= due {
            id += 1;
            let ms = now_ms();
            broker.send(&topic, &rows.record(id), Some(ms))?;
            sent.push(ms);
        }
        broker.poll();
        thread::sleep(TICK);
    }
    let took = began.elapsed().as_secs_f64();
    broker.flush()?;
    if took > SECONDS as f64 * 1.05 {
        return Err(format!(
            "{} records took {took:.1} s: the machine is too busy for this rate",
            rows.count
        )
        .into());
    }
    Ok(sent)
}

/// Up to which number all rows were there, and when that was known, until all of them are.
fn watch(mirror: &mut Mirror, server: &ClickHouse, count: u64) -> Result<Vec<(u64, u64)>> {
    let deadline = Instant::now() + LIMIT;
    let (mut seen, mut until) = (Vec::new(), 1);
    while until < count {
        let behind = format!("SELECT count(), max(id) FROM {DATABASE}.orders WHERE id > {until}");
        let answer = server.run(&behind)?;
        let ms = now_ms();
        let (rows, last) = answer.split_once('\t').ok_or("two numbers are wanted")?;
        let (rows, last): (u64, u64) = (rows.parse()?, last.parse()?);
        // Batches may be stored out of order: a gap closes later, and what is behind it counts as seen then.
        if rows > 0 && last == until + rows {
            until = last;
            seen.push((until, ms));
        }
        if Instant::now() > deadline {
            return Err(format!("{until} of {count} rows are there").into());
        }
        mirror.usage()?;
        thread::sleep(LOOK);
    }
    Ok(seen)
}
