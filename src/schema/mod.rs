//! What tables look like, now and at any past position.
//!
//! `database_schema` holds the tables in force; a DDL statement goes through `ddl` and comes out as the
//! `schema_change`s that are published and stored; `history` is their stored form and the way back from it. `charset` has
//! the character sets of columns and statements.

pub mod charset;
pub mod column;
pub mod data_type;
pub mod database_schema;
pub mod ddl;
pub mod difference;
pub mod history;
pub mod schema_change;
pub mod table;
pub mod table_change;
pub mod table_id;
pub mod temporal_literal;
