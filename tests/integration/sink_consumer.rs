//! The consumer of a sink as a member of its group: what it hands on, what it commits, and who goes on when it is gone.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tidewire::clock::Clock;
use tidewire::config::pattern::JavaPattern;
use tidewire::config::worker::KafkaConfig;
use tidewire::error::{Classify, ErrorClass, chain};
use tidewire::kafka::consumer::assignment::AssignedPartition;
use tidewire::kafka::consumer::settings::{ConsumerSettings, group_id};
use tidewire::kafka::consumer::start::MissingRecords;
use tidewire::kafka::consumer::subscription::Topics;
use tidewire::kafka::consumer::{GroupConsumer, Polled};
use tidewire::kafka::error::KafkaHomeError;
use tidewire::kafka::topic_reader::Extent;
use tidewire::sink::consumer::AssignmentId;

use crate::support::database::variable;
use crate::support::process::{LIMIT, Process};
use crate::support::topic::Topic;

/// Soon enough for a test to wait for.
const COMMIT_INTERVAL: Duration = Duration::from_millis(200);
const WAIT: Duration = Duration::from_millis(50);

/// A member, and what it was told.
struct Member {
    consumer: GroupConsumer,
    /// Partition, by the name of its assignment.
    partitions: BTreeMap<AssignmentId, i32>,
    /// Offsets by partition, in the order in which they came.
    records: BTreeMap<i32, Vec<i64>>,
    assigned: Vec<AssignedPartition>,
    revoked: Vec<(i32, bool)>,
    missing: Vec<MissingRecords>,
}

fn open(name: &str, topics: Topics, overrides: &[(&str, &str)]) -> Result<Member, KafkaHomeError> {
    let pairs = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect::<Vec<_>>()
    };
    let config = KafkaConfig {
        bootstrap_servers: variable("TIDEWIRE_KAFKA"),
        offset_topic: String::new(),
        offset_partitions: 1,
        offset_replication_factor: 1,
        client: Vec::new(),
        producer: Vec::new(),
        consumer: pairs(&[
            ("session.timeout.ms", "3000"),
            ("heartbeat.interval.ms", "300"),
            ("metadata.max.age.ms", "500"),
        ]),
        admin: Vec::new(),
    };
    let overrides = pairs(overrides);
    let settings = ConsumerSettings { name, overrides: &overrides, topics, commit_interval: COMMIT_INTERVAL };
    let consumer = GroupConsumer::open(&config, settings, Arc::new(AtomicBool::new(false)))?;
    Ok(Member {
        consumer,
        partitions: BTreeMap::new(),
        records: BTreeMap::new(),
        assigned: Vec::new(),
        revoked: Vec::new(),
        missing: Vec::new(),
    })
}

fn member(topic: &Topic) -> Member {
    open(&topic.name, Topics::Named(vec![topic.name.clone()]), &[]).expect("a consumer")
}

impl Member {
    /// One poll. A record that is one of `held` (partition, offset) is held. Whether something came.
    fn poll(&mut self, held: &[(i32, i64)]) -> bool {
        let (mut hold, mut came) = (None, true);
        match self.consumer.poll(WAIT).unwrap_or_else(|error| panic!("{}", chain(&error))) {
            Polled::Record(record) => {
                let (partition, offset) = (record.partition(), record.offset());
                assert_eq!(self.partitions.get(&record.assignment()), Some(&partition), "{record:?}");
                self.records.entry(partition).or_default().push(offset);
                if held.contains(&(partition, offset)) {
                    hold = Some((record.assignment(), offset));
                }
            }
            Polled::Assigned(assigned) => {
                for new in &assigned {
                    self.partitions.insert(new.id, new.partition);
                }
                self.assigned.extend(assigned);
            }
            Polled::Revoked { assignments, lost } => {
                self.revoked.extend(assignments.iter().map(|id| (self.partitions[id], lost)));
            }
            Polled::Missing(found) => {
                self.missing.extend(found.iter().filter_map(|assigned| assigned.missing));
            }
            Polled::Nothing => came = false,
        }
        if let Some((assignment, offset)) = hold {
            self.consumer.hold(assignment, offset);
        }
        came
    }

    fn poll_until(&mut self, what: &str, held: &[(i32, i64)], mut is_so: impl FnMut(&Member) -> bool) {
        let end = Instant::now() + LIMIT;
        while !is_so(self) {
            assert!(Instant::now() < end, "{what}: {:?}, {:?}", self.records, self.assigned);
            self.poll(held);
        }
    }

    /// Polls until so many records have come.
    fn take(&mut self, count: usize, held: &[(i32, i64)]) {
        self.poll_until("records", held, |member| member.count() >= count);
    }

    /// Polls for a while, in which nothing may come.
    fn nothing_comes(&mut self) {
        let (before, end) = (self.count(), Instant::now() + Duration::from_millis(700));
        while Instant::now() < end {
            self.poll(&[]);
        }
        assert_eq!(self.count(), before, "{:?}", self.records);
    }

    fn count(&self) -> usize {
        self.records.values().map(Vec::len).sum()
    }

    fn assignment_of(&self, partition: i32) -> AssignmentId {
        let mut all = self.consumer.assigned();
        all.find(|assigned| assigned.partition == partition).expect("an assignment").id
    }

    fn start_of(&self, partition: i32) -> Option<i64> {
        let mut all = self.assigned.iter().rev();
        all.find(|assigned| assigned.partition == partition).map(|assigned| assigned.start)
    }
}

fn offsets(range: std::ops::Range<i64>) -> Vec<i64> {
    range.collect()
}

#[test]
fn groups_are_those_of_kafka_connect() {
    let own = [("group.id".to_owned(), "mine".to_owned())];
    assert_eq!(
        (group_id("shop", &[]), group_id("shop", &own)),
        ("connect-shop".to_owned(), "mine".to_owned())
    );
}

#[test]
fn a_record_is_handed_on_as_it_is() {
    let topic = Topic::new("sink_consumer_record", 1);
    let began = Clock::System.now_nanos() / 1_000_000;
    topic.send_record(
        0,
        Some("k"),
        Some(""),
        &[("a", Some(b"1")), ("tidewire.seq", Some(&[0, 255])), ("a", None)],
    );
    topic.send_record(0, None, None, &[]);
    topic.send(0, 2..3);
    let mut consumer = member(&topic).consumer;
    let mut came = Vec::new();
    let end = Instant::now() + LIMIT;
    while came.len() < 3 {
        assert!(Instant::now() < end, "{came:?}");
        if let Polled::Record(record) = consumer.poll(WAIT).expect("a poll") {
            let text = |bytes: Option<&[u8]>| bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            let headers = record.headers().map(|(name, value)| (name.to_owned(), value.map(<[u8]>::to_vec)));
            assert_eq!(record.topic(), topic.name);
            let timestamp = record.timestamp().expect("a timestamp");
            assert!((began..began + 60_000).contains(&timestamp), "{timestamp}");
            came.push((
                record.offset(),
                text(record.key()),
                text(record.value()),
                headers.collect::<Vec<_>>(),
            ));
        }
    }
    let text = |text: &str| Some(text.to_owned());
    let header = |name: &str, value: Option<&[u8]>| (name.to_owned(), value.map(<[u8]>::to_vec));
    let headers = vec![header("a", Some(b"1")), header("tidewire.seq", Some(&[0, 255])), header("a", None)];
    let wanted =
        [(0, text("k"), text(""), headers), (1, None, None, vec![]), (2, text("k2"), text("v2"), vec![])];
    assert_eq!(came, wanted);
}

/// The name of a header is what its producer wrote, and need not be text.
#[test]
fn a_header_that_is_no_text_harms_nobody() {
    let topic = Topic::new("sink_consumer_header", 1);
    topic.send_with_header(b"first", b"tidewire.seq");
    topic.send_with_header(b"second", &[0xff, 0xfe]);
    topic.send(0, 2..3);
    let mut consumer = member(&topic).consumer;
    let mut came = Vec::new();
    let end = Instant::now() + LIMIT;
    while came.len() < 3 {
        assert!(Instant::now() < end, "{came:?}");
        if let Polled::Record(record) = consumer.poll(WAIT).expect("a poll") {
            let names: Vec<_> = record.headers().map(|(name, _)| name.to_owned()).collect();
            came.push((record.value().map(<[u8]>::to_vec), names));
        }
    }
    let wanted = [("first", vec!["tidewire.seq".to_owned()]), ("second", vec![]), ("v2", vec![])]
        .map(|(value, names)| (Some(value.as_bytes().to_vec()), names));
    assert_eq!(came, wanted);
}

#[test]
fn only_what_is_stored_is_committed() {
    let topic = Topic::new("sink_consumer_commit", 2);
    let group = group_id(&topic.name, &[]);
    topic.send(0, 0..10);
    topic.send(1, 0..5);
    let mut first = member(&topic);
    // Two batches: one from 4 on, one from 7 on.
    first.take(15, &[(0, 4), (0, 7)]);
    first.poll_until("a commit by time", &[], |_| topic.committed(&group) == [Some(4), Some(5)]);
    // The later one is stored first, which changes nothing.
    let assignment = first.assignment_of(0);
    first.consumer.release(assignment, 7);
    first.consumer.commit().expect("a commit");
    assert_eq!(topic.committed(&group), [Some(4), Some(5)]);
    first.consumer.close().expect("a good end");
    assert_eq!(topic.committed(&group), [Some(4), Some(5)]);

    let mut second = member(&topic);
    second.take(6, &[(0, 4)]);
    assert_eq!((second.start_of(0), second.start_of(1)), (Some(4), Some(5)));
    assert_eq!(second.records, BTreeMap::from([(0, offsets(4..10))]));
    let assignment = second.assignment_of(0);
    second.consumer.release(assignment, 4);
    second.consumer.close().expect("a good end");
    assert_eq!(topic.committed(&group), [Some(10), Some(5)]);
}

#[test]
fn a_table_that_waits_does_not_stop_others() {
    let topic = Topic::new("sink_consumer_pause", 2);
    topic.send(0, 0..1000);
    topic.send(1, 0..1000);
    let mut member = member(&topic);
    member.poll_until("some of partition 0", &[], |member| member.records.contains_key(&0));
    let assignment = member.assignment_of(0);
    member.consumer.pause(assignment).expect("a pause");
    let before = member.records[&0].len();
    member.poll_until("all of partition 1", &[], |member| {
        member.records.get(&1).is_some_and(|offsets| offsets.len() == 1000)
    });
    topic.send(1, 1000..1500);
    member.poll_until("more of partition 1", &[], |member| member.records[&1].len() == 1500);
    member.nothing_comes();
    assert_eq!(member.records[&0].len(), before);
    member.consumer.resume(assignment).expect("an end of the pause");
    member.poll_until("all of partition 0", &[], |member| member.records[&0].len() == 1000);
    assert_eq!(member.records, BTreeMap::from([(0, offsets(0..1000)), (1, offsets(0..1500))]));
}

/// A second member comes while the first has batches under way, and goes again.
#[test]
fn a_rebalance_in_mid_batch_loses_nothing() {
    let topic = Topic::new("sink_consumer_rebalance", 4);
    let group = group_id(&topic.name, &[]);
    for partition in 0..4 {
        topic.send(partition, 0..100);
    }
    let mut first = member(&topic);
    // All of it is in batches that begin with the first records, but for what came before 10 in partition 3.
    first.take(400, &[(0, 0), (1, 0), (2, 0), (3, 10)]);
    let paused = first.assignment_of(3);
    first.consumer.pause(paused).expect("a pause");
    let mut second = member(&topic);
    let end = Instant::now() + LIMIT;
    while first.revoked.len() < 2 {
        assert!(Instant::now() < end, "no rebalance: {:?}", first.revoked);
        // Its poll must not yet give up what it is told of.
        first.poll(&[]);
        if first.revoked.is_empty() {
            second.poll(&[]);
        }
    }
    // One of the two is stored in time.
    let [(stored, false), (open, false)] = first.revoked[..] else { panic!("{:?}", first.revoked) };
    let begin = |partition| if partition == 3 { 10 } else { 0 };
    first.consumer.release(first.assignment_of(stored), begin(stored));
    while second.assigned.len() < 2 || second.count() < usize::try_from(100 - begin(open)).expect("a count") {
        assert!(Instant::now() < end, "{:?} {:?}", second.assigned, second.records);
        first.poll(&[]);
        while second.poll(&[]) {}
    }
    assert_eq!((second.start_of(stored), second.start_of(open)), (Some(100), Some(begin(open))));
    assert_eq!(second.records, BTreeMap::from([(open, offsets(begin(open)..100))]));
    // What the first still has went on meanwhile, and nothing of it came twice.
    let kept: Vec<_> = first.consumer.assigned().map(|assigned| assigned.partition).collect();
    assert_eq!(kept.len(), 2);
    assert!(kept.iter().all(|partition| ![stored, open].contains(partition)), "{kept:?}");
    assert_eq!(first.count(), 400);

    // The second goes: the first gets all back, paused before or not, behind what the second has stored.
    second.consumer.close().expect("a good end");
    for partition in 0..4 {
        topic.send(partition, 100..110);
    }
    if kept.contains(&3) {
        first.consumer.resume(paused).expect("an end of the pause");
    }
    first.poll_until("the rest", &[], |first| first.count() >= 440);
    assert_eq!((first.start_of(stored), first.start_of(open)), (Some(100), Some(100)));
    for partition in 0..4 {
        assert_eq!(first.records[&partition], offsets(0..110), "{partition}");
    }
    // The batches of those that it kept are still open; those that it lost and got back are not held any more.
    first.consumer.close().expect("a good end");
    for (partition, committed) in (0..4).zip(topic.committed(&group)) {
        let wanted = if kept.contains(&partition) { begin(partition) } else { 110 };
        assert_eq!(committed, Some(wanted), "{partition}");
    }
}

/// The eager protocol takes everything from everybody; a table's batches survive that, too.
#[test]
fn an_assignor_of_the_eager_protocol() {
    let topic = Topic::new("sink_consumer_eager", 2);
    topic.send(0, 0..10);
    topic.send(1, 0..10);
    let range = [("partition.assignment.strategy", "org.apache.kafka.clients.consumer.RangeAssignor")];
    let topics = || Topics::Named(vec![topic.name.clone()]);
    let mut first = open(&topic.name, topics(), &range).expect("a consumer");
    first.take(20, &[(0, 5), (1, 5)]);
    let mut second = open(&topic.name, topics(), &range).expect("a consumer");
    let end = Instant::now() + LIMIT;
    while second.count() + first.count() < 30 {
        assert!(Instant::now() < end, "{:?} {:?}", first.records, second.records);
        first.poll(&[]);
        second.poll(&[]);
    }
    assert_eq!(first.revoked, [(0, false), (1, false)]);
    for member in [&first, &second] {
        assert_eq!(member.consumer.assigned().count(), 1);
        assert_eq!(member.assigned.last().map(|assigned| assigned.start), Some(5));
    }
}

/// Run by the test below in a process of its own: consumes all and stores what is before 50.
#[test]
#[ignore = "waits to be killed"]
fn member_that_is_killed() {
    let topics = Topics::Named(vec![variable("TIDEWIRE_TEST_TOPIC")]);
    let mut member = open(&variable("TIDEWIRE_TEST_TOPIC"), topics, &[]).expect("a consumer");
    member.take(200, &[(0, 50), (1, 50)]);
    loop {
        member.poll(&[]);
    }
}

#[test]
fn a_killed_member_is_followed_by_another() {
    let topic = Topic::new("sink_consumer_kill", 2);
    let group = group_id(&topic.name, &[]);
    topic.send(0, 0..100);
    topic.send(1, 0..100);
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["sink_consumer::member_that_is_killed", "--exact", "--ignored", "--nocapture"]);
    command.env("TIDEWIRE_TEST_TOPIC", &topic.name).stdin(Stdio::null());
    let folder = tempfile::tempdir().expect("a folder");
    let process = Process::start(command, &folder.path().join("log"));
    crate::support::process::wait_until("the member has stored half of it", LIMIT, || {
        topic.committed(&group) == [Some(50), Some(50)]
    });
    process.kill();
    let mut next = member(&topic);
    next.take(100, &[]);
    assert_eq!(next.records, BTreeMap::from([(0, offsets(50..100)), (1, offsets(50..100))]));
}

/// A member that does not poll for too long is replaced; what it then says is not heard.
#[test]
fn a_member_that_sleeps_commits_nothing_any_more() {
    let topic = Topic::new("sink_consumer_sleep", 1);
    let group = group_id(&topic.name, &[]);
    topic.send(0, 0..10);
    let topics = || Topics::Named(vec![topic.name.clone()]);
    let mut first = open(&topic.name, topics(), &[("max.poll.interval.ms", "3000")]).expect("a consumer");
    first.take(10, &[(0, 3)]);
    first.consumer.commit().expect("a commit");
    let mut second = member(&topic);
    second.take(7, &[(0, 7)]);
    assert_eq!(second.records, BTreeMap::from([(0, offsets(3..10))]));
    second.consumer.commit().expect("a commit");
    assert_eq!(topic.committed(&group), [Some(7)]);
    first.consumer.release(first.assignment_of(0), 3);
    // It hears what has happened, and joins again.
    let end = Instant::now() + LIMIT;
    while first.revoked.is_empty() {
        assert!(Instant::now() < end, "it never heard of it");
        first.poll(&[]);
        second.poll(&[]);
    }
    assert_eq!(first.revoked, [(0, true)]);
    first.poll(&[]);
    assert_eq!(topic.committed(&group), [Some(7)]);
}

#[test]
fn a_new_topic_that_matches_is_found() {
    let first = Topic::new("sink_consumer_regex_a", 1);
    let pattern = JavaPattern::compile_with_case("sink_consumer_regex_(?!z).").expect("a pattern");
    let mut member = open("sink_consumer_regex", Topics::Matching(pattern), &[]).expect("a consumer");
    first.send(0, 0..2);
    member.take(2, &[]);
    for name in ["sink_consumer_regex_z", "sink_consumer_regex_b", "sink_consumer_regex_B_more"] {
        Topic::new(name, 1).send(0, 0..3);
    }
    member.take(5, &[]);
    member.nothing_comes();
    let mut topics: Vec<_> = member.consumer.assigned().map(|assigned| &*assigned.topic).collect();
    topics.sort_unstable();
    assert_eq!(topics, ["sink_consumer_regex_a", "sink_consumer_regex_b"]);
}

#[test]
fn a_topic_that_does_not_exist_yet_is_waited_for() {
    let name = "sink_consumer_later";
    let mut member = open(name, Topics::Named(vec![name.to_owned()]), &[]).expect("a consumer");
    member.nothing_comes();
    Topic::new(name, 1).send(0, 0..2);
    member.take(2, &[]);
}

#[test]
fn records_that_were_deleted_unread_are_missed() {
    let topic = Topic::new("sink_consumer_missing", 2);
    let group = group_id(&topic.name, &[]);
    topic.send(0, 0..10);
    topic.send(1, 0..10);
    let mut first = member(&topic);
    first.take(20, &[(0, 5)]);
    first.consumer.close().expect("a good end");
    topic.delete_below(0, 8);

    let mut second = member(&topic);
    second.poll_until("an assignment", &[], |member| member.assigned.len() == 2);
    let found = |member: &Member, partition| {
        member
            .assigned
            .iter()
            .find(|assigned| assigned.partition == partition)
            .and_then(|found| found.missing)
    };
    let gap = MissingRecords { wanted: 5, extent: Extent { begin: 8, end: 10 } };
    assert_eq!((found(&second, 0), found(&second, 1)), (Some(gap), None));
    // The other partition goes on; this one cannot be talked into it.
    topic.send(0, 10..15);
    topic.send(1, 10..15);
    second.take(5, &[]);
    second.consumer.resume(second.assignment_of(0)).expect("no change");
    second.nothing_comes();
    assert_eq!(second.records, BTreeMap::from([(1, offsets(10..15))]));

    // While it is consumed: what is deleted while the partition is paused.
    second.consumer.pause(second.assignment_of(1)).expect("a pause");
    topic.send(1, 15..30);
    topic.delete_below(1, 20);
    second.consumer.resume(second.assignment_of(1)).expect("an end of the pause");
    second.poll_until("missing records", &[], |member| !member.missing.is_empty());
    assert_eq!(second.missing, [MissingRecords { wanted: 15, extent: Extent { begin: 20, end: 30 } }]);
    second.nothing_comes();
    second.consumer.close().expect("a good end");
    assert_eq!(topic.committed(&group), [Some(5), Some(15)]);
}

/// With a topic the brokers forget what groups have committed of it.
#[test]
fn a_topic_that_was_made_anew_begins_at_its_beginning() {
    let topic = Topic::new("sink_consumer_anew", 1);
    topic.send(0, 0..10);
    let mut first = member(&topic);
    first.take(10, &[]);
    first.consumer.close().expect("a good end");
    topic.make_anew();
    topic.send(0, 0..3);
    let mut second = member(&topic);
    second.take(3, &[]);
    assert_eq!((second.start_of(0), &second.records[&0]), (Some(0), &vec![0, 1, 2]));
}

#[test]
fn a_log_that_is_shorter_than_what_was_read_is_refused() {
    let topic = Topic::new("sink_consumer_shorter", 1);
    let group = group_id(&topic.name, &[]);
    topic.send(0, 0..3);
    topic.commit(&group, 10);
    let mut member = member(&topic);
    member.poll_until("an assignment", &[], |member| !member.assigned.is_empty());
    let gap = MissingRecords { wanted: 10, extent: Extent { begin: 0, end: 3 } };
    assert_eq!(member.assigned[0].missing, Some(gap));
    member.nothing_comes();
    member.consumer.close().expect("a good end");
    assert_eq!(topic.committed(&group), [Some(10)]);
}

/// What a member was told of and did not come to act on does not keep it in the group.
#[test]
fn a_member_can_be_dropped_at_any_time() {
    let topic = Topic::new("sink_consumer_drop", 4);
    for partition in 0..4 {
        topic.send(partition, 0..1);
    }
    for polls in 0..12 {
        let mut first = member(&topic);
        for _ in 0..polls {
            first.poll(&[(0, 0), (1, 0), (2, 0), (3, 0)]);
        }
    }
    let mut last = member(&topic);
    last.take(4, &[]);
    // Told of a revocation, and gone before the next poll.
    let mut other = member(&topic);
    let end = Instant::now() + LIMIT;
    while last.revoked.is_empty() {
        assert!(Instant::now() < end, "no rebalance");
        last.poll(&[]);
        if last.revoked.is_empty() {
            other.poll(&[]);
        }
    }
    drop(last);
    other.poll_until("all partitions", &[], |other| other.consumer.assigned().count() == 4);
}

#[test]
fn the_mark_of_a_transaction_is_no_missing_record() {
    let topic = Topic::new("sink_consumer_mark", 1);
    let group = group_id(&topic.name, &[]);
    topic.send_transaction(0, 0..3);
    let mut first = member(&topic);
    first.take(3, &[]);
    first.consumer.close().expect("a good end");
    assert_eq!(topic.committed(&group), [Some(3)]);
    topic.delete_below(0, 4);
    let mut second = member(&topic);
    topic.send(0, 4..5);
    second.take(1, &[]);
    assert_eq!((second.start_of(0), &second.records[&0]), (Some(4), &vec![4]));
}

#[test]
fn errors_are_classed() {
    let topics = || Topics::Named(vec!["sink_consumer_errors".to_owned()]);
    let error = |overrides: &[(&str, &str)]| match open("sink_consumer_errors", topics(), overrides) {
        Ok(_) => panic!("{overrides:?}: no error"),
        Err(error) => (error.class(), chain(&error)),
    };
    let (class, text) = error(&[("auto.offset.reset", "none")]);
    assert_eq!(class, ErrorClass::Fatal);
    assert!(text.starts_with("kafka client property auto.offset.reset cannot be used: "), "{text}");
    let (class, text) = error(&[("session.timeout.ms", "700000")]);
    assert_eq!(class, ErrorClass::Fatal, "{text}");
}
