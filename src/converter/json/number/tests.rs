use super::*;

/// Spellings that the reference published in the scenario types_float, and the edges of Java's documentation.
#[test]
fn doubles_are_spelled_as_java_does() {
    for (value, text) in [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (0.1, "0.1"),
        (99.0, "99.0"),
        (0.001, "0.001"),
        (9.999999747378752e-5, "9.999999747378752E-5"),
        (0.000_999, "9.99E-4"),
        (1234567.875, "1234567.875"),
        (9999999.999, "9999999.999"),
        (1e7, "1.0E7"),
        (12345678.1234, "1.23456781234E7"),
        (-1e8, "-1.0E8"),
        (9007199254740992.0, "9.007199254740992E15"),
        (1e16, "1.0E16"),
        (1.2345678901234568e17, "1.2345678901234568E17"),
        (1e21, "1.0E21"),
        (2e23, "2.0E23"),
        (1e100, "1.0E100"),
        (-2.5e-10, "-2.5E-10"),
        (1.4e-45, "1.4E-45"),
        (f64::MAX, "1.7976931348623157E308"),
        (f64::MIN_POSITIVE, "2.2250738585072014E-308"),
        (5e-324, "4.9E-324"),
        (1e-323, "9.9E-324"),
        (2.5e-322, "2.5E-322"),
    ] {
        let mut out = Vec::new();
        write_double(value, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), text);
    }
}

/// Both ways of moving the point, from the digits that the standard library finds.
#[test]
fn doubles_of_every_size() {
    for exponent in -20..20 {
        for digits in
            ["1", "2.5", "9.99", "1.2345678", "1.23456789", "9.007199254740991", "1.0000000000000004"]
        {
            for sign in ["", "-"] {
                let value: f64 = format!("{sign}{digits}e{exponent}").parse().unwrap();
                let (mut out, mut expected) = (Vec::new(), Vec::new());
                write_double(value, &mut out);
                respell(&format!("{value:e}"), &mut expected);
                assert_eq!(String::from_utf8(out), String::from_utf8(expected));
                let (mut out, mut expected) = (Vec::new(), Vec::new());
                write_float(value as f32, &mut out);
                respell(&format!("{:e}", value as f32), &mut expected);
                assert_eq!(String::from_utf8(out), String::from_utf8(expected));
            }
        }
    }
}

/// As any other double, at every length and scale, on both sides of 1E-3 and 1E7.
#[test]
fn exact_doubles_are_spelled_as_doubles() {
    let numbers =
        [0, 1, 5, 10, 12, 99, 100, 120, 1_234_567, 12_345_678, 99_999_999, 100_000_000, 123_456_789_012_345];
    for number in numbers.into_iter().chain([999_999_999_999_999, 100_000_000_000_000, 314_159_265_358_979]) {
        for scale in 0..=30u8 {
            for unscaled in [number, -number].into_iter().filter(|number| *number != 0 || scale < 2) {
                let (mut out, mut expected) = (Vec::new(), Vec::new());
                write_exact_double(unscaled, scale, &mut out);
                write_double(format!("{unscaled}e-{scale}").parse().unwrap(), &mut expected);
                assert_eq!(String::from_utf8(out), String::from_utf8(expected), "{unscaled} of {scale}");
            }
        }
    }
}

#[test]
fn floats_are_spelled_as_java_does() {
    for (value, text) in [
        (3.4028235e38f32, "3.4028235E38"),
        // JDK 17 still prints one digit more than it takes: 1.17549435E-38.
        (f32::MIN_POSITIVE, "1.1754944E-38"),
        (16777216.0, "1.6777216E7"),
        (8388608.0, "8388608.0"),
        (0.33333334, "0.33333334"),
        (1e10, "1.0E10"),
        (123456.79, "123456.79"),
        (1e-7, "1.0E-7"),
        (1e-45, "1.4E-45"),
    ] {
        let mut out = Vec::new();
        write_float(value, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), text);
    }
}

#[test]
fn decimals_are_spelled_as_java_does() {
    for (unscaled, scale, text) in [
        (&[0x00, 0x96][..], 2, "1.50"),
        (&[0xff], 2, "-0.01"),
        (&[0x00], 4, "0.0000"),
        (&[0x01], 6, "0.000001"),
        (&[0x01], 7, "1E-7"),
        (&[0x7b], 9, "1.23E-7"),
        (&[0x00], 10, "0E-10"),
        (&[0x80], 0, "-128"),
        (&[0x0f, 0x42, 0x3f], 1, "99999.9"),
        (&[0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 0, "18446744073709551615"),
    ] {
        let mut out = Vec::new();
        write_decimal(unscaled, scale, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), text);
    }
}
