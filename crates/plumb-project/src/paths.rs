//! Paths in a project file, which start at its directory.

use std::path::{Component, Path, PathBuf};

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

/// Paths relative to the working directory as paths relative to a directory that contains all of
/// them. There, a directory is a prefix of everything inside it, also if it is reached with `..`.
pub(crate) struct Common {
    working: PathBuf,
}

impl Common {
    /// Only these paths, and paths that go up no further, can be converted.
    pub(crate) fn of<'a>(paths: impl Iterator<Item = &'a Path>) -> Self {
        let n_up = |it: &Path| {
            let clean = lexical::clean(it);
            clean.components().take_while(|it| *it == Component::ParentDir).count()
        };
        // One more, so that the working directory is never the empty path, which is a prefix of
        // absolute paths too. No directory can have the name of these steps.
        let n_steps = paths.map(n_up).max().unwrap_or(0) + 1;
        Self { working: std::iter::repeat_n("\0", n_steps).collect() }
    }

    pub(crate) fn path(&self, path: &Path) -> PathBuf {
        lexical::clean(&self.working.join(path))
    }
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
    fn a_directory_is_a_prefix_of_what_is_inside_it() {
        let is_inside = |path: &str, directory: &str| {
            let (path, directory) = (Path::new(path), Path::new(directory));
            let common = Common::of([path, directory].into_iter());
            common.path(path).starts_with(common.path(directory))
        };
        assert!(is_inside("out", "./out/"));
        assert!(is_inside("out/prod", "out"));
        assert!(is_inside("out", "."));
        assert!(is_inside("out", ".."));
        assert!(is_inside(".", ".."));
        assert!(is_inside("..", "../.."));
        assert!(is_inside("../out", "../.."));
        assert!(is_inside("/srv/out", "/srv"));
        assert!(!is_inside("output", "out"));
        assert!(!is_inside("../out", "."));
        assert!(!is_inside("../../out", ".."));
        assert!(!is_inside("../..", ".."));
        assert!(!is_inside("/srv/out", "."));
        assert!(!is_inside("out", "/"));
    }
}
