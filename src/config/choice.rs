//! Words of configurations ⇄ the closed sets of `modes`.

use crate::config::modes::{
    BigIntUnsignedHandlingMode, BinaryHandlingMode, DecimalHandlingMode, DigestAlgorithm,
    FailureHandlingMode, NameAdjustmentMode, RowCountOrder, SnapshotLockingMode, SnapshotMode,
    SnapshotValues, SslMode, TemporalPrecisionMode, TransactionBoundary,
};

/// A closed set whose members have names in configurations.
pub trait Choice: Copy + Default + 'static {
    /// The names.
    const WORDS: &'static [(&'static str, Self)];

    /// The member of a name, in any case.
    fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|&(_, member)| member)
    }

    /// The name of a member.
    fn word(self) -> &'static str
    where
        Self: PartialEq,
    {
        Self::WORDS.iter().find(|(_, member)| *member == self).map_or("", |(word, _)| word)
    }
}

impl Choice for TransactionBoundary {
    const WORDS: &'static [(&'static str, Self)] =
        &[("poll", Self::Poll), ("connector", Self::Connector), ("interval", Self::Interval)];
}

impl Choice for DecimalHandlingMode {
    const WORDS: &'static [(&'static str, Self)] =
        &[("precise", Self::Precise), ("double", Self::Double), ("string", Self::String)];
}

impl Choice for BigIntUnsignedHandlingMode {
    const WORDS: &'static [(&'static str, Self)] = &[("long", Self::Long), ("precise", Self::Precise)];
}

impl Choice for TemporalPrecisionMode {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("adaptive_time_microseconds", Self::AdaptiveTimeMicroseconds),
        ("connect", Self::Connect),
        ("isostring", Self::IsoString),
        ("microseconds", Self::Microseconds),
        ("nanoseconds", Self::Nanoseconds),
    ];
}

impl Choice for BinaryHandlingMode {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("bytes", Self::Bytes),
        ("base64", Self::Base64),
        ("base64-url-safe", Self::Base64UrlSafe),
        ("hex", Self::Hex),
    ];
}

impl Choice for SnapshotMode {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("initial", Self::Initial),
        ("initial_only", Self::InitialOnly),
        ("no_data", Self::NoData),
        ("always", Self::Always),
        ("when_needed", Self::WhenNeeded),
        ("recovery", Self::Recovery),
        ("configuration_based", Self::ConfigurationBased),
    ];
}

impl Choice for SnapshotLockingMode {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("minimal", Self::Minimal),
        ("minimal_percona", Self::MinimalPercona),
        ("minimal_percona_no_table_locks", Self::MinimalPerconaNoTableLocks),
        ("extended", Self::Extended),
        ("none", Self::None),
    ];
}

impl Choice for RowCountOrder {
    const WORDS: &'static [(&'static str, Self)] =
        &[("disabled", Self::Disabled), ("ascending", Self::Ascending), ("descending", Self::Descending)];
}

impl Choice for SnapshotValues {
    const WORDS: &'static [(&'static str, Self)] = &[("debezium", Self::Debezium), ("stream", Self::Stream)];
}

impl Choice for SslMode {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("disabled", Self::Disabled),
        ("preferred", Self::Preferred),
        ("required", Self::Required),
        ("verify_ca", Self::VerifyCa),
        ("verify_identity", Self::VerifyIdentity),
    ];
}

impl Choice for NameAdjustmentMode {
    const WORDS: &'static [(&'static str, Self)] =
        &[("none", Self::None), ("avro", Self::Avro), ("avro_unicode", Self::AvroUnicode)];
}

impl Choice for FailureHandlingMode {
    // `ignore` is Debezium's older word for `skip`.
    const WORDS: &'static [(&'static str, Self)] =
        &[("fail", Self::Fail), ("warn", Self::Warn), ("skip", Self::Skip), ("ignore", Self::Skip)];
}

impl Choice for DigestAlgorithm {
    // The standard names first, then the other ones that Java's provider SUN knows them by.
    const WORDS: &'static [(&'static str, Self)] = &[
        ("MD2", Self::Md2),
        ("MD5", Self::Md5),
        ("SHA-1", Self::Sha1),
        ("SHA-224", Self::Sha224),
        ("SHA-256", Self::Sha256),
        ("SHA-384", Self::Sha384),
        ("SHA-512", Self::Sha512),
        ("SHA-512/224", Self::Sha512T224),
        ("SHA-512/256", Self::Sha512T256),
        ("SHA3-224", Self::Sha3T224),
        ("SHA3-256", Self::Sha3T256),
        ("SHA3-384", Self::Sha3T384),
        ("SHA3-512", Self::Sha3T512),
        ("SHA", Self::Sha1),
        ("SHA1", Self::Sha1),
        ("SHA224", Self::Sha224),
        ("SHA256", Self::Sha256),
        ("SHA384", Self::Sha384),
        ("SHA512", Self::Sha512),
        ("SHA512/224", Self::Sha512T224),
        ("SHA512/256", Self::Sha512T256),
    ];
}
