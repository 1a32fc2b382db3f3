//! Reads templates and virtual machines from directories, and templates from the mirror of the API
//! server.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumb_kubevirt::admission::Cluster;
use plumb_kubevirt::object;
use plumb_kubevirt::template::VmTemplate;
use plumb_native::NativeWorld;
use plumb_source::{SourceKind, Sources, World, root};
use plumb_value::Document;
use plumb_yaml::{Limits, ReadOptions};

use crate::api::Mirror;
use crate::error::ClusterError;
use crate::watch::{self, Look};

/// The largest size of a file, in bytes. Larger files are not templates.
const MAX_FILE: u64 = 64 << 20;

/// The maximum depth of objects. Real objects are less deep, and threads here have small stacks.
const MAX_DEPTH: usize = 256;

/// The sources of the cluster's objects.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    pub templates: TemplatePlace,
    pub machines: Option<PathBuf>,
}

#[derive(Clone, Debug)]
pub(crate) enum TemplatePlace {
    Directory(PathBuf),
    Api(Arc<Mirror>),
}

impl Places {
    /// The state of all files and objects that are read.
    pub(crate) fn look(&self) -> Look {
        let machines = self.machines.as_deref();
        match &self.templates {
            TemplatePlace::Directory(templates) => {
                let paths: Vec<&Path> = std::iter::once(&**templates).chain(machines).collect();
                watch::look(&paths)
            }
            TemplatePlace::Api(mirror) => {
                let paths: Vec<&Path> = machines.into_iter().collect();
                watch::look(&paths).after(mirror.n_changes())
            }
        }
    }
}

/// The objects that were read, and the problems with them.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub cluster: Cluster,
    /// Files that cannot be read. The others are still used.
    pub unreadable: Vec<ClusterError>,
    /// Findings about templates: malformed rules, and templates that are given twice.
    pub findings: Vec<String>,
}

impl Reading {
    /// All problems as messages.
    pub(crate) fn problems(&self) -> Vec<String> {
        let unreadable = self.unreadable.iter().map(ToString::to_string);
        unreadable.chain(self.findings.iter().cloned()).collect()
    }
}

/// Reads everything. Fails only if a directory cannot be listed.
pub(crate) fn read(places: &Places) -> Result<Reading, ClusterError> {
    let mut reading = Reading::default();
    let sources = Sources::new();
    let (mut known, mut again) = (HashMap::new(), Vec::new());
    let templates = match &places.templates {
        TemplatePlace::Directory(path) => documents(path, &sources, &mut reading.unreadable)?,
        TemplatePlace::Api(mirror) => mirrored(mirror, &sources, &mut reading.unreadable),
    };
    for document in templates {
        for object in object::objects(&document.node, document.origin) {
            if !object.is_template() {
                continue;
            }
            let place = object.origin.span().map_or(String::new(), |it| sources.place(it));
            match known.entry(object.full_name()) {
                Entry::Occupied(first) => {
                    let (name, first) = (first.key(), first.get());
                    again.push(format!(
                        "template `{name}` is given twice: {first} is used, {place} is not"
                    ));
                }
                Entry::Vacant(free) => {
                    free.insert(place);
                    reading.cluster.templates.add(VmTemplate::new(object));
                }
            }
        }
    }
    let templates = reading.cluster.templates.iter();
    let findings = templates.flat_map(|it| it.findings(&sources));
    reading.findings.extend(findings.map(|it| it.masked().to_string()));
    reading.findings.extend(again);
    if let Some(machines) = &places.machines {
        for document in documents(machines, &sources, &mut reading.unreadable)? {
            let objects = object::objects(&document.node, document.origin);
            let machines = objects.iter().filter(|it| it.kind() == Some("VirtualMachine"));
            reading.cluster.machines.extend(machines.map(|it| it.node.clone()));
        }
    }
    Ok(reading)
}

fn documents(
    directory: &Path,
    sources: &Sources,
    unreadable: &mut Vec<ClusterError>,
) -> Result<Vec<Document>, ClusterError> {
    let listed = fs::read_dir(directory);
    listed.map_err(|error| ClusterError::NotListed { directory: directory.to_owned(), error })?;
    let world = NativeWorld::with_max_size(MAX_FILE);
    let mut documents = Vec::new();
    for path in watch::files_below(directory) {
        let is_read =
            path.extension().is_some_and(|it| it == "yaml" || it == "yml" || it == "json");
        if is_read {
            match documents_of(&world, sources, directory, &path) {
                Ok(found) => documents.extend(found),
                Err(error) => unreadable.push(error),
            }
        }
    }
    Ok(documents)
}

/// The objects of the API server, as documents.
fn mirrored(
    mirror: &Mirror,
    sources: &Sources,
    unreadable: &mut Vec<ClusterError>,
) -> Vec<Document> {
    let errors = mirror.errors().into_iter();
    unreadable
        .extend(errors.map(|(kind, why)| ClusterError::NotWatched { kind: kind.name(), why }));
    let mut documents = Vec::new();
    for (kind, name, text) in mirror.objects() {
        match parsed(sources, format!("{} {name}", kind.name()), text) {
            Ok(found) => documents.extend(found),
            Err(error) => unreadable.push(error),
        }
    }
    documents
}

/// Links are followed if they stay inside the directory, as in mounted volumes.
fn documents_of(
    world: &dyn World,
    sources: &Sources,
    root: &Path,
    path: &Path,
) -> Result<Vec<Document>, ClusterError> {
    let here = || path.to_owned();
    if root::leads_out(world, root, path)
        .map_err(|error| ClusterError::NotFollowed { path: here(), error })?
    {
        return Err(ClusterError::LeadsOut { path: here() });
    }
    let bytes = world.read(path).map_err(|error| ClusterError::NotRead { path: here(), error })?;
    parsed(sources, path.display().to_string(), bytes)
}

fn parsed(
    sources: &Sources,
    name: String,
    bytes: Arc<[u8]>,
) -> Result<Vec<Document>, ClusterError> {
    let path = PathBuf::from(&name);
    let file = sources.add(name, SourceKind::File, bytes);
    let limits = Limits { depth: MAX_DEPTH, ..Limits::default() };
    let options = ReadOptions { comments: false, limits, ..ReadOptions::default() };
    let source = sources.get(file);
    plumb_yaml::parse(file, source.bytes(), &options)
        .map_err(|error| ClusterError::Syntax { path, message: error.message() })
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_of_a_mounted_volume_are_followed_and_those_that_lead_out_are_not() {
        let above = std::env::temp_dir().join(format!("plumb-links-{}", std::process::id()));
        let directory = above.join("templates");
        fs::create_dir_all(directory.join("..2024")).expect("a writable temporary directory");
        fs::write(directory.join("..2024/small.yaml"), "kind: Template\n").expect("writable");
        symlink("..2024", directory.join("..data")).expect("a link can be made");
        symlink("..data/small.yaml", directory.join("small.yaml")).expect("a link can be made");
        let read = || {
            let mut unreadable = Vec::new();
            let found = documents(&directory, &Sources::new(), &mut unreadable);
            (found.expect("it can be listed").len(), unreadable)
        };
        assert_eq!(read().0, 1);
        fs::write(above.join("secret.yaml"), "kind: Template\n").expect("writable");
        symlink("../secret.yaml", directory.join("out.yaml")).expect("a link can be made");
        let (n_documents, unreadable) = read();
        assert_eq!(n_documents, 1, "the other file is read");
        let refusal = unreadable.first().expect("a link leads out").to_string();
        assert!(refusal.ends_with("out.yaml: the link leads out of its directory"), "{refusal}");
        fs::remove_dir_all(above).expect("the directory is ours");
    }
}
