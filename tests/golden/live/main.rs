//! Live golden tests: a scenario's statements on a real MySQL, through `tidewire run` into a real Kafka, compared with
//! what the real Debezium published and stored for the same statements.
//!
//! The server is emptied before each case, so that GTIDs count from the same number. Positions, GTIDs' server ids, times
//! and threads are compared in kind; everything else exactly, snapshot included, and so are the schema history and the
//! last stored offset. Cases mostly wait, so they run side by side on two grounds, each a server and a broker.
//! `tests/run live [CASE...]` starts them.

#[allow(dead_code, reason = "a replay asks for more of a case than a live run")]
#[path = "../case.rs"]
mod case;
#[path = "../compare.rs"]
mod compare;
#[allow(dead_code, reason = "as above")]
#[path = "../fixes.rs"]
mod fixes;
#[path = "../json.rs"]
mod json;
#[path = "../named_tests.rs"]
mod named_tests;
#[path = "../record.rs"]
mod record;
#[path = "../scrub.rs"]
mod scrub;

mod broker;
mod scenario;
mod session;
mod worker;

use broker::Broker;
use case::Case;
use compare::Expectation;
use fixes::Fixes;
use json::Json;
use named_tests::NamedTest;
use scenario::{Scenario, Step};
use scrub::Run;
use session::{Server, Session};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use worker::{OFFSET_TOPIC, Worker};

/// Differences that are shown of one case.
const SHOWN: usize = 5;
/// How long a connector may take to start, and its topics to come to rest.
const LIMIT: Duration = Duration::from_secs(120);
/// Rest is when nothing has come for so long.
const REST: Duration = Duration::from_secs(3);
/// Rest when all that is expected has come: whether there is more.
const REST_COMPLETE: Duration = Duration::from_secs(1);
/// Rest while records are missing: a broker on a busy disk needs seconds to create one topic.
const REST_MISSING: Duration = Duration::from_secs(20);

/// What the variables of the grounds end with.
const GROUNDS: [&str; 2] = ["", "_SECOND"];

fn main() -> ExitCode {
    let grounds: Result<Vec<Ground>, String> = GROUNDS.iter().map(|name| Ground::new(name)).collect();
    let mut tests =
        vec![NamedTest::new("scenarios_are_read_rightly", || scenario::proof().map(|()| String::new()))];
    match (&grounds, Case::all(), case::fixes()) {
        (Ok(grounds), Ok(cases), Ok(fixes)) => {
            let grounds = grounds.iter().zip(GROUNDS).cycle();
            tests.extend(cases.into_iter().zip(grounds).map(|(case, (ground, name))| {
                let fixes = fixes.clone();
                NamedTest::new(case.name.clone(), move || ground.run(&case, &fixes)).in_lane(name)
            }));
        }
        (Err(why), ..) => tests.push(NamedTest::new("servers", move || Err(why.clone()))),
        (_, Err(why), _) | (_, _, Err(why)) => tests.push(NamedTest::new("corpus", move || Err(why))),
    }
    named_tests::main(tests)
}

/// A server and a broker.
struct Ground {
    server: Server,
    mysql: String,
    kafka: String,
    broker: Broker,
}

impl Ground {
    /// Of the environment, by what its variables end with.
    fn new(name: &str) -> Result<Self, String> {
        let variable =
            |name: &str| std::env::var(name).map_err(|_| format!("{name} is not set; run tests/run live"));
        let kafka = variable(&format!("TIDEWIRE_KAFKA{name}"))?;
        let mysql = variable(&format!("TIDEWIRE_MYSQL97{name}"))?;
        let folder = variable(&format!("TIDEWIRE_MYSQL97{name}_DIR"))?;
        let server = Server { script: variable("TIDEWIRE_SERVERS")?, folder };
        let broker = Broker::new(&kafka)?;
        Ok(Ground { server, mysql, kafka, broker })
    }

    fn query(&self, sql: &str) -> Result<Vec<String>, String> {
        Session::open(&self.server)?.run(sql)
    }

    /// Nothing of an earlier case in the server; binlogs and GTIDs from the start.
    fn empty(&self) -> Result<(), String> {
        let mut session = Session::open(&self.server)?;
        let system = ["mysql", "sys", "information_schema", "performance_schema"];
        for database in session.run("show databases")? {
            if !system.contains(&database.as_str()) {
                session.run(&format!("drop database `{database}`"))?;
            }
        }
        session.run("set global time_zone='+00:00'")?;
        // A case may have switched them off, and they can be switched on by these steps only.
        if session.run("select @@global.gtid_mode")? != ["ON"] {
            for mode in ["OFF_PERMISSIVE", "ON_PERMISSIVE", "ON"] {
                session.run(&format!("set global enforce_gtid_consistency=on, global gtid_mode={mode}"))?;
            }
        }
        session.run("reset binary logs and gtids").map(|_| ())
    }

    /// How many connectors read the binlog, and how many of these have all of it.
    fn dumps(&self) -> Result<(usize, usize), String> {
        let rows =
            self.query("select state from information_schema.processlist where command like 'Binlog Dump%'")?;
        Ok((rows.len(), rows.iter().filter(|state| state.contains("has sent all binlog")).count()))
    }

    fn run(&self, case: &Case, fixes: &str) -> Result<String, String> {
        self.empty()?;
        let scenario = Scenario::parse(&case::read(&case.folder.join("scenario.sql"))?)?;
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        session::run_steps(&self.server, &scenario.before, |step| {
            Err(format!("{step:?} before the connector starts"))
        })?;
        let mut connector = Connector::new(self, case, folder.path())?;
        connector.start(&[])?;
        session::run_steps(&self.server, &scenario.after, |step| match step {
            Step::Wait => connector.rest(None),
            Step::Stop { wait } => connector.stop(*wait),
            Step::DropHistory => connector.lose_history(),
            Step::Start(changes) => connector.start(changes),
            _ => Ok(()),
        })?;
        connector.rest(Some(expected_records(case, fixes)?))?;
        connector.stop(false)?;
        connector.judge(case, fixes)
    }
}

/// The connector of one case over all its starts.
struct Connector<'a> {
    ground: &'a Ground,
    name: String,
    prefix: String,
    history: String,
    properties: Vec<(String, String)>,
    folder: &'a Path,
    worker: Option<Worker>,
    /// Debezium stopped with an error, and so may we.
    may_fail: bool,
    failed: bool,
    /// It has taken its snapshot, and that was all.
    has_ended: bool,
}

impl<'a> Connector<'a> {
    fn new(ground: &'a Ground, case: &Case, folder: &'a Path) -> Result<Self, String> {
        let config =
            Json::parse(&case::read(&case.folder.join("config.json"))?).ok_or("config.json is not JSON")?;
        let of = |name: &str| config.get(name).and_then(Json::text).unwrap_or_default().to_owned();
        let mut properties = worker::properties(&config, &ground.mysql, &ground.kafka)?;
        // Debezium passes over rows that were logged as statements; we do so only when told to.
        properties.push(("event.processing.failure.handling.mode".to_owned(), "warn".to_owned()));
        Ok(Connector {
            name: case.name.clone(),
            prefix: of("topic.prefix"),
            history: of("schema.history.internal.kafka.topic"),
            properties,
            ground,
            folder,
            worker: None,
            may_fail: case.debezium_failed,
            failed: false,
            has_ended: false,
        })
    }

    fn is_own_topic(&self, topic: &str) -> bool {
        let rest = topic.strip_prefix(&self.prefix);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            || topic.strip_prefix("__debezium-heartbeat.").is_some_and(|rest| rest == self.prefix)
    }

    /// Another topic, which is not there, in place of the history.
    fn lose_history(&mut self) -> Result<(), String> {
        self.history.push_str(".lost");
        for (name, value) in &mut self.properties {
            if name == "schema.history.internal.kafka.topic" {
                value.clone_from(&self.history);
            }
        }
        Ok(())
    }

    /// An error when the process has ended, unless Debezium failed too and the process said what to do about it.
    fn check(&mut self) -> Result<(), String> {
        let Some(worker) = &mut self.worker else { return Ok(()) };
        let Err(ended) = worker.check() else { return Ok(()) };
        if !self.may_fail || !ended.contains("to do: ") {
            return Err(ended);
        }
        self.worker = None;
        self.failed = true;
        Ok(())
    }

    /// Starts the process and waits until it streams.
    fn start(&mut self, changes: &[(String, String)]) -> Result<(), String> {
        if self.failed {
            return Ok(());
        }
        for (name, value) in changes {
            self.properties.retain(|(n, _)| n != name);
            self.properties.push((name.clone(), value.clone()));
        }
        self.worker = Some(Worker::start(self.folder, &self.ground.kafka, &self.name, &self.properties)?);
        let deadline = Instant::now() + LIMIT;
        if self.properties.iter().any(|(n, v)| n == "snapshot.mode" && v == "initial_only") {
            // It ends by itself.
            let ended = self.worker.take().map_or(Ok(()), |worker| worker.wait(LIMIT));
            self.has_ended = ended.is_ok();
            return ended;
        }
        self.has_ended = false;
        while self.ground.dumps()?.1 == 0 {
            self.check()?;
            let Some(worker) = &self.worker else { return Ok(()) };
            if Instant::now() > deadline {
                return Err(format!("no streaming after {} s\n{}", LIMIT.as_secs(), worker.log()));
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        Ok(())
    }

    /// Until nothing more comes. When it is known how many records are expected, their number says for how long
    /// nothing has to come.
    fn rest(&mut self, expected: Option<i64>) -> Result<(), String> {
        let deadline = Instant::now() + LIMIT;
        let (mut count, mut since) = (-1, Instant::now());
        let quiet = |count: i64| match expected {
            None => REST,
            Some(expected) if count < expected => REST_MISSING,
            Some(_) => REST_COMPLETE,
        };
        while since.elapsed() < quiet(count) {
            self.check()?;
            if self.failed {
                return Ok(());
            }
            if Instant::now() > deadline {
                return Err(format!("no rest after {} s", LIMIT.as_secs()));
            }
            let now = self.ground.broker.count(&|topic| self.is_own_topic(topic) || topic == self.history)?;
            let (readers, idle) = self.ground.dumps()?;
            if now != count || readers != idle {
                (count, since) = (now, Instant::now());
            }
            std::thread::sleep(Duration::from_millis(250));
        }
        Ok(())
    }

    fn stop(&mut self, wait: bool) -> Result<(), String> {
        if wait {
            self.rest(None)?;
        }
        if self.failed || self.has_ended {
            return Ok(());
        }
        let Some(worker) = self.worker.take() else { return Err("stopped twice".to_owned()) };
        worker.stop()?;
        // The server notices that the client has gone only when it next sends something.
        for reader in self
            .ground
            .query("select id from information_schema.processlist where command like 'Binlog Dump%'")?
        {
            // It may have ended in between.
            let _ = self.ground.query(&format!("kill {reader}"));
        }
        let deadline = Instant::now() + LIMIT;
        while self.ground.dumps()?.0 != 0 {
            if Instant::now() > deadline {
                return Err("the server still sends binlog to a connector that has ended".to_owned());
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        Ok(())
    }

    /// Records, history and last offset against the golden ones.
    fn judge(&self, case: &Case, fixes: &str) -> Result<String, String> {
        let broker = &self.ground.broker;
        let records = broker.read(&|topic| self.is_own_topic(topic))?.into_iter().map(|s| s.record).collect();
        let outcome = compare::compare(case.expectation(fixes)?, records, Run::Online).report(SHOWN)?;

        let own = case::home().join("expect").join(&case.name).join(case::HISTORY);
        let own = if own.is_file() { Some(case::read(&own)?) } else { None };
        let whole = Fixes::of(&case.name, fixes)?.replace_topic("history", Run::Online);
        if whole != own.is_some() {
            return Err("a line of fixes.jsonl for the whole history and expect/…/history.jsonl go together"
                .to_owned());
        }
        let golden = own.map_or_else(|| case::read(&case.folder.join("history.jsonl")), Ok)?;
        let golden: Vec<Json> = golden.lines().map(stored_in_kind).collect::<Result<_, _>>()?;
        let stored = broker.read(&|topic| topic == self.history)?;
        let stored: Vec<Json> = stored
            .iter()
            .map(|s| stored_in_kind(s.value.as_deref().unwrap_or("null")))
            .collect::<Result<_, _>>()?;
        let mut fixes = Fixes::of(&case.name, fixes)?;
        for (i, (want, got)) in golden.iter().zip(&stored).enumerate() {
            if let Some(what) = compare::stored_difference(&case.name, want, got, &mut fixes) {
                return Err(format!("history record {i}: {what}"));
            }
        }
        if golden.len() != stored.len() && !(case.debezium_failed && stored.len() > golden.len()) {
            return Err(format!("{} history records expected, {} stored", golden.len(), stored.len()));
        }

        let golden = case::read(&case.folder.join("offsets.jsonl"))?;
        let offsets = broker.read(&|topic| topic == OFFSET_TOPIC)?;
        let Some(golden) = golden.lines().last().and_then(Json::parse) else {
            let server = format!("{{\"server\":\"{}\"}}", self.prefix);
            let ours = offsets.iter().any(|s| s.key.as_deref().is_some_and(|key| key.contains(&server)));
            return if ours {
                Err("an offset is stored".to_owned())
            } else {
                Ok(format!("{outcome}, no offset either"))
            };
        };
        let key = golden.get("key").ok_or("offsets.jsonl has no key")?;
        let want = stored_in_kind(&golden.get("value").ok_or("offsets.jsonl has no value")?.to_string())?;
        let last = offsets.iter().rfind(|s| s.key.as_deref().and_then(Json::parse).as_ref() == Some(key));
        let got =
            last.and_then(|s| s.value.as_deref()).ok_or_else(|| format!("no offset stored for {key}"))?;
        let got = stored_in_kind(got)?;
        match want == got || fixes.allow_offset(&got) {
            true => Ok(format!("{outcome}, {} history records and the last offset too", stored.len())),
            false => Err(format!("last stored offset:\n{want}\n{got}")),
        }
    }
}

/// How many records have to be in the topics and in the history.
fn expected_records(case: &Case, fixes: &str) -> Result<i64, String> {
    let Expectation { golden, own, .. } = case.expectation(fixes)?;
    let as_debezium = golden.iter().filter(|record| !own.contains_key(&record.topic)).count();
    let ours: usize = own.values().map(Vec::len).sum();
    let history = case::read(&case.folder.join("history.jsonl"))?.lines().count();
    i64::try_from(as_debezium + ours + history).map_err(|e| e.to_string())
}

/// A stored offset or history record with its times, positions and server ids replaced, members in their order.
fn stored_in_kind(text: &str) -> Result<Json, String> {
    fn blot(json: &mut Json) {
        match json {
            Json::Object(members) => members.iter_mut().for_each(|(name, value)| match name.as_str() {
                "ts_sec" | "ts_ms" | "pos" => value.blot(),
                _ => blot(value),
            }),
            Json::List(items) => items.iter_mut().for_each(blot),
            _ => {}
        }
    }
    let mut json = Json::parse(text).ok_or_else(|| format!("not JSON: {text}"))?;
    blot(&mut json);
    json.each_text(&|text| *text = scrub::without_uuids(text));
    Ok(json)
}
