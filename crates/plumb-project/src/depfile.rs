//! The dependencies of targets as Make rules, which Ninja and Bazel read too.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use plumb_source::lexical;

use crate::{Dependency, Ending, Finished, Project, Use};

/// Writes a rule for each target: its files depend on the project file and on everything that was
/// read, listed or looked for. For a target without files, the rule has the name of the target. If
/// `name` is given, all rules have this name. A missing path is replaced by the directory that
/// would change if the path was created.
///
/// Each dependency is also a separate rule without prerequisites, so that Make does not fail if a
/// file is deleted.
///
/// Fails if Make cannot express a path. Otherwise, a file name with a line break or a `;` would
/// become a separate rule, with commands.
pub fn depfile(
    project: &Project,
    finished: &[Finished],
    name: Option<&Path>,
) -> Result<String, DepfileError> {
    let mut out = String::new();
    let mut all: BTreeSet<PathBuf> = BTreeSet::new();
    for run in finished {
        let Ending::Done(product) = &run.ending else { continue };
        let target = &project.targets[run.target];
        let outputs: Vec<String> = match (name, target.output()) {
            (Some(name), _) => vec![escaped(name)?],
            (None, Some(_)) if !product.files.is_empty() => {
                let files = product.files.iter().map(|it| escaped(&lexical::clean(it)));
                files.collect::<Result<_, _>>()?
            }
            (None, _) => vec![escaped(Path::new(&target.name))?],
        };
        let mut paths = present(&run.dependencies);
        paths.insert(project.path.clone());
        out.push_str(&outputs.join(" "));
        out.push(':');
        for path in &paths {
            let _ = write!(out, " \\\n  {}", escaped(path)?);
        }
        out.push('\n');
        all.extend(paths);
    }
    for path in all {
        let _ = writeln!(out, "\n{}:", escaped(&path)?);
    }
    Ok(out)
}

/// A path that Make cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DepfileError {
    /// The path.
    pub path: PathBuf,
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

/// A path as Make reads it. `;` would begin a command, `=` would set a variable such as `SHELL`,
/// and a line break in a name cannot be escaped.
fn escaped(path: &Path) -> Result<String, DepfileError> {
    let mut out = String::new();
    let text = path.to_str().ok_or_else(|| DepfileError { path: path.to_owned() })?;
    for letter in text.chars() {
        match letter {
            ';' | '=' => return Err(DepfileError { path: path.to_owned() }),
            it if it.is_control() => return Err(DepfileError { path: path.to_owned() }),
            ' ' | '#' | '\\' | ':' => out.extend(['\\', letter]),
            '$' => out.push_str("$$"),
            other => out.push(other),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_make_are_escaped() {
        assert_eq!(escaped(Path::new("a b/c#$.yml")).as_deref(), Ok(r"a\ b/c\#$$.yml"));
    }

    #[test]
    fn names_that_would_be_rules_or_commands_are_refused() {
        for name in ["a\nall: evil", "a;touch b", "SHELL=evil", "a\tb", "a\rb", "a\u{7f}"] {
            assert_eq!(escaped(Path::new(name)), Err(DepfileError { path: name.into() }));
        }
    }

    #[test]
    fn a_missing_path_is_replaced_by_its_nearest_directory() {
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
