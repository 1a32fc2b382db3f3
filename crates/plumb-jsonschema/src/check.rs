//! Checks a value against its shape.

use std::collections::HashSet;

use plumb_source::{Origin, Text};
use plumb_validation::Verdict;
use plumb_value::{Array, DataPath, Map, Node, Step};

use crate::Types;
use crate::evaluated::{Evaluated, mark};
use crate::finding::{Finding, FindingKind, Hint};
use crate::shape::{Expression, Manner, Others, Shape, ShapeId, Shapes, Width};

/// The maximum number of visits of nodes, including in alternatives, for a document of any size.
/// More visits indicate a mistake in the schema, unless the document is large.
const MAX_STEPS: usize = 300_000;

/// The maximum number of visits of each node in a large document.
const MAX_STEPS_PER_NODE: usize = 50;

/// The maximum number of schemas that apply to one value through a chain of references. A longer
/// chain is a reference that leads back to itself.
const MAX_DEPTH_IN_PLACE: usize = 1_000;

/// Returns what is wrong with a value according to its shape; empty if it is valid. `path` is the
/// path of the value in its document.
pub fn check(
    shapes: &Shapes,
    root: ShapeId,
    document: &Node,
    origin: Origin,
    path: DataPath,
) -> Vec<Finding> {
    Checker::new(shapes, document, path).run(root, origin)
}

pub(crate) struct Checker<'a> {
    pub(crate) shapes: &'a Shapes,
    pub(crate) manner: Manner,
    document: &'a Node,
    pub(crate) path: DataPath,
    pub(crate) findings: Vec<Finding>,
    /// Whether the first finding ends the check, because only its existence matters.
    pub(crate) is_quiet: bool,
    pub(crate) has_found: bool,
    /// The resources that led here, outermost first; only kept if references depend on them.
    pub(crate) scope: Vec<u32>,
    /// The number of schemas through which this one was reached for the same value.
    depth_in_place: usize,
    is_stuck: bool,
    n_steps: usize,
    /// The maximum number of steps. The nodes of the document are counted on first use.
    max_steps: Option<usize>,
}

impl<'a> Checker<'a> {
    /// A checker of a document, in the manner of the shapes.
    pub(crate) fn new(shapes: &'a Shapes, document: &'a Node, path: DataPath) -> Self {
        Self {
            shapes,
            manner: shapes.manner,
            document,
            path,
            findings: Vec::new(),
            is_quiet: false,
            has_found: false,
            scope: Vec::new(),
            depth_in_place: 0,
            is_stuck: false,
            n_steps: 0,
            max_steps: None,
        }
    }

    /// Checks the document against a shape.
    pub(crate) fn run(mut self, root: ShapeId, origin: Origin) -> Vec<Finding> {
        self.value(root, self.document, origin, None);
        if self.is_stuck || self.is_over() {
            self.report(FindingKind::TooComplex, origin);
        }
        self.findings
    }

    fn is_over(&mut self) -> bool {
        self.n_steps > MAX_STEPS && {
            let document = self.document;
            let n_nodes = || 1 + document.descendants().count();
            let most = || MAX_STEPS.max(n_nodes().saturating_mul(MAX_STEPS_PER_NODE));
            self.n_steps > *self.max_steps.get_or_insert_with(most)
        }
    }

    pub(crate) fn report(&mut self, kind: FindingKind, origin: Origin) {
        self.has_found = true;
        if !self.is_quiet {
            self.findings.push(Finding { kind, path: self.path.clone(), origin });
        }
    }

    /// Checks a value. `seen` collects which parts were evaluated, if they are needed.
    pub(crate) fn value(
        &mut self,
        id: ShapeId,
        node: &Node,
        origin: Origin,
        seen: Option<&mut Evaluated>,
    ) {
        self.n_steps += 1;
        if self.is_over() || self.is_quiet && self.has_found {
            return;
        }
        let shape = self.shapes.get(id);
        if node.is_null() && shape.is_nullable {
            return;
        }
        let is_entered =
            !self.shapes.dynamic.is_empty() && self.scope.last() != Some(&shape.resource);
        if is_entered {
            self.scope.push(shape.resource);
        }
        match shape.rare.as_deref().filter(|it| it.asks_for_evaluated()) {
            Some(rare) => {
                let mut own = Evaluated::default();
                self.keywords(id, node, origin, Some(&mut own));
                self.unevaluated(rare, node, &mut own);
                if let Some(seen) = seen {
                    seen.add(&own);
                }
            }
            None => self.keywords(id, node, origin, seen),
        }
        if is_entered {
            self.scope.pop();
        }
    }

    /// Checks the same value against another shape.
    pub(crate) fn in_place(
        &mut self,
        id: ShapeId,
        node: &Node,
        origin: Origin,
        seen: Option<&mut Evaluated>,
    ) {
        if self.depth_in_place == MAX_DEPTH_IN_PLACE {
            self.is_stuck = true;
            return;
        }
        self.depth_in_place += 1;
        self.value(id, node, origin, seen);
        self.depth_in_place -= 1;
    }

    /// Checks a value inside the one that is being checked.
    pub(crate) fn below(&mut self, step: Step, id: ShapeId, node: &Node, origin: Origin) {
        let depth = std::mem::take(&mut self.depth_in_place);
        self.path.push(step);
        self.value(id, node, origin, None);
        self.path.pop();
        self.depth_in_place = depth;
    }

    fn keywords(
        &mut self,
        id: ShapeId,
        node: &Node,
        origin: Origin,
        mut seen: Option<&mut Evaluated>,
    ) {
        let shape = self.shapes.get(id);
        if let Some(types) = shape.types
            && !types.has_type_of(node)
        {
            self.wrong_type(types, node, origin);
            if self.manner == Manner::Kubernetes || types.is_empty() {
                return;
            }
        }
        self.scalar(shape, node, origin);
        match node {
            Node::Map(map) => self.map(id, map, origin, seen.as_deref_mut()),
            Node::Array(array) => self.array(shape, array, origin, seen.as_deref_mut()),
            Node::Null
            | Node::Bool(_)
            | Node::Int(_)
            | Node::UInt(_)
            | Node::Float(_)
            | Node::String(_) => {}
        }
        for part in &shape.all_of {
            self.in_place(*part, node, origin, seen.as_deref_mut());
        }
        self.alternatives(shape, node, origin, seen);
        self.expressions(shape, node, origin);
    }

    pub(crate) fn wrong_type(&mut self, expected: Types, node: &Node, origin: Origin) {
        if self.is_quiet {
            self.has_found = true;
            return;
        }
        if expected.is_empty() && self.manner != Manner::Kubernetes {
            self.report(FindingKind::Never, origin);
            return;
        }
        let hint = match node {
            Node::String(text) => {
                text.as_str().filter(|it| is_quoted(it, expected)).map(|_| Hint::Unquote)
            }
            Node::Bool(_) | Node::Int(_) | Node::UInt(_) | Node::Float(_) => {
                expected.has(Types::STRING).then_some(Hint::Quote)
            }
            Node::Null | Node::Map(_) | Node::Array(_) => None,
        };
        self.report(FindingKind::Type { expected, found: node.kind(), hint }, origin);
    }

    /// Checks a value against the rules for the value itself.
    fn scalar(&mut self, shape: &Shape, node: &Node, origin: Origin) {
        for (keyword, constraint) in shape.rules.iter().filter(|it| it.0.is_about(node)) {
            if let Verdict::Broken(shortfall) = constraint.check(node) {
                let constraint = constraint.clone();
                self.report(FindingKind::Rule { keyword: *keyword, constraint, shortfall }, origin);
            }
        }
        if let Node::String(text) = node {
            if let Some(pattern) = &shape.pattern
                && !pattern.is_match(text.as_bytes())
            {
                self.report(FindingKind::Pattern { pattern: pattern.as_str().to_owned() }, origin);
            }
            let format = shape.rare.as_deref().and_then(|it| it.format);
            if let Some(format) = format
                && !text.as_str().is_some_and(|it| format.is_met_by(it))
            {
                self.report(FindingKind::Format { name: format.name() }, origin);
            }
        }
        if let Some(width) = shape.width.filter(|it| !it.has_room_for(node)) {
            self.report(FindingKind::Width(width), origin);
        }
    }

    fn expressions(&mut self, shape: &Shape, node: &Node, origin: Origin) {
        for Expression { program, message, message_program, declared } in &shape.expressions {
            let declared = declared.as_deref();
            let fault = match program.holds_as(node, declared) {
                Ok(true) => continue,
                Ok(false) => None,
                Err(fault) => Some(fault.message),
            };
            let computed = message_program.as_ref().and_then(|it| it.text_of(node, declared));
            // An API server does not use such a message either.
            let computed =
                computed.filter(|it| !it.trim().is_empty() && !it.contains(['\n', '\r']));
            let (source, message) = (program.source().to_owned(), message.clone());
            let kind = FindingKind::Expression { source, message, computed, fault };
            self.report(kind, origin);
        }
    }

    fn map(&mut self, id: ShapeId, map: &Map, origin: Origin, mut seen: Option<&mut Evaluated>) {
        let shape = self.shapes.get(id);
        let are_nulls_absent = self.manner == Manner::Kubernetes;
        let is_absent = |it: &Node| are_nulls_absent && it.is_null();
        for key in &shape.required {
            if map.position_of(key).is_none_or(|at| is_absent(&map.items()[at].node)) {
                self.report(FindingKind::Missing { key: key.clone() }, origin);
            }
        }
        let patterns = shape.rare.as_deref().map(|it| it.patterns.as_slice()).unwrap_or_default();
        for (at, item) in map.items().iter().enumerate() {
            let Node::String(key) = &item.key else {
                self.report(
                    FindingKind::KeyNotText { key: Text::from(item.key.repr()) },
                    item.origin,
                );
                continue;
            };
            let mut is_named = false;
            let named = shape.fields.get(key);
            let matching = patterns.iter().filter(|(it, _)| it.is_match(key.as_bytes()));
            for field in named.into_iter().chain(matching.map(|(_, field)| *field)) {
                is_named = true;
                if !is_absent(&item.node) {
                    self.below(Step::Key(key.clone()), field, &item.node, item.origin);
                }
            }
            match shape.others {
                _ if is_named => {}
                Others::Anything => continue,
                Others::Nothing => {
                    self.report(FindingKind::Unknown { key: key.clone(), shape: id }, item.origin);
                }
                Others::Of(_) if is_absent(&item.node) => {}
                Others::Of(others) => {
                    self.below(Step::Key(key.clone()), others, &item.node, item.origin);
                }
            }
            mark(&mut seen, at);
        }
        if shape.rare.is_some() {
            self.rare_keys(shape, map, origin);
        }
    }

    /// Checks the names of keys, and the keys that others require.
    fn rare_keys(&mut self, shape: &Shape, map: &Map, origin: Origin) {
        let Some(rare) = shape.rare.as_deref() else {
            return;
        };
        if let Some(names) = rare.names {
            for item in map.items() {
                if let Node::String(key) = &item.key
                    && !self.accepts(names, &item.key, item.origin, None)
                {
                    self.report(FindingKind::KeyName { key: key.clone() }, item.origin);
                }
            }
        }
        for (other, keys) in &rare.dependent_required {
            for key in keys.iter().filter(|_| map.position_of(other).is_some()) {
                if map.position_of(key).is_none() {
                    let (key, other) = (key.clone(), other.clone());
                    self.report(FindingKind::MissingBeside { key, other }, origin);
                }
            }
        }
    }

    fn array(
        &mut self,
        shape: &Shape,
        array: &Array,
        origin: Origin,
        mut seen: Option<&mut Evaluated>,
    ) {
        let rare = shape.rare.as_deref();
        let first = rare.map(|it| it.first_items.as_slice()).unwrap_or_default();
        for (at, item) in array.items.iter().enumerate() {
            let Some(expected) = first.get(at).copied().or(shape.items) else {
                break;
            };
            let is_beyond = at >= first.len() && !first.is_empty();
            if is_beyond && self.shapes.get(expected).is_never() {
                self.report(FindingKind::MoreItems, item.origin);
                break;
            }
            self.below(Step::Index(at), expected, &item.node, item.origin);
            mark(&mut seen, at);
        }
        if let Some(contains) = rare.and_then(|it| it.contains.as_ref()) {
            let mut found = 0;
            for (at, item) in array.items.iter().enumerate() {
                if self.accepts(contains.shape, &item.node, item.origin, None) {
                    found += 1;
                    if contains.evaluates {
                        mark(&mut seen, at);
                    }
                }
            }
            if found < contains.least || contains.most.is_some_and(|it| found > it) {
                let (least, most) = (contains.least, contains.most);
                self.report(FindingKind::Contains { least, most, found }, origin);
            }
        }
        let Some(keys) = &shape.unique else {
            return;
        };
        let mut known = HashSet::new();
        for (at, item) in array.items.iter().enumerate() {
            if !known.insert(identity(&item.node, keys)) {
                self.path.push(Step::Index(at));
                self.report(FindingKind::Repeated { keys: keys.clone() }, item.origin);
                self.path.pop();
            }
        }
    }
}

impl Width {
    fn has_room_for(self, node: &Node) -> bool {
        match (self, node) {
            (Self::Int32, Node::Int(value)) => i32::try_from(*value).is_ok(),
            (Self::Int32 | Self::Int64, Node::UInt(_)) => false,
            (Self::Base64, Node::String(text)) => is_base64(text.as_bytes()),
            _ => true,
        }
    }
}

/// Returns whether a text is base64. Line breaks are skipped.
fn is_base64(text: &[u8]) -> bool {
    let is_break = |it: &u8| matches!(it, b'\n' | b'\r');
    let letters: Vec<u8> = text.iter().copied().filter(|it| !is_break(it)).collect();
    let end = letters.strip_suffix(b"=").unwrap_or(&letters);
    let end = end.strip_suffix(b"=").unwrap_or(end);
    letters.len().is_multiple_of(4)
        && end.iter().all(|it| it.is_ascii_alphanumeric() || b"+/".contains(it))
}

/// Returns whether a text is a number or boolean that was quoted by mistake.
fn is_quoted(text: &str, expected: Types) -> bool {
    expected.has(Types::NUMBER) && text.parse::<f64>().is_ok()
        || expected.has(Types::INTEGER) && text.parse::<i64>().is_ok()
        || expected.has(Types::BOOLEAN) && matches!(text, "true" | "false")
}

/// Returns a text that identifies an item.
fn identity(node: &Node, keys: &[String]) -> String {
    match node.as_map() {
        Some(map) if !keys.is_empty() => {
            let values = keys.iter().map(|key| map.get_str(key).map_or(String::new(), Node::repr));
            values.collect::<Vec<_>>().join("\n")
        }
        _ => node.repr(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_distinguished_from_plain_text() {
        assert!([&b""[..], b"YQ==", b"YWI=", b"YWJj", b"YWJj\nYWJj\n"].into_iter().all(is_base64));
        assert!(![&b"abc"[..], b"a===", b"pass word", b"p@ss"].into_iter().any(is_base64));
    }
}
