//! The CEL rules of a schema: those that express a named rule of Plumb, and the others.

use plumb_jsonschema::Keyword;
use plumb_source::Origin;
use plumb_validation::{CelImport, CelSubject, Constraint, ValueKind, import_cel};
use plumb_value::{Map, MapItem, Node};

use crate::rules::rule;

/// The prefix that Plumb writes before the description of a rule.
const REQUIRED: &str = "requires a valid value: ";

#[derive(Default)]
pub(crate) struct Expressions<'a> {
    left: Vec<&'a Node>,
    /// The declared keys of the map that the rules apply to.
    keys: Vec<&'a str>,
}

impl<'a> Expressions<'a> {
    pub(crate) fn of(schema: &'a Map) -> Self {
        let entries = Keyword::CelRules.of(schema).and_then(Node::as_array);
        let properties = Keyword::Properties.map(schema);
        let keys = properties.into_iter().flat_map(Map::items);
        Self {
            left: entries.into_iter().flat_map(|it| &it.items).map(|it| &it.node).collect(),
            keys: keys.filter_map(|it| it.key.as_str()).collect(),
        }
    }

    /// Removes and returns the CEL rule that a line of a description describes.
    pub(crate) fn described(&mut self, line: &str) -> Option<CelImport> {
        let quoted = line.strip_prefix('`').and_then(|it| it.strip_suffix("` to be true"));
        let found = self.left.iter().position(|entry| {
            let text = |key| entry.as_map()?.get_str(key)?.as_str();
            let is_quoted = quoted.is_some() && text("rule").map(str::trim) == quoted;
            is_quoted || text("message").and_then(|it| it.strip_prefix(REQUIRED)) == Some(line)
        });
        if let Some(at) = found {
            return Some(import_cel(self.left.remove(at)));
        }
        // Languages without CEL rules only have the description.
        let entry = MapItem::new("rule".into(), quoted?.into(), Origin::Unknown);
        let import = import_cel(&Node::map(Map::new(vec![entry], Origin::Unknown)));
        import.item.is_some().then_some(import)
    }

    /// Removes the expression that is equivalent to a named rule.
    pub(crate) fn take(&mut self, constraint: &Constraint, kind: ValueKind) {
        let rule = rule(constraint);
        let said = [self.keys.as_slice(), &[]].map(|keys| {
            let has_scalar_items = false;
            rule.to_cel(CelSubject { kind, keys, has_scalar_items })
        });
        self.left.retain(|entry| {
            let expression =
                entry.as_map().and_then(|it| it.get_str("rule")).and_then(Node::as_str);
            !said.iter().flatten().any(|it| Some(it.expression.as_str()) == expression)
        });
    }

    /// The rules without a description.
    pub(crate) fn left(&self) -> impl Iterator<Item = CelImport> {
        self.left.iter().map(|it| import_cel(it))
    }
}
