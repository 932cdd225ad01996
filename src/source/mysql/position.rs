//! Where the server's binlog ends, and how far back it reaches.

use std::time::{Duration, Instant};

use crate::offset::gtid::{GtidSet, Tsid};
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

/// How a stored GTID set stands to what the server has (MySQL only).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GtidAvailability {
    /// What was read already and the server has not executed: it is another server, it is behind, or it was reset.
    pub unknown: GtidSet,
    /// What was not read yet and is gone from the binlogs.
    pub purged: GtidSet,
}

impl GtidAvailability {
    /// Compares a stored set with `gtid_executed` and `gtid_purged`.
    pub fn of(stored: &GtidSet, executed: &GtidSet, purged: &GtidSet) -> Self {
        GtidAvailability { unknown: stored.subtract(executed), purged: purged.subtract(stored) }
    }

    /// Whether all that is still to be read is in the binlogs.
    pub fn is_available(&self) -> bool {
        self.unknown.is_empty() && self.purged.is_empty()
    }

    /// The same for the sources that a predicate takes.
    pub fn restrict(&self, keep: impl Fn(&Tsid) -> bool) -> Self {
        GtidAvailability { unknown: self.unknown.restrict(&keep), purged: self.purged.restrict(&keep) }
    }
}

/// Whether the stream can go on after `stored`.
///
/// A transaction is in the binlog, and with its readers, before it is in `gtid_executed`: by a moment, or with semi-synchronous
/// replication for as long as the server waits for its replicas. So what the server numbered itself is waited for, as long as
/// `patience`.
///
/// # Errors
/// `UnexpectedResult` when the server's own sets cannot be read.
pub fn gtid_availability(
    connection: &mut Connection,
    stored: &GtidSet,
    patience: Duration,
) -> Result<GtidAvailability, MySqlError> {
    const STATEMENT: &str = "SELECT @@GLOBAL.gtid_executed, @@GLOBAL.gtid_purged, @@GLOBAL.server_uuid";
    let began = Instant::now();
    loop {
        let result = connection.query(STATEMENT)?;
        let mut cells = result.rows.iter().flatten().map(|cell| cell.as_deref().unwrap_or_default());
        let sets = (cells.next().map(str::parse), cells.next().map(str::parse), cells.next());
        let (Some(Ok(executed)), Some(Ok(purged)), Some(uuid)) = sets else {
            return Err(MySqlError::UnexpectedResult {
                server: connection.server().to_owned(),
                statement: STATEMENT,
                what: "no two GTID sets",
            });
        };
        let found = GtidAvailability::of(stored, &executed, &purged);
        let own = Tsid::parse_uuid(uuid).unwrap_or_default();
        let may_come = found.unknown.sources().any(|(tsid, _)| tsid.uuid == own);
        if !may_come || began.elapsed() >= patience {
            return Ok(found);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
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
    fn sets_are_compared_exactly() {
        const A: &str = "0a0a0a0a-71ca-11e1-9e33-c80aa9429562";
        const B: &str = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
        let set = |text: &str| text.replace('A', A).replace('B', B).parse::<GtidSet>().unwrap();
        for (stored, executed, purged, unknown, gone) in [
            ("A:1-5", "A:1-9", "", "", ""),
            ("A:1-5", "A:1-9", "A:1-5", "", ""),
            ("A:1-5", "A:1-9", "A:1-7", "", "A:6-7"),
            ("A:1-5", "A:1-3", "", "A:4-5", ""),
            // Errant transactions of a new primary are simply read.
            ("A:1-5", "A:1-5,B:1-2", "", "", ""),
            ("A:1-5", "A:1-5,B:1-2", "B:1", "", "B:1"),
            // The gaps of a replica whose workers do not keep the order.
            ("A:1-2:5", "A:1-9", "A:1-2", "", ""),
            ("A:1-2:5", "A:1-9", "A:1-4", "", "A:3-4"),
            ("A:1-2:tag:1-3", "A:1-9:tag:1", "", "A:tag:2-3", ""),
            ("", "A:1-9", "A:1-2", "", "A:1-2"),
        ] {
            let found = GtidAvailability::of(&set(stored), &set(executed), &set(purged));
            assert_eq!((&found.unknown, &found.purged), (&set(unknown), &set(gone)), "{stored} {executed}");
            assert_eq!(found.is_available(), unknown.is_empty() && gone.is_empty());
        }
    }
}
