//! Metadata of one topic with its id: the same name made again has another one (KIP-516, brokers from 2.8 on).

use crate::kafka::protocol::flexible::{NO_TAGS, length, put_length, skip_tags};
use crate::kafka::protocol::wire::{Malformed, Reader};

/// A topic's life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicId {
    /// 0, or why the topic cannot be used.
    pub error: i16,
    /// The id of the cluster; empty where it has none.
    pub cluster: String,
    /// The topic's id; all zeros where it has none.
    pub id: [u8; 16],
    /// Partitions.
    pub partitions: usize,
}

/// Appends what is left of the header, and the body of a request for one topic, which is not made by it.
pub fn put_request(out: &mut Vec<u8>, topic: &str) {
    out.push(NO_TAGS);
    put_length(out, 1);
    out.extend_from_slice(&[0; 16]); // asked for by name
    put_length(out, topic.len());
    out.extend_from_slice(topic.as_bytes());
    out.push(NO_TAGS);
    out.extend_from_slice(&[0, 0, 0]); // make no topic; tell no authorized operations of cluster and topic
    out.push(NO_TAGS);
}

/// Reads what is left of the header, and a response for one topic up to the number of its partitions.
pub fn read_response(body: &mut Reader<'_>) -> Result<TopicId, Malformed> {
    skip_tags(body)?;
    body.i32()?; // throttle time, ms
    for _ in 0..length(body)? {
        body.i32()?; // id
        text(body)?; // host
        body.i32()?; // port
        text(body)?; // rack
        skip_tags(body)?;
    }
    let cluster = text(body)?;
    body.i32()?; // controller
    if length(body)? != 1 {
        return Err(body.malformed());
    }
    let error = body.i16()?;
    text(body)?; // its name
    let mut id = [0; 16];
    for (place, byte) in id.iter_mut().zip(body.take(16)?) {
        *place = *byte;
    }
    body.i8()?; // internal
    Ok(TopicId { error, cluster, id, partitions: length(body)? })
}

fn text(body: &mut Reader<'_>) -> Result<String, Malformed> {
    let length = length(body)?;
    let bytes = body.take(length)?;
    Ok(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the layout of version 10 in the protocol's documentation.
    #[test]
    fn a_topic_and_its_id() {
        let mut request = Vec::new();
        put_request(&mut request, "t");
        let wanted: &[&[u8]] = &[&[0, 2], &[0; 16], b"\x02t", &[0], &[0, 0, 0], &[0]];
        assert_eq!(request, wanted.concat());
        let broker = b"\0\0\0\x01\x02h\0\0\x23\x84\0\0";
        let mut answer = [&[0][..], &[0; 4], &[2], broker, b"\x02c", &[0, 0, 0, 1], &[2]].concat();
        answer.extend_from_slice(&[0, 0, 2, b't']);
        answer.extend_from_slice(&[7; 16]);
        answer.extend_from_slice(&[0, 4]);
        let wanted = TopicId { error: 0, cluster: "c".to_owned(), id: [7; 16], partitions: 3 };
        assert_eq!(read_response(&mut Reader::new(&answer)), Ok(wanted));
        for length in 0..answer.len() {
            assert!(read_response(&mut Reader::new(&answer[..length])).is_err(), "{length}");
        }
    }
}
