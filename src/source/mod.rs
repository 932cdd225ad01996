//! The MySQL source: what is captured, and the readers of it.

pub mod filters;
