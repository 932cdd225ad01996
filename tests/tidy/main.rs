//! The shape of the source tree, held by tests: who may import whom, what a file may be called, how long it may be.
//!
//! `layers.rs` and `files.rs` judge text and prove themselves on made-up examples; here they judge the package.

mod files;
mod layers;

use std::fs;
use std::path::{Path, PathBuf};

/// All `.rs` files below a folder of the package, in order.
fn rust_files(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// What `judge` says about every file of a folder; names are given relative to `base`.
fn judge(folder: &str, base: &str, judge: impl Fn(&str, &str) -> Vec<String>) {
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join(base);
    let files = rust_files(folder);
    assert!(!files.is_empty(), "no files below {folder}");
    let problems: Vec<String> = files
        .iter()
        .flat_map(|path| {
            let name =
                path.strip_prefix(&base).expect("a path below the base").to_str().expect("a name in UTF-8");
            judge(name, &fs::read_to_string(path).expect("a file in UTF-8"))
        })
        .collect();
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn imports_point_down_the_data_path() {
    judge("src", "src", layers::problems);
}

#[test]
fn source_files_are_named_sized_and_introduced() {
    judge("src", "", files::problems);
}

#[test]
fn test_files_are_named_sized_and_introduced() {
    judge("tests", "", files::problems);
}
