//! The kinds of row events.

/// What happened to a row, or to a table (truncate).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Inserted.
    Create,
    /// Updated.
    Update,
    /// Deleted.
    Delete,
    /// Read by a snapshot.
    Read,
    /// The table was emptied.
    Truncate,
}

impl Operation {
    /// The field `op`.
    pub const fn code(self) -> &'static str {
        match self {
            Operation::Create => "c",
            Operation::Update => "u",
            Operation::Delete => "d",
            Operation::Read => "r",
            Operation::Truncate => "t",
        }
    }
}
