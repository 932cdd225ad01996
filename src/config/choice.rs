//! Words of configurations ⇄ the closed sets of `modes`.

use crate::config::modes::{
    BigIntUnsignedHandlingMode, BinaryHandlingMode, DecimalHandlingMode, FailureHandlingMode,
    NameAdjustmentMode, SnapshotLockingMode, SnapshotMode, SnapshotValues, SslMode, TemporalPrecisionMode,
};

/// A closed set whose members have names in configurations.
pub trait Choice: Copy + Default + 'static {
    /// The names.
    const WORDS: &'static [(&'static str, Self)];

    /// The member of a name, in any case.
    fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|&(_, member)| member)
    }
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
    const WORDS: &'static [(&'static str, Self)] =
        &[("initial", Self::Initial), ("initial_only", Self::InitialOnly), ("no_data", Self::NoData)];
}

impl Choice for SnapshotLockingMode {
    const WORDS: &'static [(&'static str, Self)] = &[("minimal", Self::Minimal), ("none", Self::None)];
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
