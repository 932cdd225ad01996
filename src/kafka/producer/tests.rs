use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::AtomicI64;
use std::thread;

use super::*;
use crate::error::{Classify, ErrorClass};
use crate::kafka::client_config::{ClientRole, client_config};
use crate::kafka::protocol::wire::{Reader, put_count, put_i16, put_i32, put_string};

/// What a broker got: producer id, sequence, records.
type Seen = (i64, i32, i32);

/// A broker that leads the only partition of topic `t` and answers Produce as it is told: each group is answered when so
/// many requests have come; an empty one hangs up at the next request.
struct FakeBroker {
    port: u16,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl FakeBroker {
    fn new(groups: &'static [&'static [i16]]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&seen);
        thread::spawn(move || {
            let groups: Arc<Mutex<VecDeque<&[i16]>>> = Arc::new(Mutex::new(groups.iter().copied().collect()));
            let identities = Arc::new(AtomicI64::new(0));
            for socket in listener.incoming() {
                let (groups, identities, log) =
                    (Arc::clone(&groups), Arc::clone(&identities), Arc::clone(&log));
                thread::spawn(move || serve(socket.unwrap(), port, &groups, &identities, &log));
            }
        });
        FakeBroker { port, seen }
    }

    fn producer(&self) -> Producer {
        let brokers = format!("127.0.0.1:{}", self.port);
        let client = client_config(ClientRole::Records, &brokers, &[&[]]).unwrap();
        Producer::new(&client, Arc::default()).unwrap()
    }

    fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

/// Answers until the peer is gone.
fn serve(
    mut socket: TcpStream,
    port: u16,
    groups: &Mutex<VecDeque<&[i16]>>,
    identities: &AtomicI64,
    log: &Mutex<Vec<Seen>>,
) {
    let mut held = Vec::new();
    loop {
        let mut length = [0; 4];
        if socket.read_exact(&mut length).is_err() {
            return;
        }
        let mut frame = vec![0; u32::from_be_bytes(length) as usize];
        socket.read_exact(&mut frame).unwrap();
        let mut request = Reader::new(&frame);
        let (key, _version, correlation) =
            (request.i16().unwrap(), request.i16().unwrap(), request.i32().unwrap());
        request.string().unwrap();
        let mut answer = vec![0; 4];
        put_i32(&mut answer, correlation);
        match key {
            18 => {
                put_i16(&mut answer, 0);
                put_count(&mut answer, 4);
                for (key, version) in [(0, 3), (3, 4), (22, 1), (32, 1)] {
                    [key, version, version].iter().for_each(|number| put_i16(&mut answer, *number));
                }
            }
            3 => {
                put_i32(&mut answer, 0);
                put_count(&mut answer, 1);
                put_i32(&mut answer, 7);
                put_string(&mut answer, "127.0.0.1");
                put_i32(&mut answer, port.into());
                answer.extend_from_slice(b"\xff\xff\xff\xff\0\0\0\x07\0\0\0\x01\0\0\0\x01t\0");
                answer.extend_from_slice(b"\0\0\0\x01\0\0\0\0\0\0\0\0\0\x07\0\0\0\0\0\0\0\0");
            }
            22 => {
                let identity = identities.fetch_add(1, Ordering::Relaxed) + 1;
                answer.extend_from_slice(&[0; 6]);
                answer.extend_from_slice(&identity.to_be_bytes());
                put_i16(&mut answer, 0);
            }
            32 => {
                // Broker 7 is asked for one property, and has 2,000,000 there.
                assert!(frame.ends_with(b"\x04\0\x017\0\0\0\x01\0\x18socket.request.max.bytes\0"));
                answer.extend_from_slice(b"\0\0\0\0\0\0\0\x01\0\0\xff\xff\x04\0\x017\0\0\0\x01");
                put_string(&mut answer, "socket.request.max.bytes");
                put_string(&mut answer, "2000000");
                answer.extend_from_slice(b"\x01\x05\0\0\0\0\0");
            }
            _ => {
                // Behind the head, topic and partition stands the batch.
                assert_eq!(request.nullable_string(), Ok(None));
                request.i16().and_then(|_| request.i32()).and_then(|_| request.i32()).unwrap();
                request.string().and_then(|_| request.i32()).and_then(|_| request.i32()).unwrap();
                let batch = request.bytes().unwrap();
                let number = |place: usize| i32::from_be_bytes(batch[place..place + 4].try_into().unwrap());
                let id = i64::from_be_bytes(batch[43..51].try_into().unwrap());
                log.lock().unwrap().push((id, number(53), number(57)));
                let mut groups = groups.lock().unwrap();
                let group = groups.front().copied().unwrap_or(&[0]);
                if group.is_empty() {
                    groups.pop_front();
                    return;
                }
                answer.extend_from_slice(b"\0\0\0\x01\0\x01t\0\0\0\x01\0\0\0\0");
                let place = answer.len();
                answer.extend_from_slice(&[0; 2 + 8 + 8 + 4]);
                held.push((answer, place));
                if held.len() == group.len() {
                    groups.pop_front();
                    for ((mut answer, place), code) in held.drain(..).zip(group) {
                        answer[place..place + 2].copy_from_slice(&code.to_be_bytes());
                        reply(&mut socket, answer);
                    }
                }
                continue;
            }
        }
        reply(&mut socket, answer);
    }
}

fn reply(socket: &mut TcpStream, mut answer: Vec<u8>) {
    let length = (answer.len() - 4) as u32;
    answer[..4].copy_from_slice(&length.to_be_bytes());
    // The producer may have gone after a failure.
    let _ = socket.write_all(&answer);
}

/// Makes a batch of so many records.
fn append(producer: &mut Producer, records: usize) {
    for _ in 0..records {
        let record = RecordBytes { value: Some(b"value"), ..RecordBytes::default() };
        producer.append(&Arc::from("t"), None, &record, 1).unwrap();
    }
    producer.close_all().unwrap();
}

/// Waits until everything is durable; gives how many records the producer says to be.
fn finish(producer: &mut Producer) -> Result<u32, KafkaHomeError> {
    let began = Instant::now();
    while !producer.is_empty() {
        assert!(began.elapsed() < Duration::from_secs(20));
        producer.wait()?;
    }
    let mut delivered = 0;
    producer.take_deliveries(|_, records| delivered += records);
    Ok(delivered)
}

#[test]
fn what_passes_is_sent_again_with_the_same_sequence() {
    // NOT_LEADER_OR_FOLLOWER, then NOT_ENOUGH_REPLICAS, then success.
    let broker = FakeBroker::new(&[&[6], &[19], &[0]]);
    let mut producer = broker.producer();
    append(&mut producer, 2);
    assert_eq!(finish(&mut producer).unwrap(), 2);
    assert_eq!(broker.seen(), [(1, 0, 2); 3]);
}

#[test]
fn a_lost_answer_is_asked_for_again_and_a_duplicate_is_success() {
    let broker = FakeBroker::new(&[&[], &[46]]);
    let mut producer = broker.producer();
    append(&mut producer, 3);
    assert_eq!(finish(&mut producer).unwrap(), 3);
    assert_eq!(broker.seen(), [(1, 0, 3); 2]);
}

#[test]
fn batches_behind_one_that_failed_follow_it_in_order() {
    let broker = FakeBroker::new(&[&[0], &[6, 45, 45], &[0], &[0], &[0]]);
    let mut producer = broker.producer();
    append(&mut producer, 1);
    finish(&mut producer).unwrap();
    (0..3).for_each(|_| append(&mut producer, 1));
    assert_eq!(finish(&mut producer).unwrap(), 3);
    let sequences: Vec<i32> = broker.seen().iter().map(|(_, sequence, _)| *sequence).collect();
    assert_eq!(sequences, [0, 1, 2, 3, 1, 2, 3]);
}

#[test]
fn a_batch_that_is_too_large_is_split_and_keeps_its_sequences() {
    let broker = FakeBroker::new(&[&[10], &[0], &[18], &[0], &[0]]);
    let mut producer = broker.producer();
    append(&mut producer, 5);
    assert_eq!(finish(&mut producer).unwrap(), 5);
    assert_eq!(broker.seen(), [(1, 0, 5), (1, 0, 2), (1, 2, 3), (1, 2, 1), (1, 3, 2)]);
}

/// A broker hangs up on a request that is larger than its limit: records of 900 kB go one by one then, one of 3 MB fails.
#[test]
fn a_broker_that_hangs_up_on_a_large_request_is_asked_for_its_limit() {
    let broker = FakeBroker::new(&[&[], &[0], &[0], &[0], &[]]);
    let limits = [("max.request.size", "9000000"), ("batch.size", "9000000")];
    let limits = limits.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let brokers = format!("127.0.0.1:{}", broker.port);
    let client = client_config(ClientRole::Records, &brokers, &[&limits]).unwrap();
    let mut producer = Producer::new(&client, Arc::default()).unwrap();
    let value = vec![b'v'; 900_000];
    for _ in 0..3 {
        let record = RecordBytes { value: Some(&value), ..RecordBytes::default() };
        producer.append(&Arc::from("t"), None, &record, 1).unwrap();
    }
    producer.close_all().unwrap();
    assert_eq!(finish(&mut producer).unwrap(), 3);
    assert_eq!(broker.seen(), [(1, 0, 3), (1, 0, 1), (1, 1, 2)]);

    let source = r#""source":{"version":"3","db":"d","table":"x","file":"binlog.000007","pos":99}}"#;
    let mut value = vec![b' '; 3_000_000];
    value.extend_from_slice(source.as_bytes());
    let record = RecordBytes { value: Some(&value), ..RecordBytes::default() };
    producer.append(&Arc::from("t"), None, &record, 1).unwrap();
    producer.close_all().unwrap();
    let error = finish(&mut producer).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Fatal);
    let said = format!(
        " for topic t, table d.x at binlog.000007:99, is larger than allowed: socket.request.max.bytes of broker {brokers} is 2000000"
    );
    assert!(error.to_string().ends_with(&said), "{error}");
}

#[test]
fn another_identity_is_taken_when_nothing_is_in_doubt() {
    // UNKNOWN_PRODUCER_ID, as old brokers answer after a long silence.
    let broker = FakeBroker::new(&[&[0], &[59, 45], &[0], &[0]]);
    let mut producer = broker.producer();
    append(&mut producer, 4);
    assert_eq!(finish(&mut producer).unwrap(), 4);
    append(&mut producer, 1);
    append(&mut producer, 2);
    assert_eq!(finish(&mut producer).unwrap(), 3);
    let seen = broker.seen();
    assert_eq!((seen[0], seen[1]), ((1, 0, 4), (1, 4, 1)));
    assert_eq!(seen[seen.len() - 2..], [(2, 0, 1), (2, 1, 2)]);
}

#[test]
fn a_doubt_ends_the_producer_so_that_nothing_is_lost() {
    let broker = FakeBroker::new(&[&[0], &[], &[45]]);
    let mut producer = broker.producer();
    append(&mut producer, 1);
    finish(&mut producer).unwrap();
    append(&mut producer, 1);
    let error = finish(&mut producer).unwrap_err();
    assert_eq!(error.to_string(), "it is not known which records partition 0 of topic t has");
    assert_eq!(error.class(), ErrorClass::Retriable);
    assert!(producer.serve(true).is_err(), "for good");
}

#[test]
fn what_a_broker_refuses_is_told_with_its_reason() {
    let broker = FakeBroker::new(&[&[29]]);
    let mut producer = broker.producer();
    append(&mut producer, 1);
    let error = finish(&mut producer).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Fatal);
    assert_eq!(
        crate::error::chain(&error),
        "record of 5 bytes for topic t was not delivered: not authorized to write to the topic (TOPIC_AUTHORIZATION_FAILED)"
    );
}

#[test]
fn a_partition_that_is_not_there_is_an_error() {
    let broker = FakeBroker::new(&[]);
    let mut producer = broker.producer();
    let error = producer.append(&Arc::from("t"), Some(1), &RecordBytes::default(), 0).unwrap_err();
    assert_eq!(error.to_string(), "topic t has no partition 1, only 1");
}

#[test]
fn a_stop_ends_the_wait_for_brokers_that_are_away() {
    let unused = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let client = client_config(ClientRole::Records, &unused.to_string(), &[&[]]).unwrap();
    let stop = Arc::new(AtomicBool::new(true));
    let mut producer = Producer::new(&client, stop).unwrap();
    let began = Instant::now();
    let error = producer.append(&Arc::from("t"), None, &RecordBytes::default(), 0).unwrap_err();
    assert!(matches!(error, KafkaHomeError::Stopped), "{error}");
    assert!(began.elapsed() < STOP_GRACE * 2);
}

#[test]
fn nothing_is_sent_without_the_lease() {
    let broker = FakeBroker::new(&[]);
    let mut producer = broker.producer();
    let holding = Holding::until(Instant::now() + Duration::from_secs(60));
    producer.publish_under(Some(holding));
    producer.append(&Arc::from("t"), None, &RecordBytes::default(), 0).unwrap();
    producer.flush().unwrap();
    let sent = broker.seen().len();
    assert!(sent > 0);
    producer.append(&Arc::from("t"), None, &RecordBytes::default(), 0).unwrap();
    producer.publish_under(Some(Holding::until(Instant::now())));
    let error = producer.flush().unwrap_err();
    assert!(matches!(error, KafkaHomeError::LeaseLost), "{error}");
    assert_eq!(broker.seen().len(), sent);
}
