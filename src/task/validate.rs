//! What a server lacks for a connector: the half of `tidewire validate` that asks the server.

use crate::config::source::SourceConfig;
use crate::source::coordinator::needs;
use crate::source::mysql::connection::Connection;
use crate::source::mysql::error::MySqlError;
use crate::source::mysql::prerequisites::{Finding, check};

/// Everything that is not as a start without a stored offset needs it.
pub fn server_findings(source: &SourceConfig) -> Result<Vec<Finding>, MySqlError> {
    let mut connection = Connection::connect(&source.connection)?;
    check(&mut connection, &needs(source, None))
}
