use super::*;
use crate::config::source::FilterConfig;

const SERVER: &str = "8f828cbf-ec2e-11f1-b6f4-02fc00000001";

fn lists(tables: &str) -> CaptureLists {
    CaptureLists::of(&FilterConfig {
        table_include: Some(tables.split(',').map(str::to_owned).collect()),
        ..FilterConfig::default()
    })
}

fn set(numbers: &str) -> GtidSet {
    format!("{SERVER}:{numbers}").parse().expect("a set")
}

fn offset(pos: u64, done: Option<&str>) -> OffsetContext {
    OffsetContext::new("key".to_owned(), BinlogPosition::new("binlog.000002", pos), done.map(set))
}

fn awaited(tables: &str, gtids: Option<&str>, definition: Option<&str>) -> AwaitedTables {
    let table = AwaitedTable {
        database: "d".to_owned(),
        table: "b".to_owned(),
        definition: definition.map(str::to_owned),
    };
    let until = BinlogPosition::new("binlog.000002", 500);
    AwaitedTables::new(lists(tables), &until, gtids.map(set).as_ref(), vec![table])
}

#[test]
fn a_start_compares_the_lists() {
    let whole = awaited("d.a,d.b", Some("1-9"), Some("CREATE TABLE b …"));
    let captured = |awaited: Option<AwaitedTables>| Some(CapturedTables { lists: lists("d.a"), awaited });
    let torn = awaited("d.a,d.b", Some("1-9"), None);
    let without_gtids = awaited("d.a,d.b", None, Some("CREATE TABLE b …"));
    let before = offset(400, Some("1-7"));
    for (stored, now, offset, expected) in [
        (None, "d.a", &before, Step::Remember),
        (captured(None), "d.a", &before, Step::Nothing),
        (captured(None), "d.a,d.b", &before, Step::Find),
        (captured(Some(whole.clone())), "d.a,d.b", &before, Step::Await(&whole)),
        // Exactly at it, and behind it: something else went on there.
        (captured(Some(whole.clone())), "d.a,d.b", &offset(500, Some("1-9")), Step::Await(&whole)),
        (captured(Some(whole.clone())), "d.a,d.b", &offset(600, Some("1-10")), Step::Find),
        (captured(Some(torn)), "d.a,d.b", &before, Step::Find),
        // The lists change once more, and back.
        (captured(Some(whole.clone())), "d.a,d.b,d.c", &before, Step::Find),
        (captured(Some(whole.clone())), "d.a", &before, Step::Remember),
        (captured(Some(without_gtids.clone())), "d.a,d.b", &offset(500, None), Step::Await(&without_gtids)),
        (captured(Some(without_gtids.clone())), "d.a,d.b", &offset(501, None), Step::Find),
    ] {
        let found = step(stored.as_ref(), &lists(now), offset).expect("a step");
        assert_eq!(found, expected, "{now} {stored:?}");
    }
}

#[test]
fn gtids_decide_where_the_waiting_ends() {
    let gtid = |number: u64| -> Gtid { format!("{SERVER}:{number}").parse().expect("a gtid") };
    let place = |file: &str, pos| BinlogPosition::new(file, pos);
    let of = |gtids: Option<&str>| Awaited {
        until: place("binlog.000002", 500),
        gtids: gtids.map(set),
        tables: Vec::new(),
    };
    let with = of(Some("1-9"));
    for (number, behind) in [(9, false), (10, true)] {
        // Whatever the file: it may be that of another server.
        assert_eq!(with.is_behind(Some(&gtid(number)), &place("binlog.000009", 4)), behind, "{number}");
    }
    let without = of(None);
    for (file, pos, behind) in
        [("binlog.000002", 499, false), ("binlog.000002", 500, true), ("binlog.000003", 4, true)]
    {
        assert_eq!(without.is_behind(None, &place(file, pos)), behind, "{file}:{pos}");
        assert_eq!(with.is_behind(None, &place(file, pos)), behind, "anonymous {file}:{pos}");
    }
    // The last commit is done, though the stored position does not yet say so.
    let mut last = offset(400, Some("1-8"));
    assert!(!with.is_reached_by(&last) && !without.is_reached_by(&last));
    last.record_made();
    assert!(!last.commit(Some(gtid(9)), 500));
    assert!(with.is_reached_by(&last) && without.is_reached_by(&last));
}

#[test]
fn tables_are_made_anew_and_databases_left_alone() {
    let tables = [("d", "a"), ("e", "b")]
        .map(|(database, table)| (TableId::new(database, table), format!("CREATE TABLE `{table}` (…)")));
    let found = of_tables(tables.into_iter());
    let expected = [
        ("d", "DROP TABLE IF EXISTS `d`.`a`"),
        ("e", "DROP TABLE IF EXISTS `e`.`b`"),
        ("d", "CREATE TABLE `a` (…)"),
        ("e", "CREATE TABLE `b` (…)"),
    ];
    assert_eq!(found, expected.map(|(database, text)| (database.to_owned(), text.to_owned())));
}
