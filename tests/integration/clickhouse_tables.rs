//! Tables and rows of the sink on a real server, from the records that the real Debezium wrote (`tests/golden/corpus`).

mod definitions;
mod evolution;
mod golden;
mod rows;
