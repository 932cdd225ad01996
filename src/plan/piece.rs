//! Constant text that every row has again: the names of its fields.
//!
//! A short text is kept in a block of constant size. The whole block is appended and then cut back to the text, since a
//! copy of constant size is two moves and one of any size is a call.

/// The size of the block.
const BLOCK: usize = 32;

/// A constant text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    block: [u8; BLOCK],
    length: usize,
    /// The text, when it does not fit into a block.
    long: Option<Box<[u8]>>,
}

impl Piece {
    /// Keeps a text.
    pub fn new(text: &[u8]) -> Self {
        let mut block = [0; BLOCK];
        match block.get_mut(..text.len()) {
            Some(start) => {
                start.copy_from_slice(text);
                Piece { block, length: text.len(), long: None }
            }
            None => Piece { block, length: 0, long: Some(text.into()) },
        }
    }

    /// Appends it.
    #[inline]
    pub fn write(&self, out: &mut Vec<u8>) {
        if let Some(long) = &self.long {
            out.extend_from_slice(long);
            return;
        }
        let end = out.len() + self.length;
        out.extend_from_slice(&self.block);
        out.truncate(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_every_length_are_appended() {
        for length in [0, 1, 31, 32, 33, 100] {
            let text: Vec<u8> = (0..length).collect();
            let mut out = b"before".to_vec();
            Piece::new(&text).write(&mut out);
            assert_eq!(out, [b"before".as_slice(), &text].concat());
        }
    }
}
