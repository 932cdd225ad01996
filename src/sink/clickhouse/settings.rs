//! How a server is reached: address, login, TLS, limits.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::config::source::Secret;
use crate::sink::clickhouse::error::ClickHouseError;

/// What all requests to one server have in common.
#[derive(Clone)]
pub struct ClientSettings {
    /// `http://host:8123` or `https://host:8443`, with a path where a proxy wants one. No login, no query.
    pub url: String,
    /// The login's name.
    pub user: String,
    /// Its password.
    pub password: Option<Secret>,
    /// Headers for something between us and the server: name and value. The values are secrets.
    pub headers: Vec<(String, Secret)>,
    /// PEM file of the trusted authorities; the operating system's where none is named.
    pub authorities: Option<PathBuf>,
    /// Whether the server's certificate is checked.
    pub verify: bool,
    /// For name resolution, TCP and TLS.
    pub connect_timeout: Duration,
    /// For one request, from the first byte to the last of the answer. The server is told a little less
    /// (`max_execution_time`), so that it ends what nobody waits for.
    pub request_timeout: Duration,
}

impl ClientSettings {
    /// The settings for a server without a password.
    pub fn new(url: impl Into<String>) -> Self {
        ClientSettings {
            url: url.into(),
            user: "default".to_owned(),
            password: None,
            headers: Vec::new(),
            authorities: None,
            verify: true,
            connect_timeout: Duration::from_secs(10),
            request_timeout: Duration::from_secs(300),
        }
    }

    /// The address without what follows host and port, for errors; checked.
    pub(super) fn endpoint(&self) -> Result<String, ClickHouseError> {
        let url = |reason| ClickHouseError::Url { reason };
        let (scheme, rest) = self.url.split_once("://").ok_or(url("it has no scheme"))?;
        if scheme != "http" && scheme != "https" {
            return Err(url("its scheme is neither http nor https"));
        }
        if rest.contains('@') {
            return Err(url("it holds a login, which belongs into user and password"));
        }
        if rest.contains(['?', '#']) {
            return Err(url("it has a query part"));
        }
        if rest.chars().any(|character| character.is_whitespace() || character.is_control()) {
            return Err(url("it has white space"));
        }
        let host = rest.split('/').next().unwrap_or_default();
        if host.is_empty() || host.starts_with(':') {
            return Err(url("it has no host"));
        }
        Ok(format!("{scheme}://{host}"))
    }
}

impl fmt::Debug for ClientSettings {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}@{}", self.user, self.endpoint().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for (url, wanted) in [
            ("http://ch:8123", Ok("http://ch:8123")),
            ("https://ch.example.com:8443/path/", Ok("https://ch.example.com:8443")),
            ("http://[::1]:8123", Ok("http://[::1]:8123")),
            ("ch:8123", Err("it has no scheme")),
            ("jdbc:ch://ch:8123", Err("its scheme is neither http nor https")),
            ("http://bob:secret@ch:8123", Err("it holds a login, which belongs into user and password")),
            ("http://ch/?database=x", Err("it has a query part")),
            ("http://:8123", Err("it has no host")),
            ("http://", Err("it has no host")),
            ("http://a b", Err("it has white space")),
        ] {
            match (ClientSettings::new(url).endpoint(), wanted) {
                (Ok(found), Ok(wanted)) => assert_eq!(found, wanted),
                (Err(ClickHouseError::Url { reason }), Err(wanted)) => assert_eq!(reason, wanted),
                (found, _) => panic!("{url}: {found:?}"),
            }
        }
    }

    #[test]
    fn a_password_is_not_printed() {
        let mut settings = ClientSettings::new("http://ch:8123");
        settings.password = Some(Secret::new("hidden"));
        settings.headers.push(("x-token".to_owned(), Secret::new("hidden")));
        assert_eq!(format!("{settings:?}"), "default@http://ch:8123");
    }
}
