//! One table version with one cell layout, compiled.

use std::sync::Arc;

use crate::config::modes::SnapshotValues;
use crate::config::source::SourceConfig;
use crate::converter::json::JsonConverter;
use crate::event::column_operations::ColumnOperations;
use crate::event::envelope;
use crate::event::key_header::HeaderField;
use crate::event::source_info::SourceTemplate;
use crate::event::table_schema::{TableSchema, TableSchemaSettings};
use crate::event::topic_naming::TopicNaming;
use crate::event::value::Spelling;
use crate::event::value::error::ValueError;
use crate::plan::error::PlanError;
use crate::plan::image::{Decoder, RowCells};
use crate::plan::image_plan::{CellPlan, FieldPlan, ImagePlan, ImagePlans};
use crate::schema::column::Column;
use crate::schema::table::Table;
use crate::schema::table_id::TableId;
use crate::wire::after_image::is_incomplete;
use crate::wire::bitmap::Bitmap;
use crate::wire::cell::CellDecoder;
use crate::wire::column_type::ColumnType;
use crate::wire::error::WireError;
use crate::wire::event::TableMapEvent;
use crate::wire::reader::Reader;
use crate::wire::result_set::ResultCellDecoder;
use crate::wire::rows::{RowsEvent, RowsKind};

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
    /// What is done with an image that holds all columns.
    pub full: Arc<ImagePlan>,
    /// The same for the images of an event that has all columns.
    pub full_images: Arc<ImagePlans>,
    /// The decoders of a binlog's cells, one a column of the table.
    pub decoders: Vec<CellDecoder>,
    pub(crate) key: Vec<KeyPlan>,
    pub(crate) key_open: Box<[u8]>,
    pub(crate) key_close: &'static [u8],
    /// `{"before":`, behind the schema where that is printed.
    pub(crate) value_open: Box<[u8]>,
    pub(crate) value_close: &'static [u8],
}

/// A field of the key.
#[derive(Debug)]
pub struct KeyPlan {
    /// The number of the cell that it is made of.
    pub(crate) cell: usize,
    pub(crate) shown: FieldPlan,
    /// How the header of a key change shows it.
    pub(crate) header: HeaderField,
}

impl RowPlan {
    /// The plan for the rows behind a table map. `visible` are the places in the map of the table's columns
    /// (`plan::hidden_columns`).
    pub fn for_binlog(
        table: &Table,
        event: &TableMapEvent<'_>,
        visible: &[usize],
        config: &SourceConfig,
        filter: &dyn ColumnFilter,
    ) -> Result<Self, PlanError> {
        check_table_map(table, event, visible)?;
        let unsigned = |sent: usize| {
            let place = visible.iter().position(|place| *place == sent);
            place.and_then(|place| table.columns.get(place)).is_some_and(Column::is_unsigned)
        };
        let decoders = event.cell_decoders(unsigned).map_err(|source| image_error(table, source))?;
        let layouts = event.columns().map_err(|source| image_error(table, source))?;
        let cells = visible.iter().enumerate().filter_map(|(place, sent)| {
            Some(Cell {
                place,
                sent: *sent,
                decoder: Decoder::Binlog(*decoders.get(*sent)?),
                may_be_left_out: layouts.get(*sent)?.column_type.may_be_left_out(),
            })
        });
        let cells: Vec<Cell> = cells.collect();
        let plan = Self::compile(table, &cells, Spelling::Stream, config, filter)?;
        Ok(RowPlan { decoders, ..plan })
    }

    /// The plan for a snapshot's result set, whose columns are those of `snapshot_columns` and perhaps others, in the order of
    /// the table. `definitions` are type, flags and character set of each, as the server declared them.
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
        let mut cells = Vec::with_capacity(columns.len());
        for (column, (kind, flags, charset)) in columns.iter().zip(definitions) {
            let error =
                |source: WireError| PlanError::Cell { table: name.clone(), column: column.clone(), source };
            let place = table.columns.iter().position(|known| known.name.eq_ignore_ascii_case(column));
            let kind = ColumnType::from_code(*kind).map_err(error)?;
            let decoder = ResultCellDecoder::new(kind, flags & UNSIGNED != 0, *charset).map_err(error)?;
            let Some(place) = place else {
                return Err(PlanError::UnknownColumn { table: name, column: column.clone() });
            };
            let (sent, decoder) = (cells.len(), Decoder::ResultSet(decoder));
            cells.push(Cell { place, sent, decoder, may_be_left_out: false });
        }
        let spelling = match config.snapshot.values {
            SnapshotValues::Debezium => Spelling::Snapshot,
            SnapshotValues::Stream => Spelling::Stream,
        };
        Self::compile(table, &cells, spelling, config, filter)
    }

    /// The plan for a truncated table, which has no images.
    pub fn for_truncate(
        table: &Table,
        config: &SourceConfig,
        filter: &dyn ColumnFilter,
    ) -> Result<Self, PlanError> {
        Self::compile(table, &[], Spelling::Stream, config, filter)
    }

    /// The columns that a snapshot has to select: the published ones and those of the key; the first one where there are
    /// none, since a row is a record even with nothing in it.
    pub fn snapshot_columns(table: &Table, filter: &dyn ColumnFilter) -> Vec<String> {
        let key = filter.message_key(table);
        let key = key.as_ref().unwrap_or(&table.primary_key_column_names);
        let wanted = |name: &str| {
            filter.column_captured(&table.id, name)
                || key.iter().any(|column| column.eq_ignore_ascii_case(name))
        };
        let columns = table.columns.iter().map(|column| &column.name);
        let selected: Vec<String> = columns.clone().filter(|name| wanted(name)).cloned().collect();
        if selected.is_empty() { columns.take(1).cloned().collect() } else { selected }
    }

    fn compile(
        table: &Table,
        cells: &[Cell],
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
        let cell_of = |place: usize| cells.iter().position(|cell| cell.place == place);
        let plan = |(number, cell): (usize, &Cell)| CellPlan::new(number, cell.sent, cell.decoder);
        let mut plans: Vec<CellPlan> = cells.iter().enumerate().map(plan).collect();

        let mut value_open = values.prefix(&shape.envelope);
        value_open.extend_from_slice(envelope::BEFORE);
        let mut first = true;
        for field in shape.value.columns {
            let Some(number) = cell_of(field.index) else { continue };
            let (Some(cell), Some(plan)) = (cells.get(number), plans.get_mut(number)) else { continue };
            let placeholder =
                cell.may_be_left_out.then_some(config.values.unavailable_placeholder.as_slice());
            plan.shown = Some(FieldPlan::new(field, first, &values, &cell.decoder, placeholder));
            first = false;
        }

        let mut key = Vec::new();
        let mut key_open = Vec::new();
        if let Some(shape) = shape.key {
            key_open = keys.prefix(&shape.schema);
            for field in shape.columns {
                let Some(cell) = cell_of(field.index) else { continue };
                let Some(plan) = plans.get_mut(cell) else { continue };
                plan.key_slot = u16::try_from(key.len()).ok();
                let header = HeaderField::new(field.converter.schema());
                let shown = FieldPlan::new(field, key.is_empty(), &keys, &plan.decoder, None);
                key.push(KeyPlan { cell, shown, header });
            }
        }
        let full = Arc::new(ImagePlan::full(plans));
        Ok(RowPlan {
            name: shape.collection,
            topic: shape.topic,
            source: SourceTemplate::new(
                &config.topic_prefix,
                &table.id.database,
                Some(&table.id.table),
                config.value_converter.replace_null_with_default,
            ),
            full_images: Arc::new(ImagePlans {
                before: Arc::clone(&full),
                after: Arc::clone(&full),
                is_incomplete: false,
            }),
            full,
            decoders: Vec::new(),
            key,
            key_open: key_open.into(),
            key_close: keys.suffix(),
            value_open: value_open.into(),
            value_close: values.suffix(),
        })
    }

    /// The plans for the images of an event that does not have all columns.
    pub fn image_plans(&self, event: &RowsEvent<'_>) -> Result<ImagePlans, PlanError> {
        let both = event.columns_before.union(event.columns_after);
        let is_incomplete = is_incomplete(event);
        let after = if is_incomplete { Bitmap::of(&both, event.column_count) } else { event.columns_after };
        let (before, after) = match event.kind {
            RowsKind::Write => (after, after),
            RowsKind::Update => (event.columns_before, after),
            RowsKind::Delete => (event.columns_before, event.columns_before),
        };
        let known = self.full.cells.len();
        let plan = |present: Bitmap<'_>| match self.full.without(present) {
            _ if !self.full.holds_all(present) => Err(PlanError::ColumnCount {
                table: self.name.to_string(),
                binlog: event.column_count,
                known,
            }),
            _ if present.all_set() => Ok(Arc::clone(&self.full)),
            Some(plan) => Ok(Arc::new(plan)),
            None => Err(PlanError::PartialImage {
                table: self.name.to_string(),
                present: present.count_ones(),
                columns: event.column_count,
            }),
        };
        Ok(ImagePlans { before: plan(before)?, after: plan(after)?, is_incomplete })
    }

    /// A row image of a rows event.
    #[inline]
    pub fn binlog_image<'a>(&self, image: &ImagePlan, reader: Reader<'a>) -> Result<RowCells<'a>, PlanError> {
        RowCells::of_binlog(reader, image.cells.len()).map_err(|source| self.image_error(source))
    }

    /// Reads over a row; gives the numbers that it takes in the change sequence, and what is behind the row. The images
    /// stand as `RowWriter::update` says.
    pub fn pass_over<'a>(
        &self,
        images: &ImagePlans,
        kind: RowsKind,
        (first, second): (Reader<'a>, Option<Reader<'a>>),
    ) -> Result<(u64, Reader<'a>), PlanError> {
        let (old, rest) = self.key_cells(&images.before, first)?;
        if kind != RowsKind::Update {
            return Ok((1, rest));
        }
        let (new, rest) = self.key_cells(&images.after, second.unwrap_or(rest))?;
        Ok((if old == new { 1 } else { 2 }, rest))
    }

    /// Reads over an image; gives the cells of its key, and what is behind the image.
    fn key_cells<'a>(
        &self,
        image: &ImagePlan,
        reader: Reader<'a>,
    ) -> Result<(KeyBytes<'a>, Reader<'a>), PlanError> {
        let mut key = vec![None; self.key.len()];
        let mut cells = self.binlog_image(image, reader)?;
        for (index, cell) in image.cells.iter().enumerate() {
            let start = cells.peek();
            cells.read(index, &cell.decoder).map_err(|source| self.cell_error(cell.number, source))?;
            let length = start.len() - cells.peek().len();
            if let Some(slot) = cell.key_slot.and_then(|slot| key.get_mut(usize::from(slot))) {
                *slot = if cells.is_null(index) { None } else { start.get(..length) };
            }
        }
        Ok((key, cells.into_reader()))
    }

    #[cold]
    pub(crate) fn image_error(&self, source: WireError) -> PlanError {
        PlanError::Image { table: self.name.to_string(), source }
    }

    #[cold]
    pub(crate) fn cell_error(&self, cell: usize, source: WireError) -> PlanError {
        PlanError::Cell { table: self.name.to_string(), column: self.column_name(cell), source }
    }

    #[cold]
    pub(crate) fn value_error(&self, source: ValueError) -> PlanError {
        PlanError::Value { table: self.name.to_string(), source }
    }

    #[cold]
    fn column_name(&self, cell: usize) -> String {
        let shown = self.full.cells.get(cell).and_then(|plan| plan.shown.as_ref());
        let key = self.key.iter().find(|plan| plan.cell == cell).map(|plan| &plan.shown);
        shown
            .or(key)
            .map_or_else(|| format!("number {}", cell + 1), |field| field.converter.name().to_string())
    }
}

/// The cells of a key, none for NULL.
type KeyBytes<'a> = Vec<Option<&'a [u8]>>;

/// A cell of an image, before it is compiled.
struct Cell {
    /// The place of its column in the table.
    place: usize,
    /// Its place among the columns that the server announces.
    sent: usize,
    decoder: Decoder,
    /// Whether images without it are not whole and yet good for something.
    may_be_left_out: bool,
}

#[cold]
fn image_error(table: &Table, source: WireError) -> PlanError {
    PlanError::Image { table: table.id.to_string(), source }
}

/// Holds what the schema history believes against what the server says.
fn check_table_map(table: &Table, event: &TableMapEvent<'_>, visible: &[usize]) -> Result<(), PlanError> {
    let name = table.id.to_string();
    let invalid = |source: WireError| image_error(table, source);
    let (binlog, known) = (event.column_count(), table.columns.len());
    if visible.len() != known || visible.iter().any(|sent| *sent >= binlog) {
        return Err(PlanError::ColumnCount { table: name, binlog, known });
    }
    // A column more is the better explanation of others that do not fit.
    let mismatch = |position, sent: String, column: String| match binlog == known {
        true => PlanError::ColumnMismatch { table: name.clone(), position, binlog: sent, known: column },
        false => PlanError::ColumnCount { table: name.clone(), binlog, known },
    };
    let layouts = event.columns().map_err(invalid)?;
    let sent = visible.iter().filter_map(|sent| layouts.get(*sent));
    for (position, (column, layout)) in (1..).zip(table.columns.iter().zip(sent)) {
        if !crate::plan::column_types::fits(column, layout.column_type) {
            return Err(mismatch(position, layout.column_type.name().to_owned(), column.type_name.clone()));
        }
    }
    let metadata = event.table_metadata().map_err(invalid)?;
    let names = visible.iter().filter_map(|sent| metadata.column_names.get(*sent));
    for (position, (column, sent)) in (1..).zip(table.columns.iter().zip(names)) {
        let sent = String::from_utf8_lossy(sent);
        if !sent.eq_ignore_ascii_case(&column.name) && sent.to_lowercase() != column.name.to_lowercase() {
            return Err(mismatch(position, format!("column {sent}"), format!("column {}", column.name)));
        }
    }
    Ok(())
}
