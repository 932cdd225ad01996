//! One table version with one cell layout, compiled.

use std::sync::Arc;

use crate::config::source::SourceConfig;
use crate::connect::schema::Schema;
use crate::converter::json::JsonConverter;
use crate::converter::json::sink::JsonField;
use crate::converter::json::text::write_string;
use crate::event::column_operations::ColumnOperations;
use crate::event::envelope;
use crate::event::key_header::HeaderField;
use crate::event::source_info::SourceTemplate;
use crate::event::table_schema::{FieldColumn, TableSchema, TableSchemaSettings};
use crate::event::topic_naming::TopicNaming;
use crate::event::value::error::ValueError;
use crate::event::value::{ColumnConverter, Spelling};
use crate::plan::direct::Direct;
use crate::plan::error::PlanError;
use crate::plan::image::{Decoder, RowCells};
use crate::plan::piece::Piece;
use crate::schema::column::Column;
use crate::schema::table::Table;
use crate::schema::table_id::TableId;
use crate::wire::column_type::ColumnType;
use crate::wire::error::WireError;
use crate::wire::event::TableMapEvent;
use crate::wire::reader::Reader;
use crate::wire::result_set::ResultCellDecoder;

/// Which columns are published, which make the key, and what is done to them: what the filters say of one table.
pub trait ColumnFilter {
    /// Whether a column's values are published.
    fn column_captured(&self, table: &TableId, column: &str) -> bool;

    /// The key columns that `message.key.columns` names for a table.
    fn message_key(&self, table: &Table) -> Option<Vec<String>>;

    /// What else is done to a column: masks, truncation, custom converters, source types in schemas.
    fn column_operations(&self, table: &TableId, column: &Column) -> ColumnOperations;
}

/// A table's rows → records.
#[derive(Debug)]
pub struct RowPlan {
    /// `db.table`.
    pub name: Arc<str>,
    /// The topic of the records.
    pub topic: Arc<str>,
    /// What is constant in the source block.
    pub source: SourceTemplate,
    /// One item a cell of an image, in order.
    pub columns: Vec<ColumnPlan>,
    pub(crate) key: Vec<KeyPlan>,
    pub(crate) key_open: Box<[u8]>,
    pub(crate) key_close: &'static [u8],
    /// `{"before":`, behind the schema where that is printed.
    pub(crate) value_open: Box<[u8]>,
    pub(crate) value_close: &'static [u8],
}

/// A cell of an image.
#[derive(Debug)]
pub struct ColumnPlan {
    pub(crate) decoder: Decoder,
    /// The place among the key columns.
    pub(crate) key_slot: Option<u16>,
    /// How it is printed; none for a column that is filtered out.
    pub(crate) shown: Option<FieldPlan>,
}

/// A field of a printed row.
#[derive(Debug)]
pub struct FieldPlan {
    /// `"name":` or `,"name":`.
    pub(crate) open: Piece,
    pub(crate) direct: Direct,
    pub(crate) converter: ColumnConverter,
    pub(crate) field: JsonField,
}

/// A field of the key.
#[derive(Debug)]
pub struct KeyPlan {
    /// The cell that it is made of.
    pub(crate) column: usize,
    pub(crate) shown: FieldPlan,
    /// How the header of a key change shows it.
    pub(crate) header: HeaderField,
}

impl RowPlan {
    /// The plan for the rows behind a table map.
    pub fn for_binlog(
        table: &Table,
        event: &TableMapEvent<'_>,
        config: &SourceConfig,
        filter: &dyn ColumnFilter,
    ) -> Result<Self, PlanError> {
        check_table_map(table, event)?;
        let unsigned = |index: usize| table.columns.get(index).is_some_and(Column::is_unsigned);
        let decoders = event
            .cell_decoders(unsigned)
            .map_err(|source| PlanError::Image { table: table.id.to_string(), source })?;
        let places: Vec<usize> = (0..table.columns.len()).collect();
        let decoders = decoders.into_iter().map(Decoder::Binlog).collect();
        Self::compile(table, &places, decoders, Spelling::Stream, config, filter)
    }

    /// The plan for a snapshot's result set, whose columns are those of `snapshot_columns` in order. `definitions` are
    /// type, flags and character set of each, as the server declared them.
    pub fn for_result_set(
        table: &Table,
        columns: &[String],
        definitions: &[(u8, u16, u16)],
        config: &SourceConfig,
        filter: &dyn ColumnFilter,
    ) -> Result<Self, PlanError> {
        /// `UNSIGNED_FLAG` of a column definition.
        const UNSIGNED: u16 = 32;
        let name = table.id.to_string();
        if columns.len() != definitions.len() {
            let (binlog, known) = (definitions.len(), columns.len());
            return Err(PlanError::ColumnCount { table: name, binlog, known });
        }
        let mut places = Vec::with_capacity(columns.len());
        let mut decoders = Vec::with_capacity(columns.len());
        for (column, (kind, flags, charset)) in columns.iter().zip(definitions) {
            let error =
                |source: WireError| PlanError::Cell { table: name.clone(), column: column.clone(), source };
            let place = table.columns.iter().position(|known| &known.name == column);
            places.push(place.unwrap_or_default());
            let kind = ColumnType::from_code(*kind).map_err(error)?;
            let decoder = ResultCellDecoder::new(kind, flags & UNSIGNED != 0, *charset).map_err(error)?;
            decoders.push(Decoder::ResultSet(decoder));
        }
        Self::compile(table, &places, decoders, Spelling::Snapshot, config, filter)
    }

    /// The plan for a truncated table, which has no images.
    pub fn for_truncate(
        table: &Table,
        config: &SourceConfig,
        filter: &dyn ColumnFilter,
    ) -> Result<Self, PlanError> {
        Self::compile(table, &[], Vec::new(), Spelling::Stream, config, filter)
    }

    /// The columns that a snapshot has to select: the published ones and those of the key.
    pub fn snapshot_columns(table: &Table, filter: &dyn ColumnFilter) -> Vec<String> {
        let key = filter.message_key(table);
        let key = key.as_ref().unwrap_or(&table.primary_key_column_names);
        let wanted = |name: &str| {
            filter.column_captured(&table.id, name)
                || key.iter().any(|column| column.eq_ignore_ascii_case(name))
        };
        table.columns.iter().filter(|column| wanted(&column.name)).map(|column| column.name.clone()).collect()
    }

    /// `places` says which column of the table each cell of an image is.
    fn compile(
        table: &Table,
        places: &[usize],
        decoders: Vec<Decoder>,
        spelling: Spelling,
        config: &SourceConfig,
        filter: &dyn ColumnFilter,
    ) -> Result<Self, PlanError> {
        let topics = TopicNaming::new(&config.topic_prefix, &config.events.topic_delimiter);
        let message_key = filter.message_key(table);
        let included = |column: &str| filter.column_captured(&table.id, column);
        let operations = |column: &Column| filter.column_operations(&table.id, column);
        let settings = TableSchemaSettings {
            message_key: message_key.as_deref(),
            included: &included,
            operations: &operations,
            ..TableSchemaSettings::new(&topics, &config.values, &config.events, spelling)
        };
        let shape = TableSchema::compile(table, &settings)
            .map_err(|source| PlanError::Event { table: table.id.to_string(), source })?;
        let keys = JsonConverter::new(&config.key_converter);
        let values = JsonConverter::new(&config.value_converter);
        let mut columns: Vec<ColumnPlan> =
            decoders.into_iter().map(|decoder| ColumnPlan { decoder, key_slot: None, shown: None }).collect();
        let cell_of = |place: usize| places.iter().position(|other| *other == place);

        let mut value_open = values.prefix(&shape.envelope);
        value_open.extend_from_slice(envelope::BEFORE);
        let mut first = true;
        for field in shape.value.columns {
            let Some(column) = cell_of(field.index).and_then(|cell| columns.get_mut(cell)) else { continue };
            column.shown = Some(FieldPlan::new(field, first, &values, &column.decoder));
            first = false;
        }

        let mut key = Vec::new();
        let mut key_open = Vec::new();
        if let Some(shape) = shape.key {
            key_open = keys.prefix(&shape.schema);
            for field in shape.columns {
                let Some(cell) = cell_of(field.index) else { continue };
                let Some(column) = columns.get_mut(cell) else { continue };
                column.key_slot = u16::try_from(key.len()).ok();
                let header = HeaderField::new(field.converter.schema());
                let shown = FieldPlan::new(field, key.is_empty(), &keys, &column.decoder);
                key.push(KeyPlan { column: cell, shown, header });
            }
        }
        Ok(RowPlan {
            name: shape.collection,
            topic: shape.topic,
            source: SourceTemplate::new(
                &config.topic_prefix,
                &table.id.database,
                Some(&table.id.table),
                config.value_converter.replace_null_with_default,
            ),
            columns,
            key,
            key_open: key_open.into(),
            key_close: keys.suffix(),
            value_open: value_open.into(),
            value_close: values.suffix(),
        })
    }

    /// The next row image of a rows event.
    #[inline]
    pub fn binlog_image<'a>(&self, reader: Reader<'a>) -> Result<RowCells<'a>, PlanError> {
        RowCells::of_binlog(reader, self.columns.len())
            .map_err(|source| PlanError::Image { table: self.name.to_string(), source })
    }

    /// Reads over a row of so many images; gives the numbers that it takes in the change sequence.
    pub fn pass_over(&self, images: usize, reader: &mut Reader<'_>) -> Result<u64, PlanError> {
        let mut keys: [Vec<Option<&[u8]>>; 2] = [Vec::new(), Vec::new()];
        for image in keys.iter_mut().take(images) {
            image.resize(self.key.len(), None);
            let mut cells = self.binlog_image(*reader)?;
            for (index, column) in self.columns.iter().enumerate() {
                let start = cells.peek();
                cells.read(index, &column.decoder).map_err(|source| self.cell_error(index, source))?;
                let length = start.len() - cells.peek().len();
                if let Some(slot) = column.key_slot.and_then(|slot| image.get_mut(usize::from(slot))) {
                    *slot = if cells.is_null(index) { None } else { start.get(..length) };
                }
            }
            *reader = cells.into_reader();
        }
        let [before, after] = keys;
        Ok(if images == 2 && before != after { 2 } else { 1 })
    }

    #[cold]
    pub(crate) fn cell_error(&self, column: usize, source: WireError) -> PlanError {
        PlanError::Cell { table: self.name.to_string(), column: self.column_name(column), source }
    }

    #[cold]
    pub(crate) fn value_error(&self, source: ValueError) -> PlanError {
        PlanError::Value { table: self.name.to_string(), source }
    }

    #[cold]
    fn column_name(&self, column: usize) -> String {
        let shown = self.columns.get(column).and_then(|plan| plan.shown.as_ref());
        let key = self.key.iter().find(|plan| plan.column == column).map(|plan| &plan.shown);
        shown
            .or(key)
            .map_or_else(|| format!("number {}", column + 1), |field| field.converter.name().to_string())
    }
}

impl FieldPlan {
    fn new(field: FieldColumn, first: bool, converter: &JsonConverter, decoder: &Decoder) -> Self {
        let mut open = Vec::new();
        if !first {
            open.push(b',');
        }
        write_string(&field.field, &mut open);
        open.push(b':');
        let schema: &Schema = field.converter.schema();
        let json = JsonField::new(schema, &converter.options);
        let direct = Direct::of(decoder, &field.converter);
        FieldPlan { open: Piece::new(&open), direct, converter: field.converter, field: json }
    }
}

/// Holds what the schema history believes against what the server says.
fn check_table_map(table: &Table, event: &TableMapEvent<'_>) -> Result<(), PlanError> {
    let name = table.id.to_string();
    let invalid = |source: WireError| PlanError::Image { table: table.id.to_string(), source };
    let (binlog, known) = (event.column_count(), table.columns.len());
    if binlog != known {
        return Err(PlanError::ColumnCount { table: name, binlog, known });
    }
    let layouts = event.columns().map_err(invalid)?;
    for (position, (column, layout)) in (1..).zip(table.columns.iter().zip(&layouts)) {
        if !crate::plan::column_types::fits(column, layout.column_type) {
            let (binlog, known) = (layout.column_type.name().to_owned(), column.type_name.clone());
            return Err(PlanError::ColumnMismatch { table: name, position, binlog, known });
        }
    }
    let metadata = event.table_metadata().map_err(invalid)?;
    for (position, (column, sent)) in (1..).zip(table.columns.iter().zip(&metadata.column_names)) {
        let sent = String::from_utf8_lossy(sent);
        if !sent.eq_ignore_ascii_case(&column.name) && sent.to_lowercase() != column.name.to_lowercase() {
            let (binlog, known) = (format!("column {sent}"), format!("column {}", column.name));
            return Err(PlanError::ColumnMismatch { table: name, position, binlog, known });
        }
    }
    Ok(())
}
