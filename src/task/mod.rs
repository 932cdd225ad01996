//! Puts the stages together: the life of a connector, the order of commits, and what is tried again.
//!
//! A connector is two threads and a queue. One reads and converts (`source`), the other one publishes to the home that the
//! worker names (Kafka or files) and stores offsets behind what is durable. When the source ends, for whatever reason,
//! what it made is still published and its offset stored. `source_task` is one attempt; `retry` decides what follows it, and
//! `standby` whether this instance or another one runs the connector at all.
//!
//! What is durable at each point of a kill, without Kafka transactions (at least once):
//!
//! | killed … | durable | the next start |
//! |---|---|---|
//! | before the records of a batch are acknowledged | some of them; the offset before the batch | publishes the batch again |
//! | after that, before its offset is stored | all of them; the offset before the batch | publishes the batch again |
//! | after the offset is stored | all of them and the offset | goes on behind it |
//! | between a statement's history record and its schema-change record | the history record; the offset before the statement | reads, stores and publishes the statement again; the history then has it twice, and a recovery does it once |
//! | in the middle of a snapshot | an offset that says `INITIAL`, or none | takes the snapshot again |
//!
//! In Kafka transactions (`exactly.once.source.support=enabled`) every change comes exactly once: `kafka::exactly_once` has that table.
//! Into files every change comes exactly once: the lengths of the record files are stored with the offset and a start cuts
//! the files back to them (`file`).

pub mod decode;
pub mod demo;
pub mod error;
pub mod gathered;
pub mod history;
pub mod home;
pub mod publisher;
pub mod quarantine;
pub mod retry;
pub mod run;
pub mod shutdown;
pub mod sink_task;
pub mod source_task;
pub mod standby;
pub mod topic_store;
pub mod validate;
