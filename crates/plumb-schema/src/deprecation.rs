//! Finds deprecated data values that are still given.

use plumb_diagnostic::{Code, Diagnostic};
use plumb_source::message::plain;
use plumb_source::{Origin, message};
use plumb_value::{DataPath, Document, Node, Step};

use crate::field::{Field, Schema, Type};

/// A deprecated data value is set.
///
/// The message comes from the author of the schema. The value still works; plan to stop using it.
pub const DEPRECATED: Code = Code::new("schema/deprecated-value");

/// Returns a warning for each deprecated field that has a value other than its default.
pub fn deprecations(schema: &Schema, values: &Document) -> Vec<Diagnostic> {
    if !schema.root().any(&|field| field.docs.deprecation.is_some()) {
        return Vec::new();
    }
    let mut search = Search { path: DataPath::root(), warnings: Vec::new() };
    search.value(schema.root(), &values.node, values.origin);
    search.warnings
}

struct Search {
    path: DataPath,
    warnings: Vec<Diagnostic>,
}

impl Search {
    fn value(&mut self, field: &Field, node: &Node, origin: Origin) {
        if is_untouched(field, node, origin) {
            return;
        }
        if let Some(notice) = &field.docs.deprecation {
            let message = match notice.as_str() {
                "" => message!("`{}` is deprecated", plain(&self.path)),
                notice => message!("`{}` is deprecated: {}", plain(&self.path), plain(notice)),
            };
            let mut warning = Diagnostic::warning(DEPRECATED, message);
            if let Some(span) = given_at(node, origin) {
                warning = warning.label(span, "given here");
            }
            if let Some(span) = field.origin.span() {
                warning = warning.label(span, "deprecated here");
            }
            self.warnings.push(warning);
            return;
        }
        match (&field.ty, node) {
            (Type::Map(ty), Node::Map(map)) => {
                for item in map.items() {
                    if let Some(field) = ty.field(&item.key) {
                        self.path.push(Step::of_key(&item.key));
                        self.value(field, &item.node, item.origin);
                        self.path.pop();
                    }
                }
            }
            (Type::Array(ty), Node::Array(array)) => {
                for (at, item) in array.items.iter().enumerate() {
                    self.path.push(Step::Index(at));
                    self.value(&ty.item, &item.node, item.origin);
                    self.path.pop();
                }
            }
            _ => {}
        }
    }
}

/// Returns whether the value is still the default: it was filled in from the schema, and is the
/// same object.
fn is_untouched(field: &Field, node: &Node, origin: Origin) -> bool {
    matches!(origin, Origin::Default(_) | Origin::Unknown)
        && is_unchanged_default(node, &field.default)
}

/// Returns whether two nodes are the same: the same collection, or scalars from the same place.
fn is_unchanged_default(node: &Node, default: &Node) -> bool {
    match (node, default) {
        (Node::Map(_) | Node::Array(_), _) | (_, Node::Map(_) | Node::Array(_)) => {
            node.is_same_object(default)
        }
        _ => plumb_validation::is_same_value(node, default),
    }
}

/// Returns the first place at which the value or a part of it was given.
fn given_at(node: &Node, origin: Origin) -> Option<plumb_source::Span> {
    match origin {
        Origin::Written(span) | Origin::Computed(span) => return Some(span),
        Origin::Default(_) | Origin::Unknown => {}
    }
    node.parts().find_map(|(origin, node)| given_at(node, origin))
}
