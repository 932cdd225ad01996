//! Metadata: brokers, topics, and who leads which partition.

use crate::kafka::protocol::wire::{Malformed, Reader, put_count, put_string};

/// A broker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokerMetadata {
    /// `node.id`.
    pub id: i32,
    /// Its advertised host.
    pub host: String,
    /// Its advertised port.
    pub port: u16,
}

/// A topic that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicMetadata {
    /// Its name.
    pub name: String,
    /// 0, or why it cannot be used.
    pub error: i16,
    /// Index and leader (-1 while there is none) of every partition.
    pub leaders: Vec<(i32, i32)>,
}

/// The state of a cluster, for the topics that were asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClusterMetadata {
    /// All brokers that are up.
    pub brokers: Vec<BrokerMetadata>,
    /// The topics.
    pub topics: Vec<TopicMetadata>,
}

/// Appends the body of a request for some topics. A broker that creates topics by itself may do so.
pub fn put_request<'a>(out: &mut Vec<u8>, topics: impl ExactSizeIterator<Item = &'a str>) {
    put_count(out, topics.len());
    topics.for_each(|topic| put_string(out, topic));
    out.push(1);
}

/// Reads the body of a response.
pub fn read_response(body: &mut Reader<'_>) -> Result<ClusterMetadata, Malformed> {
    let mut metadata = ClusterMetadata::default();
    body.i32()?; // throttle time, ms
    for _ in 0..body.count()? {
        let id = body.i32()?;
        let host = body.string()?.to_owned();
        let port = u16::try_from(body.i32()?).map_err(|_| body.malformed())?;
        body.nullable_string()?; // rack
        metadata.brokers.push(BrokerMetadata { id, host, port });
    }
    body.nullable_string()?; // cluster
    body.i32()?; // controller
    for _ in 0..body.count()? {
        let error = body.i16()?;
        let name = body.string()?.to_owned();
        body.i8()?; // internal
        let mut leaders = Vec::new();
        for _ in 0..body.count()? {
            body.i16()?; // its error is told by the missing leader
            leaders.push((body.i32()?, body.i32()?));
            for _ in 0..2 {
                // replicas, replicas in sync
                for _ in 0..body.count()? {
                    body.i32()?;
                }
            }
        }
        metadata.topics.push(TopicMetadata { name, error, leaders });
    }
    Ok(metadata)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brokers_and_leaders_are_read() {
        let mut body = Vec::new();
        body.extend_from_slice(b"\0\0\0\0");
        body.extend_from_slice(b"\0\0\0\x01\0\0\0\x05\0\x01h\0\0\x23\x84\xff\xff");
        body.extend_from_slice(b"\0\x01c\0\0\0\x05");
        body.extend_from_slice(b"\0\0\0\x01\0\0\0\x01t\0\0\0\0\x02");
        body.extend_from_slice(b"\0\0\0\0\0\0\0\0\0\x05\0\0\0\x01\0\0\0\x05\0\0\0\x01\0\0\0\x05");
        body.extend_from_slice(b"\0\x05\0\0\0\x01\xff\xff\xff\xff\0\0\0\0\0\0\0\0");
        let metadata = read_response(&mut Reader::new(&body)).unwrap();
        assert_eq!(metadata.brokers, [BrokerMetadata { id: 5, host: "h".to_owned(), port: 9092 }]);
        let topic = TopicMetadata { name: "t".to_owned(), error: 0, leaders: vec![(0, 5), (1, -1)] };
        assert_eq!(metadata.topics, [topic]);
        for length in 0..body.len() {
            assert!(read_response(&mut Reader::new(&body[..length])).is_err(), "{length}");
        }
    }
}
