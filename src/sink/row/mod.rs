//! From a record to rows: one walk over its text.
//!
//! `wire_form` says in which form the values of a column arrive, `column` turns one value into the cell that the column's
//! encoder takes, and `row_writer` does so for all columns of a change and adds version and deletion. Nothing is built in
//! between: a value goes from the record's text into the bytes of the insert.

pub mod column;
pub mod error;
pub mod json_text;
pub mod row_writer;
pub mod wire_form;
