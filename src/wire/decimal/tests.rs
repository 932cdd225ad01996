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
        assert_eq!(text_to_unscaled(expected_text, scale, &mut buffer).unwrap(), expected_bytes);
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
    assert_eq!(text_to_unscaled(&format!("-{digits}"), 30, &mut buffer).unwrap(), unscaled(&packed, 65, 30));
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
        assert_eq!(text_to_unscaled(text, scale, &mut buffer).ok(), expected, "{text}");
    }
    assert!(text_to_unscaled(&"9".repeat(77), 0, &mut buffer).is_err());
    assert!(text_to_unscaled("1", 255, &mut buffer).is_err());
}

#[test]
fn nonsense_is_refused() {
    let mut out = Vec::new();
    assert!(packed_to_text(&[0x80], 5, 2, &mut out).is_err());
    assert!(packed_to_text(&[0x80, 0, 0], 66, 2, &mut out).is_err());
    // 100 in a group of two digits.
    assert!(packed_to_text(&[0x80, 0, 100], 5, 2, &mut out).is_err());
}
