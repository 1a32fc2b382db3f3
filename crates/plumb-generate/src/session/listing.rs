//! What files there are, for `@jkcfg/std/fs`.

use std::path::{Path, PathBuf};

use plumb_source::{EntryKind, Fault, WorldError};
use serde_json::json;

use super::Session;
use crate::format;
use crate::root::{Doing, Root};

impl Session {
    /// What stands at a path: a JSON text for `@jkcfg/std/fs`.
    pub(crate) fn info(&self, path: &str, resource: Option<&str>) -> Result<String, String> {
        self.with_root(resource, |root| {
            let (_, kind) = self.existing(root, path)?;
            if !matches!(kind, EntryKind::File | EntryKind::Directory) {
                return Err("not a regular file".to_owned());
            }
            Ok(info(base_name(path), path, kind).to_string())
        })
    }

    /// The files of a directory: a JSON text for `@jkcfg/std/fs`.
    pub(crate) fn list(&self, path: &str, resource: Option<&str>) -> Result<String, String> {
        self.with_root(resource, |root| {
            let (full, _) = self.existing(root, path)?;
            let entries = self.world().list(&full).map_err(|error| error.to_string())?;
            let regular = entries
                .into_iter()
                .filter(|entry| matches!(entry.kind, EntryKind::File | EntryKind::Directory));
            let files: Vec<_> = regular
                .map(|entry| {
                    let name = entry.name.to_string_lossy().into_owned();
                    info(&name, &format::join_paths(path, &name), entry.kind)
                })
                .collect();
            Ok(json!({ "name": base_name(path), "path": path, "files": files }).to_string())
        })
    }

    fn existing(&self, root: &Root, path: &str) -> Result<(PathBuf, EntryKind), String> {
        let located = root
            .locate(self.world(), Path::new(path))
            .map_err(|denied| denied.words(Doing::Reading))?;
        let full = root.full(&located.path);
        let Some(kind) = located.kind else {
            let error = WorldError::new("open", full.to_string_lossy(), Fault::NotFound);
            return Err(error.to_string());
        };
        Ok((full, kind))
    }
}

fn info(name: &str, path: &str, kind: EntryKind) -> serde_json::Value {
    json!({ "name": name, "path": path, "isdir": kind == EntryKind::Directory })
}

/// The last name of a path; `.` for the directory itself.
fn base_name(path: &str) -> &str {
    match path.trim_end_matches('/') {
        "" => ".",
        path => path.rsplit('/').next().unwrap_or(path),
    }
}
