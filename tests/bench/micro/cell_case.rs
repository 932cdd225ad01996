//! One type, one path, one mode: the cells of a column, and what it takes to read, map and print one.
//!
//! The cells lie one behind the other, as the server wrote them into the binlog (`tests/binlogs/cells-97.binlog`); for a
//! snapshot they are turned into those of a result set first. What a row adds (its bitmap, names of fields, envelope) is not
//! here.

use tidewire::config::source::SourceConfig;
use tidewire::converter::json::JsonOptions;
use tidewire::converter::json::sink::{JsonField, JsonSink};
use tidewire::event::column_operations::ColumnOperations;
use tidewire::event::value::{ColumnConverter, ColumnSettings, Spelling};
use tidewire::plan::image::{Decoder, RowCells};
use tidewire::schema::column::Column;
use tidewire::schema::table_id::TableId;
use tidewire::wire::column_type::ColumnType;
use tidewire::wire::reader::Reader;
use tidewire::wire::result_set::{BINARY_CHARSET, ResultCellDecoder};
use tidewire::wire::rows::RowsKind;

use crate::Outcome;
use crate::fixture::{Recording, TableRows, configured};
use crate::measure::Measured;
use crate::packet::UTF8MB4;
use crate::result_cell;

/// What the names of the tables end with.
const TABLES: &str = "_cells";
/// Printed cells are thrown away before they are so many bytes.
const FULL: usize = 1 << 16;

/// Modes that make another form of a type: the table, the words for it, the property.
const FORMS: &[(&str, &str, &str, &str)] = &[
    ("bigint_unsigned", "precise", "bigint.unsigned.handling.mode", "precise"),
    ("decimal_10_2", "double", "decimal.handling.mode", "double"),
    ("decimal_10_2", "string", "decimal.handling.mode", "string"),
    ("date", "isostring", "time.precision.mode", "isostring"),
    ("time_6", "nanoseconds", "time.precision.mode", "nanoseconds"),
    ("datetime_6", "connect", "time.precision.mode", "connect"),
    ("datetime_6", "isostring", "time.precision.mode", "isostring"),
    ("varbinary", "base64", "binary.handling.mode", "base64"),
    ("varbinary", "hex", "binary.handling.mode", "hex"),
];

/// A column with its cells.
pub struct CellCase {
    /// Type, form and path.
    pub name: String,
    /// Cells of a pass.
    pub cells: usize,
    /// The most that a cell may take, nanoseconds; none where cells are as long as they like.
    pub limit: Option<f64>,
    bytes: Vec<u8>,
    decoder: Decoder,
    converter: ColumnConverter,
    field: JsonField,
    scratch: Vec<u8>,
    out: Vec<u8>,
    /// Bytes that the last pass printed.
    printed: usize,
    passes: usize,
    thrown_away: bool,
}

impl CellCase {
    /// Those whose names are wanted.
    pub fn all(recording: &Recording, wanted: impl Fn(&str) -> bool) -> Outcome<Vec<Self>> {
        let mut cases = Vec::new();
        for table in recording.tables() {
            let Some(name) = table.strip_suffix(TABLES) else { continue };
            let forms = FORMS.iter().filter(|(of, ..)| *of == name);
            let forms = forms
                .map(|(_, words, property, value)| (format!("{name} {words}"), Some((*property, *value))));
            for (name, property) in std::iter::once((name.to_owned(), None)).chain(forms) {
                let config = configured(false, property.as_slice())?;
                for snapshot in [false, true] {
                    let name = format!("cell {name}{}", if snapshot { " snapshot" } else { "" });
                    if wanted(&name) {
                        cases.extend(CellCase::new(recording, name, &table, &config, snapshot)?);
                    }
                }
            }
        }
        Ok(cases)
    }

    /// None when there is nothing to measure: in a result set text is UTF-8, whatever the column's character set.
    fn new(
        recording: &Recording,
        name: String,
        table: &str,
        config: &SourceConfig,
        snapshot: bool,
    ) -> Outcome<Option<Self>> {
        let rows = recording.rows("cells", table, RowsKind::Write)?;
        let [_, column] = rows.table.columns.as_slice() else {
            return Err("a table of two columns expected".into());
        };
        let [_, layout] = rows.map.columns()?[..] else {
            return Err("a table of two columns expected".into());
        };
        let is_utf8 = column.charset_name.as_deref().is_none_or(|charset| charset == "utf8mb4");
        if snapshot && !is_utf8 {
            return Ok(None);
        }
        let converter = converter(&rows.table.id, column, config, Spelling::Stream)?;
        let decoders =
            rows.map.cell_decoders(|index| rows.table.columns.get(index).is_some_and(Column::is_unsigned))?;
        let [first, decoder] = decoders[..] else { return Err("a table of two columns expected".into()) };
        let (first, decoder) = (Decoder::Binlog(first), Decoder::Binlog(decoder));
        let mut case = CellCase {
            name,
            cells: 0,
            limit: limit(layout.column_type, column),
            bytes: Vec::new(),
            decoder,
            field: JsonField::new(converter.schema(), &JsonOptions::default()),
            converter,
            scratch: Vec::new(),
            out: Vec::new(),
            printed: 0,
            passes: 0,
            thrown_away: false,
        };
        case.take_cells(&rows, &first)?;
        if snapshot {
            case.become_snapshot(&rows.table.id, column, config, layout.column_type)?;
        }
        case.pass()?;
        Ok(Some(case))
    }

    /// The second cell of each row.
    fn take_cells(&mut self, rows: &TableRows<'_>, first: &Decoder) -> Outcome<()> {
        for event in &rows.events {
            let mut reader = Reader::new(event.rows);
            while !reader.is_empty() {
                let mut image = RowCells::of_binlog(reader, 2)?;
                image.read(0, first)?;
                let cell = image.peek();
                image.read(1, &self.decoder)?;
                let length = cell.len() - image.peek().len();
                self.bytes.extend_from_slice(cell.get(..length).unwrap_or_default());
                self.cells += 1;
                reader = image.into_reader();
            }
        }
        Ok(())
    }

    /// The same cells as a result set has them.
    fn become_snapshot(
        &mut self,
        table: &TableId,
        column: &Column,
        config: &SourceConfig,
        column_type: ColumnType,
    ) -> Outcome<()> {
        let is_text = column.charset_name.is_some();
        let charset = if is_text { UTF8MB4 } else { BINARY_CHARSET };
        let decoder =
            ResultCellDecoder::new(result_cell::sent_as(column_type), column.is_unsigned(), charset)?;
        let mut cells = Vec::new();
        let mut reader = Reader::new(&self.bytes);
        while !reader.is_empty() {
            let value = self.decoder.read(&mut reader)?;
            let mut printed = Vec::new();
            self.converter.write(
                value,
                &mut self.scratch,
                &mut JsonSink::for_field(&self.field, &mut printed),
            )?;
            result_cell::write(value, decoder, &printed, &mut cells)?;
        }
        self.bytes = cells;
        self.decoder = Decoder::ResultSet(decoder);
        self.converter = converter(table, column, config, Spelling::Snapshot)?;
        Ok(())
    }
}

fn converter(
    table: &TableId,
    column: &Column,
    config: &SourceConfig,
    spelling: Spelling,
) -> Outcome<ColumnConverter> {
    let operations = ColumnOperations::default();
    let settings =
        ColumnSettings { values: &config.values, comments: false, spelling, operations: &operations };
    ColumnConverter::compile(table, column, settings)?
        .ok_or_else(|| format!("{}: no mapping", column.name).into())
}

/// The most that a cell of a type of fixed size may take, nanoseconds.
const FIXED_LIMIT: f64 = 100.0;
/// The digits of a DECIMAL that fit into 128 bits. A longer one is a number of several words and has a longer text; it may
/// take as much a digit.
const LONG_DIGITS: i32 = 38;

/// The limit is for types whose cells have one size, or nearly.
fn limit(column_type: ColumnType, column: &Column) -> Option<f64> {
    match column_type {
        ColumnType::String
        | ColumnType::VarChar
        | ColumnType::VarString
        | ColumnType::TinyBlob
        | ColumnType::Blob
        | ColumnType::MediumBlob
        | ColumnType::LongBlob
        | ColumnType::Json
        | ColumnType::Geometry
        | ColumnType::Vector => None,
        ColumnType::NewDecimal => {
            let digits = column.length.unwrap_or(0).max(LONG_DIGITS);
            Some(FIXED_LIMIT * f64::from(digits) / f64::from(LONG_DIGITS))
        }
        _ => Some(FIXED_LIMIT),
    }
}

impl Measured for CellCase {
    fn name(&self) -> &str {
        &self.name
    }

    fn units(&self) -> usize {
        self.cells
    }

    fn is_steady(&self) -> bool {
        // By then the buffer was thrown away at its longest.
        self.passes > 2 && self.thrown_away
    }

    fn pass(&mut self) -> Outcome<usize> {
        let mut reader = Reader::new(&self.bytes);
        let mut cells = 0;
        if self.out.len() + self.printed > FULL {
            self.out.clear();
            self.thrown_away = true;
        }
        let before = self.out.len();
        while !reader.is_empty() {
            let value = self.decoder.read(&mut reader)?;
            self.converter.write(
                value,
                &mut self.scratch,
                &mut JsonSink::for_field(&self.field, &mut self.out),
            )?;
            cells += 1;
        }
        self.printed = self.out.len() - before;
        self.passes += 1;
        Ok(cells)
    }

    fn bytes_per_unit(&self) -> f64 {
        self.printed as f64 / self.cells as f64
    }
}
