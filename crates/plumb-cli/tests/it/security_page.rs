//! The page about security names a test for each attack: all of them exist.

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn every_attack_on_the_page_has_its_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/src/concepts/security.md")).expect("readable");
    let rows = page.lines().filter(|it| it.starts_with("| ") && it.contains('`'));
    let cells = rows.filter_map(|row| row.trim_end_matches(" |").rsplit(" | ").next());
    let names = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let names: Vec<(&str, &str)> = names.filter_map(|it| it.split_once(": ")).collect();
    assert!(names.len() > 50, "only {} tests are named", names.len());
    let missing: Vec<_> =
        names.iter().filter(|(place, name)| !exists(&root, place, name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

fn exists(root: &Path, place: &str, name: &str) -> bool {
    match place {
        "load" => {
            let attacks = root.join("crates/plumb-webhook/examples/load/attack.rs");
            fs::read_to_string(attacks).expect("readable").contains(&format!("\"{name}\""))
        }
        "fuzz" => root.join(format!("fuzz/fuzz_targets/{name}.rs")).exists(),
        _ => contains_test(&root.join("crates").join(place), &format!("fn {name}()")),
    }
}

/// Whether a file below a directory has a function after `#[test]`.
fn contains_test(directory: &Path, function: &str) -> bool {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let paths: Vec<PathBuf> = entries.map(|it| it.path()).collect();
    paths.iter().any(|path| {
        if path.is_dir() {
            return contains_test(path, function);
        }
        if path.extension().is_none_or(|it| it != "rs") {
            return false;
        }
        let text = fs::read_to_string(path).expect("readable");
        text.split("#[test]").skip(1).any(|it| {
            let head = it.lines().find(|line| line.contains("fn ")).unwrap_or_default();
            head.contains(function)
        })
    })
}
