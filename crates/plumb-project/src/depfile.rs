//! The dependencies of targets in the language of Make, which Ninja and Bazel read too.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use plumb_source::lexical;

use crate::{Dependency, Ending, Finished, Project, Use};

/// Writes a rule for each target: its files depend on the project file and on everything that was
/// read, listed or looked for. A target without files is a rule of its name. If `name` is given, it is
/// the name of all rules. Instead of a path that is missing, the rule has the directory that would
/// change if the path was created.
///
/// Each dependency is also a rule of its own without prerequisites, so that Make does not fail if a
/// file is deleted.
pub fn depfile(project: &Project, finished: &[Finished], name: Option<&Path>) -> String {
    let mut out = String::new();
    let mut all: BTreeSet<PathBuf> = BTreeSet::new();
    for run in finished {
        let Ending::Done(product) = &run.ending else { continue };
        let target = &project.targets[run.target];
        let outputs: Vec<String> = match (name, target.output()) {
            (Some(name), _) => vec![escaped(name)],
            (None, Some(_)) if !product.files.is_empty() => {
                product.files.iter().map(|it| escaped(&lexical::clean(it))).collect()
            }
            (None, _) => vec![escaped(Path::new(&target.name))],
        };
        let mut paths = present(&run.dependencies);
        paths.insert(project.path.clone());
        out.push_str(&outputs.join(" "));
        out.push(':');
        for path in &paths {
            let _ = write!(out, " \\\n  {}", escaped(path));
        }
        out.push('\n');
        all.extend(paths);
    }
    for path in all {
        let _ = writeln!(out, "\n{}:", escaped(&path));
    }
    out
}

/// The paths to depend on, which all exist.
fn present(dependencies: &[Dependency]) -> BTreeSet<PathBuf> {
    let missed: BTreeSet<&Path> =
        dependencies.iter().filter(|it| it.used == Use::Missed).map(|it| &*it.path).collect();
    let mut present = BTreeSet::new();
    for dependency in dependencies {
        let mut path = dependency.path.as_path();
        while missed.contains(path) {
            path = match path.parent() {
                Some(above) if !above.as_os_str().is_empty() => above,
                _ => Path::new("."),
            };
            if path == Path::new(".") {
                break;
            }
        }
        present.insert(path.to_owned());
    }
    present
}

/// A path as Make reads it.
fn escaped(path: &Path) -> String {
    let mut out = String::new();
    for letter in path.to_string_lossy().chars() {
        match letter {
            ' ' | '#' | '\\' | ':' => out.extend(['\\', letter]),
            '$' => out.push_str("$$"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_make_are_escaped() {
        assert_eq!(escaped(Path::new("a b/c#$.yml")), r"a\ b/c\#$$.yml");
    }

    #[test]
    fn a_missing_path_stands_for_the_directory_that_would_have_it() {
        let dependency = |path: &str, used| Dependency { path: path.into(), used };
        let paths = present(&[
            dependency("a/b/c.yml", Use::Missed),
            dependency("a/b", Use::Missed),
            dependency("x.yml", Use::Missed),
            dependency("d", Use::Listed),
        ]);
        assert_eq!(paths, [".", "a", "d"].map(PathBuf::from).into());
    }
}
