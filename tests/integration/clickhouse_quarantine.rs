//! `tidewire sink quarantine` and `retry-quarantine`: what was put aside takes its own place when it is written after all.

use crate::support::clickhouse::{client, run, values};
use crate::support::sink::{pair, sql};

/// Of the rows that are refused one changes later and one is deleted: neither comes back. Rows without a key come once.
#[test]
fn r_2_what_was_put_aside_is_written_later_in_its_own_place() {
    for (sequence, name) in [("true", "quarantine_seq"), ("false", "quarantine_offsets")] {
        let (mut source, mut sink) = pair(
            name,
            &[
                "CREATE TABLE t (id INT PRIMARY KEY, v INT)",
                "CREATE TABLE changes (v INT)",
                "INSERT INTO t VALUES (1,1)",
                "INSERT INTO changes VALUES (1)",
            ],
        );
        source.set("tidewire.sequence.header", sequence);
        sink.set("errors.tolerance", "all").set("keyless.mode", "append");
        let _source = source.start_streaming();
        let process = sink.start();
        sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
        let rows = format!("SELECT toString(v) FROM {name}.changes ORDER BY v");
        sink.wait_for(&process, &rows, &["1"]);
        run(&client(), &format!("ALTER TABLE {name}.t ADD CONSTRAINT small CHECK v < 100"));
        run(&client(), &format!("ALTER TABLE {name}.changes ADD CONSTRAINT small CHECK v < 100"));
        sql(
            &source,
            "INSERT INTO t VALUES (2,200),(3,300),(4,400),(5,5); UPDATE t SET v=3 WHERE id=3; DELETE FROM t WHERE id=4; \
             INSERT INTO changes VALUES (2),(700),(3),(700),(9)",
        );
        let count = format!(
            "SELECT concat(table, ' ', toString(count())) FROM _tidewire.quarantine FINAL WHERE connector = '{}' GROUP BY table ORDER BY table",
            sink.name
        );
        let (changes, table) = (format!("{name}.changes"), format!("{name}.t"));
        // The deletion has the row before in it.
        sink.wait_for(&process, &count, &[&format!("{changes} 2"), &format!("{table} 4")]);
        let (well, text) = sink.command("quarantine", &["--table", &table]);
        assert!(well && text.ends_with("quarantine: 4 records\n"), "{text}");
        assert_eq!(text.matches("VIOLATED_CONSTRAINT").count(), 4, "{text}");
        assert!(!text.contains(r#""v":"#), "{text}");
        // Nothing was mended yet.
        let (well, text) = sink.command("retry-quarantine", &[]);
        assert!(!well && text.ends_with("quarantine: 0 records applied, 6 refused\n"), "{text}");
        sink.wait_for(&process, &count, &[&format!("{changes} 2"), &format!("{table} 4")]);
        for table in [&table, &changes] {
            run(&client(), &format!("ALTER TABLE {table} DROP CONSTRAINT small"));
        }
        let (well, text) = sink.command("retry-quarantine", &["--table", &table]);
        assert!(well && text.ends_with("quarantine: 4 records applied, 0 refused\n"), "{text}");
        sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
        let (well, text) = sink.command("retry-quarantine", &[]);
        assert!(well && text.ends_with("quarantine: 2 records applied, 0 refused\n"), "{text}");
        sink.wait_for(&process, &rows, &["1", "2", "3", "9", "700", "700"]);
        let (well, text) = sink.command("retry-quarantine", &[]);
        assert!(well && text == "quarantine: 0 records applied, 0 refused\n", "{text}");
        // And the connector goes on.
        sql(&source, "INSERT INTO t VALUES (6,600); INSERT INTO changes VALUES (8)");
        sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
        sink.wait_for(&process, &rows, &["1", "2", "3", "8", "9", "700", "700"]);
        process.terminate().expect(0, &["a record is put aside"]);
        let left = values(&client(), &count);
        assert!(left.is_empty(), "{left:?}");
    }
}
