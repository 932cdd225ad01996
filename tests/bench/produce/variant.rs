//! librdkafka: the variants of settings and of use, and the loop that sends messages with one of them.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use rdkafka::ClientContext;
use rdkafka::admin::{AdminClient, AdminOptions, NewTopic, TopicReplication};
use rdkafka::client::DefaultClientContext;
use rdkafka::config::{ClientConfig, FromClientConfigAndContext};
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::message::{DeliveryResult, Header, OwnedHeaders};
use rdkafka::producer::{BaseProducer, BaseRecord, Producer, ProducerContext, ThreadedProducer};
use rdkafka::util::IntoOpaque;

/// Who takes the delivery reports.
#[derive(Clone, Copy)]
pub enum Reports {
    /// The thread that sends, every so many messages.
    Here,
    /// A thread of rdkafka.
    Thread,
}

/// How the headers come about.
#[derive(Clone, Copy)]
pub enum HeaderMode {
    /// None at all.
    None,
    /// All five inserted for every message.
    Built,
    /// The four of the context cloned, the fifth inserted.
    Cloned,
    /// Only `tidewire.seq`.
    SequenceOnly,
}

/// What a message carries to its delivery report.
#[derive(Clone, Copy)]
pub enum OpaqueMode {
    /// Nothing.
    Unit,
    /// The number of its batch.
    Number,
    /// A box, as FutureProducer does.
    Boxed,
}

/// One way to send.
pub struct Variant {
    /// What differs.
    pub name: &'static str,
    reports: Reports,
    headers: HeaderMode,
    opaque: OpaqueMode,
    changes: &'static [(&'static str, &'static str)],
}

/// What all variants share, with the values of `kafka/client_config.rs`.
const SETTINGS: [(&str, &str); 10] = [
    ("acks", "all"),
    ("enable.idempotence", "true"),
    ("partitioner", "murmur2_random"),
    ("message.timeout.ms", "0"),
    ("linger.ms", "5"),
    ("batch.size", "1000000"),
    ("batch.num.messages", "10000"),
    ("queue.buffering.max.kbytes", "16384"),
    ("queue.buffering.max.messages", "30000"),
    ("compression.codec", "none"),
];

const fn usual(name: &'static str, changes: &'static [(&'static str, &'static str)]) -> Variant {
    Variant { name, reports: Reports::Here, headers: HeaderMode::Built, opaque: OpaqueMode::Number, changes }
}

/// The table.
pub const VARIANTS: &[Variant] = &[
    usual("librdkafka", &[]),
    Variant { headers: HeaderMode::Cloned, ..usual("headers: context cloned, sequence inserted", &[]) },
    Variant { headers: HeaderMode::SequenceOnly, ..usual("headers: the sequence only", &[]) },
    Variant { headers: HeaderMode::None, ..usual("headers: none", &[]) },
    Variant { reports: Reports::Thread, ..usual("reports: ThreadedProducer", &[]) },
    Variant {
        reports: Reports::Thread,
        headers: HeaderMode::None,
        ..usual("ThreadedProducer, no headers", &[])
    },
    Variant { opaque: OpaqueMode::Unit, ..usual("opaque: ()", &[]) },
    Variant { opaque: OpaqueMode::Boxed, ..usual("opaque: a box", &[]) },
    usual("delivery.report.only.error=true", &[("delivery.report.only.error", "true")]),
    usual("linger.ms=0", &[("linger.ms", "0")]),
    usual("linger.ms=1", &[("linger.ms", "1")]),
    usual("linger.ms=20", &[("linger.ms", "20")]),
    usual("linger.ms=100", &[("linger.ms", "100")]),
    usual("batch.size=16384", &[("batch.size", "16384")]),
    usual("batch.size=131072", &[("batch.size", "131072")]),
    usual("batch.num.messages=1000", &[("batch.num.messages", "1000")]),
    usual(
        "queue 4 MB, 6000 messages",
        &[("queue.buffering.max.kbytes", "4096"), ("queue.buffering.max.messages", "6000")],
    ),
    usual(
        "queue 8 MB, 12000 messages",
        &[("queue.buffering.max.kbytes", "8192"), ("queue.buffering.max.messages", "12000")],
    ),
    usual(
        "queue 32 MB, 60000 messages",
        &[("queue.buffering.max.kbytes", "32768"), ("queue.buffering.max.messages", "60000")],
    ),
    usual(
        "queue 1 GB, 500000 messages",
        &[("queue.buffering.max.kbytes", "1048576"), ("queue.buffering.max.messages", "500000")],
    ),
    usual("compression.codec=lz4", &[("compression.codec", "lz4")]),
    usual("compression.codec=zstd", &[("compression.codec", "zstd")]),
    usual("compression.codec=snappy", &[("compression.codec", "snappy")]),
    usual("enable.idempotence=false", &[("enable.idempotence", "false")]),
    usual("enable.gapless.guarantee=true", &[("enable.gapless.guarantee", "true")]),
    usual("message.copy.max.bytes=0", &[("message.copy.max.bytes", "0")]),
    usual("socket.send.buffer.bytes=4194304", &[("socket.send.buffer.bytes", "4194304")]),
    usual("max.in.flight=1", &[("max.in.flight.requests.per.connection", "1")]),
    usual("statistics.interval.ms=1000", &[("statistics.interval.ms", "1000")]),
    usual("partitioner=consistent_random", &[("partitioner", "consistent_random")]),
];

impl Variant {
    fn config(&self, broker: &str) -> ClientConfig {
        let mut client = ClientConfig::new();
        client.set("bootstrap.servers", broker);
        for (name, value) in SETTINGS.iter().chain(self.changes) {
            client.set(*name, *value);
        }
        client
    }
}

/// Sends `messages` messages to a topic of its own; seconds until the last was acknowledged.
pub fn send(variant: &Variant, broker: &str, messages: u64) -> Result<f64, String> {
    with_topic(broker, |topic| match (variant.reports, variant.opaque) {
        (Reports::Here, OpaqueMode::Unit) => {
            loop_over::<BaseProducer<Counter<()>>, ()>(variant, broker, topic, messages)
        }
        (Reports::Here, OpaqueMode::Number) => {
            loop_over::<BaseProducer<Counter<usize>>, usize>(variant, broker, topic, messages)
        }
        (Reports::Here, OpaqueMode::Boxed) => {
            loop_over::<BaseProducer<Counter<Box<u64>>>, Box<u64>>(variant, broker, topic, messages)
        }
        (Reports::Thread, OpaqueMode::Unit) => {
            loop_over::<ThreadedProducer<Counter<()>>, ()>(variant, broker, topic, messages)
        }
        (Reports::Thread, OpaqueMode::Number) => {
            loop_over::<ThreadedProducer<Counter<usize>>, usize>(variant, broker, topic, messages)
        }
        (Reports::Thread, OpaqueMode::Boxed) => {
            loop_over::<ThreadedProducer<Counter<Box<u64>>>, Box<u64>>(variant, broker, topic, messages)
        }
    })
}

/// Runs something with a topic of four partitions that is gone afterwards.
pub fn with_topic(broker: &str, body: impl FnOnce(&str) -> Result<f64, String>) -> Result<f64, String> {
    let topic = format!("tidewire-produce-{}", std::process::id());
    let admin: AdminClient<DefaultClientContext> =
        ClientConfig::new().set("bootstrap.servers", broker).create().map_err(|error| error.to_string())?;
    let fresh = NewTopic::new(&topic, 4, TopicReplication::Fixed(1)).set("file.delete.delay.ms", "0");
    block_on(admin.create_topics([&fresh], &AdminOptions::new())).map_err(|error| error.to_string())?;
    let result = body(&topic);
    block_on(admin.delete_topics(&[&topic], &AdminOptions::new())).map_err(|error| error.to_string())?;
    result
}

/// Counts deliveries.
struct Counter<O> {
    delivered: AtomicU64,
    failed: AtomicU64,
    opaque: std::marker::PhantomData<fn() -> O>,
}

impl<O: Send + Sync> ClientContext for Counter<O> {
    fn stats_raw(&self, _: &[u8]) {}
}

impl<O: IntoOpaque + 'static> ProducerContext for Counter<O> {
    type DeliveryOpaque = O;

    fn delivery(&self, result: &DeliveryResult<'_>, opaque: O) {
        drop(opaque);
        let counter = if result.is_ok() { &self.delivered } else { &self.failed };
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

/// What a message carries.
trait Opaque: IntoOpaque + 'static {
    fn of(message: u64) -> Self;
}

impl Opaque for () {
    fn of(_: u64) {}
}

impl Opaque for usize {
    fn of(message: u64) -> usize {
        (message / 2048) as usize
    }
}

impl Opaque for Box<u64> {
    fn of(message: u64) -> Box<u64> {
        Box::new(message)
    }
}

/// What both producers can do.
trait Sender<O: Opaque>: FromClientConfigAndContext<Counter<O>> + Producer<Counter<O>> {
    fn post<'a>(&self, record: BaseRecord<'a, [u8], [u8], O>) -> Option<BaseRecord<'a, [u8], [u8], O>>;
    fn serve(&self, wait: Duration);
}

impl<O: Opaque> Sender<O> for BaseProducer<Counter<O>> {
    fn post<'a>(&self, record: BaseRecord<'a, [u8], [u8], O>) -> Option<BaseRecord<'a, [u8], [u8], O>> {
        refused(self.send(record))
    }

    fn serve(&self, wait: Duration) {
        // BaseProducer::poll spins through the last millisecond of its timeout, so the waiting is done elsewhere.
        self.poll(Duration::ZERO);
        if !wait.is_zero() {
            thread::sleep(wait);
        }
    }
}

impl<O: Opaque> Sender<O> for ThreadedProducer<Counter<O>> {
    fn post<'a>(&self, record: BaseRecord<'a, [u8], [u8], O>) -> Option<BaseRecord<'a, [u8], [u8], O>> {
        refused(self.send(record))
    }

    fn serve(&self, wait: Duration) {
        thread::sleep(wait);
    }
}

/// The record comes back while the queue is full; nothing else is expected here.
#[allow(clippy::result_large_err)]
fn refused<R>(result: Result<(), (KafkaError, R)>) -> Option<R> {
    match result {
        Err((KafkaError::MessageProduction(RDKafkaErrorCode::QueueFull), record)) => Some(record),
        _ => None,
    }
}

/// Reports are taken every so many messages.
const REPORTS_EVERY: u64 = 256;

fn loop_over<P: Sender<O>, O: Opaque>(
    variant: &Variant,
    broker: &str,
    topic: &str,
    messages: u64,
) -> Result<f64, String> {
    let context =
        Counter { delivered: AtomicU64::new(0), failed: AtomicU64::new(0), opaque: std::marker::PhantomData };
    let producer =
        P::from_config_and_context(&variant.config(broker), context).map_err(|error| error.to_string())?;
    let common = context_headers();
    let mut value = row(600);
    let mut key = *br#"{"id":0000000000}"#;
    let start = Instant::now();
    for message in 0..messages {
        digits(&mut key[6..16], message);
        digits(&mut value[10..20], message);
        let mut record = BaseRecord::with_opaque_to(topic, O::of(message)).key(&key[..]).payload(&value[..]);
        record.headers = headers(variant.headers, &common, message);
        while let Some(back) = producer.post(record) {
            record = back;
            producer.serve(Duration::from_millis(1));
        }
        if message % REPORTS_EVERY == 0 && matches!(variant.reports, Reports::Here) {
            producer.serve(Duration::ZERO);
        }
    }
    while producer.in_flight_count() > 0 {
        producer.serve(Duration::from_millis(1));
    }
    let seconds = start.elapsed().as_secs_f64();
    match producer.context().failed.load(Ordering::Relaxed) {
        0 => Ok(seconds),
        failed => Err(format!("{failed} messages failed")),
    }
}

/// The five headers: the names and the lengths of their values are Debezium's.
pub const CONTEXT: [(&str, &str); 4] = [
    ("__debezium.context.connectorLogicalName", "inventory"),
    ("__debezium.context.taskId", "0"),
    ("__debezium.context.connectorName", "mysql"),
    ("__debezium.context.runId", "01a22903-d1f2-74ce-9489-43c209f1575a"),
];

fn context_headers() -> OwnedHeaders {
    CONTEXT
        .iter()
        .fold(OwnedHeaders::new(), |all, (key, value)| all.insert(Header { key, value: Some(*value) }))
}

fn headers(mode: HeaderMode, common: &OwnedHeaders, message: u64) -> Option<OwnedHeaders> {
    let sequence = message.to_be_bytes();
    let last = Header { key: "tidewire.seq", value: Some(&sequence) };
    match mode {
        HeaderMode::None => None,
        HeaderMode::Built => Some(context_headers().insert(last)),
        HeaderMode::Cloned => Some(common.clone().insert(last)),
        HeaderMode::SequenceOnly => Some(OwnedHeaders::new_with_capacity(1).insert(last)),
    }
}

/// JSON of a row, padded to the size with text that is not all alike.
pub fn row(size: usize) -> Vec<u8> {
    let mut text = String::from(
        "{\"no\":\"0000000000\",\"before\":null,\"after\":{\"id\":1001,\"customer\":\"Sally Thomas\",\"state\":\"open\",\
         \"total\":\"1250.75\",\"created\":1795977861000000},\"source\":{\"version\":\"3.6.1.Final\",\"connector\":\"mysql\",\
         \"name\":\"inventory\",\"ts_ms\":1795977861000,\"snapshot\":\"false\",\"db\":\"shop\",\"table\":\"orders\",\
         \"server_id\":1,\"gtid\":\"8f828cbf-ec2e-11f1-b6f4-02fc00000001:38\",\"file\":\"binlog.000001\",\"pos\":1907,\
         \"row\":0,\"thread\":11},\"op\":\"c\",\"ts_ms\":1795977861123,\"note\":\"",
    );
    let mut state: u32 = 1;
    while text.len() + 2 < size {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.push(char::from(b'a' + u8::try_from((state >> 24) % 26).unwrap_or_default()));
    }
    text.push_str("\"}");
    text.into_bytes()
}

/// A number as decimal digits, filled with zeros.
pub fn digits(place: &mut [u8], mut number: u64) {
    for digit in place.iter_mut().rev() {
        *digit = b'0' + u8::try_from(number % 10).unwrap_or_default();
        number /= 10;
    }
}

/// Runs a future of rdkafka on this thread.
fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}
