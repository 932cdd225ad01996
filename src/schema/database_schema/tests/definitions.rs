//! Column definitions: types, defaults, attributes, members.

use super::*;

#[test]
fn types_are_shown_as_debezium_shows_them() {
    // Declaration; jdbcType, typeName, length, scale.
    for (declared, jdbc_type, name, length, scale) in [
        ("int unsigned zerofill", 4, "INT UNSIGNED ZEROFILL", None, None),
        ("int(6) zerofill", 4, "INT UNSIGNED ZEROFILL", Some(6), None),
        ("bigint(20) signed", -5, "BIGINT SIGNED", Some(20), None),
        ("integer(11)", 4, "INTEGER", Some(11), None),
        ("tinyint(1)", 5, "TINYINT", Some(1), None),
        ("int8", -5, "INT8", None, None),
        ("bool", 16, "BOOL", None, None),
        ("decimal", 3, "DECIMAL", Some(10), Some(0)),
        ("dec(5)", 3, "DEC", Some(5), Some(0)),
        ("numeric(4,4) zerofill", 2, "NUMERIC UNSIGNED ZEROFILL", Some(4), Some(4)),
        ("fixed(5,1)", 3, "FIXED", Some(5), Some(1)),
        ("double precision", 8, "DOUBLE PRECISION", None, None),
        ("real", 7, "REAL", None, None),
        ("float8", 8, "FLOAT8", None, None),
        ("float(30,2)", 6, "FLOAT", Some(30), Some(2)),
        ("bit", -7, "BIT", Some(1), None),
        ("year(4)", 4, "YEAR", Some(4), None),
        ("time(0)", 92, "TIME", Some(0), None),
        ("timestamp(6)", 2014, "TIMESTAMP", Some(6), None),
        ("char", 1, "CHAR", None, None),
        ("char(0)", 1, "CHAR", Some(10), None),
        ("varbinary(0)", -3, "VARBINARY", Some(10), None),
        ("varchar(8) binary", 12, "VARCHAR BINARY", Some(8), None),
        ("character varying(6)", 12, "CHARACTER VARYING", Some(6), None),
        ("national char varying(5)", -9, "NATIONAL CHAR VARYING", Some(5), None),
        ("nchar(3)", -15, "NCHAR", Some(3), None),
        ("long varbinary", 2004, "LONG VARBINARY", None, None),
        ("long", 12, "LONG", None, None),
        ("text(200)", 12, "TEXT", Some(200), None),
        ("blob(4294967295)", 2004, "BLOB", Some(2_147_483_647), None),
        ("enum('a','b')", 1, "ENUM", Some(1), None),
        ("set('a','b','c')", 1, "SET", Some(5), None),
        ("json", 1111, "JSON", None, None),
        ("vector(3)", 1111, "VECTOR", Some(3), None),
        ("point srid 4326", 1111, "POINT", None, None),
    ] {
        let schema = after(&[&format!("create table t(c {declared})")]);
        let column = table(&schema, "t").columns[0].clone();
        assert_eq!(
            (column.jdbc_type, column.type_name.as_str(), column.length, column.scale),
            (jdbc_type, name, length, scale),
            "{declared}"
        );
        assert!(column.optional && column.has_default_value && column.default_value_expression.is_none());
    }
}

#[test]
fn defaults_are_spelled_as_their_columns_read_them() {
    for (declared, expression) in [
        // As Debezium has them.
        ("decimal(10,2) default '1.50'", Some("1.50")),
        ("varchar(20) default 'n/a'", Some("n/a")),
        ("double default 1e3", Some("1e3")),
        ("int default -007", Some("-007")),
        ("int default - 5", Some("-5")),
        ("bigint default +7", Some("+7")),
        ("bool default true", Some("true")),
        ("datetime(3) default now(3) on update now(3)", Some("1970-01-01 00:00:00")),
        ("timestamp default localtimestamp(6)", Some("1970-01-01 00:00:00")),
        ("bit(3) default b'101'", Some("101")),
        ("int default null", None),
        ("char(36) default (uuid())", None),
        ("varchar(5) default (concat('a', 'b'))", None),
        ("char(2) default _utf8mb4'é'", Some("é")),
        // As the server stores them; Debezium mangles these.
        ("varchar(20) default 'it''s'", Some("it's")),
        ("varchar(20) default 'a\\\\b\\n'", Some("a\\b\n")),
        ("varchar(5) default 'a' 'b'", Some("ab")),
        ("varchar(5) default n'q'", Some("q")),
        ("varchar(20) default 0xC3BCE697A5F09F9880", Some("ü日😀")),
        ("varchar(5) charset latin1 default x'e9'", Some("é")),
        ("varbinary(4) default 0x41424344", Some("ABCD")),
        ("varbinary(8) default 0xcafe", Some("0xCAFE")),
        ("varbinary(8) default '0x'", Some("0x3078")),
        ("binary(4) default 'xy\\0\\0'", Some("xy\0\0")),
        ("int default 0x10", Some("16")),
        ("int default b'101'", Some("5")),
        ("bit(8) default 0x0f", Some("1111")),
        ("bit(4) default 10", Some("1010")),
        ("bit(4) default 0b101", Some("101")),
    ] {
        let schema = after(&[&format!("create table t(c {declared})")]);
        let column = &table(&schema, "t").columns[0];
        assert!(column.has_default_value, "{declared}");
        assert_eq!(column.default_value_expression.as_deref(), expression, "{declared}");
    }
}

#[test]
fn attributes_come_in_any_order() {
    let schema = after(&[
        "create table t(id int auto_increment unique comment 'c1' not null, b varchar(10) default 'q' not \
                          null comment 'it''s', c int null default null, d int default 5 null, g int generated always as \
                          (d + 1) stored not null, u datetime on update now())",
    ]);
    let found = table(&schema, "t");
    assert_eq!(columns(found), "id b:utf8mb4 c? d? g u?");
    let flags = |name: &str| {
        let column = found.column(name).unwrap();
        (column.auto_incremented, column.generated, column.has_default_value)
    };
    assert_eq!(flags("ID"), (true, true, false));
    assert_eq!(flags("c"), (false, false, true));
    assert_eq!(flags("g"), (false, false, false));
    assert_eq!(flags("u"), (true, true, true));
    assert_eq!(found.primary_key_column_names, ["id"]);
    assert!(found.columns.iter().all(|column| column.comment.is_none()), "comments are not kept");
}

#[test]
fn members_stay_literals() {
    let schema = after(&[r#"create table t(e enum('it''s','b\\s', "d""q", x'41'), s set('x' , "y"))"#]);
    let found = table(&schema, "t");
    assert_eq!(found.columns[0].enum_values, [r"'it''s'", r"'b\\s'", r#"'d"q'"#, "'A'"]);
    assert_eq!(found.columns[1].enum_values, ["'x'", "'y'"]);
}

#[test]
fn mariadb_has_words_of_its_own() {
    let options = SchemaOptions { flavor: Flavor::MariaDb, version: 101_119, ..SchemaOptions::default() };
    let mut schema = DatabaseSchema::new(options);
    for text in [
        "create or replace table t(id int, v uuid default uuid(), primary key(id)) engine=innodb `encryption_key_id`=1",
        "alter table if exists t wait 5 add column if not exists x int default 1 + 2 * 3, drop column if exists nope, \
         modify if exists nope2 int, change column if exists nope n2 int",
        "alter table t drop primary key, add y inet6, add z datetime default (now() + interval 1 day)",
        "create table sv(a int, s timestamp(6) generated always as row start, e timestamp(6) generated always as row \
         end, period for system_time(s, e), v int without system versioning) with system versioning",
        "create table mc(a int /*M!100101 not null */, b int /*!50701 not null */, c int /*!100101 not null */)",
        "create table jc(j json, k longtext check (json_valid(k)), c varchar(10) compressed, v int invisible default 3)",
        "create table sq(a int default next value for seq1)",
    ] {
        let result = schema.apply_ddl(&Statement { text, database: "d", ..Statement::default() });
        assert!(result.is_ok(), "{text}: {result:?}");
    }
    assert_eq!(columns(table(&schema, "t")), "id v? x? y? z?");
    assert_eq!(columns(table(&schema, "sv")), "a? s e v?");
    assert_eq!(columns(table(&schema, "mc")), "a b? c");
}

/// What MySQL 9.7 and 5.7 and MariaDB 10.11 stored for a client of UTF-8 with literals of latin1, and the other way round.
#[test]
fn defaults_of_bytes_are_literals_of_the_connection() {
    for (client, connection, text, expected) in [
        (45, 8, "é", ["0xE9", "11101001", "é"]),
        (8, 45, "Ã©", ["Ã©", "11000011100000111100001010101001", "é"]),
    ] {
        let text = format!(
            "create table t(b varbinary(9) default '{text}', e bit(32) default '{text}', n varbinary(9) default N'{text}')"
        );
        let mut schema = after(&[]);
        let statement = Statement {
            text: &text,
            database: "d",
            collation_client: Some(client),
            collation_connection: Some(connection),
            ..Statement::default()
        };
        schema.apply_ddl(&statement).unwrap();
        let defaults =
            table(&schema, "t").columns.iter().map(|column| column.default_value_expression.as_deref());
        assert_eq!(defaults.map(Option::unwrap_or_default).collect::<Vec<_>>(), expected);
    }
}
