use super::*;

fn text(precision: u8, scale: u8, text: &str) -> Result<Vec<u8>, ValueError> {
    let mut out = Vec::new();
    DecimalWriter::new(precision, scale).expect("a type").write_text(text, &mut out).map(|()| out)
}

fn unscaled(precision: u8, scale: u8, bytes: &[u8], of: u8) -> Result<Vec<u8>, ValueError> {
    let mut out = Vec::new();
    DecimalWriter::new(precision, scale).expect("a type").write_unscaled(bytes, of, &mut out).map(|()| out)
}

#[test]
fn text_of_every_width() {
    for (precision, scale, value, wanted) in [
        (9, 2, "-1.23", (-123_i32).to_le_bytes().to_vec()),
        (9, 2, "1", 100_i32.to_le_bytes().to_vec()),
        (9, 2, "1.2300", 123_i32.to_le_bytes().to_vec()),
        (9, 0, "999999999", 999_999_999_i32.to_le_bytes().to_vec()),
        (18, 18, "-0.999999999999999999", (-999_999_999_999_999_999_i64).to_le_bytes().to_vec()),
        (38, 0, "99999999999999999999999999999999999999", (10_i128.pow(38) - 1).to_le_bytes().to_vec()),
        (38, 1, "-.5", (-5_i128).to_le_bytes().to_vec()),
        // 2^128.
        (39, 0, "340282366920938463463374607431768211456", [vec![0; 16], vec![1], vec![0; 15]].concat()),
        (76, 0, "-1", vec![0xff; 32]),
        (76, 30, "0", vec![0; 32]),
        (9, 7, "1E-7", 1_i32.to_le_bytes().to_vec()),
        (9, 1, "-1.25e2", (-1250_i32).to_le_bytes().to_vec()),
        (9, 0, "1E+3", 1000_i32.to_le_bytes().to_vec()),
        (9, 0, "0E-30", vec![0; 4]),
        (9, 2, "-0.000", vec![0; 4]),
    ] {
        assert_eq!(text(precision, scale, value), Ok(wanted), "Decimal({precision}, {scale}) {value}");
    }
    for (precision, scale, value, wanted) in [
        (9, 2, "10000000", ValueError::Range),
        (9, 2, "-10000000.00", ValueError::Range),
        (9, 2, "1.234", ValueError::Precision),
        (9, 2, "", ValueError::Text),
        (9, 2, "-", ValueError::Text),
        (9, 2, ".", ValueError::Text),
        (9, 2, "1e", ValueError::Text),
        (9, 2, "1e99999", ValueError::Text),
        (9, 2, "1e32767", ValueError::Range),
        (9, 2, "1e-32768", ValueError::Precision),
        (9, 2, "1e-3", ValueError::Precision),
        (9, 2, "1.2.3", ValueError::Text),
        (9, 2, "١", ValueError::Text),
        (76, 0, &"9".repeat(80), ValueError::Range),
        (76, 76, "1", ValueError::Range),
    ] {
        assert_eq!(text(precision, scale, value), Err(wanted), "Decimal({precision}, {scale}) {value}");
    }
}

#[test]
fn unscaled_bytes() {
    for (precision, scale, bytes, of, wanted) in [
        (9, 2, &[0x04, 0xd2][..], 2, 1234_i32.to_le_bytes().to_vec()),
        (9, 3, &[0xfb, 0x2e], 2, (-12_340_i32).to_le_bytes().to_vec()),
        (9, 1, &[0x04, 0xce], 2, 123_i32.to_le_bytes().to_vec()),
        (9, 0, &[0x80], 0, (-128_i32).to_le_bytes().to_vec()),
        (
            20,
            0,
            &[0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
            0,
            (i128::from(u64::MAX)).to_le_bytes().to_vec(),
        ),
        // Longer than it has to be.
        (9, 0, &[0xff; 40], 0, (-1_i32).to_le_bytes().to_vec()),
    ] {
        assert_eq!(unscaled(precision, scale, bytes, of), Ok(wanted), "{bytes:?}");
    }
    assert_eq!(unscaled(9, 1, &[0x04, 0xd2], 2), Err(ValueError::Precision));
    assert_eq!(unscaled(9, 0, &[], 0), Err(ValueError::Text));
    assert_eq!(unscaled(76, 0, &[0x7f; 32], 0), Err(ValueError::Range));
    assert_eq!(unscaled(76, 0, &[[0].as_slice(), &[0xff; 32]].concat(), 0), Err(ValueError::Range));
    assert_eq!(unscaled(76, 0, &[1; 33], 0), Err(ValueError::Range));
}

#[test]
fn types_that_do_not_exist() {
    for (precision, scale) in [(0, 0), (77, 0), (5, 6)] {
        assert_eq!(DecimalWriter::new(precision, scale), None);
    }
}
