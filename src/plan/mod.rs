//! Row plans: a table version compiled into what turns its row images into records.
//!
//! For each pair of table version and cell layout (a TABLE_MAP, or the columns of a result set) a [`RowPlan`] is compiled
//! once. It holds for every column the decoder of its cells and the converter of its values, the text between the
//! values (field names, commas), the schemas as text for `schemas.enable=true`, the constant part of the `source` block, and
//! which columns make the key. Making a record then is one walk over the row image: each cell is decoded on the stack
//! and printed behind the pre-rendered text, straight into the batch's buffer. Nothing is allocated for a row.
//!
//! A [`RowWriter`] does the walking. It writes an update as an update first; only when the key cells of the two images
//! differ are the two printed rows taken apart into delete, tombstone and create.
//!
//! Images that do not hold every column have an [`ImagePlan`] of their own, with the text of what is left out between
//! the cells that are there.

pub mod column_types;
pub mod direct;
pub mod error;
pub mod hidden_columns;
pub mod image;
pub mod image_plan;
pub mod piece;
pub mod row_plan;
pub mod row_writer;
mod value_end;
