//! Rows in ClickHouse's RowBinary: one value after another, without separators.
//!
//! Chosen among the binary formats because a row is one piece of bytes: it can be dropped for a newer one of its key, put in
//! another order or set aside with its error without touching the rest, and a server needs hardly more time for it than for
//! any other (the specification, 7.2). `header` writes the names and types at the head of a body; `column_writer` is one
//! column compiled from its type; `row_layout` puts the columns together. A value arrives as a `cell`, borrowed from the
//! record. Nothing is allocated for a row.
//!
//! | type | bytes (manual: "RowBinary", data types binary representation) |
//! |---|---|
//! | `Int8…64`, `UInt8…64` | 1, 2, 4, 8, little-endian, two's complement |
//! | `Bool` | 1: 0 or 1 |
//! | `Float32`, `Float64` | 4, 8, IEEE 754, little-endian |
//! | `Decimal(P, S)` | value × 10^S as a signed integer of 4 (P ≤ 9), 8 (≤ 18), 16 (≤ 38) or 32 bytes (≤ 76), little-endian |
//! | `String`, and `JSON` where the insert says so | length as a variable-length integer (LEB128, unsigned), bytes |
//! | `FixedString(N)` | N bytes |
//! | `Date` | days since 1970-01-01, as UInt16 |
//! | `Date32` | days since 1970-01-01, as Int32 |
//! | `DateTime` | seconds since 1970 (UTC), as UInt32, whatever the zone of the column |
//! | `DateTime64(P)`, `Time64(P)` | 10^-P seconds since 1970 (UTC), or of the duration, as Int64 |
//! | `UUID` | the first half as UInt64, then the second, each little-endian |
//! | `IPv4`, `IPv6` | UInt32 little-endian; 16 bytes in network order |
//! | `Array(T)` | count as a variable-length integer, elements |
//! | `Nullable(T)` | 1 for NULL; 0 and the value otherwise |
//! | `LowCardinality(T)` | as T |
//!
//! A test writes values at the bounds of every type, and a server of 26.7 selects them back.

pub mod cell;
pub mod column_writer;
pub mod decimal;
pub mod error;
pub mod header;
pub mod row_layout;
pub mod temporal;
