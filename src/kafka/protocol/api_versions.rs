//! ApiVersions: what a broker can be asked.

use crate::kafka::protocol::wire::{Malformed, Reader};
use crate::kafka::protocol::{Api, PRODUCE};

/// The ranges of versions that a broker knows.
#[derive(Clone, Debug, Default)]
pub struct ApiVersions {
    ranges: Vec<(i16, i16, i16)>,
}

impl ApiVersions {
    /// Reads the body of a response: error code, then `(key, oldest, newest)` each.
    pub fn read(body: &mut Reader<'_>) -> Result<(i16, Self), Malformed> {
        let error = body.i16()?;
        let mut ranges = Vec::new();
        for _ in 0..body.count()? {
            ranges.push((body.i16()?, body.i16()?, body.i16()?));
        }
        Ok((error, ApiVersions { ranges }))
    }

    /// The newest version that both sides speak.
    pub fn choose(&self, api: Api) -> Option<i16> {
        let (_, oldest, newest) = self.ranges.iter().find(|(key, _, _)| *key == api.key)?;
        let version = api.newest.min(*newest);
        (version >= api.oldest && version >= *oldest).then_some(version)
    }

    /// The version of Produce; connections are only made to brokers that have one.
    pub fn produce(&self) -> i16 {
        self.choose(PRODUCE).unwrap_or(PRODUCE.oldest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kafka::protocol::METADATA;

    #[test]
    fn the_newest_common_version_is_chosen() {
        // Kafka 2.1's range of Produce, a made-up range of Metadata.
        let body = b"\0\0\0\0\0\x02\0\0\0\0\0\x07\0\x03\0\x09\0\x0d";
        let (error, versions) = ApiVersions::read(&mut Reader::new(body)).unwrap();
        assert_eq!((error, versions.choose(PRODUCE), versions.choose(METADATA)), (0, Some(7), None));
    }
}
