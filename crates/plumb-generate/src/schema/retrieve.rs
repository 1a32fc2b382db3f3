//! Resolves the references of a schema to files below one directory.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumb_jsonschema::{Retrieve, RetrieveError, percent_decoded};
use plumb_source::World;
use plumb_source::root::Root;
use plumb_value::Node;

use crate::Surroundings;
use crate::error::{Error, SchemaError};

/// The prefix of URIs whose path is the path of a file.
const SCHEME: &str = "file:///";

/// Provides the files that schemas refer to.
pub(super) struct Files {
    world: Arc<dyn World>,
    /// The directory. If it is `None`, the schema may only refer to itself.
    directory: Option<PathBuf>,
}

impl Files {
    pub(super) fn new(surroundings: &Surroundings, directory: Option<PathBuf>) -> Self {
        Self { world: Arc::clone(&surroundings.world), directory }
    }
}

impl Retrieve for Files {
    fn retrieve(&self, uri: &str) -> Result<Node, RetrieveError> {
        self.read(uri).map_err(RetrieveError::new)
    }
}

impl Files {
    fn read(&self, uri: &str) -> Result<Node, Error> {
        let Some(path) = uri.strip_prefix(SCHEME) else {
            return Err(SchemaError::NotFetched(uri.to_owned()).into());
        };
        let Some(directory) = &self.directory else {
            return Err(SchemaError::NoFile(path.to_owned()).into());
        };
        let path = percent_decoded(path.split('#').next().unwrap_or_default());
        let root = Root::new(directory);
        let located = root.locate(&*self.world, Path::new(&path));
        let located = located.map_err(super::root_error)?;
        let full = root.full(&located.path);
        let bytes = self.world.read(&full)?;
        Ok(super::node_of(&super::parse_file(&full, &bytes)?))
    }
}

/// The URI of a file below the directory.
pub(super) fn uri(path: &Path) -> String {
    let mut uri = SCHEME.to_owned();
    for byte in path.to_string_lossy().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_survive_the_way_through_a_uri() {
        for path in ["a.json", "d/ä b%41.json", "x#y?z"] {
            let uri = uri(Path::new(path));
            assert_eq!(percent_decoded(uri.strip_prefix(SCHEME).expect("a file")), path);
        }
    }
}
