//! The compression of a batch's records (`compression.type`).
//!
//! gzip and zstd are their own formats, lz4 is its frame format. snappy is raw: Java's client would wrap it in the
//! framing of xerial's library, but every reader takes raw data too, as librdkafka sends it.

use std::io::{self, Read, Write};

use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use lz4_flex::frame::{FrameDecoder, FrameEncoder};

/// The kind, whose number stands in the lowest three bits of a batch's attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// As they are.
    #[default]
    None,
    /// `gzip`.
    Gzip,
    /// `snappy`.
    Snappy,
    /// `lz4`.
    Lz4,
    /// `zstd`, from Kafka 2.1 on.
    Zstd,
}

impl Compression {
    /// By its name in `compression.type`.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "none" => Some(Compression::None),
            "gzip" => Some(Compression::Gzip),
            "snappy" => Some(Compression::Snappy),
            "lz4" => Some(Compression::Lz4),
            "zstd" => Some(Compression::Zstd),
            _ => None,
        }
    }

    /// Its number in the attributes.
    pub fn attribute(self) -> u8 {
        match self {
            Compression::None => 0,
            Compression::Gzip => 1,
            Compression::Snappy => 2,
            Compression::Lz4 => 3,
            Compression::Zstd => 4,
        }
    }

    /// Appends `records` compressed. `level` is that of gzip (0 to 9) or zstd; the others have one way.
    pub fn compress(self, records: &[u8], level: Option<i32>, out: &mut Vec<u8>) -> io::Result<()> {
        match self {
            Compression::None => out.extend_from_slice(records),
            Compression::Gzip => {
                let level = level.and_then(|level| u32::try_from(level).ok()).filter(|level| *level <= 9);
                let level = level.map_or_else(flate2::Compression::default, flate2::Compression::new);
                let mut encoder = GzEncoder::new(out, level);
                encoder.write_all(records)?;
                encoder.finish()?;
            }
            Compression::Snappy => {
                let compressed = snap::raw::Encoder::new().compress_vec(records).map_err(io::Error::other)?;
                out.extend_from_slice(&compressed);
            }
            Compression::Lz4 => {
                let mut encoder = FrameEncoder::new(out);
                encoder.write_all(records)?;
                encoder.finish().map_err(io::Error::other)?;
            }
            Compression::Zstd => {
                let mut encoder = zstd::Encoder::new(out, level.unwrap_or(zstd::DEFAULT_COMPRESSION_LEVEL))?;
                encoder.write_all(records)?;
                encoder.finish()?;
            }
        }
        Ok(())
    }

    /// What `compress` was given.
    pub fn decompress(self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut records = Vec::new();
        match self {
            Compression::None => records.extend_from_slice(bytes),
            Compression::Gzip => drop(GzDecoder::new(bytes).read_to_end(&mut records)?),
            Compression::Snappy => {
                records = snap::raw::Decoder::new().decompress_vec(bytes).map_err(io::Error::other)?;
            }
            Compression::Lz4 => drop(FrameDecoder::new(bytes).read_to_end(&mut records)?),
            Compression::Zstd => drop(zstd::Decoder::new(bytes)?.read_to_end(&mut records)?),
        }
        Ok(records)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_comes_back() {
        let records = b"records records records ".repeat(1000);
        for name in ["none", "gzip", "snappy", "lz4", "zstd"] {
            let kind = Compression::named(name).unwrap();
            let mut compressed = Vec::new();
            kind.compress(&records, None, &mut compressed).unwrap();
            assert!(kind == Compression::None || compressed.len() < records.len() / 4, "{name}");
            assert_eq!(kind.decompress(&compressed).unwrap(), records, "{name}");
        }
    }
}
