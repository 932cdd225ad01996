//! JSONB, the server's binary form of JSON, as the text that Debezium streams. sql-common/json_binary.h of the server.
//!
//! A document is a type byte and a value. Scalars stand as they are; an array or object begins with its number of
//! elements and its size in bytes, then, for an object, offset and length of each key, then an entry a value: its type,
//! and either an offset or, where it fits, the value itself. All offsets count from the container's first byte, and
//! are 2 bytes wide in a small container, 4 in a large one. Little endian.
//!
//! The text is compact, keys in stored order (by length, then bytes). Integers are exact. A double is what Java prints
//! when that needs no exponent, else its exact decimal expansion. Opaque values (`opaque`) are numbers or strings.
//!
//! Offsets are data from outside: each is checked against its container, containers nest to `MAX_DEPTH` only, and the
//! work is bounded by the document's size, so that overlapping values cannot blow it up.
//!
//! A document that was changed comes as diffs where `binlog_row_value_options=PARTIAL_JSON` says so: `edit` makes the
//! document after the change out of the one before.

mod container;
mod copy;
mod diff;
mod edit;
mod opaque;
mod path;
mod scalar;

pub use edit::DocumentEditor;
pub use scalar::write_double;

use crate::wire::error::WireError;
use crate::wire::jsonb::container::Container;
use crate::wire::reader::Reader;

pub(crate) const READING: &str = "JSON value";
const DIFF: &str = "JSON diff";

/// How deep containers may nest. The server refuses more than 100 levels (`JSON_DOCUMENT_MAX_DEPTH`).
const MAX_DEPTH: u32 = 128;

const fn invalid_diff(problem: &'static str) -> WireError {
    WireError::invalid(DIFF, problem)
}

/// Appends the text of a document. No bytes at all are no document: what they mean is the caller's to say.
pub fn render(document: &[u8], out: &mut Vec<u8>) -> Result<(), WireError> {
    let mut reader = Reader::new(document);
    let kind = reader.u8(READING)?;
    // No byte of a valid document belongs to two values; each costs at most its bytes and its entry.
    let mut renderer = Renderer { out, budget: document.len().saturating_mul(2) };
    renderer.value(kind, reader.rest(), 0)
}

struct Renderer<'o> {
    out: &'o mut Vec<u8>,
    budget: usize,
}

impl Renderer<'_> {
    /// Appends one value; `bytes` begin with it and may go on behind it.
    fn value(&mut self, kind: u8, bytes: &[u8], depth: u32) -> Result<(), WireError> {
        self.spend(1)?;
        match kind {
            scalar::STRING => {
                let text = scalar::sized(&mut Reader::new(bytes))?;
                self.spend(text.len())?;
                scalar::string(text, self.out)
            }
            scalar::OPAQUE => {
                let mut reader = Reader::new(bytes);
                let column_type = reader.u8(READING)?;
                let value = scalar::sized(&mut reader)?;
                self.spend(value.len())?;
                opaque::render(column_type, value, self.out)
            }
            _ => match Container::open(kind, bytes)? {
                Some(container) => self.container(&container, depth),
                None => scalar::number(kind, bytes, self.out),
            },
        }
    }

    fn container(&mut self, container: &Container<'_>, depth: u32) -> Result<(), WireError> {
        if depth >= MAX_DEPTH {
            return Err(WireError::invalid(READING, "it nests too deep"));
        }
        let bytes = container.bytes();
        let (open, close) = if container.is_object() { (b'{', b'}') } else { (b'[', b']') };
        self.out.push(open);
        for index in 0..container.count() {
            if index > 0 {
                self.out.push(b',');
            }
            if container.is_object() {
                let key = bytes.get(container.key(index)?).unwrap_or_default();
                self.spend(key.len())?;
                scalar::string(key, self.out)?;
                self.out.push(b':');
            }
            let (kind, start) = container.value(index)?;
            self.value(kind, bytes.get(start..).unwrap_or_default(), depth + 1)?;
        }
        self.out.push(close);
        Ok(())
    }

    fn spend(&mut self, bytes: usize) -> Result<(), WireError> {
        let left = self.budget.checked_sub(bytes);
        self.budget = left.ok_or(WireError::invalid(READING, "its parts overlap"))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
