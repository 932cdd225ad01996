//! Debezium's topics into ClickHouse tables.
//!
//! A record is read where it lies (`record`), gets the number that orders it among all changes of its row (`version`), and
//! belongs to a table whose columns were mapped from MySQL's once (`table`). Nothing here opens a connection: these modules
//! say what the table is, what a row is and which of two rows is the newer one.

pub mod record;
pub mod table;
pub mod version;
