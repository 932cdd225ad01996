//! The servers of the test ground.

pub mod database;
