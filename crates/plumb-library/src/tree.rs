//! Directories as libraries: the files that a run visits, and how files find each other.
//!
//! A run visits the files of a directory in their order, then its subdirectories in the order in
//! which files first named them. Files below a `_ytt_lib` are private: they are only available by
//! name, and are not visited.

use std::collections::HashMap;

use plumb_source::{Message, lexical};

use crate::InputFile;
use crate::argument::ArgumentError;
use crate::find_error::{DirectoryError, FindError};

const PRIVATE: &str = "_ytt_lib";

/// The input files of a run, and the directories that their paths name.
#[derive(Debug)]
pub struct Tree {
    files: Vec<InputFile>,
    /// The root is first; parents come before their children.
    directories: Vec<Directory>,
    /// The directory of each file.
    homes: Vec<DirectoryId>,
}

/// Identifies a directory of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DirectoryId(usize);

#[derive(Debug, Default)]
struct Directory {
    name: String,
    /// Indexes of files.
    files: Vec<usize>,
    children: Vec<DirectoryId>,
    /// The index of each file by name. If several files have the same name, the first one.
    files_by_name: HashMap<String, usize>,
    children_by_name: HashMap<String, DirectoryId>,
}

impl DirectoryId {
    /// The directory that contains all others.
    pub const ROOT: Self = Self(0);
}

impl Tree {
    /// Creates the tree of all directories that the paths of the files name.
    pub fn new(files: Vec<InputFile>) -> Self {
        let mut tree =
            Self { files: Vec::new(), directories: vec![Directory::default()], homes: Vec::new() };
        let mut known: HashMap<(DirectoryId, &str), DirectoryId> = HashMap::new();
        for (at, file) in files.iter().enumerate() {
            let mut here = DirectoryId::ROOT;
            let parents = file.path().rsplit_once('/').map(|(parents, _)| parents);
            for name in parents.into_iter().flat_map(|it| it.split('/')) {
                here = *known.entry((here, name)).or_insert_with(|| tree.add(here, name));
            }
            let directory = &mut tree.directories[here.0];
            directory.files.push(at);
            let name = lexical::base_name(file.path()).to_owned();
            directory.files_by_name.entry(name).or_insert(at);
            tree.homes.push(here);
        }
        drop(known);
        tree.files = files;
        tree
    }

    fn add(&mut self, parent: DirectoryId, name: &str) -> DirectoryId {
        let child = DirectoryId(self.directories.len());
        self.directories.push(Directory { name: name.to_owned(), ..Directory::default() });
        self.directories[parent.0].children.push(child);
        self.directories[parent.0].children_by_name.insert(name.to_owned(), child);
        child
    }

    /// All files, in the order of input.
    pub fn files(&self) -> &[InputFile] {
        &self.files
    }

    /// Returns the directory of a file.
    pub fn home(&self, file: usize) -> DirectoryId {
        self.homes[file]
    }

    /// Returns the indexes of the files that a run of the library in a directory visits, in the
    /// order of the visit.
    pub fn visited(&self, library: DirectoryId) -> Vec<usize> {
        let mut files = Vec::new();
        let mut ahead = vec![library];
        while let Some(at) = ahead.pop() {
            let directory = &self.directories[at.0];
            files.extend_from_slice(&directory.files);
            let children = directory.children.iter().rev();
            ahead.extend(children.filter(|&&it| !self.is_private(it)));
        }
        files
    }

    /// Returns the path of a file relative to a directory that contains it.
    pub(crate) fn path_below(&self, library: DirectoryId, file: usize) -> String {
        let whole = self.files[file].path();
        let mut depth = 0;
        let mut here = DirectoryId::ROOT;
        for name in whole.split('/') {
            if here == library {
                break;
            }
            match self.child(here, name) {
                Some(child) => here = child,
                None => break,
            }
            depth += 1;
        }
        whole.split('/').skip(depth).collect::<Vec<_>>().join("/")
    }

    /// Returns the file at a path below a directory. A path cannot lead into a private directory.
    pub(crate) fn find_file(&self, from: DirectoryId, path: &str) -> Result<usize, Message> {
        let (parents, name) = split(path);
        let directory = if parents.is_empty() {
            from
        } else {
            self.walk(from, &parents.join("/")).map_err(|error| {
                FindError::NoDirectoryOfFile { path: path.to_owned(), error }.message()
            })?
        };
        let found = self.directories[directory.0].files_by_name.get(name).copied();
        found.ok_or_else(|| FindError::NoFile(path.to_owned()).message())
    }

    /// Returns the directory at a path below another. A path cannot lead into a private directory.
    pub(crate) fn find_directory(
        &self,
        from: DirectoryId,
        path: &str,
    ) -> Result<DirectoryId, Message> {
        let found = self.walk(from, path);
        found.map_err(|error| FindError::NoDirectory { path: path.to_owned(), error }.message())
    }

    fn walk(&self, from: DirectoryId, path: &str) -> Result<DirectoryId, DirectoryError> {
        let (parents, name) = split(path);
        let mut here = from;
        for (at, step) in parents.iter().copied().chain([name]).enumerate() {
            let Some(child) = self.child(here, step) else {
                let below = parents[..at.min(parents.len())].join("/");
                return Err(DirectoryError::Missing { below });
            };
            if self.is_private(child) {
                return Err(DirectoryError::Private);
            }
            here = child;
        }
        Ok(here)
    }

    /// Returns the library with a name in the `_ytt_lib` of a directory.
    pub(crate) fn find_library(
        &self,
        from: DirectoryId,
        path: &str,
    ) -> Result<DirectoryId, Message> {
        let Some(private) = self.child(from, PRIVATE) else {
            return Err(match from {
                DirectoryId::ROOT => ArgumentError::NoLibrariesAtRoot.message(),
                _ => ArgumentError::NoLibraries.message(),
            });
        };
        let (parents, name) = split(path);
        let steps: Vec<&str> = parents.into_iter().chain([name]).collect();
        let mut here = private;
        for (at, step) in steps.iter().enumerate() {
            let Some(child) = self.child(here, step) else {
                let below = steps[..at].join("/");
                let mut others: Vec<String> =
                    self.directories[here.0].children_by_name.keys().cloned().collect();
                others.sort_unstable();
                let path = path.to_owned();
                return Err(ArgumentError::NoLibrary { path, below, others }.message());
            };
            if self.is_private(child) {
                let (path, below) = (path.to_owned(), steps[..at].join("/"));
                return Err(FindError::PrivateLibrary { path, below }.message());
            }
            here = child;
        }
        Ok(here)
    }

    fn child(&self, parent: DirectoryId, name: &str) -> Option<DirectoryId> {
        self.directories[parent.0].children_by_name.get(name).copied()
    }

    fn is_private(&self, directory: DirectoryId) -> bool {
        self.directories[directory.0].name == PRIVATE
    }
}

/// Splits a path into its directories and its last name.
fn split(path: &str) -> (Vec<&str>, &str) {
    let mut steps: Vec<&str> = path.split('/').collect();
    let name = steps.pop().unwrap_or_default();
    (steps, name)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::GivenFile;

    fn tree(paths: &[&str]) -> Tree {
        let given = |path: &&str| GivenFile { path: (*path).to_owned(), bytes: Arc::default() };
        Tree::new(crate::given(&paths.iter().map(given).collect::<Vec<_>>()))
    }

    #[test]
    fn files_come_before_subdirectories_and_private_ones_not_at_all() {
        let tree =
            tree(&["A/x.yml", "_ytt_lib/p.yml", "zz.yml", "A/B/y.yml", "A/_ytt_lib/q.yml", "A/z"]);
        let visited = tree.visited(DirectoryId::ROOT);
        let visited: Vec<&str> = visited.into_iter().map(|at| tree.files()[at].path()).collect();
        assert_eq!(visited, ["zz.yml", "A/x.yml", "A/z", "A/B/y.yml"]);
    }

    #[test]
    fn a_library_is_found_by_name_and_is_a_root_of_its_own() {
        let tree = tree(&["t.yml", "_ytt_lib/app/x/c.yml", "_ytt_lib/app/_ytt_lib/db/d.yml"]);
        let app = tree.find_library(DirectoryId::ROOT, "app").expect("app is there");
        assert_eq!(tree.find_file(app, "x/c.yml"), Ok(1));
        assert_eq!(tree.path_below(app, 1), "x/c.yml");
        assert!(tree.find_library(app, "db").is_ok());
        assert!(tree.find_library(app, "app").is_err());
        assert!(tree.find_file(app, "_ytt_lib/db/d.yml").is_err());
        assert!(tree.find_file(DirectoryId::ROOT, "../t.yml").is_err());
    }
}
