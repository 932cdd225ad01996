//! Frames through the event handler into a queue that another thread empties.
//!
//! The statements of the recording are read once; then its transactions come again and again, those of many rows and
//! those of one row apart. The time is that of the thread that reads.

use std::io::Write;
use std::sync::Arc;

use stats_alloc::Region;
use tidewire::config::source::SourceConfig;
use tidewire::source::queue::change_event_queue;
use tidewire::wire::event::{Event, EventKind, EventParser};

use crate::fixture::{Recording, StoredFrame, configuration, empty, handler};
use crate::measure::thread_nanos;
use crate::{ALLOCATOR, Outcome};

/// For the filters.
pub const NAME: &str = "end to end";
/// CPU time of a run, nanoseconds, and how many runs there are.
const RUN: u64 = 60_000_000;
const RUNS: usize = 5;

/// Prints a line for each form of transactions.
pub fn print(recording: &Recording, out: &mut impl Write) -> Outcome<()> {
    writeln!(
        out,
        "{:<28} {:>8} {:>11} {:>10} {:>9} {:>9}",
        NAME, "ns/row", "rows/s", "events/s", "alloc/row", "MB/s"
    )?;
    for schemas in [false, true] {
        let config = configuration(schemas)?;
        for (name, single) in [("transactions of many rows", false), ("transactions of one row", true)] {
            let cost = run(recording, &config, single)?;
            let name = format!("{name}{}", if schemas { ", schemas" } else { "" });
            writeln!(
                out,
                "{name:<28} {:>8.0} {:>11.0} {:>10.0} {:>9.2} {:>9.0}",
                cost.nanos / cost.rows,
                cost.rows * 1e9 / cost.nanos,
                cost.events * 1e9 / cost.nanos,
                cost.allocations / cost.rows,
                cost.bytes * 1e3 / cost.nanos,
            )?;
        }
    }
    Ok(())
}

struct Cost {
    nanos: f64,
    rows: f64,
    events: f64,
    bytes: f64,
    allocations: f64,
}

fn run(recording: &Recording, config: &Arc<SourceConfig>, single: bool) -> Outcome<Cost> {
    let (statements, many, one) = parts(recording)?;
    let frames = if single { one } else { many };
    let rows = count_rows(recording, frames)?;
    let (writer, reader) = change_event_queue(&config.queue);
    std::thread::scope(|scope| {
        scope.spawn(move || empty(&reader));
        let mut handler = handler(config, writer)?;
        for frame in statements {
            handler.handle(&frame.bytes, frame.at)?;
        }
        let mut pass = |passes: usize| -> Outcome<u64> {
            let before = thread_nanos()?;
            for _ in 0..passes {
                for frame in frames {
                    handler.handle(&frame.bytes, frame.at)?;
                }
            }
            Ok(thread_nanos()? - before)
        };
        let mut passes = 1;
        while pass(passes)? < RUN {
            passes *= 2;
        }
        let region = Region::new(ALLOCATOR);
        let mut runs = Vec::with_capacity(RUNS);
        for _ in 0..RUNS {
            runs.push(pass(passes)?);
        }
        let change = region.change();
        runs.sort_unstable();
        let each = |count: usize| (count * passes) as f64;
        Ok(Cost {
            nanos: runs.get(RUNS / 2).copied().unwrap_or_default() as f64,
            rows: each(rows),
            events: each(frames.len()),
            bytes: each(frames.iter().map(|frame| frame.bytes.len()).sum()),
            allocations: (change.allocations + change.reallocations) as f64 / RUNS as f64,
        })
    })
}

/// The frames of the statements, of the transactions of many rows, and of those of one row, in this order in the file.
fn parts(recording: &Recording) -> Outcome<(&[StoredFrame], &[StoredFrame], &[StoredFrame])> {
    let frames = recording.frames.as_slice();
    let gtids = |kind: EventKind| matches!(kind, EventKind::GTID | EventKind::GTID_TAGGED_LOG);
    let starts: Vec<usize> =
        frames.iter().enumerate().filter(|(_, f)| gtids(f.kind)).map(|(at, _)| at).collect();
    // Four statements and nine changes of many rows come before the twenty of one row; a ROTATE ends the file.
    let (Some(first), Some(second)) = (starts.get(4), starts.get(13)) else {
        return Err("a recording of another form".into());
    };
    let end = frames.iter().rposition(|frame| frame.kind == EventKind::XID).ok_or("no transaction")? + 1;
    let (statements, rest) = frames.split_at(*first);
    let (many, rest) = rest.split_at(second - first);
    Ok((statements, many, rest.split_at(end - second).0))
}

fn count_rows(recording: &Recording, frames: &[StoredFrame]) -> Outcome<usize> {
    let mut parser = EventParser::new();
    for frame in recording.frames.iter().take(1) {
        parser.parse(&frame.bytes)?;
    }
    let (mut decoders, mut rows) = (Vec::new(), 0);
    for frame in frames {
        match parser.parse(&frame.bytes)?.1 {
            Event::TableMap(map) => decoders = map.cell_decoders(|_| false)?,
            Event::Rows(event) => {
                let mut cursor = event.cursor(&decoders)?;
                while cursor.has_next() {
                    cursor.skip_row()?;
                    rows += 1;
                }
            }
            _ => {}
        }
    }
    Ok(rows)
}
