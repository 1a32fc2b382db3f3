//! Reads templates and virtual machines from directories.

use std::fs;
use std::path::{Path, PathBuf};

use plumb_kubevirt::admission::Cluster;
use plumb_kubevirt::object;
use plumb_kubevirt::template::VmTemplate;
use plumb_native::NativeWorld;
use plumb_source::{SourceKind, Sources, World, root};
use plumb_value::Document;
use plumb_yaml::{Limits, ReadOptions};

use crate::error::ClusterError;
use crate::watch;

/// The largest size of a file, in bytes. Larger files are not templates.
const MAX_FILE: u64 = 64 << 20;

/// Objects are less deep than that, and threads here have small stacks.
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

/// Reads everything. Fails if a single file cannot be read.
pub(crate) fn read(directories: &Directories) -> Result<Cluster, ClusterError> {
    let mut cluster = Cluster::default();
    for document in documents(&directories.templates)? {
        for object in object::objects(&document.node, document.origin) {
            if object.is_template() {
                cluster.templates.add(VmTemplate::new(object));
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

fn documents(directory: &Path) -> Result<Vec<Document>, ClusterError> {
    let listed = fs::read_dir(directory);
    listed.map_err(|error| ClusterError::NotListed { directory: directory.to_owned(), error })?;
    let world = NativeWorld::with_max_size(MAX_FILE);
    let mut documents = Vec::new();
    for path in watch::files_below(directory) {
        let is_read =
            path.extension().is_some_and(|it| it == "yaml" || it == "yml" || it == "json");
        if is_read {
            documents.extend(documents_of(&world, directory, &path)?);
        }
    }
    Ok(documents)
}

/// Links are followed if they stay inside, as those of mounted volumes do.
fn documents_of(
    world: &dyn World,
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
    let sources = Sources::new();
    let file = sources.add(path.display().to_string(), SourceKind::File, bytes);
    let limits = Limits { depth: MAX_DEPTH, ..Limits::default() };
    let options = ReadOptions { comments: false, limits, ..ReadOptions::default() };
    let source = sources.get(file);
    plumb_yaml::parse(file, source.bytes(), &options)
        .map_err(|error| ClusterError::Syntax { path: here(), message: error.message() })
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
        assert_eq!(documents(&directory).expect("all is inside").len(), 1);
        fs::write(above.join("secret.yaml"), "kind: Template\n").expect("writable");
        symlink("../secret.yaml", directory.join("out.yaml")).expect("a link can be made");
        let refusal = documents(&directory).expect_err("a link leads out").to_string();
        assert!(refusal.ends_with("out.yaml: the link leads out of its directory"), "{refusal}");
        fs::remove_dir_all(above).expect("the directory is ours");
    }
}
