//! What a statement does beyond the columns that a table has after it.
//!
//! Two descriptions of a table do not say that it got another name, that two columns changed names, that one was dropped and
//! added again, or that rows went away with a partition. The words of the statement do. They are only looked for and never
//! translated: what is found stops the table, so finding too much would cost a new snapshot and finding too little would be a
//! wrong row. Texts and comments are passed over, except the comments that a server runs (`/*!80000 … */`). MySQL manual:
//! "ALTER TABLE", "RENAME TABLE", "Comments".

/// An effect that the columns do not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// On the whole table.
    Table(&'static str),
    /// On a column of that name.
    Column(String, &'static str),
}

/// Finds the first such effect. `has_column`: whether the table has a column of that name now.
pub(super) fn effect(ddl: &str, has_column: impl Fn(&str) -> bool) -> Option<Effect> {
    let words = words(ddl);
    let word = |at: usize| words.get(at);
    let is = |at: usize, keyword: &str| word(at).is_some_and(|word| word.is(keyword));
    if is(0, "RENAME") {
        return Some(Effect::Table("it was renamed"));
    }
    if !is(0, "ALTER") {
        return None;
    }
    let behind = |at: usize, keyword: &str| if is(at, keyword) { at + 1 } else { at };
    let behind_if_exists = |at: usize| if is(at, "IF") && is(at + 1, "EXISTS") { at + 2 } else { at };
    // The words before are ALTER [IGNORE] TABLE [IF EXISTS] and the name.
    for at in 1..words.len() {
        if is(at, "RENAME") && is(at + 1, "COLUMN") || is(at, "CHANGE") {
            let from = behind_if_exists(behind(at + 1, "COLUMN"));
            let to = behind(from + 1, "TO");
            if let (Some(from), Some(to)) = (word(from), word(to))
                && !from.text.eq_ignore_ascii_case(&to.text)
            {
                return Some(Effect::Column(from.text.clone(), "renamed"));
            }
        } else if is(at, "RENAME") && !is(at + 1, "INDEX") && !is(at + 1, "KEY") {
            return Some(Effect::Table("it was renamed"));
        } else if ["DROP", "TRUNCATE", "EXCHANGE", "CONVERT"].iter().any(|verb| is(at, verb))
            && is(at + 1, "PARTITION")
        {
            return Some(Effect::Table("rows went with a partition, of which no row event tells"));
        } else if ["DISCARD", "IMPORT"].iter().any(|verb| is(at, verb)) {
            return Some(Effect::Table("its rows were exchanged with its tablespace"));
        } else if is(at, "DROP") {
            let dropped = word(behind_if_exists(behind(at + 1, "COLUMN")));
            let other =
                ["INDEX", "KEY", "PRIMARY", "FOREIGN", "CONSTRAINT", "CHECK", "DEFAULT", "PERIOD", "SYSTEM"];
            if let Some(dropped) = dropped
                && !other.iter().any(|keyword| dropped.is(keyword))
                && has_column(&dropped.text)
            {
                return Some(Effect::Column(dropped.text.clone(), "dropped and is there again"));
            }
        }
    }
    None
}

/// A word or a quoted name.
#[derive(Debug)]
struct Word {
    text: String,
    quoted: bool,
}

impl Word {
    fn is(&self, keyword: &str) -> bool {
        !self.quoted && self.text.eq_ignore_ascii_case(keyword)
    }
}

/// Words and quoted names, without texts between apostrophes, comments and symbols.
fn words(ddl: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut rest = ddl;
    while let Some(first) = rest.chars().next() {
        rest = if let Some(comment) = rest.strip_prefix("/*") {
            let runs = comment.strip_prefix("M!").or_else(|| comment.strip_prefix('!'));
            match runs {
                Some(code) => code.trim_start_matches(|digit: char| digit.is_ascii_digit()),
                None => comment.split_once("*/").map_or("", |(_, after)| after),
            }
        } else if first == '#' || is_dash_comment(rest) {
            rest.split_once('\n').map_or("", |(_, after)| after)
        } else if matches!(first, '\'' | '`' | '"') {
            let (text, after) = quoted(first, rest.get(1..).unwrap_or_default());
            if first != '\'' {
                words.push(Word { text, quoted: true });
            }
            after
        } else if is_of_word(first) {
            let end = rest.find(|character| !is_of_word(character)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            words.push(Word { text: word.to_owned(), quoted: false });
            after
        } else {
            rest.get(first.len_utf8()..).unwrap_or_default()
        };
    }
    words
}

fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$') || !character.is_ascii()
}

/// `--` and a blank or the end.
fn is_dash_comment(text: &str) -> bool {
    text.strip_prefix("--").is_some_and(|after| after.chars().next().is_none_or(char::is_whitespace))
}

/// What stands between quotes, and what follows. A doubled quote is one; a backslash counts in texts only.
fn quoted(quote: char, text: &str) -> (String, &str) {
    let mut content = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        if character == '\\' && quote == '\'' {
            characters.next();
        } else if character == quote {
            let after = text.get(at + 1..).unwrap_or_default();
            if !after.starts_with(quote) {
                return (content, after);
            }
            characters.next();
            content.push(quote);
        } else {
            content.push(character);
        }
    }
    (content, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Statements of the golden scenarios ddl_alter_columns, ddl_rename, ddl_ptosc and ddl_comment_versions, and of the manual.
    #[test]
    fn r_3_effects_beyond_the_columns_are_found() {
        const RENAMED: Option<&str> = Some("it was renamed");
        const PARTITION: Option<&str> = Some("rows went with a partition, of which no row event tells");
        const TABLESPACE: Option<&str> = Some("its rows were exchanged with its tablespace");
        for (ddl, wanted) in [
            ("rename table a to a2", RENAMED),
            ("/* gh-ost */ RENAME TABLE `pt`.`_orders_new` TO `pt`.`orders`", RENAMED),
            ("alter table b3 rename to b4", RENAMED),
            ("alter table b4 rename as r2.b5", RENAMED),
            ("alter table r2.b5 rename b6", RENAMED),
            ("alter table t add l int, rename `x`", RENAMED),
            ("alter table t /*!80000 rename to u */", RENAMED),
            ("alter table t rename index a to b, rename key c to d", None),
            ("alter table t comment 'rename to b'", None),
            ("alter table t add column c int -- rename to b", None),
            ("create table t (a int) partition by range (a) (partition p0 values less than (1))", None),
            ("alter table t drop partition p0", PARTITION),
            ("alter table t truncate partition all", PARTITION),
            ("alter table t exchange partition p0 with table u", PARTITION),
            ("alter table t add partition (partition p1 values less than (9))", None),
            ("alter table t reorganize partition p0 into (partition p1 values less than (9))", None),
            ("alter table t import tablespace", TABLESPACE),
            ("alter table t discard partition p0 tablespace", TABLESPACE),
        ] {
            let wanted = wanted.map(Effect::Table);
            assert_eq!(effect(ddl, |_| true), wanted, "{ddl}");
        }
    }

    #[test]
    fn r_3_columns_that_changed_places_are_found() {
        for (ddl, wanted) in [
            ("alter table t rename column a to b, rename column b to a", Some(("a", "renamed"))),
            ("alter table t change a b int, change b a int", Some(("a", "renamed"))),
            ("alter table t change column `a` `A` bigint", None),
            ("alter table t change column if exists a b int", Some(("a", "renamed"))),
            ("alter table t drop a, add a int", Some(("a", "dropped and is there again"))),
            (
                "alter table t drop column if exists `a``b`, add `a``b` int",
                Some(("a`b", "dropped and is there again")),
            ),
            ("alter table t drop gone", None),
            ("alter table t drop primary key, drop index i, drop foreign key f, drop check c", None),
            ("alter table t alter column a drop default", None),
            ("alter table t modify a int comment 'it''s \\' drop a'", None),
        ] {
            let wanted = wanted.map(|(column, what)| Effect::Column(column.to_owned(), what));
            assert_eq!(effect(ddl, |name| name != "gone"), wanted, "{ddl}");
        }
    }
}
