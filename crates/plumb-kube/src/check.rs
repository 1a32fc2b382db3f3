//! A resource against its schema.

use std::collections::HashSet;

use plumb_source::{Origin, Text};
use plumb_validation::Violation;
use plumb_value::{Array, DataPath, Map, Node, Step};

use crate::catalog::Catalog;
use crate::fill::{field_of, filled};
use crate::finding::{BROKEN_RULE, NOT_VALID, TOO_COMPLEX, WRONG_TYPE};
use crate::resource::Resource;
use crate::scalar::{Objection, objections};
use crate::shape::{Expression, Others, Shape, ShapeId};

/// So often may nodes be looked at, alternatives included, whatever the document: more is a schema
/// gone wrong, unless the document is large.
const MOST_STEPS: usize = 300_000;

/// So often may each node of a large document be looked at.
const MOST_STEPS_PER_NODE: usize = 50;

pub(crate) struct Checker<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) resource: &'a Resource<'a>,
    /// What the resource is called in messages.
    pub(crate) title: String,
    pub(crate) path: DataPath,
    pub(crate) violations: Vec<Violation>,
    /// Whether it is enough to know that there is something: then the first finding ends it.
    pub(crate) is_quiet: bool,
    pub(crate) has_objections: bool,
    n_steps: usize,
    /// How many steps there may be. The nodes of the document are counted when it is first needed.
    most_steps: Option<usize>,
}

impl<'a> Checker<'a> {
    pub(crate) fn new(catalog: &'a Catalog, resource: &'a Resource<'a>) -> Self {
        let kind = &resource.gvk.kind;
        let meta = resource.node.as_map().and_then(|it| it.get_str("metadata")?.as_map());
        let name = meta.and_then(|it| it.get_str("name")?.as_str());
        let title = name.map_or_else(|| kind.clone(), |name| format!("{kind} `{name}`"));
        let path = resource.path.clone();
        Self {
            catalog,
            resource,
            title,
            path,
            violations: Vec::new(),
            is_quiet: false,
            has_objections: false,
            n_steps: 0,
            most_steps: None,
        }
    }

    pub(crate) fn document(&mut self, root: ShapeId) {
        let filled = filled(&self.catalog.shapes, root, self.resource.node);
        self.value(root, filled.as_ref().unwrap_or(self.resource.node), self.resource.origin);
        if self.is_over() {
            let required = "a schema with fewer alternatives within alternatives";
            self.report(TOO_COMPLEX, self.resource.origin, required, "it takes too long to check");
        }
    }

    pub(crate) fn into_violations(self) -> Vec<Violation> {
        self.violations
    }

    fn is_over(&mut self) -> bool {
        self.n_steps > MOST_STEPS && {
            let document = self.resource.node;
            let n_nodes = || 1 + document.descendants().count();
            let most = || MOST_STEPS.max(n_nodes().saturating_mul(MOST_STEPS_PER_NODE));
            self.n_steps > *self.most_steps.get_or_insert_with(most)
        }
    }

    pub(crate) fn value(&mut self, id: ShapeId, node: &Node, origin: Origin) {
        self.n_steps += 1;
        let catalog = self.catalog;
        let is_over = self.is_over() || self.is_quiet && self.has_objections;
        let Some(shape) = catalog.shapes.get(id).filter(|_| !is_over) else {
            return;
        };
        if node.is_null() && shape.is_nullable {
            return;
        }
        if let Some(types) = shape.types
            && !types.lets_in(node)
        {
            self.wrong_type(types, node, origin);
            return;
        }
        for Objection { required, found } in objections(shape, node) {
            self.report(NOT_VALID, origin, &required, &found);
        }
        match node {
            Node::Map(map) => self.map(shape, map, origin),
            Node::Array(array) => self.array(shape, array),
            Node::Null
            | Node::Bool(_)
            | Node::Int(_)
            | Node::UInt(_)
            | Node::Float(_)
            | Node::String(_) => {}
        }
        for part in &shape.all_of {
            self.value(*part, node, origin);
        }
        self.alternatives(shape, node, origin);
        self.rules(shape, node, origin);
    }

    fn rules(&mut self, shape: &Shape, node: &Node, origin: Origin) {
        for Expression { program, message } in &shape.rules {
            let fault = match program.holds(node) {
                Ok(true) => continue,
                Ok(false) => None,
                Err(fault) => Some(format!("its rule cannot be applied: {}", fault.message)),
            };
            match (message, fault) {
                (Some(message), None) => self.report(BROKEN_RULE, origin, "", message),
                (_, fault) => {
                    let required = format!("`{}` to be true", program.source().trim());
                    let found = fault.unwrap_or_else(|| "found false".to_owned());
                    self.report(BROKEN_RULE, origin, &required, &found);
                }
            }
        }
    }

    fn map(&mut self, shape: &Shape, map: &Map, origin: Origin) {
        for name in &shape.required {
            if map.get_str(name).is_none_or(Node::is_null) {
                self.missing(name, origin);
            }
        }
        for item in map.items() {
            let Some(key) = item.key.as_str() else {
                self.path.push(Step::Key(Text::from(item.key.repr())));
                self.report(WRONG_TYPE, item.origin, "a key that is a string", "quote it");
                self.path.pop();
                continue;
            };
            let field = field_of(shape, &item.key);
            if field.is_none() && shape.others == Others::Nothing {
                self.unknown(key, shape, item.origin);
                continue;
            }
            if let Some(field) = field
                && !item.node.is_null()
            {
                self.path.push(Step::Key(Text::from(key)));
                self.value(field, &item.node, item.origin);
                self.path.pop();
            }
        }
    }

    fn array(&mut self, shape: &Shape, array: &Array) {
        if let Some(items) = shape.items {
            for (at, item) in array.items.iter().enumerate() {
                self.path.push(Step::Index(at));
                self.value(items, &item.node, item.origin);
                self.path.pop();
            }
        }
        let Some(keys) = &shape.unique else {
            return;
        };
        let mut seen = HashSet::new();
        for (at, item) in array.items.iter().enumerate() {
            if !seen.insert(identity(&item.node, keys)) {
                self.path.push(Step::Index(at));
                let required = match keys.as_slice() {
                    [] => "an item that is not there yet".to_owned(),
                    keys => format!("an item with a {} of its own", keys.join(" and ")),
                };
                self.report(NOT_VALID, item.origin, &required, "there is one like it before");
                self.path.pop();
            }
        }
    }
}

/// What tells an item from others.
fn identity(node: &Node, keys: &[String]) -> String {
    match node.as_map() {
        Some(map) if !keys.is_empty() => {
            let values = keys.iter().map(|key| map.get_str(key).map_or(String::new(), Node::repr));
            values.collect::<Vec<_>>().join("\n")
        }
        _ => node.repr(),
    }
}
