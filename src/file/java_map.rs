//! Kafka Connect's offset file: `java.util.HashMap<byte[], byte[]>` in Java's serialisation.
//!
//! The grammar is that of the Java Object Serialization Specification, chapter 6; here is the part that such a map
//! uses. All numbers are big endian.
//!
//! ```text
//! AC ED 00 05                            magic, version
//! 73                                     an object
//!   72 00 11 "java.util.HashMap"         its class, the first handle (7E 00 00)
//!      05 07 DA C1 C3 16 60 D1 03        serialVersionUID; flags: serialisable, with a writeObject method
//!      00 02  F 00 0A "loadFactor"  I 00 09 "threshold"
//!      78 70                             no annotations, no superclass
//!   3F 40 00 00  00 00 00 0C             loadFactor 0.75, threshold
//!   77 08 00 00 00 10 00 00 00 01        capacity, entries
//!   75 72 00 02 "[B" AC F3 17 F8 06 08 54 E0 02 00 00 78 70   an array of a class described here (7E 00 02) …
//!      00 00 00 02 ..                    … its length and bytes: the key
//!   75 71 00 7E 00 02 00 00 00 02 ..     an array of the class with that handle: the value; 70 is null
//!   78                                   end of what writeObject wrote
//! ```
//!
//! An array that was written before may come as `71` with its handle. The order of entries is by identity in Java, so
//! any order is right; a null key is skipped, as Connect never reads one.

/// A key with its value; a null value is a removed offset.
pub type Entry = (Vec<u8>, Option<Vec<u8>>);

const MAGIC: [u8; 4] = [0xAC, 0xED, 0x00, 0x05];
const NULL: u8 = 0x70;
const REFERENCE: u8 = 0x71;
const CLASS_DESCRIPTION: u8 = 0x72;
const OBJECT: u8 = 0x73;
const ARRAY: u8 = 0x75;
const BLOCK_DATA: u8 = 0x77;
const END_BLOCK_DATA: u8 = 0x78;
const FIRST_HANDLE: u32 = 0x007E_0000;

/// The description of `java.util.HashMap` from its tag to the absent superclass.
const HASH_MAP: &[u8] = b"\x72\x00\x11java.util.HashMap\x05\x07\xDA\xC1\xC3\x16\x60\xD1\x03\x00\x02F\x00\x0AloadFactorI\x00\x09threshold\x78\x70";
/// The description of `byte[]`.
const BYTES: &[u8] = b"\x72\x00\x02[B\xAC\xF3\x17\xF8\x06\x08\x54\xE0\x02\x00\x00\x78\x70";
/// The handle that it gets: the map's class and the map come before it.
const BYTES_HANDLE: u32 = FIRST_HANDLE + 2;

/// The bytes that Java would write.
pub fn write(entries: &[Entry]) -> Vec<u8> {
    let size = u32::try_from(entries.len()).unwrap_or(u32::MAX);
    let mut capacity: u32 = 16;
    while u64::from(size) * 4 > u64::from(capacity) * 3 {
        capacity = capacity.saturating_mul(2);
    }
    // A map that never held anything has no threshold yet.
    let threshold = if size == 0 { 0 } else { capacity / 4 * 3 };
    let mut out = Vec::with_capacity(128);
    out.extend_from_slice(&MAGIC);
    out.push(OBJECT);
    out.extend_from_slice(HASH_MAP);
    out.extend_from_slice(&0.75f32.to_be_bytes());
    out.extend_from_slice(&threshold.to_be_bytes());
    out.extend_from_slice(&[BLOCK_DATA, 8]);
    out.extend_from_slice(&capacity.to_be_bytes());
    out.extend_from_slice(&size.to_be_bytes());
    let mut described = false;
    for (key, value) in entries {
        write_array(&mut out, key, &mut described);
        match value {
            Some(value) => write_array(&mut out, value, &mut described),
            None => out.push(NULL),
        }
    }
    out.push(END_BLOCK_DATA);
    out
}

fn write_array(out: &mut Vec<u8>, bytes: &[u8], described: &mut bool) {
    out.push(ARRAY);
    if *described {
        out.push(REFERENCE);
        out.extend_from_slice(&BYTES_HANDLE.to_be_bytes());
    } else {
        out.extend_from_slice(BYTES);
        *described = true;
    }
    out.extend_from_slice(&u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes());
    out.extend_from_slice(bytes);
}

/// What is wrong with a file, and at which byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// What was found or missed.
    pub problem: &'static str,
    /// Offset of the byte.
    pub at: usize,
}

/// Reads what Java or `write` wrote.
pub fn read(bytes: &[u8]) -> Result<Vec<Entry>, Malformed> {
    let mut reader = Reader { bytes, at: 0, next_handle: FIRST_HANDLE, byte_class: None, arrays: Vec::new() };
    reader.expect(&MAGIC, "the magic of java serialisation is missing")?;
    reader.expect(&[OBJECT], "it does not hold an object")?;
    reader.expect(HASH_MAP, "the object is no java.util.HashMap")?;
    // The class and the object.
    reader.next_handle += 2;
    reader.take(8, "the map has no fields")?;
    reader.expect(&[BLOCK_DATA, 8], "the map has no size")?;
    reader.take(4, "the map has no capacity")?;
    let size = reader.number("the map has no size")?;
    let mut entries = Vec::new();
    for _ in 0..size {
        let key = reader.array()?;
        let value = reader.array()?;
        if let Some(key) = key {
            entries.push((key, value));
        }
    }
    reader.expect(&[END_BLOCK_DATA], "the map does not end")?;
    Ok(entries)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    next_handle: u32,
    byte_class: Option<u32>,
    arrays: Vec<(u32, &'a [u8])>,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize, problem: &'static str) -> Result<&'a [u8], Malformed> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let taken = rest.get(..length).ok_or(Malformed { problem, at: self.at })?;
        self.at += length;
        Ok(taken)
    }

    fn expect(&mut self, wanted: &[u8], problem: &'static str) -> Result<(), Malformed> {
        let at = self.at;
        if self.take(wanted.len(), problem)? == wanted { Ok(()) } else { Err(Malformed { problem, at }) }
    }

    fn number(&mut self, problem: &'static str) -> Result<u32, Malformed> {
        let at = self.at;
        let bytes = self.take(4, problem)?;
        bytes.try_into().map(u32::from_be_bytes).map_err(|_| Malformed { problem, at })
    }

    fn handle(&mut self) -> u32 {
        let handle = self.next_handle;
        self.next_handle = self.next_handle.wrapping_add(1);
        handle
    }

    /// A `byte[]`, or null.
    fn array(&mut self) -> Result<Option<Vec<u8>>, Malformed> {
        let at = self.at;
        match self.take(1, "an entry is missing")? {
            [NULL] => Ok(None),
            [REFERENCE] => {
                let handle = self.number("a handle is cut off")?;
                let known = self.arrays.iter().find(|(own, _)| *own == handle);
                known
                    .map(|(_, bytes)| Some(bytes.to_vec()))
                    .ok_or(Malformed { problem: "a handle means nothing", at })
            }
            [ARRAY] => {
                self.byte_array_class()?;
                let handle = self.handle();
                let length = self.number("a length is cut off")?;
                let bytes =
                    self.take(usize::try_from(length).unwrap_or(usize::MAX), "an entry is cut off")?;
                self.arrays.push((handle, bytes));
                Ok(Some(bytes.to_vec()))
            }
            _ => Err(Malformed { problem: "an entry is no byte array", at }),
        }
    }

    fn byte_array_class(&mut self) -> Result<(), Malformed> {
        const PROBLEM: &str = "an array is not of bytes";
        let at = self.at;
        match self.bytes.get(at) {
            Some(&CLASS_DESCRIPTION) => {
                self.expect(BYTES, PROBLEM)?;
                self.byte_class = Some(self.handle());
                Ok(())
            }
            Some(&REFERENCE) => {
                self.at += 1;
                let handle = self.number("a handle is cut off")?;
                if self.byte_class == Some(handle) { Ok(()) } else { Err(Malformed { problem: PROBLEM, at }) }
            }
            _ => Err(Malformed { problem: PROBLEM, at }),
        }
    }
}

#[cfg(test)]
mod tests;
