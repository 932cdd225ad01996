//! Whose transactions are captured: `gtid.source.includes`, `gtid.source.excludes`.
//!
//! The expressions are matched against the UUID of a transaction's source, whole and without regard to case; a tag does
//! not count. As in Debezium the rows of other sources are passed over (unless `gtid.source.filter.dml.events=false`),
//! their statements are followed and published, and their transactions have their BEGIN and END. What the server has lost
//! or never had of other sources does not matter: it stops nothing.
//!
//! Debezium forgets the other sources' GTIDs at each restart and reads all that the server still has of them again. Here
//! the stored set keeps them.

use crate::config::error::ConfigError;
use crate::config::pattern::JavaPattern;
use crate::config::source::FilterConfig;
use crate::offset::gtid::{Gtid, Tsid};
use crate::source::filters::{any, compile};

/// The two lists, of which one may be given; by default all sources are captured.
#[derive(Clone, Debug, Default)]
pub struct GtidSources {
    include: Option<Vec<JavaPattern>>,
    exclude: Vec<JavaPattern>,
    filters_rows: bool,
    /// The last source that was asked for, and whether its rows are passed over.
    last: Option<([u8; 16], bool)>,
}

impl GtidSources {
    /// Compiles the lists. The error names the property and the expression.
    pub fn new(config: &FilterConfig) -> Result<Self, ConfigError> {
        let include = config.gtid_source_includes.as_deref();
        let exclude = config.gtid_source_excludes.as_deref();
        Ok(GtidSources {
            include: include.map(|list| compile("gtid.source.includes", list)).transpose()?,
            exclude: compile("gtid.source.excludes", exclude.unwrap_or_default())?,
            filters_rows: config.gtid_source_filters_rows,
            last: None,
        })
    }

    /// Whether every source is captured.
    pub fn are_all(&self) -> bool {
        self.include.is_none() && self.exclude.is_empty()
    }

    /// Whether the transactions of a source are captured.
    pub fn take(&self, source: &Tsid) -> bool {
        if self.are_all() {
            return true;
        }
        let uuid = source.uuid_text();
        match &self.include {
            Some(include) => any(include, &uuid),
            None => !any(&self.exclude, &uuid),
        }
    }

    /// Whether the rows of a transaction are passed over. One without a GTID is captured.
    pub fn pass_over_rows(&mut self, gtid: Option<&Gtid>) -> bool {
        let Some(gtid) = gtid.filter(|_| self.filters_rows && !self.are_all()) else { return false };
        match self.last {
            Some((uuid, passed_over)) if uuid == gtid.tsid.uuid => passed_over,
            _ => {
                let passed_over = !self.take(&gtid.tsid);
                self.last = Some((gtid.tsid.uuid, passed_over));
                passed_over
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "0a0a0a0a-71ca-11e1-9e33-c80aa9429562";
    const B: &str = "3e11fa47-71ca-11e1-9e33-c80aa9429562";

    #[test]
    fn sources_are_taken_by_uuid() {
        let list = |text: &str| Some(text.split(',').map(str::to_owned).collect());
        let include =
            |text: &str| FilterConfig { gtid_source_includes: list(text), ..FilterConfig::default() };
        let exclude =
            |text: &str| FilterConfig { gtid_source_excludes: list(text), ..FilterConfig::default() };
        for (config, takes_a, takes_b) in [
            (FilterConfig::default(), true, true),
            (include(A), true, false),
            (include(&A.to_uppercase()), true, false),
            (include("0a0a.*,3e11.*"), true, true),
            // Whole, not in part.
            (include("0a0a"), false, false),
            (exclude(A), false, true),
            (exclude(".*-11e1-.*"), false, false),
        ] {
            let config = FilterConfig { gtid_source_filters_rows: true, ..config };
            let mut sources = GtidSources::new(&config).unwrap();
            for (uuid, takes) in [(A, takes_a), (B, takes_b), (B, takes_b), (A, takes_a)] {
                let gtid: Gtid = format!("{uuid}:some_tag:7").parse().unwrap();
                assert_eq!(sources.take(&gtid.tsid), takes, "{config:?} {uuid}");
                assert_eq!(sources.pass_over_rows(Some(&gtid)), !takes, "{config:?} {uuid}");
            }
            assert!(!sources.pass_over_rows(None));
            let mut kept =
                GtidSources::new(&FilterConfig { gtid_source_filters_rows: false, ..config.clone() })
                    .unwrap();
            assert!(!kept.pass_over_rows(Some(&format!("{A}:1").parse().unwrap())));
        }
        assert!(GtidSources::new(&include("(")).is_err());
    }
}
