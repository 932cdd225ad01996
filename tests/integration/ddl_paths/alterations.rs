//! ALTER TABLE.

use serde_json::{Value, json};

use crate::ddl_paths::{Case, id, judge};
use crate::support::database::MYSQL97;

/// Columns, defaults and keys that an ALTER TABLE changes.
#[test]
fn alterations() {
    let keepnull = |id: i32| json!({"id": id, "c2": null, "d": null});
    let ad = |id: i32, n: i32, s: &str, f: Value| json!({"id": id, "n": n, "s": s, "f": f});
    let ins = |id: i32, b: &str, a: i32, c: i32| json!({"z": 90, "id": id, "b": b, "a": a, "c": c});
    for case in [
        Case {
            number: "020",
            properties: &[],
            statements: &[
                "CREATE TABLE keepnull (id INT PRIMARY KEY, c INT NOT NULL DEFAULT 5, d VARCHAR(5) NOT NULL DEFAULT 'x')",
                "INSERT INTO keepnull (id) VALUES (1)",
                "ALTER TABLE keepnull CHANGE c c2 BIGINT, MODIFY d VARCHAR(6)",
                "INSERT INTO keepnull (id,c2,d) VALUES (2, NULL, NULL)",
                "INSERT INTO keepnull (id) VALUES (3)",
            ],
            stream: vec![(
                "keepnull",
                vec![(id(1), json!({"id": 1, "c": 5, "d": "x"})), (id(2), keepnull(2)), (id(3), keepnull(3))],
            )],
            snapshot: vec![(
                "keepnull",
                vec![
                    (id(1), json!({"id": 1, "c2": 5, "d": "x"})),
                    (id(2), keepnull(2)),
                    (id(3), keepnull(3)),
                ],
            )],
            fields: None,
        },
        Case {
            number: "021",
            properties: &[],
            statements: &[
                "CREATE TABLE ad (id INT PRIMARY KEY, n INT NOT NULL DEFAULT 1, s VARCHAR(5) NOT NULL DEFAULT 'a', f \
                 DECIMAL(5,2) NULL DEFAULT 1.5)",
                "INSERT INTO ad (id) VALUES (1)",
                "ALTER TABLE ad ALTER n SET DEFAULT 2, ALTER COLUMN s DROP DEFAULT, ALTER f SET DEFAULT NULL",
                "INSERT INTO ad (id,s) VALUES (2,'b')",
                "ALTER TABLE ad ALTER COLUMN f SET DEFAULT 2.25",
                "INSERT INTO ad (id,s) VALUES (3,'c')",
            ],
            stream: vec![(
                "ad",
                vec![
                    (id(1), ad(1, 1, "a", json!("AJY="))),
                    (id(2), ad(2, 2, "b", Value::Null)),
                    (id(3), ad(3, 2, "c", json!("AOE="))),
                ],
            )],
            // NULL shows as the default, which the converter does unless it is told otherwise.
            snapshot: vec![(
                "ad",
                vec![
                    (id(1), ad(1, 1, "a", json!("AJY="))),
                    (id(2), ad(2, 2, "b", json!("AOE="))),
                    (id(3), ad(3, 2, "c", json!("AOE="))),
                ],
            )],
            fields: None,
        },
        Case {
            number: "022",
            properties: &[("tombstones.on.delete", "false")],
            statements: &[
                "CREATE TABLE pkswap (a INT NOT NULL, b INT NOT NULL, c INT NOT NULL, PRIMARY KEY (a,b))",
                "INSERT INTO pkswap VALUES (1,10,100)",
                "ALTER TABLE pkswap DROP PRIMARY KEY, ADD CONSTRAINT `named` PRIMARY KEY USING BTREE (c), CHANGE b b2 BIGINT \
                 NOT NULL",
                "INSERT INTO pkswap VALUES (2,20,200)",
                "ALTER TABLE pkswap DROP PRIMARY KEY, DROP COLUMN c",
                "INSERT INTO pkswap VALUES (3,30)",
                "ALTER TABLE pkswap ADD COLUMN rid INT NOT NULL AUTO_INCREMENT PRIMARY KEY FIRST",
                "INSERT INTO pkswap (a,b2) VALUES (4,40)",
                "DELETE FROM pkswap WHERE a=4",
            ],
            stream: vec![(
                "pkswap",
                vec![
                    (json!({"a": 1, "b": 10}), json!({"a": 1, "b": 10, "c": 100})),
                    (json!({"c": 200}), json!({"a": 2, "b2": 20, "c": 200})),
                    (Value::Null, json!({"a": 3, "b2": 30})),
                    (json!({"rid": 4}), json!({"rid": 4, "a": 4, "b2": 40})),
                    (json!({"rid": 4}), json!({"rid": 4, "a": 4, "b2": 40})),
                ],
            )],
            snapshot: vec![(
                "pkswap",
                (1..4).map(|n| (json!({"rid": n}), json!({"rid": n, "a": n, "b2": 10 * n}))).collect(),
            )],
            fields: None,
        },
        Case {
            number: "023",
            properties: &[],
            statements: &[
                "CREATE TABLE uk_notnull (a INT NOT NULL, b INT NULL, UNIQUE KEY ua (a))",
                "CREATE TABLE uk_nullable (a INT NULL, b INT NULL, UNIQUE KEY ua (a))",
                "CREATE TABLE uk_first (x INT NOT NULL, y INT NOT NULL, UNIQUE KEY uy (y), PRIMARY KEY (x))",
                "CREATE TABLE uk_later (a INT NOT NULL, b INT NOT NULL)",
                "INSERT INTO uk_notnull VALUES (1,2)",
                "INSERT INTO uk_nullable VALUES (NULL,2),(NULL,3)",
                "INSERT INTO uk_first VALUES (1,2)",
                "INSERT INTO uk_later VALUES (1,2)",
                "CREATE UNIQUE INDEX ub ON uk_later (b)",
                "INSERT INTO uk_later VALUES (3,4)",
                "UPDATE uk_notnull SET b = 9 WHERE a = 1",
            ],
            stream: vec![
                (
                    "uk_notnull",
                    vec![
                        (json!({"a": 1}), json!({"a": 1, "b": 2})),
                        (json!({"a": 1}), json!({"a": 1, "b": 9})),
                    ],
                ),
                (
                    "uk_nullable",
                    vec![
                        (Value::Null, json!({"a": null, "b": 2})),
                        (Value::Null, json!({"a": null, "b": 3})),
                    ],
                ),
                ("uk_first", vec![(json!({"x": 1}), json!({"x": 1, "y": 2}))]),
                (
                    "uk_later",
                    vec![(Value::Null, json!({"a": 1, "b": 2})), (json!({"b": 4}), json!({"a": 3, "b": 4}))],
                ),
            ],
            snapshot: vec![
                ("uk_notnull", vec![(json!({"a": 1}), json!({"a": 1, "b": 9}))]),
                (
                    "uk_later",
                    vec![
                        (json!({"b": 2}), json!({"a": 1, "b": 2})),
                        (json!({"b": 4}), json!({"a": 3, "b": 4})),
                    ],
                ),
            ],
            fields: None,
        },
        Case {
            number: "028",
            properties: &[("tombstones.on.delete", "false")],
            statements: &[
                "CREATE TABLE ins (id INT PRIMARY KEY, a INT, b INT, c INT)",
                "INSERT INTO ins VALUES (1,11,12,13)",
                "ALTER TABLE ins ADD COLUMN z INT DEFAULT 90 FIRST, ALGORITHM=INSTANT",
                "ALTER TABLE ins ALGORITHM=INSTANT, DROP COLUMN b, LOCK=DEFAULT",
                "ALTER TABLE ins ADD COLUMN b VARCHAR(8) NOT NULL DEFAULT 'again' AFTER id, ALGORITHM = INSTANT",
                "INSERT INTO ins (id,a,c) VALUES (2,21,23)",
                "UPDATE ins SET c = 14 WHERE id = 1",
                "CREATE INDEX ib ON ins (b) ALGORITHM=INPLACE LOCK=NONE",
                "DELETE FROM ins WHERE id = 1",
            ],
            stream: vec![(
                "ins",
                vec![
                    (id(1), json!({"id": 1, "a": 11, "b": 12, "c": 13})),
                    (id(2), ins(2, "again", 21, 23)),
                    (id(1), ins(1, "again", 11, 14)),
                    (id(1), ins(1, "again", 11, 14)),
                ],
            )],
            snapshot: vec![("ins", vec![(id(2), ins(2, "again", 21, 23))])],
            fields: Some(("ins", "z id b a c")),
        },
    ] {
        judge(&MYSQL97, "97", &case);
    }
}
