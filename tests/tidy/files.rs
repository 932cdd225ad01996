//! What a source file must look like from outside: its name, its size, its first lines.

/// A file is about one thing; what needs more lines is two things.
const MOST_LINES: usize = 400;
/// Tables of cases may be longer.
const MOST_LINES_OF_TESTS: usize = 800;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: &[&str] = &[
    "utils", "util", "common", "core", "helpers", "helper", "manager", "base", "misc", "types", "prelude",
    "stuff",
];

/// Everything wrong with one file, as `file:line: what`. `file` is relative to the package, in `src/` or `tests/`.
pub fn problems(file: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in file.split('/').map(|part| part.strip_suffix(".rs").unwrap_or(part)) {
        if EMPTY_NAMES.contains(&part) {
            found.push(format!("{file}:1: the name {part} says nothing; name the thing it is about"));
        }
    }
    let of_tests = file.ends_with("/tests.rs");
    let most = if of_tests || file.starts_with("tests/") { MOST_LINES_OF_TESTS } else { MOST_LINES };
    let lines = text.lines().count();
    if lines > most {
        found.push(format!("{file}:{lines}: {lines} lines, at most {most}"));
    }
    let header = text.lines().find(|line| !line.starts_with("#![") && !line.trim().is_empty());
    if !of_tests && !header.is_some_and(|line| line.starts_with("//!")) {
        found.push(format!("{file}:1: begins without a //! header that tells what the module does"));
    }
    found
}

#[test]
fn names_sizes_and_headers_are_checked() {
    let long = |lines: usize| format!("//! Story.\n{}", "x\n".repeat(lines - 1));
    for (file, text, wanted) in [
        (
            "src/wire/utils.rs",
            "//! Story.",
            vec!["src/wire/utils.rs:1: the name utils says nothing; name the thing it is about"],
        ),
        (
            "src/common/x.rs",
            "//! Story.",
            vec!["src/common/x.rs:1: the name common says nothing; name the thing it is about"],
        ),
        ("src/wire/reader.rs", &long(400), vec![]),
        ("src/wire/reader.rs", &long(401), vec!["src/wire/reader.rs:401: 401 lines, at most 400"]),
        ("src/wire/reader/tests.rs", &long(800), vec![]),
        (
            "src/wire/reader/tests.rs",
            &long(801),
            vec!["src/wire/reader/tests.rs:801: 801 lines, at most 800"],
        ),
        (
            "src/a.rs",
            "use x;",
            vec!["src/a.rs:1: begins without a //! header that tells what the module does"],
        ),
        ("src/a.rs", "#![allow(x)]\n\n//! Story.", vec![]),
        ("src/a/tests.rs", "use super::*;", vec![]),
        ("tests/tidy/main.rs", "//! Story.", vec![]),
    ] {
        assert_eq!(problems(file, text), wanted, "{file}");
    }
}
