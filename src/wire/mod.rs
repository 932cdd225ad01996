//! MySQL's own encodings, read as they stand: bytes become events, events become cells. Pure and synchronous.
//!
//! A *frame* is one binlog event with its header, from a file (`binlog_file`), from the network (the caller's) or out
//! of a compressed transaction (`event::transaction_payload`). `event::EventParser` checks its checksum and makes an
//! `Event<'a>` that borrows the frame. A rows event then is walked with one `cell::CellDecoder` a column, compiled once
//! per table map, and every cell is a `ColumnValue` that lives on the stack. Rows of a result set become the same
//! `ColumnValue` in `result_set`. An update whose image after is not whole is made so first (`after_image`). `decimal` and `jsonb` turn the two packed forms into what records hold.
//!
//! Every read goes through `Reader`, which cannot step outside of its bytes: input of any content gives a value or a
//! `WireError`, never a panic. All integers of MySQL's formats are little endian unless a line says otherwise.

pub mod after_image;
pub mod binlog_file;
pub mod bitmap;
pub mod cell;
pub mod column_type;
pub mod decimal;
pub mod error;
pub mod event;
pub mod jsonb;
pub mod reader;
pub mod result_set;
pub mod row_image;
pub mod rows;

pub use error::WireError;
pub use reader::Reader;
