//! ALTER TABLE, character sets, names, `sql_mode`, errors.

use super::*;

#[test]
fn alter_table_does_what_the_server_does() {
    for (statements, expected, key) in [
        (
            &[
                "create table t(id int, ii int, jj int)",
                "alter table t rename column ii to jj, rename column jj to ii",
            ][..],
            "id? jj? ii?",
            "",
        ),
        (
            &[
                "create table t(x int, y text)",
                "alter table t change x y bigint, change y x char(3) charset latin1",
            ],
            "y? x?:latin1",
            "",
        ),
        (&["create table t(a int)", "alter table t drop a, add a text"], "a?:utf8mb4", ""),
        (
            &[
                "create table t(b int, c int, a int)",
                "alter table t add d int first, add e int after d, modify c int first",
            ],
            "c? d? e? b? a?",
            "",
        ),
        (
            &[
                "create table t(a int)",
                "alter table t add (b int not null, c char charset greek, key (b), unique (b))",
            ],
            "a? b c?:greek",
            "b",
        ),
        (
            &["create table t(id int, b int, primary key(id))", "alter table t modify id bigint"],
            "id b?",
            "id",
        ),
        (
            &[
                "create table t(id int primary key, b int)",
                "alter table t change id n bigint, add c int first",
            ],
            "c? n b?",
            "n",
        ),
        (
            &[
                "create table t(a int, b int)",
                "alter table t add primary key(b, a)",
                "alter table t drop primary key",
            ],
            "a b",
            "",
        ),
        (
            &[
                "create table t(a int not null, d char(5) not null)",
                "alter table t add unique ud(d)",
                "drop index ud on t",
            ],
            "a d:utf8mb4",
            "",
        ),
        (
            &[
                "create table t(x int, y int, unique k1(x), unique k2(y))",
                "alter table t modify y int not null",
            ],
            "x? y",
            "y",
        ),
        // SHOW CREATE TABLE of 9.7 has k2 before k1 then.
        (
            &[
                "create table t(x int, y int, unique k1(x), unique k2(y))",
                "alter table t modify y int not null",
                "alter table t modify x int not null",
            ],
            "x y",
            "y",
        ),
        (
            &["create table t(a int not null, b char(9) not null, unique ((a+1)), unique (b(3)))"],
            "a b:utf8mb4",
            "b",
        ),
        (&["create table t(a int, b int, primary key(b, a))", "alter table t drop column b"], "a", "a"),
        (
            &[
                "create table t(a int) charset cp1251",
                "alter table t add n varchar(9), default character set latin1, add m char collate greek_bin",
            ],
            "a? n?:latin1 m?:greek",
            "",
        ),
        (
            &[
                "create table t(v char, b char charset binary)",
                "alter table t convert to character set koi8r",
            ],
            "v?:koi8r b?:binary",
            "",
        ),
        (&["create table t(`Ünï` int)", "alter table t rename column `üNÏ` to `é`"], "é?", ""),
        (
            &[
                "create table t(a int) partition by hash(a) partitions 4",
                "alter table t add partition partitions 2",
            ],
            "a?",
            "",
        ),
        (
            &[
                "create table t(a int)",
                "alter table t engine=innodb, comment='x, y (', algorithm=inplace, lock=none, add b int, order by a",
            ],
            "a? b?",
            "",
        ),
        (&["create table t(id serial, v int)"], "id v?", "id"),
    ] {
        let schema = after(statements);
        let found = table(&schema, "t");
        assert_eq!(columns(found), expected, "{statements:?}");
        assert_eq!(found.primary_key_column_names.join(","), key, "{statements:?}");
        let positions: Vec<i32> = found.columns.iter().map(|column| column.position).collect();
        assert_eq!(positions, (1..).take(positions.len()).collect::<Vec<_>>());
    }
}

#[test]
fn a_statement_read_twice_changes_nothing_more() {
    for statement in [
        "alter table t add c int",
        "alter table t change a a2 bigint",
        "alter table t rename column a to a2",
        "alter table t change a a2 bigint first",
        "alter table t drop column b",
        "create table t(a int, b int)",
    ] {
        let mut schema = after(&["create table t(a int, b int)"]);
        apply(&mut schema, statement);
        let once = table(&schema, "t").clone();
        apply(&mut schema, statement);
        assert_eq!(*table(&schema, "t"), once, "{statement}");
    }
}

#[test]
fn character_sets_come_from_the_nearest_level() {
    let mut schema = after(&[
        "SET character_set_server=latin2, collation_server=latin2_general_ci",
        "create database x collate 'koi8r_bin'",
        "create database y",
        "create database if not exists x charset latin1",
        "create table x.t(a text, b text charset utf8mb3, c text collate greek_bin)",
        "create table y.t(a text)",
        "create table x.u(a text) collate utf8mb4_bin",
        "alter database x default collate cp1250_bin",
        "create table x.v(a char(3) unicode, b char(3) ascii, c char(3) byte, d nchar, e text)",
    ]);
    for (name, expected) in [
        ("x.t", "a?:koi8r b?:utf8mb3 c?:greek"),
        ("y.t", "a?:latin2"),
        ("x.u", "a?:utf8mb4"),
        ("x.v", "a?:ucs2 b?:latin1 c? d?:utf8 e?:cp1250"),
    ] {
        assert_eq!(columns(table(&schema, name)), expected, "{name}");
    }
    let session = Statement { text: "create database z", collation_server: Some(8), ..Statement::default() };
    schema.apply_ddl(&session).unwrap();
    assert_eq!(schema.database_charset("z"), Some("latin1"));
}

#[test]
fn sql_mode_decides_what_quotes_mean() {
    let mut schema = DatabaseSchema::default();
    let ansi = |text| Statement { text, database: "d", sql_mode: 4, ..Statement::default() };
    schema
        .apply_ddl(&ansi(
            r#"create table "an si"("i d" int primary key, "v" char default 'x' comment 'c "q"')"#,
        ))
        .unwrap();
    schema.apply_ddl(&ansi(r#"alter table "an si" add "select" int, rename column "v" to "w""q""#)).unwrap();
    assert_eq!(columns(table(&schema, "an si")), "i d w\"q?:utf8mb4 select?");
    let plain = Statement {
        text: r"create table n(v char(9) default 'a\b', w char default '\')",
        database: "d",
        sql_mode: 0x10_0000,
        ..Statement::default()
    };
    schema.apply_ddl(&plain).unwrap();
    let found = table(&schema, "n");
    assert_eq!(found.columns[0].default_value_expression.as_deref(), Some("a\\b"));
    assert_eq!(found.columns[1].default_value_expression.as_deref(), Some("\\"));
}

#[test]
fn errors_name_the_place_and_leave_everything_as_it_was() {
    let mut schema = after(&["create table a(x int)"]);
    let before = table(&schema, "a").clone();
    for (text, expected) in [
        (
            "create table b(x nonsense, y int)",
            DdlError::Unparseable {
                position: 17,
                excerpt: "nonsense, y int)".into(),
                expected: "a data type",
            },
        ),
        (
            "drop table a; alter table",
            DdlError::Unparseable { position: 25, excerpt: String::new(), expected: "a name" },
        ),
        (
            "alter table a modify z int",
            DdlError::UnknownColumn { table: TableId::new("d", "a"), column: "z".into() },
        ),
    ] {
        let statement = Statement { text, database: "d", ..Statement::default() };
        assert_eq!(schema.apply_ddl(&statement), Err(expected), "{text}");
        assert_eq!(*table(&schema, "a"), before);
    }
    let nowhere = Statement { text: "create table a(x int)", ..Statement::default() };
    assert!(matches!(schema.apply_ddl(&nowhere), Err(DdlError::NoDatabase { .. })));
}

/// MySQL manual, "Identifier Case Sensitivity": under 2, names are stored as CREATE spells them, and compared in lower case.
#[test]
fn lower_case_table_names_2_keeps_the_spelling_of_create() {
    let options = SchemaOptions { lower_case_table_names: 2, ..SchemaOptions::default() };
    let mut schema = DatabaseSchema::new(options);
    for (text, tables) in [
        ("create database Shop charset latin1", vec![]),
        ("create table Shop.Tab(a char(3) primary key)", vec!["Shop.Tab"]),
        ("create table if not exists shop.TAB(other int)", vec!["Shop.Tab"]),
        ("alter table SHOP.tab add B int", vec!["Shop.Tab"]),
        ("create table SHOP.Copy like shop.tAB", vec!["SHOP.Copy", "Shop.Tab"]),
        (
            "rename table shop.copy to shop.Third, shop.tab to shop.Copy, shop.third to shop.tab",
            vec!["shop.Copy", "shop.tab"],
        ),
        ("create index i on SHOP.TAB(b)", vec!["shop.Copy", "shop.tab"]),
        ("drop table shop.COPY", vec!["shop.tab"]),
    ] {
        schema.apply_ddl(&Statement { text, ..Statement::default() }).unwrap();
        let names: Vec<String> = schema.tables().map(|table| table.id.to_string()).collect();
        assert_eq!(names, tables, "{text}");
    }
    assert_eq!(schema.database_charset("sHOP"), Some("latin1"));
    let found = table(&schema, "SHOP.TAB");
    assert_eq!(found.columns.len(), 2);
    assert_eq!(found.columns[0].charset_name.as_deref(), Some("latin1"));
    let statement = Statement { text: "drop database SHOP", ..Statement::default() };
    schema.apply_ddl(&statement).unwrap();
    assert_eq!((schema.tables().count(), schema.databases().count()), (0, 0));
}

#[test]
fn names_are_compared_by_lower_case_table_names() {
    for (mode, stored, found_by) in [(0, "D.Tab", "D.Tab"), (1, "d.tab", "D.TAB"), (2, "D.Tab", "d.tAB")] {
        let options = SchemaOptions { lower_case_table_names: mode, ..SchemaOptions::default() };
        let mut schema = DatabaseSchema::new(options);
        let statement = Statement { text: "create table D.Tab(a int)", ..Statement::default() };
        let changes = schema.apply_ddl(&statement).unwrap();
        assert_eq!(changes[0].table_changes[0].id.to_string(), stored);
        assert_eq!(table(&schema, found_by).id.to_string(), stored);
        let statement = Statement { text: "drop table D.Tab", ..Statement::default() };
        schema.apply_ddl(&statement).unwrap();
        assert_eq!(schema.tables().count(), 0);
    }
}
