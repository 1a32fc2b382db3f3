//! Examples in doc comments. Crates without one have `doctest = false` in their manifests: `cargo
//! test` would start rustdoc for each of them, which takes seconds.

use std::path::Path;

use anyhow::Result;

use crate::files;

/// Finds examples that are not run because of the manifest of their crate.
pub(crate) fn problems(root: &Path) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for entry in std::fs::read_dir(root.join("crates"))? {
        let path = entry?.path();
        let manifest = std::fs::read_to_string(path.join("Cargo.toml"))?;
        if !manifest.lines().any(|it| it == "doctest = false") {
            continue;
        }
        for file in files::with_extension(&path.join("src"), "rs")? {
            if contains_example(&std::fs::read_to_string(&file)?) {
                let shown = file.strip_prefix(root)?.display();
                problems.push(format!(
                    "{shown}: its example is not run; remove `doctest = false` from Cargo.toml"
                ));
            }
        }
    }
    problems.sort();
    Ok(problems)
}

/// Whether doc comments have a block that rustdoc would run.
fn contains_example(text: &str) -> bool {
    let mut in_block = false;
    for line in text.lines().map(str::trim_start) {
        let comment = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        let Some(language) = comment.and_then(|it| it.trim().strip_prefix("```")) else { continue };
        let is_rust = matches!(language, "" | "rust" | "no_run" | "should_panic" | "compile_fail");
        if !in_block && is_rust {
            return true;
        }
        in_block = !in_block;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Scratch;

    #[test]
    fn an_example_that_is_not_run_is_found() {
        let off = "[lib]\ndoctest = false\n";
        let scratch = Scratch::new(
            "doctests",
            &[
                ("crates/a/Cargo.toml", off),
                ("crates/a/src/lib.rs", "//! ```\n//! let a = 1;\n//! ```\n"),
                ("crates/b/Cargo.toml", off),
                ("crates/b/src/lib.rs", "/// ```text\n/// a\n/// ```\nfn a() {}\n"),
                ("crates/c/Cargo.toml", "[package]\n"),
                ("crates/c/src/lib.rs", "/// ```no_run\n/// ```\n"),
                ("crates/d/Cargo.toml", off),
                ("crates/d/src/lib.rs", "/// ```text\n/// ```\n/// ```no_run\n/// ```\n"),
            ],
        );
        let found = problems(&scratch.0).expect("the files can be read");
        let not_run =
            "src/lib.rs: its example is not run; remove `doctest = false` from Cargo.toml";
        assert_eq!(found, [format!("crates/a/{not_run}"), format!("crates/d/{not_run}")]);
    }
}
