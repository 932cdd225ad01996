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

/// With GTIDs a prepared transaction is what the set leaves out.
#[test]
fn the_set_leaves_out_what_is_prepared() {
    let mut context = OffsetContext::from_stored(key(), STORED[0]).unwrap();
    let gtid = |n: u32| format!("8f828cbf-ec2e-11f1-b6f4-02fc00000001:{n}").parse::<Gtid>().unwrap();
    let prepared = |n: u32, pos: u64| PreparedTransaction {
        begin: BinlogPosition::new("binlog.000001", pos),
        gtid: Some(gtid(n)),
    };
    let gtids = |context: &OffsetContext| {
        assert_eq!(context.to_stored_beside(), None);
        context.gtids().unwrap().to_string().replace("8f828cbf-ec2e-11f1-b6f4-02fc00000001:", "")
    };
    context.prepare(prepared(11, 4200));
    context.begin("binlog.000001", 5000, None);
    assert!(context.commit(Some(gtid(12)), 5100));
    assert_eq!(gtids(&context), "1-10:12");
    // Committed by transaction 13, with records: done when something new begins.
    context.ends_prepared(prepared(11, 4200));
    context.begin("binlog.000001", 5200, None);
    context.event_done();
    context.record_made();
    assert!(!context.commit(Some(gtid(13)), 5300));
    assert_eq!(gtids(&context), "1-10:12");
    context.settle();
    assert_eq!(gtids(&context), "1-13");
}

/// Without GTIDs the stored position stays, and what was reached stands beside it.
#[test]
fn the_position_stays_at_the_oldest_prepared_transaction() {
    let stored = r#"{"ts_sec":7,"file":"binlog.000001","pos":4000,"server_id":1}"#;
    let mut context = OffsetContext::from_stored(key(), stored).unwrap();
    let at = |pos: u64| PreparedTransaction { begin: BinlogPosition::new("binlog.000001", pos), gtid: None };
    context.prepare(at(4200));
    context.prepare(at(4300));
    context.begin("binlog.000002", 5000, None);
    context.event_done();
    context.rows_done(1);
    context.record_made();
    let held = context.to_stored().value.unwrap();
    assert_eq!(held, r#"{"ts_sec":7,"file":"binlog.000001","pos":4200,"server_id":1}"#);
    let beside = context.to_stored_beside().unwrap();

    // A start reads from the oldest one and goes on behind the row.
    let mut started = OffsetContext::from_stored(key(), &held).unwrap().with_reached(&beside, &held).unwrap();
    assert_eq!(started.read_from(), BinlogPosition::new("binlog.000001", 4200));
    assert_eq!((started.position(), started.to_skip()), (BinlogPosition::new("binlog.000002", 5000), (1, 1)));
    assert_eq!(started.to_stored().value.unwrap(), held);
    assert!(started.is_before_position("binlog.000001", 9000));
    started.prepare(at(4200));
    started.prepare(at(4300));
    assert!(started.is_before_position("binlog.000002", 4999));
    assert!(!started.is_before_position("binlog.000002", 5000));
    assert_eq!(started.to_stored().value.unwrap(), held);

    // Another program has stored something since: that alone counts.
    let other = held.replace("4200", "4444");
    let other = OffsetContext::from_stored(key(), &other).unwrap().with_reached(&beside, &other).unwrap();
    assert_eq!(other.read_from(), BinlogPosition::new("binlog.000001", 4444));

    // The oldest is over, then the other one.
    started.ends_prepared(at(4200));
    started.begin("binlog.000002", 5200, None);
    assert!(started.commit(None, 5300));
    assert!(started.to_stored().value.unwrap().contains(r#""pos":4300"#));
    started.ends_prepared(at(4300));
    started.begin("binlog.000002", 5400, None);
    assert!(started.commit(None, 5500));
    assert!(started.to_stored().value.unwrap().contains(r#""pos":5500"#));
    assert_eq!(started.to_stored_beside(), None);
}
