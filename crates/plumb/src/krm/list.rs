//! The list of resources: reads it, splits it into files, and joins them again.

use plumb_diagnostic::{Code, Diagnostic, Failure};
use plumb_library::GivenFile;
use plumb_source::{FileId, Origin, message};
use plumb_value::{Array, ArrayItem, Document, Map, MapItem, Node};
use plumb_yaml::ReadOptions;
use plumb_yaml::print::{self, Flavour};

use super::comments;

/// The input of `plumb krm` is not a `ResourceList`.
///
/// kustomize and kpt give their functions a document of `kind: ResourceList` on standard input,
/// with the resources in `items` and the configuration in `functionConfig`. To try a function by
/// hand, write such a document: `plumb krm list.yml`.
pub const NO_LIST: Code = Code::new("krm/no-list");

/// The resources are files below this directory.
pub(super) const DIRECTORY: &str = "items";

/// The annotations in which orchestrators store the file of a resource.
const PATH: [&str; 2] = ["config.kubernetes.io/path", "internal.config.kubernetes.io/path"];
const INDEX: [&str; 2] = ["config.kubernetes.io/index", "internal.config.kubernetes.io/index"];

#[derive(Debug)]
pub(super) struct List {
    document: Document,
    items: Vec<Item>,
}

/// A resource from the input.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) item: ArrayItem,
    /// Its name as an input file.
    pub(super) file: String,
}

impl List {
    pub(super) fn read(file: FileId, bytes: &[u8]) -> Result<Self, Failure> {
        let documents = plumb_yaml::parse(file, bytes, &ReadOptions::default())?;
        let is_list = |it: &&Document| text(&it.node, &["kind"]) == Some("ResourceList");
        let document = documents.iter().find(is_list).cloned().ok_or_else(|| {
            let finding =
                Diagnostic::error(NO_LIST, "expected a document of kind ResourceList, found none");
            let first = documents.iter().find_map(|it| it.origin.span());
            let finding = finding.at(first, "expected a document of kind ResourceList");
            finding.help("kustomize and kpt give it on standard input; plumb krm FILE reads a file")
        })?;
        let items = document.node.as_map().and_then(|it| it.get(&"items".into()));
        let items = match items.map(|it| (&it.node, it.origin)) {
            None | Some((Node::Null, _)) => Vec::new(),
            Some((Node::Array(array), _)) => array.items.clone(),
            Some((other, origin)) => {
                let kind = other.kind().with_article();
                let finding =
                    Diagnostic::error(NO_LIST, message!("the items of the list are {kind}"));
                let finding = finding.at(origin, "expected an array of resources");
                return Err(finding.into());
            }
        };
        let items = items.into_iter().enumerate().map(|(at, item)| {
            let file = file_name(at, &item.node);
            Item { item, file }
        });
        Ok(Self { items: items.collect(), document })
    }

    pub(super) fn origin(&self) -> Origin {
        self.document.origin
    }

    pub(super) fn function_config(&self) -> Option<&MapItem> {
        self.document.node.as_map()?.get(&"functionConfig".into())
    }

    /// Returns the resource of an input file.
    pub(super) fn item_of(&self, file: &str) -> Option<&Item> {
        self.items.iter().find(|it| it.file == file)
    }

    /// The resources as input files.
    pub(super) fn files(&self) -> Vec<GivenFile> {
        let files = self.items.iter().map(|it| {
            let mut bytes = Vec::new();
            let document = Document::new(it.item.node.clone(), Origin::Unknown);
            print::format(&[document], Flavour::Plumb, &mut bytes);
            GivenFile { path: it.file.clone(), bytes: bytes.into() }
        });
        files.collect()
    }

    /// Replaces the resources of the input by those of the output. Comments on them are kept.
    pub(super) fn replace_items(&mut self, files: impl Iterator<Item = (String, Vec<Document>)>) {
        let mut items = Vec::new();
        for (path, mut documents) in files {
            let before = self.items.iter().find(|it| it.file == path);
            if let (Some(before), [only]) = (before, documents.as_mut_slice()) {
                comments::keep(&before.item.node, &mut only.node);
            }
            let documents = documents.into_iter().filter(|it| !it.node.is_empty_document());
            items.extend(documents.map(|document| {
                let mut item = ArrayItem::new(document.node, document.origin);
                if let Some(before) = before {
                    item.meta = before.item.meta.clone();
                }
                Item { item, file: path.clone() }
            }));
        }
        self.items = items;
    }

    /// Returns the list as it is printed, with its keys in the usual order.
    pub(super) fn with_results(&self, results: Vec<Node>) -> Document {
        let mut document = self.document.clone();
        let items = self.items.iter().map(|it| it.item.clone()).collect();
        let mut entries = vec![("items", Node::array(Array::new(items, Origin::Unknown)))];
        let earlier = at(&document.node, &["results"]).and_then(Node::as_array);
        let earlier = earlier.map(|it| it.items.clone()).unwrap_or_default();
        let results = results.into_iter().map(|it| ArrayItem::new(it, Origin::Unknown));
        let results: Vec<ArrayItem> = earlier.into_iter().chain(results).collect();
        if !results.is_empty() {
            entries.push(("results", Node::array(Array::new(results, Origin::Unknown))));
        }
        if let Some(map) = document.node.map_mut() {
            for (key, node) in entries {
                set(map, key, node);
            }
        }
        document
    }
}

impl Item {
    /// Returns the file that the resource comes from, according to the orchestrator.
    pub(super) fn path(&self) -> Option<&str> {
        PATH.iter().find_map(|it| annotation(&self.item.node, it)).and_then(Node::as_str)
    }

    /// Returns its index in that file.
    pub(super) fn index(&self) -> Option<i64> {
        match INDEX.iter().find_map(|it| annotation(&self.item.node, it))? {
            Node::Int(index) => Some(*index),
            other => other.as_str()?.parse().ok(),
        }
    }

    /// Returns the parts of a reference to it.
    pub(super) fn reference(&self) -> Vec<(&'static str, &str)> {
        let node = &self.item.node;
        let parts = [
            ("apiVersion", text(node, &["apiVersion"])),
            ("kind", text(node, &["kind"])),
            ("name", text(node, &["metadata", "name"])),
            ("namespace", text(node, &["metadata", "namespace"])),
        ];
        parts.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
    }
}

fn set(map: &mut Map, key: &str, node: Node) {
    match map.position(&key.into()) {
        Some(at) => map.item_mut(at).node = node,
        None => map.push(MapItem::new(key.into(), node, Origin::Unknown)),
    }
}

fn at<'a>(node: &'a Node, keys: &[&str]) -> Option<&'a Node> {
    keys.iter().try_fold(node, |node, key| node.as_map()?.get_str(key))
}

fn text<'a>(node: &'a Node, keys: &[&str]) -> Option<&'a str> {
    at(node, keys)?.as_str()
}

fn annotation<'a>(node: &'a Node, name: &str) -> Option<&'a Node> {
    at(node, &["metadata", "annotations", name])
}

/// Returns the name of a resource as an input file: its number, followed by the name of its file.
/// The number makes names unique.
fn file_name(number: usize, node: &Node) -> String {
    let path = PATH.iter().find_map(|it| annotation(node, it)).and_then(Node::as_str);
    let kind = text(node, &["kind"]).unwrap_or("resource").to_lowercase();
    let name = text(node, &["metadata", "name"]).unwrap_or_default();
    let path = path.map_or_else(|| format!("{kind}-{name}.yml"), str::to_owned);
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "._-".contains(it);
    let parts = path.split('/').filter(|it| !matches!(*it, "" | "." | ".."));
    let parts = parts.map(|it| it.replace(|it: char| !is_plain(it), "_"));
    let path = parts.collect::<Vec<_>>().join("/");
    format!("{DIRECTORY}/{number}/{path}")
}
