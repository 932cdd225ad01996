//! What is to be done about an exception of the server, by its code.
//!
//! Three questions: whom does it concern (the server and so every table, one table, or some rows of one insert), may it go
//! away by itself, and what can somebody do. The codes that may go away are those of the specification of the sink and of
//! ClickHouse's own sink for Kafka Connect; whatever is not listed stops its table, since to go on would lose rows. Codes and
//! names are those of ClickHouse's `ErrorCodes.cpp`; a test asks a server for them (`errorCodeToName`).

use crate::error::ErrorClass::{self, Fatal, Retriable};
use crate::sink::clickhouse::treatment::Scope::{Definition, Rows, Server, Table};

/// Whom an exception concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The server or the account: every table waits or stops.
    Server,
    /// One table; the others go on.
    Table,
    /// The definition of one table: what is known of it is old, or the table lacks something. Read it anew once.
    Definition,
    /// Rows of one insert that cannot be stored: the insert is cut until they are found.
    Rows,
}

/// What is to be done about an exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Treatment {
    /// Whom it concerns.
    pub scope: Scope,
    /// Whether it may go away by itself.
    pub class: ErrorClass,
    /// What somebody can do.
    pub remedy: &'static str,
}

/// One row of [`CODES`].
type Code = (u32, &'static str, Scope, ErrorClass, &'static str);

const VALUES: &str =
    "the row is kept apart with its error: change the value at the source or widen the column";
const DEFINITION: &str =
    "give the table the columns and types that the error names, or let the connector make the table";
const TABLE_GONE: &str =
    "make the table again, or restart the connector, which makes the tables that it lacks";
const LOGIN: &str = "correct the user and the password of the connector";
const NETWORK: &str = "check the server and the network to it; the insert is repeated under the same token";
const LOAD: &str = "nothing if it passes; otherwise let the server do less at once, or give it more";
const KEEPER: &str = "check clickhouse keeper and the replicas of the table (system.replicas)";

/// Code, name, and what is done about it; ordered by code.
pub const CODES: &[Code] = &[
    (3, "UNEXPECTED_END_OF_FILE", Server, Retriable, NETWORK),
    (6, "CANNOT_PARSE_TEXT", Rows, Fatal, VALUES),
    (10, "NOT_FOUND_COLUMN_IN_BLOCK", Definition, Fatal, DEFINITION),
    (16, "NO_SUCH_COLUMN_IN_TABLE", Definition, Fatal, DEFINITION),
    (27, "CANNOT_PARSE_INPUT_ASSERTION_FAILED", Rows, Fatal, VALUES),
    (33, "CANNOT_READ_ALL_DATA", Definition, Fatal, DEFINITION),
    (47, "UNKNOWN_IDENTIFIER", Definition, Fatal, DEFINITION),
    (53, "TYPE_MISMATCH", Definition, Fatal, DEFINITION),
    (60, "UNKNOWN_TABLE", Definition, Fatal, TABLE_GONE),
    (69, "ARGUMENT_OUT_OF_BOUND", Rows, Fatal, VALUES),
    (70, "CANNOT_CONVERT_TYPE", Rows, Fatal, VALUES),
    (81, "UNKNOWN_DATABASE", Table, Fatal, "make the database, or map the topic to another one"),
    (107, "FILE_DOESNT_EXIST", Table, Retriable, "check the server's disks if it stays"),
    (
        115,
        "UNKNOWN_SETTING",
        Server,
        Fatal,
        "use a newer server, or take the setting out of the configuration",
    ),
    (117, "INCORRECT_DATA", Rows, Fatal, VALUES),
    (131, "TOO_LARGE_STRING_SIZE", Definition, Fatal, DEFINITION),
    (
        159,
        "TIMEOUT_EXCEEDED",
        Table,
        Retriable,
        "raise max_execution_time of the user, or insert less at once",
    ),
    (160, "TOO_SLOW", Table, Retriable, LOAD),
    (164, "READONLY", Server, Retriable, "give the connector a user whose profile has readonly=0"),
    (192, "UNKNOWN_USER", Server, Fatal, LOGIN),
    (193, "WRONG_PASSWORD", Server, Fatal, LOGIN),
    (194, "REQUIRED_PASSWORD", Server, Fatal, LOGIN),
    (201, "QUOTA_EXCEEDED", Server, Retriable, "raise the quota of the user, or wait for its next interval"),
    (202, "TOO_MANY_SIMULTANEOUS_QUERIES", Server, Retriable, LOAD),
    (203, "NO_FREE_CONNECTION", Server, Retriable, LOAD),
    (209, "SOCKET_TIMEOUT", Server, Retriable, NETWORK),
    (210, "NETWORK_ERROR", Server, Retriable, NETWORK),
    (218, "TABLE_IS_DROPPED", Definition, Fatal, TABLE_GONE),
    (225, "NO_ZOOKEEPER", Table, Retriable, KEEPER),
    (236, "ABORTED", Server, Retriable, "wait until the server has stopped and started again"),
    (
        241,
        "MEMORY_LIMIT_EXCEEDED",
        Table,
        Retriable,
        "insert less at once, or raise the memory limit of the server or the user",
    ),
    (242, "TABLE_IS_READ_ONLY", Table, Retriable, KEEPER),
    (243, "NOT_ENOUGH_SPACE", Server, Retriable, "free space on the server's disks"),
    (
        252,
        "TOO_MANY_PARTS",
        Table,
        Retriable,
        "insert larger batches less often; merges that do not get ahead stand in system.merges",
    ),
    (285, "TOO_FEW_LIVE_REPLICAS", Table, Retriable, KEEPER),
    (290, "LIMIT_EXCEEDED", Table, Retriable, LOAD),
    (319, "UNKNOWN_STATUS_OF_INSERT", Table, Retriable, NETWORK),
    (321, "VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE", Rows, Fatal, VALUES),
    (349, "CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN", Rows, Fatal, VALUES),
    (394, "QUERY_WAS_CANCELLED", Table, Retriable, "find out who ends the connector's queries (KILL QUERY)"),
    (407, "DECIMAL_OVERFLOW", Rows, Fatal, VALUES),
    (425, "SYSTEM_ERROR", Server, Retriable, NETWORK),
    (439, "CANNOT_SCHEDULE_TASK", Server, Retriable, LOAD),
    (
        469,
        "VIOLATED_CONSTRAINT",
        Rows,
        Fatal,
        "take the constraint from the table, or change the row at the source",
    ),
    (473, "DEADLOCK_AVOIDED", Table, Retriable, LOAD),
    (497, "ACCESS_DENIED", Table, Fatal, "grant the user what the error names"),
    (516, "AUTHENTICATION_FAILED", Server, Fatal, LOGIN),
    (517, "CANNOT_ASSIGN_ALTER", Table, Retriable, LOAD),
    (691, "UNKNOWN_ELEMENT_OF_ENUM", Rows, Fatal, VALUES),
    (999, "KEEPER_EXCEPTION", Table, Retriable, KEEPER),
];

impl Treatment {
    /// By code, and by the words of the few codes that stand for two things.
    pub fn of(code: u32, text: &str) -> Self {
        let found = CODES.binary_search_by_key(&code, |row| row.0).ok().and_then(|at| CODES.get(at));
        let mut treatment = match found {
            Some(&(_, _, scope, class, remedy)) => Treatment { scope, class, remedy },
            None => Treatment { scope: Table, class: Fatal, remedy: "see the server's log for this query" },
        };
        match code {
            // One insert into more partitions than max_partitions_per_insert_block: the same insert never succeeds.
            252 if text.starts_with("Too many partitions") => {
                treatment.class = Fatal;
                treatment.remedy =
                    "choose a PARTITION BY with fewer values, or raise max_partitions_per_insert_block";
            }
            // The names and types at the head of the insert, not its rows.
            117 if text.contains("(while reading header)") => {
                treatment.scope = Definition;
                treatment.remedy = DEFINITION;
            }
            _ => {}
        }
        treatment
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The list of the specification, section 7.3.
    #[test]
    fn codes_that_may_go_away() {
        for code in [3, 107, 159, 164, 202, 203, 209, 210, 241, 242, 252, 285, 319, 425, 517, 999] {
            assert_eq!(Treatment::of(code, "").class, Retriable, "{code}");
        }
        for (code, scope) in
            [(33, Definition), (131, Definition), (60, Definition), (516, Server), (36, Table), (407, Rows)]
        {
            assert_eq!(
                Treatment::of(code, ""),
                Treatment { class: Fatal, scope, ..Treatment::of(code, "") },
                "{code}"
            );
        }
    }

    #[test]
    fn one_code_for_two_things() {
        let text = "Too many partitions for single INSERT block (more than 100)";
        assert_eq!(Treatment::of(252, text).class, Fatal);
        assert_eq!(Treatment::of(252, "Too many parts (3000 with average size of 1 KiB)").class, Retriable);
        assert_eq!(Treatment::of(117, "Type of 'a' must be Int32: (while reading header)").scope, Definition);
        assert_eq!(Treatment::of(117, "Cannot read: (at row 1)").scope, Rows);
    }

    #[test]
    fn codes_are_in_order_once() {
        assert!(CODES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
