//! The shape of the code: finds files that are too small, and types whose methods are in too many
//! files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::{files, words};

/// Files with fewer lines must be part of another file, unless they list modules or are a program.
const MIN_LINES: usize = 30;

/// Directories with one file for each command, report format or module: it may be small.
const OF_ONE_KIND: [&str; 3] =
    ["crates/plumb-cli/src/command/", "crates/plumb-report/src/", "crates/plumb-stdlib/src/"];

/// Small files with a type that many files use, or with a subject of their own.
const NAMED: [&str; 10] = [
    "crates/plumb-cli/src/exit.rs",
    "crates/plumb-diagnostic/src/code.rs",
    "crates/plumb-diagnostic/src/silent.rs",
    "crates/plumb-ide/src/question.rs",
    "crates/plumb-library/src/printed.rs",
    "crates/plumb-project/src/inline.rs",
    "crates/plumb-schema/src/key_type.rs",
    "crates/plumb-starlark/src/language.rs",
    "crates/plumb-testkit/src/difference.rs",
    "crates/plumb-value/src/uses.rs",
];

/// The maximum number of files with methods of one type.
const MAX_FILES: usize = 3;

/// Finds files that are too small to be separate files.
pub(crate) fn small_files(root: &Path) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for path in sources(root)? {
        let shown = shown(&path, root);
        if is_too_small(&shown, &std::fs::read_to_string(&path)?) {
            problems
                .push(format!("{shown}: has fewer than {MIN_LINES} lines; fold it into another"));
        }
    }
    Ok(problems)
}

fn is_too_small(path: &str, text: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_index = matches!(name, "lib.rs" | "mod.rs" | "main.rs") || path.contains("/bin/");
    let is_named = NAMED.contains(&path) || OF_ONE_KIND.iter().any(|it| path.starts_with(it));
    !is_index && !is_named && text.lines().count() < MIN_LINES
}

/// Finds types whose methods are in too many files.
pub(crate) fn scattered_types(root: &Path) -> Result<Vec<String>> {
    let mut files_of: BTreeMap<(String, String), BTreeSet<PathBuf>> = BTreeMap::new();
    for path in sources(root)? {
        let shown = shown(&path, root);
        let Some(name) = shown.split('/').nth(1) else { continue };
        for implemented in types_with_methods(&std::fs::read_to_string(&path)?) {
            let key = (name.to_owned(), implemented.to_owned());
            files_of.entry(key).or_default().insert(path.clone());
        }
    }
    let counts = files_of
        .iter()
        .map(|((name, implemented), files)| (name.as_str(), implemented.as_str(), files.len()));
    Ok(counts.filter_map(|(name, implemented, n)| too_scattered(name, implemented, n)).collect())
}

fn too_scattered(name: &str, implemented: &str, n_files: usize) -> Option<String> {
    (n_files > MAX_FILES).then(|| {
        format!(
            "{name}: methods of {implemented} are in {n_files} files, at most {MAX_FILES} are \
             allowed"
        )
    })
}

/// The types that have an `impl` block in some code. Implementations of traits do not count.
fn types_with_methods(code: &str) -> impl Iterator<Item = &str> {
    let lines = words::before_tests(code).lines();
    lines.filter_map(|line| {
        let rest = line.strip_prefix("impl")?;
        let rest = match rest.strip_prefix('<') {
            Some(generics) => &generics[end_of_generics(generics)?..],
            None => rest,
        };
        let rest = rest.strip_prefix(' ')?;
        let end = rest.find(|it: char| !it.is_alphanumeric() && it != '_')?;
        (!line.contains(" for ")).then_some(&rest[..end])
    })
}

/// The offset after the `>` that ends generic parameters.
pub(crate) fn end_of_generics(text: &str) -> Option<usize> {
    let mut depth = 1;
    for (at, it) in text.char_indices() {
        match it {
            '<' => depth += 1,
            '>' if !text[..at].ends_with('-') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// The source files of all crates.
fn sources(root: &Path) -> Result<Vec<PathBuf>> {
    let all = files::with_extension(&root.join("crates"), "rs")?;
    let is_source = |it: &PathBuf| {
        let shown = shown(it, root);
        shown.contains("/src/") && !shown.contains("/tests/")
    };
    Ok(all.into_iter().filter(is_source).collect())
}

/// The path from the root of the repository.
fn shown(path: &Path, root: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_few_lines_is_found() {
        let few = "line\n".repeat(MIN_LINES - 1);
        assert!(is_too_small("crates/a/src/b.rs", &few));
        assert!(!is_too_small("crates/a/src/b.rs", &format!("{few}line\n")));
        assert!(!is_too_small("crates/a/src/b/mod.rs", &few));
        assert!(!is_too_small("crates/a/src/bin/b.rs", &few));
        assert!(!is_too_small(NAMED[0], &few));
        assert!(!is_too_small("crates/plumb-cli/src/command/b.rs", &few));
    }

    #[test]
    fn every_named_small_file_is_small() {
        for path in NAMED {
            let text = std::fs::read_to_string(crate::root().join(path)).expect("it is there");
            assert!(text.lines().count() < MIN_LINES, "{path} need not be named");
        }
    }

    #[test]
    fn types_with_methods_are_found_and_traits_are_not() {
        let code = "impl<'a, F: Fn(u8) -> Vec<u8>> Reader<'a, F> {\nimpl Name {\n\
                    impl World for Disk {\nimpl<T> From<T> for Name {\n    impl Inner {\n\
                    #[cfg(test)]\nmod tests {\nimpl Tested {";
        assert_eq!(types_with_methods(code).collect::<Vec<_>>(), ["Reader", "Name"]);
    }

    #[test]
    fn a_type_in_too_many_files_is_found() {
        assert_eq!(too_scattered("plumb-x", "Name", MAX_FILES), None);
        assert!(too_scattered("plumb-x", "Name", MAX_FILES + 1).is_some());
    }
}
