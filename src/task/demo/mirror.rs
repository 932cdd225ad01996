//! `tidewire demo --kafka … --clickhouse …`: the shop in MySQL and its mirror in ClickHouse, side by side.
//!
//! Source and sink run as `tidewire run` runs them, over a broker. Meanwhile the shop changes, and the mirror is asked for its rows
//! again and again: they are those that the shop had a moment ago, and how long that is, is how far it is behind. At the end both
//! are compared row by row.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::config::properties::{Origin, Properties};
use crate::config::sink::SinkConfig;
use crate::config::source::SourceConfig;
use crate::config::worker::WorkerConfig;
use crate::sink::apply::error::ApplyError;
use crate::sink::apply::server::Server;
use crate::sink::clickhouse::client::Query;
use crate::sink::clickhouse::error::ClickHouseError;
use crate::sink::clickhouse::system_tables;
use crate::source::error::SourceError;
use crate::source::mysql::connection::Connection;
use crate::task::demo::shop::{CHANGES, DATABASE, PAUSE, TABLES, change, open_shop};
use crate::task::demo::{Demo, PATIENCE, show};
use crate::task::error::TaskError;
use crate::task::run::run_connectors;

/// Between two looks at both servers.
const LOOK: Duration = Duration::from_millis(50);
/// Between two pictures.
const PICTURE: Duration = Duration::from_millis(700);
/// Rows of a table in a picture: the last ones.
const ROWS: usize = 3;
/// The width of a side.
const SIDE: usize = 58;

/// Where the mirror is.
#[derive(Clone)]
pub struct Mirror {
    /// Brokers, as `bootstrap.servers`.
    pub kafka: String,
    /// `clickhouse.url`.
    pub clickhouse: String,
}

/// The rows of a table, as text.
type Rows = Vec<String>;

/// Runs it. What the shop's and the mirror's tables are called is the shop's database; what is there under its name is dropped.
pub fn mirror(arguments: &Demo, mirror: &Mirror, stop: &Arc<AtomicBool>) -> Result<(), TaskError> {
    let connectors = Connectors::new(arguments, mirror);
    let mut shop = Connection::connect(&connectors.source.connection).map_err(SourceError::from)?;
    open_shop(&mut shop).map_err(SourceError::from)?;
    let server = Server::connect(&connectors.sink).map_err(ApplyError::Server)?;
    server
        .run("drop the mirror of before", &format!("DROP DATABASE IF EXISTS {DATABASE} SYNC"))
        .map_err(ApplyError::Server)?;
    let end = &Arc::new(AtomicBool::new(false));
    std::thread::scope(|scope| {
        let running = scope.spawn(|| {
            let Connectors { worker, source, sink } = &connectors;
            let result =
                run_connectors(worker, std::slice::from_ref(source), std::slice::from_ref(sink), end);
            end.store(true, Ordering::Relaxed);
            result
        });
        let mut side_by_side =
            SideBySide { shop, server, tables: Default::default(), longest: Duration::ZERO };
        let result = side_by_side.go(arguments.follow, stop, end);
        end.store(true, Ordering::Relaxed);
        // Why a connector failed says more than that its rows did not come.
        running.join().map_err(|_| TaskError::Panicked)?.map_err(|failed| failed.error)?;
        result
    })
}

struct Connectors {
    worker: WorkerConfig,
    source: SourceConfig,
    sink: SinkConfig,
}

impl Connectors {
    /// As a user would write them.
    fn new(arguments: &Demo, mirror: &Mirror) -> Self {
        // Topics of a demonstration before this one are not read.
        let prefix = format!("demo_{}", uuid::Uuid::new_v4().simple());
        let properties = |pairs: &[(&str, &str)]| {
            let mut properties = Properties::new();
            for (name, value) in pairs {
                properties.insert(*name, *value, Origin::CommandLine);
            }
            properties
        };
        let json = "org.apache.kafka.connect.json.JsonConverter";
        let source = properties(&[
            ("name", &format!("{prefix}_source")),
            ("connector.class", "io.debezium.connector.mysql.MySqlConnector"),
            ("topic.prefix", &prefix),
            ("database.hostname", &arguments.host),
            ("database.port", &arguments.port.to_string()),
            ("database.user", &arguments.user),
            ("database.password", &arguments.password),
            ("database.server.id", "190191"),
            ("database.include.list", DATABASE),
            ("skipped.operations", "none"),
            ("topic.creation.default.partitions", "1"),
            ("topic.creation.default.replication.factor", "1"),
            ("schema.history.internal.kafka.bootstrap.servers", &mirror.kafka),
            ("schema.history.internal.kafka.topic", &format!("{prefix}_history")),
            ("key.converter", json),
            ("value.converter", json),
            ("key.converter.schemas.enable", "false"),
            ("value.converter.schemas.enable", "false"),
            ("key.converter.replace.null.with.default", "false"),
            ("value.converter.replace.null.with.default", "false"),
        ]);
        let sink = properties(&[
            ("name", &format!("{prefix}_mirror")),
            ("connector.class", "tidewire.clickhouse.ClickHouseSinkConnector"),
            ("topics.regex", &format!("{prefix}\\..*")),
            ("schema.changes.topic", &prefix),
            ("clickhouse.url", &mirror.clickhouse),
            ("flush.interval.ms", "200"),
            ("consumer.override.metadata.max.age.ms", "500"),
        ]);
        let worker = properties(&[
            ("bootstrap.servers", &mirror.kafka),
            ("group.id", &prefix),
            ("offset.storage.topic", &format!("{prefix}_offsets")),
            ("offset.storage.partitions", "1"),
            ("offset.storage.replication.factor", "1"),
            ("offset.flush.interval.ms", "500"),
            ("tidewire.standby.enabled", "false"),
        ]);
        // All values are constants or addresses that the command line has checked.
        let worker =
            WorkerConfig::examine(&worker, &[&source, &sink]).config.expect("the worker's own properties");
        let source =
            SourceConfig::from_properties(&source, Some(&worker)).expect("the source's own configuration").0;
        let sink = SinkConfig::from_properties(&sink).expect("the sink's own configuration").0;
        Connectors { worker, source, sink }
    }
}

/// A table on both sides.
#[derive(Default)]
struct Sides {
    /// What the shop had, and since when: from what the mirror has to what the shop has now.
    shop: VecDeque<(Instant, Rows)>,
    mirror: Rows,
}

impl Sides {
    /// The shop has these rows now.
    fn changed(&mut self, rows: Rows) {
        if self.shop.back().is_none_or(|(_, last)| *last != rows) {
            self.shop.push_back((Instant::now(), rows));
        }
    }

    /// The mirror has these rows now. How long the oldest change took that came since the last look.
    fn mirrored(&mut self, rows: Rows) -> Duration {
        self.mirror = rows;
        let Some(at) = self.shop.iter().rposition(|(_, state)| *state == self.mirror) else {
            return Duration::ZERO;
        };
        let came = self.shop.get(1).filter(|_| at > 0).map(|(since, _)| since.elapsed());
        self.shop.drain(..at);
        came.unwrap_or_default()
    }

    fn now(&self) -> &[String] {
        self.shop.back().map(|(_, rows)| rows.as_slice()).unwrap_or_default()
    }

    /// How old the first change is that has not come yet.
    fn behind(&self) -> Option<Duration> {
        let first = if self.shop.front().is_some_and(|(_, rows)| *rows == self.mirror) { 1 } else { 0 };
        self.shop.get(first).map(|(since, _)| since.elapsed())
    }
}

struct SideBySide {
    shop: Connection,
    server: Server,
    tables: [Sides; TABLES.len()],
    longest: Duration,
}

impl SideBySide {
    fn go(&mut self, follow: bool, stop: &AtomicBool, end: &AtomicBool) -> Result<(), TaskError> {
        let goes_on = || !stop.load(Ordering::Relaxed) && !end.load(Ordering::Relaxed);
        let began = Instant::now();
        self.look_at_shop()?;
        self.wait(&goes_on)?;
        // The start is no lag.
        self.longest = Duration::ZERO;
        let (mut made, mut pictured) = (0, None::<Instant>);
        while goes_on() && (follow || made < CHANGES) {
            self.shop.execute(&change(made)).map_err(SourceError::from)?;
            self.look_at_shop()?;
            made += 1;
            let next = Instant::now() + PAUSE;
            while Instant::now() < next {
                self.look_at_mirror()?;
                if pictured.is_none_or(|last| last.elapsed() >= PICTURE) {
                    self.picture(began.elapsed());
                    pictured = Some(Instant::now());
                }
                std::thread::sleep(LOOK);
            }
        }
        self.wait(&goes_on)?;
        self.picture(began.elapsed());
        let rows: usize = self.tables.iter().map(|sides| sides.now().len()).sum();
        let differences: usize =
            self.tables.iter().map(|sides| differences(sides.now(), &sides.mirror)).sum();
        show(
            format!(
                "\ndemo: {made} changes made, {} tables, {rows} rows compared, {differences} differences, at most {:.1} s behind\n",
                TABLES.len(),
                self.longest.as_secs_f64()
            )
            .as_bytes(),
        );
        if !stop.load(Ordering::Relaxed) && differences > 0 {
            return Err(TaskError::DemoDiffers { differences });
        }
        Ok(())
    }

    /// Until both are equal; not for ever.
    fn wait(&mut self, goes_on: &impl Fn() -> bool) -> Result<(), TaskError> {
        let began = Instant::now();
        while goes_on() && began.elapsed() < PATIENCE {
            self.look_at_mirror()?;
            if self.tables.iter().all(|sides| sides.behind().is_none()) {
                return Ok(());
            }
            std::thread::sleep(LOOK);
        }
        Ok(())
    }

    fn look_at_shop(&mut self) -> Result<(), TaskError> {
        for ((table, columns), sides) in TABLES.iter().zip(&mut self.tables) {
            let texts: Vec<String> =
                columns.iter().map(|column| format!("IFNULL(CAST({column} AS CHAR), 'NULL')")).collect();
            let sql =
                format!("SELECT CONCAT_WS('  ', {}) FROM {DATABASE}.{table} ORDER BY id", texts.join(", "));
            let result = self.shop.query(&sql).map_err(SourceError::from)?;
            sides.changed(result.rows.into_iter().filter_map(|row| row.into_iter().next()?).collect());
        }
        Ok(())
    }

    fn look_at_mirror(&mut self) -> Result<(), TaskError> {
        for ((table, columns), sides) in TABLES.iter().zip(&mut self.tables) {
            let rows = mirrored(&self.server, table, columns).map_err(ApplyError::Server)?;
            self.longest = self.longest.max(sides.mirrored(rows));
        }
        Ok(())
    }

    fn picture(&self, time: Duration) {
        let behind = self.tables.iter().filter_map(Sides::behind).max();
        let state = behind
            .map_or_else(|| "equal".to_owned(), |behind| format!("{:.1} s behind", behind.as_secs_f64()));
        let mut text = format!("\n{:5.1} s  {:<SIDE$} │ ClickHouse, {state}\n", time.as_secs_f64(), "MySQL");
        for ((table, _), sides) in TABLES.iter().zip(&self.tables) {
            let count = |rows: &[String]| format!("{table}: {} rows", rows.len());
            let (left, right) = (count(sides.now()), count(&sides.mirror));
            text.push_str(&format!("         {left:<SIDE$} │ {right}\n"));
            let last = |rows: &[String]| rows.iter().rev().take(ROWS).rev().cloned().collect::<Vec<_>>();
            let (left, right) = (last(sides.now()), last(&sides.mirror));
            for at in 0..left.len().max(right.len()) {
                let cell = |rows: &[String]| rows.get(at).cloned().unwrap_or_default();
                let width = SIDE - 2;
                text.push_str(&format!("           {:<width$} │   {}\n", cell(&left), cell(&right)));
            }
        }
        show(text.as_bytes());
    }
}

/// The rows of a table in ClickHouse; none while there is no table.
fn mirrored(server: &Server, table: &str, columns: &[&str]) -> Result<Rows, ClickHouseError> {
    if system_tables::table(&server.client, DATABASE, table)?.is_none() {
        return Ok(Vec::new());
    }
    // MySQL prints the zeros at the end of decimals.
    let text = |column: &&str| match *column {
        "total" => "toDecimalString(total, 2)".to_owned(),
        column => format!("ifNull(toString({column}), 'NULL')"),
    };
    let texts: Vec<String> = columns.iter().map(text).collect();
    let sql = format!(
        "SELECT arrayStringConcat([{}], '  ') FROM {DATABASE}.{table} FINAL WHERE _deleted = 0 ORDER BY id",
        texts.join(", ")
    );
    let rows: Vec<(String,)> = server.client.rows(Query::new("read the mirror", &sql))?;
    Ok(rows.into_iter().map(|(row,)| row).collect())
}

/// Rows that only one side has.
fn differences(mysql: &[String], clickhouse: &[String]) -> usize {
    let missing = |of: &[String], from: &[String]| of.iter().filter(|row| !from.contains(row)).count();
    missing(mysql, clickhouse).max(missing(clickhouse, mysql))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mirror_is_where_the_shop_was() {
        let rows = |text: &str| vec![text.to_owned()];
        let mut sides = Sides::default();
        sides.changed(rows("a"));
        assert!(sides.behind().is_some());
        sides.mirrored(rows("a"));
        assert_eq!(sides.behind(), None);
        sides.changed(rows("b"));
        sides.changed(rows("c"));
        let (first, second) = (sides.shop[1].0, sides.shop[2].0);
        assert!(sides.behind().unwrap() >= second.elapsed());
        sides.mirrored(rows("b"));
        assert!(sides.behind().unwrap() <= first.elapsed() && !sides.shop.is_empty());
        // What the shop never had is no state of it.
        assert_eq!(sides.mirrored(rows("x")), Duration::ZERO);
        assert!(sides.mirrored(rows("c")) >= Duration::ZERO && sides.behind().is_none());
    }

    #[test]
    fn rows_of_one_side_are_differences() {
        let rows = |all: &[&str]| all.iter().map(|row| (*row).to_owned()).collect::<Rows>();
        for (mysql, clickhouse, wanted) in [
            (&["1 a", "2 b"][..], &["1 a", "2 b"][..], 0),
            (&["1 a", "2 b"], &["1 a"], 1),
            (&["1 a"], &["1 a", "2 b"], 1),
            (&["1 a", "2 b"], &["1 a", "2 c"], 1),
            (&[], &["1 a", "2 b"], 2),
        ] {
            assert_eq!(differences(&rows(mysql), &rows(clickhouse)), wanted);
        }
    }
}
