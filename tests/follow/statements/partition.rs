//! Partitions: by hash or key, which any table can have whose keys allow it.

use tidewire::source::mysql::Connection;

use crate::information_schema::{quoted, rows};
use crate::statements::{Found, Maker};

impl Maker {
    /// `PARTITION BY` for a new table.
    pub fn hash_partitions(&mut self, columns: &[String]) -> String {
        let column = columns.first().cloned().unwrap_or_default();
        let column = self.name(&column);
        // MySQL 5.7 cannot read a table any more whose column became one that its partitions may not be made by.
        let kinds = if self.server.is_mysql57() { 1..4 } else { 0..6 };
        match kinds.start + self.chance.below(kinds.len()) {
            0 => format!("~PARTITION BY~HASH~({column})~PARTITIONS 3"),
            1 => format!("~PARTITION BY~LINEAR KEY~ALGORITHM=2~({column})~PARTITIONS 2"),
            2 => format!("~/*!50100 PARTITION BY KEY ({column}) PARTITIONS 2 */"),
            4 => format!(
                "~PARTITION BY~RANGE~({column})~(PARTITION p0 VALUES LESS THAN (10) COMMENT='x, (',~PARTITION p1 VALUES LESS \
                 THAN MAXVALUE)"
            ),
            _ => format!("~PARTITION BY~KEY~({column})"),
        }
    }

    /// An ALTER TABLE that is about partitions only, or makes them the last clause.
    pub fn alter_partitions(&mut self, connection: &mut Connection, table: &Found) -> Result<String, String> {
        let of = self.table_name(&table.database, &table.name);
        let shown = rows(
            connection,
            &format!("SHOW CREATE TABLE {}.{}", quoted(&table.database), quoted(&table.name)),
        )?;
        let shown = shown.first().and_then(|row| row.get(1)).cloned().unwrap_or_default();
        let columns: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
        let clause = if !shown.contains("PARTITION BY") {
            let partitions = self.hash_partitions(&columns);
            match self.chance.below(3) {
                0 => format!("COMMENT 'parted'{partitions}"),
                _ => partitions.trim_start_matches('~').to_owned(),
            }
        } else if shown.contains("VALUES LESS THAN") {
            self.chance
                .pick(&[
                    "TRUNCATE PARTITION p0",
                    "DROP PARTITION p0",
                    "REORGANIZE PARTITION p0 INTO (PARTITION p00 VALUES LESS THAN (5), PARTITION p0 VALUES LESS THAN (10))",
                    "REBUILD PARTITION ALL",
                    "ANALYZE PARTITION p0",
                    "CHECK PARTITION p0",
                    "OPTIMIZE PARTITION p0",
                    "REMOVE PARTITIONING",
                ])
                .to_owned()
        } else {
            self.chance
                .pick(&[
                    "ADD PARTITION PARTITIONS 2",
                    "ADD PARTITION (PARTITION x1, PARTITION x2)",
                    "COALESCE PARTITION 1",
                    "TRUNCATE PARTITION ALL",
                    "REMOVE PARTITIONING",
                    "REPAIR PARTITION ALL",
                    "COMMENT 'both' REMOVE PARTITIONING",
                    "ANALYZE PARTITION p0",
                ])
                .to_owned()
        };
        Ok(format!("ALTER~TABLE~{of}~{clause}"))
    }
}
