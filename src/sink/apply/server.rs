//! The server as the applying task knows it: its client, and what was asked of it once.

use crate::config::pattern::JavaPattern;
use crate::config::sink::SinkConfig;
use crate::config::sink::modes::SourceHandling;
use crate::sink::clickhouse::client::{Client, Query};
use crate::sink::clickhouse::compression::Compression;
use crate::sink::clickhouse::error::ClickHouseError;
use crate::sink::clickhouse::settings::ClientSettings;
use crate::sink::row::column::DateLimits;
use crate::sink::table::mapping::MappingOptions;
use crate::sink::table::mapping::temporal_range::{DATE_RANGE_QUERY, DateRange};

/// Fails on a server without the type, or whose settings do not allow it.
const TIME64_QUERY: &str = "SELECT CAST('00:00:01' AS Time64(6))";

/// A server, its abilities, and what the configuration makes of them.
pub struct Server {
    /// The client.
    pub client: Client,
    /// `clickhouse.compression`.
    pub compression: Compression,
    /// How columns are mapped.
    pub mapping: MappingOptions,
    /// Which dates are taken.
    pub dates: DateLimits,
    /// How the source publishes types that have several forms.
    pub handling: SourceHandling,
    /// `unavailable.value.placeholder`.
    pub placeholder: Vec<u8>,
    /// `low.cardinality.columns`.
    pub low_cardinality: Vec<JavaPattern>,
}

impl Server {
    /// Connects and asks.
    pub fn connect(config: &SinkConfig) -> Result<Server, ClickHouseError> {
        let client = Client::new(settings(config))?;
        let has_time64 = match client.execute(Query::new("look for Time64", TIME64_QUERY)) {
            Ok(_) => true,
            // It answers, but not with a time.
            Err(error) if error.exception().is_some() && !is_of_all(&error) => false,
            Err(error) => return Err(error),
        };
        let years: Vec<(u16, u16, u16)> =
            client.rows(Query::new("look for the range of dates", DATE_RANGE_QUERY))?;
        let range = match years.first() {
            Some(&(date, date_time, first)) => DateRange::of_years(date, date_time, first),
            None => DateRange::From1900To2299,
        };
        Ok(Server {
            client,
            compression: if config.server.compressed { Compression::Lz4 } else { Compression::None },
            mapping: MappingOptions::of(&config.tables, has_time64, range),
            dates: DateLimits { range, mode: config.tables.out_of_range },
            handling: config.handling,
            placeholder: config.unavailable_placeholder.clone(),
            low_cardinality: config.tables.low_cardinality(),
        })
    }

    /// Runs a statement. `what` names its purpose and its table.
    pub fn run(&self, what: &str, statement: &str) -> Result<(), ClickHouseError> {
        self.run_with(what, statement, &[])
    }

    /// The same with settings.
    pub fn run_with(
        &self,
        what: &str,
        statement: &str,
        settings: &[(&str, &str)],
    ) -> Result<(), ClickHouseError> {
        self.client.execute(Query::new(what, statement).with(settings)).map(|_| ())
    }
}

fn is_of_all(error: &ClickHouseError) -> bool {
    error.scope() == crate::sink::clickhouse::treatment::Scope::Server
}

/// What the connector says of the server.
pub fn settings(config: &SinkConfig) -> ClientSettings {
    ClientSettings {
        user: config.server.user.clone(),
        password: config.server.password.clone(),
        authorities: config.server.ssl_ca.clone(),
        connect_timeout: config.server.connect_timeout,
        request_timeout: config.server.request_timeout,
        ..ClientSettings::new(config.server.url.clone())
    }
}
