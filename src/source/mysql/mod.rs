//! What is true of a MySQL or MariaDB server for anyone: the connection, and the facts that it tells about itself.
//!
//! One blocking connection of our own serves metadata queries, snapshot rows and the binlog dump alike. From below:
//! `transport` (TCP, TLS) carries `packet`s; `handshake`, `tls` and `auth` open a `connection`; `result_set` is what
//! its statements give. On top of it stand the facts: `flavor`, `variables`, `position`, `privileges`, and the
//! judgement whether a server can be captured at all, `prerequisites`, and whether another one could take its place,
//! `replication`. Errors and their class are in `error`.

mod auth;
pub mod backoff;
pub mod connection;
pub mod error;
pub mod error_codes;
pub mod field_list;
pub mod flavor;
mod handshake;
mod packet;
mod payload;
pub mod position;
pub mod prerequisites;
pub mod privileges;
pub mod replication;
pub mod result_set;
mod server_error;
mod tls;
pub mod transport;
pub mod variables;

pub use connection::Connection;
pub use error::MySqlError;
