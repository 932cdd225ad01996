//! Salted digests of texts, as `column.mask.hash.*` publishes them.
//!
//! The digest is taken of the salt's UTF-8 and of the text: of its UTF-8 (`v2`), or of what Java's ObjectOutputStream
//! makes of the String. What a salt leaves behind is kept; a value starts from a copy of it.

use md2::Digest;

use crate::config::column_mapper::{Hash, HashForm};
use crate::config::modes::DigestAlgorithm;
use crate::event::value::column_mapper::java_string;

/// The hexadecimal digits of the longest digest.
const LONGEST: usize = 128;

const HEX: &[u8; 16] = b"0123456789abcdef";

macro_rules! digests {
    ($($variant:ident = $digest:ty,)+) => {
        /// A digest that is being taken. All are plain memory and small, so that none is boxed: a copy allocates nothing.
        #[derive(Clone)]
        #[allow(clippy::large_enum_variant)]
        enum State {
            $($variant($digest),)+
        }

        impl State {
            fn new(algorithm: DigestAlgorithm) -> Self {
                match algorithm {
                    $(DigestAlgorithm::$variant => State::$variant(<$digest>::default()),)+
                }
            }

            fn update(&mut self, bytes: &[u8]) {
                match self {
                    $(State::$variant(state) => state.update(bytes),)+
                }
            }

            fn write_hex(self, hex: &mut [u8; LONGEST]) -> usize {
                match self {
                    $(State::$variant(state) => write_hex(&state.finalize(), hex),)+
                }
            }
        }
    };
}

digests! {
    Md2 = md2::Md2,
    Md5 = md5::Md5,
    Sha1 = sha1::Sha1,
    Sha224 = sha2::Sha224,
    Sha256 = sha2::Sha256,
    Sha384 = sha2::Sha384,
    Sha512 = sha2::Sha512,
    Sha512T224 = sha2::Sha512_224,
    Sha512T256 = sha2::Sha512_256,
    Sha3T224 = sha3::Sha3_224,
    Sha3T256 = sha3::Sha3_256,
    Sha3T384 = sha3::Sha3_384,
    Sha3T512 = sha3::Sha3_512,
}

fn write_hex(digest: &[u8], hex: &mut [u8; LONGEST]) -> usize {
    let nibbles = digest.iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
    for (place, nibble) in hex.iter_mut().zip(nibbles) {
        *place = HEX.get(usize::from(nibble)).copied().unwrap_or_default();
    }
    digest.len() * 2
}

/// The hash of a column.
pub struct ColumnHash {
    salted: State,
    form: HashForm,
    /// Characters that the column holds; the digest ends there.
    length: usize,
}

/// Says nothing of the salt.
impl std::fmt::Debug for ColumnHash {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("ColumnHash").field("form", &self.form).finish_non_exhaustive()
    }
}

impl ColumnHash {
    /// The hash of a column of this length, where one is written.
    pub fn new(hash: &Hash, length: Option<i32>) -> Self {
        let mut salted = State::new(hash.algorithm);
        salted.update(hash.salt.reveal().as_bytes());
        let length = length.and_then(|length| usize::try_from(length).ok()).filter(|length| *length > 0);
        ColumnHash { salted, form: hash.form, length: length.unwrap_or(LONGEST) }
    }

    /// Hands the digest of a text to `use_hex`, in lower-case hexadecimal digits.
    pub fn with_hex<T>(&self, text: &str, use_hex: impl FnOnce(&[u8]) -> T) -> T {
        let mut state = self.salted.clone();
        match self.form {
            HashForm::Utf8 => state.update(text.as_bytes()),
            HashForm::Serialized => java_string::serialize(text, |bytes| state.update(bytes)),
        }
        let mut hex = [0; LONGEST];
        let length = state.write_hex(&mut hex).min(self.length);
        use_hex(hex.get(..length).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::source::Secret;

    fn hex(
        algorithm: DigestAlgorithm,
        salt: &str,
        form: HashForm,
        length: Option<i32>,
        text: &str,
    ) -> String {
        let hash = Hash { algorithm, salt: Secret::new(salt), form };
        ColumnHash::new(&hash, length).with_hex(text, |hex| String::from_utf8_lossy(hex).into_owned())
    }

    /// types_mask_truncate.
    #[test]
    fn hashes_are_those_of_the_reference() {
        use DigestAlgorithm::{Md5, Sha256};
        use HashForm::{Serialized, Utf8};
        for (algorithm, salt, form, length, text, expected) in [
            (
                Sha256,
                "CzQMA0cB5K",
                Serialized,
                Some(100),
                "secret",
                "122e56d6f15256f7a553c665138b101b52d5201a2cd0fd8f61b54c0c28a14efa",
            ),
            (Sha256, "CzQMA0cB5K", Serialized, Some(20), "x", "ba448b6624b4ea72b8dd"),
            (
                Sha256,
                "CzQMA0cB5K",
                Serialized,
                None,
                "",
                "7b061bc77caec9afdc6b986ab6c4de894d58006b32ac0f7ea728404a5cf3a9e5",
            ),
            (
                Sha256,
                "CzQMA0cB5K",
                Serialized,
                Some(100),
                "é日😀",
                "a70b99f8c32ecbe1e0cec2c0fb10ac80a56b5e413b519dac0bd449154e1493a7",
            ),
            (
                Sha256,
                "salt2",
                Utf8,
                Some(255),
                "é日😀",
                "5fc1b01f3a1a3db3881a1be2a99436f501d873820001048cfd1aecbff5b27a78",
            ),
            (Md5, "s", Serialized, Some(64), "md", "5347179702b333d048fe94197cebe361"),
        ] {
            assert_eq!(hex(algorithm, salt, form, length, text), expected, "{algorithm:?} {text}");
        }
    }

    /// RFC 1319 (MD2), RFC 1321 (MD5), and the examples of FIPS 180 and FIPS 202: the digest of `abc`.
    #[test]
    fn digests_are_the_standard_s() {
        use DigestAlgorithm::*;
        for (algorithm, expected) in [
            (Md2, "da853b0d3f88d99b30283a69e6ded6bb"),
            (Md5, "900150983cd24fb0d6963f7d28e17f72"),
            (Sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (Sha224, "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
            (Sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                Sha384,
                "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
            ),
            (
                Sha512,
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
            ),
            (Sha512T224, "4634270f707b6a54daae7530460842e20e37ed265ceee9a43e8924aa"),
            (Sha512T256, "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
            (Sha3T224, "e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf"),
            (Sha3T256, "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
            (
                Sha3T384,
                "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1edf228376d25",
            ),
            (
                Sha3T512,
                "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0",
            ),
        ] {
            assert_eq!(hex(algorithm, "", HashForm::Utf8, None, "abc"), expected, "{algorithm:?}");
            assert_eq!(hex(algorithm, "a", HashForm::Utf8, Some(9), "bc"), &expected[..9], "{algorithm:?}");
        }
    }

    #[test]
    fn a_salt_is_not_shown() {
        let hash =
            Hash { algorithm: DigestAlgorithm::Sha256, salt: Secret::new("pepper"), form: HashForm::Utf8 };
        let column = ColumnHash::new(&hash, None);
        assert!(!format!("{hash:?} {column:?}").contains("pepper"));
    }
}
