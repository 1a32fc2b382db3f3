//! Documents from text: block maps and arrays, flow collections, scalars, `---`, and annotations in
//! `#@name arguments` lines above their node. Other comments are ignored.

use std::sync::Arc;

use plumb_source::{FileId, Origin, SourceKind, Sources, Span};
use plumb_value::{Annotation, Array, ArrayItem, Document, Map, MapItem, Meta, Node};

use crate::expression::{self, Names};

struct Line {
    indent: usize,
    text: String,
    offset: usize,
    annotations: Vec<Annotation>,
}

struct Parser {
    file: FileId,
    lines: Vec<Line>,
    at: usize,
}

/// Adds the text to the sources and reads its documents.
pub(crate) fn documents(sources: &Sources, name: &str, text: &str, names: &Names) -> Vec<Document> {
    let file = sources.add(name, SourceKind::File, text.as_bytes().into());
    let lines = lines(file, text, names);
    let mut parser = Parser { file, lines, at: 0 };
    let mut documents = Vec::new();
    while parser.at < parser.lines.len() {
        documents.push(parser.document());
    }
    documents
}

fn lines(file: FileId, text: &str, names: &Names) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut annotations = Vec::new();
    let mut offset = 0;
    for line in text.split('\n') {
        let trimmed = line.trim();
        let indent = line.len() - line.trim_start().len();
        if let Some(comment) = trimmed.strip_prefix("#@") {
            if !comment.starts_with(' ') {
                let span = span(file, offset + indent, offset + line.len());
                annotations.push(annotation(comment, span, names));
            }
        } else if !trimmed.is_empty() && !trimmed.starts_with('#') {
            let annotations = std::mem::take(&mut annotations);
            let text = trimmed.to_owned();
            lines.push(Line { indent, text, offset: offset + indent, annotations });
        }
        offset += line.len() + 1;
    }
    lines
}

fn annotation(comment: &str, span: Span, names: &Names) -> Annotation {
    let (name, arguments) = comment.split_once(' ').unwrap_or((comment, ""));
    let (args, kwargs) = expression::arguments(arguments, names);
    Annotation::new(name.into(), args, kwargs, Some(span))
}

fn span(file: FileId, start: usize, end: usize) -> Span {
    let narrow = |at| u32::try_from(at).expect("tests are short");
    Span::new(file, narrow(start), narrow(end))
}

impl Parser {
    fn document(&mut self) -> Document {
        let line = &mut self.lines[self.at];
        let origin = Origin::Written(span(self.file, line.offset, line.offset + line.text.len()));
        let mut meta = Meta::default();
        if line.text == "---" {
            meta = meta_of(std::mem::take(&mut line.annotations));
            self.at += 1;
        }
        let mut document = Document::new(self.block(0, origin), origin);
        document.meta = meta;
        document
    }

    /// The node whose lines begin at this indentation, or deeper.
    fn block(&mut self, indent: usize, origin: Origin) -> Node {
        match self.lines.get(self.at) {
            Some(line) if line.indent >= indent && line.text != "---" => {
                let indent = line.indent;
                if is_dash(&line.text) {
                    self.array(indent, origin)
                } else if split_key(&line.text).is_some() {
                    self.map(indent, origin)
                } else {
                    self.at += 1;
                    expression::yaml(&self.lines[self.at - 1].text, origin)
                }
            }
            _ => Node::Null,
        }
    }

    fn map(&mut self, indent: usize, origin: Origin) -> Node {
        let mut items = Vec::new();
        while let Some(line) = self.lines.get_mut(self.at) {
            let Some((key, value)) = split_key(&line.text) else { break };
            if line.indent != indent {
                break;
            }
            let end = line.offset + line.text.len();
            let item_origin = Origin::Written(span(self.file, line.offset, end));
            let key = expression::yaml(key, Origin::Unknown);
            let value = value.to_owned();
            let meta = meta_of(std::mem::take(&mut line.annotations));
            self.at += 1;
            let node = if value.is_empty() {
                self.value_below(indent, item_origin)
            } else {
                expression::yaml(&value, item_origin)
            };
            items.push(MapItem { meta, ..MapItem::new(key, node, item_origin) });
        }
        Node::map(Map::new(items, origin))
    }

    /// The value of a key on separate lines. An array may have the indentation of the key.
    fn value_below(&mut self, indent: usize, origin: Origin) -> Node {
        match self.lines.get(self.at) {
            Some(line) if line.indent == indent && is_dash(&line.text) => {
                self.array(indent, origin)
            }
            _ => self.block(indent + 1, origin),
        }
    }

    fn array(&mut self, indent: usize, origin: Origin) -> Node {
        let mut items = Vec::new();
        while let Some(line) = self.lines.get_mut(self.at) {
            if line.indent != indent || !is_dash(&line.text) {
                break;
            }
            let end = line.offset + line.text.len();
            let item_origin = Origin::Written(span(self.file, line.offset, end));
            let meta = meta_of(std::mem::take(&mut line.annotations));
            let rest = line.text[1..].trim_start();
            if rest.is_empty() {
                self.at += 1;
            } else {
                let skipped = line.text.len() - rest.len();
                line.indent += skipped;
                line.offset += skipped;
                line.text = rest.to_owned();
            }
            let node = self.block(indent + 1, item_origin);
            items.push(ArrayItem { meta, ..ArrayItem::new(node, item_origin) });
        }
        Node::array(Array::new(items, origin))
    }
}

fn meta_of(annotations: Vec<Annotation>) -> Meta {
    let mut meta = Meta::default();
    for annotation in annotations {
        meta.annotations_mut().set(annotation);
    }
    meta
}

fn is_dash(text: &str) -> bool {
    text != "---" && (text == "-" || text.starts_with("- "))
}

/// The key and the text after its colon. Returns `None` for a scalar or a flow collection.
fn split_key(text: &str) -> Option<(&str, &str)> {
    if text.starts_with(['{', '[', '"']) || is_dash(text) {
        return None;
    }
    let at = text.find(": ").or_else(|| text.ends_with(':').then(|| text.len() - 1))?;
    Some((&text[..at], text[at + 1..].trim()))
}

/// A node in flow style, with its annotations if they are requested.
pub(crate) fn show(node: &Node, with_annotations: bool) -> String {
    let meta = |meta: &Meta| if with_annotations { show_meta(meta) } else { String::new() };
    match node {
        Node::Null => "null".to_owned(),
        Node::Bool(value) => value.to_string(),
        Node::Int(value) => value.to_string(),
        Node::UInt(value) => value.to_string(),
        Node::Float(value) => format!("{value:?}"),
        Node::String(text) => text.to_string(),
        Node::Map(map) => {
            let item = |it: &MapItem| {
                let (meta, key) = (meta(&it.meta), show(&it.key, false));
                format!("{meta}{key}: {}", show(&it.node, with_annotations))
            };
            format!("{{{}}}", map.items().iter().map(item).collect::<Vec<_>>().join(", "))
        }
        Node::Array(array) => {
            let item =
                |it: &ArrayItem| format!("{}{}", meta(&it.meta), show(&it.node, with_annotations));
            format!("[{}]", array.items.iter().map(item).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Annotations such as `@schema/validation(1, min=2) `.
pub(crate) fn show_meta(meta: &Meta) -> String {
    let one = |it: &Annotation| {
        let args = it.args.iter().map(expression::show);
        let kwargs = it.kwargs.iter().map(|(name, value)| {
            let name: &Arc<str> = name;
            format!("{name}={}", expression::show(value))
        });
        format!("@{}({}) ", it.name, args.chain(kwargs).collect::<Vec<_>>().join(", "))
    };
    meta.annotations().iter().map(one).collect()
}
