//! What values look like.

use crate::config::check;
use crate::config::define::{ConfigDef, Kind};

const ADJUSTMENT: Kind = Kind::Word { allowed: &["none", "avro_unicode", "avro"], later: &[] };

/// The rows.
pub(super) const ROWS: &[ConfigDef] = &[
    ConfigDef::with(
        "decimal.handling.mode",
        Kind::Word { allowed: &["string", "double", "precise"], later: &[] },
        "precise",
        "DECIMAL as Connect's Decimal, FLOAT64 or text",
    )
    .medium(),
    ConfigDef::with(
        "bigint.unsigned.handling.mode",
        Kind::Word { allowed: &["precise", "long"], later: &[] },
        "long",
        "BIGINT UNSIGNED as INT64, wrapping above 2^63, or Connect's Decimal",
    )
    .medium(),
    ConfigDef::with(
        "time.precision.mode",
        Kind::Word {
            allowed: &[
                "adaptive",
                "adaptive_time_microseconds",
                "isostring",
                "microseconds",
                "nanoseconds",
                "connect",
            ],
            later: &[],
        },
        "adaptive_time_microseconds",
        "how dates and times are represented",
    )
    .medium()
    .checked(check::TIME_PRECISION),
    ConfigDef::with(
        "binary.handling.mode",
        Kind::Word { allowed: &["bytes", "base64", "hex", "base64-url-safe"], later: &[] },
        "bytes",
        "binary columns as BYTES or as text",
    ),
    ConfigDef::with("enable.time.adjuster", Kind::Boolean, "true", "years of two digits become 1970 to 2069"),
    ConfigDef::with("schema.name.adjustment.mode", ADJUSTMENT, "none", "schema names made valid for Avro"),
    ConfigDef::with("field.name.adjustment.mode", ADJUSTMENT, "none", "field names made valid for Avro"),
    ConfigDef::with("sanitize.field.names", Kind::Boolean, "false", "does nothing in Debezium any more")
        .harmless(),
    ConfigDef::with(
        "event.converting.failure.handling.mode",
        Kind::Word { allowed: &["fail", "warn", "skip"], later: &[] },
        "warn",
        "what happens to a cell that cannot be converted",
    ),
    ConfigDef::with(
        "include.unknown.datatypes",
        Kind::Boolean,
        "false",
        "columns of a type without a mapping as bytes; otherwise they are left out",
    ),
    ConfigDef::with(
        "unavailable.value.placeholder",
        Kind::Text,
        "__debezium_unavailable_value",
        "stands for what the server left out of a row image: a text, or hex: and bytes",
    )
    .checked(check::UNAVAILABLE_PLACEHOLDER),
    ConfigDef::optional(
        "column.truncate.to.*.chars",
        Kind::RegexList,
        "columns cut to a number of characters",
    ),
    ConfigDef::optional("column.mask.with.*.chars", Kind::RegexList, "columns replaced by stars"),
    ConfigDef::optional("column.mask.hash.*", Kind::RegexList, "columns replaced by a salted hash"),
    ConfigDef::optional(
        "column.propagate.source.type",
        Kind::RegexList,
        "columns with the source type in their schema",
    ),
    ConfigDef::optional(
        "datatype.propagate.source.type",
        Kind::RegexList,
        "types with the source type in their schema",
    ),
    ConfigDef::optional("converters", Kind::Text, "names of custom converters"),
    ConfigDef::optional("post.processors", Kind::Text, "names of post processors").not_yet(),
    ConfigDef::optional("post.processors.*", Kind::Text, "properties of a post processor").harmless(),
];
