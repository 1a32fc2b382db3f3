//! Paths in a project file, which start at its directory.

use std::path::{Path, PathBuf};

use plumb_source::lexical;

/// The directory of a project file.
#[derive(Clone, Debug)]
pub(crate) struct Base(PathBuf);

impl Base {
    pub(crate) fn of_file(file: &Path) -> Self {
        Self(file.parent().unwrap_or(Path::new("")).to_owned())
    }

    /// The directory of the project file; empty for the working directory.
    pub(crate) fn directory(&self) -> &Path {
        &self.0
    }

    /// Converts a path in the project file to a path relative to the working directory.
    pub(crate) fn path(&self, path: &str) -> String {
        let is_here = self.0.as_os_str().is_empty() || self.0 == Path::new(".");
        if is_here || is_url(path) || Path::new(path).is_absolute() {
            return path.to_owned();
        }
        // A slash at the end is significant, and `join` keeps it.
        self.0.join(path).to_string_lossy().into_owned()
    }

    /// The path of a validator. The name of a module is not changed.
    pub(crate) fn module(&self, name: &str) -> String {
        if is_path(name) { self.path(name) } else { name.to_owned() }
    }
}

/// Whether the name of a generator's validator is a path: of a script, or of a file with rules and
/// a function, as in `rules.star:check`. Other names are names of modules.
fn is_path(name: &str) -> bool {
    let file = name.split_once(':').map_or(name, |(file, _)| file);
    name.starts_with('.') || Path::new(file).extension().is_some()
}

pub(crate) fn is_url(path: &str) -> bool {
    path.starts_with("http://") || path.starts_with("https://")
}

/// Whether two paths are equal, or one is inside the other.
pub(crate) fn overlap(left: &Path, right: &Path) -> bool {
    let (left, right) = (lexical::clean(left), lexical::clean(right));
    is_inside(&left, &right) || is_inside(&right, &left)
}

/// Whether two paths are equal, or the first is inside the second. Both must be clean.
fn is_inside(path: &Path, directory: &Path) -> bool {
    let has_steps_up = |it: &Path| it.starts_with("..");
    directory == Path::new(".") && path.is_relative() && !has_steps_up(path)
        || path.starts_with(directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_start_at_the_directory_of_the_file() {
        let base = Base::of_file(Path::new("../plumb.yml"));
        assert_eq!(base.path("config/"), "../config/");
        assert_eq!(base.path("/etc/a.yml"), "/etc/a.yml");
        assert_eq!(base.path("https://example.com/a.yml"), "https://example.com/a.yml");
        assert_eq!(base.module("@acme/rules"), "@acme/rules");
        assert_eq!(base.module("rules.star:check"), "../rules.star:check");
        assert_eq!(Base::of_file(Path::new("plumb.yml")).path("./a"), "./a");
    }

    #[test]
    fn paths_overlap_if_one_is_in_the_other() {
        let overlap = |left: &str, right: &str| overlap(Path::new(left), Path::new(right));
        assert!(overlap("out", "./out/"));
        assert!(overlap("out/prod", "out"));
        assert!(overlap(".", "out"));
        assert!(!overlap("out", "output"));
        assert!(!overlap(".", "../out"));
    }
}
