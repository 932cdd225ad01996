//! Which types hold all values of which others.
//!
//! Integers by their range, also signed in the next wider signed one; Float32 in Float64; a decimal where neither the
//! digits before nor those behind the point become fewer; dates by range, date-times by range and precision, all of them
//! compared as instants; a type in itself with NULL; anything in a dictionary of itself. The zone only says how an instant
//! is shown, so it must be the same: a column of wall clocks is another thing in another zone.

use crate::sink::table::column_type::{ColumnType, Width};

pub(super) fn holds(wide: &ColumnType, narrow: &ColumnType) -> bool {
    if narrow.is_nullable() && !wide.is_nullable() {
        return false;
    }
    value_holds(wide.value_type(), narrow.value_type())
}

/// The first of the two where it holds the other, so that what is there is kept; else the second; else a wider one.
pub(super) fn least(first: &ColumnType, second: &ColumnType) -> Option<ColumnType> {
    use ColumnType::{Decimal, Int, UInt};
    let (value, other) = (first.value_type(), second.value_type());
    let least = if value_holds(value, other) {
        first.clone()
    } else if value_holds(other, value) {
        second.clone()
    } else {
        match (value, other) {
            // A signed one of the same width or less does not hold the unsigned one.
            (Int(_), UInt(width)) | (UInt(width), Int(_)) => Int(next(*width)?),
            (Decimal { precision, scale }, Decimal { precision: digits, scale: fraction }) => {
                let whole = whole_digits(*precision, *scale).max(whole_digits(*digits, *fraction));
                let scale = (*scale).max(*fraction);
                let precision = whole.checked_add(scale).filter(|digits| *digits <= 76)?;
                Decimal { precision, scale }
            }
            _ => return None,
        }
    };
    let nullable = first.is_nullable() || second.is_nullable();
    Some(if nullable { least.nullable() } else { least })
}

/// The next wider one.
fn next(width: Width) -> Option<Width> {
    match width {
        Width::One => Some(Width::Two),
        Width::Two => Some(Width::Four),
        Width::Four => Some(Width::Eight),
        Width::Eight => None,
    }
}

fn value_holds(wide: &ColumnType, narrow: &ColumnType) -> bool {
    use ColumnType::{Array, Bool, Date, Date32, DateTime, DateTime64, Decimal, FixedString};
    use ColumnType::{Float32, Float64, Int, String, Time64, UInt};
    match (wide, narrow) {
        (wide, narrow) if wide == narrow => true,
        (Int(_) | UInt(_), Bool) => true,
        (Int(wide), Int(narrow)) | (UInt(wide), UInt(narrow)) => wide >= narrow,
        (Int(wide), UInt(narrow)) => wide > narrow,
        (Float64, Float32) => true,
        (Float32, Int(width) | UInt(width)) => *width <= Width::Two,
        (Float64, Int(width) | UInt(width)) => *width <= Width::Four,
        (Decimal { precision, scale }, Decimal { precision: digits, scale: fraction }) => {
            scale >= fraction && whole_digits(*precision, *scale) >= whole_digits(*digits, *fraction)
        }
        (Decimal { precision, scale }, Int(width) | UInt(width)) => {
            whole_digits(*precision, *scale) >= integer_digits(*width)
        }
        (Date32, Date) => true,
        (DateTime64 { zone: to, precision }, DateTime { zone: from }) => to == from && *precision <= 8,
        (
            DateTime64 { zone: to, precision: wide },
            DateTime64 { zone: from, precision: narrow },
            // Nine digits reach from 1677 to 2262 only, fewer hold the years 0 to 9999.
        ) => to == from && wide >= narrow && *wide <= 8,
        (Time64(wide), Time64(narrow)) => wide >= narrow,
        // A column of text takes a decimal or a date without loss, but not in the form in which we send them.
        (String, FixedString(_)) => true,
        (Array(wide), Array(narrow)) => holds(wide, narrow),
        _ => false,
    }
}

fn whole_digits(precision: u8, scale: u8) -> u8 {
    precision.saturating_sub(scale)
}

/// The digits of the largest number of a width, signed or not.
fn integer_digits(width: Width) -> u8 {
    match width {
        Width::One => 3,
        Width::Two => 5,
        Width::Four => 10,
        Width::Eight => 20,
    }
}
