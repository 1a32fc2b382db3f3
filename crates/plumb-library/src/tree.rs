//! Directories as libraries: which files a run visits, and in what order.
//!
//! A run visits the files of a directory in their order, then its subdirectories in the order in
//! which files first named them. What is below a `_ytt_lib` is private: it is there for whoever
//! asks for it by name, and not visited.

use std::collections::HashMap;

use crate::InputFile;

const PRIVATE: &str = "_ytt_lib";

/// The directories that the paths of input files name.
#[derive(Debug)]
pub struct Tree<'a> {
    /// The root stands first, parents before their children.
    directories: Vec<Directory<'a>>,
}

#[derive(Debug, Default)]
struct Directory<'a> {
    name: &'a str,
    /// Indexes of files and directories.
    files: Vec<usize>,
    children: Vec<usize>,
}

impl<'a> Tree<'a> {
    pub fn new(files: &'a [InputFile]) -> Self {
        let mut tree = Self { directories: vec![Directory::default()] };
        let mut known: HashMap<(usize, &'a str), usize> = HashMap::new();
        for (at, file) in files.iter().enumerate() {
            let mut here = 0;
            let parents = file.path().rsplit_once('/').map(|(parents, _)| parents);
            for name in parents.into_iter().flat_map(|it| it.split('/')) {
                here = *known.entry((here, name)).or_insert_with(|| tree.add(here, name));
            }
            tree.directories[here].files.push(at);
        }
        tree
    }

    fn add(&mut self, parent: usize, name: &'a str) -> usize {
        let child = self.directories.len();
        self.directories.push(Directory { name, ..Directory::default() });
        self.directories[parent].children.push(child);
        child
    }

    /// Indexes of the files that a run visits, in the order of its visit.
    pub fn visited(&self) -> Vec<usize> {
        let mut files = Vec::new();
        let mut ahead = vec![0];
        while let Some(at) = ahead.pop() {
            let directory = &self.directories[at];
            files.extend_from_slice(&directory.files);
            let children = directory.children.iter().rev();
            ahead.extend(children.filter(|&&it| self.directories[it].name != PRIVATE));
        }
        files
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::GivenFile;

    #[test]
    fn files_come_before_subdirectories_and_private_ones_not_at_all() {
        let paths = ["A/x.yml", "_ytt_lib/p.yml", "zz.yml", "A/B/y.yml", "A/_ytt_lib/q.yml", "A/z"];
        let files = crate::given(
            &paths.map(|path| GivenFile { path: path.to_owned(), bytes: Arc::default() }),
        );
        let visited = Tree::new(&files).visited();
        let visited: Vec<&str> = visited.into_iter().map(|at| files[at].path()).collect();
        assert_eq!(visited, ["zz.yml", "A/x.yml", "A/z", "A/B/y.yml"]);
    }
}
