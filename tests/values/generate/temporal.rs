//! Values of DATE, TIME, DATETIME and TIMESTAMP: ends of the ranges, zero dates, days that no calendar has.

use crate::generate::Generator;
use crate::modes::TimeMode;

impl Generator<'_> {
    /// `YYYY-MM-DD`, sometimes with zero parts, sometimes impossible.
    fn day(&mut self) -> String {
        match self.random.below(14) {
            0 => "0000-00-00".to_owned(),
            1 => "1000-01-01".to_owned(),
            2 => "9999-12-31".to_owned(),
            3 => format!("{:04}-{:02}-00", self.random.below(2100), self.random.below(13)),
            4 => format!("{:04}-00-{:02}", self.random.below(2100), self.random.below(29)),
            // The server takes it with ALLOW_INVALID_DATES only.
            5 => format!(
                "20{:02}-0{}-3{}",
                self.random.below(100),
                [2, 4, 6, 9][self.random.below(4)],
                self.random.below(2)
            ),
            6 => format!("{:04}-02-29", self.random.below(2100)),
            7 => format!(
                "{:04}-{:02}-{:02}",
                self.random.below(110),
                1 + self.random.below(12),
                1 + self.random.below(28)
            ),
            8 => [
                "1970-01-01",
                "1969-12-31",
                "1582-10-10",
                "2000-02-29",
                "1900-02-28",
                "0001-01-01",
                "2038-01-19",
            ][self.random.below(7)]
            .to_owned(),
            _ => self.plain_day(1000, 9999),
        }
    }

    fn plain_day(&mut self, from: i64, to: i64) -> String {
        let year = self.random.between(from, to);
        format!("{year:04}-{:02}-{:02}", 1 + self.random.below(12), 1 + self.random.below(28))
    }

    fn clock(&mut self) -> String {
        match self.random.below(6) {
            0 => "00:00:00".to_owned(),
            1 => "23:59:59.999999".to_owned(),
            2 => format!("12:00:00.{}", ["1", "000001", "120000", "999", "5", "1234"][self.random.below(6)]),
            _ => format!(
                "{:02}:{:02}:{:02}.{:06}",
                self.random.below(24),
                self.random.below(60),
                self.random.below(60),
                self.random.below(1_000_000)
            ),
        }
    }

    pub(super) fn date(&mut self) -> String {
        format!("'{}'", self.day())
    }

    pub(super) fn time(&mut self, must_convert: bool) -> String {
        let of_a_day = must_convert && matches!(self.modes.time, TimeMode::Connect | TimeMode::IsoString);
        if of_a_day {
            // 23:59:59.999999 may be rounded up to a day, which IsoTime does not hold.
            let time = self.clock().replace("23:59:59.999999", "23:59:58.999");
            return format!("'{}'", time.replacen("23:59:59.9", "23:59:59.1", 1));
        }
        let sign = if self.random.chance(40) { "-" } else { "" };
        let time = match self.random.below(7) {
            0 => "838:59:59.000000".to_owned(),
            1 => "838:59:58.999999".to_owned(),
            2 => "24:00:00".to_owned(),
            3 => "00:00:00.000001".to_owned(),
            4 => self.clock(),
            _ => format!(
                "{}:{:02}:{:02}.{:06}",
                self.random.below(838),
                self.random.below(60),
                self.random.below(60),
                self.random.below(1_000_000)
            ),
        };
        format!("'{sign}{time}'")
    }

    pub(super) fn date_time(&mut self, must_convert: bool) -> String {
        let day = if must_convert && self.modes.time == TimeMode::Nanoseconds {
            self.plain_day(1678, 2261)
        } else {
            self.day()
        };
        format!("'{day} {}'", self.clock())
    }

    pub(super) fn timestamp(&mut self) -> String {
        let day = match self.random.below(8) {
            0 => return "'0000-00-00 00:00:00'".to_owned(),
            1 => return "'2038-01-19 03:14:07'".to_owned(),
            2 => return "'1970-01-01 00:00:01'".to_owned(),
            3 => return "CURRENT_TIMESTAMP(6)".to_owned(),
            _ => self.plain_day(1970, 2037),
        };
        format!("'{day} {}'", self.clock())
    }
}
