//! Histories replayed up to an offset.

use super::*;
use crate::schema::history::memory::MemorySchemaHistory;
use crate::schema::table_id::TableId;

/// A record as our own writer makes it: the statement carried out, its changes recorded.
fn record(schema: &mut DatabaseSchema, pos: u64, ddl: &str) -> HistoryRecord {
    let statement = Statement { text: ddl, database: "d", ..Statement::default() };
    let changes = schema.apply_ddl(&statement).unwrap();
    HistoryRecord {
        ddl: Some(ddl.to_owned()),
        table_changes: changes.into_iter().flat_map(|change| change.table_changes).collect(),
        ..bare(pos, ddl)
    }
}

/// A record with a statement alone.
fn bare(pos: u64, ddl: &str) -> HistoryRecord {
    let text = format!(
        r#"{{"source":{{"server":"s"}},"position":{{"file":"b.000001","pos":{pos}}},"databaseName":"d"}}"#
    );
    let mut record: HistoryRecord = text.parse().unwrap();
    record.ddl = Some(ddl.to_owned());
    record
}

/// Through the stored form, as a home would give them back.
fn stored(records: &[HistoryRecord]) -> MemorySchemaHistory {
    let mut history = MemorySchemaHistory::default();
    let back: Vec<HistoryRecord> = records.iter().map(|record| record.to_pretty().parse().unwrap()).collect();
    history.record(&back).unwrap();
    history
}

fn recovered(
    history: &mut MemorySchemaHistory,
    pos: u64,
) -> Result<DatabaseSchema, RecoverError<HistoryError>> {
    let offset = serde_json::from_str(&format!(r#"{{"file":"b.000001","pos":{pos}}}"#)).unwrap();
    let options = RecoverOptions {
        server: "s",
        up_to: UpTo::Offset { offset: &offset, gtid_sources: None },
        replay: Replay::default(),
    };
    let mut schema = DatabaseSchema::default();
    recover(history, &mut schema, &options)?;
    Ok(schema)
}

#[test]
fn each_position_has_its_tables() {
    let statements = [
        "create table t(a int not null, b int not null, unique ua(a), unique ub(b))",
        "alter table t add c text",
        "alter table t rename to u",
        "rename table u to v",
        "create table w like v",
        "drop index ua on v",
        "drop table w",
        "alter table v modify b int",
    ];
    let mut live = DatabaseSchema::default();
    let mut records = Vec::new();
    let mut states = Vec::new();
    for (pos, ddl) in (1..).zip(statements) {
        records.push(record(&mut live, pos * 10, ddl));
        states.push(live.clone());
    }
    let mut history = stored(&records);
    for (pos, state) in (1..).zip(&states) {
        let schema = recovered(&mut history, pos * 10 + 5).unwrap();
        // The unique keys too, which are not stored.
        assert!(schema.tables().eq(state.tables()), "{pos}");
    }
}

#[test]
fn statements_without_changes_are_carried_out() {
    let records = [
        bare(10, "create database e charset latin1"),
        bare(20, "create table e.t(v varchar(3))"),
        bare(30, "create table \"an si\"(\"i d\" int primary key)"),
    ];
    let schema = recovered(&mut stored(&records), 100).unwrap();
    let table = schema.table(&TableId::new("e", "t")).unwrap();
    assert_eq!(table.columns[0].charset_name.as_deref(), Some("latin1"));
    assert!(schema.table(&TableId::new("d", "an si")).is_some());
}

#[test]
fn other_sources_and_later_records_do_not_count() {
    let mut other = bare(10, "create table t(a int)");
    other.source.insert("server".to_owned(), "x".into());
    let schema = recovered(&mut stored(&[other, bare(200, "create table t(a int)")]), 100).unwrap();
    assert_eq!(schema.tables().count(), 0);
}

#[test]
fn an_unparseable_statement_stops_unless_it_is_to_be_skipped() {
    let bad = bare(10, "alter table t add x nonsense");
    let failed = recovered(&mut stored(std::slice::from_ref(&bad)), 100).unwrap_err();
    let text = crate::error::chain(&failed);
    assert!(text.contains("b.000001:10") && text.contains("byte 20"), "{text}");
    let mut schema = DatabaseSchema::default();
    assert!(schema.apply_history(bad, &Replay { skip_unparseable: true, ..Replay::default() }).is_ok());
}

/// The current database of a renaming is not stored; another table of the same name must not go.
#[test]
fn a_renaming_across_databases_takes_no_other_table_along() {
    let mut live = DatabaseSchema::default();
    let mut records = vec![
        record(&mut live, 10, "create table e.t(other int)"),
        record(&mut live, 20, "create table t(a int)"),
        record(&mut live, 30, "alter table t rename to e.u"),
    ];
    records[2].database_name = Some("e".to_owned());
    let schema = recovered(&mut stored(&records), 100).unwrap();
    assert!(schema.table(&TableId::new("e", "t")).is_some());
    assert!(schema.table(&TableId::new("e", "u")).is_some());
}

/// A kill between the history and the offset: the statements are read and stored again.
#[test]
fn what_is_stored_twice_is_done_once() {
    let statements = [
        "create table t(a int, b int)",
        "alter table t add unique ub(b)",
        "alter table t add c int",
        "alter table t drop a",
    ];
    let mut live = DatabaseSchema::default();
    let mut records: Vec<HistoryRecord> =
        (1..).zip(statements).map(|(pos, ddl)| record(&mut live, pos * 10, ddl)).collect();
    records.extend(records[1..].to_vec());
    let schema = recovered(&mut stored(&records), 100).unwrap();
    assert!(schema.tables().eq(live.tables()), "{:?}", schema.tables().collect::<Vec<_>>());
}

#[test]
fn statements_are_passed_over_or_preferred_as_configured() {
    let mut wrong = record(&mut DatabaseSchema::default(), 10, "create table t(a int)");
    wrong.ddl = Some("create table t(b bigint)".to_owned());
    let filter = [JavaPattern::compile("create table t.*").unwrap()];
    for (how, expected) in [
        (Replay::default(), Some("a")),
        (Replay { prefer_ddl: true, ..Replay::default() }, Some("b")),
        (Replay { passed_over: &filter, ..Replay::default() }, None),
    ] {
        let mut schema = DatabaseSchema::default();
        schema.apply_history(wrong.clone(), &how).unwrap();
        let table = schema.table(&TableId::new("d", "t"));
        assert_eq!(table.map(|table| table.columns[0].name.as_str()), expected);
    }
}
