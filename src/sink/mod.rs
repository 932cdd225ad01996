//! Debezium's topics into ClickHouse tables.
//!
//! A record is read where it lies (`record`), gets the number that orders it among all changes of its row (`version`), and
//! belongs to a table whose columns were mapped from MySQL's once (`table`). Its values become the bytes of a row (`row`, with the
//! encoders of `row_binary`); rows go to the server in large inserts, and what it answers says what to do next (`clickhouse`, the
//! only one of them that opens a connection). Up to where a topic is stored, and so may be committed, `consumer` knows.
//! Before anything is written `preflight` says what would stand in the way.

pub mod apply;
pub mod clickhouse;
pub mod consumer;
pub mod preflight;
pub mod record;
pub mod row;
pub mod row_binary;
pub mod table;
pub mod version;
