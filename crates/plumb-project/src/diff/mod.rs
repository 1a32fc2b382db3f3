//! Compares documents by meaning: finds out which documents correspond to each other, and which of
//! their values differ.
//!
//! The order of documents and of map keys does not matter. Numbers are compared by their value.
//! Each difference has the origin of its value on each side, in the sources of that side.

mod name;
mod nodes;
mod pair;
mod path;
mod side;

use std::collections::HashMap;

use plumb_source::{Span, on_deep_stack};
use plumb_value::{Document, Node};

pub use name::DocumentName;
use name::child;
pub use side::Side;

/// A document of one side, and its file.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The path of the file that contains it. Empty if it is not known.
    pub file: String,
    pub document: Document,
}

/// The differences in one document.
#[derive(Debug)]
pub struct DocumentDiff {
    pub name: DocumentName,
    pub change: Change,
}

/// How a document changes.
#[derive(Debug)]
pub enum Change {
    Added(Value),
    Removed(Value),
    /// At least one difference.
    Changed(Vec<Difference>),
}

/// One difference, at a path in a document.
#[derive(Debug)]
pub struct Difference {
    /// The path, such as `spec.containers[name=web].image`.
    pub path: String,
    pub old: Option<Value>,
    pub new: Option<Value>,
    pub kind: DifferenceKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifferenceKind {
    Added,
    Removed,
    Changed,
    /// The named items of a list are in another order. The values are the lists.
    Reordered,
}

/// A value, and its origin.
#[derive(Clone, Debug)]
pub struct Value {
    pub node: Node,
    pub place: Option<Span>,
}

/// Compares documents. Equal documents are left out. The others are in the order of the new side,
/// followed by the removed ones.
pub fn compare(old: &[Placed], new: &[Placed]) -> Vec<DocumentDiff> {
    on_deep_stack(|| {
        let (old, new) = (items(old), items(new));
        let mut diffs = Vec::new();
        for pair in pair::pairs(&old, &new) {
            let (name, change) = match (pair.0.map(|at| &old[at]), pair.1.map(|at| &new[at])) {
                (Some(old), Some(new)) => {
                    let differences = nodes::differences(&old.value, &new.value);
                    if differences.is_empty() {
                        continue;
                    }
                    (&new.name, Change::Changed(differences))
                }
                (None, Some(new)) => (&new.name, Change::Added(new.value.clone())),
                (Some(old), None) => (&old.name, Change::Removed(old.value.clone())),
                (None, None) => continue,
            };
            diffs.push(DocumentDiff { name: name.clone(), change });
        }
        diffs
    })
}

/// A document with its name.
struct Item {
    name: DocumentName,
    value: Value,
}

/// The documents of one side. The items of a `List` of Kubernetes are documents themselves.
fn items(documents: &[Placed]) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut n_in_file: HashMap<&str, (usize, usize)> = HashMap::new();
    for Placed { file, document } in documents {
        let n_before = n_in_file.entry(file).or_default();
        let mut add = |node: &Node, place: Option<Span>| {
            n_before.0 += 1;
            let mut name = DocumentName::new(node, file, n_before.0);
            name.n_unnamed = n_before.1;
            n_before.1 += usize::from(!name.is_named());
            items.push(Item { name, value: Value { node: node.clone(), place } });
        };
        let is_list = child(&document.node, "kind").and_then(Node::as_str) == Some("List");
        match child(&document.node, "items").and_then(Node::as_array).filter(|_| is_list) {
            Some(list) => list.items.iter().for_each(|it| add(&it.node, it.origin.span())),
            None => add(&document.node, document.origin.span()),
        }
    }
    items
}

impl Value {
    /// The values inside it that contain no other values, with their paths relative to it. An empty
    /// map or list is such a value.
    pub fn leaves(&self) -> Vec<(String, Self)> {
        let mut leaves = Vec::new();
        on_deep_stack(|| nodes::leaves(self, &mut path::Path::default(), &mut leaves));
        leaves
    }
}

#[cfg(test)]
mod tests {
    use plumb_yaml::ReadOptions;

    use super::*;

    fn documents(text: &str) -> Vec<Placed> {
        let options = ReadOptions { comments: false, ..ReadOptions::default() };
        let sources = plumb_source::Sources::new();
        let file = sources.add("a.yml", plumb_source::SourceKind::File, text.as_bytes().into());
        let parsed = plumb_yaml::parse(file, text.as_bytes(), &options).expect("it is YAML");
        let parsed = parsed.into_iter().filter(|it| !it.is_injected);
        parsed.map(|document| Placed { file: "a.yml".to_owned(), document }).collect()
    }

    /// The differences in one line each.
    fn shown(old: &str, new: &str) -> Vec<String> {
        let mut lines = Vec::new();
        for diff in compare(&documents(old), &documents(new)) {
            let name = diff.name.to_string();
            match diff.change {
                Change::Added(_) => lines.push(format!("{name}: added")),
                Change::Removed(_) => lines.push(format!("{name}: removed")),
                Change::Changed(all) => {
                    lines.extend(all.iter().map(|it| format!("{name}: {} {:?}", it.path, it.kind)));
                }
            }
        }
        lines
    }

    #[test]
    fn order_of_keys_and_documents_and_notation_of_numbers_do_not_matter() {
        let old = "kind: A\nmetadata: {name: x}\nsize: 1.0\n---\nkind: B\nmetadata: {name: z}\n";
        let new = "kind: B\nmetadata: {name: z}\n---\nsize: 1\nmetadata: {name: x}\nkind: A\n";
        assert_eq!(shown(old, new), Vec::<String>::new());
        assert_eq!(
            shown("kind: A\nsize: 1\n", "kind: A\nsize: '1'\n"),
            ["A document 1 of a.yml: size Changed"]
        );
    }

    #[test]
    fn documents_are_known_by_version_kind_namespace_and_name() {
        let document = |api: &str, kind: &str, namespace: &str, name: &str| {
            let metadata = format!("{{namespace: {namespace}, name: {name}}}");
            format!("---\napiVersion: {api}\nkind: {kind}\nmetadata: {metadata}\n")
        };
        let old = [document("v1", "A", "one", "x"), document("v1", "A", "two", "x")].concat();
        let new = [document("v1", "A", "two", "x"), document("v1", "A", "one", "x")].concat();
        assert_eq!(shown(&old, &new), Vec::<String>::new());
        let moved = document("v1", "A", "three", "x");
        assert_eq!(shown(&old, &moved).len(), 3, "there are two that it could have been");
        let newer = document("v2", "A", "one", "x");
        assert_eq!(
            shown(&document("v1", "A", "one", "x"), &newer),
            ["v2 A one/x: apiVersion Changed"]
        );
        assert_eq!(
            shown(&document("v1", "A", "one", "x"), &document("v1", "A", "one", "z")),
            ["v1 A one/z: added", "v1 A one/x: removed"]
        );
    }

    #[test]
    fn documents_without_a_name_are_compared_in_their_order() {
        assert_eq!(
            shown("a: 1\n---\nb: 1\n", "a: 1\n---\nb: 2\n"),
            ["document 2 of a.yml: b Changed"]
        );
        assert_eq!(shown("a: 1\n", "a: 1\n---\nb: 2\n"), ["document 2 of a.yml: added"]);
        let twice = "kind: A\nmetadata: {name: x}\n---\nkind: A\nmetadata: {name: x}\nsize: 1\n";
        assert_eq!(shown(twice, twice), Vec::<String>::new());
    }

    #[test]
    fn items_with_names_are_compared_by_name() {
        let old = "c: [{name: a, size: 1}, {name: b, size: 2}]\n";
        let new = "c: [{name: new, size: 0}, {name: a, size: 1}, {name: b, size: 3}]\n";
        assert_eq!(
            shown(old, new),
            [
                "document 1 of a.yml: c[name=new] Added",
                "document 1 of a.yml: c[name=b].size Changed"
            ]
        );
        let turned = "c: [{name: b, size: 2}, {name: a, size: 1}]\n";
        assert_eq!(shown(old, turned), ["document 1 of a.yml: c Reordered"]);
        assert_eq!(
            shown("a: [1, 2, 3]\n", "a: [1, 9, 2, 3]\n"),
            ["document 1 of a.yml: a[1] Added"]
        );
        assert_eq!(shown("a: [1, 2]\n", "a: [1, 3]\n"), ["document 1 of a.yml: a[1] Changed"]);
    }

    #[test]
    fn keys_with_dots_are_quoted_in_paths() {
        let key = "metadata: {labels: {app.example.com/name: ";
        let (old, new) = (format!("{key}a}}}}\n"), format!("{key}b}}}}\n"));
        let path = "metadata.labels[\"app.example.com/name\"]";
        assert_eq!(shown(&old, &new), [format!("document 1 of a.yml: {path} Changed")]);
    }

    #[test]
    fn a_list_of_kubernetes_is_the_documents_in_it() {
        let list = "kind: List\nitems: [{kind: A, metadata: {name: x}, size: 1}]\n";
        assert_eq!(shown(list, "kind: A\nmetadata: {name: x}\nsize: 1\n"), Vec::<String>::new());
    }

    #[test]
    fn what_is_added_is_known_by_its_leaves() {
        let value = documents("a: {b: 1, c: [2, {}]}\n").remove(0).document.node;
        let leaves = Value { node: value, place: None }.leaves();
        let paths: Vec<&str> = leaves.iter().map(|it| it.0.as_str()).collect();
        assert_eq!(paths, ["a.b", "a.c[0]", "a.c[1]"]);
    }
}
