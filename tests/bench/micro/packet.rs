//! Row images as a snapshot would get them: the packets of the binary protocol.
//!
//! Manual: "Binary Protocol Resultset Row", "Binary Protocol Value".

use tidewire::connect::cell::{ColumnValue, DateTime};
use tidewire::event::value::calendar::from_epoch_second;
use tidewire::wire::column_type::ColumnType;
use tidewire::wire::decimal::packed_to_text;

use crate::{Outcome, fixture::TableRows};

/// The character set id of utf8mb4_0900_ai_ci.
const UTF8MB4: u16 = 255;

/// Type, flags and character set of each column, as a prepared statement declares them.
pub fn definitions(rows: &TableRows<'_>) -> Outcome<Vec<(u8, u16, u16)>> {
    let columns = rows.map.columns()?;
    let codes = columns.iter().map(|column| match column.column_type {
        ColumnType::VarChar => ColumnType::VarString.code(),
        ColumnType::Enum => ColumnType::String.code(),
        ColumnType::DateTime2 => ColumnType::DateTime.code(),
        ColumnType::Timestamp2 => ColumnType::Timestamp.code(),
        other => other.code(),
    });
    Ok(codes.map(|code| (code, 0, UTF8MB4)).collect())
}

/// The rows as packets.
pub fn packets(rows: &TableRows<'_>) -> Outcome<Vec<Vec<u8>>> {
    let decoders = rows.map.cell_decoders(|_| false)?;
    let kinds: Vec<ColumnType> = rows.map.columns()?.iter().map(|column| column.column_type).collect();
    let mut packets = Vec::new();
    for event in &rows.events {
        let mut cursor = event.cursor(&decoders)?;
        while cursor.has_next() {
            let mut packet = vec![0; 1 + (decoders.len() + 9) / 8];
            cursor.after(|column, value| {
                if value == ColumnValue::Null {
                    let bit = column + 2;
                    packet.iter_mut().skip(1 + bit / 8).take(1).for_each(|byte| *byte |= 1 << (bit % 8));
                    return Ok(());
                }
                write(rows, &kinds, column, value, &mut packet)
            })?;
            packets.push(packet);
        }
    }
    Ok(packets)
}

fn write(
    rows: &TableRows<'_>,
    kinds: &[ColumnType],
    column: usize,
    value: ColumnValue<'_>,
    out: &mut Vec<u8>,
) -> Outcome<()> {
    match value {
        ColumnValue::Int(number) => {
            let size = match kinds.get(column) {
                Some(ColumnType::Short) => 2,
                Some(ColumnType::Long) => 4,
                Some(ColumnType::LongLong) => 8,
                _ => return Err("the table has an integer that is not expected".into()),
            };
            out.extend(number.to_le_bytes().iter().take(size));
        }
        ColumnValue::Bytes(text) => write_text(text, out)?,
        ColumnValue::PackedDecimal { packed, precision, scale } => {
            let mut text = Vec::new();
            packed_to_text(packed, precision, scale, &mut text)?;
            write_text(&text, out)?;
        }
        ColumnValue::DateTime(value) => write_date_time(value, out),
        ColumnValue::Timestamp { seconds, micros } => {
            write_date_time(from_epoch_second(seconds, micros), out)
        }
        ColumnValue::Enum(number) => {
            let labels = rows.table.columns.get(column).map(|column| &column.enum_values);
            let label = labels.and_then(|labels| labels.get(usize::from(number).checked_sub(1)?));
            write_text(label.ok_or("an ENUM without a label")?.trim_matches('\'').as_bytes(), out)?;
        }
        _ => return Err("the table has a type that is not expected".into()),
    }
    Ok(())
}

fn write_text(text: &[u8], out: &mut Vec<u8>) -> Outcome<()> {
    let length = u8::try_from(text.len()).ok().filter(|length| *length < 251);
    out.push(length.ok_or("the table has a text that is longer than expected")?);
    out.extend_from_slice(text);
    Ok(())
}

fn write_date_time(value: DateTime, out: &mut Vec<u8>) {
    out.push(11);
    out.extend_from_slice(&value.date.year.to_le_bytes());
    out.extend_from_slice(&[value.date.month, value.date.day, value.hour, value.minute, value.second]);
    out.extend_from_slice(&value.micros.to_le_bytes());
}
