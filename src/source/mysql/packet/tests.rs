use std::net::{TcpListener, TcpStream};
use std::thread;

use super::*;
use crate::error::{Classify, ErrorClass};

/// A stream whose peer sends `bytes` in pieces of `piece` and then closes, or keeps silent.
fn receiving(bytes: Vec<u8>, piece: usize, silent: bool) -> PacketStream {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        let (mut peer, _) = listener.accept().unwrap();
        for part in bytes.chunks(piece) {
            if peer.write_all(part).is_err() {
                return;
            }
        }
        if silent {
            // Until the other side goes away.
            let _ = peer.read(&mut [0; 1]);
        }
    });
    let socket = TcpStream::connect(address).unwrap();
    PacketStream::new(Transport::Plain(socket), "db:3306".into())
}

fn packet(sequence: u8, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_le_bytes();
    let mut bytes = vec![length[0], length[1], length[2], sequence];
    bytes.extend_from_slice(payload);
    bytes
}

#[test]
fn small_packets_arrive_whole_however_they_are_cut() {
    let mut bytes = Vec::new();
    for n in 0..=255u8 {
        bytes.extend(packet(n, &vec![n; usize::from(n)]));
    }
    bytes.extend(packet(0, b"after the sequence wrapped"));
    for piece in [1, 3, 4, 5, 1000, 100_000] {
        let mut stream = receiving(bytes.clone(), piece, false);
        for n in 0..=255u8 {
            assert_eq!(stream.read().unwrap(), vec![n; usize::from(n)], "piece {piece}");
        }
        assert_eq!(stream.read().unwrap(), b"after the sequence wrapped");
        assert!(matches!(stream.read(), Err(MySqlError::ConnectionLost { .. })));
    }
}

#[test]
fn parts_of_0xffffff_bytes_are_joined() {
    let long: Vec<u8> = (0..MAX_PART + 5).map(|n| (n % 251) as u8).collect();
    let mut bytes = packet(0, &long[..MAX_PART]);
    bytes.extend(packet(1, &long[MAX_PART..]));
    // A payload of exactly one full part ends with an empty part.
    bytes.extend(packet(2, &long[..MAX_PART]));
    bytes.extend(packet(3, b""));
    bytes.extend(packet(4, b"small"));
    let mut stream = receiving(bytes, 1 << 20, false);
    assert!(stream.read().unwrap() == long);
    assert!(stream.read().unwrap() == &long[..MAX_PART]);
    assert_eq!(stream.read().unwrap(), b"small");
}

#[test]
fn the_buffers_shrink_after_enough_small_packets() {
    let mut bytes = packet(0, &vec![7; MAX_PART]);
    bytes.extend(packet(1, b"x"));
    for n in 0..300u32 {
        bytes.extend(packet((n + 2) as u8, &n.to_le_bytes()));
    }
    let mut stream = receiving(bytes, 1 << 20, false);
    assert_eq!(stream.read().unwrap().len(), MAX_PART + 1);
    for n in 0..300u32 {
        assert_eq!(stream.read().unwrap(), n.to_le_bytes());
    }
    assert_eq!((stream.input.len(), stream.joined.capacity()), (USUAL_BUFFER, 0));
}

#[test]
fn a_wrong_sequence_is_refused_but_not_that_of_an_error_packet() {
    let mut stream = receiving(packet(3, b"x"), 100, false);
    assert!(matches!(stream.read(), Err(MySqlError::Protocol { what: "packets out of order", .. })));
    let mut stream = receiving(packet(3, &[0xFF, 1, 0]), 100, false);
    assert_eq!(stream.read().unwrap(), [0xFF, 1, 0]);
}

#[test]
fn silence_is_a_retriable_timeout_and_reading_can_go_on() {
    let mut bytes = packet(0, b"first");
    bytes.extend(&packet(1, b"second")[..5]);
    let mut stream = receiving(bytes, 100, true);
    stream.begin("waiting");
    stream.set_limit(Some(Duration::from_millis(50)));
    assert!(stream.wait(Duration::from_secs(5)).unwrap());
    assert_eq!(stream.read().unwrap(), b"first");
    assert!(!stream.wait(Duration::from_millis(20)).unwrap());
    let error = stream.read().unwrap_err();
    assert_eq!(error.class(), ErrorClass::Retriable);
    assert_eq!(error.to_string(), "mysql server db:3306 did not answer within 50 ms while waiting");
}

#[test]
fn long_payloads_are_sent_in_parts() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let socket = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (mut peer, _) = listener.accept().unwrap();
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        peer.read_to_end(&mut bytes).unwrap();
        bytes
    });
    let mut stream = PacketStream::new(Transport::Plain(socket), "db:3306".into());
    stream.write(b"abc").unwrap();
    stream.write(&vec![1; MAX_PART]).unwrap();
    drop(stream);
    let bytes = reader.join().unwrap();
    assert_eq!(&bytes[..7], [3, 0, 0, 0, b'a', b'b', b'c']);
    assert_eq!(&bytes[7..11], [0xFF, 0xFF, 0xFF, 1]);
    assert_eq!(&bytes[11 + MAX_PART..], [0, 0, 0, 2]);
}

mod any_bytes {
    use proptest::prelude::*;

    use crate::certificate::der::rsa_modulus_size;
    use crate::certificate::x509::Certificate;
    use crate::source::mysql::handshake::Greeting;
    use crate::source::mysql::result_set::{ColumnDefinition, parse_text_row};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        #[test]
        fn never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), columns in 0usize..5) {
            let _ = Greeting::parse(&bytes);
            let mut greeting = vec![10];
            greeting.extend_from_slice(&bytes);
            let _ = Greeting::parse(&greeting);
            let _ = ColumnDefinition::parse(&bytes);
            let _ = parse_text_row(&bytes, columns);
            let _ = Certificate::parse(&bytes);
            let _ = rsa_modulus_size(&bytes);
        }
    }
}
