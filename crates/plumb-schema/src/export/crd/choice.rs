//! Alternatives in a structural schema have two parts: the shape that includes all of them, and the
//! requirements of each alternative for a value of that shape.
//!
//! Within `anyOf` and similar keywords, neither types nor keys with unknown names are allowed. If
//! an alternative requires more than can be expressed there, a value may satisfy several exported
//! alternatives, and `oneOf` would reject valid values. It is then exported as `anyOf`, with a
//! warning.

use plumb_jsonschema::{Entries, Keyword, array, map, schema};
use plumb_source::Origin;
use plumb_validation::{Choice, Mode, Work};
use plumb_value::{Map, MapItem, Node};

use super::super::mode_keyword;
use super::structural::{DIALECT, Exporter, FieldPresence, INT_OR_STRING, OPEN, Site};
use crate::field::Field;
use crate::trail::Trail;

/// The keywords that are allowed within `anyOf` and similar keywords, besides `properties` and
/// `items`.
const SAYABLE: [Keyword; 19] = [
    Keyword::Format,
    Keyword::Enum,
    Keyword::Minimum,
    Keyword::ExclusiveMinimum,
    Keyword::Maximum,
    Keyword::ExclusiveMaximum,
    Keyword::MultipleOf,
    Keyword::Not,
    Keyword::MinLength,
    Keyword::MaxLength,
    Keyword::Pattern,
    Keyword::MinItems,
    Keyword::MaxItems,
    Keyword::MinProperties,
    Keyword::MaxProperties,
    Keyword::AnyOf,
    Keyword::AllOf,
    Keyword::OneOf,
    Keyword::Required,
];

/// The memory of a small schema: a map, an item, and its content.
const SHAPE: usize = 4 * size_of::<MapItem>();

impl Exporter<'_> {
    pub(super) fn add_choice(
        &mut self,
        site: Site<'_>,
        choice: &Choice<Field>,
        entries: &mut Entries,
    ) {
        let Site { trail, field, base, .. } = site;
        let forbids_null =
            field.validations.iter().any(|it| it.when.is_none() && it.forbids_null());
        let n_warnings = self.warnings.len();
        let parts: Vec<Node> =
            choice.alternatives.iter().map(|it| self.alternative(trail, it, base)).collect();
        // Losses in alternatives are reported once, for the node that has the alternatives.
        let is_complete = self.warnings.len() == n_warnings;
        self.warnings.truncate(n_warnings);
        let work = self.work;
        let shape = shape_of(&parts.iter().collect::<Vec<_>>(), work);
        let asked: Vec<Asked> = parts.iter().map(|it| Asked::of(it, &shape, work)).collect();
        let is_exact = is_complete && asked.iter().all(|it| it.is_exact);
        if !is_exact {
            self.warn(trail, field, "which of the alternatives fits the value");
        }
        let shape = shape.as_map().map(Map::items).unwrap_or_default();
        for item in shape {
            let keyword = item.key.as_str().and_then(Keyword::of_name);
            let keyword = keyword.expect("shapes are made of keywords that we know");
            let is_ruled_out = forbids_null && keyword == Keyword::Nullable;
            if !entries.has(keyword) && !is_ruled_out {
                entries.add(keyword, item.node.clone());
            }
        }
        let mode = match choice.mode {
            Mode::OneOf if !is_exact => Mode::AnyOf,
            mode => mode,
        };
        let says_nothing = |it: &Asked| it.node.as_map().is_none_or(Map::is_empty);
        let is_vacuous = match mode {
            Mode::AnyOf => asked.iter().any(says_nothing),
            Mode::AllOf => asked.iter().all(says_nothing),
            Mode::OneOf => false,
        };
        if !is_vacuous {
            let asked = asked.into_iter().map(|it| it.node);
            entries.add(mode_keyword(mode), array(asked));
        }
    }

    /// Exports one alternative. If it does not fit the default, it only applies if a value is
    /// given.
    fn alternative(&mut self, trail: &Trail<'_>, field: &Field, base: Option<&Node>) -> Node {
        let presence = FieldPresence::Alternative;
        let Some(foreign) = &field.foreign_default else {
            return self.at(Site { trail, field, base, presence }).node;
        };
        let mut node = self.at(Site { trail, field, base: None, presence }).node;
        let is_map = [Some(foreign), base].into_iter().flatten().any(|it| it.as_map().is_some());
        if is_map && Keyword::MinProperties.within(&node).is_none() {
            add(&mut node, Keyword::MinProperties, Node::Int(1));
        }
        node
    }
}

/// Returns the shape that includes all parts: types, keys and items, without rules about values.
fn shape_of(parts: &[&Node], work: &Work<'_>) -> Node {
    let mut shape = Entries::new();
    if !work.count(parts.len() as u64) || !work.build(SHAPE) {
        return shape.into_schema(DIALECT);
    }
    let is_type = |name: &str| parts.iter().all(|it| type_of(it) == Some(name));
    let is_number = |it: &&&Node| matches!(type_of(it), Some("integer" | "number"));
    let is_int_or_string = |it: &&&Node| {
        INT_OR_STRING.within(it).is_some() || matches!(type_of(it), Some("integer" | "string"))
    };
    match parts.first().and_then(|it| type_of(it)) {
        Some("object") if is_type("object") => add_keys(parts, &mut shape, work),
        Some("array") if is_type("array") => {
            let items: Vec<&Node> =
                parts.iter().filter_map(|it| Keyword::Items.within(it)).collect();
            shape.add(Keyword::Type, "array");
            shape.add(Keyword::Items, shape_of(&items, work));
        }
        Some(name) if is_type(name) => shape.add(Keyword::Type, name),
        _ if parts.iter().filter(is_number).count() == parts.len() => {
            shape.add(Keyword::Type, "number");
        }
        _ if parts.iter().filter(is_int_or_string).count() == parts.len() => {
            shape.add(INT_OR_STRING, true);
        }
        _ => shape.add(OPEN, true),
    }
    if parts.iter().any(|it| Keyword::Nullable.within(it).is_some()) {
        shape.add(Keyword::Nullable, true);
    }
    shape.into_schema(DIALECT)
}

fn add_keys(parts: &[&Node], shape: &mut Entries, work: &Work<'_>) {
    shape.add(Keyword::Type, "object");
    let properties = parts.iter().filter_map(|it| Keyword::Properties.within(it)?.as_map());
    let anything = schema([(OPEN, true.into()), (Keyword::Nullable, true.into())]);
    let mut keys = Map::default();
    for item in properties.flat_map(Map::items) {
        if keys.get(&item.key).is_none() && work.count(parts.len() as u64) {
            let under_key = parts.iter().filter_map(|it| under_key(it, &item.key, &anything));
            let mut key = item.clone();
            key.node = shape_of(&under_key.collect::<Vec<_>>(), work);
            keys.push(key);
        }
    }
    let others: Vec<&Node> =
        parts.iter().filter_map(|it| Keyword::AdditionalProperties.within(it)).collect();
    if keys.is_empty() && others.len() == parts.len() {
        shape.add(Keyword::AdditionalProperties, shape_of(&others, work));
    } else if !others.is_empty() || parts.iter().any(|it| OPEN.within(it).is_some()) {
        shape.add(OPEN, true);
    }
    if !keys.is_empty() {
        shape.add(Keyword::Properties, Node::map(keys));
    }
}

/// Returns what a part declares for a key: for its name, or for any other key.
fn under_key<'a>(part: &'a Node, key: &Node, anything: &'a Node) -> Option<&'a Node> {
    let named = Keyword::Properties.within(part).and_then(|it| Some(&it.as_map()?.get(key)?.node));
    let open = OPEN.within(part).map(|_| anything);
    named.or_else(|| Keyword::AdditionalProperties.within(part)).or(open)
}

/// The requirements of an alternative for a value with the shape of all alternatives.
struct Asked {
    node: Node,
    /// Whether these are all its requirements.
    is_exact: bool,
}

impl Asked {
    fn of(part: &Node, shape: &Node, work: &Work<'_>) -> Self {
        let mut entries = Entries::new();
        if !work.count(1) || !work.build(SHAPE) {
            return Self { node: entries.into_schema(DIALECT), is_exact: true };
        }
        let items = part.as_map().map(Map::items).unwrap_or_default();
        for item in items {
            let keyword = item.key.as_str().and_then(Keyword::of_name);
            if let Some(keyword) = keyword.filter(|it| SAYABLE.contains(it)) {
                entries.add(keyword, item.node.clone());
            }
        }
        let same =
            |keyword: Keyword| keyword.within(part).is_some() == keyword.within(shape).is_some();
        let mut is_exact = type_of(part) == type_of(shape)
            && [INT_OR_STRING, OPEN, Keyword::Nullable].into_iter().all(same)
            && Keyword::CelRules.within(part).is_none();
        if let (Some(part), Some(shape)) =
            (Keyword::Items.within(part), Keyword::Items.within(shape))
        {
            let items = Self::of(part, shape, work);
            is_exact &= items.is_exact;
            entries.add_if_any(Keyword::Items, items.node);
        }
        if let Some(others) = Keyword::AdditionalProperties.within(part) {
            let shape = Keyword::AdditionalProperties.within(shape);
            let others = shape.map(|shape| Self::of(others, shape, work));
            is_exact &= others.is_some_and(|it| it.is_exact && is_empty(&it.node));
        }
        is_exact &= add_keys_asked(part, shape, &mut entries, work);
        Self { node: entries.into_schema(DIALECT), is_exact }
    }
}

/// Adds the requirements for the keys of a map. Returns whether they are complete.
fn add_keys_asked(part: &Node, shape: &Node, entries: &mut Entries, work: &Work<'_>) -> bool {
    let Some(all) = Keyword::Properties.within(shape).and_then(Node::as_map) else {
        return true;
    };
    let own = Keyword::Properties.within(part).and_then(Node::as_map);
    let mut is_exact = true;
    let mut asked = Vec::new();
    let mut foreign = Vec::new();
    for key in all.items() {
        let name = key.key.as_str().unwrap_or_default();
        match own.and_then(|it| it.get(&key.key)) {
            Some(item) => {
                let of_key = Asked::of(&item.node, &key.node, work);
                is_exact &= of_key.is_exact;
                if !is_empty(&of_key.node) {
                    asked.push((name, of_key.node));
                }
            }
            None if !work.count(1) || !work.build(SHAPE) => break,
            None => foreign.push(schema([(Keyword::Required, array([name.into()]))])),
        }
    }
    entries.add_if_any(Keyword::Properties, map(asked));
    let is_closed =
        [OPEN, Keyword::AdditionalProperties].iter().all(|it| it.within(part).is_none());
    if is_closed && !foreign.is_empty() {
        let none = schema([(Keyword::AnyOf, array(foreign))]);
        if entries.has(Keyword::Not) {
            entries.add_to(Keyword::AllOf, vec![schema([(Keyword::Not, none)])]);
        } else {
            entries.add(Keyword::Not, none);
        }
    }
    is_exact
}

fn is_empty(node: &Node) -> bool {
    node.as_map().is_none_or(Map::is_empty)
}

fn type_of(node: &Node) -> Option<&str> {
    Keyword::Type.within(node)?.as_str()
}

fn add(node: &mut Node, keyword: Keyword, value: Node) {
    if let Some(map) = node.map_mut() {
        map.push(MapItem::new(keyword.name().into(), value, Origin::Unknown));
    }
}
