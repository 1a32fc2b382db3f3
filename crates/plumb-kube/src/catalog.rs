//! Schemas by group, version and kind.

use std::collections::HashMap;

use plumb_diagnostic::nearest;
use plumb_jsonschema::{Keyword, Manner, ShapeId, Shapes, check};
use plumb_source::{Origin, SourceKind, Sources};
use plumb_validation::Violation;
use plumb_value::{Document, Map, Node};
use plumb_yaml::{ReadOptions, SyntaxError};

use crate::compile::{Compiler, Mode};
use crate::fill::filled;
use crate::finding::violations;
use crate::kind::Gvk;
use crate::meta::OBJECT_META;
use crate::resource::{Resource, names_of_file};

/// A file that may contain schemas.
#[derive(Debug)]
pub struct SchemaFile {
    /// Its path, which may name the kind of its schema.
    pub path: String,
    pub documents: Vec<Document>,
}

/// Schemas, and their compiled shapes.
#[derive(Debug)]
pub struct Catalog {
    pub(crate) files: Vec<SchemaFile>,
    known: HashMap<Gvk, SchemaEntry>,
    /// Files that are named after a kind, by their names.
    named: HashMap<String, usize>,
    /// Files by the last part of their path, for references between files.
    pub(crate) by_name: HashMap<String, usize>,
    roots: HashMap<Gvk, Option<ShapeId>>,
    pub(crate) shapes: Shapes,
    pub(crate) compiled: HashMap<(usize, Mode), ShapeId>,
    pub(crate) meta: Option<ShapeId>,
    pub(crate) unchecked: Vec<UncheckedRule>,
}

/// A rule of a custom resource that cannot be checked.
#[derive(Clone, Debug)]
pub struct UncheckedRule {
    /// The expression in CEL, or the keyword with its value.
    pub rule: String,
    /// Why it cannot be checked.
    pub why: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Where it was written.
    pub origin: Origin,
}

/// The place of a schema.
#[derive(Clone, Debug)]
struct SchemaEntry {
    schema: Node,
    mode: Mode,
    /// The node that references are looked up in.
    root: Node,
}

impl Catalog {
    /// A catalog of these files. If there are two schemas for one kind, the first is used.
    pub fn new(files: Vec<SchemaFile>) -> Self {
        let mut catalog = Self {
            files,
            known: HashMap::new(),
            named: HashMap::new(),
            by_name: HashMap::new(),
            roots: HashMap::new(),
            shapes: Shapes::new(Manner::Kubernetes),
            compiled: HashMap::new(),
            meta: None,
            unchecked: Vec::new(),
        };
        let meta = object_meta();
        catalog.files.push(meta);
        for file in 0..catalog.files.len() {
            catalog.register(file);
        }
        catalog
    }

    /// Validates a resource against its schema. Returns `None` if there is no schema for it.
    pub fn check(&mut self, resource: &Resource<'_>) -> Option<Vec<Violation>> {
        let root = self.root(&resource.gvk)?;
        let filled = filled(&self.shapes, root, resource.node);
        let node = filled.as_ref().unwrap_or(resource.node);
        let findings = check(&self.shapes, root, node, resource.origin, resource.path.clone());
        Some(violations(&self.shapes, resource, findings))
    }

    /// Removes and returns the rules that could not be checked so far. Each rule is returned once.
    pub fn take_unchecked(&mut self) -> Vec<UncheckedRule> {
        std::mem::take(&mut self.unchecked)
    }

    /// Whether there are schemas for other kinds in the group of a resource.
    pub fn knows_group(&self, resource: &Resource<'_>) -> bool {
        let group = &resource.gvk.group;
        self.known.keys().any(|it| it.group == *group)
    }

    /// The most similar kind, if the kind of a resource has no schema.
    pub fn nearest_kind(&self, resource: &Resource<'_>) -> Option<String> {
        let Gvk { group, version, kind } = &resource.gvk;
        let kinds = self.known.keys().filter(|it| it.group == *group && it.kind != *kind);
        let mut kinds: Vec<&Gvk> = kinds.collect();
        kinds.sort_unstable();
        let meant = nearest(kind, kinds.iter().map(|it| it.kind.as_str()))?;
        let same = kinds.iter().filter(|it| it.kind == meant);
        let best = same.max_by_key(|it| it.version == *version)?;
        Some(best.to_string())
    }

    /// The versions of a kind that have schemas, if the given version has none.
    pub fn other_versions(&self, resource: &Resource<'_>) -> Vec<&str> {
        let Gvk { group, kind, .. } = &resource.gvk;
        let known = self.known.keys().filter(|it| it.group == *group && it.kind == *kind);
        let mut versions: Vec<&str> = known.map(|it| it.version.as_str()).collect();
        versions.sort_unstable();
        versions
    }

    fn root(&mut self, gvk: &Gvk) -> Option<ShapeId> {
        if let Some(root) = self.roots.get(gvk) {
            return *root;
        }
        let place = self.known.get(gvk).cloned().or_else(|| {
            let schema = self.named_schema(gvk)?.clone();
            Some(SchemaEntry { root: schema.clone(), schema, mode: Mode::Strict })
        });
        let root = place.map(|it| {
            let mut compiler = Compiler::new(self, it.root);
            match it.mode {
                Mode::Custom => compiler.custom_resource(&it.schema),
                mode => compiler.schema(&it.schema, mode),
            }
        });
        self.roots.insert(gvk.clone(), root);
        root
    }

    /// The schema in a file that is named after a kind.
    fn named_schema(&self, gvk: &Gvk) -> Option<&Node> {
        let names = gvk.file_names();
        let file = *names.iter().find_map(|it| self.named.get(it))?;
        Some(&self.files[file].documents.first()?.node)
    }

    /// The schema of a kind as it is written, and the node that its references are looked up in.
    pub(crate) fn schema(&self, gvk: &Gvk) -> Option<(&Node, &Node)> {
        let known = self.known.get(gvk).map(|it| (&it.schema, &it.root));
        known.or_else(|| self.named_schema(gvk).map(|it| (it, it)))
    }

    fn register(&mut self, file: usize) {
        let path = self.files[file].path.clone();
        for name in names_of_file(&path) {
            self.named.entry(name).or_insert(file);
        }
        let name = path.rsplit('/').next().unwrap_or_default().to_owned();
        self.by_name.entry(name).or_insert(file);
        let nodes: Vec<Node> =
            self.files[file].documents.iter().map(|it| it.node.clone()).collect();
        for node in nodes {
            self.register_document(&node);
        }
    }

    fn register_document(&mut self, node: &Node) {
        let Some(map) = node.as_map() else {
            return;
        };
        if map.get_str("kind").and_then(Node::as_str) == Some("CustomResourceDefinition") {
            self.register_custom(node);
            return;
        }
        if map.get_str("kind").and_then(Node::as_str) == Some("List") {
            let items = map.get_str("items").and_then(Node::as_array);
            for item in items.into_iter().flat_map(|it| &it.items) {
                self.register_document(&item.node);
            }
            return;
        }
        self.register_kinds(node, node);
        let components = Keyword::Components.map(map).and_then(|it| it.get_str("schemas"));
        for schemas in [components, Keyword::Definitions.of(map)].into_iter().flatten() {
            for item in schemas.as_map().into_iter().flat_map(Map::items) {
                self.register_kinds(&item.node, node);
            }
        }
    }

    /// Adds a schema that itself names its kinds.
    fn register_kinds(&mut self, schema: &Node, root: &Node) {
        let kinds = schema.as_map().map(|it| Keyword::GroupVersionKind.items(it));
        for entry in kinds.unwrap_or_default() {
            let text = |key: &str| entry.node.as_map()?.get_str(key)?.as_str();
            if let (Some(version), Some(kind)) = (text("version"), text("kind")) {
                let gvk = Gvk::new(text("group").unwrap_or_default(), version, kind);
                let (schema, root) = (schema.clone(), root.clone());
                self.known.entry(gvk).or_insert(SchemaEntry { schema, mode: Mode::Strict, root });
            }
        }
    }

    fn register_custom(&mut self, definition: &Node) {
        let at = |node: &Node, keys: &[&str]| -> Option<Node> {
            keys.iter().try_fold(node.clone(), |node, key| node.as_map()?.get_str(key).cloned())
        };
        let text = |keys: &[&str]| at(definition, keys)?.as_str().map(str::to_owned);
        let (Some(group), Some(kind)) =
            (text(&["spec", "group"]), text(&["spec", "names", "kind"]))
        else {
            return;
        };
        let shared = at(definition, &["spec", "validation", "openAPIV3Schema"]);
        let versions = at(definition, &["spec", "versions"]).unwrap_or_default();
        for version in versions.as_array().into_iter().flat_map(|it| &it.items) {
            let name = at(&version.node, &["name"]);
            let schema = at(&version.node, &["schema", "openAPIV3Schema"]).or(shared.clone());
            if let (Some(name), Some(schema)) = (name.as_ref().and_then(Node::as_str), schema) {
                let gvk = Gvk::new(&group, name, &kind);
                let root = schema.clone();
                self.known.entry(gvk).or_insert(SchemaEntry { schema, mode: Mode::Custom, root });
            }
        }
    }
}

/// The metadata of resources as a separate file, which is the last one.
fn object_meta() -> SchemaFile {
    let bytes = OBJECT_META.as_bytes();
    let file = Sources::new().add("", SourceKind::File, bytes.into());
    let documents: Result<_, SyntaxError> = plumb_yaml::parse(file, bytes, &ReadOptions::default());
    SchemaFile { path: String::new(), documents: documents.expect("our own schema is YAML") }
}
