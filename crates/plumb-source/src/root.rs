//! Paths that stay inside a directory: the only code that follows symbolic links itself.
//!
//! [`resolve`] follows every link of a path, also to places outside, and [`leads_out`] compares the
//! result with a directory. A [`Root`] is stricter: a path must not leave it on the way either. A
//! path may contain up to [`MAX_LINKS`] links.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use crate::{EntryKind, World, WorldError, WorldErrorKind, lexical};

/// The maximum number of links in one path. A path with more links is treated as a cycle.
pub const MAX_LINKS: usize = 255;

/// Follows every link of a path. The result is relative if the path and all targets are.
///
/// # Errors
///
/// Every part of the path must exist. The error of a cycle is [`WorldErrorKind::TooManyLinks`].
pub fn resolve(world: &dyn World, path: &Path) -> Result<PathBuf, WorldError> {
    let mut steps = Steps::new(path);
    let mut resolved = PathBuf::new();
    while let Some(step) = steps.next() {
        if step == ".." && matches!(resolved.components().next_back(), Some(Component::Normal(_))) {
            resolved.pop();
            continue;
        }
        let here = resolved.join(&step);
        match world.entry(&here)? {
            EntryKind::Symlink => {
                let target = steps.target(world, &here)?;
                if target.is_absolute() {
                    resolved.clear();
                }
                steps.push(&target);
            }
            EntryKind::Directory => resolved = here,
            EntryKind::File | EntryKind::Pipe | EntryKind::Other if steps.is_empty() => {
                resolved = here;
            }
            EntryKind::File | EntryKind::Pipe | EntryKind::Other => {
                return Err(WorldError::new(
                    "lstat",
                    here.to_string_lossy(),
                    WorldErrorKind::NotADirectory,
                ));
            }
        }
    }
    Ok(lexical::clean(&resolved))
}

/// Whether a path, usually that of a link, leads to a file or directory that is not inside `root`.
///
/// # Errors
///
/// Both paths must exist.
pub fn leads_out(world: &dyn World, root: &Path, path: &Path) -> Result<bool, WorldError> {
    let working = world.directory()?;
    let root = resolve(world, &working.join(root))?;
    Ok(!resolve(world, &working.join(path))?.starts_with(root))
}

/// A directory that paths must not leave, neither with `..` nor through a symbolic link.
#[derive(Debug)]
pub struct Root {
    /// The directory as the user named it: relative to the working directory, or absolute.
    directory: PathBuf,
    /// A cache of the entries at paths below the directory.
    entries: RefCell<HashMap<PathBuf, Option<EntryKind>>>,
}

/// Why a path is rejected.
#[derive(Debug, PartialEq, Eq)]
pub enum RootError {
    /// The path is absolute.
    Absolute,
    /// `..` leads out of the root.
    Parent,
    /// A symbolic link leads out of the root.
    Link,
    /// The path cannot be followed.
    World(WorldError),
}

/// A path inside its root, without `.`, `..` and links.
#[derive(Debug, PartialEq, Eq)]
pub struct Located {
    /// Relative to the root.
    pub path: PathBuf,
    /// `None` if nothing exists at the path.
    pub kind: Option<EntryKind>,
}

impl Root {
    /// A root that does not change while it is used.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into(), entries: RefCell::default() }
    }

    /// The directory, as it was given.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Converts a path relative to the root to a path for the world.
    pub fn full(&self, path: &Path) -> PathBuf {
        match self.directory.join(path) {
            full if full.as_os_str().is_empty() => PathBuf::from("."),
            full => full,
        }
    }

    /// Follows a path from the root. `..` cancels the name before it, even if that is a link.
    ///
    /// # Errors
    ///
    /// A path that leaves the root is rejected, even if it returns. Parts of it may be missing.
    pub fn locate(&self, world: &dyn World, path: &Path) -> Result<Located, RootError> {
        let mut steps = Steps::new(&below(path)?);
        let mut real = PathBuf::new();
        while let Some(name) = steps.next() {
            if name == ".." {
                if !real.pop() {
                    return Err(RootError::Link);
                }
                continue;
            }
            real.push(name);
            match self.entry(world, &real)? {
                Some(EntryKind::Symlink) => {
                    let target =
                        steps.target(world, &self.full(&real)).map_err(RootError::World)?;
                    real.pop();
                    if target.is_absolute() {
                        real.clear();
                        steps.push(&self.relative(world, &target).ok_or(RootError::Link)?);
                    } else {
                        steps.push(&target);
                    }
                }
                // Below a missing name, nothing exists.
                None if !steps.has_parent() => {
                    real.extend(steps);
                    return Ok(Located { path: real, kind: None });
                }
                Some(_) | None => {}
            }
        }
        let kind = if real.as_os_str().is_empty() {
            Some(EntryKind::Directory)
        } else {
            self.entry(world, &real)?
        };
        Ok(Located { path: real, kind })
    }

    fn entry(&self, world: &dyn World, path: &Path) -> Result<Option<EntryKind>, RootError> {
        if let Some(kind) = self.entries.borrow().get(path) {
            return Ok(*kind);
        }
        let kind = match world.entry(&self.full(path)) {
            Ok(kind) => Some(kind),
            Err(error)
                if matches!(
                    error.kind,
                    WorldErrorKind::NotFound | WorldErrorKind::NotADirectory
                ) =>
            {
                None
            }
            Err(error) => return Err(RootError::World(error)),
        };
        self.entries.borrow_mut().insert(path.to_owned(), kind);
        Ok(kind)
    }

    /// Converts an absolute target to a path relative to the root. Returns `None` if it is not
    /// below the root.
    fn relative(&self, world: &dyn World, target: &Path) -> Option<PathBuf> {
        let root = lexical::absolute(&self.directory, &world.directory().ok()?);
        lexical::clean(target).strip_prefix(&root).ok().map(Path::to_owned)
    }
}

/// Removes `.` and `..` from a relative path, without looking at files.
///
/// # Errors
///
/// The path must not be absolute, and `..` must not lead above its start.
pub fn below(path: &Path) -> Result<PathBuf, RootError> {
    let mut cleaned = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => cleaned.push(name),
            Component::CurDir => {}
            Component::ParentDir if cleaned.pop() => {}
            Component::ParentDir => return Err(RootError::Parent),
            Component::RootDir | Component::Prefix(_) => return Err(RootError::Absolute),
        }
    }
    Ok(cleaned)
}

/// The part of a path that is not followed yet.
struct Steps {
    /// The remaining steps. The next step is the last element.
    ahead: Vec<OsString>,
    n_links: usize,
}

impl Steps {
    fn new(path: &Path) -> Self {
        let mut steps = Self { ahead: Vec::new(), n_links: 0 };
        steps.push(path);
        steps
    }

    fn is_empty(&self) -> bool {
        self.ahead.is_empty()
    }

    fn has_parent(&self) -> bool {
        self.ahead.iter().any(|it| it == "..")
    }

    /// Adds the steps of a path before the others.
    fn push(&mut self, path: &Path) {
        let steps = path.components().rev().filter(|it| !matches!(it, Component::CurDir));
        self.ahead.extend(steps.map(|it| it.as_os_str().to_owned()));
    }

    /// The target of a link. Counts the link as followed.
    fn target(&mut self, world: &dyn World, link: &Path) -> Result<PathBuf, WorldError> {
        self.n_links += 1;
        if self.n_links > MAX_LINKS {
            return Err(WorldError::new(
                "open",
                link.to_string_lossy(),
                WorldErrorKind::TooManyLinks,
            ));
        }
        world.link_target(link)
    }
}

impl Iterator for Steps {
    type Item = OsString;

    fn next(&mut self) -> Option<OsString> {
        self.ahead.pop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemoryWorld;

    /// The results for one path, as text: of [`resolve`], of [`leads_out`] and of [`Root::locate`].
    /// `root` is the root.
    struct Row {
        path: &'static str,
        resolved: &'static str,
        leads_out: &'static str,
        located: &'static str,
    }

    const fn row(
        path: &'static str,
        resolved: &'static str,
        leads_out: &'static str,
        located: &'static str,
    ) -> Row {
        Row { path, resolved, leads_out, located }
    }

    const MISSING: &str = "no such file or directory";
    const NO_DIRECTORY: &str = "not a directory";
    const CYCLE: &str = "too many levels of symbolic links";

    const TABLE: &[Row] = &[
        // No links.
        row("", "root", "no", " Directory"),
        row(".", "root", "no", " Directory"),
        row("a.yml", "root/a.yml", "no", "a.yml File"),
        row("./d//b.yml", "root/d/b.yml", "no", "d/b.yml File"),
        row("d", "root/d", "no", "d Directory"),
        // Parents.
        row("..", ".", "yes", "Parent"),
        row("../out/s.yml", "out/s.yml", "yes", "Parent"),
        row("d/..", "root", "no", " Directory"),
        row("d/../a.yml", "root/a.yml", "no", "a.yml File"),
        row("d/../../out/s.yml", "out/s.yml", "yes", "Parent"),
        row("../root/a.yml", "root/a.yml", "no", "Parent"),
        // Absolute paths.
        row("/work/root/a.yml", "/work/root/a.yml", "no", "Absolute"),
        row("/work/out/s.yml", "/work/out/s.yml", "yes", "Absolute"),
        // Links and chains of links.
        row("link.yml", "root/a.yml", "no", "a.yml File"),
        row("chain.yml", "root/a.yml", "no", "a.yml File"),
        row("d/up.yml", "root/a.yml", "no", "a.yml File"),
        row("out.yml", "out/s.yml", "yes", "Link"),
        row("out-chain.yml", "out/s.yml", "yes", "Link"),
        row("out-and-in.yml", "root/a.yml", "no", "Link"),
        // Links with absolute targets.
        row("whole.yml", "/work/root/a.yml", "no", "a.yml File"),
        row("unclean.yml", "/work/root/a.yml", "no", "a.yml File"),
        row("whole-out.yml", "/work/out/s.yml", "yes", "Link"),
        row("beside.yml", "/work/root-2/a.yml", "yes", "Link"),
        // Links to directories.
        row("dir", "root/d", "no", "d Directory"),
        row("dir/b.yml", "root/d/b.yml", "no", "d/b.yml File"),
        row("dir/up.yml", "root/a.yml", "no", "a.yml File"),
        row("self/self/a.yml", "root/a.yml", "no", "a.yml File"),
        row("dir-out", "out", "yes", "Link"),
        row("dir-out/s.yml", "out/s.yml", "yes", "Link"),
        // `..` after a link to a directory leads above the target, except in a root.
        row("dir-out/../root/a.yml", "root/a.yml", "no", "root/a.yml missing"),
        row("dir-out/../out/s.yml", "out/s.yml", "yes", "out/s.yml missing"),
        // Cycles.
        row("circle.yml", CYCLE, CYCLE, CYCLE),
        row("ring-1.yml", CYCLE, CYCLE, CYCLE),
        row("spiral", CYCLE, CYCLE, CYCLE),
        // Missing parts.
        row("gone.yml", MISSING, MISSING, "gone.yml missing"),
        row("gone/b.yml", MISSING, MISSING, "gone/b.yml missing"),
        row("broken.yml", MISSING, MISSING, "gone.yml missing"),
        row("broken-out.yml", MISSING, MISSING, "Link"),
        row("broken-way.yml", MISSING, MISSING, "a.yml File"),
        row("broken-way-out.yml", MISSING, MISSING, "Link"),
        row("broken-way-link.yml", MISSING, MISSING, "Link"),
        row("a.yml/b.yml", NO_DIRECTORY, NO_DIRECTORY, "a.yml/b.yml missing"),
        row("below.yml", NO_DIRECTORY, NO_DIRECTORY, "a.yml/b.yml missing"),
    ];

    fn world() -> MemoryWorld {
        MemoryWorld::new()
            .file("root/a.yml", "")
            .file("root/d/b.yml", "")
            .file("root-2/a.yml", "")
            .file("out/s.yml", "")
            .link("root/link.yml", "a.yml")
            .link("root/chain.yml", "d/../link.yml")
            .link("root/d/up.yml", "../chain.yml")
            .link("root/out.yml", "../out/s.yml")
            .link("root/out-chain.yml", "out.yml")
            .link("root/out-and-in.yml", "../root/a.yml")
            .link("root/whole.yml", "/work/root/a.yml")
            .link("root/unclean.yml", "/work/./out/../root/a.yml")
            .link("root/whole-out.yml", "/work/out/s.yml")
            .link("root/beside.yml", "/work/root-2/a.yml")
            .link("root/dir", "d")
            .link("root/self", ".")
            .link("root/dir-out", "../out")
            .link("root/circle.yml", "circle.yml")
            .link("root/ring-1.yml", "ring-2.yml")
            .link("root/ring-2.yml", "/work/root/ring-1.yml")
            .link("root/spiral", "spiral/more")
            .link("root/broken.yml", "gone.yml")
            .link("root/broken-out.yml", "../gone.yml")
            .link("root/broken-way.yml", "gone/../a.yml")
            .link("root/broken-way-out.yml", "gone/../../a.yml")
            .link("root/broken-way-link.yml", "gone/../dir-out/s.yml")
            .link("root/below.yml", "a.yml/b.yml")
    }

    fn located(located: Result<Located, RootError>) -> String {
        match located {
            Ok(Located { path, kind: Some(kind) }) => format!("{} {kind:?}", path.display()),
            Ok(Located { path, kind: None }) => format!("{} missing", path.display()),
            Err(RootError::World(error)) => error.kind.to_string(),
            Err(denied) => format!("{denied:?}"),
        }
    }

    #[test]
    fn paths_lead_where_the_table_says() {
        let world = world();
        for directory in ["root", "./root", "/work/root"] {
            let root = Root::new(directory);
            for Row { path, resolved, leads_out: is_out, located: place } in TABLE {
                let full = root.full(Path::new(path));
                let actual = resolve(&world, &full).map_err(|it| it.kind.to_string());
                let expected = match *resolved {
                    problem @ (MISSING | CYCLE | NO_DIRECTORY) => Err(problem.to_owned()),
                    place if Path::new(directory).is_absolute() => {
                        Ok(lexical::absolute(Path::new(place), Path::new("/work")))
                    }
                    place => Ok(PathBuf::from(place)),
                };
                assert_eq!(actual, expected, "{full:?}");
                let actual = leads_out(&world, Path::new(directory), &full);
                let actual = actual.map(|it| if it { "yes" } else { "no" }.to_owned());
                assert_eq!(actual.unwrap_or_else(|it| it.kind.to_string()), *is_out, "{full:?}");
                assert_eq!(located(root.locate(&world, Path::new(path))), *place, "{full:?}");
            }
        }
    }

    #[test]
    fn a_root_may_be_a_link_and_the_working_directory() {
        let world = world().link("/elsewhere", "/work/root");
        let is_out = |path: &str| leads_out(&world, Path::new("/elsewhere"), Path::new(path));
        assert_eq!(is_out("/elsewhere/whole.yml"), Ok(false));
        assert_eq!(is_out("/elsewhere/out.yml"), Ok(true));
        let here = Root::new("");
        assert_eq!(here.full(Path::new("")), Path::new("."));
        assert_eq!(located(here.locate(&world, Path::new("root/out.yml"))), "out/s.yml File");
        assert_eq!(leads_out(&world, Path::new(""), Path::new("root/out.yml")), Ok(false));
    }

    #[test]
    fn the_number_of_links_is_limited_everywhere_alike() {
        let chain = |n_links: usize| {
            let world = MemoryWorld::new().file("root/0", "");
            (1..=n_links)
                .fold(world, |world, n| world.link(&format!("root/{n}"), &(n - 1).to_string()))
        };
        for (n_links, is_followed) in [(MAX_LINKS, true), (MAX_LINKS + 1, false)] {
            let world = chain(n_links);
            let last = n_links.to_string();
            let full = Path::new("root").join(&last);
            assert_eq!(resolve(&world, &full).is_ok(), is_followed);
            assert_eq!(leads_out(&world, Path::new("root"), &full).is_ok(), is_followed);
            assert_eq!(Root::new("root").locate(&world, Path::new(&last)).is_ok(), is_followed);
        }
    }
}
