//! Arrays and objects of JSONB: where their keys and values are.
//!
//! Everything is said in positions counted from the container's first byte, so that whoever edits a document can note
//! them, and whoever prints one can look them up.

use std::ops::Range;

use crate::wire::error::WireError;
use crate::wire::jsonb::{READING, scalar};
use crate::wire::reader::Reader;

/// The type of an object whose numbers have 4 bytes.
pub(super) const LARGE_OBJECT: u8 = 0x01;
/// The type of an array whose numbers have 4 bytes.
pub(super) const LARGE_ARRAY: u8 = 0x03;
const SMALL_OBJECT: u8 = 0x00;
const SMALL_ARRAY: u8 = 0x02;

/// The width of a container's numbers.
#[derive(Clone, Copy, Debug)]
enum Width {
    Small,
    Large,
}

impl Width {
    fn size(self) -> usize {
        match self {
            Width::Small => 2,
            Width::Large => 4,
        }
    }

    #[inline]
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
            Width::Large => is_inlined_in_large(kind),
        }
    }
}

/// Whether a value of this type stands in the entry itself of a container whose numbers have 4 bytes.
pub(super) fn is_inlined_in_large(kind: u8) -> bool {
    matches!(kind, scalar::LITERAL | scalar::INT16 | scalar::UINT16 | scalar::INT32 | scalar::UINT32)
}

/// An array or object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Container<'a> {
    bytes: &'a [u8],
    width: Width,
    is_object: bool,
    count: usize,
}

impl<'a> Container<'a> {
    /// The container that begins at these bytes, which may go on behind it; nothing for a scalar.
    pub(super) fn open(kind: u8, bytes: &'a [u8]) -> Result<Option<Self>, WireError> {
        let (width, is_object) = match kind {
            SMALL_OBJECT => (Width::Small, true),
            LARGE_OBJECT => (Width::Large, true),
            SMALL_ARRAY => (Width::Small, false),
            LARGE_ARRAY => (Width::Large, false),
            _ => return Ok(None),
        };
        let mut reader = Reader::new(bytes);
        let count = width.read(&mut reader)?;
        let size = width.read(&mut reader)?;
        let bytes = Reader::new(bytes).take(size, READING)?;
        let container = Container { bytes, width, is_object, count };
        if container.values_at().saturating_add(count.saturating_mul(width.size() + 1)) > size {
            return Err(WireError::invalid(READING, "a container is too short for its entries"));
        }
        Ok(Some(container))
    }

    /// All its bytes.
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Whether it is an object.
    pub(super) fn is_object(&self) -> bool {
        self.is_object
    }

    /// The number of elements.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The bytes that each element takes besides its key and value.
    pub(super) fn entry_size(&self) -> usize {
        self.width.size() + 1 + if self.is_object { self.width.size() + 2 } else { 0 }
    }

    fn values_at(&self) -> usize {
        let keys = if self.is_object { self.count.saturating_mul(self.width.size() + 2) } else { 0 };
        keys.saturating_add(2 * self.width.size())
    }

    /// Where the key of an element is; empty in an array.
    #[inline]
    pub(super) fn key(&self, index: usize) -> Result<Range<usize>, WireError> {
        if !self.is_object {
            return Ok(0..0);
        }
        let mut reader = self.reader_at(2 * self.width.size() + index * (self.width.size() + 2))?;
        let offset = self.width.read(&mut reader)?;
        let end = offset + usize::from(reader.u16(READING)?);
        if end > self.bytes.len() {
            return Err(WireError::invalid(READING, "a key goes beyond its object"));
        }
        Ok(offset..end)
    }

    /// The type of an element's value, and where the value begins; it may end anywhere before the container does.
    #[inline]
    pub(super) fn value(&self, index: usize) -> Result<(u8, usize), WireError> {
        let entry = self.values_at() + index * (self.width.size() + 1);
        let mut reader = self.reader_at(entry)?;
        let kind = reader.u8(READING)?;
        if self.width.is_inlined(kind) {
            return Ok((kind, entry + 1));
        }
        let offset = self.width.read(&mut reader)?;
        if offset > self.bytes.len() {
            return Err(WireError::invalid(READING, "an offset is beyond its container"));
        }
        Ok((kind, offset))
    }

    fn reader_at(&self, position: usize) -> Result<Reader<'a>, WireError> {
        let rest = self.bytes.get(position..);
        rest.map(Reader::new).ok_or(WireError::invalid(READING, "an entry is beyond its container"))
    }
}

/// The bytes of a value that begins here: those behind its type byte.
pub(super) fn extent(kind: u8, bytes: &[u8]) -> Result<&[u8], WireError> {
    if let Some(container) = Container::open(kind, bytes)? {
        return Ok(container.bytes());
    }
    let mut reader = Reader::new(bytes);
    match kind {
        scalar::STRING => drop(scalar::sized(&mut reader)?),
        scalar::OPAQUE => {
            reader.u8(READING)?;
            scalar::sized(&mut reader)?;
        }
        _ => drop(reader.take(scalar::number_size(kind)?, READING)?),
    }
    let size = bytes.len() - reader.remaining();
    Reader::new(bytes).take(size, READING)
}
