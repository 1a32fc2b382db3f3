//! Lists files for `@jkcfg/std/fs`.

use std::path::{Path, PathBuf};

use plumb_source::root::Root;
use plumb_source::{EntryKind, WorldError, WorldErrorKind};

use super::Run;
use crate::error::{Doing, Error};
use crate::format;

/// A file or a directory in the form that `@jkcfg/std/fs` shows.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) is_directory: bool,
}

fn existing(run: &Run, root: &Root, path: &str) -> Result<(PathBuf, EntryKind), Error> {
    let located = root
        .locate(run.world(), Path::new(path))
        .map_err(|root_error| Error::OutsideRoot { root_error, doing: Doing::Reading })?;
    let full = root.full(&located.path);
    let Some(kind) = located.kind else {
        let error = WorldError::new("open", full.to_string_lossy(), WorldErrorKind::NotFound);
        return Err(error.into());
    };
    Ok((full, kind))
}

impl Entry {
    /// The file or directory at a path.
    pub(crate) fn at(run: &Run, path: &str, module: Option<&str>) -> Result<Self, Error> {
        run.with_root(module, |root| {
            let (_, kind) = existing(run, root, path)?;
            if !matches!(kind, EntryKind::File | EntryKind::Directory) {
                return Err(Error::NotRegular);
            }
            Ok(Self::new(base_name(path), path, kind))
        })
    }

    /// A directory, and the files and directories in it.
    pub(crate) fn list(
        run: &Run,
        path: &str,
        module: Option<&str>,
    ) -> Result<(Self, Vec<Self>), Error> {
        run.with_root(module, |root| {
            let (full, _) = existing(run, root, path)?;
            let entries = run.world().list(&full)?;
            let regular = entries
                .into_iter()
                .filter(|entry| matches!(entry.kind, EntryKind::File | EntryKind::Directory));
            let files = regular.map(|entry| {
                let name = entry.name.to_string_lossy();
                Self::new(&name, &format::join_paths(path, &name), entry.kind)
            });
            Ok((Self::new(base_name(path), path, EntryKind::Directory), files.collect()))
        })
    }

    fn new(name: &str, path: &str, kind: EntryKind) -> Self {
        let is_directory = kind == EntryKind::Directory;
        Self { name: name.to_owned(), path: path.to_owned(), is_directory }
    }
}

/// The last part of a path; `.` for the directory itself.
fn base_name(path: &str) -> &str {
    match path.trim_end_matches('/') {
        "" => ".",
        path => path.rsplit('/').next().unwrap_or(path),
    }
}
