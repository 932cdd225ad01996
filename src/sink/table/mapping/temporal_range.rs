//! Dates that a server of ClickHouse cannot hold, and zero dates.
//!
//! MySQL's dates reach from year 0 to 9999. A server 26.7 holds all of them in Date32 and in DateTime64 of up to 8 digits;
//! before, what lies outside of 1900 to 2299 is stored but shown as another date. A value goes in as binary ticks and never
//! as text, since text is parsed by other rules again (`0000-01-01` becomes the current year). Which range a server has is
//! asked with [`DATE_RANGE_QUERY`]; what happens outside is `dates.out.of.range`.
//!
//! Zero dates (`0000-00-00`, `2024-00-15`) are NULL where the column allows it, else what `dates.zero` says; a zero
//! TIMESTAMP is 0, which no other TIMESTAMP is: they begin at 1970-01-01 00:00:01.

use crate::config::sink::modes::{OutOfRangeMode, ZeroDateMode};

/// Which dates a server holds in Date32 and DateTime64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DateRange {
    /// The years 0 to 9999, since 26.7.
    #[default]
    Full,
    /// The years 1900 to 2299.
    From1900To2299,
}

/// Answers 9999, 9999 and 1000 on a server with the full range.
pub const DATE_RANGE_QUERY: &str = "SELECT toYear(addDays(toDate32('1970-01-01'), 2932896)), \
     toYear(fromUnixTimestamp64Micro(253402300799999999, 'UTC')), toYear(addDays(toDate32('1970-01-01'), -354285))";

/// A value that was fitted into the range of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fitted {
    /// As it was.
    Exact(i64),
    /// The nearest one that fits; to be counted.
    Clamped(i64),
    /// NULL stands for it; to be counted.
    Null,
    /// No value stands for it.
    Refused,
}

const SECONDS_OF_A_DAY: i64 = 86_400;

impl DateRange {
    /// Reads the answer to [`DATE_RANGE_QUERY`].
    pub fn of_years(last_date: u16, last_date_time: u16, first_date: u16) -> Self {
        if (last_date, last_date_time, first_date) == (9999, 9999, 1000) {
            DateRange::Full
        } else {
            DateRange::From1900To2299
        }
    }

    /// The first day, counted from 1970-01-01.
    pub const fn first_day(self) -> i64 {
        match self {
            DateRange::Full => -719_528,
            DateRange::From1900To2299 => -25_567,
        }
    }

    /// The last day.
    pub const fn last_day(self) -> i64 {
        match self {
            DateRange::Full => 2_932_896,
            DateRange::From1900To2299 => 120_529,
        }
    }

    /// Fits days since 1970-01-01 into Date32.
    pub fn fit_days(self, days: i64, mode: OutOfRangeMode) -> Fitted {
        let nearest = days.clamp(self.first_day(), self.last_day());
        fitted(days, nearest, mode)
    }

    /// Fits ticks of 10^-precision seconds since 1970 into DateTime64. What is clamped keeps its time of day.
    pub fn fit_ticks(self, ticks: i64, precision: u8, mode: OutOfRangeMode) -> Fitted {
        let Some(ticks_of_a_day) =
            10i64.checked_pow(precision.into()).and_then(|ticks| ticks.checked_mul(SECONDS_OF_A_DAY))
        else {
            return Fitted::Refused;
        };
        let (day, time) = (ticks.div_euclid(ticks_of_a_day), ticks.rem_euclid(ticks_of_a_day));
        let nearest = day.clamp(self.first_day(), self.last_day());
        match nearest.checked_mul(ticks_of_a_day).and_then(|start| start.checked_add(time)) {
            Some(nearest) => fitted(ticks, nearest, mode),
            // Only more digits than MySQL has come here.
            None => Fitted::Refused,
        }
    }

    /// The day that stands for a zero date in a column without NULL.
    pub const fn zero_day(self, mode: ZeroDateMode) -> i64 {
        match mode {
            ZeroDateMode::Min => self.first_day(),
            ZeroDateMode::Epoch => 0,
        }
    }
}

fn fitted(value: i64, nearest: i64, mode: OutOfRangeMode) -> Fitted {
    match mode {
        _ if value == nearest => Fitted::Exact(value),
        OutOfRangeMode::Exact => Fitted::Refused,
        OutOfRangeMode::Clamp => Fitted::Clamped(nearest),
        OutOfRangeMode::Null => Fitted::Null,
    }
}

/// Days from 1970-01-01 to a date of the proleptic Gregorian calendar; none for a date that is not in it.
pub fn days_of(year: u16, month: u8, day: u8) -> Option<i64> {
    if !(1..=12).contains(&month) || day == 0 || day > days_of_month(year, month) {
        return None;
    }
    // Years that begin in March end with the leap day; 400 of them have 146,097 days.
    let (year, month) = (i64::from(year), i64::from(month));
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + i64::from(day) - 1;
    Some(era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468)
}

fn days_of_month(year: u16, month: u8) -> u8 {
    let is_leap_year = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if is_leap_year => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The days are those that Debezium published for these dates (bugs 109) and that a server 26.7 showed again.
    #[test]
    fn dates_are_counted_from_1970() {
        for (year, month, day, days) in [
            (1970, 1, 1, Some(0)),
            (1899, 12, 31, Some(-25_568)),
            (2300, 1, 1, Some(120_530)),
            (1000, 1, 1, Some(-354_285)),
            (9999, 12, 31, Some(2_932_896)),
            (0, 1, 1, Some(-719_528)),
            (2020, 2, 29, Some(18_321)),
            (2019, 2, 29, None),
            (2000, 2, 29, Some(11_016)),
            (1900, 2, 29, None),
            (2024, 0, 0, None),
            (2024, 4, 31, None),
            (2024, 13, 1, None),
        ] {
            assert_eq!(days_of(year, month, day), days, "{year}-{month}-{day}");
        }
    }

    #[test]
    fn the_full_range_keeps_all_dates_of_mysql() {
        for days in [-719_528, -354_285, -25_568, 120_530, 2_932_896] {
            assert_eq!(DateRange::Full.fit_days(days, OutOfRangeMode::Exact), Fitted::Exact(days));
        }
        for micros in [-62_167_219_200_000_000, 253_402_300_799_999_999, -1] {
            let fitted = DateRange::Full.fit_ticks(micros, 6, OutOfRangeMode::Exact);
            assert_eq!(fitted, Fitted::Exact(micros));
        }
    }

    /// Section 3.4, rules 2 and 3: R-5, never a silent change.
    #[test]
    fn r_5_what_does_not_fit_is_refused_null_or_clamped_and_says_so() {
        use OutOfRangeMode::{Clamp, Exact, Null};
        let old = DateRange::From1900To2299;
        for (days, mode, wanted) in [
            (-25_567, Exact, Fitted::Exact(-25_567)),
            (-25_568, Exact, Fitted::Refused),
            (-25_568, Clamp, Fitted::Clamped(-25_567)),
            (-25_568, Null, Fitted::Null),
            (120_530, Clamp, Fitted::Clamped(120_529)),
            (120_529, Clamp, Fitted::Exact(120_529)),
        ] {
            assert_eq!(old.fit_days(days, mode), wanted, "{days} {mode:?}");
        }
        // 2300-01-01 23:59:59.999 and 1899-12-31 00:00:00.001: the time of day stays.
        assert_eq!(
            old.fit_ticks(10_413_878_399_999, 3, Clamp),
            Fitted::Clamped(120_529 * 86_400_000 + 86_399_999)
        );
        assert_eq!(
            old.fit_ticks(-25_568 * 86_400_000 + 1, 3, Clamp),
            Fitted::Clamped(-25_567 * 86_400_000 + 1)
        );
        assert_eq!(old.fit_ticks(i64::MAX, 19, Clamp), Fitted::Refused);
        assert_eq!(DateRange::Full.fit_ticks(i64::MAX, 0, Exact), Fitted::Refused);
    }

    #[test]
    fn a_servers_answer_says_its_range() {
        assert_eq!(DateRange::of_years(9999, 9999, 1000), DateRange::Full);
        assert_eq!(DateRange::of_years(2299, 2299, 1900), DateRange::From1900To2299);
        assert_eq!(DateRange::of_years(9999, 2299, 1000), DateRange::From1900To2299);
        assert_eq!(DateRange::Full.zero_day(ZeroDateMode::Min), -719_528);
        assert_eq!(DateRange::Full.zero_day(ZeroDateMode::Epoch), 0);
    }
}
