//! Row images as a snapshot would get them: the packets of the binary protocol.
//!
//! Manual: "Binary Protocol Resultset Row".

use tidewire::connect::cell::ColumnValue;
use tidewire::wire::result_set::ResultCellDecoder;

use crate::fixture::TableRows;
use crate::{Outcome, result_cell};

/// The character set id of utf8mb4_0900_ai_ci.
pub const UTF8MB4: u16 = 255;

/// Type, flags and character set of each column, as a prepared statement declares them.
pub fn definitions(rows: &TableRows<'_>) -> Outcome<Vec<(u8, u16, u16)>> {
    let columns = rows.map.columns()?;
    Ok(columns.iter().map(|column| (result_cell::sent_as(column.column_type).code(), 0, UTF8MB4)).collect())
}

/// The rows as packets.
pub fn packets(rows: &TableRows<'_>) -> Outcome<Vec<Vec<u8>>> {
    let decoders = rows.map.cell_decoders(|_| false)?;
    let sent: Vec<ResultCellDecoder> = rows
        .map
        .columns()?
        .iter()
        .map(|column| ResultCellDecoder::new(result_cell::sent_as(column.column_type), false, UTF8MB4))
        .collect::<Result<_, _>>()?;
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
                let decoder = sent.get(column).copied().ok_or("a cell without a column")?;
                result_cell::write(value, decoder, &label(rows, column, value)?, &mut packet)
            })?;
            packets.push(packet);
        }
    }
    Ok(packets)
}

/// The JSON of an ENUM's label.
fn label(rows: &TableRows<'_>, column: usize, value: ColumnValue<'_>) -> Outcome<Vec<u8>> {
    let ColumnValue::Enum(number) = value else { return Ok(Vec::new()) };
    let labels = rows.table.columns.get(column).map(|column| &column.enum_values);
    let label = labels.and_then(|labels| labels.get(usize::from(number).checked_sub(1)?));
    Ok(serde_json::to_vec(label.ok_or("an ENUM without a label")?.trim_matches('\''))?)
}
