//! The resources in a document: the document itself, or the items of a list.

use std::collections::HashSet;

use memchr::memmem;
use plumb_jsonschema::RejectedRule;
use plumb_source::Origin;
use plumb_value::{DataPath, Document, Map, Node, Step};

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

    /// Its contents.
    pub fn node(&self) -> &Node {
        self.node
    }

    /// Whether it is an admission policy, whose expressions are checked.
    pub fn is_policy(&self) -> bool {
        self.gvk.group == "admissionregistration.k8s.io"
            && self.gvk.kind == "ValidatingAdmissionPolicy"
    }

    /// Whether it is a custom resource definition, which is checked without a schema.
    pub fn is_definition(&self) -> bool {
        self.gvk.group == "apiextensions.k8s.io" && self.gvk.kind == "CustomResourceDefinition"
    }

    /// Whether a pattern such as `monitoring.coreos.com/*` or `*/Deployment` names its kind. `*`
    /// stands for any text.
    pub fn is_named_by(&self, pattern: &str) -> bool {
        let Gvk { group, version, kind } = &self.gvk;
        let slash = if group.is_empty() { "" } else { "/" };
        let name = format!("{group}{slash}{version}/{kind}");
        let mut parts = pattern.split('*');
        let first = parts.next().unwrap_or_default();
        let Some(mut rest) = name.strip_prefix(first) else {
            return false;
        };
        let mut parts = parts.peekable();
        if parts.peek().is_none() {
            return rest.is_empty();
        }
        while let Some(part) = parts.next() {
            if parts.peek().is_none() {
                return rest.ends_with(part);
            }
            let Some(at) = rest.find(part) else {
                return false;
            };
            rest = &rest[at + part.len()..];
        }
        true
    }

    /// Whether it has no name, which every object of an API server has. Configurations of tools are
    /// not objects.
    pub fn is_nameless(&self) -> bool {
        let is_of_tool = TOOL_GROUPS.contains(&self.gvk.group.as_str());
        let meta = self.node.as_map().and_then(|it| it.get_str("metadata")?.as_map());
        let has = |key: &str| {
            let name = meta.and_then(|it| it.get_str(key)?.as_str());
            name.is_some_and(|it| !it.is_empty())
        };
        !is_of_tool && !self.gvk.kind.ends_with("List") && !has("name") && !has("generateName")
    }
}

/// The kinds of some resources, which determine the files that may contain their schemas.
#[derive(Debug)]
pub enum Interest {
    /// Only these kinds.
    Kinds { kinds: Vec<memmem::Finder<'static>>, file_names: HashSet<String> },
    /// All kinds, to find similar ones.
    All,
}

impl Interest {
    /// The kinds of these resources.
    pub fn of(resources: &[Resource<'_>]) -> Self {
        let kinds: HashSet<&Gvk> = resources.iter().map(|it| &it.gvk).collect();
        let file_names = kinds.iter().flat_map(|it| it.file_names()).collect();
        let names: HashSet<&str> = kinds.iter().map(|it| it.kind.as_str()).collect();
        let kinds = names.iter().map(|it| memmem::Finder::new(it).into_owned()).collect();
        Self::Kinds { kinds, file_names }
    }

    /// Whether a file may contain the schema of one of the kinds. If not, it does not have to be
    /// parsed.
    pub fn is_in(&self, path: &str, bytes: &[u8]) -> bool {
        let Self::Kinds { kinds, file_names } = self else {
            return true;
        };
        let names = names_of_file(path);
        names.iter().any(|it| file_names.contains(it))
            || path.ends_with(DEFINITIONS)
            || kinds.iter().any(|it| it.find(bytes).is_some())
    }
}

/// The groups of documents that are read by tools instead of an API server.
const TOOL_GROUPS: [&str; 2] = ["kustomize.config.k8s.io", "config.kubernetes.io"];

/// Returns which of `apiVersion` and `kind` a document lacks, each with the place of the document
/// or list item. Empty documents lack nothing.
pub fn unidentified(document: &Document) -> Vec<(&'static str, Origin)> {
    let lacks = |node: &Node| {
        let map = node.as_map();
        let has = |key: &str| map.and_then(|it| it.get_str(key)?.as_str()).is_some();
        ["apiVersion", "kind"].into_iter().find(|it| !has(it))
    };
    if document.node.is_null() {
        return Vec::new();
    }
    if let Some(key) = lacks(&document.node) {
        return vec![(key, document.origin)];
    }
    let map = document.node.as_map();
    let is_list = map.and_then(|it| it.get_str("kind")?.as_str()) == Some("List");
    let items = map.and_then(|it| it.get_str("items")?.as_array()).filter(|_| is_list);
    let items = items.into_iter().flat_map(|it| &it.items);
    items.filter_map(|it| Some((lacks(&it.node)?, it.origin))).collect()
}

/// The file that files with the schema of one kind refer to.
const DEFINITIONS: &str = "_definitions.json";

/// The names by which a file may be found: its name alone, and with its directory. The extension is
/// left out.
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

/// Returns the rules in all versions of a definition that an API server would reject.
pub fn rejected_rules(definition: &Node) -> Vec<RejectedRule> {
    let spec = definition.as_map().and_then(|it| it.get_str("spec")?.as_map());
    let versions = spec.and_then(|it| it.get_str("versions")?.as_array());
    let schema = |version: &Node| -> Option<Node> {
        let schema: &Map = version.as_map()?.get_str("schema")?.as_map()?;
        schema.get_str("openAPIV3Schema").cloned()
    };
    let versions = versions.into_iter().flat_map(|it| &it.items);
    let schemas = versions.filter_map(|it| schema(&it.node));
    schemas.flat_map(|it| plumb_jsonschema::rejected_rules(&it)).collect()
}
