//! A resource against its schema.

use std::collections::HashSet;

use plumb_diagnostic::{Code, Severity, nearest};
use plumb_source::{Origin, Text};
use plumb_validation::{Violation, Words};
use plumb_value::{Array, DataPath, Map, Node, Step};

use crate::catalog::Catalog;
use crate::fill::{field_of, filled};
use crate::resource::Resource;
use crate::scalar::{Objection, objections};
use crate::shape::{Expression, Others, Shape, ShapeId, Types};

/// A field that the schema of its resource does not have: an API server drops it without a word.
///
/// Often it is misspelt, or stands one level too high or too low: the indentation decides which
/// map a field belongs to.
pub const UNKNOWN_FIELD: Code = Code::new("kube/unknown-field");

/// A value is not of the type that the schema of its resource asks for.
///
/// Numbers and booleans between quotes are strings, and labels and annotations are strings always:
/// quote them.
pub const WRONG_TYPE: Code = Code::new("kube/wrong-type");

/// A field is missing that the schema of its resource requires.
///
/// Add it. Where it is there, look at its indentation: it may stand in another map.
pub const REQUIRED: Code = Code::new("kube/required");

/// A value is of the right type, but not among those that the schema of its resource allows.
///
/// The message says which are. An API server would refuse the document for the same reason.
pub const NOT_VALID: Code = Code::new("kube/not-valid");

/// A value breaks a rule in CEL of its custom resource (`x-kubernetes-validations`).
///
/// The message is that of the rule's author.
pub const BROKEN_RULE: Code = Code::new("kube/broken-rule");

/// A document could not be checked to its end: its schema has too many alternatives within
/// alternatives.
///
/// What was found until then is told. Use a schema with fewer alternatives, or leave the document out of
/// what is checked.
pub const TOO_COMPLEX: Code = Code::new("kube/too-complex");

/// So often may nodes be looked at, alternatives included, whatever the document: more is a schema
/// gone wrong, unless the document is large.
const MOST_STEPS: usize = 300_000;

/// So often may each node of a large document be looked at.
const MOST_STEPS_PER_NODE: usize = 50;

pub(crate) struct Checker<'a> {
    catalog: &'a Catalog,
    resource: &'a Resource<'a>,
    /// What the resource is called in messages.
    title: String,
    path: DataPath,
    violations: Vec<Violation>,
    /// Whether it is enough to know that there is something: then the first finding ends it.
    is_quiet: bool,
    has_objections: bool,
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
            let most = || MOST_STEPS.max(n_nodes(document).saturating_mul(MOST_STEPS_PER_NODE));
            self.n_steps > *self.most_steps.get_or_insert_with(most)
        }
    }

    fn value(&mut self, id: ShapeId, node: &Node, origin: Origin) {
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
                    let found = fault.unwrap_or_else(|| "it is not".to_owned());
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

    fn alternatives(&mut self, shape: &Shape, node: &Node, origin: Origin) {
        let fitting = |checker: &mut Self, parts: &[ShapeId]| {
            parts.iter().filter(|it| checker.accepts(**it, node, origin)).count()
        };
        if !shape.any_of.is_empty() && fitting(self, &shape.any_of) == 0 {
            self.nearest_alternative(&shape.any_of, node, origin);
        }
        if !shape.one_of.is_empty() {
            match fitting(self, &shape.one_of) {
                1 => {}
                0 => self.nearest_alternative(&shape.one_of, node, origin),
                n => {
                    let found = format!("it fits {n} of them");
                    let required = "a value that fits one of the alternatives";
                    self.report(NOT_VALID, origin, required, &found);
                }
            }
        }
        if let Some(not) = shape.not
            && self.accepts(not, node, origin)
        {
            self.report(NOT_VALID, origin, "a value that is not ruled out", "it is");
        }
    }

    /// Whether a value is valid, without a word about it.
    fn accepts(&mut self, id: ShapeId, node: &Node, origin: Origin) -> bool {
        let before = (self.is_quiet, self.has_objections);
        (self.is_quiet, self.has_objections) = (true, false);
        self.value(id, node, origin);
        let is_accepted = !self.has_objections;
        (self.is_quiet, self.has_objections) = before;
        is_accepted
    }

    fn objections(&mut self, id: ShapeId, node: &Node, origin: Origin) -> Vec<Violation> {
        let before = std::mem::take(&mut self.violations);
        self.value(id, node, origin);
        std::mem::replace(&mut self.violations, before)
    }

    /// Says what is wrong by the alternative with the least against the value.
    fn nearest_alternative(&mut self, parts: &[ShapeId], node: &Node, origin: Origin) {
        if self.is_quiet {
            self.has_objections = true;
            return;
        }
        let all: Vec<Vec<Violation>> =
            parts.iter().map(|it| self.objections(*it, node, origin)).collect();
        let is_about_value = |it: &Violation| it.path.steps().len() == self.path.steps().len();
        let are_types =
            all.iter().all(|it| it.iter().all(|it| it.code == WRONG_TYPE && is_about_value(it)));
        if are_types {
            let types = parts.iter().filter_map(|it| self.catalog.shapes[*it].types);
            let types = types.fold(Types::NONE, Types::with);
            self.wrong_type(types, node, origin);
            return;
        }
        let of_type =
            |it: &&Vec<Violation>| !it.iter().any(|it| it.code == WRONG_TYPE && is_about_value(it));
        let nearest = all.iter().filter(of_type).min_by_key(|it| it.len());
        self.violations.extend(nearest.into_iter().flatten().cloned());
    }

    fn wrong_type(&mut self, types: Types, node: &Node, origin: Origin) {
        let required = match types.words() {
            none if none.is_empty() => "nothing".to_owned(),
            words => words,
        };
        let found = format!("it is {}", node.kind().with_article());
        self.report(WRONG_TYPE, origin, &required, &found);
        let help = match node {
            Node::String(text) => text.as_str().and_then(|it| unquoted(it, types)),
            Node::Bool(_) | Node::Int(_) | Node::UInt(_) | Node::Float(_)
                if types.has(Types::STRING) =>
            {
                Some("put it between quotes")
            }
            _ => None,
        };
        if let (Some(help), Some(violation), false) =
            (help, self.violations.last_mut(), self.is_quiet)
        {
            violation.help.push(help.to_owned());
        }
    }

    fn unknown(&mut self, key: &str, shape: &Shape, origin: Origin) {
        self.path.push(Step::Key(Text::from(key)));
        self.report(UNKNOWN_FIELD, origin, "", "no such field");
        self.path.pop();
        if self.is_quiet {
            return;
        }
        let names = shape.fields.iter().flat_map(Map::items).filter_map(|it| it.key.as_str());
        let names: Vec<&str> = names.collect();
        let help = match nearest(key, names.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if names.is_empty() => "there are no fields here".to_owned(),
            None => format!("there are {}", listed(&names)),
        };
        if let Some(violation) = self.violations.last_mut() {
            violation.help.push(help);
        }
    }

    fn missing(&mut self, name: &str, origin: Origin) {
        self.path.push(Step::Key(Text::from(name)));
        self.report(REQUIRED, origin, &format!("`{name}` in it"), "it is missing");
        self.path.pop();
    }

    fn report(&mut self, code: Code, origin: Origin, required: &str, found: &str) {
        if self.is_quiet {
            self.has_objections = true;
            return;
        }
        let subject = if self.path.is_root() {
            self.title.clone()
        } else {
            format!("`{}` of {}", self.path, self.title)
        };
        let message = match code {
            UNKNOWN_FIELD => format!("{subject}: {} has no such field", self.resource.gvk),
            REQUIRED => format!("{subject} is missing"),
            _ if required.is_empty() => format!("{subject}: {found}"),
            _ => format!("{subject}: expected {required}; {found}"),
        };
        self.violations.push(Violation {
            code,
            severity: Severity::Error,
            path: self.path.clone(),
            origin,
            rule: Origin::Unknown,
            required: Words::from(required),
            found: Words::from(found),
            message,
            is_worded_by_author: false,
            help: Vec::new(),
            trace: Vec::new(),
        });
    }
}

/// The first of many names.
fn listed(names: &[&str]) -> String {
    const SHOWN: usize = 12;
    let shown = names.iter().take(SHOWN).map(|it| format!("`{it}`"));
    let shown = shown.collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN { format!("{shown}, …") } else { shown }
}

/// What to do about a string where a number or boolean belongs.
fn unquoted(text: &str, types: Types) -> Option<&'static str> {
    let is_number = types.has(Types::NUMBER) && text.parse::<f64>().is_ok()
        || types.has(Types::INTEGER) && text.parse::<i64>().is_ok();
    let is_boolean = types.has(Types::BOOLEAN) && matches!(text, "true" | "false");
    (is_number || is_boolean).then_some("take it out of its quotes")
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

fn n_nodes(node: &Node) -> usize {
    let below: usize = match node {
        Node::Map(map) => map.items().iter().map(|it| n_nodes(&it.node)).sum(),
        Node::Array(array) => array.items.iter().map(|it| n_nodes(&it.node)).sum(),
        Node::Null
        | Node::Bool(_)
        | Node::Int(_)
        | Node::UInt(_)
        | Node::Float(_)
        | Node::String(_) => 0,
    };
    1 + below
}
