//! The log: lines on standard error, as text or as JSON.
//!
//! A line is time (RFC 3339, UTC, microseconds), level, target, a lower-case fragment, and fields. Standard output is
//! left to records. What is logged is chosen by the environment variable `TIDEWIRE_LOG`, in the syntax of
//! `RUST_LOG` (`info`, `tidewire=debug,warn`); without it, `info`. Colours appear on a terminal only and not where
//! `NO_COLOR` is set (<https://no-color.org>).

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::util::SubscriberInitExt;

use crate::error::{Classify, ErrorClass};

/// The environment variable that chooses what is logged.
pub const LOG_VARIABLE: &str = "TIDEWIRE_LOG";

/// `tidewire.log.format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line: `timestamp`, `level`, `target`, `message` and the fields beside them.
    Json,
}

/// Why there is no log.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The environment variable does not parse.
    #[error("environment variable {LOG_VARIABLE} is no log filter")]
    Filter(#[source] tracing_subscriber::filter::ParseError),
    /// The process has a log already.
    #[error("the log is set up already")]
    Twice(#[source] tracing_subscriber::util::TryInitError),
}

impl Classify for TelemetryError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Fatal
    }

    fn remedy(&self) -> Option<String> {
        match self {
            TelemetryError::Filter(_) => Some(format!("set {LOG_VARIABLE} to a level or to target=level,…")),
            TelemetryError::Twice(_) => None,
        }
    }
}

/// Sets up the log of the process, once.
pub fn init(format: LogFormat) -> Result<(), TelemetryError> {
    let directives = std::env::var(LOG_VARIABLE).unwrap_or_default();
    let colours =
        std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|text| text.is_empty());
    let dispatch = subscriber(format, &directives, colours, std::io::stderr)?;
    dispatch.try_init().map_err(TelemetryError::Twice)
}

/// The subscriber of a format and a filter, writing to `writer`.
fn subscriber<W>(
    format: LogFormat,
    directives: &str,
    colours: bool,
    writer: W,
) -> Result<tracing::Dispatch, TelemetryError>
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let directives = if directives.trim().is_empty() { "info" } else { directives };
    let filter = EnvFilter::try_new(directives).map_err(TelemetryError::Filter)?;
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(writer).with_ansi(colours);
    Ok(match format {
        LogFormat::Text => tracing::Dispatch::new(builder.finish()),
        LogFormat::Json => tracing::Dispatch::new(
            builder.json().flatten_event(true).with_current_span(true).with_span_list(false).finish(),
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("not poisoned").write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn logged(format: LogFormat, directives: &str) -> String {
        let lines = Lines::default();
        let writer = lines.clone();
        let dispatch = subscriber(format, directives, false, move || writer.clone()).expect("a valid filter");
        tracing::dispatcher::with_default(&dispatch, || {
            tracing::debug!("not wanted");
            tracing::info!(binlog_file = "binlog.000001", binlog_pos = 4, "resumed");
        });
        let bytes = lines.0.lock().expect("not poisoned").clone();
        String::from_utf8(bytes).expect("text")
    }

    #[test]
    fn text_and_json() {
        let text = logged(LogFormat::Text, "");
        let (time, rest) = text.split_once(' ').expect("time first");
        assert_eq!((time.len(), time.ends_with('Z')), ("2026-01-02T03:04:05.678901Z".len(), true), "{text}");
        assert_eq!(
            rest,
            " INFO tidewire::telemetry::logging::tests: resumed binlog_file=\"binlog.000001\" binlog_pos=4\n"
        );
        let line: serde_json::Value =
            serde_json::from_str(&logged(LogFormat::Json, "info")).expect("one object");
        assert_eq!(line["message"], "resumed");
        assert_eq!(line["binlog_pos"], 4);
        assert_eq!(line["level"], "INFO");
    }

    #[test]
    fn the_filter_chooses() {
        assert_eq!(logged(LogFormat::Text, "error"), "");
        assert_eq!(logged(LogFormat::Text, "tidewire=debug").lines().count(), 2);
        let refused =
            subscriber(LogFormat::Text, "tidewire=loud", false, std::io::stderr).expect_err("no level");
        assert_eq!(refused.to_string(), "environment variable TIDEWIRE_LOG is no log filter");
    }
}
