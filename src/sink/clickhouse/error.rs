//! What can go wrong between us and a ClickHouse server.

use std::path::PathBuf;

use crate::error::{Classify, ErrorClass};
use crate::sink::clickhouse::exception::ServerException;
use crate::sink::clickhouse::treatment::{Scope, Treatment};

/// An error of the client. `what` is the purpose of the query, with its table: `insert into shop.orders`.
#[derive(Debug, thiserror::Error)]
pub enum ClickHouseError {
    /// The address cannot be used.
    #[error("the url of clickhouse cannot be used: {reason}")]
    Url {
        /// What is wrong with it; it may hold a password and is not repeated.
        reason: &'static str,
    },
    /// A header or a setting has characters that HTTP does not carry.
    #[error("{name} cannot be sent to clickhouse as an http header")]
    Header {
        /// Its name.
        name: String,
    },
    /// The trusted authorities cannot be read.
    #[error("certificates of {path} cannot be read: {reason}")]
    Certificates {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The body of an insert could not be compressed.
    #[error("{what}: the body could not be compressed")]
    Compression {
        /// The purpose.
        what: String,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
    /// No connection, or one that broke. Whether an insert was done is not known.
    #[error("{what}: no answer from clickhouse at {endpoint}")]
    Connection {
        /// The purpose.
        what: String,
        /// Scheme, host and port.
        endpoint: String,
        /// The cause.
        #[source]
        source: Box<ureq::Error>,
    },
    /// The server's certificate was not accepted, or TLS failed otherwise.
    #[error("{what}: tls with clickhouse at {endpoint} failed")]
    Tls {
        /// The purpose.
        what: String,
        /// Scheme, host and port.
        endpoint: String,
        /// The cause.
        #[source]
        source: Box<ureq::Error>,
    },
    /// The answer took too long. Whether an insert was done is not known.
    #[error("{what}: clickhouse at {endpoint} did not answer within {seconds} s (query {query_id})")]
    Timeout {
        /// The purpose.
        what: String,
        /// Scheme, host and port.
        endpoint: String,
        /// The limit.
        seconds: u64,
        /// Under which the server knows the query.
        query_id: String,
    },
    /// The server refused or failed.
    #[error("{what}: clickhouse at {endpoint} failed (query {query_id})")]
    Exception {
        /// The purpose.
        what: String,
        /// Scheme, host and port.
        endpoint: String,
        /// Under which the server knows the query.
        query_id: String,
        /// Its words.
        #[source]
        source: ServerException,
    },
    /// Something between us and the server answered, or the address is not ClickHouse's.
    #[error("{what}: {endpoint} answered with http status {status} and no clickhouse exception")]
    NotClickHouse {
        /// The purpose.
        what: String,
        /// Scheme, host and port.
        endpoint: String,
        /// The status.
        status: u16,
    },
    /// An answer is larger than any that we ask for.
    #[error("{what}: the answer of clickhouse at {endpoint} has more than {limit} bytes")]
    AnswerTooLarge {
        /// The purpose.
        what: String,
        /// Scheme, host and port.
        endpoint: String,
        /// The limit.
        limit: u64,
    },
    /// An answer that does not have the form that was asked for.
    #[error("{what}: the answer of clickhouse at {endpoint} cannot be read")]
    Answer {
        /// The purpose.
        what: String,
        /// Scheme, host and port.
        endpoint: String,
        /// The cause.
        #[source]
        source: serde_json::Error,
    },
}

impl ClickHouseError {
    /// The server's exception, if that is what it is.
    pub fn exception(&self) -> Option<&ServerException> {
        match self {
            ClickHouseError::Exception { source, .. } => Some(source),
            _ => None,
        }
    }

    /// Whom it concerns.
    pub fn scope(&self) -> Scope {
        match self {
            ClickHouseError::Exception { source, .. } => treatment(source).scope,
            ClickHouseError::AnswerTooLarge { .. }
            | ClickHouseError::Answer { .. }
            | ClickHouseError::Compression { .. } => Scope::Table,
            _ => Scope::Server,
        }
    }

    /// Whether an insert that ended with this may have been done. It is repeated with the same token, so that the server
    /// drops what it has.
    pub fn outcome_unknown(&self) -> bool {
        match self {
            ClickHouseError::Connection { .. } | ClickHouseError::Timeout { .. } => true,
            // A gateway gives up on a server that goes on.
            ClickHouseError::NotClickHouse { status, .. } => *status >= 500,
            ClickHouseError::Exception { source, .. } => {
                matches!(source.code, None | Some(3 | 159 | 209 | 210 | 236 | 319 | 394 | 425 | 999))
            }
            _ => false,
        }
    }
}

fn treatment(exception: &ServerException) -> Treatment {
    match exception.code {
        Some(code) => Treatment::of(code, &exception.text),
        None => Treatment { scope: Scope::Table, class: ErrorClass::Fatal, remedy: "see the server's log" },
    }
}

impl Classify for ClickHouseError {
    fn class(&self) -> ErrorClass {
        match self {
            ClickHouseError::Connection { .. } | ClickHouseError::Timeout { .. } => ErrorClass::Retriable,
            ClickHouseError::Exception { source, .. } => treatment(source).class,
            // A gateway without its server, or one that slows us down.
            ClickHouseError::NotClickHouse { status, .. } if *status >= 500 || *status == 429 => {
                ErrorClass::Retriable
            }
            _ => ErrorClass::Fatal,
        }
    }

    fn remedy(&self) -> Option<String> {
        let text = match self {
            ClickHouseError::Url { .. } => "write it as http://host:8123 or https://host:8443",
            ClickHouseError::Header { .. } => "leave out line breaks and other control characters",
            ClickHouseError::Certificates { .. } => "name a file with certificates in PEM form",
            ClickHouseError::Connection { .. } => {
                "check that the server runs and that its http port can be reached from here"
            }
            ClickHouseError::Tls { .. } => {
                "name the authority that signed the server's certificate, and its host as it is in there"
            }
            ClickHouseError::Timeout { .. } => {
                "see system.processes on the server; raise the timeout or insert less at once"
            }
            ClickHouseError::Exception { source, .. } => treatment(source).remedy,
            ClickHouseError::NotClickHouse { .. } => {
                "check that the url is that of clickhouse's http interface, and what stands in between"
            }
            ClickHouseError::AnswerTooLarge { .. }
            | ClickHouseError::Answer { .. }
            | ClickHouseError::Compression { .. } => return None,
        };
        Some(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exception(body: &str) -> ClickHouseError {
        ClickHouseError::Exception {
            what: "insert into shop.orders".to_owned(),
            endpoint: "http://ch:8123".to_owned(),
            query_id: "q-1".to_owned(),
            source: ServerException::of_answer(500, None, None, body.as_bytes()).expect("an exception"),
        }
    }

    #[test]
    fn class_scope_and_remedy_follow_the_code() {
        let error =
            exception("Code: 252. DB::Exception: Too many parts (3000). Merges are slower. (TOO_MANY_PARTS)");
        assert_eq!(
            (error.class(), error.scope(), error.outcome_unknown()),
            (ErrorClass::Retriable, Scope::Table, false)
        );
        assert!(error.remedy().expect("a remedy").starts_with("insert larger batches"));
        assert_eq!(
            crate::error::chain(&error),
            "insert into shop.orders: clickhouse at http://ch:8123 failed (query q-1): code 252 TOO_MANY_PARTS, \
             Too many parts (3000). Merges are slower"
        );
        let error = exception("Code: 319. DB::Exception: Unknown status. (UNKNOWN_STATUS_OF_INSERT)");
        assert!(error.outcome_unknown() && error.class() == ErrorClass::Retriable);
        let error = exception("Code: 407. DB::Exception: secret 77. (DECIMAL_OVERFLOW)");
        assert_eq!((error.class(), error.scope()), (ErrorClass::Fatal, Scope::Rows));
        assert!(!crate::error::chain(&error).contains("77"));
    }
}
