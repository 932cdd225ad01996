//! Files as the home of records, offsets and schema history: the embedded mode, without Kafka.
//!
//! `record_line` writes a record as a line of JSON, `record_files` appends the lines to one file a topic, and
//! `java_map` is the format of Kafka Connect's offset file. `store` holds the two together: it makes the records
//! durable, then the lengths of their files, then the offsets, and cuts the files back when it is opened. `home` is what
//! a connector publishes to. `schema_history` is Debezium's FileSchemaHistory.

pub mod error;
pub mod home;
pub mod java_map;
pub mod lengths;
pub mod record_files;
pub mod record_line;
pub mod schema_history;
pub mod shared_store;
pub mod standard_output;
pub mod store;

mod durable;
