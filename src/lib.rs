//! Tidewire: change data capture for MySQL and MariaDB, in Debezium's format.
//!
//! # The data path
//! ```text
//! source  →  schema  →  event  →  plan  →  converter  →  kafka or file
//! reads      knows      shapes    compiles  encodes       stores
//! ```
//! A frame of the binlog (`source::binlog::network_client`) becomes an event (`wire::event`), and the event a change of the
//! position (`offset::context`), of the schema (`schema::ddl`) or rows. Rows go through a plan that was compiled for their
//! table (`plan::row_plan`): one walk over the row image prints key and value into a batch (`plan::row_writer`). Batches wait
//! in a bounded queue (`source::queue`) for the thread that publishes them (`task::publisher`) into their home.
//!
//! # Layers
//! | layer | folders | may import |
//! |---|---|---|
//! | 0 | `certificate`, `error`, `clock`, `fail_point`, `config`, `connect` | each other's error; `fail_point`; `config` also `connect` (the order of Java's maps) |
//! | 1 | `telemetry`, `converter`, `offset` | 0 |
//! | 2 | `wire`, `schema` | 0, 1 |
//! | 3 | `event` | 0 to 2 |
//! | 4 | `plan` | 0 to 3 |
//! | 5 | `source` | 0 to 4 |
//! | 5 | `sink` | `config`, `connect`, `converter`, `event`, `telemetry` |
//! | 6 | `kafka`, `file` | the traits of the layers below |
//! | 7 | `task` | all above |
//! | 8 | `cli` | `config`, `telemetry`, `task` |
//!
//! `tests/tidy` reads every import and fails on a reversed one.
//!
//! # Where to start reading
//! `task::source_task` for the life of a connector, `source::coordinator` for what a start does,
//! `source::binlog::event_handler` for what each event means, `plan` for how a row becomes a record, `offset::context`
//! for what is stored.

pub mod certificate;
pub mod cli;
pub mod clock;
pub mod config;
pub mod connect;
pub mod converter;
pub mod error;
pub mod event;
pub mod fail_point;
pub mod file;
pub mod kafka;
pub mod offset;
pub mod plan;
pub mod schema;
pub mod sink;
pub mod source;
pub mod task;
pub mod telemetry;
pub mod wire;
