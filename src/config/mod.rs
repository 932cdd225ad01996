//! Flat Debezium and Kafka Connect properties → typed structs, once, with every problem reported together.
//!
//! Two steps. `properties` reads JSON or .properties into a flat map from dotted name to text, each entry with its
//! origin. `define` lists every property that exists (name, type, default, doc, check); `load` checks the map against
//! it; `connector` and `worker` make the structs (of `source` and `worker`) that the rest of the program sees. Past this
//! folder no code compares a string with a property name.

pub mod check;
pub mod choice;
pub mod column_mapper;
mod connector;
pub mod custom_converter;
pub mod define;
pub mod error;
pub mod fallback;
mod load;
pub mod modes;
pub mod nearest;
pub mod pattern;
pub mod problem;
pub mod properties;
pub mod sink;
pub mod snapshot;
pub mod source;
pub mod worker;
