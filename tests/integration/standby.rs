//! Several instances of one connector: one runs it, the others stand by and take over.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::exactly_once::{assert_exactly_once, assert_marks};
use crate::mysql_server::database;
use crate::support::broker::Broker;
use crate::support::connector::{Connector, STREAMING};
use crate::support::database::{MYSQL97, variable};
use crate::support::process::{LIMIT, Process, wait_until};
use crate::support::restarted;
use crate::support::writer::{EnoughAtEnd, Writer, assert_at_least_once, written};

const HAS_IT: &str = "this instance has the lease";
const STANDS_BY: &str = "standing by: ";
const LOST: &str = "the lease is lost";
const SESSION: Duration = Duration::from_millis(1_500);
/// A heartbeat of one that stands by, and the moment until it has begun.
const NOTICED: Duration = Duration::from_millis(1_500);

/// A connector whose instances are a group.
fn connector_on(broker: &str, name: &str, exactly_once: bool) -> Connector {
    let mut connector = Connector::to_kafka(&MYSQL97, name, broker);
    connector
        .set("provide.transaction.metadata", "true")
        .set("retriable.restart.connector.wait.ms", "300")
        .set_worker("tidewire.standby.enabled", "true")
        .set_worker("session.timeout.ms", &SESSION.as_millis().to_string())
        .set_worker("heartbeat.interval.ms", "400")
        .set_worker("exactly.once.source.support", if exactly_once { "enabled" } else { "disabled" });
    // Topics are made anew by each run, and so is the group.
    let group = connector.prefix.clone();
    connector.set_worker("group.id", &group);
    connector
}

fn connector(name: &str, exactly_once: bool) -> Connector {
    connector_on(&variable("TIDEWIRE_KAFKA"), name, exactly_once)
}

fn group_of(connector: &Connector) -> String {
    format!("{}-tidewire-{}", connector.prefix, connector.name)
}

/// Instances, each with a log of its own.
struct Instances<'a> {
    connector: &'a Connector,
    started: u32,
}

impl<'a> Instances<'a> {
    fn of(connector: &'a Connector) -> Self {
        Instances { connector, started: 0 }
    }

    fn start(&mut self) -> Process {
        self.started += 1;
        self.connector.start_instance(&format!("log.{}", self.started))
    }

    /// One that runs the connector.
    fn active(&mut self) -> Process {
        let mut process = self.start();
        process.wait_for(STREAMING, 1);
        process
    }

    /// One that stands by.
    fn standby(&mut self) -> Process {
        let mut process = self.start();
        process.wait_for(STANDS_BY, 1);
        process
    }
}

/// Waits until an instance has the lease; it must have it before `limit` is over.
fn takes_over(process: &mut Process, times: usize, limit: Duration) {
    let began = Instant::now();
    process.wait_for(HAS_IT, times);
    let took = began.elapsed();
    assert!(took < limit, "took over after {took:?}, not {limit:?}:\n{}", process.log());
}

#[test]
fn one_runs_and_two_stand_by() {
    let mut writer = Writer::new(database(MYSQL97.variable(), "standby_three"));
    let mut connector = connector("standby_three", true);
    let mut one = connector.start_instance("log.1");
    one.wait_for(STREAMING, 1);
    // Nobody who stands by connects to the server, so it does not mind that there is none.
    connector.set("database.port", "1");
    let mut others: Vec<Process> = Vec::new();
    for number in [2, 3] {
        let mut other = connector.start_instance(&format!("log.{number}"));
        other.wait_for(STANDS_BY, 1);
        others.push(other);
        for _ in 0..10 {
            assert!(writer.transaction());
        }
    }
    assert_exactly_once(&connector, writer.expected());
    // The broker knows a group of this name with three members; nobody has moved the lease.
    let group = Broker::new(&variable("TIDEWIRE_KAFKA")).group(&group_of(&connector));
    assert_eq!(group, Some(("tidewire".to_owned(), 3)));
    let log = one.log();
    assert_eq!((log.matches(HAS_IT).count(), log.matches(LOST).count()), (1, 0), "{log}");
    let holder = format!(":{} runs the connector", one.id());
    for other in others {
        let log = other.log();
        assert!(log.contains(&holder), "{holder:?} is missing in:\n{log}");
        assert!(!log.contains("WARN") && !log.contains("ERROR") && !log.contains(HAS_IT), "{log}");
        let ended = other.terminate();
        ended.expect(0, &["stopped"]);
        assert!(ended.after < Duration::from_secs(1), "{:?}", ended.after);
    }
    one.terminate().expect(0, &["stopped"]);
    let left = || Broker::new(&variable("TIDEWIRE_KAFKA")).group(&group_of(&connector));
    assert!(left().is_none_or(|(_, members)| members == 0), "{:?}", left());
}

/// The holder is killed, again and again, while rows are written.
fn killed(name: &str, exactly_once: bool) {
    let mut writer = Writer::new(database(MYSQL97.variable(), name));
    let connector = connector(name, exactly_once);
    let mut instances = Instances::of(&connector);
    // The first one has the lease.
    let mut all = vec![instances.active(), instances.standby()];
    let enough = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _end = EnoughAtEnd(&enough);
        let writing = scope.spawn(|| writer.write_until(&enough, Duration::from_millis(15)));
        for after in [300, 20, 700, 150] {
            std::thread::sleep(Duration::from_millis(after));
            all.remove(0).kill();
            takes_over(&mut all[0], 1, SESSION + NOTICED);
            all.push(instances.standby());
            all[0].wait_for(STREAMING, 1);
        }
        enough.store(true, Ordering::Relaxed);
        writing.join().expect("the writer");
    });
    if exactly_once {
        assert_exactly_once(&connector, writer.expected());
    } else {
        let last = writer.expected().last();
        wait_until("the last change", LIMIT, || written(&connector.records("t")).last() == last);
        assert_at_least_once(writer.expected(), &written(&connector.records("t")));
    }
    all.remove(0).terminate().expect(0, &["stopped"]);
    takes_over(&mut all[0], 1, NOTICED);
    all.remove(0).terminate().expect(0, &["stopped"]);
}

#[test]
fn the_holder_is_killed() {
    killed("standby_killed", true);
}

#[test]
fn the_holder_is_killed_where_records_come_at_least_once() {
    killed("standby_killed_twice", false);
}

#[test]
fn the_holder_is_stopped() {
    let name = "standby_stopped";
    let mut writer = Writer::new(database(MYSQL97.variable(), name));
    let connector = connector(name, true);
    let mut instances = Instances::of(&connector);
    // The first one has the lease.
    let mut all = vec![instances.active(), instances.standby()];
    let enough = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _end = EnoughAtEnd(&enough);
        let writing = scope.spawn(|| writer.write_until(&enough, Duration::from_millis(15)));
        for _ in 0..3 {
            std::thread::sleep(Duration::from_millis(200));
            all.remove(0).terminate().expect(0, &["stopped"]);
            takes_over(&mut all[0], 1, NOTICED);
            all.push(instances.standby());
            all[0].wait_for(STREAMING, 1);
        }
        enough.store(true, Ordering::Relaxed);
        writing.join().expect("the writer");
    });
    assert_exactly_once(&connector, writer.expected());
}

/// It sleeps for longer than its session, wakes up, and is the one that stands by.
#[test]
fn the_holder_sleeps() {
    let name = "standby_sleeps";
    let mut writer = Writer::new(database(MYSQL97.variable(), name));
    let connector = connector(name, true);
    let mut instances = Instances::of(&connector);
    let (mut one, mut two) = (instances.active(), instances.standby());
    let enough = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _end = EnoughAtEnd(&enough);
        let writing = scope.spawn(|| writer.write_until(&enough, Duration::from_millis(15)));
        for times in 1..=2 {
            std::thread::sleep(Duration::from_millis(300));
            one.pause();
            takes_over(&mut two, times, SESSION + NOTICED);
            two.wait_for(STREAMING, times);
            one.go_on();
            one.wait_for(LOST, times);
            // Two told that it stands by once before it took over.
            one.wait_for(STANDS_BY, times);
            two.pause();
            takes_over(&mut one, times + 1, SESSION + NOTICED);
            one.wait_for(STREAMING, times + 1);
            two.go_on();
            two.wait_for(STANDS_BY, times + 1);
        }
        enough.store(true, Ordering::Relaxed);
        writing.join().expect("the writer");
    });
    assert_exactly_once(&connector, writer.expected());
    assert!(one.is_running() && two.is_running());
    two.terminate().expect(0, &["stopped"]);
    one.terminate().expect(0, &["stopped"]);
}

/// Transactions of which nothing comes but a BEGIN and an END, so that there is always one on its way; XA transactions are
/// among them, prepared while others are committed.
fn write_elsewhere(name: &str, enough: &AtomicBool) {
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT)").unwrap();
    let mut prepared = None;
    for number in 0_u32.. {
        if enough.load(Ordering::Relaxed) {
            break;
        }
        let xid = format!("'{name}_{number}'");
        let mut statements = vec!["INSERT INTO t VALUES (1)".to_owned()];
        if number.is_multiple_of(4) {
            statements.insert(0, format!("XA START {xid}"));
            statements.push(format!("XA END {xid}"));
            match number % 16 {
                0 => statements.push(format!("XA COMMIT {xid} ONE PHASE")),
                kind => {
                    statements.push(format!("XA PREPARE {xid}"));
                    let end = if kind == 4 { "ROLLBACK" } else { "COMMIT" };
                    let last = prepared.replace(format!("XA {end} {xid}"));
                    statements.extend(last);
                }
            }
        }
        for statement in statements {
            session.execute(&statement).unwrap();
        }
        std::thread::sleep(Duration::from_millis(3));
    }
    if let Some(last) = prepared {
        session.execute(&last).unwrap();
    }
}

/// The broker is killed, for less and for more than a session: the holder goes on, or one of the two begins again.
#[test]
fn the_broker_is_killed() {
    let name = "standby_broker";
    let broker = restarted::kafka();
    let mut writer = Writer::new(database(MYSQL97.variable(), name));
    let connector = connector_on(&variable("TIDEWIRE_KAFKA_RESTARTED"), name, true);
    let mut instances = Instances::of(&connector);
    let (mut one, mut two) = (instances.active(), instances.standby());
    let enough = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _end = EnoughAtEnd(&enough);
        let elsewhere = scope.spawn(|| write_elsewhere("standby_broker_elsewhere", &enough));
        for away in [Duration::ZERO, SESSION * 2] {
            for _ in 0..10 {
                assert!(writer.transaction());
            }
            broker.kill();
            assert!(writer.transaction());
            std::thread::sleep(away);
            broker.start();
            assert!(writer.transaction());
            assert_exactly_once(&connector, writer.expected());
            assert!(one.is_running() && two.is_running());
        }
        one.terminate().expect(0, &["stopped"]);
        wait_until("the other one has the lease", LIMIT, || two.log().contains(HAS_IT));
        assert!(writer.transaction());
        assert_exactly_once(&connector, writer.expected());
        enough.store(true, Ordering::Relaxed);
        elsewhere.join().expect("the other writer");
    });
    two.terminate().expect(0, &["stopped"]);
    assert_marks(&connector);
}

/// What one instance has finished or failed at the next one finds finished, or fails at.
#[test]
fn an_end_is_everybodys() {
    let mut session = database(MYSQL97.variable(), "standby_ends");
    session.execute("CREATE TABLE t (id INT PRIMARY KEY)").unwrap();
    session.execute("INSERT INTO t VALUES (1), (2)").unwrap();
    let mut finished = connector("standby_ends", true);
    finished.set("snapshot.mode", "initial_only");
    let instances = [finished.start_instance("log.1"), finished.start_instance("log.2")];
    for instance in instances {
        instance.wait(LIMIT).expect(0, &[HAS_IT]);
    }
    assert_eq!(written(&finished.records("t")), ["r1", "r2"]);

    let mut failing = connector("standby_fails", true);
    failing.set("database.password", "wrong");
    let instances = [failing.start_instance("log.1"), failing.start_instance("log.2")];
    for instance in instances {
        instance.wait(LIMIT).expect(1, &[HAS_IT, "the connector failed for good"]);
    }
}

/// One that is not in the group comes as a straggler does: the holder of the lease takes its identity back.
#[test]
fn a_straggler_is_fenced() {
    let name = "standby_straggler";
    let mut writer = Writer::new(database(MYSQL97.variable(), name));
    let mut connector = connector(name, true);
    let mut holder = connector.start_instance("log.1");
    holder.wait_for(STREAMING, 1);
    // The server, too, lets only one of two go on that use the same id.
    connector.set("database.server.id", "79999").set_worker("tidewire.standby.enabled", "false");
    let mut straggler = connector.start_instance("log.2");
    straggler.wait_for(STREAMING, 1);
    assert!(writer.transaction());
    holder.wait_for(STREAMING, 2);
    assert!(writer.transaction());
    let ended = straggler.wait(LIMIT);
    ended.expect(1, &["another instance of the connector has taken over"]);
    assert_exactly_once(&connector, writer.expected());
    holder.terminate().expect(0, &["fenced with the lease", "stopped"]);
}
