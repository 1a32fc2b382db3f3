//! Schemas for tests, and values for them.

use std::sync::Arc;

use plumb_peer as peer;
use plumb_schema::{Schema, Touched, failure};
use plumb_source::Sources;
use plumb_value::{Datum, Document, Map, Node};

use crate::notation::{Names, function, read, show};
use crate::uncounted;

/// A schema with the sources it came from.
pub(crate) struct Declared {
    pub(crate) sources: Arc<Sources>,
    pub(crate) schema: Schema,
}

pub(crate) fn compile(text: &str) -> Result<Declared, String> {
    let sources = Sources::new();
    let any = function("any", 1, |_| Ok(Datum::Node(Node::Bool(true))));
    let document = read(&sources, "schema.yml", text, &Names::from([("any", any)]));
    match uncounted::compile(&document, &sources) {
        Ok(schema) => Ok(Declared { sources: Arc::new(sources), schema }),
        Err(failure) => Err(peer::text(&failure, &sources).shown().to_owned()),
    }
}

pub(crate) fn declared(text: &str) -> Declared {
    compile(text).unwrap_or_else(|report| panic!("{report}"))
}

impl Declared {
    pub(crate) fn defaults(&self) -> Document {
        self.schema.defaults().expect("a schema that someone declared")
    }

    /// Merges values into the defaults, as plain values are.
    pub(crate) fn given(&self, text: &str) -> Document {
        let given = read(&self.sources, "values.yml", text, &Names::new());
        let mut document = self.defaults();
        document.node = merged(&document.node, &given.node);
        if given.node.as_map().is_none() {
            document.origin = given.origin;
        }
        document
    }

    /// The values after conforming, or the report.
    pub(crate) fn conformed(&self, text: &str) -> Result<String, String> {
        let mut document = self.given(text);
        self.checked(&mut document, Touched::Everything).map(|()| show(&document.node))
    }

    pub(crate) fn checked(
        &self,
        document: &mut Document,
        touched: Touched<'_>,
    ) -> Result<(), String> {
        let mismatches = uncounted::conform(&self.schema, document, touched);
        if mismatches.is_empty() {
            return Ok(());
        }
        Err(peer::text(&failure(mismatches, &self.sources), &self.sources).shown().to_owned())
    }
}

/// Maps are merged, everything else is replaced.
pub(crate) fn merged(left: &Node, right: &Node) -> Node {
    let (Node::Map(left), Node::Map(right)) = (left, right) else {
        return right.clone();
    };
    let mut items = left.items().to_vec();
    for item in right.items() {
        match left.position(&item.key) {
            Some(at) => {
                let node = merged(&items[at].node, &item.node);
                let is_merged = node.as_map().is_some() && items[at].node.as_map().is_some();
                if !is_merged {
                    items[at].origin = item.origin;
                }
                items[at].node = node;
            }
            None => items.push(item.clone()),
        }
    }
    Node::map(Map::new(items, left.origin))
}
