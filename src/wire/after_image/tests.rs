//! Updates that MySQL 9.7 recorded (`tests/binlogs/partial.sql`). What the image after has to be is known from the server
//! too: it is the image before the next change of the row.

use super::*;
use crate::wire::binlog_file::BinlogFile;
use crate::wire::event::{Event, EventParser, PayloadContext};
use crate::wire::jsonb::render;
use crate::wire::row_image::read_row_image;

const PARTIAL_97: &[u8] = include_bytes!("../../../tests/binlogs/partial-97.binlog");

/// Calls for each event of the file, those of compressed transactions too.
fn each_event(mut call: impl FnMut(Event<'_>)) {
    let mut file = BinlogFile::new(PARTIAL_97).unwrap();
    let (mut parser, mut context, mut inner) = (EventParser::new(), PayloadContext::new(), Vec::new());
    while let Some(frame) = file.next_frame().unwrap() {
        let event = parser.parse(frame.bytes).unwrap().1;
        if let Event::TransactionPayload(payload) = &event {
            let mut frames = payload.frames(&mut context, 1 << 20).unwrap();
            while frames.next_frame(&mut inner).unwrap() {
                call(parser.parse_inner(&inner).unwrap().1);
            }
        }
        call(event);
    }
}

/// The cells of an image as text; `-` for columns that are not in it.
fn show(mut image: Reader<'_>, present: Bitmap<'_>, decoders: &[CellDecoder]) -> Vec<String> {
    let mut row = vec!["-".to_owned(); decoders.len()];
    read_row_image(&mut image, present, decoders, |column, value| {
        row[column] = match value {
            ColumnValue::Jsonb(document) => {
                let mut text = Vec::new();
                render(document, &mut text)?;
                String::from_utf8(text).unwrap()
            }
            ColumnValue::Bytes(text) => String::from_utf8_lossy(text).into_owned(),
            ColumnValue::Null => "NULL".to_owned(),
            ColumnValue::Int(number) => number.to_string(),
            other => format!("{other:?}"),
        };
        Ok::<_, WireError>(())
    })
    .unwrap();
    row
}

/// Before and after of each update of a table, and the row that was deleted last.
fn images(table: &[u8]) -> (Vec<[Vec<String>; 2]>, Vec<String>) {
    let (mut decoders, mut table_id) = (Vec::new(), 0);
    let (mut updates, mut deleted) = (Vec::new(), Vec::new());
    let mut after_image = AfterImage::default();
    each_event(|event| match event {
        Event::TableMap(map) if map.table == table => {
            decoders = map.cell_decoders(|_| false).unwrap();
            table_id = map.table_id;
        }
        Event::Rows(event) if event.table_id == table_id && event.kind == RowsKind::Update => {
            assert!(is_incomplete(&event));
            let mut reader = Reader::new(event.rows);
            let (before, after) = after_image.read(&event, &decoders, &mut reader).unwrap();
            let columns = event.columns_before.union(event.columns_after);
            let columns = Bitmap::of(&columns, decoders.len());
            updates.push([show(before, event.columns_before, &decoders), show(after, columns, &decoders)]);
            assert!(reader.is_empty());
            for cut in 0..event.rows.len().min(400) {
                let mut short = Reader::new(&event.rows[..cut]);
                assert!(after_image.read(&event, &decoders, &mut short).is_err(), "{cut}");
            }
            let mut cursor = event.cursor(&decoders).unwrap();
            cursor.skip_row().unwrap();
            assert!(!cursor.has_next());
        }
        Event::Rows(event) if event.table_id == table_id && event.kind == RowsKind::Delete => {
            deleted = show(Reader::new(event.rows), event.columns_before, &decoders);
        }
        _ => {}
    });
    (updates, deleted)
}

#[test]
fn documents_after_a_change_are_those_that_the_server_stored() {
    let (updates, deleted) = images(b"j");
    assert_eq!(updates.len(), 15);
    let stored = updates.iter().skip(1).map(|[before, _]| before).chain([&deleted]);
    for (number, ([_, after], stored)) in updates.iter().zip(stored).enumerate() {
        for (column, (after, stored)) in after.iter().zip(stored).enumerate() {
            // NOBLOB leaves the text out of images before, and out of those after that did not change it.
            if after != "-" && stored != "-" {
                assert_eq!(after, stored, "update {number}, column {column}");
            }
        }
    }
    let [_, first] = &updates[0];
    assert_eq!(first[0], "1");
    assert!(first[1].contains(r#""q\"x":20,"$x_1":70,"last":90,"null":100,"nul\u0000x":13,"tab\tnl\n":60,"#));
    let [_, whole] = &updates[9];
    assert_eq!(whole[2..], ["3", r#"{"whole":1}"#, "-", r#"{"x":{"y":[false,{"w":1,"z":"z"}]}}"#]);
    assert!(updates[12][1][5].len() > 66_000);
}

#[test]
fn what_did_not_change_comes_from_the_image_before() {
    let (updates, _) = images(b"nokey");
    assert_eq!(updates, [[vec!["1", "one", "[1]"], vec!["2", "one", "[1]"]]]);
    let (updates, _) = images(b"textkey");
    assert_eq!(updates[0], [vec!["x", "key", "1"], vec!["x", "key", "2"]]);
}
