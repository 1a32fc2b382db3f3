//! Annotated documents for tests: YAML, with annotations whose arguments are literals or names
//! that the test binds. No template language is needed.

#![expect(dead_code, reason = "two suites share the notation, and each leaves a part unused")]

mod literal;

use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use plumb_source::{SourceKind, Sources};
use plumb_value::{Annotation, CallError, Callable, Datum, Document, Meta, Node};
use plumb_yaml::ReadOptions;

pub(crate) type Names = HashMap<&'static str, Datum>;

type Body = Box<dyn Fn(&[Datum]) -> Result<Datum, CallError> + Send + Sync>;

/// A closure as a function of the language.
pub(crate) struct Function {
    name: &'static str,
    arity: usize,
    body: Body,
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.name, self.arity)
    }
}

impl Callable for Function {
    fn name(&self) -> &str {
        self.name
    }

    fn arity(&self) -> Option<usize> {
        Some(self.arity)
    }

    fn call(&self, args: Vec<Datum>) -> Result<Datum, CallError> {
        (self.body)(&args)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

pub(crate) fn function(
    name: &'static str,
    arity: usize,
    body: impl Fn(&[Datum]) -> Result<Datum, CallError> + Send + Sync + 'static,
) -> Datum {
    Datum::Function(Arc::new(Function { name, arity, body: Box::new(body) }))
}

/// A function that returns whether a value is valid.
pub(crate) fn predicate(name: &'static str, holds: fn(&Node) -> bool) -> Datum {
    function(name, 1, move |args| match args {
        [Datum::Node(value)] => Ok(Datum::Node(Node::Bool(holds(value)))),
        _ => Err(CallError::new("expected one value")),
    })
}

/// Reads the last document from a source with this name.
pub(crate) fn read(sources: &Sources, name: &str, text: &str, names: &Names) -> Document {
    let file = sources.add(name, SourceKind::File, text.as_bytes().into());
    let documents = plumb_yaml::parse(file, text.as_bytes(), &ReadOptions::default());
    let documents = documents.unwrap_or_else(|error| panic!("{error:?}"));
    // Before a marker with a comment, there is an empty document.
    let documents = documents.into_iter().filter(|document| !document.is_injected);
    let mut document = documents.last().expect("at least one document");
    annotate_meta(&mut document.meta, names);
    annotate(&mut document.node, names);
    document
}

/// Reads a literal as the annotations do.
pub(crate) fn datum(text: &str) -> Datum {
    literal::value(text, &Names::new())
}

pub(crate) fn node(text: &str) -> Node {
    datum(text).to_node().expect("a literal without functions")
}

/// Converts comments to annotations.
fn annotate(node: &mut Node, names: &Names) {
    match node {
        Node::Map(_) => {
            let map = node.map_mut().expect("a map");
            for item in map.items_mut() {
                annotate_meta(&mut item.meta, names);
                annotate(&mut item.node, names);
            }
        }
        Node::Array(_) => {
            let array = node.array_mut().expect("an array");
            for item in &mut array.items {
                annotate_meta(&mut item.meta, names);
                annotate(&mut item.node, names);
            }
        }
        _ => {}
    }
}

fn annotate_meta(meta: &mut Meta, names: &Names) {
    for comment in meta.comments().to_vec() {
        let text = comment.text.to_string();
        let Some(text) = text.strip_prefix('@') else {
            continue;
        };
        let (name, args) = text.split_once(' ').unwrap_or((text, ""));
        let (args, kwargs) = literal::arguments(args, names);
        let (name, span) = (name.into(), Some(comment.span));
        meta.annotations_mut().set(Annotation::new(name, args, kwargs, span));
    }
}

/// A value as one line of JSON-like text, to compare documents.
pub(crate) fn show(node: &Node) -> String {
    node.repr()
}
