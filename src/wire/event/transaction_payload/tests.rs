use super::*;

/// A STOP event of 19 bytes, and a ROWS_QUERY event with a long text.
fn events(text: usize) -> Vec<u8> {
    let mut bytes = vec![0, 0, 0, 0, 3, 1, 0, 0, 0, 19, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    bytes.extend([0, 0, 0, 0, 29, 1, 0, 0, 0]);
    bytes.extend((20 + text as u32).to_le_bytes());
    bytes.extend([0; 7]);
    bytes.extend(vec![b'x'; text]);
    bytes
}

fn event(compression: u8, uncompressed: u32, payload: &[u8]) -> Vec<u8> {
    // 255 does not fit into the first byte of a length-encoded integer.
    let mut body = if compression < 251 { vec![2, 1, compression] } else { vec![2, 3, 0xfc, compression, 0] };
    body.extend([3, 4, 0xfd]);
    body.extend(&uncompressed.to_le_bytes()[..3]);
    body.extend([1, 4, 0xfd]);
    body.extend(&(payload.len() as u32).to_le_bytes()[..3]);
    body.push(0);
    body.extend(payload);
    body
}

fn sizes(body: &[u8], cap: usize) -> Result<Vec<usize>, WireError> {
    let event = TransactionPayloadEvent::read(Reader::new(body))?;
    let mut context = PayloadContext::new();
    let mut frames = event.frames(&mut context, cap)?;
    let (mut frame, mut sizes) = (Vec::new(), Vec::new());
    while frames.next_frame(&mut frame)? {
        sizes.push(frame.len());
    }
    Ok(sizes)
}

#[test]
fn events_come_one_at_a_time() {
    let plain = events(300_000);
    let packed = zstd::encode_all(&plain[..], 3).unwrap();
    let size = plain.len() as u32;
    assert_eq!(sizes(&event(255, size, &plain), 1 << 20).unwrap(), [19, 300_020]);
    assert_eq!(sizes(&event(0, size, &packed), 1 << 20).unwrap(), [19, 300_020]);
    // Two zstd frames one behind the other are one stream.
    let (first, second) = plain.split_at(100);
    let two = [zstd::encode_all(first, 3).unwrap(), zstd::encode_all(second, 3).unwrap()].concat();
    assert_eq!(sizes(&event(0, size, &two), 1 << 20).unwrap(), [19, 300_020]);
}

#[test]
fn faults_are_named() {
    let plain = events(1000);
    let packed = zstd::encode_all(&plain[..], 3).unwrap();
    let size = plain.len() as u32;
    let error = |body: &[u8], cap| sizes(body, cap).unwrap_err().to_string();
    assert_eq!(error(&event(0, size, &packed), 1019), "event of 1020 bytes exceeds the limit of 1019 bytes");
    assert_eq!(
        error(&event(0, size, &packed[..packed.len() - 5]), 2000),
        "cannot decompress transaction payload"
    );
    assert_eq!(
        error(&event(255, size, &plain[..1000]), 2000),
        "truncated event in transaction payload: 1020 bytes wanted, 981 left"
    );
    let other = "invalid transaction payload event: the events are not as long as the event states";
    assert_eq!(error(&event(0, size + 1, &packed), 2000), other);
    let mut longer = event(0, size, &packed);
    longer.push(0);
    assert_eq!(error(&longer, 2000), "invalid transaction payload event: bytes behind the payload");
    assert!(error(&event(7, size, &packed), 2000).contains("neither zstd nor none"));
}

/// A context that was left in the middle of a payload serves the next one.
#[test]
fn a_context_is_reused() {
    let plain = events(300_000);
    let body = event(0, plain.len() as u32, &zstd::encode_all(&plain[..], 3).unwrap());
    let event = TransactionPayloadEvent::read(Reader::new(&body)).unwrap();
    let (mut context, mut frame) = (PayloadContext::new(), Vec::new());
    assert!(event.frames(&mut context, 1 << 20).unwrap().next_frame(&mut frame).unwrap());
    let mut again = event.frames(&mut context, 1 << 20).unwrap();
    assert!(again.next_frame(&mut frame).unwrap() && again.next_frame(&mut frame).unwrap());
    assert_eq!((frame.len(), again.next_frame(&mut frame).unwrap()), (300_020, false));
}
