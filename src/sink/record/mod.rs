//! Debezium's records, read where they lie.
//!
//! `scanner` walks JSON text without building anything: a value is a slice of the record, and only what an encoder asks for is
//! looked at; `words` finds the ends of strings for it, `text` takes off their escapes. `envelope` finds in it the operation, the
//! source block and the rows before and after; `headers` what a record carries beside key and value; `schema_change` reads the
//! rarer records that say what a table is, which are owned data.

pub mod envelope;
pub mod headers;
pub mod scanner;
pub mod schema_change;
pub mod text;

mod words;
