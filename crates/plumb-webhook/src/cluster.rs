//! Templates and machines from directories.

use std::fs;
use std::path::{Path, PathBuf};

use plumb_kubevirt::admission::Cluster;
use plumb_kubevirt::object;
use plumb_kubevirt::template::Template;
use plumb_source::{SourceKind, Sources};
use plumb_value::Document;
use plumb_yaml::{Limits, ReadOptions};

use crate::watch;

/// Larger files are no templates.
const MAX_FILE: u64 = 64 << 20;

/// Objects are not as deep as that, and threads here have little stack.
const MAX_DEPTH: usize = 256;

/// Where the cluster's objects are.
#[derive(Clone, Debug)]
pub(crate) struct Directories {
    pub templates: PathBuf,
    pub machines: Option<PathBuf>,
}

impl Directories {
    pub(crate) fn paths(&self) -> Vec<&Path> {
        let machines = self.machines.as_deref();
        std::iter::once(&*self.templates).chain(machines).collect()
    }
}

/// Reads everything; one file that cannot be read is an error of all.
pub(crate) fn read(directories: &Directories) -> Result<Cluster, String> {
    let mut cluster = Cluster::default();
    for document in documents(&directories.templates)? {
        for object in object::objects(&document.node, document.origin) {
            if object.kind() == Some("Template") {
                cluster.templates.add(Template::new(object));
            }
        }
    }
    if let Some(machines) = &directories.machines {
        for document in documents(machines)? {
            let objects = object::objects(&document.node, document.origin);
            let machines = objects.iter().filter(|it| it.kind() == Some("VirtualMachine"));
            cluster.machines.extend(machines.map(|it| it.node.clone()));
        }
    }
    Ok(cluster)
}

fn documents(directory: &Path) -> Result<Vec<Document>, String> {
    let listed = fs::read_dir(directory);
    listed.map_err(|error| format!("cannot list {}: {error}", directory.display()))?;
    let mut documents = Vec::new();
    for path in watch::files_below(directory) {
        let is_read =
            path.extension().is_some_and(|it| it == "yaml" || it == "yml" || it == "json");
        if is_read {
            documents.extend(documents_of(&path)?);
        }
    }
    Ok(documents)
}

fn documents_of(path: &Path) -> Result<Vec<Document>, String> {
    let problem =
        |error: &dyn std::fmt::Display| format!("cannot read {}: {error}", path.display());
    let length = fs::metadata(path).map_err(|error| problem(&error))?.len();
    if length > MAX_FILE {
        return Err(problem(&"it is too large"));
    }
    let bytes = fs::read(path).map_err(|error| problem(&error))?;
    let sources = Sources::new();
    let file = sources.add(path.display().to_string(), SourceKind::File, bytes.into());
    let limits = Limits { depth: MAX_DEPTH, ..Limits::default() };
    let options = ReadOptions { comments: false, limits, ..ReadOptions::default() };
    let source = sources.get(file);
    plumb_yaml::parse(file, source.bytes(), &options).map_err(|error| problem(&error))
}
