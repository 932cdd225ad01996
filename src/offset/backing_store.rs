//! Reading what was stored: the seam between a connector that starts and the home of its offsets.
//!
//! Writing goes through `connect::record::RecordHome`, which alone knows when an offset may be stored.

use crate::error::Classify;

/// The stored offsets, as they were when the store was opened (Kafka Connect: `OffsetBackingStore`).
pub trait OffsetBackingStore: Send {
    /// The home's own error.
    type Error: Classify + Send + Sync + 'static;

    /// The value last stored under a key: JSON text under JSON text, such as `["connector",{"server":"prefix"}]`.
    /// The key must have the bytes that Kafka Connect wrote. `None` when there is none or when it was removed.
    fn get(&self, key: &str) -> Result<Option<String>, Self::Error>;
}
