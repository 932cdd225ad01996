//! One ClickHouse server over HTTP.
//!
//! Every request is a POST (a GET may not change anything), with the login in `X-ClickHouse-User` and `X-ClickHouse-Key`, the
//! settings of the query as parameters of the address, and an id of ours, by which it is found in `system.processes` and
//! `system.query_log`. The statement is the body; that of an insert is a parameter, and its rows are the body. Connections
//! are kept for the next request for less long than the server keeps them (`keep_alive_timeout`, 30 s), so that a request is
//! not lost to a connection that is being closed.
//!
//! An answer is a success only when its status is 200 and no exception follows what was sent
//! ([`ServerException::of_answer`]). Nothing is repeated here: who knows the token of an insert decides that.

use std::io::Read;
use std::time::Duration;

use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig};
use ureq::{Agent, Body, http};
use uuid::Uuid;

use crate::sink::clickhouse::error::ClickHouseError;
use crate::sink::clickhouse::exception::ServerException;
use crate::sink::clickhouse::settings::ClientSettings;
use crate::sink::clickhouse::summary::Summary;

/// Below the server's `keep_alive_timeout`: 30 s, and 10 s before 23.11, 3 s long before.
const IDLE: Duration = Duration::from_secs(8);
/// No answer that we ask for comes near it; the columns of ten thousand wide tables are a few megabytes.
const LARGEST_ANSWER: u64 = 256 << 20;

/// A client of one server; cheap to clone, with connections for as many threads as use it.
#[derive(Clone, Debug)]
pub struct Client {
    agent: Agent,
    settings: ClientSettings,
    endpoint: String,
}

/// A statement and what goes with it.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The purpose for errors and the server's log, with the table: `insert into shop.orders`.
    pub what: &'a str,
    /// The statement, without values.
    pub sql: &'a str,
    /// Settings, and parameters as `param_name`; later ones replace earlier ones of the same name.
    pub settings: &'a [(&'a str, &'a str)],
    /// Before a random part in the query's id, so that the queries of one owner are found (and ended) together.
    pub id_prefix: &'a str,
}

impl<'a> Query<'a> {
    /// A statement without settings.
    pub const fn new(what: &'a str, sql: &'a str) -> Self {
        Query { what, sql, settings: &[], id_prefix: "tidewire" }
    }

    /// The same with settings.
    #[must_use]
    pub const fn with(self, settings: &'a [(&'a str, &'a str)]) -> Self {
        Query { settings, ..self }
    }
}

/// The rows of an insert, in the form that its statement names.
#[derive(Clone, Copy, Debug)]
pub struct InsertBody<'a> {
    /// The body as it is sent.
    pub bytes: &'a [u8],
    /// `Content-Encoding`.
    pub content_encoding: Option<&'a str>,
}

/// A successful answer.
#[derive(Debug)]
pub struct Answer {
    /// The output in the format of the statement.
    pub body: Vec<u8>,
    /// Its figures.
    pub summary: Summary,
    /// Under which the server knows the query.
    pub query_id: String,
}

impl Client {
    /// Checks the settings and reads the certificates; connects to nothing.
    pub fn new(settings: ClientSettings) -> Result<Self, ClickHouseError> {
        let endpoint = settings.endpoint()?;
        let tls = TlsConfig::builder()
            .root_certs(root_certificates(&settings)?)
            .disable_verification(!settings.verify);
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // A server never sends us elsewhere; the login must not follow.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .user_agent(concat!("tidewire/", env!("CARGO_PKG_VERSION")))
            .tls_config(tls.build())
            .timeout_connect(Some(settings.connect_timeout))
            .timeout_global(Some(settings.request_timeout))
            .max_idle_age(IDLE)
            .output_buffer_size(256 << 10)
            .build();
        Ok(Client { agent: config.new_agent(), settings, endpoint })
    }

    /// Scheme, host and port.
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// Runs a statement and reads all its output.
    pub fn execute(&self, query: Query<'_>) -> Result<Answer, ClickHouseError> {
        self.request(query, None, InsertBody { bytes: query.sql.as_bytes(), content_encoding: None })
    }

    /// Runs a SELECT with `FORMAT JSONCompactEachRow` and reads a value of `T`, a tuple of the columns, from each row. 64-bit
    /// numbers come as numbers.
    pub fn rows<T: serde::de::DeserializeOwned>(&self, query: Query<'_>) -> Result<Vec<T>, ClickHouseError> {
        let mut settings =
            vec![("default_format", "JSONCompactEachRow"), ("output_format_json_quote_64bit_integers", "0")];
        settings.extend_from_slice(query.settings);
        let answer = self.execute(Query { settings: &settings, ..query })?;
        answer
            .body
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| {
                serde_json::from_slice(line).map_err(|source| ClickHouseError::Answer {
                    what: query.what.to_owned(),
                    endpoint: self.endpoint.clone(),
                    source,
                })
            })
            .collect()
    }

    /// Runs an insert whose statement ends with `FORMAT …`; returns when the server has stored the rows.
    pub fn insert(&self, query: Query<'_>, body: InsertBody<'_>) -> Result<Answer, ClickHouseError> {
        self.request(query, Some(query.sql), body)
    }

    fn request(
        &self,
        query: Query<'_>,
        statement: Option<&str>,
        body: InsertBody<'_>,
    ) -> Result<Answer, ClickHouseError> {
        let query_id = format!("{}-{}", query.id_prefix, Uuid::new_v4());
        let header = |name: &str| ClickHouseError::Header { name: name.to_owned() };
        let mut request = self
            .agent
            .post(&self.settings.url)
            .header("X-ClickHouse-User", value(&self.settings.user).ok_or_else(|| header("the user"))?);
        if let Some(password) = &self.settings.password {
            let password = value(password.reveal()).ok_or_else(|| header("the password"))?;
            request = request.header("X-ClickHouse-Key", password);
        }
        for (name, secret) in &self.settings.headers {
            let name_value = http::HeaderName::from_bytes(name.as_bytes()).map_err(|_| header(name))?;
            request = request.header(name_value, value(secret.reveal()).ok_or_else(|| header(name))?);
        }
        if let Some(encoding) = body.content_encoding {
            request = request.header("Content-Encoding", encoding);
        }
        let limit = self.settings.request_timeout.as_secs().saturating_sub(1).max(1).to_string();
        let ours = [
            ("query_id", query_id.as_str()),
            ("wait_end_of_query", "1"),
            ("max_execution_time", limit.as_str()),
        ];
        let all = || ours.iter().chain(query.settings);
        for (at, (name, setting)) in all().enumerate() {
            if !all().skip(at + 1).any(|(later, _)| later == name) {
                request = request.query(name, setting);
            }
        }
        if let Some(statement) = statement {
            request = request.query("query", statement);
        }
        let response =
            request.send(body.bytes).map_err(|error| self.failure(query.what, &query_id, error))?;
        self.answer(query.what, query_id, response)
    }

    fn answer(
        &self,
        what: &str,
        query_id: String,
        response: http::Response<Body>,
    ) -> Result<Answer, ClickHouseError> {
        let status = response.status().as_u16();
        let header = |name: &str| {
            response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
        };
        let code = header("X-ClickHouse-Exception-Code");
        let tag = header("X-ClickHouse-Exception-Tag");
        let summary = header("X-ClickHouse-Summary").map(|text| Summary::parse(&text)).unwrap_or_default();
        // Whoever answers without it is something else.
        let ours =
            header("X-ClickHouse-Query-Id").is_some() || header("X-ClickHouse-Server-Display-Name").is_some();
        let mut body = Vec::new();
        let read = response
            .into_body()
            .into_with_config()
            .limit(LARGEST_ANSWER)
            .reader()
            .read_to_end(&mut body)
            .map_err(ureq::Error::from);
        // A server that fails after the first byte may also break off, with its words at the end.
        if let Some(source) = ServerException::of_answer(status, code.as_deref(), tag.as_deref(), &body) {
            let (what, endpoint) = (what.to_owned(), self.endpoint.clone());
            return Err(ClickHouseError::Exception { what, endpoint, query_id, source });
        }
        if status != 200 || !ours {
            let (what, endpoint) = (what.to_owned(), self.endpoint.clone());
            return Err(ClickHouseError::NotClickHouse { what, endpoint, status });
        }
        read.map_err(|error| self.failure(what, &query_id, error))?;
        Ok(Answer { body, summary, query_id })
    }

    fn failure(&self, what: &str, query_id: &str, error: ureq::Error) -> ClickHouseError {
        let (what, endpoint) = (what.to_owned(), self.endpoint.clone());
        match error {
            ureq::Error::Timeout(ureq::Timeout::Connect | ureq::Timeout::Resolve) => {
                ClickHouseError::Connection { what, endpoint, source: Box::new(error) }
            }
            ureq::Error::Timeout(_) => {
                let seconds = self.settings.request_timeout.as_secs();
                ClickHouseError::Timeout { what, endpoint, seconds, query_id: query_id.to_owned() }
            }
            ureq::Error::BodyExceedsLimit(limit) => ClickHouseError::AnswerTooLarge { what, endpoint, limit },
            ureq::Error::Tls(_) | ureq::Error::Rustls(_) => {
                ClickHouseError::Tls { what, endpoint, source: Box::new(error) }
            }
            ureq::Error::BadUri(_) => ClickHouseError::Url { reason: "it cannot be read" },
            // A certificate that is refused comes as an error of the stream.
            ureq::Error::Io(ref io) if io.kind() == std::io::ErrorKind::InvalidData => {
                ClickHouseError::Tls { what, endpoint, source: Box::new(error) }
            }
            error => ClickHouseError::Connection { what, endpoint, source: Box::new(error) },
        }
    }
}

/// A header's value that is not printed; what is not ASCII goes as UTF-8, as a server has it.
fn value(text: &str) -> Option<http::HeaderValue> {
    let mut value = http::HeaderValue::from_bytes(text.as_bytes()).ok()?;
    value.set_sensitive(true);
    Some(value)
}

fn root_certificates(settings: &ClientSettings) -> Result<RootCerts, ClickHouseError> {
    let Some(path) = &settings.authorities else {
        let found = rustls_native_certs::load_native_certs().certs;
        let certificates: Vec<_> = found.iter().map(|der| Certificate::from_der(der).to_owned()).collect();
        return Ok(RootCerts::new_with_certs(&certificates));
    };
    let unreadable = |reason: String| ClickHouseError::Certificates { path: path.clone(), reason };
    let pem = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
    let mut certificates = Vec::new();
    for item in ureq::tls::parse_pem(&pem) {
        if let PemItem::Certificate(certificate) = item.map_err(|error| unreadable(error.to_string()))? {
            certificates.push(certificate);
        }
    }
    if certificates.is_empty() {
        return Err(unreadable("it holds no certificate in PEM form".to_owned()));
    }
    Ok(RootCerts::new_with_certs(&certificates))
}
