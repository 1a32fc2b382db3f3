//! The names that people use for a document.

use std::fmt;

use plumb_value::Node;

/// The identity of a document, in the terms of Kubernetes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct DocumentName {
    pub api_version: String,
    pub kind: String,
    pub namespace: String,
    pub name: String,
    /// The file that contains it. Empty if it is not known.
    pub file: String,
    /// Its number in the file, counted from 1.
    pub number: usize,
    /// How many documents without a name come before it in the file.
    pub(super) n_unnamed: usize,
}

impl DocumentName {
    /// The name of the document of this node.
    pub(super) fn new(node: &Node, file: &str, number: usize) -> Self {
        let metadata = child(node, "metadata");
        let text = |node: Option<&Node>, key: &str| {
            node.and_then(|it| child(it, key)).and_then(Node::as_str).unwrap_or_default().to_owned()
        };
        let mut name = text(metadata, "name");
        if name.is_empty() {
            name = text(metadata, "generateName");
        }
        Self {
            api_version: text(Some(node), "apiVersion"),
            kind: text(Some(node), "kind"),
            namespace: text(metadata, "namespace"),
            name,
            file: file.to_owned(),
            number,
            n_unnamed: 0,
        }
    }

    /// Returns whether the document has a kind and a name, which distinguish it from others.
    pub(super) fn is_named(&self) -> bool {
        !self.kind.is_empty() && !self.name.is_empty()
    }
}

/// The value of a key in a map.
pub(super) fn child<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    node.as_map()?.get_str(key)
}

impl fmt::Display for DocumentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { api_version, kind, namespace, name, file, number, .. } = self;
        if !self.is_named() {
            let space = if kind.is_empty() { "" } else { " " };
            let of = if file.is_empty() { "" } else { " of " };
            return write!(f, "{kind}{space}document {number}{of}{file}");
        }
        let before = if api_version.is_empty() { "" } else { " " };
        let slash = if namespace.is_empty() { "" } else { "/" };
        write!(f, "{api_version}{before}{kind} {namespace}{slash}{name}")
    }
}
