//! Files to write and text to print, which are stored until the run has succeeded.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use plumb_source::EntryKind;
use plumb_source::root::RootError;

use super::{Limit, Run};
use crate::error::{Doing, Error};
use crate::{Action, Dialect, Outcome, Tree};

/// What happens if the file to write already exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overwrite {
    Skip,
    Write,
    Err,
}

/// Files to write after the run has succeeded.
#[derive(Default)]
pub(super) struct Outputs {
    /// Files below the output directory.
    files: Vec<(PathBuf, Vec<u8>)>,
    /// Files in any directory that a transformation replaces.
    in_place: Vec<(PathBuf, Vec<u8>)>,
    /// Indexes in `files` by path of the world.
    positions: HashMap<PathBuf, usize>,
    /// The text for standard output.
    printed: Vec<u8>,
    n_bytes: usize,
}

impl Run {
    /// Stores a file to write below the output directory. The content is only computed if it is
    /// needed.
    pub(crate) fn write(
        &self,
        path: &str,
        overwrite: Overwrite,
        content: impl FnOnce() -> Result<Vec<u8>, Error>,
    ) -> Result<(), Error> {
        let refused = |root_error: RootError| self.refusal(path, root_error, Doing::Writing);
        let located = self.output.locate(self.world(), Path::new(path)).map_err(refused)?;
        let full = self.output.full(&located.path);
        let exists = located.kind.is_some() || self.outputs.borrow().pending(&full).is_some();
        match overwrite {
            Overwrite::Skip if exists => return Ok(()),
            Overwrite::Err if exists => {
                return Err(match (&self.request.action, self.request.dialect) {
                    (Action::Transform { .. }, Dialect::Plumb) => Error::ExistsAlready(full),
                    _ => Error::Exists(full),
                });
            }
            Overwrite::Skip | Overwrite::Write | Overwrite::Err => {}
        }
        if located.kind == Some(EntryKind::Directory) {
            return Err(Error::IsDirectory(full));
        }
        let content = content()?;
        self.reserve(content.len())?;
        self.outputs.borrow_mut().push(full, located.path, content);
        Ok(())
    }

    /// Stores a file that replaces one of the command line, in any directory.
    pub(crate) fn write_input(&self, path: &str, content: Vec<u8>) -> Result<(), Error> {
        self.reserve(content.len())?;
        let path = self.request.output_directory.join(path);
        self.outputs.borrow_mut().in_place.push((path, content));
        Ok(())
    }

    /// Stores text to print.
    pub(super) fn keep_printed(&self, bytes: &[u8]) -> Result<(), Error> {
        self.reserve(bytes.len())?;
        self.outputs.borrow_mut().printed.extend_from_slice(bytes);
        Ok(())
    }

    /// Reserves memory for bytes that are stored until the end of the run.
    pub(super) fn reserve(&self, n_bytes: usize) -> Result<(), Error> {
        let mut outputs = self.outputs.borrow_mut();
        outputs.n_bytes += n_bytes;
        if outputs.n_bytes <= self.request.limits.memory {
            return Ok(());
        }
        self.limit_reached.set(Some(Limit::Memory));
        Err(Error::TooLarge)
    }

    /// Releases memory of bytes that are no longer stored.
    pub(super) fn release(&self, n_bytes: usize) {
        self.outputs.borrow_mut().n_bytes -= n_bytes;
    }

    /// Removes and returns everything that was stored, with the list of files that were read.
    pub(crate) fn outcome(&self) -> Outcome {
        let outputs = self.outputs.take();
        let files = (!outputs.files.is_empty())
            .then(|| Tree { directory: self.output.full(Path::new("")), files: outputs.files });
        let in_place = outputs.in_place.into_iter().map(|(path, content)| {
            let directory = path.parent().filter(|it| !it.as_os_str().is_empty());
            let name = PathBuf::from(path.file_name().unwrap_or_default());
            let directory = directory.unwrap_or(Path::new(".")).to_owned();
            Tree { directory, files: vec![(name, content)] }
        });
        Outcome {
            reports: Vec::new(),
            trees: files.into_iter().chain(in_place).collect(),
            printed: outputs.printed,
            dependencies: self.dependencies.take(),
        }
    }
}

impl Outputs {
    fn push(&mut self, full: PathBuf, path: PathBuf, content: Vec<u8>) {
        if let Some(&at) = self.positions.get(&full) {
            self.files[at].1 = content;
        } else {
            self.positions.insert(full, self.files.len());
            self.files.push((path, content));
        }
    }

    pub(super) fn pending(&self, full: &Path) -> Option<&[u8]> {
        self.positions.get(full).map(|&at| &*self.files[at].1)
    }
}
