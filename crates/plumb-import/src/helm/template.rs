//! Writes the documents of the output as templates.

use std::collections::HashMap;
use std::fmt::Write as _;

use plumb_source::Origin;
use plumb_value::{Array, ArrayItem, Comment, Document, Meta, Node};

use super::output::{self, Output};
use super::place::{Places, Rewriting};
use super::same::Hashed;
use super::scan::Scanned;
use super::summary::Counts;
use crate::literal::yaml;
use crate::write::{entry, head, on_one_line, push_lines, shown, with_float};

const LOAD: &str = "#@ load(\"@ytt:data\", \"data\")\n";

/// The templates, with their paths.
pub(crate) fn write(
    output: &Output<'_>,
    scanned: &[Scanned<'_>],
    places: &mut Places<'_>,
    counts: &mut Counts,
) -> Vec<(String, String)> {
    let by_file: HashMap<String, &Scanned<'_>> =
        scanned.iter().map(|it| (output::renamed(it.path), it)).collect();
    let files = output.files.iter().map(|(path, documents)| {
        let own = by_file.get(path).copied();
        let mut readers: Vec<&Scanned<'_>> = own.into_iter().collect();
        if own.is_some_and(|it| it.has_includes) {
            readers.extend(scanned.iter().filter(|it| it.is_helper()));
        }
        let is_foreign = path.starts_with("charts/");
        let mut writer = Writer {
            out: String::new(),
            keys: Vec::new(),
            readers,
            is_foreign,
            n_placed: 0,
            places,
            counts,
        };
        for document in documents {
            writer.document(document);
        }
        let Writer { out, n_placed, .. } = writer;
        counts.n_documents += documents.len();
        counts.n_placed += n_placed;
        counts.n_foreign += if is_foreign { documents.len() } else { 0 };
        let mut text = own.map(|it| notes(it, counts)).unwrap_or_default();
        if is_foreign {
            text.push_str("#! From another chart, whose values are not imported\n");
        }
        if n_placed > 0 {
            text.push_str(LOAD);
        }
        text.push_str(&out);
        (path.clone(), text)
    });
    files.collect()
}

/// Comments about features of Helm's template that the imported template does not have.
fn notes(scanned: &Scanned<'_>, counts: &mut Counts) -> String {
    let mut out = String::new();
    let lines = |lines: &[usize]| {
        let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
        format!("line{} {}", if lines.len() == 1 { "" } else { "s" }, lines.join(", "))
    };
    for (feature, at) in &scanned.features {
        *counts.features.entry(*feature).or_default() += 1;
        let _ = writeln!(
            out,
            "#! Helm's template {}, {}: this is its output",
            feature.words(),
            lines(at)
        );
    }
    if !scanned.conditions.is_empty() {
        counts.n_conditions += scanned.conditions.len();
        let _ = writeln!(out, "#! Helm's template depends on these values; this is its output:");
        for (value, line) in &scanned.conditions {
            let _ = writeln!(out, "#!   {} (line {line})", on_one_line(value));
        }
    }
    out
}

struct Writer<'a, 'b, 'v> {
    out: String,
    /// The keys of the node that is written.
    keys: Vec<&'a str>,
    readers: Vec<&'b Scanned<'b>>,
    /// Whether the documents are those of another chart.
    is_foreign: bool,
    n_placed: usize,
    places: &'b mut Places<'v>,
    counts: &'b mut Counts,
}

impl<'a> Writer<'a, '_, '_> {
    fn document(&mut self, document: &'a Document) {
        if let Some(hook) = output::hook(&document.node) {
            self.counts.n_hooks += 1;
            self.note(0, &format!("Helm ran this as a hook ({hook}): Plumb does not run hooks"));
        }
        self.comments(&document.meta, 0);
        self.out.push_str("---\n");
        let hashed = Hashed::of(&document.node);
        match &document.node {
            Node::Map(map) if !map.is_empty() => self.map(&document.node, &hashed, 0),
            Node::Array(array) if !array.items.is_empty() => {
                self.array(&document.node, &hashed, 0);
            }
            node => push_lines(&yaml(node), 0, &mut self.out),
        }
    }

    fn map(&mut self, node: &'a Node, hashed: &Hashed, indent: usize) {
        let Node::Map(map) = node else {
            return;
        };
        for (item, hashed) in map.items().iter().zip(&hashed.children) {
            self.comments(&item.meta, indent);
            self.keys.push(item.key.as_str().unwrap_or_default());
            match self.place(&item.node, hashed, indent) {
                Some(code) => {
                    push_lines(&head(&item.key), indent, &mut self.out);
                    self.code(&code);
                }
                None if is_filled(&item.node) => {
                    push_lines(&head(&item.key), indent, &mut self.out);
                    match &item.node {
                        Node::Array(_) => self.array(&item.node, hashed, indent),
                        _ => self.map(&item.node, hashed, indent + 2),
                    }
                }
                None => {
                    let text = with_float(&entry(&item.key, shown(&item.node)), &item.node);
                    push_lines(&text, indent, &mut self.out);
                }
            }
            self.keys.pop();
        }
    }

    fn array(&mut self, node: &'a Node, hashed: &Hashed, indent: usize) {
        let Node::Array(array) = node else {
            return;
        };
        for (item, hashed) in array.items.iter().zip(&hashed.children) {
            self.comments(&item.meta, indent);
            self.keys.push("");
            match self.place(&item.node, hashed, indent) {
                Some(code) => {
                    let _ = writeln!(self.out, "{:indent$}-", "");
                    self.code(&code);
                }
                None if is_filled(&item.node) => self.item(&item.node, hashed, indent),
                None => {
                    let one = vec![ArrayItem::new(shown(&item.node), Origin::Unknown)];
                    let text = yaml(&Node::array(Array::new(one, Origin::Unknown)));
                    push_lines(&with_float(&text, &item.node), indent, &mut self.out);
                }
            }
            self.keys.pop();
        }
    }

    /// An item of an array that is a map or an array: it begins in the line of the dash, unless
    /// comments precede it.
    fn item(&mut self, node: &'a Node, hashed: &Hashed, indent: usize) {
        let start = self.out.len();
        match node {
            Node::Array(_) => self.array(node, hashed, indent + 2),
            _ => self.map(node, hashed, indent + 2),
        }
        let dash = start + indent;
        if self.out[dash + 2..].starts_with('#') {
            self.out.insert_str(start, &format!("{:indent$}-\n", ""));
        } else {
            self.out.replace_range(dash..=dash, "-");
        }
    }

    /// The expression for a node. If several expressions are possible, they are written as a
    /// comment.
    fn place(&mut self, node: &Node, hashed: &Hashed, indent: usize) -> Option<String> {
        let place = if self.is_foreign {
            self.places.place_of_release(node, &self.keys)
        } else {
            self.places.place(node, hashed.hash, &self.keys, &self.readers)
        };
        match place {
            Rewriting::Literal => None,
            Rewriting::Expression(code) => {
                self.n_placed += 1;
                Some(code)
            }
            Rewriting::Unsure(codes) => {
                self.counts.n_unsure += 1;
                self.note(indent, &format!("perhaps {}", codes.join(" or ")));
                None
            }
        }
    }

    /// Adds an expression after the key or dash that was written last.
    fn code(&mut self, code: &str) {
        self.out.truncate(self.out.trim_end().len());
        let _ = writeln!(self.out, " #@ {code}");
    }

    fn comments(&mut self, meta: &Meta, indent: usize) {
        let is_kept = |it: &&Comment| output::source(it).is_none();
        for comment in meta.comments().iter().filter(is_kept) {
            let text = comment.text.to_str_lossy();
            self.note(indent, &text);
        }
    }

    fn note(&mut self, indent: usize, text: &str) {
        let text = on_one_line(text);
        if !text.is_empty() {
            let _ = writeln!(self.out, "{:indent$}#! {text}", "");
        }
    }
}

/// Whether a node has nodes below it.
fn is_filled(node: &Node) -> bool {
    node.children().next().is_some()
}
