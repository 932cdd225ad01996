//! The tables, the statements that fill them, and the one configuration that both connectors get.

use crate::Result;
use crate::servers::Servers;
use serde_json::{Value, json};

/// Inserts a transaction.
pub const TRANSACTION: u64 = 100;

/// Three tables of one shape, full of text that neither repeats nor compresses; none of it in the binlog. The procedure
/// inserts one row a statement.
pub fn create(servers: &Servers, rows: u64, warm_up: u64) -> Result<()> {
    let columns = "(id bigint not null primary key, n int, a char(120), b char(60), d decimal(12,2), t datetime(6), v varchar(64))";
    servers.sql(&format!(
        "set sql_log_bin=0; set cte_max_recursion_depth={rows};
         drop database if exists bench;
         create database bench character set utf8mb4;
         use bench;
         create table snapshot {columns};
         insert into snapshot with recursive r(i) as (select 1 union all select i+1 from r where i < {rows})
           select i, i * 7919 % 1000003, left(sha2(i, 512), 120), left(sha2(i * 3, 256), 60), i * 104729 % 100000000 / 100,
                  timestampadd(microsecond, i * 1000003, '2020-01-01'), concat('row ', i, ' of ', left(sha2(i * 7, 224), 32)) from r;
         create table warm like snapshot;
         insert into warm select * from snapshot where id <= {warm_up};
         create table stream like snapshot;
         delimiter //
         create procedure fill_warm(first bigint, number bigint) begin
           declare i bigint default 0;
           while i < number do
             if i % {TRANSACTION} = 0 then start transaction; end if;
             insert into warm select first + i, n, a, b, d, t, v from snapshot where id = 1 + i % {rows};
             set i = i + 1;
             if i % {TRANSACTION} = 0 then commit; end if;
           end while;
           commit;
         end//
         create procedure fill_stream(first bigint, number bigint) begin
           declare i bigint default 0;
           while i < number do
             if i % {TRANSACTION} = 0 then start transaction; end if;
             insert into stream select first + i, n, a, b, d, t, v from snapshot where id = 1 + i % {rows};
             set i = i + 1;
             if i % {TRANSACTION} = 0 then commit; end if;
           end while;
           commit;
         end//
         "
    ))?;
    // The connectors meet the tables in the binlog's past only.
    servers.sql("flush binary logs")?;
    Ok(())
}

fn quarters() -> impl Iterator<Item = String> {
    (1..=4).map(|number| format!("quarter{number}"))
}

/// Four tables, each with a quarter of the rows.
pub fn create_quarters(servers: &Servers, rows: u64) -> Result<()> {
    for (place, table) in quarters().enumerate() {
        let (low, high) = (rows * place as u64 / 4, rows * (place as u64 + 1) / 4);
        servers.sql(&format!(
            "set sql_log_bin=0; create table bench.{table} like bench.snapshot;
             insert into bench.{table} select * from bench.snapshot where id > {low} and id <= {high}"
        ))?;
    }
    Ok(())
}

/// Inserts rows with ids from `first` into `warm` or `stream`.
pub fn insert(servers: &Servers, table: &str, first: u64, number: u64) -> Result<()> {
    servers.sql(&format!("call bench.fill_{table}({first}, {number})")).map(|_| ())
}

/// One connector on its tables.
pub struct Config {
    /// The connector's name and its topic prefix.
    pub name: String,
    tables: Vec<String>,
    snapshot_mode: &'static str,
    readers: u32,
}

impl Config {
    pub fn new(connector: &str, table: &'static str, snapshot_mode: &'static str) -> Self {
        Config {
            name: format!("{connector}_{table}"),
            tables: vec![table.to_owned()],
            snapshot_mode,
            readers: 1,
        }
    }

    /// The tables of `create_quarters`, read by so many connections.
    pub fn quarters(connector: &str, readers: u32) -> Self {
        Config {
            name: format!("{connector}_quarters_{readers}"),
            tables: quarters().collect(),
            snapshot_mode: "initial",
            readers,
        }
    }

    /// Where the records of each table go.
    pub fn topics(&self) -> Vec<String> {
        self.tables.iter().map(|table| format!("{}.bench.{table}", self.name)).collect()
    }

    /// The properties, the same for both.
    pub fn properties(&self, servers: &Servers) -> Value {
        let (host, port) = servers.mysql.split_once(':').unwrap_or((&servers.mysql, "3306"));
        let converter = "org.apache.kafka.connect.json.JsonConverter";
        json!({
            "connector.class": "io.debezium.connector.mysql.MySqlConnector",
            "tasks.max": "1",
            "database.hostname": host,
            "database.port": port,
            "database.user": "dbz",
            "database.password": "dbz",
            "database.server.id": "184054",
            "topic.prefix": self.name,
            "table.include.list":
                self.tables.iter().map(|table| format!("bench.{table}")).collect::<Vec<_>>().join(","),
            "snapshot.max.threads": self.readers.to_string(),
            "snapshot.mode": self.snapshot_mode,
            "extended.headers.enabled": "true",
            "schema.history.internal.kafka.bootstrap.servers": servers.kafka,
            "schema.history.internal.kafka.topic": format!("history.{}", self.name),
            "key.converter": converter,
            "key.converter.schemas.enable": "false",
            "value.converter": converter,
            "value.converter.schemas.enable": "false",
        })
    }
}
