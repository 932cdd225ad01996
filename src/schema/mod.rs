//! What tables look like, now and at any past position.

pub mod column;
pub mod ddl;
pub mod history;
pub mod table;
pub mod table_change;
pub mod table_id;
