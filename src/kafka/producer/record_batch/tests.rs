use super::*;
use crate::kafka::producer::record::EncodedHeaders;

const IDENTITY: ProducerIdentity = ProducerIdentity { id: 4711, epoch: 3 };

/// What Java's MemoryRecordsBuilder (kafka-clients 4.3.1) made of the same three records, up to the last value: 200 times
/// `x`, and no headers.
const JAVA: [&str; 5] = [
    "000000000000000000000194ffffffff021d457918000000000002000001a22903d367000001a22903d3c00000000000",
    "00126700030000002a000000031e0000000c666f6f626172066f6e6500fe0100b201020c666f6f6261720108225f5f64",
    "6562657a69756d2e6e65776b65790c666f6f626172325f5f646562657a69756d2e636f6e746578742e7461736b496402",
    "30405f5f646562657a69756d2e636f6e746578742e636f6e6e6563746f724e616d650a6d7973716c1874696465776972",
    "652e736571100102030405060708a00300b00104019003",
];

fn java() -> String {
    JAVA.concat() + &"78".repeat(200) + "00"
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn batch(compression: Compression) -> ClosedBatch {
    let mut open = OpenBatch::new(b"of an earlier use".to_vec(), 1_795_984_446_311, Instant::now());
    let (foobar, long) = (b"foobar".as_slice(), "x".repeat(200));
    let context = EncodedHeaders::new(&Arc::from(vec![
        ("__debezium.context.taskId".to_owned(), b"0".to_vec()),
        ("__debezium.context.connectorName".to_owned(), b"mysql".to_vec()),
    ]));
    let one = RecordBytes { key: Some(foobar), value: Some(b"one"), ..RecordBytes::default() };
    let two = RecordBytes {
        key: Some(foobar),
        value: None,
        key_change: Some(("__debezium.newkey", foobar)),
        context: Some(&context),
        sequence: Some(0x0102_0304_0506_0708),
    };
    let three = RecordBytes { value: Some(long.as_bytes()), ..RecordBytes::default() };
    open.append(&one, 1_795_984_446_311, 7);
    open.append(&two, 1_795_984_446_400, 7);
    open.append(&three, 1_795_984_446_399, 8);
    for record in [one, two, three] {
        let mut bytes = Vec::new();
        record.put(&mut bytes, i64::MAX, i32::MAX);
        assert!(bytes.len() <= record.size_bound());
    }
    open.close(compression, None).unwrap().0
}

#[test]
fn bytes_are_those_of_javas_client() {
    let mut closed = batch(Compression::None);
    assert_eq!(hex(&closed.seal(IDENTITY, 42, false)), java());
    assert_eq!(closed.deliveries, [(7, 2), (8, 1)]);
    // Sent again: the very same.
    assert_eq!(hex(&closed.seal(IDENTITY, 42, false)), java());
    closed.seal(ProducerIdentity::NONE, -1, false);
    assert_eq!(hex(&closed.seal(IDENTITY, 42, false)), java());
}

#[test]
fn halves_keep_the_records_and_whose_they_are() {
    for compression in [Compression::None, Compression::Zstd] {
        let whole = batch(compression);
        let (first, second) = whole.split(None).unwrap();
        assert_eq!((first.records, second.records), (1, 2));
        assert_eq!(
            (first.deliveries.as_slice(), second.deliveries.as_slice()),
            ([(7, 1)].as_slice(), [(7, 1), (8, 1)].as_slice())
        );
        assert_eq!((first.first_record(), second.first_record()), (Some((9, None)), Some((6, None))));
        let (all, one) = (whole.plain_records().unwrap(), first.plain_records().unwrap());
        assert_eq!(all[..one.len()], one);
        // Offsets within a batch begin at 0, times are those of the whole.
        let two = second.plain_records().unwrap();
        let mut rest = two.as_slice();
        let (time, _) = split_record(&mut rest).unwrap();
        assert_eq!((time, two.len()), (89, all.len() - one.len()));
        assert_eq!(second.times, (1_795_984_446_311, 1_795_984_446_400));
        let (second, third) = second.split(None).unwrap();
        assert_eq!((second.records, third.records, third.first_record()), (1, 1, Some((200, None))));
    }
}

#[test]
fn damaged_records_are_not_split() {
    let mut whole = batch(Compression::None);
    whole.records = 4;
    assert!(whole.split(None).is_none());
}
