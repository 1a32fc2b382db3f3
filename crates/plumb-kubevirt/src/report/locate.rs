//! Where a value that a rule speaks of is in its document.

use plumb_source::{Origin, Sources, Span, Text};
use plumb_value::{DataPath, Node, Step};

use crate::object::Object;
use crate::place;
use crate::rule::RulePath;

/// A value of a machine, or the nearest thing to it that is written.
pub(super) struct Located {
    pub path: DataPath,
    pub origin: Origin,
    /// None if the value is not written.
    node: Option<Node>,
}

impl Located {
    pub(super) fn is_written(&self) -> bool {
        self.node.is_some()
    }

    /// The place of something that this lacks.
    pub(super) fn lacking(self) -> Self {
        Self { node: None, ..self }
    }

    pub(super) fn span(&self, sources: &Sources) -> Option<Span> {
        match &self.node {
            Some(node) => place::of_value(sources, self.origin, node),
            None => self.origin.span(),
        }
    }
}

/// A node of the machine. It is the very node, not an equal one.
pub(super) fn find(machine: Object<'_>, node: &Node) -> Located {
    let mut path = DataPath::root();
    let origin = search(machine.node, node, machine.origin, &mut path);
    Located { path, origin: origin.unwrap_or(machine.origin), node: Some(node.clone()) }
}

fn search(from: &Node, wanted: &Node, origin: Origin, path: &mut DataPath) -> Option<Origin> {
    if std::ptr::eq(from, wanted) {
        return Some(origin);
    }
    let mut within = |step: Step, node: &Node, origin: Origin| {
        path.push(step);
        let found = search(node, wanted, origin, path);
        if found.is_none() {
            path.pop();
        }
        found
    };
    match from {
        Node::Map(map) => map
            .items()
            .iter()
            .find_map(|item| within(Step::Key(key_text(&item.key)), &item.node, item.origin)),
        Node::Array(array) => {
            let mut items = array.items.iter().enumerate();
            items.find_map(|(at, item)| within(Step::Index(at), &item.node, item.origin))
        }
        Node::Null
        | Node::Bool(_)
        | Node::Int(_)
        | Node::UInt(_)
        | Node::Float(_)
        | Node::String(_) => None,
    }
}

/// The last thing on the way of a path that is written, and the path as far as it is plain.
pub(super) fn nearest(machine: Object<'_>, path: &RulePath) -> Located {
    let mut located = Located { path: DataPath::root(), origin: machine.origin, node: None };
    let mut node = Some(machine.node);
    for name in path.template.plain_path().unwrap_or_default() {
        if name == "*" {
            break;
        }
        let item = node.and_then(Node::as_map).and_then(|map| map.get(&name.into()));
        located.path.push(Step::Key(name.into()));
        located.origin = item.map_or(located.origin, |item| item.origin);
        node = item.map(|item| &item.node);
    }
    located
}

fn key_text(key: &Node) -> Text {
    match key {
        Node::String(text) => text.clone(),
        _ => Text::new(),
    }
}
