//! Finds files with tests.

use std::path::{Path, PathBuf};

use plumb::World;
use plumb::world::{EntryKind, WorldError};
use plumb_source::lexical;

/// The ends of the names of files with tests.
const ENDINGS: [&str; 3] = ["_test.yml", "_test.yaml", "_test.star"];

/// The name of directories with tests.
pub const TESTS: &str = "tests";

/// The maximum depth of directories that are searched.
const MAX_DEPTH: usize = 64;

/// Which files below a directory are tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Below {
    /// All files with such a name.
    Everywhere,
    /// Those in directories called `tests`.
    Tests,
}

/// Finds the files with tests at a path: the file itself, or those below a directory in the order
/// of their paths. Hidden directories, links to directories, and `node_modules` are left out.
pub fn find(world: &dyn World, path: &Path, below: Below) -> Result<Vec<PathBuf>, WorldError> {
    let shown = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    if world.entry(shown)? != EntryKind::Directory {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    let is_in_tests = path.file_name().is_some_and(|it| it == TESTS);
    let is_in_tests = is_in_tests || below == Below::Everywhere;
    search(world, path, is_in_tests, MAX_DEPTH, &mut found)?;
    found.sort();
    Ok(found)
}

fn search(
    world: &dyn World,
    directory: &Path,
    is_in_tests: bool,
    depth: usize,
    found: &mut Vec<PathBuf>,
) -> Result<(), WorldError> {
    let shown = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    for entry in world.list(shown)? {
        let name = entry.name.to_string_lossy();
        let path = lexical::clean(&directory.join(&entry.name));
        match entry.kind {
            EntryKind::Directory => {
                let is_left_out = name.starts_with('.') || name == "node_modules";
                if !is_left_out && depth > 0 {
                    search(world, &path, is_in_tests || name == TESTS, depth - 1, found)?;
                }
            }
            _ if is_in_tests && ENDINGS.iter().any(|it| name.ends_with(it)) => found.push(path),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use plumb::world::MemoryWorld;

    use super::*;

    #[test]
    fn tests_are_found_by_their_names() {
        let world = MemoryWorld::new()
            .file("a/tests/web_test.yml", "")
            .file("a/tests/unit/x_test.star", "")
            .file("a/tests/helper.star", "")
            .file("a/config/smoke_test.yml", "")
            .file("a/.git/tests/b_test.yml", "");
        let found = |below| {
            let found = find(&world, Path::new("a"), below).expect("it is a directory");
            found.iter().map(|it| it.display().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(found(Below::Tests), ["a/tests/unit/x_test.star", "a/tests/web_test.yml"]);
        assert_eq!(found(Below::Everywhere).len(), 3);
    }
}
