//! The resources in a document: the document itself, or the items of a list.

use std::collections::HashSet;

use memchr::memmem;
use plumb_source::Origin;
use plumb_value::{DataPath, Document, Node, Step};

use crate::kind::Gvk;

/// A resource and its place.
#[derive(Clone, Debug)]
pub struct Resource<'a> {
    pub(crate) gvk: Gvk,
    pub(crate) node: &'a Node,
    pub(crate) origin: Origin,
    pub(crate) path: DataPath,
}

impl Resource<'_> {
    /// A description of its kind for messages, such as `Deployment (apps/v1)`.
    pub fn kind(&self) -> String {
        self.gvk.to_string()
    }

    /// Where it was written.
    pub fn origin(&self) -> Origin {
        self.origin
    }
}

/// The kinds of some resources, to find out which files may have their schemas.
#[derive(Debug)]
pub struct Interest {
    kinds: Vec<memmem::Finder<'static>>,
    file_names: HashSet<String>,
}

impl Interest {
    /// The kinds of these resources.
    pub fn of(resources: &[Resource<'_>]) -> Self {
        let kinds: HashSet<&Gvk> = resources.iter().map(|it| &it.gvk).collect();
        let file_names = kinds.iter().flat_map(|it| it.file_names()).collect();
        let names: HashSet<&str> = kinds.iter().map(|it| it.kind.as_str()).collect();
        let kinds = names.iter().map(|it| memmem::Finder::new(it).into_owned()).collect();
        Self { kinds, file_names }
    }

    /// Whether a file may contain the schema of one of the kinds. If not, it need not be parsed.
    pub fn is_in(&self, path: &str, bytes: &[u8]) -> bool {
        let names = names_of_file(path);
        names.iter().any(|it| self.file_names.contains(it))
            || path.ends_with(DEFINITIONS)
            || self.kinds.iter().any(|it| it.find(bytes).is_some())
    }
}

/// The file that files with the schema of one kind refer to.
const DEFINITIONS: &str = "_definitions.json";

/// The names by which a file may be found: its own, and its own with its directory. The extension
/// is left out.
pub(crate) fn names_of_file(path: &str) -> Vec<String> {
    let stem = [".json", ".yaml", ".yml"].iter().find_map(|it| path.strip_suffix(it));
    let mut parts = stem.unwrap_or(path).rsplit('/');
    let own = parts.next().unwrap_or_default();
    let mut names = vec![own.to_owned()];
    names.extend(parts.next().map(|directory| format!("{directory}/{own}")));
    names
}

/// The resources of a document: itself, or its items if it is a `List`.
pub fn resources(document: &Document) -> Vec<Resource<'_>> {
    let Some(gvk) = Gvk::of(&document.node) else {
        return Vec::new();
    };
    let items = document.node.as_map().and_then(|it| it.get_str("items")?.as_array());
    match items {
        Some(items) if gvk.kind == "List" && gvk.group.is_empty() => {
            let resources = items.items.iter().enumerate().filter_map(|(at, item)| {
                let mut path = DataPath::root();
                path.push(Step::Key("items".into()));
                path.push(Step::Index(at));
                Some(Resource {
                    gvk: Gvk::of(&item.node)?,
                    node: &item.node,
                    origin: item.origin,
                    path,
                })
            });
            resources.collect()
        }
        _ => {
            let path = DataPath::root();
            vec![Resource { gvk, node: &document.node, origin: document.origin, path }]
        }
    }
}
