//! Where the server's binlog ends, and how far back it reaches.

use crate::source::mysql::connection::Connection;
use crate::source::mysql::error::MySqlError;
use crate::source::mysql::error_codes::ER_PARSE_ERROR;
use crate::source::mysql::result_set::TextResult;

/// The end of the binlog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BinlogStatus {
    /// The file being written.
    pub file: String,
    /// Its length in bytes: where the next event will start.
    pub position: u64,
    /// The transactions executed so far, newlines removed; empty when GTIDs are off, and on MariaDB, whose
    /// `@@global.gtid_binlog_pos` says it.
    pub executed_gtids: String,
}

/// One file of `SHOW BINARY LOGS`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BinaryLog {
    /// The file's name without its folder.
    pub name: String,
    /// Its length in bytes.
    pub size: u64,
    /// Whether it is encrypted on the server's disk.
    pub encrypted: bool,
}

/// `SHOW BINARY LOG STATUS`, or `SHOW MASTER STATUS` before MySQL 8.2 and on MariaDB. Needs REPLICATION CLIENT.
///
/// # Errors
/// `UnexpectedResult` when the server writes no binlog.
pub fn binlog_status(connection: &mut Connection) -> Result<BinlogStatus, MySqlError> {
    let statement = if connection.server_version().is_mysql_from(8, 2, 0) {
        "SHOW BINARY LOG STATUS"
    } else {
        "SHOW MASTER STATUS"
    };
    let result = match connection.query(statement) {
        // A fork whose version number does not tell which of the two it knows.
        Err(MySqlError::Server { code: ER_PARSE_ERROR, .. }) if statement == "SHOW MASTER STATUS" => {
            connection.query("SHOW BINARY LOG STATUS")?
        }
        other => other?,
    };
    parse_status(&result).ok_or_else(|| MySqlError::UnexpectedResult {
        server: connection.server().to_owned(),
        statement,
        what: "no file and position",
    })
}

fn parse_status(result: &TextResult) -> Option<BinlogStatus> {
    Some(BinlogStatus {
        file: result.get(0, "File")?.to_owned(),
        position: result.get(0, "Position")?.parse().ok()?,
        executed_gtids: result.get(0, "Executed_Gtid_Set").unwrap_or_default().replace(['\n', ' '], ""),
    })
}

/// `SHOW BINARY LOGS`: the files that the server still has, oldest first. Needs REPLICATION CLIENT.
pub fn binary_logs(connection: &mut Connection) -> Result<Vec<BinaryLog>, MySqlError> {
    let result = connection.query("SHOW BINARY LOGS")?;
    let logs = (0..result.rows.len()).map(|row| {
        Some(BinaryLog {
            name: result.get(row, "Log_name")?.to_owned(),
            size: result.get(row, "File_size")?.parse().ok()?,
            encrypted: result.get(row, "Encrypted").is_some_and(|text| text.eq_ignore_ascii_case("yes")),
        })
    });
    logs.collect::<Option<Vec<_>>>().ok_or_else(|| MySqlError::UnexpectedResult {
        server: connection.server().to_owned(),
        statement: "SHOW BINARY LOGS",
        what: "a row without name or size",
    })
}

/// How a stored GTID set stands to what the server has; decided by the server's own set arithmetic (MySQL only).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GtidAvailability {
    /// All that is still to be read is in the binlogs.
    Available,
    /// Transactions still to be read are in `gtid_purged`.
    Purged,
    /// The server has not executed some of what was read already: it is another server, or it was reset.
    AheadOfServer,
}

/// Whether the stream can go on after `gtids`, the stored set.
///
/// # Errors
/// `Server` when the text is not a GTID set.
pub fn gtid_availability(connection: &mut Connection, gtids: &str) -> Result<GtidAvailability, MySqlError> {
    let set = quote(gtids);
    let sql = format!(
        "SELECT GTID_SUBSET({set}, @@global.gtid_executed), \
         GTID_SUBTRACT(@@global.gtid_purged, {set}) = ''"
    );
    let result = connection.query(&sql)?;
    let mut cells = result.rows.iter().flatten().map(|cell| cell.as_deref() == Some("1"));
    match (cells.next(), cells.next()) {
        (Some(false), _) => Ok(GtidAvailability::AheadOfServer),
        (Some(true), Some(false)) => Ok(GtidAvailability::Purged),
        (Some(true), Some(true)) => Ok(GtidAvailability::Available),
        _ => Err(MySqlError::UnexpectedResult {
            server: connection.server().to_owned(),
            statement: "SELECT GTID_SUBSET",
            what: "no row of two values",
        }),
    }
}

/// A GTID set as an SQL string; its letters need no escapes, and others are dropped.
fn quote(gtids: &str) -> String {
    let kept = gtids.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | ',' | '_'));
    format!("'{}'", kept.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_is_read_by_column_name() {
        let row = [
            "binlog.000002",
            "157",
            "",
            "",
            "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5,\n4e11fa47-71ca-11e1-9e33-c80aa9429562:1",
        ];
        let mut result = TextResult {
            columns: ["File", "Position", "Binlog_Do_DB", "Binlog_Ignore_DB", "Executed_Gtid_Set"]
                .map(String::from)
                .to_vec(),
            rows: vec![row.map(|cell| Some(cell.to_owned())).to_vec()],
        };
        let status = parse_status(&result).unwrap();
        assert_eq!((status.file.as_str(), status.position), ("binlog.000002", 157));
        assert_eq!(
            status.executed_gtids,
            "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5,4e11fa47-71ca-11e1-9e33-c80aa9429562:1"
        );
        result.rows.clear();
        assert_eq!(parse_status(&result), None);
    }

    #[test]
    fn sets_are_quoted() {
        assert_eq!(quote("3e11:tag_1:1-5,\n'4e"), "'3e11:tag_1:1-5,4e'");
    }
}
