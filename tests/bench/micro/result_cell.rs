//! Cells as a result set of the binary protocol has them.
//!
//! Manual: "Binary Protocol Value".

use tidewire::connect::cell::{ColumnValue, DateTime};
use tidewire::event::value::calendar::from_epoch_second;
use tidewire::wire::column_type::ColumnType;
use tidewire::wire::decimal::packed_to_text;
use tidewire::wire::result_set::ResultCellDecoder;

use crate::Outcome;

/// The type that a result set declares for a type of the binlog.
pub fn sent_as(column_type: ColumnType) -> ColumnType {
    match column_type {
        ColumnType::VarChar => ColumnType::VarString,
        ColumnType::Enum | ColumnType::Set => ColumnType::String,
        ColumnType::DateTime2 => ColumnType::DateTime,
        ColumnType::Timestamp2 => ColumnType::Timestamp,
        ColumnType::Time2 => ColumnType::Time,
        other => other,
    }
}

/// Appends a value; `printed` is its JSON, which has the text of labels and documents.
pub fn write(
    value: ColumnValue<'_>,
    decoder: ResultCellDecoder,
    printed: &[u8],
    out: &mut Vec<u8>,
) -> Outcome<()> {
    match value {
        ColumnValue::Int(number) => write_integer(&number.to_le_bytes(), decoder, out)?,
        ColumnValue::UInt(number) => write_integer(&number.to_le_bytes(), decoder, out)?,
        ColumnValue::Year(year) => out.extend_from_slice(&year.to_le_bytes()),
        ColumnValue::Float(number) => out.extend_from_slice(&number.to_le_bytes()),
        ColumnValue::Double(number) => out.extend_from_slice(&number.to_le_bytes()),
        ColumnValue::Bytes(bytes) | ColumnValue::Bit(bytes) | ColumnValue::DecimalText(bytes) => {
            write_bytes(bytes, out)?
        }
        ColumnValue::Text(text) => write_bytes(text.as_bytes(), out)?,
        ColumnValue::PackedDecimal { packed, precision, scale } => {
            let mut text = Vec::new();
            packed_to_text(packed, precision, scale, &mut text)?;
            write_bytes(&text, out)?;
        }
        ColumnValue::Date(date) => {
            out.push(4);
            out.extend_from_slice(&date.year.to_le_bytes());
            out.extend_from_slice(&[date.month, date.day]);
        }
        ColumnValue::DateTime(value) => write_date_time(value, out),
        ColumnValue::Timestamp { seconds, micros } => {
            write_date_time(from_epoch_second(seconds, micros), out)
        }
        ColumnValue::Time(time) => {
            out.extend_from_slice(&[12, u8::from(time.negative)]);
            out.extend_from_slice(&u32::from(time.hours / 24).to_le_bytes());
            out.extend_from_slice(&[u8::try_from(time.hours % 24)?, time.minutes, time.seconds]);
            out.extend_from_slice(&time.micros.to_le_bytes());
        }
        ColumnValue::Enum(_) | ColumnValue::Set(_) | ColumnValue::Jsonb(_) => {
            write_bytes(serde_json::from_slice::<String>(printed)?.as_bytes(), out)?;
        }
        _ => return Err("a value that is not expected".into()),
    }
    Ok(())
}

fn write_integer(bytes: &[u8], decoder: ResultCellDecoder, out: &mut Vec<u8>) -> Outcome<()> {
    let size = match decoder {
        ResultCellDecoder::Tiny | ResultCellDecoder::UnsignedTiny => 1,
        ResultCellDecoder::Short | ResultCellDecoder::UnsignedShort => 2,
        ResultCellDecoder::Long | ResultCellDecoder::UnsignedLong => 4,
        ResultCellDecoder::LongLong | ResultCellDecoder::UnsignedLongLong => 8,
        _ => return Err("an integer where none is expected".into()),
    };
    out.extend(bytes.iter().take(size));
    Ok(())
}

/// Bytes behind a length-encoded integer.
fn write_bytes(bytes: &[u8], out: &mut Vec<u8>) -> Outcome<()> {
    match u8::try_from(bytes.len()) {
        Ok(length @ 0..251) => out.push(length),
        _ => {
            out.push(0xfc);
            out.extend_from_slice(&u16::try_from(bytes.len())?.to_le_bytes());
        }
    }
    out.extend_from_slice(bytes);
    Ok(())
}

fn write_date_time(value: DateTime, out: &mut Vec<u8>) {
    out.push(11);
    out.extend_from_slice(&value.date.year.to_le_bytes());
    out.extend_from_slice(&[value.date.month, value.date.day, value.hour, value.minute, value.second]);
    out.extend_from_slice(&value.micros.to_le_bytes());
}
