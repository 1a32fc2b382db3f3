//! The common parts of Kubernetes objects: a kind, a name, labels and annotations.

use plumb_source::Origin;
use plumb_value::{MapItem, Node};

use crate::spell;

/// A Kubernetes object in a document, and where it starts.
#[derive(Clone, Copy, Debug)]
pub struct Object<'t> {
    pub node: &'t Node,
    pub origin: Origin,
}

impl<'t> Object<'t> {
    /// The value of `kind`. Returns `None` if it is missing or is not a string.
    pub fn kind(self) -> Option<&'t str> {
        self.node.as_map()?.get_str("kind")?.as_str()
    }

    /// Whether it is a template of virtual machines: OpenShift's, or KubeVirt's own.
    pub fn is_template(self) -> bool {
        matches!(self.kind(), Some("Template" | "VirtualMachineTemplate"))
    }

    /// The name. Returns an empty string if the object has none.
    pub fn name(self) -> &'t str {
        self.meta_text("name")
    }

    /// The namespace. Returns an empty string if the object has none.
    pub fn namespace(self) -> &'t str {
        self.meta_text("namespace")
    }

    /// `namespace/name`, or the name alone if there is no namespace.
    pub fn full_name(self) -> String {
        match self.namespace() {
            "" => self.name().to_owned(),
            namespace => format!("{namespace}/{}", self.name()),
        }
    }

    pub(crate) fn annotation(self, key: &str) -> Option<&'t MapItem> {
        item(self.metadata()?, "annotations").and_then(|it| item(&it.node, key))
    }

    /// The key of an annotation with almost the same spelling as `key`, or as the part of it after
    /// the slash.
    pub(crate) fn misspelt_annotation(self, key: &str) -> Option<&'t str> {
        let annotations = item(self.metadata()?, "annotations")?.node.as_map()?;
        let short = key.rsplit('/').next().unwrap_or(key);
        let mut keys = annotations.items().iter().filter_map(|it| it.key.as_str());
        keys.find(|it| *it != key && (*it == short || spell::is_misspelt(it, key)))
    }

    pub(crate) fn label(self, key: &str) -> Option<&'t MapItem> {
        item(self.metadata()?, "labels").and_then(|it| item(&it.node, key))
    }

    /// Whether the object is being deleted.
    pub(crate) fn is_being_deleted(self) -> bool {
        let timestamp = self.metadata().and_then(|it| item(it, "deletionTimestamp"));
        timestamp.is_some_and(|it| !it.node.is_null())
    }

    fn metadata(self) -> Option<&'t Node> {
        self.node.as_map()?.get_str("metadata")
    }

    fn meta_text(self, key: &str) -> &'t str {
        self.metadata().and_then(|it| item(it, key)).and_then(|it| it.node.as_str()).unwrap_or("")
    }
}

/// The objects of a document: the document itself, or the items of a list of objects.
pub fn objects(node: &Node, origin: Origin) -> Vec<Object<'_>> {
    let object = Object { node, origin };
    let is_list = object.kind().is_some_and(|kind| kind.ends_with("List"));
    let items = node.as_map().and_then(|map| map.get_str("items")).and_then(Node::as_array);
    match items {
        Some(items) if is_list => items
            .items
            .iter()
            .map(|item| Object { node: &item.node, origin: item.origin })
            .collect(),
        _ => vec![object],
    }
}

fn item<'t>(node: &'t Node, key: &str) -> Option<&'t MapItem> {
    node.as_map()?.get(&key.into())
}
