//! How a connector of one round represents values.

use crate::random::Random;

/// `decimal.handling.mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecimalMode {
    Precise,
    Double,
    String,
}

/// `time.precision.mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeMode {
    Adaptive,
    Microseconds,
    Nanoseconds,
    Connect,
    IsoString,
}

/// `binary.handling.mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryMode {
    Bytes,
    Base64,
    Base64UrlSafe,
    Hex,
}

/// The modes of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modes {
    pub decimal: DecimalMode,
    pub time: TimeMode,
    pub binary: BinaryMode,
    /// `bigint.unsigned.handling.mode=precise`.
    pub precise_bigint: bool,
    /// `enable.time.adjuster`.
    pub adjust_years: bool,
    /// `tidewire.snapshot.values=stream`.
    pub snapshot_as_stream: bool,
    /// `value.converter.replace.null.with.default`.
    pub replace_null: bool,
    /// `event.converting.failure.handling.mode=skip` instead of `warn`.
    pub skip_failures: bool,
}

impl Modes {
    /// The modes of a round: the first round of a run has the defaults.
    pub fn random(round: u64, random: &mut Random) -> Self {
        let chosen = Modes {
            decimal: [DecimalMode::Precise, DecimalMode::Double, DecimalMode::String][random.below(3)],
            time: [
                TimeMode::Adaptive,
                TimeMode::Microseconds,
                TimeMode::Nanoseconds,
                TimeMode::Connect,
                TimeMode::IsoString,
            ][random.below(5)],
            binary: [BinaryMode::Bytes, BinaryMode::Base64, BinaryMode::Base64UrlSafe, BinaryMode::Hex]
                [random.below(4)],
            precise_bigint: random.chance(50),
            adjust_years: random.chance(75),
            snapshot_as_stream: random.chance(50),
            replace_null: random.chance(50),
            skip_failures: random.chance(50),
        };
        if round > 0 {
            return chosen;
        }
        Modes {
            decimal: DecimalMode::Precise,
            time: TimeMode::Adaptive,
            binary: BinaryMode::Bytes,
            precise_bigint: false,
            adjust_years: true,
            snapshot_as_stream: false,
            replace_null: true,
            skip_failures: false,
        }
    }

    /// The connector's properties.
    pub fn properties(self) -> Vec<(&'static str, &'static str)> {
        let boolean = |value: bool| if value { "true" } else { "false" };
        vec![
            (
                "decimal.handling.mode",
                match self.decimal {
                    DecimalMode::Precise => "precise",
                    DecimalMode::Double => "double",
                    DecimalMode::String => "string",
                },
            ),
            (
                "time.precision.mode",
                match self.time {
                    TimeMode::Adaptive => "adaptive_time_microseconds",
                    TimeMode::Microseconds => "microseconds",
                    TimeMode::Nanoseconds => "nanoseconds",
                    TimeMode::Connect => "connect",
                    TimeMode::IsoString => "isostring",
                },
            ),
            (
                "binary.handling.mode",
                match self.binary {
                    BinaryMode::Bytes => "bytes",
                    BinaryMode::Base64 => "base64",
                    BinaryMode::Base64UrlSafe => "base64-url-safe",
                    BinaryMode::Hex => "hex",
                },
            ),
            ("bigint.unsigned.handling.mode", if self.precise_bigint { "precise" } else { "long" }),
            ("enable.time.adjuster", boolean(self.adjust_years)),
            ("tidewire.snapshot.values", if self.snapshot_as_stream { "stream" } else { "debezium" }),
            ("value.converter.replace.null.with.default", boolean(self.replace_null)),
            ("event.converting.failure.handling.mode", if self.skip_failures { "skip" } else { "warn" }),
        ]
    }
}
