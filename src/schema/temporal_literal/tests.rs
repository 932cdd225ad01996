//! What the server stored for these texts, by hand from `SELECT CAST('…' AS DATETIME(6))` and `… AS TIME(6))`.

use super::*;

fn moment(year: u16, month: u8, day: u8, clock: (u8, u8, u8, u32)) -> DateTime {
    let (hour, minute, second, micros) = clock;
    DateTime { date: Date { year, month, day }, hour, minute, second, micros }
}

#[test]
fn dates_are_read_leniently() {
    let midnight = (0, 0, 0, 0);
    for (text, expected) in [
        ("2020-02-29", Some(moment(2020, 2, 29, midnight))),
        ("1999-1-2", Some(moment(1999, 1, 2, midnight))),
        ("99-1-2", Some(moment(1999, 1, 2, midnight))),
        ("0000-00-00 00:00:00", Some(DateTime::default())),
        ("00-00-00", Some(DateTime::default())),
        ("0", Some(DateTime::default())),
        ("200102", Some(moment(2020, 1, 2, midnight))),
        ("10203", Some(moment(2001, 2, 3, midnight))),
        ("700102", Some(moment(1970, 1, 2, midnight))),
        ("20200102", Some(moment(2020, 1, 2, midnight))),
        ("200102030405", Some(moment(2020, 1, 2, (3, 4, 5, 0)))),
        ("20200102030405", Some(moment(2020, 1, 2, (3, 4, 5, 0)))),
        ("20200102030405.5", Some(moment(2020, 1, 2, (3, 4, 5, 500_000)))),
        ("20200102T030405", Some(moment(2020, 1, 2, (3, 4, 5, 0)))),
        ("2020.01.02", Some(moment(2020, 1, 2, midnight))),
        ("2020@01@02 03*04*05", Some(moment(2020, 1, 2, (3, 4, 5, 0)))),
        ("2020-01-02 3", Some(moment(2020, 1, 2, (3, 0, 0, 0)))),
        ("2020-01-02 03:04:05.678901", Some(moment(2020, 1, 2, (3, 4, 5, 678_901)))),
        ("2020-01-02T03:04:05.5", Some(moment(2020, 1, 2, (3, 4, 5, 500_000)))),
        ("2020-01", None),
        ("", None),
        ("x", None),
        ("2020-01-02 25:00:00", None),
    ] {
        assert_eq!(DateLiteral::read(text).map(|literal| literal.value), expected, "{text}");
    }
}

#[test]
fn displacements_stand_behind_a_time_of_day() {
    for (text, minutes) in [
        ("2020-01-02 03:04:05+02:00", Some(120)),
        ("2020-01-02 03:04:05.5-10:30", Some(-630)),
        ("2020-01-02 03:04:05", None),
    ] {
        let literal = DateLiteral::read(text).unwrap();
        assert_eq!(literal.displacement, minutes, "{text}");
        assert_eq!((literal.value.hour, literal.value.second), (3, 5));
    }
}

#[test]
fn fractions_are_rounded_or_cut() {
    for (text, digits, rounded, cut) in [
        (
            "2020-01-02 03:04:05.9999996",
            6,
            moment(2020, 1, 2, (3, 4, 6, 0)),
            moment(2020, 1, 2, (3, 4, 5, 999_999)),
        ),
        ("2020-12-31 23:59:59.5", 0, moment(2021, 1, 1, (0, 0, 0, 0)), moment(2020, 12, 31, (23, 59, 59, 0))),
        (
            "2020-02-28 23:59:59.9996",
            3,
            moment(2020, 2, 29, (0, 0, 0, 0)),
            moment(2020, 2, 28, (23, 59, 59, 999_000)),
        ),
    ] {
        let literal = DateLiteral::read(text).unwrap();
        assert_eq!(literal.at_digits(digits, true), Some(rounded), "{text}");
        assert_eq!(literal.at_digits(digits, false), Some(cut), "{text}");
    }
    let time = TimeLiteral::read("-10:59:59.9999999").unwrap().at_digits(6, true);
    assert_eq!(time, Time { negative: true, hours: 11, ..Time::default() });
}

/// What MySQL 9.7 makes of `DATETIME DEFAULT '… 23:59:59.9999999'` with `sql_mode='ALLOW_INVALID_DATES'`, as SHOW CREATE
/// TABLE prints it.
#[test]
fn a_day_that_no_calendar_has_is_rounded_into_the_next_month() {
    let midnight = (0, 0, 0, 0);
    for (day, rounded) in [
        ("2021-02-31", moment(2021, 3, 4, midnight)),
        ("2093-06-31", moment(2093, 7, 2, midnight)),
        ("0000-03-01", moment(0, 3, 2, midnight)),
        ("0000-02-28", moment(0, 3, 1, midnight)),
        ("2020-02-28", moment(2020, 2, 29, midnight)),
        ("2020-00-10", DateTime::default()),
        ("2020-05-00", DateTime::default()),
        ("0000-00-00", DateTime::default()),
    ] {
        let literal = DateLiteral::read(&format!("{day} 23:59:59.9999999")).unwrap();
        assert_eq!(literal.at_digits(0, true), Some(rounded), "{day}");
    }
}

#[test]
fn times_are_read_leniently() {
    let expect =
        |negative, hours, minutes, seconds, micros| Some(Time { negative, hours, minutes, seconds, micros });
    for (text, expected) in [
        ("-12:34:56", expect(true, 12, 34, 56, 0)),
        ("01:02:03.456", expect(false, 1, 2, 3, 456_000)),
        ("1:02", expect(false, 1, 2, 0, 0)),
        ("10203", expect(false, 1, 2, 3, 0)),
        ("34", expect(false, 0, 0, 34, 0)),
        ("10.5", expect(false, 0, 0, 10, 500_000)),
        ("1 02:00:00", expect(false, 26, 0, 0, 0)),
        ("2 10", expect(false, 58, 0, 0, 0)),
        ("-1 1:1:1.5", expect(true, 25, 1, 1, 500_000)),
        ("2020-01-02 10:11:12", expect(false, 10, 11, 12, 0)),
        ("838:59:59", expect(false, 838, 59, 59, 0)),
        ("839:00:00", None),
        ("a", None),
        ("1:2:3:4", None),
    ] {
        assert_eq!(TimeLiteral::read(text).map(|literal| literal.value), expected, "{text}");
    }
}

#[test]
fn moments_are_shifted_across_days() {
    let late = moment(2023, 12, 31, (23, 30, 0, 7));
    assert_eq!(shifted(late, 3600), Some(moment(2024, 1, 1, (0, 30, 0, 7))));
    let early = moment(2024, 3, 1, (0, 15, 0, 0));
    assert_eq!(shifted(early, -5400), Some(moment(2024, 2, 29, (22, 45, 0, 0))));
    assert_eq!(shifted(DateTime::default(), -60), None);
}
