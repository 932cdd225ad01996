//! QUERY: a statement: BEGIN and COMMIT of some engines, DDL, XA commands, and data changes logged as statements.
//! Manual: "QUERY_EVENT"; `Query_event` in libs/mysql/binlog/event/statement_events.h.
//!
//! Body: thread (4), seconds (4), length of the database's name (1), error (2), length of the status variables (2),
//! the status variables (`status_variables`), the database and a zero byte, the statement.

use crate::wire::error::WireError;
use crate::wire::event::status_variables::StatusVariables;
use crate::wire::reader::Reader;

/// A statement with the session variables that it depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryEvent<'a> {
    /// The session's thread.
    pub thread_id: u32,
    /// Seconds that the statement took.
    pub execution_time: u32,
    /// The error with which it ended, 0 for none.
    pub error_code: u16,
    /// The session's variables.
    pub status: StatusVariables<'a>,
    /// The session's current database, in utf8mb3; empty for none.
    pub database: &'a [u8],
    /// The statement, in the session's `character_set_client`.
    pub query: &'a [u8],
}

impl<'a> QueryEvent<'a> {
    pub(super) fn read(mut body: Reader<'a>) -> Result<Self, WireError> {
        const READING: &str = "query event";
        let thread_id = body.u32(READING)?;
        let execution_time = body.u32(READING)?;
        let database = usize::from(body.u8(READING)?);
        let error_code = body.u16(READING)?;
        let variables = usize::from(body.u16(READING)?);
        let status = StatusVariables::read(body.take(variables, "query status variables")?);
        let database = body.take(database, READING)?;
        body.u8(READING)?;
        Ok(QueryEvent { thread_id, execution_time, error_code, status, database, query: body.rest() })
    }
}
