//! The known name that an unknown one was probably meant to be.

/// The candidate with the fewest edits (insertion, deletion, replacement, exchange of neighbours), if they are few
/// enough for a slip: a quarter of the name's length. Of `database.` names only the rest counts, as any may be meant
/// for the JDBC driver.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let typed = name.strip_prefix("database.").unwrap_or(name);
    let limit = (typed.chars().count() / 4).max(2);
    candidates
        .map(|candidate| (edits(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The optimal string alignment distance, by the usual table of which three lines are kept.
fn edits(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let at = |line: &[usize], index: usize| line.get(index).copied().unwrap_or(usize::MAX / 2);
    let mut before: Vec<usize> = Vec::new();
    let mut previous: Vec<usize> = (0..=right.len()).collect();
    let mut last_left = None;
    for (row, left) in left.chars().enumerate() {
        let mut line = vec![row + 1];
        for (column, &character) in right.iter().enumerate() {
            let replaced = at(&previous, column) + usize::from(left != character);
            let mut best = replaced.min(at(&previous, column + 1) + 1).min(at(&line, column) + 1);
            let exchanged =
                column > 0 && last_left == Some(character) && right.get(column - 1) == Some(&left);
            if exchanged {
                best = best.min(at(&before, column - 1) + 1);
            }
            line.push(best);
        }
        before = std::mem::replace(&mut previous, line);
        last_left = Some(left);
    }
    at(&previous, right.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (left, right, expected) in [
            ("", "", 0),
            ("abc", "", 3),
            ("", "abc", 3),
            ("abc", "acb", 1),
            ("kitten", "sitting", 3),
            ("a", "b", 1),
        ] {
            assert_eq!(edits(left, right), expected, "{left} {right}");
        }
    }

    #[test]
    fn slips_find_their_name() {
        let known = ["table.include.list", "table.exclude.list", "snapshot.mode", "database.user"];
        let cases = [
            ("table.inculde.list", Some("table.include.list")),
            ("tabel.include.list", Some("table.include.list")),
            ("snapshotmode", Some("snapshot.mode")),
            ("table.whitelist", None),
            ("database.usr", Some("database.user")),
            ("database.useSSL", None),
            ("x", None),
        ];
        for (name, expected) in cases {
            assert_eq!(nearest(name, known.into_iter()), expected, "{name}");
        }
    }
}
