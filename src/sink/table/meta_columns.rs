//! The columns that a table has besides MySQL's: version, deletion, time of arrival.
//!
//! A MySQL table may own a column of such a name, and then that column stays what it is: ours takes the next name that is
//! free, and the table's comment remembers which. Names differ by case in ClickHouse and not in MySQL, so that case does
//! not make a name free.

/// The names of our columns in one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetaColumns {
    /// UInt64: orders the changes of a row; below 2^63.
    pub version: String,
    /// What says that a row was deleted.
    pub deletion: DeletionMarker,
    /// DateTime64(3, 'UTC'), filled by the server: when the row arrived.
    pub synced_at: Option<String>,
    /// FixedString(16): the key of a table without one (`keyless.mode=row_hash`).
    pub row_hash: Option<String>,
}

/// How a deleted row is told from a live one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeletionMarker {
    /// UInt8: 1 for a deleted row, 0 for a live one. An argument of the engine, so that FINAL leaves deleted rows out.
    IsDeleted(String),
    /// Int8: -1 and 1, in tables that MaterializedMySQL made. FINAL shows the deleted rows.
    Sign(String),
}

impl DeletionMarker {
    /// The column.
    pub fn name(&self) -> &str {
        match self {
            DeletionMarker::IsDeleted(name) | DeletionMarker::Sign(name) => name,
        }
    }

    /// The values of live and of deleted rows in a statement.
    pub const fn words(&self) -> (&'static str, &'static str) {
        match self {
            DeletionMarker::IsDeleted(_) => ("0", "1"),
            DeletionMarker::Sign(_) => ("1", "-1"),
        }
    }

    /// The byte of a live or a deleted row.
    pub const fn byte(&self, deleted: bool) -> u8 {
        match (self, deleted) {
            (DeletionMarker::IsDeleted(_), deleted) => deleted as u8,
            (DeletionMarker::Sign(_), false) => 1,
            (DeletionMarker::Sign(_), true) => u8::MAX,
        }
    }
}

impl MetaColumns {
    /// Names that none of the columns has.
    pub fn beside<'a>(
        columns: impl Iterator<Item = &'a str> + Clone,
        synced_at: bool,
        row_hash: bool,
    ) -> Self {
        let free = |name: &str| free_name(name, columns.clone());
        MetaColumns {
            version: free("version"),
            deletion: DeletionMarker::IsDeleted(free("deleted")),
            synced_at: synced_at.then(|| free("synced_at")),
            row_hash: row_hash.then(|| free("row_hash")),
        }
    }

    /// All of them, in the order in which they stand behind MySQL's columns, each with its type.
    pub fn typed(&self) -> Vec<(&str, &'static str)> {
        let deletion = match &self.deletion {
            DeletionMarker::IsDeleted(name) => (name.as_str(), "UInt8"),
            DeletionMarker::Sign(name) => (name.as_str(), "Int8"),
        };
        let row_hash = self.row_hash.as_deref().map(|name| (name, "FixedString(16)"));
        let synced_at =
            self.synced_at.as_deref().map(|name| (name, "DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')"));
        let first = row_hash.into_iter().chain([(self.version.as_str(), "UInt64"), deletion]);
        first.chain(synced_at).collect()
    }
}

/// `_name`, `_tidewire_name`, `_tidewire_name2`, …
fn free_name<'a>(name: &str, columns: impl Iterator<Item = &'a str> + Clone) -> String {
    let numbered = (2u32..).map(|number| format!("_tidewire_{name}{number}"));
    let mut names = [format!("_{name}"), format!("_tidewire_{name}")].into_iter().chain(numbered);
    let is_free = |candidate: &String| !columns.clone().any(|column| column.eq_ignore_ascii_case(candidate));
    // There are more numbers than columns.
    names.find(is_free).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// the names of our columns are chosen for each table. R-1: a column of the user's is never taken for the version.
    #[test]
    fn r_4_a_column_of_the_user_keeps_its_name() {
        let plain = MetaColumns::beside(["id", "ver", "is_deleted", "_sign"].into_iter(), true, false);
        assert_eq!(
            plain.typed(),
            [
                ("_version", "UInt64"),
                ("_deleted", "UInt8"),
                ("_synced_at", "DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')"),
            ]
        );
        let taken = ["_VERSION", "_deleted", "_tidewire_deleted", "_tidewire_deleted2"];
        let meta = MetaColumns::beside(taken.into_iter(), false, true);
        assert_eq!(meta.version, "_tidewire_version");
        assert_eq!(meta.deletion.name(), "_tidewire_deleted3");
        assert_eq!(meta.synced_at, None);
        assert_eq!(meta.typed()[0], ("_row_hash", "FixedString(16)"));
    }

    #[test]
    fn a_sign_is_minus_one_for_a_deleted_row() {
        let sign = DeletionMarker::Sign("_sign".to_owned());
        assert_eq!((sign.byte(false), sign.byte(true).cast_signed()), (1, -1));
        let deleted = DeletionMarker::IsDeleted("_deleted".to_owned());
        assert_eq!((deleted.byte(false), deleted.byte(true)), (0, 1));
    }
}
