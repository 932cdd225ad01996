//! From records to tables: the task that applies.
//!
//! ```text
//! schema-change topic ──▶ catalog ──▶ target (CREATE, ALTER) ──▶ layout of each description
//!                                                                      │
//! record ──▶ table, version, floor ──▶ row in a batch of its layout ◀──┘
//!                                             │ full, or old enough
//!                                             ▼
//!                                   outbox ──▶ senders ──▶ server
//!                                             │ confirmed
//!                                             ▼
//!                                     records released (`consumer`)
//! ```
//! What is killed at any point is read again from the first record that was not confirmed, and its rows have the same versions: they
//! change nothing. Nothing else has to be remembered, but for what records do not tell (`ledger`): up to where a table was truncated,
//! swept or cleaned, the number of a topic's life, and what its topic may have lost of a table's description. What the comment of a
//! table says is written when it is so.
//!
//! | killed … | the next start |
//! |---|---|
//! | before an insert is confirmed | reads its records again |
//! | between two statements of a schema change | compares with the server and runs those that are left |
//! | between a truncate and its floor | truncates again; what came after it has higher versions and stays |
//! | while a row is put aside | puts it aside again, under the same topic, partition and offset |
//!
//! No record is dropped (R-2). It is stored, or a copy is in `_tidewire.quarantine`, or its table has stopped and its partition is
//! held where it is. A stopped table keeps its partitions from being read on, and no other table.

pub mod applier;
pub mod batch;
pub mod catalog;
pub mod error;
pub mod ledger;
pub mod quarantine;
pub mod record;
pub mod report;
pub mod server;

mod carried;
mod cleanup;
mod delivery;
mod descriptions;
mod erasure;
mod layouts;
mod opening;
mod outbox;
mod refusal;
mod retrying;
mod rows;
mod senders;
mod table;

pub(in crate::sink) mod incarnations;
pub(in crate::sink) mod shapes;
pub(in crate::sink) mod target;
