use super::*;

fn text(packed: &[u8], precision: u8, scale: u8) -> String {
    let mut out = Vec::new();
    packed_to_text(packed, precision, scale, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn unscaled(packed: &[u8], precision: u8, scale: u8) -> Vec<u8> {
    packed_to_unscaled(packed, precision, scale, &mut [0; 32]).unwrap().to_vec()
}

/// The first is the example of strings/decimal.cc; unscaled values by hand.
#[test]
fn short_decimals() {
    for (packed, precision, scale, expected_text, expected_bytes) in [
        (
            &[0x81, 0x0d, 0xfb, 0x38, 0xd2, 0x04, 0xd2][..],
            14,
            4,
            "1234567890.1234",
            &[0x0b, 0x3a, 0x73, 0xce, 0x2f, 0xf2][..],
        ),
        (
            &[0x7e, 0xf2, 0x04, 0xc7, 0x2d, 0xfb, 0x2d],
            14,
            4,
            "-1234567890.1234",
            &[0xf4, 0xc5, 0x8c, 0x31, 0xd0, 0x0e],
        ),
        (&[0x80, 0x0c, 0x32], 5, 2, "12.50", &[0x04, 0xe2]),
        (&[0x7f, 0xf3, 0xcd], 5, 2, "-12.50", &[0xfb, 0x1e]),
        (&[0x80, 0x00, 0x05], 5, 2, "0.05", &[0x05]),
        (&[0x80, 0x00, 0x00], 5, 2, "0.00", &[0x00]),
        (&[0x7f, 0xff, 0xff], 5, 2, "0.00", &[0x00]),
        (&[0x80], 1, 0, "0", &[0x00]),
        (&[0x76], 1, 0, "-9", &[0xf7]),
        (&[0x85], 1, 1, "0.5", &[0x05]),
        (&[0x7a], 1, 1, "-0.5", &[0xfb]),
        (&[0x80, 0x80], 4, 0, "128", &[0x00, 0x80]),
        (&[0x7f, 0x7f], 4, 0, "-128", &[0x80]),
        (&[0x7f, 0x7e], 4, 0, "-129", &[0xff, 0x7f]),
    ] {
        assert_eq!(text(packed, precision, scale), expected_text);
        assert_eq!(unscaled(packed, precision, scale), expected_bytes, "{expected_text}");
        let mut buffer = [0; 32];
        assert_eq!(text_to_unscaled(expected_text.as_bytes(), scale, &mut buffer).unwrap(), expected_bytes);
    }
}

/// -(10^65 - 1) with 30 digits behind the point: groups of 8 + 3 × 9 digits before it and 3 × 9 + 3 behind.
#[test]
fn the_longest_decimal() {
    let mut packed = Vec::new();
    packed.extend(99_999_999u32.to_be_bytes());
    for _ in 0..6 {
        packed.extend(999_999_999u32.to_be_bytes());
    }
    packed.extend(999u16.to_be_bytes());
    packed[0] ^= 0x80;
    let digits = format!("{}.{}", "9".repeat(35), "9".repeat(30));
    assert_eq!(text(&packed, 65, 30), digits);
    // python: (10**65 - 1).to_bytes(28, 'big', signed=True).hex()
    let hex: String = unscaled(&packed, 65, 30).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex, "00f316271c7fc3908a8bef464e3945ef7a253609ffffffffffffffff");
    packed.iter_mut().for_each(|byte| *byte = !*byte);
    assert_eq!(text(&packed, 65, 30), format!("-{digits}"));
    let mut buffer = [0; 32];
    assert_eq!(
        text_to_unscaled(format!("-{digits}").as_bytes(), 30, &mut buffer).unwrap(),
        unscaled(&packed, 65, 30)
    );
}

#[test]
fn text_at_a_scale() {
    let mut buffer = [0; 32];
    for (text, scale, expected) in [
        ("12.5", 2, Some(&[0x04, 0xe2][..])),
        ("12.500", 2, Some(&[0x04, 0xe2])),
        ("12.501", 2, None),
        ("-0.00", 2, Some(&[0])),
        ("+7", 0, Some(&[7])),
        (".5", 1, Some(&[5])),
        ("5.", 1, Some(&[50])),
        ("000000000000000000000000000001", 0, Some(&[1])),
        ("9223372036854775808", 0, Some(&[0, 0x80, 0, 0, 0, 0, 0, 0, 0])),
        ("-9223372036854775808", 0, Some(&[0x80, 0, 0, 0, 0, 0, 0, 0])),
        ("", 0, None),
        ("-", 0, None),
        (".", 0, None),
        ("1e5", 0, None),
        ("1.2.3", 2, None),
        ("--1", 0, None),
    ] {
        assert_eq!(text_to_unscaled(text.as_bytes(), scale, &mut buffer).ok(), expected, "{text}");
    }
    assert!(text_to_unscaled("9".repeat(77).as_bytes(), 0, &mut buffer).is_err());
    assert!(text_to_unscaled("1".as_bytes(), 255, &mut buffer).is_err());
}

#[test]
fn nonsense_is_refused() {
    let mut out = Vec::new();
    assert!(packed_to_text(&[0x80], 5, 2, &mut out).is_err());
    assert!(packed_to_text(&[0x80, 0, 0], 66, 2, &mut out).is_err());
    // 100 in a group of two digits.
    assert!(packed_to_text(&[0x80, 0, 100], 5, 2, &mut out).is_err());
}

/// Two's complement by multiplying bytes by ten, one digit after the other.
fn schoolbook(digits: &str, negative: bool) -> Vec<u8> {
    let mut bytes = vec![0u8; 40];
    for digit in digits.bytes() {
        let mut carry = u32::from(digit - b'0');
        for byte in bytes.iter_mut().rev() {
            let product = u32::from(*byte) * 10 + carry;
            (*byte, carry) = (product as u8, product >> 8);
        }
    }
    if negative {
        let mut carry = true;
        for byte in bytes.iter_mut().rev() {
            (*byte, carry) = (!*byte).overflowing_add(carry.into());
        }
    }
    while bytes.len() > 1
        && ((bytes[0] == 0 && bytes[1] & 0x80 == 0) || (bytes[0] == 0xff && bytes[1] & 0x80 != 0))
    {
        bytes.remove(0);
    }
    bytes
}

/// Digits as decimal2bin packs them.
fn pack(digits: &str, scale: usize, negative: bool) -> Vec<u8> {
    let (integer, fraction) = digits.split_at(digits.len() - scale);
    let mut groups = Vec::new();
    let (lead, whole) = integer.split_at(integer.len() % 9);
    groups.push(lead);
    let rest = [whole, fraction];
    groups.extend(
        rest.iter()
            .flat_map(|part| part.as_bytes().chunks(9))
            .map(|group| std::str::from_utf8(group).unwrap()),
    );
    let mut packed = Vec::new();
    for group in groups.into_iter().filter(|group| !group.is_empty()) {
        let value: u32 = group.parse().unwrap();
        packed.extend_from_slice(&value.to_be_bytes()[4 - [0, 1, 1, 2, 2, 3, 3, 4, 4, 4][group.len()]..]);
    }
    packed[0] ^= 0x80;
    if negative {
        packed.iter_mut().for_each(|byte| *byte = !*byte);
    }
    packed
}

/// Numbers around those where the arithmetic changes: 10^16, 10^18, 2^63, 2^64, 10^38, 2^127, 2^128, and the largest; at
/// every length that they fit and at scales that cut their groups and words in every way.
#[test]
fn every_way_of_computing_is_the_schoolbooks() {
    let numbers = [
        "0",
        "1",
        "9",
        "127",
        "128",
        "255",
        "99999999",
        "100000000",
        "999999999",
        "1000000000",
        "9999999999999999",
        "10000000000000000",
        "999999999999999999",
        "1000000000000000000",
        "9223372036854775807",
        "9223372036854775808",
        "9223372036854775809",
        "18446744073709551615",
        "18446744073709551616",
        "99999999999999999999999999999999",
        "100000000000000000000000000000000",
        "99999999999999999999999999999999999999",
        "100000000000000000000000000000000000000",
        "170141183460469231731687303715884105727",
        "170141183460469231731687303715884105728",
        "170141183460469231731687303715884105729",
        "340282366920938463463374607431768211455",
        "340282366920938463463374607431768211456",
        "99999999999999999999999999999999999999999999999999999999999999999",
        "12345678901234567890123456789012345678901234567890123456789012345",
    ];
    for number in numbers {
        for precision in number.len()..=65 {
            let digits = format!("{number:0>precision$}");
            for scale in (0..=precision.min(30)).filter(|scale| scale % 3 != 1) {
                let (integer, fraction) = digits.split_at(precision - scale);
                for negative in [false, true] {
                    let expected = schoolbook(number, negative);
                    let (p, s) = (precision as u8, scale as u8);
                    let packed = pack(&digits, scale, negative);
                    assert_eq!(unscaled(&packed, p, s), expected, "{digits} of {scale}");
                    let sign = if negative { "-" } else { "" };
                    let padded = format!("{sign}{integer}.{fraction}");
                    let mut buffer = [0; 32];
                    assert_eq!(
                        text_to_unscaled(padded.as_bytes(), s, &mut buffer).unwrap(),
                        expected,
                        "{padded}"
                    );
                    let sign = if number == "0" { "" } else { sign };
                    let integer = match integer.trim_start_matches('0') {
                        "" => "0",
                        integer => integer,
                    };
                    let plain = match scale {
                        0 => format!("{sign}{integer}"),
                        _ => format!("{sign}{integer}.{fraction}"),
                    };
                    assert_eq!(text(&packed, p, s), plain);
                    assert_eq!(
                        text_to_unscaled(plain.as_bytes(), s, &mut buffer).unwrap(),
                        expected,
                        "{plain}"
                    );
                    let short = text_to_short(padded.as_bytes(), s);
                    let value = number.parse::<i64>().ok().filter(|_| number.len() <= 18);
                    let value = value.map(|value| if negative { -value } else { value });
                    assert!(short == value || (short.is_none() && precision > 18), "{padded}");
                }
            }
        }
    }
}

/// At every place of a long number, whichever way it is read.
#[test]
fn what_is_no_digit_is_found_everywhere() {
    for length in [1, 5, 8, 12, 16, 18, 19, 24, 32, 33, 38, 39, 65] {
        for scale in [0, 2, 9, 30].into_iter().filter(|scale| *scale < length) {
            for place in 0..length {
                for wrong in ["/", ":", " ", "e", "\u{7f}", "é"] {
                    let mut digits: Vec<String> = vec!["1".to_owned(); length];
                    digits[place] = wrong.to_owned();
                    if scale > 0 {
                        digits.insert(length - scale, ".".to_owned());
                    }
                    let text = digits.concat();
                    assert!(text_to_unscaled(text.as_bytes(), scale as u8, &mut [0; 32]).is_err(), "{text}");
                    assert_eq!(text_to_short(text.as_bytes(), scale as u8), None, "{text}");
                }
            }
        }
    }
}

/// A fraction that is shorter than the scale, up to the most digits.
#[test]
fn missing_digits_are_zeros() {
    let mut buffer = [0; 32];
    for (text, scale) in [("1", 18), ("12.5", 30), ("-7", 75), ("123456789.1", 35), ("0.1", 9)] {
        let negative = text.starts_with('-');
        let (integer, fraction) =
            text.trim_start_matches('-').split_once('.').unwrap_or((text.trim_start_matches('-'), ""));
        let digits = format!("{integer}{fraction:0<scale$}");
        let unscaled = text_to_unscaled(text.as_bytes(), scale as u8, &mut buffer).unwrap();
        assert_eq!(unscaled, schoolbook(&digits, negative), "{text}");
    }
    assert!(text_to_unscaled("1".as_bytes(), 76, &mut buffer).is_err());
}
