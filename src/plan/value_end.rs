//! The end of a value: operation and processing times, printed once for the rows of an event.

use crate::event::envelope::write_end;
use crate::event::operation::Operation;

/// The end of a value, which is the same for all rows of an event but for those of a changed key.
#[derive(Debug, Default)]
pub(super) struct End {
    of: Option<(Operation, i64)>,
    text: Vec<u8>,
}

impl End {
    /// Appends the end.
    #[inline]
    pub(super) fn write(&mut self, operation: Operation, now_nanos: i64, out: &mut Vec<u8>) {
        if self.of != Some((operation, now_nanos)) {
            self.text.clear();
            write_end(operation, now_nanos, &mut self.text);
            self.of = Some((operation, now_nanos));
        }
        out.extend_from_slice(&self.text);
    }
}
