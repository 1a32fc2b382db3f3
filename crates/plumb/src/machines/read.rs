//! Reads the files with virtual machines: single files, files in directories, or standard input.

use std::path::Path;
use std::sync::Arc;

use plumb_source::{EntryKind, FileId, SourceKind, Sources, World, WorldError, lexical, root};

/// The extensions of files that are read from directories.
const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// Whether a file with this name is read from a directory.
pub(super) fn is_wanted(path: &Path) -> bool {
    path.extension().is_some_and(|it| EXTENSIONS.iter().any(|wanted| it == *wanted))
}

pub(super) struct Reader<'s> {
    world: &'s dyn World,
    sources: &'s Sources,
    /// The errors of files that cannot be read. The other files are still checked.
    pub(super) problems: Vec<String>,
}

impl<'s> Reader<'s> {
    pub(super) fn new(world: &'s dyn World, sources: &'s Sources) -> Self {
        Self { world, sources, problems: Vec::new() }
    }

    /// The files that paths name: themselves, those in directories, or standard input (`-`).
    pub(super) fn read(&mut self, paths: &[String]) -> Vec<FileId> {
        let mut files = Vec::new();
        for path in paths {
            match path.as_str() {
                "-" => self.take("-", self.world.stdin(), &mut files),
                path => self.path(Path::new(path), &mut files),
            }
        }
        files
    }

    /// Reads a file, or all files in a directory. A link can lead to both.
    fn path(&mut self, path: &Path, files: &mut Vec<FileId>) {
        let is_directory = match self.world.entry(path) {
            Ok(EntryKind::Directory) => true,
            Ok(EntryKind::Symlink) => self.is_directory(path),
            Ok(EntryKind::File | EntryKind::Pipe | EntryKind::Other) | Err(_) => false,
        };
        if is_directory {
            self.directory(path, path, files);
        } else {
            self.file(path, files);
        }
    }

    /// The files in a directory. Hidden entries are left out: mounted volumes keep old versions
    /// there. Links to directories are left out too, because they can form cycles. Links to files
    /// must stay in the directory that was named, as in mounted volumes.
    fn directory(&mut self, root: &Path, directory: &Path, files: &mut Vec<FileId>) {
        let entries = self.world.list(directory).unwrap_or_else(|error| {
            self.problems.push(error.words());
            Vec::new()
        });
        for entry in entries {
            let path = directory.join(&entry.name);
            let is_hidden = entry.name.as_os_str().as_encoded_bytes().starts_with(b".");
            let is_wanted = is_wanted(&path);
            match entry.kind {
                _ if is_hidden => {}
                EntryKind::Directory => self.directory(root, &path, files),
                EntryKind::File if is_wanted => self.file(&path, files),
                EntryKind::Symlink if is_wanted => self.link(root, &path, files),
                EntryKind::File | EntryKind::Symlink | EntryKind::Pipe | EntryKind::Other => {}
            }
        }
    }

    /// Reads the target of a link, unless it is outside the directory that was named.
    fn link(&mut self, root: &Path, link: &Path, files: &mut Vec<FileId>) {
        let shown = lexical::shown(link);
        match root::leads_out(self.world, root, link) {
            Ok(false) if self.is_directory(link) => {}
            Ok(false) => self.file(link, files),
            Ok(true) => {
                let root = lexical::shown(root);
                self.problems.push(format!("{shown}: the link leads out of {root}"));
            }
            Err(error) => {
                let error = error.words();
                self.problems.push(format!("{shown}: the link cannot be followed: {error}"));
            }
        }
    }

    fn is_directory(&self, path: &Path) -> bool {
        self.world.list(path).is_ok()
    }

    fn file(&mut self, path: &Path, files: &mut Vec<FileId>) {
        self.take(&path.display().to_string(), self.world.read(path), files);
    }

    fn take(&mut self, name: &str, read: Result<Arc<[u8]>, WorldError>, files: &mut Vec<FileId>) {
        match read {
            Ok(bytes) => files.push(self.sources.add(name, SourceKind::File, bytes)),
            Err(error) => self.problems.push(error.words()),
        }
    }
}
