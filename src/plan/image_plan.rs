//! What is done with the cells of one kind of row images: all columns, or those that the server did not leave out.
//!
//! With `binlog_row_image=NOBLOB` the TEXT and BLOB columns that are not needed are not in the image. Which ones is the same
//! for all rows of an event, so that a plan of its own is made for each such set of columns, once: their text, which is
//! constant (`unavailable.value.placeholder`), stands in front of the next field or behind the last one, and a row is
//! walked as if they had never been there.

use std::sync::Arc;

use crate::converter::json::JsonConverter;
use crate::converter::json::sink::JsonField;
use crate::converter::json::text::write_string;
use crate::converter::json::value::write_value;
use crate::event::table_schema::FieldColumn;
use crate::event::value::ColumnConverter;
use crate::plan::direct::Direct;
use crate::plan::image::Decoder;
use crate::plan::piece::Piece;
use crate::wire::bitmap::Bitmap;

/// The cells of an image, and what is printed around them.
#[derive(Debug)]
pub struct ImagePlan {
    /// One item a cell, in order.
    pub cells: Vec<CellPlan>,
    /// What follows the last cell's text.
    pub(crate) close: Box<[u8]>,
}

/// The plans for the images of one rows event.
#[derive(Debug)]
pub struct ImagePlans {
    /// For the images before the change; of an event that has none, the same as `after`.
    pub before: Arc<ImagePlan>,
    /// For the images after the change; of an event that has none, the same as `before`.
    pub after: Arc<ImagePlan>,
    /// The images after the change have to be made whole out of those before (`wire::after_image`).
    pub is_incomplete: bool,
}

/// A cell of an image.
#[derive(Clone, Debug)]
pub struct CellPlan {
    /// Its number among the cells of a full image.
    pub(crate) number: usize,
    /// Its place among the columns that the server announces.
    sent: usize,
    pub(crate) decoder: Decoder,
    /// The place among the key columns.
    pub(crate) key_slot: Option<u16>,
    /// How it is printed; none for a column that is filtered out.
    pub(crate) shown: Option<FieldPlan>,
}

/// A field of a printed row.
#[derive(Clone, Debug)]
pub struct FieldPlan {
    /// `"name":` or `,"name":`, behind the fields that are left out before it.
    pub(crate) open: Piece,
    pub(crate) direct: Direct,
    pub(crate) converter: Arc<ColumnConverter>,
    pub(crate) field: JsonField,
    /// What is printed where the server left the column out; none for a column that it never leaves out but with
    /// `binlog_row_image=MINIMAL`.
    unavailable: Option<Box<[u8]>>,
}

impl CellPlan {
    pub(crate) fn new(number: usize, sent: usize, decoder: Decoder) -> Self {
        CellPlan { number, sent, decoder, key_slot: None, shown: None }
    }
}

impl FieldPlan {
    /// The first field has no comma in front. A placeholder comes with a column that the server may leave out.
    pub(crate) fn new(
        field: FieldColumn,
        first: bool,
        converter: &JsonConverter,
        decoder: &Decoder,
        placeholder: Option<&[u8]>,
    ) -> Self {
        let mut open = Vec::new();
        if !first {
            open.push(b',');
        }
        write_string(&field.field, &mut open);
        open.push(b':');
        let schema = field.converter.schema();
        let unavailable = placeholder.and_then(|placeholder| field.converter.unavailable(placeholder));
        let unavailable = unavailable.map(|value| {
            let mut text = open.clone();
            write_value(schema, &value, &converter.options, &mut text);
            text.into()
        });
        FieldPlan {
            open: Piece::new(&open),
            direct: Direct::of(decoder, &field.converter),
            field: JsonField::new(schema, &converter.options),
            converter: Arc::new(field.converter),
            unavailable,
        }
    }
}

impl ImagePlan {
    /// The plan for full images.
    pub(crate) fn full(cells: Vec<CellPlan>) -> Self {
        ImagePlan { cells, close: b"}".as_slice().into() }
    }

    /// Whether the images that hold the columns of a bitmap hold no other cells than these.
    pub(crate) fn holds_all(&self, present: Bitmap<'_>) -> bool {
        present.count_ones() == self.cells.iter().filter(|cell| present.get(cell.sent)).count()
    }

    /// The plan for images that hold only the columns of a bitmap; nothing where a column is left out that is part of
    /// the key, or that nothing can be printed for.
    pub(crate) fn without(&self, present: Bitmap<'_>) -> Option<Self> {
        let mut cells = Vec::with_capacity(present.count_ones());
        let mut left_out = Vec::new();
        for cell in &self.cells {
            if !present.get(cell.sent) {
                if cell.key_slot.is_some() {
                    return None;
                }
                if let Some(shown) = &cell.shown {
                    left_out.extend_from_slice(shown.unavailable.as_ref()?);
                }
                continue;
            }
            let mut cell = cell.clone();
            if let Some(shown) = cell.shown.as_mut().filter(|_| !left_out.is_empty()) {
                shown.open.write(&mut left_out);
                shown.open = Piece::new(&left_out);
                left_out.clear();
            }
            cells.push(cell);
        }
        left_out.push(b'}');
        Some(ImagePlan { cells, close: left_out.into() })
    }
}
