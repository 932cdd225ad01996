//! The comparison proves itself on made-up records.

use crate::compare::{Expectation, Outcome, compare};
use crate::fixes::Fixes;
use crate::record::Record;
use crate::scrub::Run;
use std::collections::HashMap;

const GOLDEN: &str = r#"{"topic":"t","partition":0,"headers":{"__debezium.context.runId":"a"},"key":{"id":1},"value":{"before":null,"after":{"id":1,"v":1.5},"source":{"ts_ms":5,"snapshot":"false","file":"b.1","pos":7},"ts_ms":9},"raw":["{\"id\":1}","{\"before\":null,\"after\":{\"id\":1,\"v\":1.5},\"source\":{\"ts_ms\":5,\"snapshot\":\"false\",\"file\":\"b.1\",\"pos\":7},\"ts_ms\":9}"]}"#;

fn published(value: &str) -> String {
    let headers = r#"{"tidewire.seq":"1","__debezium.context.runId":"b"}"#;
    format!(r#"{{"topic":"t","partition":0,"headers":{headers},"key":"{{\"id\":1}}","value":{value:?}}}"#)
}

fn run(golden: &str, published: &str, fixes: &str, run: Run) -> Result<Outcome, String> {
    let expected = Expectation {
        golden: Record::from_lines(golden)?,
        own: HashMap::new(),
        fixes: Fixes::of("s", fixes)?,
        debezium_failed: false,
    };
    Ok(compare(expected, Record::from_lines(published)?, run))
}

/// Each made-up record with what must be found in it; the error says which case went wrong.
pub fn cases() -> Result<(), String> {
    let value = r#"{"before":null,"after":{"id":1,"v":1.5},"source":{"ts_ms":5,"snapshot":"false","file":"b.1","pos":7},"ts_ms":8}"#;
    let allow = r#"{"scenario":"s","topic":"t","path":"value\\.after\\.v","right":1.25,"why":"T-1: x"}"#;
    for (what, value, fixes, how, wanted) in [
        ("another processing time", value.to_owned(), "", Run::Replay, ""),
        ("another source time", value.replace(":5,", ":6,"), "", Run::Replay, "value.source.ts_ms: 5 → 6"),
        ("another source time online", value.replace(":5,", ":6,"), "", Run::Online, ""),
        ("another position", value.replace(":7}", ":8}"), "", Run::Replay, "value.source.pos: 7 → 8"),
        ("another position online", value.replace(":7}", ":8}"), "", Run::Online, ""),
        (
            "position of another kind",
            value.replace(":7}", ":\"7\"}"),
            "",
            Run::Online,
            "value.source.pos: 1 → \"*\"",
        ),
        ("another value", value.replace("1.5", "1.25"), "", Run::Replay, "value.after.v: 1.5 → 1.25"),
        ("another value, allowed", value.replace("1.5", "1.25"), allow, Run::Replay, ""),
        (
            "another wrong value",
            value.replace("1.5", "1.75"),
            allow,
            Run::Replay,
            "value.after.v: 1.5 → 1.75; fix not needed",
        ),
        ("a fix too many", value.to_owned(), allow, Run::Replay, "fix not needed"),
        (
            "another order",
            value.replace(r#""id":1,"v":1.5"#, r#""v":1.5,"id":1"#),
            "",
            Run::Replay,
            "members id v → v id",
        ),
        ("another spelling", value.replace("1.5", "1.50"), "", Run::Replay, "same JSON, other text"),
        (
            "an integer for a double",
            value.replace("1.5", "2").replace("2", "1"),
            "",
            Run::Replay,
            "value.after.v: 1.5 → 1",
        ),
        ("a missing member", value.replace(r#""before":null,"#, ""), "", Run::Replay, "members before"),
    ] {
        let found = run(GOLDEN, &published(&value), fixes, how)?.differences.join("; ");
        if found.is_empty() != wanted.is_empty() || !found.contains(wanted) {
            return Err(format!("{what}: wanted {wanted:?}, found {found:?}"));
        }
    }
    for why in ["", "x", "none: x", "X-1: x", "T-x: x", "T-1: ", "T-1, W-999: x"] {
        let fix = allow.replace("T-1: x", why);
        if Fixes::of("s", &fix).is_ok() {
            return Err(format!("{why:?} cites no finding"));
        }
    }
    for (what, published) in
        [("a lost record", String::new()), ("a doubled record", format!("{0}\n{0}", published(value)))]
    {
        if run(GOLDEN, &published, "", Run::Replay)?.differences.len() != 1 {
            return Err(format!("{what} was not found"));
        }
    }
    let snapshot = GOLDEN.replace("false", "last");
    let tombstone = r#"{"topic":"t","partition":0,"headers":{},"key":{"id":1},"value":null}"#;
    let kept = run(&format!("{snapshot}\n{tombstone}\n{GOLDEN}\n{tombstone}"), "", "", Run::Replay)?;
    match kept.total {
        2 => Ok(()),
        n => Err(format!("a replay is compared with 2 records without those of the snapshot, not {n}")),
    }
}
