//! The binlog: frames from a server or a file, made into records event by event.
//!
//! `network_client` and the files of `decode` give frames; `streaming` is the loop over a server's frames;
//! `event_handler` knows what each kind of event means for the position, the transaction, the schema and the records.

pub mod awaited_tables;
pub mod event_handler;
pub mod network_client;
mod resumption;
pub mod rows;
pub mod statement;
pub mod statement_text;
pub mod streaming;
pub mod table_plans;
pub mod transaction;
pub mod xa;
pub mod xa_spill;
mod xa_transactions;
pub mod xid;
