use super::*;
use crate::sink::table::column_type::ColumnType;
use crate::sink::table::mapping::SourceType;

fn columns() -> Vec<MappedColumn> {
    [
        ("id", "Int32"),
        ("tenant", "Int32"),
        ("created", "DateTime64(3, 'UTC')"),
        ("note", "Nullable(String)"),
        ("a`b", "String"),
    ]
    .map(|(name, column_type)| MappedColumn {
        name: name.to_owned(),
        source_type: SourceType::Text,
        column_type: ColumnType::parse(column_type),
        exact: true,
    })
    .to_vec()
}

fn identity() -> Vec<String> {
    vec!["id".to_owned()]
}

/// R-4 and section 4.6: a sorting key contains the identity, is not NULL, and what else is in it is the position of a row.
#[test]
fn r_4_a_sorting_key_contains_the_identity_and_nothing_with_null() {
    for (key, text, position) in [
        ("id", "(`id`)", &[][..]),
        ("(tenant, id)", "(`tenant`, `id`)", &["tenant"]),
        ("toYYYYMM(created), `id`", "(toYYYYMM(`created`), `id`)", &["created"]),
        ("intDiv(tenant, 10) % 7, id, tenant", "(intDiv(`tenant`, 10) % 7, `id`, `tenant`)", &["tenant"]),
        ("id, \"a`b\"", "(`id`, `a\\`b`)", &["a`b"]),
        ("tuple(id)", "(`id`)", &[]),
    ] {
        let proven = prove_order_by(key, &identity(), &columns()).expect(key);
        assert_eq!(proven.text(), text, "{key}");
        assert_eq!(proven.position_columns, position, "{key}");
        assert_eq!(proven.needs_row_before(), !position.is_empty(), "{key}");
    }
    for (key, wanted) in [
        ("tenant", "ORDER BY lacks the key column id: different rows would become one"),
        ("intDiv(id, 10)", "ORDER BY lacks the key column id: different rows would become one"),
        ("tuple()", "ORDER BY lacks the key column id: different rows would become one"),
        ("id, note", "ORDER BY: column note allows null"),
        ("id, ID", "ORDER BY: no column ID"),
        (
            "id, toStartOfHour(now())",
            "ORDER BY: the function now is not known to depend on its arguments alone",
        ),
        ("id, rand()", "ORDER BY: the function rand is not known to depend on its arguments alone"),
        ("id) SETTINGS (x", "ORDER BY id) SETTINGS (x: not a list of columns and functions of columns"),
        ("id,", "ORDER BY id,: not a list of columns and functions of columns"),
        ("id -- x", "ORDER BY id -- x: not a list of columns and functions of columns"),
        ("id /* x", "ORDER BY id /* x: not a list of columns and functions of columns"),
        ("id; DROP TABLE t", "ORDER BY id; DROP TABLE t: not a list of columns and functions of columns"),
        ("`id", "ORDER BY `id: not a list of columns and functions of columns"),
        ("id, 'x'", "ORDER BY id, 'x': not a list of columns and functions of columns"),
    ] {
        assert_eq!(prove_order_by(key, &identity(), &columns()).unwrap_err().to_string(), wanted);
    }
}

/// Section 4.6: a partition key outside of the identity is right with a deletion in the old partition.
#[test]
fn r_4_a_partition_key_outside_of_the_identity_makes_rows_move() {
    let proven = prove_partition_by("toYYYYMM(created)", &identity(), &columns()).unwrap();
    assert_eq!(proven.text(), "(toYYYYMM(`created`))");
    assert!(proven.needs_row_before());
    let inside = prove_partition_by("intDiv(id, 1000)", &identity(), &columns()).unwrap();
    assert!(!inside.needs_row_before());
    let error = prove_partition_by("note", &identity(), &columns()).unwrap_err();
    assert_eq!(error.to_string(), "PARTITION BY: column note allows null");
}

/// `system.tables.sorting_key` of a server 26.7 beside what stood in the statement.
#[test]
fn keys_are_the_same_whatever_their_quotes() {
    for (one, other, same) in [
        ("id, k", "(`id`, `k`)", true),
        ("`a\\`b\\\\c`", "`a``b\\\\c`", true),
        ("lower(id), id", "(lower(`id`), `id`)", true),
        ("", "tuple()", true),
        ("intDiv(id, 1000)", "intDiv(`id`,1000)", true),
        ("id, k", "k, id", false),
        ("id", "ID", false),
        ("id", "id, k", false),
        ("toString('x')", "toString('x')", true),
    ] {
        assert_eq!(same_key(one, other), same, "{one} and {other}");
    }
}
