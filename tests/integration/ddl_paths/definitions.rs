//! CREATE TABLE: what stands in definitions, and tables made from others.

use serde_json::{Value, json};

use crate::ddl_paths::{Case, id, judge};
use crate::support::database::{MYSQL80, MYSQL97};

/// Checks, defaults, comments and words in definitions.
#[test]
fn definitions() {
    let remark = |id: i32| json!({"id": id, "a": "it's /* kept */ # all", "b": "dq \"esc\" and \\ slash", "c": "\\%\\_"});
    let with_d = |mut row: Value, d: Value| {
        row["d"] = d;
        row
    };
    let words = json!({"start": 20, "id": 2, "comment": 21, "final": 23, "log": 22, "vector": null, "tag": null, "no": null});
    let first_words = json!({"id": 1, "locked": 2, "position": 3, "begin": 4, "year": 2024, "tag": 5, "vector": null, "json": null});
    let dflt = |id: i32, n: i32, t: &str, u: &str| {
        json!({"id": id, "d": 19724, "u": u, "j": "[]", "n": n, "t": t, "b": "ERERESIiMzNERFVVVVVVVQ==",
            "ts": "2024-01-02T03:04:05.678Z", "dt": 1_704_164_645_678_901_i64, "neg": -5})
    };
    let (u1, u2) = ("aaaaaaaa-0000-0000-0000-000000000001", "aaaaaaaa-0000-0000-0000-000000000002");
    let with_w = |mut row: Value| {
        row["w"] = json!(2031);
        row
    };
    let vc = |id: i32, a: Value, b: Value, c: i32, d: i32| json!({"id": id, "a": a, "b": b, "c": c, "d": d});
    let with_ef = |mut row: Value, e: Value, f: Value| {
        row["e"] = e;
        row["f"] = f;
        row
    };
    let supplier = json!({"id": 1, "sname": "Acme", "fee": "BM4=", "grade": "B"});
    let flags = |id: i32, a: Value, b: i32| json!({"id": id, "a": a, "b": b, "c": 1, "d": 0});
    let with_efg = |mut row: Value| {
        row["e"] = json!(1);
        row["f"] = json!(true);
        row["g"] = Value::Null;
        row
    };
    for case in [
        Case {
            number: "004",
            properties: &[],
            statements: &[
                "CREATE TABLE supplier (id INT PRIMARY KEY CHECK (id > 0), sname VARCHAR(20), fee DECIMAL(6,2) CONSTRAINT \
                 fee_pos CHECK (fee >= 0) NOT ENFORCED, CONSTRAINT both_set CHECK ((sname IS NULL) OR \
                 (CHAR_LENGTH(sname) > 1)))",
                "ALTER TABLE supplier MODIFY sname VARCHAR(40) NOT NULL CONSTRAINT sname_full CHECK (sname <> '')",
                "ALTER TABLE supplier ALTER CHECK fee_pos ENFORCED, DROP CHECK both_set",
                "ALTER TABLE supplier DROP CONSTRAINT sname_full, ADD COLUMN grade CHAR(1) DEFAULT 'B' CHECK (grade IN \
                 ('A','B','C'))",
                "INSERT INTO supplier (id,sname,fee) VALUES (1,'Acme', 12.30)",
            ],
            stream: vec![("supplier", vec![(id(1), supplier.clone())])],
            snapshot: vec![("supplier", vec![(id(1), supplier)])],
            fields: Some(("supplier", "id sname fee grade")),
        },
        Case {
            number: "009",
            properties: &[],
            statements: &[
                "CREATE TABLE remark (id INT PRIMARY KEY COMMENT 'say \"\"hi\"\" -- not a comment', a VARCHAR(40) NOT NULL \
                 DEFAULT 'it''s /* kept */ # all' COMMENT 'semi;colon, comma, (paren', b VARCHAR(40) NOT NULL DEFAULT \
                 \"dq \\\"esc\\\" and \\\\ slash\" COMMENT \"back`tick\", c CHAR(4) NOT NULL DEFAULT '\\%\\_' /* real \
                 comment */) COMMENT = 'table; with ''quote'' /*x*/'",
                "INSERT INTO remark (id) VALUES (1)",
                "ALTER TABLE remark ADD COLUMN d INT NULL COMMENT 'line1\\nline2' -- trailing comment\n",
                "INSERT INTO remark (id,d) VALUES (2, 9)",
            ],
            stream: vec![("remark", vec![(id(1), remark(1)), (id(2), with_d(remark(2), json!(9)))])],
            snapshot: vec![(
                "remark",
                vec![(id(1), with_d(remark(1), Value::Null)), (id(2), with_d(remark(2), json!(9)))],
            )],
            fields: None,
        },
        Case {
            number: "010",
            properties: &[],
            statements: &[
                "CREATE TABLE cycle (id INT PRIMARY KEY, locked INT, position INT, sequence INT, statement INT, source INT, \
                 buckets INT, value INT, status INT, data INT, end INT, event INT, uuid INT, national INT, compression INT, \
                 encryption INT, admin INT, optional INT, secondary INT, visible INT, invisible INT, enforced INT, srid INT, \
                 history INT, reuse INT, role INT, engine INT, account INT, action INT, date DATE, time TIME, timestamp \
                 TIMESTAMP NULL, year YEAR, bit BIT(3), text TEXT, enum ENUM('e'), json JSON, offset INT, no INT, begin INT, \
                 truncate INT, vector INT, tag INT)",
                "INSERT INTO cycle (id, locked, position, begin, year, bit, tag) VALUES (1, 2, 3, 4, 2024, b'101', 5)",
                "ALTER TABLE cycle ADD COLUMN log INT, ADD COLUMN start INT FIRST, ADD comment INT AFTER id, RENAME COLUMN \
                 end TO final",
                "INSERT INTO cycle (id, start, comment, log, final) VALUES (2, 20, 21, 22, 23)",
            ],
            stream: vec![("cycle", vec![(id(1), first_words.clone()), (id(2), words.clone())])],
            snapshot: vec![("cycle", vec![(id(1), first_words), (id(2), words)])],
            fields: Some((
                "cycle",
                "start id comment locked position sequence statement source buckets value status data final event uuid \
                 national compression encryption admin optional secondary visible invisible enforced srid history reuse role \
                 engine account action date time timestamp year bit text enum json offset no begin truncate vector tag log",
            )),
        },
        // A BOOL is a boolean in the stream, and a number in a snapshot, as Debezium has it.
        Case {
            number: "013",
            properties: &[],
            statements: &[
                "CREATE TABLE flags (id INT PRIMARY KEY, a BOOL NOT NULL DEFAULT TRUE, b TINYINT(1) NOT NULL DEFAULT FALSE, c \
                 INT NOT NULL DEFAULT TRUE, d BIGINT UNSIGNED NOT NULL DEFAULT FALSE)",
                "INSERT INTO flags (id) VALUES (1)",
                "ALTER TABLE flags ADD COLUMN e SMALLINT NOT NULL DEFAULT TRUE, ADD COLUMN f BIT(1) NOT NULL DEFAULT b'1', \
                 ADD COLUMN g TINYINT NULL DEFAULT NULL",
                "INSERT INTO flags (id,a,b) VALUES (2,0,-1)",
            ],
            stream: vec![(
                "flags",
                vec![(id(1), flags(1, json!(true), 0)), (id(2), with_efg(flags(2, json!(false), -1)))],
            )],
            snapshot: vec![(
                "flags",
                vec![(id(1), with_efg(flags(1, json!(1), 0))), (id(2), with_efg(flags(2, json!(0), -1)))],
            )],
            fields: None,
        },
        Case {
            number: "014",
            properties: &[],
            statements: &[
                "CREATE TABLE dflt_expr (id INT PRIMARY KEY, d DATE NOT NULL DEFAULT (CURDATE()), u CHAR(36) NOT NULL DEFAULT \
                 (UUID()), j JSON NOT NULL DEFAULT (JSON_ARRAY()), n INT NOT NULL DEFAULT (1 + 2 * 3), t TEXT NOT NULL \
                 DEFAULT ('tiny'), b BINARY(16) NOT NULL DEFAULT (UUID_TO_BIN('11111111-2222-3333-4444-555555555555')), ts \
                 TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3), dt DATETIME(6) NOT NULL \
                 DEFAULT NOW(6), neg INT NOT NULL DEFAULT (-(5)))",
                "INSERT INTO dflt_expr (id,d,u,ts,dt) VALUES (1,'2024-01-02','aaaaaaaa-0000-0000-0000-000000000001',\
                 '2024-01-02 03:04:05.678','2024-01-02 03:04:05.678901')",
                "ALTER TABLE dflt_expr ALTER COLUMN n SET DEFAULT (10 - 1), ALTER COLUMN t DROP DEFAULT, ADD COLUMN w INT NOT \
                 NULL DEFAULT (YEAR('2031-05-06'))",
                "INSERT INTO dflt_expr (id,t,d,u,ts,dt) VALUES (2,'given','2024-01-02','aaaaaaaa-0000-0000-0000-000000000002',\
                 '2024-01-02 03:04:05.678','2024-01-02 03:04:05.678901')",
            ],
            stream: vec![(
                "dflt_expr",
                vec![(id(1), dflt(1, 7, "tiny", u1)), (id(2), with_w(dflt(2, 9, "given", u2)))],
            )],
            snapshot: vec![(
                "dflt_expr",
                vec![(id(1), with_w(dflt(1, 7, "tiny", u1))), (id(2), with_w(dflt(2, 9, "given", u2)))],
            )],
            fields: None,
        },
        Case {
            number: "017",
            properties: &[],
            statements: &[
                "CREATE TABLE vc (id INT NOT NULL, a INT /*!50100 NOT NULL DEFAULT 5 */, b INT /*!999999 NOT NULL */, c INT \
                 DEFAULT 8 /*!80023 INVISIBLE */, /*!50003 d TINYINT UNSIGNED, */ PRIMARY KEY (id)) /*!50100 ENGINE=innodb */",
                "INSERT INTO vc (id,d) VALUES (1,200)",
                "INSERT INTO vc (id,a,b,c,d) VALUES (2,6,NULL,9,255)",
                "ALTER TABLE vc /*!80000 ADD COLUMN e INT NULL, */ ADD COLUMN f INT NULL",
                "INSERT INTO vc (id,a,b,c,d,e,f) VALUES (3,1,2,3,4,5,6)",
            ],
            stream: vec![(
                "vc",
                vec![
                    (id(1), vc(1, json!(5), Value::Null, 8, 200)),
                    (id(2), vc(2, json!(6), Value::Null, 9, 255)),
                    (id(3), with_ef(vc(3, json!(1), json!(2), 3, 4), json!(5), json!(6))),
                ],
            )],
            snapshot: vec![(
                "vc",
                vec![
                    (id(1), with_ef(vc(1, json!(5), Value::Null, 8, 200), Value::Null, Value::Null)),
                    (id(2), with_ef(vc(2, json!(6), Value::Null, 9, 255), Value::Null, Value::Null)),
                    (id(3), with_ef(vc(3, json!(1), json!(2), 3, 4), json!(5), json!(6))),
                ],
            )],
            fields: None,
        },
    ] {
        judge(&MYSQL97, "97", &case);
    }
}

/// CREATE TABLE LIKE a table that is not captured, and CREATE TABLE … SELECT.
#[test]
fn tables_made_from_others() {
    let derived = |id: i32, qty: i64, total: &str, code: &str| json!({"id": id, "qty": qty, "total": total, "code": code});
    let derived = vec![
        (id(1), derived(1, 3, "C7U=", "#1")),
        (id(2), derived(2, 4_000_000_000, "AO5rKAA=", "#2")),
        (id(3), derived(3, 1, "AfQ=", "#3")),
    ];
    let ten = json!({"id": 10, "amount": "B1vNFQ==", "tag": "p"});
    let eleven = json!({"id": 11, "amount": "/w=="});
    for (of, server) in [("97", &MYSQL97), ("80", &MYSQL80)] {
        for only_captured in ["false", "true"] {
            let properties: &[_] = if only_captured == "true" {
                &[
                    ("table.include.list", "{db}.copy_of_hidden"),
                    ("schema.history.internal.store.only.captured.tables.ddl", "true"),
                ]
            } else {
                &[("table.include.list", "{db}.copy_of_hidden")]
            };
            let case = Case {
                number: "006",
                properties,
                statements: &[
                    "CREATE TABLE hidden_src (id INT NOT NULL AUTO_INCREMENT, amount DECIMAL(9,3) NOT NULL DEFAULT 1.500, tag \
                     ENUM('p','q') DEFAULT 'q', PRIMARY KEY(id), KEY(tag))",
                    "INSERT INTO hidden_src (amount) VALUES (2.250)",
                    "CREATE TABLE copy_of_hidden LIKE hidden_src",
                    "INSERT INTO copy_of_hidden (id,amount,tag) VALUES (10, 123456.789, 'p')",
                    "ALTER TABLE copy_of_hidden DROP COLUMN tag",
                    "INSERT INTO copy_of_hidden (id,amount) VALUES (11, -0.001)",
                ],
                stream: vec![("copy_of_hidden", vec![(id(10), ten.clone()), (id(11), eleven.clone())])],
                snapshot: vec![(
                    "copy_of_hidden",
                    vec![(id(10), json!({"id": 10, "amount": "B1vNFQ=="})), (id(11), eleven.clone())],
                )],
                fields: None,
            };
            judge(server, &format!("{of}_{only_captured}"), &case);
        }
        // MySQL 8.0 writes such a table as one transaction only since 8.0.21, and refuses it before with GTIDs.
        if of == "80" {
            continue;
        }
        let case = Case {
            number: "007",
            properties: &[],
            statements: &[
                "CREATE TABLE src (id INT PRIMARY KEY, qty INT UNSIGNED, price DECIMAL(8,2))",
                "INSERT INTO src VALUES (1, 3, 9.99), (2, 4000000000, 0.01)",
                "CREATE TABLE derived (PRIMARY KEY (id)) AS SELECT id, qty, qty * price AS total, CONCAT('#', id) AS code FROM \
                 src",
                "INSERT INTO derived VALUES (3, 1, 5.00, '#3')",
            ],
            stream: vec![("derived", derived.clone())],
            snapshot: vec![("derived", derived.clone())],
            fields: Some(("derived", "id qty total code")),
        };
        // Before 8.0.21 the server takes no CREATE TABLE … SELECT where GTIDs are enforced.
        if of == "97" {
            judge(server, of, &case);
        }
    }
}
