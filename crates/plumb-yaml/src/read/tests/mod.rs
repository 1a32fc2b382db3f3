//! Tests of the parser: results as one line of text, and laws.

mod anchors;
mod comments;
mod errors;
mod explain;
mod laws;
mod limits;
mod places;
mod recover;
mod scalars;
mod structure;

use std::fmt::Write as _;

use plumb_source::{SourceKind, Sources};
use plumb_value::{Document, Node};

use super::{ReadOptions, SyntaxError, parse};

fn read(text: &str) -> Result<Vec<Document>, SyntaxError> {
    read_with(text, &ReadOptions::default())
}

fn read_with(text: &str, options: &ReadOptions) -> Result<Vec<Document>, SyntaxError> {
    let sources = Sources::new();
    let file = sources.add("a.yml", SourceKind::File, text.as_bytes().into());
    parse(file, text.as_bytes(), options)
}

/// The values of all documents, in flow style; or the error.
fn values(text: &str) -> String {
    match read(text) {
        Ok(documents) => {
            let shown = documents.iter().map(|document| show(&document.node));
            shown.collect::<Vec<_>>().join(" --- ")
        }
        Err(error) => outcome(&error),
    }
}

/// The line that libyaml counts, and the kind of an error.
fn outcome(error: &SyntaxError) -> String {
    let line = error.counted_line().map(|it| format!("line {it}: ")).unwrap_or_default();
    format!("{line}{:?}", error.kind())
}

/// A node in flow style. Strings are in quotes, floats have a point.
fn show(node: &Node) -> String {
    match node {
        Node::Null => "null".to_owned(),
        Node::Bool(value) => value.to_string(),
        Node::Int(value) => value.to_string(),
        Node::UInt(value) => value.to_string(),
        Node::Float(value) => format!("{value:?}"),
        Node::String(text) => format!("{text:?}"),
        Node::Map(map) => {
            let pairs = map.items().iter();
            let pairs = pairs.map(|item| format!("{}: {}", show(&item.key), show(&item.node)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
        Node::Array(array) => {
            let items = array.items.iter().map(|item| show(&item.node));
            format!("[{}]", items.collect::<Vec<_>>().join(", "))
        }
    }
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(values(text), expected, "{text}");
}

/// All items with their lines and comments: `key@line`, `-@line`, `doc@line`, and `<` before a
/// comment on the same line, `^` before one above.
fn outline(text: &str) -> String {
    let sources = Sources::new();
    let file = sources.add("a.yml", SourceKind::File, text.as_bytes().into());
    let documents = match parse(file, text.as_bytes(), &ReadOptions::default()) {
        Ok(documents) => documents,
        Err(error) => return outcome(&error),
    };
    let source = sources.get(file);
    let mut out = Outline { out: String::new(), source: &source };
    for document in &documents {
        let name = if document.is_injected { "end" } else { "doc" };
        out.item(name, document.origin, &document.meta);
        out.node(&document.node);
    }
    out.out
}

struct Outline<'a> {
    out: String,
    source: &'a plumb_source::Source,
}

impl Outline<'_> {
    fn item(&mut self, name: &str, origin: plumb_source::Origin, meta: &plumb_value::Meta) {
        let line =
            origin.span().map_or("?".to_owned(), |span| self.source.line(span.start).to_string());
        if !self.out.is_empty() {
            self.out.push(' ');
        }
        let _ = write!(self.out, "{name}@{line}");
        for comment in meta.comments() {
            let mark = if comment.is_inline { '<' } else { '^' };
            let _ = write!(self.out, "{mark}{}", comment.text.to_str_lossy().trim());
        }
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Map(map) => {
                for item in map.items() {
                    let name = match &item.key {
                        Node::String(text) => text.to_str_lossy().into_owned(),
                        other => show(other),
                    };
                    self.item(&name, item.origin, &item.meta);
                    self.node(&item.node);
                }
            }
            Node::Array(array) => {
                for item in &array.items {
                    self.item("-", item.origin, &item.meta);
                    self.node(&item.node);
                }
            }
            _ => {}
        }
    }
}

#[track_caller]
fn check_outline(text: &str, expected: &str) {
    assert_eq!(outline(text), expected, "{text}");
}
