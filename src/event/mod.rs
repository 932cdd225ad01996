//! Debezium's events: what a change looks like before it is bytes.
//!
//! A row event is an envelope around the row before and after: `table_schema` compiles a version of a table into the
//! schemas of its key, value and envelope with one `value::ColumnConverter` a column; `source_info` prints where the row
//! stood in the log; `envelope` closes the record. The rarer events are owned data: schema changes, transactions,
//! heartbeats. Names of topics and schemas come from `topic_naming` and `name_adjuster`.

pub mod column_operations;
pub mod envelope;
pub mod error;
pub mod headers;
pub mod heartbeat;
pub mod key_header;
pub mod name_adjuster;
pub mod operation;
pub mod record_origin;
pub mod schema_change;
pub mod source_info;
pub mod table_schema;
pub mod topic_naming;
pub mod transaction;
pub mod value;
