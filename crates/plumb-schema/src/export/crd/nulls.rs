//! The warning about nulls: an API server drops null for keys that are not nullable, as if they
//! were not given. A definition cannot change that.

use plumb_diagnostic::Diagnostic;
use plumb_jsonschema::Keyword;
use plumb_source::message::plain;
use plumb_source::{Message, Span, message};
use plumb_validation::Work;
use plumb_value::{Map, Node};

use super::super::json_schema::property_name;
use super::NOT_IN_CRD;
use crate::field::{Field, Type};

/// The maximum number of keys that the warning names.
const MAX_NAMES: usize = 2;

/// What to do about nulls that an API server drops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DroppedNulls {
    /// A warning names the keys.
    #[default]
    Warn,
    /// No warning: the author accepts it.
    Accept,
}

/// The warning about the nulls that are dropped within the exported `spec`, if there are any.
pub(super) fn warning(root: &Field, spec: &Node, work: &Work<'_>) -> Option<Diagnostic> {
    let mut dropped = Dropped { keys: Vec::new(), n_keys: 0 };
    dropped.add(spec, &mut Vec::new(), work);
    let first = dropped.keys.first()?;
    let message = message!(
        "null for {} is dropped by an API server, as if nothing was given; Plumb reports it",
        dropped.names()
    );
    let warning = Diagnostic::warning(NOT_IN_CRD, message);
    Some(warning.at(declared_at(root, first), "declared here").help(
        "add @schema/nullable to keys that have null as a value, and --crd-drop-null if null may \
         be dropped for the others",
    ))
}

/// The keys for which null is dropped.
struct Dropped {
    /// The paths of the first of them.
    keys: Vec<Vec<String>>,
    n_keys: usize,
}

impl Dropped {
    fn add(&mut self, schema: &Node, path: &mut Vec<String>, work: &Work<'_>) {
        if !work.count(1) {
            return;
        }
        let required = Keyword::Required.within(schema).and_then(Node::as_array);
        let is_required = |key: &Node| {
            required.is_some_and(|it| it.items.iter().any(|it| it.node.as_str() == key.as_str()))
        };
        let properties = Keyword::Properties.within(schema).and_then(Node::as_map);
        for item in properties.map(Map::items).unwrap_or_default() {
            let is_missed = is_required(&item.key) && Keyword::Default.within(&item.node).is_none();
            path.push(property_name(&item.key));
            self.add_key(&item.node, is_missed, path, work);
            path.pop();
        }
        if let Some(others) = Keyword::AdditionalProperties.within(schema) {
            path.push("*".to_owned());
            self.add_key(others, false, path, work);
            path.pop();
        }
        // A null item of a list is not dropped.
        if let Some(items) = Keyword::Items.within(schema) {
            path.push("[]".to_owned());
            self.add(items, path, work);
            path.pop();
        }
    }

    fn add_key(&mut self, schema: &Node, is_missed: bool, path: &mut Vec<String>, work: &Work<'_>) {
        if !is_missed && Keyword::Nullable.within(schema).is_none() {
            self.n_keys += 1;
            if self.keys.len() < MAX_NAMES {
                self.keys.push(path.clone());
            }
        }
        self.add(schema, path, work);
    }

    /// The keys in words: "`a`, `b` and 3 other keys".
    fn names(&self) -> Message {
        let name = |it: &[String]| plain(it.join(".").replace(".[]", "[]"));
        let others = self.n_keys - self.keys.len();
        match self.keys.as_slice() {
            [] => message!("no key"),
            [only] => message!("`{}`", name(only)),
            [first, second, ..] => {
                let (first, second) = (name(first), name(second));
                match others {
                    0 => message!("`{first}` and `{second}`"),
                    1 => message!("`{first}`, `{second}` and one other key"),
                    _ => message!("`{first}`, `{second}` and {others} other keys"),
                }
            }
        }
    }
}

/// The place that declares a key, or the nearest one above it.
fn declared_at(root: &Field, path: &[String]) -> Option<Span> {
    let mut field = root;
    for name in path {
        let below = match &field.ty {
            Type::Map(ty) => {
                let mut keys = ty.entries();
                let declared = keys.find(|(key, _)| property_name(key) == *name);
                declared.map(|(_, field)| field).or_else(|| ty.any_key())
            }
            Type::Array(ty) => Some(&*ty.item),
            Type::Scalar(_) | Type::Kinds(_) | Type::Choice(_) | Type::Any => None,
        };
        let Some(below) = below else {
            break;
        };
        field = below;
    }
    field.origin.span()
}
