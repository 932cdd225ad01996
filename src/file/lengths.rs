//! How long each record file was when offsets were stored: the file `<offset file>.lengths`.
//!
//! Offsets and lengths are two files, and two files are not replaced at one instant. So the lengths name the offset
//! file that they belong to, by the checksum of its bytes, and the file holds two *states*: that of the offset file
//! that is there and that of the one that is about to replace it. Whichever of the two a kill leaves, its lengths are
//! known. Should both have the same bytes (records came, but the offset did not move), the later state is right: its
//! records were durable before it was written.
//!
//! ```json
//! {"states":[{"offsets":null,"lengths":{}},{"offsets":"9f0c12aa","lengths":{"shop.orders.jsonl":1402}}]}
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Lengths in bytes by the name of the record file.
pub type Lengths = BTreeMap<String, u64>;

/// The lengths that go with one version of the offset file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The identity of the offset file; `None` while there is none.
    pub offsets: Option<String>,
    /// The files that were made or taken over, with their durable lengths.
    pub lengths: Lengths,
}

/// The file: at most two states, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct States {
    states: Vec<State>,
}

impl States {
    /// One state.
    pub fn of(state: State) -> Self {
        States { states: vec![state] }
    }

    /// The state before and the state after.
    pub fn changing(from: State, to: State) -> Self {
        States { states: vec![from, to] }
    }

    /// The lengths that go with an offset file.
    pub fn find(&self, offsets: Option<&str>) -> Option<&Lengths> {
        self.states.iter().rev().find(|state| state.offsets.as_deref() == offsets).map(|state| &state.lengths)
    }
}

/// What tells one version of the offset file from another: CRC-32 and length, hexadecimal.
pub fn identity(offset_file: &[u8]) -> String {
    format!("{:08x}{:x}", crc32fast::hash(offset_file), offset_file.len())
}
