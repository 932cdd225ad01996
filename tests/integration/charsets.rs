//! Every character of every set, against the servers.
//!
//! A column of each set that the server lists gets each byte, each pair of bytes that does not begin with ASCII, and the
//! longer characters. What the server has stored then (what is no character in the set it cuts away) is decoded by us and
//! compared with what it sends to a connection of utf8mb4, which is what a snapshot publishes. The tables of
//! `schema/charset` were made from the answers to these same statements.

use tidewire::connect::cell::ColumnValue;
use tidewire::schema::charset::Charset;
use tidewire::schema::charset::collation::{charset_of_collation, charset_of_collation_id};
use tidewire::source::mysql::Connection;
use tidewire::wire::column_type::ColumnType;
use tidewire::wire::error::WireError;
use tidewire::wire::result_set::{ResultCellDecoder, read_result_row};

use crate::mysql_server::{ALL, MARIADB, database};

const PAIRS: &str = "SELECT CONCAT(x.b, y.b) FROM bytes x, bytes y";

/// The statements that give the byte sequences to try in a set.
fn sequences(charset: &str) -> Vec<String> {
    let not_ascii = format!("{PAIRS} WHERE x.b >= x'80'");
    let kanji = "SELECT CONCAT(x'8F', x.b, y.b) FROM bytes x, bytes y WHERE x.b >= x'A0' AND y.b >= x'A0'";
    let digit = |name: &str| format!("{name}.b BETWEEN x'30' AND x'39'");
    match charset {
        "ucs2" | "utf16le" => vec![PAIRS.to_owned()],
        "utf16" => vec![
            PAIRS.to_owned(),
            "SELECT CONCAT(x'D83D', x.b, y.b) FROM bytes x, bytes y WHERE x.b >= x'DC'".to_owned(),
        ],
        "utf32" => vec![
            "SELECT CONCAT(x'0000', x.b, y.b) FROM bytes x, bytes y".to_owned(),
            "SELECT CONCAT(x'0001F6', b) FROM bytes".to_owned(),
            "SELECT CONCAT(x'0010FF', b) FROM bytes".to_owned(),
        ],
        "utf8mb3" | "utf8mb4" | "utf8" => vec![
            not_ascii,
            "SELECT CONCAT(x'E2', x.b, y.b) FROM bytes x, bytes y WHERE x.b >= x'80' AND y.b >= x'80'"
                .to_owned(),
            "SELECT CONCAT(x'ED', x.b, y.b) FROM bytes x, bytes y WHERE x.b >= x'80' AND y.b >= x'80'"
                .to_owned(),
            "SELECT CONCAT(x'F09F98', b) FROM bytes".to_owned(),
        ],
        // All of the basic plane and its end; samples of the others.
        "gb18030" => vec![
            not_ascii,
            format!(
                "SELECT CONCAT(w.b, x.b, y.b, z.b) FROM bytes w, bytes x, bytes y, bytes z WHERE {} AND {} \
                 AND y.b BETWEEN x'81' AND x'FE' AND (w.b BETWEEN x'81' AND x'84' OR w.b IN (x'90', x'E3'))",
                digit("x"),
                digit("z")
            ),
        ],
        "ujis" | "eucjpms" => vec!["SELECT b FROM bytes".to_owned(), not_ascii, kanji.to_owned()],
        "big5" | "cp932" | "euckr" | "gb2312" | "gbk" | "sjis" => {
            vec!["SELECT b FROM bytes".to_owned(), not_ascii]
        }
        _ => vec!["SELECT b FROM bytes".to_owned()],
    }
}

/// Compares all that a set's column holds; how many cells these were.
fn compare(session: &mut Connection, server: &str, charset: &str) -> usize {
    let set = Charset::named(charset).unwrap_or_else(|| panic!("{server} has {charset}"));
    session.execute("DROP TABLE IF EXISTS t").unwrap();
    let column = format!("CREATE TABLE t (c VARCHAR(4) CHARACTER SET {charset}) ENGINE=MyISAM");
    session.execute(&column).unwrap();
    for sequences in sequences(charset) {
        session.execute(&format!("INSERT IGNORE INTO t {sequences}")).unwrap();
    }
    let mut rows = session.prepare_and_stream("SELECT CAST(c AS BINARY), c FROM t").unwrap();
    let decoders: Vec<_> = rows
        .columns()
        .iter()
        .map(|column| {
            let kind = ColumnType::from_code(column.column_type).unwrap();
            ResultCellDecoder::new(kind, false, column.charset).unwrap()
        })
        .collect();
    let (mut count, mut scratch, mut of_server) = (0, Vec::new(), Vec::new());
    let mut stored = Vec::new();
    while let Some(row) = rows.next_row().unwrap() {
        read_result_row(row, &decoders, |column, value| {
            match (column, value) {
                (0, ColumnValue::Bytes(bytes)) => bytes.clone_into(&mut stored),
                (1, ColumnValue::Text(text)) => text.as_bytes().clone_into(&mut of_server),
                (1, ColumnValue::IllFormedText(bytes)) => bytes.clone_into(&mut of_server),
                other => panic!("{server}: {charset}: {other:?}"),
            }
            Ok::<_, WireError>(())
        })
        .unwrap();
        let theirs = Charset::UTF8MB4.text(&of_server);
        assert_eq!(set.decode(&stored, &mut scratch), theirs, "{server}: {charset}: {stored:02x?}");
        count += 1;
    }
    count
}

fn compare_all(server: &str, sets: usize) {
    let mut session = database(server, "charset_tables");
    // What is no character is cut away instead of refused.
    session.execute("SET sql_mode = '', sql_log_bin = 0").unwrap();
    session.execute("CREATE TABLE bytes (b VARBINARY(1)) ENGINE=MyISAM").unwrap();
    let bytes: Vec<String> = (0..=255).map(|byte| format!("(x'{byte:02X}')")).collect();
    session.execute(&format!("INSERT INTO bytes VALUES {}", bytes.join(", "))).unwrap();
    let listed = session
        .query("SELECT character_set_name FROM information_schema.character_sets WHERE character_set_name <> 'binary'")
        .unwrap();
    assert_eq!(listed.rows.len(), sets, "{server}");
    for row in &listed.rows {
        let charset = row[0].as_deref().unwrap();
        let cells = compare(&mut session, server, charset);
        assert!(cells >= 256, "{server}: {charset}: {cells}");
    }
}

#[test]
fn mysql_97_converts_every_character_as_we_do() {
    compare_all(ALL[0], 40);
}

#[test]
fn mysql_80_converts_every_character_as_we_do() {
    compare_all(ALL[1], 40);
}

#[test]
fn mysql_57_converts_every_character_as_we_do() {
    compare_all(ALL[2], 40);
}

/// It has no gb18030.
#[test]
fn mariadb_converts_every_character_as_we_do() {
    compare_all(MARIADB, 39);
}

#[test]
fn every_collation_of_the_servers_has_its_set() {
    let of_mysql = "SELECT id, collation_name, character_set_name FROM information_schema.collations";
    let of_mariadb = "SELECT id, full_collation_name, character_set_name \
                      FROM information_schema.collation_character_set_applicability WHERE id IS NOT NULL";
    for (server, sql, least) in [
        (ALL[0], of_mysql, 280),
        (ALL[1], of_mysql, 270),
        (ALL[2], of_mysql, 220),
        (MARIADB, of_mariadb, 1200),
    ] {
        let listed = database(server, "charset_collations").query(sql).unwrap();
        assert!(listed.rows.len() >= least, "{server}: {}", listed.rows.len());
        for row in &listed.rows {
            let [id, name, charset] = [0, 1, 2].map(|column| row[column].as_deref().unwrap());
            // 5.7 and 8.0 call utf8mb3 so.
            let known_as = |name: &str| if name == "utf8" { "utf8mb3".to_owned() } else { name.to_owned() };
            let of_id = charset_of_collation_id(id.parse().unwrap());
            assert_eq!(of_id, Some(known_as(charset).as_str()), "{server}: {id}");
            let of_name = charset_of_collation(name).map(|name| known_as(&name));
            assert_eq!(of_name, Some(known_as(charset)), "{server}: {name}");
        }
    }
}
