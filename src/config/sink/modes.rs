//! The closed sets of the sink's configuration.

use crate::config::choice::Choice;
use crate::config::modes::{
    BigIntUnsignedHandlingMode, BinaryHandlingMode, DecimalHandlingMode, TemporalPrecisionMode,
};

/// How the source publishes types that have several forms, by its own properties. Debezium's defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SourceHandling {
    /// `decimal.handling.mode`.
    pub decimal: DecimalHandlingMode,
    /// `bigint.unsigned.handling.mode`.
    pub bigint_unsigned: BigIntUnsignedHandlingMode,
    /// `time.precision.mode`.
    pub temporal: TemporalPrecisionMode,
    /// `binary.handling.mode`.
    pub binary: BinaryHandlingMode,
}

/// `column.nullable`: which columns allow NULL. Key columns never do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum NullableMode {
    /// Those that allow it in MySQL.
    #[default]
    AsSource,
    /// All.
    Always,
    /// None: a NULL that arrives is an error of its row.
    Never,
}

impl Choice for NullableMode {
    const WORDS: &'static [(&'static str, Self)] =
        &[("as_source", Self::AsSource), ("always", Self::Always), ("never", Self::Never)];
}

/// `time.handling.mode`: what a TIME becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TimeHandlingMode {
    /// Time64 where the server has it, else microseconds.
    #[default]
    Auto,
    /// Microseconds, as Int64.
    Int64,
    /// The text that MySQL prints.
    String,
}

impl Choice for TimeHandlingMode {
    const WORDS: &'static [(&'static str, Self)] =
        &[("auto", Self::Auto), ("int64", Self::Int64), ("string", Self::String)];
}

/// `dates.out.of.range`: what becomes of a date that the server cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum OutOfRangeMode {
    /// Stored as it is where the server holds the years 0 to 9999, else an error of its row.
    #[default]
    Exact,
    /// The nearest date that the server holds, with the time of day kept; counted.
    Clamp,
    /// NULL; counted. In a column without NULL it is an error of its row.
    Null,
}

impl Choice for OutOfRangeMode {
    const WORDS: &'static [(&'static str, Self)] =
        &[("exact", Self::Exact), ("clamp", Self::Clamp), ("null", Self::Null)];
}

/// `dates.zero`: what stands for a zero date in a column without NULL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ZeroDateMode {
    /// The first date that the server holds: no other row has it by accident.
    #[default]
    Min,
    /// 1970-01-01, as Debezium publishes it.
    Epoch,
}

impl Choice for ZeroDateMode {
    const WORDS: &'static [(&'static str, Self)] = &[("min", Self::Min), ("epoch", Self::Epoch)];
}

/// `table.engine`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TableEngine {
    /// ReplacingMergeTree.
    #[default]
    ReplacingMergeTree,
    /// ReplicatedReplacingMergeTree.
    ReplicatedReplacingMergeTree,
}

impl Choice for TableEngine {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("ReplacingMergeTree", Self::ReplacingMergeTree),
        ("ReplicatedReplacingMergeTree", Self::ReplicatedReplacingMergeTree),
    ];
}

/// `keyless.mode`: what becomes of a table that has neither a primary key nor a unique key without NULL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum KeylessMode {
    /// It is refused with a named error; the other tables go on.
    #[default]
    Refuse,
    /// Every change is a row of its own.
    Append,
    /// The row itself is the key, by its hash. Rows that are alike become one.
    RowHash,
}

impl Choice for KeylessMode {
    const WORDS: &'static [(&'static str, Self)] =
        &[("refuse", Self::Refuse), ("append", Self::Append), ("row_hash", Self::RowHash)];
}
