//! The parts of a record's value that are the same for all rows of one event, printed once.

use crate::converter::json::number::write_integer;

/// Printed text around the rows of one rows event (or of one table's snapshot).
///
/// A value reads `{"before":…,"after":…,"source":{…,"row":N,…},"transaction":…,"op":"c","ts_ms":…,"ts_us":…,"ts_ns":…}`. The
/// source block is cut at the row number; the times stand at the end.
#[derive(Clone, Debug, Default)]
pub struct EventFrame {
    /// From `,"source":{` to the colon behind `"row"`.
    pub source_head: Vec<u8>,
    /// What follows the row number, to the closing brace of the block.
    pub source_tail: Vec<u8>,
    /// `,"transaction":{"id":"…","total_order":` inside a transaction with metadata; empty for a null block.
    pub transaction_head: Vec<u8>,
    /// `,"ts_ms":…,"ts_us":…,"ts_ns":…}`: when the connector processed the event.
    pub times: Vec<u8>,
}

impl EventFrame {
    /// Prints the transaction block's head for a transaction id; none leaves the block null.
    pub fn set_transaction(&mut self, id: Option<&str>) {
        self.transaction_head.clear();
        if let Some(id) = id {
            // A GTID or a file with a position: nothing in it needs escaping.
            self.transaction_head.extend_from_slice(b",\"transaction\":{\"id\":\"");
            self.transaction_head.extend_from_slice(id.as_bytes());
            self.transaction_head.extend_from_slice(b"\",\"total_order\":");
        }
    }

    /// Prints the processing times.
    pub fn set_times(&mut self, now_nanos: i64) {
        self.times.clear();
        self.times.extend_from_slice(b",\"ts_ms\":");
        write_integer(now_nanos / 1_000_000, &mut self.times);
        self.times.extend_from_slice(b",\"ts_us\":");
        write_integer(now_nanos / 1_000, &mut self.times);
        self.times.extend_from_slice(b",\"ts_ns\":");
        write_integer(now_nanos, &mut self.times);
        self.times.push(b'}');
    }

    /// Appends everything behind `after`, to the closing brace of the envelope.
    #[inline]
    pub(crate) fn finish(&self, row: u64, op: u8, order: Option<(u64, u64)>, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.source_head);
        write_integer(row.cast_signed(), out);
        out.extend_from_slice(&self.source_tail);
        match order {
            Some((total, in_table)) if !self.transaction_head.is_empty() => {
                out.extend_from_slice(&self.transaction_head);
                write_integer(total.cast_signed(), out);
                out.extend_from_slice(b",\"data_collection_order\":");
                write_integer(in_table.cast_signed(), out);
                out.push(b'}');
            }
            _ => out.extend_from_slice(b",\"transaction\":null"),
        }
        out.extend_from_slice(b",\"op\":\"");
        out.push(op);
        out.push(b'"');
        out.extend_from_slice(&self.times);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_an_envelope_reads_as_debezium_writes_it() {
        let mut frame = EventFrame {
            source_head: br#","source":{"row":"#.to_vec(),
            source_tail: br#","thread":508,"query":null}"#.to_vec(),
            ..EventFrame::default()
        };
        frame.set_times(1_795_984_446_672_681_477);
        let mut out = Vec::new();
        frame.finish(3, b'r', None, &mut out);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            r#","source":{"row":3,"thread":508,"query":null},"transaction":null,"op":"r","ts_ms":1795984446672,"ts_us":1795984446672681,"ts_ns":1795984446672681477}"#
        );
        frame.set_transaction(Some("u:6"));
        let mut out = Vec::new();
        frame.finish(0, b'u', Some((2, 1)), &mut out);
        assert!(String::from_utf8(out).unwrap().contains(
            r#""transaction":{"id":"u:6","total_order":2,"data_collection_order":1},"op":"u""#
        ));
    }
}
