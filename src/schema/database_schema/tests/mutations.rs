//! Damaged statements.

use super::*;
use proptest::prelude::*;

const STATEMENTS: &[&str] = &[
    "create table t(id int unsigned not null auto_increment primary key, v varchar(10) default 'it''s', e enum('a'))",
    "alter table a add (b int, c text charset latin1), drop x, rename to z, convert to character set utf8mb4",
    "rename table a to b, b to `c`; drop table if exists a, b cascade",
    "/*!50001 create */ unique index i on a(x desc, (x + 1)) -- c",
    "set character_set_server = 'latin1', @@global.x := 1",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Whatever comes, there is an answer.
    #[test]
    fn no_text_makes_it_panic(which in 0..STATEMENTS.len(), at in 0usize..120, cut in 0usize..12, put in "[ -~é\n]{0,6}", mode in 0u64..8) {
        let text: Vec<char> = STATEMENTS[which].chars().collect();
        let at = at.min(text.len());
        let end = (at + cut).min(text.len());
        let text: String = text[..at].iter().copied().chain(put.chars()).chain(text[end..].iter().copied()).collect();
        let mut schema = after(&["create table a(x int)"]);
        let _ = schema.apply_ddl(&Statement { text: &text, database: "d", sql_mode: mode, ..Statement::default() });
    }
}
