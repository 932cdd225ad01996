//! Flat Debezium and Kafka Connect properties → typed structs, once, with every problem reported together.
//!
//! Two steps. `properties` reads JSON or .properties into a flat map from dotted name to text, each entry with its
//! origin. `define` lists every property that exists (name, type, default, doc, check); `source`, `worker` and the
//! others turn the map into the structs that the rest of the program sees. Past this folder no code compares a string
//! with a property name.

pub mod modes;
pub mod source;
pub mod worker;
