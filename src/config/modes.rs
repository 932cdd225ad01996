//! The closed sets of configuration values, named as Debezium names them.

/// `decimal.handling.mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DecimalHandlingMode {
    /// Connect's Decimal: unscaled bytes.
    #[default]
    Precise,
    /// FLOAT64.
    Double,
    /// Plain text at the column's scale.
    String,
}

/// `bigint.unsigned.handling.mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum BigIntUnsignedHandlingMode {
    /// INT64, wrapping above 2^63.
    #[default]
    Long,
    /// Connect's Decimal of scale 0.
    Precise,
}

/// `time.precision.mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TemporalPrecisionMode {
    /// By the column's fractional digits; TIME always in microseconds.
    #[default]
    AdaptiveTimeMicroseconds,
    /// Connect's own logical types, in milliseconds.
    Connect,
    /// ISO 8601 text.
    IsoString,
    /// Microseconds.
    Microseconds,
    /// Nanoseconds.
    Nanoseconds,
}

/// `binary.handling.mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum BinaryHandlingMode {
    /// BYTES.
    #[default]
    Bytes,
    /// Base64 text.
    Base64,
    /// Base64 text with the URL alphabet.
    Base64UrlSafe,
    /// Lower-case hexadecimal text.
    Hex,
}

/// `snapshot.mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SnapshotMode {
    /// Schema and rows when there is no offset, then stream.
    #[default]
    Initial,
    /// Schema and rows when there is no offset, then stop.
    InitialOnly,
    /// Schema only when there is no offset, then stream.
    NoData,
    /// Schema and rows at every start, then stream.
    Always,
    /// Schema and rows when there is no offset or the server no longer has what follows it, then stream.
    WhenNeeded,
    /// Schema only, for a lost schema history; then stream from the stored offset.
    Recovery,
    /// By the flags of `snapshot.mode.configuration.based.*`.
    ConfigurationBased,
}

/// `snapshot.tables.order.by.row.count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum RowCountOrder {
    /// Order of the include list, then of names.
    #[default]
    Disabled,
    /// Small tables first.
    Ascending,
    /// Large tables first.
    Descending,
}

/// `snapshot.locking.mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SnapshotLockingMode {
    /// The global read lock (or locks on the captured tables) while position and views are taken.
    #[default]
    Minimal,
    /// Percona Server's backup lock in its place, or locks on the captured tables.
    MinimalPercona,
    /// The same, but never locks on tables.
    MinimalPerconaNoTableLocks,
    /// The lock is held until all rows are read, for engines without a consistent view.
    Extended,
    /// No lock at all.
    None,
}

/// `transaction.boundary`: where Kafka transactions end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TransactionBoundary {
    /// Behind a batch.
    #[default]
    Poll,
    /// Behind a transaction of the source.
    Connector,
    /// After a time.
    Interval,
}

/// `tidewire.snapshot.values`: how a snapshot spells values that Debezium's snapshot and stream spell differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SnapshotValues {
    /// As Debezium's snapshot does.
    #[default]
    Debezium,
    /// As the stream does.
    Stream,
}

/// `database.ssl.mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SslMode {
    /// Never.
    Disabled,
    /// When the server offers it; its certificate is not checked.
    #[default]
    Preferred,
    /// Always; the certificate is not checked.
    Required,
    /// Always; the certificate must be signed by a trusted authority.
    VerifyCa,
    /// Always; the certificate must also name the host.
    VerifyIdentity,
}

/// `schema.name.adjustment.mode` and `field.name.adjustment.mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum NameAdjustmentMode {
    /// Names stay.
    #[default]
    None,
    /// What Avro refuses becomes `_`.
    Avro,
    /// What Avro refuses becomes `_uXXXX`.
    AvroUnicode,
}

/// `event.processing.failure.handling.mode`, `inconsistent.schema.handling.mode`, `event.converting.failure.handling.mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FailureHandlingMode {
    /// The connector stops.
    #[default]
    Fail,
    /// The event is passed over with a warning.
    Warn,
    /// The event is passed over.
    Skip,
}

/// The algorithms of `column.mask.hash.*`: those of Java's MessageDigest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub enum DigestAlgorithm {
    Md2,
    Md5,
    Sha1,
    Sha224,
    #[default]
    Sha256,
    Sha384,
    Sha512,
    Sha512T224,
    Sha512T256,
    Sha3T224,
    Sha3T256,
    Sha3T384,
    Sha3T512,
}
