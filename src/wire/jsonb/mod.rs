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

mod opaque;
mod scalar;

use crate::wire::error::WireError;
use crate::wire::reader::Reader;

pub(crate) const READING: &str = "JSON value";

/// How deep containers may nest. The server refuses more than 100 levels (`JSON_DOCUMENT_MAX_DEPTH`).
const MAX_DEPTH: u32 = 128;

/// Appends the text of a document. No bytes at all are no document: what they mean is the caller's to say.
pub fn render(document: &[u8], out: &mut Vec<u8>) -> Result<(), WireError> {
    let mut reader = Reader::new(document);
    let kind = reader.u8(READING)?;
    // No byte of a valid document belongs to two values; each costs at most its bytes and its entry.
    let mut renderer = Renderer { out, budget: document.len().saturating_mul(2) };
    renderer.value(kind, reader.rest(), 0)
}

/// The width of a container's numbers.
#[derive(Clone, Copy)]
enum Width {
    Small,
    Large,
}

impl Width {
    fn read(self, reader: &mut Reader<'_>) -> Result<usize, WireError> {
        match self {
            Width::Small => reader.u16(READING).map(usize::from),
            Width::Large => Ok(reader.u32(READING)? as usize),
        }
    }

    /// Whether a value of this type stands in the entry itself.
    fn is_inlined(self, kind: u8) -> bool {
        match self {
            Width::Small => matches!(kind, scalar::LITERAL | scalar::INT16 | scalar::UINT16),
            Width::Large => {
                matches!(
                    kind,
                    scalar::LITERAL | scalar::INT16 | scalar::UINT16 | scalar::INT32 | scalar::UINT32
                )
            }
        }
    }
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
            0x00 => self.object(bytes, Width::Small, depth),
            0x01 => self.object(bytes, Width::Large, depth),
            0x02 => self.array(bytes, Width::Small, depth),
            0x03 => self.array(bytes, Width::Large, depth),
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
            _ => scalar::number(kind, bytes, self.out),
        }
    }

    fn object(&mut self, bytes: &[u8], width: Width, depth: u32) -> Result<(), WireError> {
        let (container, count, entries) = open(bytes, width, depth)?;
        let (mut keys, mut values) = (entries, entries);
        let key_entry = match width {
            Width::Small => 4,
            Width::Large => 6,
        };
        values.take(count.saturating_mul(key_entry), READING)?;
        self.out.push(b'{');
        for index in 0..count {
            if index > 0 {
                self.out.push(b',');
            }
            let offset = width.read(&mut keys)?;
            let length = usize::from(keys.u16(READING)?);
            let key = at(container, offset)?.get(..length);
            let key = key.ok_or(WireError::invalid(READING, "a key goes beyond its object"))?;
            self.spend(key.len())?;
            scalar::string(key, self.out)?;
            self.out.push(b':');
            self.entry(container, width, &mut values, depth)?;
        }
        self.out.push(b'}');
        Ok(())
    }

    fn array(&mut self, bytes: &[u8], width: Width, depth: u32) -> Result<(), WireError> {
        let (container, count, mut entries) = open(bytes, width, depth)?;
        self.out.push(b'[');
        for index in 0..count {
            if index > 0 {
                self.out.push(b',');
            }
            self.entry(container, width, &mut entries, depth)?;
        }
        self.out.push(b']');
        Ok(())
    }

    /// Appends the value of the next entry.
    fn entry(
        &mut self,
        container: &[u8],
        width: Width,
        entries: &mut Reader<'_>,
        depth: u32,
    ) -> Result<(), WireError> {
        let kind = entries.u8(READING)?;
        let inlined = entries.peek();
        let offset = width.read(entries)?;
        let value = if width.is_inlined(kind) { inlined } else { at(container, offset)? };
        self.value(kind, value, depth + 1)
    }

    fn spend(&mut self, bytes: usize) -> Result<(), WireError> {
        let left = self.budget.checked_sub(bytes);
        self.budget = left.ok_or(WireError::invalid(READING, "its parts overlap"))?;
        Ok(())
    }
}

/// A container cut to its size, its number of elements, and a reader behind both.
fn open(bytes: &[u8], width: Width, depth: u32) -> Result<(&[u8], usize, Reader<'_>), WireError> {
    if depth >= MAX_DEPTH {
        return Err(WireError::invalid(READING, "it nests too deep"));
    }
    let mut reader = Reader::new(bytes);
    let count = width.read(&mut reader)?;
    let size = width.read(&mut reader)?;
    let container = Reader::new(bytes).take(size, READING)?;
    let mut entries = Reader::new(container);
    width.read(&mut entries)?;
    width.read(&mut entries)?;
    Ok((container, count, entries))
}

/// What stands at an offset of a container.
fn at(container: &[u8], offset: usize) -> Result<&[u8], WireError> {
    container.get(offset..).ok_or(WireError::invalid(READING, "an offset is beyond its container"))
}

#[cfg(test)]
mod tests;
