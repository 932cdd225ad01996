use proptest::prelude::*;

use super::*;

/// What `ObjectOutputStream` of OpenJDK 17 wrote for maps of no entry, of one, and of two of which one value is null.
type Case = (&'static str, &'static [(&'static str, Option<&'static str>)]);

const BY_JAVA: [Case; 3] = [
    (
        "aced0005737200116a6176612e7574696c2e486173684d61700507dac1c31660d103000246000a6c6f6164466163746f724900097468\
         726573686f6c6478703f4000000000000077080000001000000000\
         78",
        &[],
    ),
    (
        "aced0005737200116a6176612e7574696c2e486173684d61700507dac1c31660d103000246000a6c6f6164466163746f724900097468\
         726573686f6c6478703f4000000000000c77080000001000000001757200025b42acf317f8060854e0020000787000000014\
         5b2263222c7b22736572766572223a2270227d5d7571007e0002000000097b22706f73223a347d78",
        &[(r#"["c",{"server":"p"}]"#, Some(r#"{"pos":4}"#))],
    ),
    (
        "aced0005737200116a6176612e7574696c2e486173684d61700507dac1c31660d103000246000a6c6f6164466163746f724900097468\
         726573686f6c6478703f4000000000000c77080000001000000002757200025b42acf317f8060854e0020000787000000002\
         6b317571007e00020000000276317571007e0002000000026b327078",
        &[("k1", Some("v1")), ("k2", None)],
    ),
];

fn bytes(hexadecimal: &str) -> Vec<u8> {
    let digits: Vec<u32> = hexadecimal.chars().filter_map(|digit| digit.to_digit(16)).collect();
    digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
}

#[test]
fn our_bytes_are_those_of_java_and_are_read_back() {
    for (hexadecimal, entries) in BY_JAVA {
        let entries: Vec<Entry> = entries
            .iter()
            .map(|(key, value)| (key.as_bytes().to_vec(), value.map(|value| value.as_bytes().to_vec())))
            .collect();
        assert_eq!(write(&entries), bytes(hexadecimal));
        assert_eq!(read(&bytes(hexadecimal)), Ok(entries));
    }
}

#[test]
fn an_array_written_twice_is_a_reference() {
    // The second value is the object of the first: handle 7E 00 04.
    let mut twice = bytes(BY_JAVA[2].0);
    twice.truncate(twice.len() - 2);
    twice.extend_from_slice(&[0x71, 0x00, 0x7E, 0x00, 0x04, 0x78]);
    let v1 = || Some(b"v1".to_vec());
    assert_eq!(read(&twice), Ok(vec![(b"k1".to_vec(), v1()), (b"k2".to_vec(), v1())]));
}

#[test]
fn what_is_no_map_is_told_with_its_place() {
    let one = bytes(BY_JAVA[1].0);
    let cases: [(&[u8], &str, usize); 4] = [
        (b"{}", "the magic of java serialisation is missing", 0),
        (&[0xAC, 0xED, 0, 5, 0x70], "it does not hold an object", 4),
        (&one[..one.len() - 3], "an entry is cut off", one.len() - 10),
        (&one[..one.len() - 1], "the map does not end", one.len() - 1),
    ];
    for (bytes, problem, at) in cases {
        assert_eq!(read(bytes), Err(Malformed { problem, at }));
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_a_panic(place in 0usize..160, byte: u8, cut in 0usize..160) {
        let mut one = bytes(BY_JAVA[1].0);
        if let Some(old) = one.get_mut(place) {
            *old = byte;
        }
        one.truncate(cut);
        let _ = read(&one);
    }
}
