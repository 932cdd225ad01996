//! The compression of a request's body (`Content-Encoding`).
//!
//! Both are formats of their own, not ClickHouse's compressed blocks: `lz4` is LZ4's frame format, `zstd` Zstandard's. A
//! reader takes several frames one after another as one body, so the head of an insert and its rows need not lie together.
//! Manual: "HTTP interface", Compression.

use std::io::{self, Write};

use lz4_flex::frame::{BlockSize, FrameEncoder, FrameInfo};

/// How a body is compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// As it is.
    None,
    /// About 500 MB/s of a core; halves or quarters typical rows.
    #[default]
    Lz4,
    /// Smaller by a third, several times slower. Level 1.
    Zstd,
}

impl Compression {
    /// The value of the header; none for a body as it is.
    pub const fn content_encoding(self) -> Option<&'static str> {
        match self {
            Compression::None => None,
            Compression::Lz4 => Some("lz4"),
            Compression::Zstd => Some("zstd"),
        }
    }

    /// Appends the body that consists of `parts` to `out`.
    pub fn compress(self, parts: &[&[u8]], out: &mut Vec<u8>) -> io::Result<()> {
        match self {
            Compression::None => parts.iter().for_each(|part| out.extend_from_slice(part)),
            Compression::Lz4 => {
                let info = FrameInfo::new().block_size(BlockSize::Max256KB);
                let mut encoder = FrameEncoder::with_frame_info(info, &mut *out);
                for part in parts {
                    encoder.write_all(part)?;
                }
                encoder.finish().map_err(io::Error::other)?;
            }
            Compression::Zstd => {
                let mut encoder = zstd::Encoder::new(&mut *out, 1)?;
                for part in parts {
                    encoder.write_all(part)?;
                }
                encoder.finish()?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn what_is_compressed_is_read_back() {
        let rows = b"a row and a row and a row and ".repeat(50_000);
        let wanted = [b"head".as_slice(), &rows].concat();
        for compression in [Compression::None, Compression::Lz4, Compression::Zstd] {
            let mut body = Vec::new();
            compression.compress(&[b"head", &rows], &mut body).expect("memory");
            let mut read = Vec::new();
            match compression {
                Compression::None => read.clone_from(&body),
                Compression::Lz4 => {
                    lz4_flex::frame::FrameDecoder::new(&body[..])
                        .read_to_end(&mut read)
                        .map(|_| ())
                        .expect("a frame");
                }
                Compression::Zstd => read = zstd::decode_all(&body[..]).expect("a frame"),
            }
            assert_eq!(read, wanted, "{compression:?}");
            assert!(
                compression == Compression::None || body.len() < wanted.len() / 20,
                "{compression:?}: {}",
                body.len()
            );
        }
    }
}
