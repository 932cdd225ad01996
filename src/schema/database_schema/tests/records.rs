//! What is published and stored for a statement.

use super::*;

/// Kind, database, ddl, `source.table`, changed tables.
fn shown(changes: &[SchemaChange]) -> Vec<String> {
    let table = |change: &SchemaChange| {
        let change = change.table_changes.first();
        let previous = change.and_then(|change| change.previous_id.as_ref());
        let previous = previous.map(|id| format!(" from {id}")).unwrap_or_default();
        change.map(|change| format!("{:?} {}{previous}", change.kind, change.id)).unwrap_or_default()
    };
    let show = |c: &SchemaChange| {
        format!("{:?} | {} | {} | {:?} | {}", c.kind, c.database, c.ddl, c.source_table.as_deref(), table(c))
    };
    changes.iter().map(show).collect()
}

#[test]
fn records_are_those_of_debezium() {
    for (text, expected) in [
        (
            "create table n(id int)",
            vec![r#"CreateTable | d | create table n(id int) | Some("n") | Create d.n"#],
        ),
        (
            "create table if not exists a(z int)",
            vec![r#"Other | d | create table if not exists a(z int) | Some("") | "#],
        ),
        (
            "/* lead */ alter /* c */ table a /*!80000 add v int */ /* trail */",
            vec![r#"AlterTable | d | alter /* c */ table a /*!80000 add v int */ | Some("a") | Alter d.a"#],
        ),
        (
            "/*!90700 create table w(x int) */",
            vec![r#"CreateTable | d | /*!90700 create table w(x int) */ | Some("w") | Create d.w"#],
        ),
        (
            r#"create table q(v varchar(9) default "it's ""x""")"#,
            vec![
                r#"CreateTable | d | create table q(v varchar(9) default 'it''s "x"') | Some("q") | Create d.q"#,
            ],
        ),
        (
            "drop table if exists e.a, `t``t`, nothing cascade",
            vec![
                r#"DropTable | e | DROP TABLE IF EXISTS `e`.`a` | Some("a") | Drop e.a"#,
                r#"DropTable | d | DROP TABLE IF EXISTS `d`.`t``t` | Some("t`t,nothing") | Drop d.t`t"#,
                r#"DropTable | d | DROP TABLE IF EXISTS `d`.`nothing` | Some("t`t,nothing") | Drop d.nothing"#,
            ],
        ),
        (
            "rename /* gh-ost */ table a to tmp, b to a, tmp to b",
            vec![
                r#"AlterTable | d | rename /* gh-ost */ table a to tmp | Some("a,b,tmp") | "#,
                r#"AlterTable | d | rename /* gh-ost */ table b to a | Some("a,b,tmp") | Alter d.a from d.b"#,
                r#"AlterTable | d | rename /* gh-ost */ table tmp to b | Some("a,b,tmp") | Alter d.b from d.tmp"#,
            ],
        ),
        (
            "alter table a rename = e.c",
            vec![r#"AlterTable | e | alter table a rename = e.c | Some("c") | Alter e.c"#],
        ),
        ("alter table nobody add x int", vec![r#"Other | d | alter table nobody add x int | Some("") | "#]),
        ("create index i on a(x)", vec![r#"Other | d | create index i on a(x) | Some("") | "#]),
        (
            "create unique index i on b(x)",
            vec![r#"AlterTable | d | create unique index i on b(x) | Some("b") | Alter d.b"#],
        ),
        (
            "create schema e collate latin1_bin;",
            vec!["CreateDatabase | e | create schema e collate latin1_bin | None | "],
        ),
        (
            "alter database e read only = 1",
            vec![r#"AlterDatabase | e | alter database e read only = 1 | Some("") | "#],
        ),
        (
            "alter database character set greek",
            vec![r#"AlterDatabase | d | alter database character set greek | Some("") | "#],
        ),
        ("drop database if exists e", vec!["DropDatabase | e | drop database if exists e | None | "]),
        ("USE `e`", vec!["UseDatabase | e | USE `e` | None | "]),
        (
            "SET character_set_server=utf8mb4, collation_server=utf8mb4_0900_ai_ci",
            vec![
                "SetVariable |  | SET character_set_server=utf8mb4, collation_server=utf8mb4_0900_ai_ci | None | ",
            ],
        ),
        ("flush tables", vec![r#"Other | d | flush tables | Some("") | "#]),
        (
            "rename user 'a'@'b' to 'c'@'d'",
            vec![r#"Other | d | rename user 'a'@'b' to 'c'@'d' | Some("") | "#],
        ),
        (
            "CREATE LIBRARY `l` AS $$ it's; $$",
            vec![r#"Other | d | CREATE LIBRARY `l` AS $$ it's; $$ | Some("") | "#],
        ),
        (
            "create definer=`root`@`localhost` event e do begin insert into t values(1); end",
            vec![
                r#"Other | d | create definer=`root`@`localhost` event e do begin insert into t values(1); end | Some("") | "#,
            ],
        ),
        (
            "set statement max_statement_time=5 for drop table a",
            vec![r#"DropTable | d | DROP TABLE `d`.`a` | Some("a") | Drop d.a"#],
        ),
        (
            "truncate table a",
            vec!["TruncateTable(TableId { database: \"d\", table: \"a\" }) | d | truncate table a | None | "],
        ),
    ] {
        let mut schema = after(&["create table a(x int)", "create table b(x int not null)"]);
        assert_eq!(shown(&apply(&mut schema, text)), expected, "{text}");
    }
}

#[test]
fn what_touches_no_table_is_passed_over() {
    for text in [
        "BEGIN",
        "COMMIT",
        "XA START 'x'",
        "savepoint a",
        "insert into t values('it''s')",
        "create or replace algorithm=undefined definer=`root`@`localhost` sql security definer view v as select 1",
        "create definer=root@localhost trigger t before insert on x for each row begin set @a = 1; set @b = 2; end",
        "CREATE DEFINER=`a`@`%` FUNCTION f() returns int return 1",
        "create procedure p() begin drop table a; end",
        "alter user u identified by 'x'",
        "drop role r",
        "grant select on *.* to u",
        "set password for u = 'x'",
        "set @a = 1",
        "optimize table a",
        "create temporary table a(x int)",
        "drop temporary table if exists a /* generated by server */",
        "drop view if exists a",
        "# Dummy event replacing event type 160 that slave cannot handle.",
        "",
        " ; ",
    ] {
        let mut schema = after(&["create table a(x int)"]);
        assert_eq!(apply(&mut schema, text), [], "{text}");
        assert!(schema.table(&TableId::new("d", "a")).is_some(), "{text}");
    }
}

/// The list of all tables stands in every record; it is there once, however long the statement is.
#[test]
fn records_of_one_drop_share_their_list_of_tables() {
    let names: Vec<String> = (0..20_000).map(|number| format!("t{number}")).collect();
    let text = format!("drop table if exists {}", names.join(","));
    let mut schema = after(&[]);
    let changes =
        schema.apply_ddl(&Statement { text: &text, database: "d", ..Statement::default() }).unwrap();
    let lists: Vec<_> = changes.iter().filter_map(|change| change.source_table.as_ref()).collect();
    assert_eq!((lists.len(), lists[0].split(',').count()), (20_000, 20_000));
    assert!(lists.iter().all(|list| std::sync::Arc::ptr_eq(list, lists[0])));
}
