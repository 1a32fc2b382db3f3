//! Finds the place in the document of a value that a rule refers to.

use std::collections::{HashMap, HashSet};

use plumb_source::{Origin, Sources, Span};
use plumb_value::{DataPath, Node, Step};

use crate::object::Object;
use crate::place;
use crate::rule::RulePath;

/// A value of a virtual machine, or the nearest written value that contains it.
pub(super) struct Located {
    pub path: DataPath,
    pub origin: Origin,
    /// `None` if the value is not written.
    node: Option<Node>,
}

impl Located {
    pub(super) fn is_written(&self) -> bool {
        self.node.is_some()
    }

    /// The place of something that is missing in this value.
    pub(super) fn lacking(self) -> Self {
        Self { node: None, ..self }
    }

    /// Whether the written text is a parameter.
    pub(super) fn is_parameter(&self, span: Span, sources: &Sources) -> bool {
        let source = sources.get(span.file);
        let written = source.bytes().get(span.start as usize..span.end as usize);
        self.is_written() && written.is_some_and(|it| it.windows(2).any(|two| two == b"${"))
    }

    pub(super) fn span(&self, sources: &Sources) -> Option<Span> {
        match &self.node {
            Some(node) => place::of_value(sources, self.origin, node),
            None => self.origin.span(),
        }
    }
}

/// The places of nodes of a virtual machine, by identity and not by equality. One walk finds all of
/// them.
pub(super) struct Places(HashMap<*const Node, (DataPath, Origin)>);

impl Places {
    pub(super) fn of(machine: Object<'_>, wanted: impl Iterator<Item = *const Node>) -> Self {
        let wanted: HashSet<*const Node> = wanted.collect();
        let mut found = HashMap::new();
        if !wanted.is_empty() {
            let mut walk = Walk { wanted: &wanted, path: DataPath::root(), found: &mut found };
            walk.value(machine.node, machine.origin);
        }
        Self(found)
    }

    pub(super) fn find(&self, machine: Object<'_>, node: &Node) -> Located {
        let place = self.0.get(&std::ptr::from_ref(node)).cloned();
        let (path, origin) = place.unwrap_or((DataPath::root(), machine.origin));
        Located { path, origin, node: Some(node.clone()) }
    }
}

struct Walk<'w> {
    wanted: &'w HashSet<*const Node>,
    path: DataPath,
    found: &'w mut HashMap<*const Node, (DataPath, Origin)>,
}

impl Walk<'_> {
    fn value(&mut self, node: &Node, origin: Origin) {
        let address = std::ptr::from_ref(node);
        if self.wanted.contains(&address) {
            self.found.entry(address).or_insert_with(|| (self.path.clone(), origin));
        }
        if self.found.len() == self.wanted.len() {
            return;
        }
        for (step, origin, node) in node.steps() {
            self.path.push(step);
            self.value(node, origin);
            self.path.pop();
        }
    }
}

/// The last written value along a path, and the part of the path that names fields.
pub(super) fn nearest(machine: Object<'_>, path: &RulePath) -> Located {
    let mut located = Located { path: DataPath::root(), origin: machine.origin, node: None };
    let mut node = Some(machine.node);
    for name in path.template.leading_fields() {
        let item = node.and_then(Node::as_map).and_then(|map| map.get(&name.into()));
        located.path.push(Step::Key(name.into()));
        located.origin = item.map_or(located.origin, |item| item.origin);
        node = item.map(|item| &item.node);
    }
    located
}
