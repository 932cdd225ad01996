//! Documents as MySQL 9.7 stored them, with the text that Debezium 3.6.1 published for them (recorded streams), unless
//! a comment says that Debezium is wrong.

use super::*;

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

fn text(hex: &str) -> Result<String, WireError> {
    let mut out = Vec::new();
    render(&bytes(hex), &mut out)?;
    Ok(String::from_utf8(out).unwrap())
}

#[test]
fn scalars() {
    for (hex, expected) in [
        ("0400", "null"),
        ("0401", "true"),
        ("0402", "false"),
        ("05ffff", "-1"),
        ("050080", "-32768"),
        ("06ffff", "65535"),
        ("07ffff0000", "65535"),
        ("0700000080", "-2147483648"),
        ("08ffffffff", "4294967295"),
        ("09ffffffff00000000", "4294967295"),
        ("090000000000000080", "-9223372036854775808"),
        ("0affffffffffffffff", "18446744073709551615"),
    ] {
        assert_eq!(text(hex).unwrap(), expected);
    }
}

#[test]
fn doubles_are_plain_or_exact() {
    for (hex, expected) in [
        ("0b000000000000f043", "18446744073709551616"),
        ("0b3e376cff90eef845", "123456789012345677877719597056"),
        ("0b9a9999999999b93f", "0.1"),
        ("0b0000000000000080", "-0.0"),
        ("0b000000000000f03f", "1.0"),
        ("0b000000205fa00242", "10000000000"),
        (
            "0bbbbdd7d9df7cdb3d",
            "0.00000000010000000000000000364321973154977415791655470655996396089904010295867919921875",
        ),
        ("0b92d54d06cff08044", "10000000000000000000000"),
        ("0b756b7e54346f9d41", "123456789.12345679104328155517578125"),
        ("0b182d4454fb210940", "3.141592653589793"),
        ("0b0000000000005940", "100.0"),
        ("0b0000000080842e41", "1000000.0"),
        ("0b00000000d0126341", "10000000"),
        ("0bcdccccdc298c6741", "12345678.90000000037252902984619140625"),
        ("0bfca9f1d24d62503f", "0.001"),
        ("0b2d431cebe2361a3f", "0.000100000000000000004792173602385929598312941379845142364501953125"),
    ] {
        assert_eq!(text(hex).unwrap(), expected);
    }
    let least = text("0b0100000000000000").unwrap();
    assert!(least.starts_with("0.000") && least.ends_with("19718265533447265625") && least.len() == 1076);
    let most = text("0bffffffffffffef7f").unwrap();
    assert!(most.starts_with("17976931348623157081452742373170435679807056752584") && most.len() == 309);
}

#[test]
fn strings_are_escaped_as_jackson_does() {
    for (hex, expected) in [
        ("0c00", r#""""#),
        ("0c09c3a9e697a5f09f9880", r#""é日😀""#),
        ("0c0b7122625c732f080c0a0d09", r#""q\"b\\s/\b\f\n\r\t""#),
        ("0c06001f7fe280a8", "\"\\u0000\\u001F\u{7f}\u{2028}\""),
        ("0c053c263e2760", r#""<&>'`""#),
    ] {
        assert_eq!(text(hex).unwrap(), expected);
    }
    assert_eq!(text("0c01ff").unwrap_err().to_string(), "invalid JSON value: a string is not UTF-8");
    assert!(text("0cffffffffff01").is_err());
}

#[test]
fn containers() {
    for (hex, expected) in [
        ("0000000400", "{}"),
        ("0200000400", "[]"),
        ("0202001200020a00000e000000040000000400", "[[],{}]"),
        ("0001000c000b0000000c0b0000", r#"{"":""}"#),
        ("0003001d00190001001a0001001b00020005020005010005030061626161", r#"{"a":2,"b":1,"aa":3}"#),
        (
            "020900310004000004010004020005010005ffff0b1f000c2700002900022d00000000000000f83f01730000040000000400",
            r#"[null,true,false,1,-1,1.5,"s",{},[]]"#,
        ),
        (
            "0001003a000b000100000c006101002e000b000100000c0062010022000b000100020c006302001600050100000a0001000c000b00010004000064",
            r#"{"a":{"b":{"c":[1,{"d":null}]}}}"#,
        ),
        (
            "0004003200200002002200020024000300270004000502000c2b000c2e000501007122c3a9e697a5f09f988002c3bc03e69cac",
            r#"{"q\"":2,"é":"ü","日":"本","😀":1}"#,
        ),
        // A large array: counts, offsets and inlined integers of 4 bytes.
        ("0302000000 12000000 07ffffffff 0401000000", "[-1,true]"),
    ] {
        assert_eq!(text(&hex.replace(' ', "")).unwrap(), expected);
    }
}

/// What `json_array(...)` of SQL values gives. Debezium spells the negative times wrongly (`839:0-60:0-59`); these are
/// the values that the server has.
#[test]
fn opaque_values() {
    let hex = "020a0080000f22000f2c000f36000f40000f4a000f54000f5e000f67000f6c000f76000b080000000591cbffff\
               0b08e05ef8feffffffff0b08c0d401b8c80000000c08000000b8c8bab2190c0820a107fb7efff37e0a08000000\
               0000bab219f6070b027ffffff3cd0f0300ff10f6080c038000000000000c0870580a053144b219";
    let expected = r#"["-838:59:59","-00:00:01.5","12:34:56.12","2024-02-29 12:34:56","9999-12-31 23:59:59.5","2024-02-29",-12.50,"AP8Q",0.000,"2024-01-02 03:04:05.678"]"#;
    assert_eq!(text(&hex.replace([' ', '\n'], "")).unwrap(), expected);
}

/// `cast(cast('-10000000000000000000000000000000000' as decimal(65,30)) as json)` in the binlog of MySQL 9.7.4 and 5.7.19: 66
/// digits, since the integer part counts as four words.
#[test]
fn a_decimal_counts_its_integer_part_in_words() {
    let hex = "0ff620421e7f67697fffffffffffffffffffffffffffffffffffffffffffffffffffff";
    assert_eq!(text(hex).unwrap(), "-10000000000000000000000000000000000.000000000000000000000000000000");
}

#[test]
fn nonsense_is_refused() {
    for (hex, problem) in [
        ("", "truncated JSON value: 1 bytes wanted, 0 left"),
        ("0403", "invalid JSON value: an unknown literal"),
        ("0b000000000000f87f", "invalid JSON value: a number that is not finite"),
        ("0b000000000000f0ff", "invalid JSON value: a number that is not finite"),
        ("0d00", "invalid JSON value: an unknown type"),
        ("0201000700 0c6400", "invalid JSON value: an offset is beyond its container"),
        ("0001000b00 00000c00 040000", "invalid JSON value: a key goes beyond its object"),
        ("020100ff00 040000", "truncated JSON value: 255 bytes wanted, 7 left"),
        ("0201000300 040000", "invalid JSON value: a container is too short for its entries"),
        ("0f", "truncated JSON value: 1 bytes wanted, 0 left"),
    ] {
        assert_eq!(text(&hex.replace(' ', "")).unwrap_err().to_string(), problem, "{hex}");
    }
}

/// An array whose only element is itself, and one whose two elements are: neither may run forever.
#[test]
fn circles_end() {
    assert!(text("0201000700020000").is_err());
    let error = text("02 0200 0a00 02 0000 02 0000".replace(' ', "").as_str()).unwrap_err();
    assert_eq!(error.to_string(), "invalid JSON value: its parts overlap");
}
