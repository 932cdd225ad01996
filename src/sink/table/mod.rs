//! What a MySQL table is in ClickHouse.
//!
//! `mapping` turns one column, as a schema-change record or a record schema describes it, into a `column_type`. `definition`
//! puts the columns, three columns of our own, an engine and a sorting key together and prints the statements; `sorting_key`
//! proves that a key of the user's choice cannot lose or double rows; `adoption` compares all that with a table that is
//! already there, and `evolution` makes it follow what was changed in MySQL. Names reach a statement through `identifier` only.

pub mod adoption;
pub mod column_type;
pub mod comment;
pub mod definition;
pub mod evolution;
pub mod identifier;
pub mod mapping;
pub mod meta_columns;
pub mod sorting_key;
