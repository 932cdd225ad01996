//! MariaDB's GTIDs: `domain-server-sequence`. Within a domain the sequence rises, so that a position is one GTID a
//! domain and server, not a set of intervals. Manual: "Global Transaction ID" (MariaDB).

use std::fmt;
use std::str::FromStr;

use crate::offset::gtid::GtidError;

/// One transaction of a MariaDB server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MariaDbGtid {
    /// The replication domain.
    pub domain: u32,
    /// The server that wrote it first.
    pub server: u32,
    /// Its number in the domain.
    pub sequence: u64,
}

impl fmt::Display for MariaDbGtid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.domain, self.server, self.sequence)
    }
}

impl FromStr for MariaDbGtid {
    type Err = GtidError;

    fn from_str(text: &str) -> Result<Self, GtidError> {
        let invalid = || GtidError::syntax("mariadb gtid", text);
        let mut parts = text.trim().split('-');
        let mut next = || {
            let part = parts.next().filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
            part.ok_or_else(invalid)
        };
        let (domain, server, sequence) = (next()?, next()?, next()?);
        if parts.next().is_some() {
            return Err(invalid());
        }
        Ok(MariaDbGtid {
            domain: domain.parse().map_err(|_| invalid())?,
            server: server.parse().map_err(|_| invalid())?,
            sequence: sequence.parse().map_err(|_| invalid())?,
        })
    }
}

/// The last GTID of each domain and server, in the order of their arrival, as `gtid_binlog_state` prints it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MariaDbGtidList {
    gtids: Vec<MariaDbGtid>,
}

impl MariaDbGtidList {
    /// The GTIDs.
    pub fn gtids(&self) -> &[MariaDbGtid] {
        &self.gtids
    }

    /// Puts a GTID in place of the former one of its domain and server.
    pub fn update(&mut self, gtid: MariaDbGtid) {
        let same = |known: &&mut MariaDbGtid| (known.domain, known.server) == (gtid.domain, gtid.server);
        match self.gtids.iter_mut().find(same) {
            Some(known) => *known = gtid,
            None => self.gtids.push(gtid),
        }
    }

    /// Whether a transaction came no later than the last of its domain, whichever server wrote that.
    pub fn contains(&self, gtid: &MariaDbGtid) -> bool {
        self.gtids.iter().any(|known| known.domain == gtid.domain && known.sequence >= gtid.sequence)
    }

    /// Whether every GTID of it is in another list.
    pub fn is_subset(&self, of: &MariaDbGtidList) -> bool {
        self.gtids.iter().all(|gtid| of.contains(gtid))
    }
}

impl FromStr for MariaDbGtidList {
    type Err = GtidError;

    fn from_str(text: &str) -> Result<Self, GtidError> {
        let mut list = MariaDbGtidList::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            list.update(part.parse()?);
        }
        Ok(list)
    }
}

impl fmt::Display for MariaDbGtidList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, gtid) in self.gtids.iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            gtid.fmt(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_keyed_by_domain_and_server() {
        let mut list: MariaDbGtidList = "0-1-100, 1-1-3".parse().unwrap();
        list.update("0-1-101".parse().unwrap());
        list.update("0-2-102".parse().unwrap());
        assert_eq!(list.to_string(), "0-1-101,1-1-3,0-2-102");
        assert!(list.contains(&"0-7-102".parse().unwrap()) && !list.contains(&"1-1-4".parse().unwrap()));
        assert!("1-1-2".parse::<MariaDbGtidList>().unwrap().is_subset(&list));
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "0-1", "0-1-2-3", "a-1-2", "0--2", "4294967296-1-1", "+1-1-1"] {
            assert!(text.parse::<MariaDbGtid>().is_err(), "{text}");
        }
    }
}
