//! The kind of resource that a document is.

use std::fmt;

use plumb_value::Node;

/// A group, a version and a kind. The group of the core kinds of Kubernetes is empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Gvk {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
}

impl Gvk {
    pub(crate) fn new(group: &str, version: &str, kind: &str) -> Self {
        let [group, version, kind] = [group, version, kind].map(str::to_owned);
        Self { group, version, kind }
    }

    /// The kind that a document names.
    pub(crate) fn of(node: &Node) -> Option<Self> {
        let map = node.as_map()?;
        let version = map.get_str("apiVersion")?.as_str()?;
        let kind = map.get_str("kind")?.as_str()?;
        let (group, version) = version.split_once('/').unwrap_or(("", version));
        Some(Self::new(group, version, kind))
    }

    /// The names of files that contain the schema of one kind: `deployment-apps-v1`, as kubeconform
    /// names them, and `apps/deployment_v1`, as catalogs of custom resources do.
    pub(crate) fn file_names(&self) -> [String; 2] {
        let Self { group, version, kind } = self;
        let kind = kind.to_lowercase();
        let first = match group.split('.').next() {
            Some("") | None => kind.clone(),
            Some(first) => format!("{kind}-{first}"),
        };
        [format!("{first}-{version}"), format!("{group}/{kind}_{version}")]
    }
}

impl fmt::Display for Gvk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.group.as_str() {
            "" => write!(f, "{} ({})", self.kind, self.version),
            group => write!(f, "{} ({group}/{})", self.kind, self.version),
        }
    }
}
