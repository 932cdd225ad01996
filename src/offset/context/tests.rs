use super::*;

fn key() -> String {
    offset_key("basic_crud", "basic_crud")
}

/// Offsets that the real connector stored.
const STORED: [&str; 5] = [
    r#"{"ts_sec":1795984446,"file":"binlog.000001","pos":4068,"gtids":"8f828cbf-ec2e-11f1-b6f4-02fc00000001:1-10","server_id":1}"#,
    r#"{"ts_sec":1795984446,"file":"binlog.000001","pos":1907,"gtids":"8f828cbf-ec2e-11f1-b6f4-02fc00000001:1-5","snapshot":"INITIAL"}"#,
    r#"{"transaction_id":"4bef93b7-ec27-11f1-930d-02fc00000001:6","ts_sec":1795979206,"file":"binlog.000001","pos":1204,"gtids":"4bef93b7-ec27-11f1-930d-02fc00000001:1-5","row":1,"server_id":1,"event":6,"transaction_data_collection_order_ta.a":2,"transaction_data_collection_order_ta.b":2}"#,
    r#"{"transaction_id":"file=binlog.000005,pos=1592","ts_sec":1795979902,"file":"binlog.000005","pos":1592,"transaction_data_collection_order_go.my":5,"server_id":1,"event":3}"#,
    r#"{"transaction_id":"403d1e5f-ec28-11f1-b86c-02fc00000001:4","ts_sec":1795980633,"file":"binlog.000001","pos":808,"gtids":"403d1e5f-ec28-11f1-b86c-02fc00000001:1-3","server_id":1}"#,
];

#[test]
fn a_stored_offset_is_written_again_as_it_was() {
    for text in STORED {
        let context = OffsetContext::from_stored(key(), text).unwrap();
        assert_eq!(context.to_stored().value.unwrap(), text);
    }
    assert_eq!(key(), r#"["basic_crud",{"server":"basic_crud"}]"#);
}

#[test]
fn the_stored_position_is_that_of_the_last_record_until_the_next_transaction_begins() {
    let mut context = OffsetContext::from_stored(key(), STORED[0]).unwrap();
    let gtid = |n: u32| format!("8f828cbf-ec2e-11f1-b6f4-02fc00000001:{n}").parse::<Gtid>().unwrap();
    context.begin("binlog.000001", 5000, None);
    context.event_done(); // BEGIN
    context.event_done(); // TABLE_MAP
    context.rows_done(1);
    context.record_made();
    context.event_done();
    assert!(!context.commit(Some(gtid(11)), 5500));
    let stored = context.to_stored().value.unwrap();
    assert!(
        stored.contains(r#""pos":5000"#) && stored.contains(r#""event":2"#) && stored.contains(r#""row":1"#)
    );
    assert!(stored.contains(":1-10"));

    // The next one publishes nothing: its commit moves the position behind it.
    context.begin("binlog.000001", 5600, None);
    context.event_done();
    assert!(context.commit(Some(gtid(12)), 5900));
    let stored = context.to_stored().value.unwrap();
    assert!(stored.contains(r#""pos":5900"#) && stored.contains(":1-12") && !stored.contains("event"));
}

#[test]
fn a_statement_leaves_its_gtid_to_the_next_transaction() {
    let mut context = OffsetContext::from_stored(key(), STORED[0]).unwrap();
    let gtid = "8f828cbf-ec2e-11f1-b6f4-02fc00000001:11".parse::<Gtid>().unwrap();
    context.statement_done(Some(gtid), "binlog.000001", 4200);
    assert!(context.to_stored().value.unwrap().contains(":1-10"));
    context.begin("binlog.000001", 4300, None);
    assert!(context.to_stored().value.unwrap().contains(":1-11"));
}
