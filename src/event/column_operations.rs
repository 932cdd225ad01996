//! What the configuration does to one column, besides leaving it out.

use crate::config::column_mapper::ColumnMapper;
use crate::event::value::custom_converter::CustomConverter;

/// The operations on a column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnOperations {
    /// What takes the place of the type's mapping.
    pub converter: Option<CustomConverter>,
    /// A mask or a truncation; not for keys.
    pub mapper: Option<ColumnMapper>,
    /// Whether the source type becomes part of the field's schema; not for keys.
    pub propagate: bool,
}

impl ColumnOperations {
    /// What of it is done to the column in a key.
    pub fn for_key(self) -> Self {
        ColumnOperations { converter: self.converter, ..ColumnOperations::default() }
    }
}
