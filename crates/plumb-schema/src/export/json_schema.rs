//! Exports the schema as a JSON Schema of draft 2020-12.
//!
//! It accepts the values that Plumb accepts. Missing keys are filled in, so a key is required only
//! if its default breaks its own rules. Null is accepted unless a rule forbids it. Like JSON, the
//! schema does not distinguish `1` and `1.0`.

use plumb_jsonschema::{
    Dialect, Draft, Entries, Expressed, Keyword, array, map, schema, type_name,
};
use plumb_source::Origin;
use plumb_validation::{Choice, Work};
use plumb_value::{ArrayItem, Document, Map, Node};

use super::base::{breaks_no_rule, is_described_by_keys, is_valid};
use super::{
    can_pay, declared_keys, description, keywords_of, lets_null_be, mode_keyword, subject,
};
use crate::field::{Field, MapType, Presence, Schema, Type};

const DIALECT: Dialect = Dialect::JsonSchema;

/// Returns the schema as a JSON Schema of draft 2020-12.
pub fn json_schema(schema: &Schema, work: &Work<'_>) -> Document {
    let base = schema.defaults().map(|it| it.node);
    let mut entries = export(schema.root(), base.as_ref(), work).entries;
    entries.add(Keyword::SchemaUri, Draft::Twenty.uri());
    Document::new(entries.into_schema(DIALECT), Origin::Unknown)
}

struct Export {
    entries: Entries,
    /// Whether the value that is used if none is given is valid, as far as the schema can express
    /// this.
    is_base_valid: bool,
}

/// Exports a field. `base` is the value that given values are merged into. Items of arrays and
/// optional keys do not have such a value: their missing parts are filled in from the type.
fn export(field: &Field, base: Option<&Node>, work: &Work<'_>) -> Export {
    if !can_pay(field, work) {
        return Export { entries: Entries::new(), is_base_valid: true };
    }
    let mut keywords = keywords_of(field, DIALECT);
    if is_filled_in(field, base) {
        // Plumb counts keys after all of them are filled in.
        let keys = declared_keys(field);
        keywords.take_back_min_properties(&field.validations, subject(field, &keys));
    }
    let mut entries = Entries::new();
    entries.add_unless_empty(Keyword::Title, &field.docs.title);
    entries.add_unless_empty(Keyword::Description, &description(field, &keywords));
    if field.docs.deprecation.is_some() {
        entries.add(Keyword::Deprecated, true);
    }
    match types(field, &keywords).as_deref() {
        None => {}
        // Rules that contradict each other accept no value.
        Some([]) => entries.add(Keyword::Not, map([])),
        Some([only]) => entries.add(Keyword::Type, *only),
        Some(several) => {
            entries.add(Keyword::Type, array(several.iter().map(|&it| it.into())));
        }
    }
    let default = base.unwrap_or(&field.default);
    let mut are_keys_valid = None;
    match &field.ty {
        Type::Scalar(_) | Type::Kinds(_) | Type::Any => {}
        Type::Choice(choice) => add_choice(choice, field.is_nullable, base, work, &mut entries),
        Type::Array(ty) => {
            entries.add(Keyword::Items, export(&ty.item, None, work).entries.into_schema(DIALECT));
        }
        Type::Map(ty) => {
            let base = base.and_then(Node::as_map);
            let are_valid = add_properties(ty, base, work, &mut entries);
            if base.is_some() || is_described_by_keys(field) {
                are_keys_valid = Some(are_valid);
            }
        }
    }
    let is_base_valid = match are_keys_valid {
        Some(are_valid) => are_valid && breaks_no_rule(field, default),
        None => is_valid(field, default, work),
    };
    if lets_null_be(field) && keywords.forbids_null && types(field, &keywords).is_none() {
        rule_out_null(&mut keywords);
    }
    entries.add_rules(&keywords);
    if !field.docs.examples.is_empty() {
        let examples = field.docs.examples.iter().map(|example| example.value.clone());
        entries.add(Keyword::Examples, array(examples));
        let descriptions = field.docs.examples.iter().map(|it| it.description.as_str());
        if descriptions.clone().any(|it| !it.is_empty()) {
            entries.add(Keyword::ExampleDescriptions, array(descriptions.map(Node::from)));
        }
    }
    let is_ruled_out = default.is_null() && keywords.forbids_null;
    if !is_described_by_keys(field) && !is_ruled_out && !field.has_secret {
        entries.add(Keyword::Default, default.clone());
    }
    Export { entries, is_base_valid }
}

/// Excludes null: together with the values that are already excluded, or separately.
fn rule_out_null(keywords: &mut Expressed) {
    let mut ruled_out =
        keywords.keywords.iter_mut().filter(|(keyword, _)| *keyword == Keyword::Not);
    let values = ruled_out.find_map(|(_, it)| {
        let item = it
            .map_mut()?
            .items_mut()
            .iter_mut()
            .find(|it| it.key.as_str() == Some(Keyword::Enum.name()));
        item?.node.array_mut()
    });
    match values {
        Some(values) => values.items.push(ArrayItem::new(Node::Null, Origin::Unknown)),
        None => keywords.keywords.push((Keyword::Not, schema([(Keyword::Type, "null".into())]))),
    }
}

/// Returns whether keys that were not given are filled in.
pub(super) fn is_filled_in(field: &Field, base: Option<&Node>) -> bool {
    let has_keys = |map: &Map| !map.is_empty();
    let is_from_type = matches!(&field.ty, Type::Map(ty) if has_keys(ty.default()));
    is_from_type || base.and_then(Node::as_map).is_some_and(has_keys)
}

/// Adds the keys of a map. Returns whether the map is valid if no key is given.
fn add_properties(
    ty: &MapType,
    base: Option<&Map>,
    work: &Work<'_>,
    entries: &mut Entries,
) -> bool {
    let mut properties = Vec::with_capacity(ty.fields().len());
    let mut required = Vec::new();
    let mut add = |key: &Node, field: &Field, presence: Presence| {
        let below = base.and_then(|map| map.get(key)).map(|item| &item.node);
        let name = property_name(key);
        let mut export = export(field, below, work);
        let is_required = match presence {
            _ if below.is_some() => !export.is_base_valid,
            Presence::Always => !export.is_base_valid,
            Presence::WhenGiven => false,
            Presence::Required => {
                export.entries.remove(Keyword::Default);
                true
            }
        };
        if is_required {
            required.push(name.as_str().into());
        }
        properties.push((name, export.entries.into_schema(DIALECT)));
    };
    for ((key, field), presence) in ty.entries().zip(ty.presence()) {
        add(key, field, *presence);
    }
    if let Some(field) = ty.any_key() {
        // Given values are merged into the keys of the default, as into declared keys.
        let brought = base.into_iter().flat_map(Map::items);
        for item in brought.filter(|item| ty.position(&item.key).is_none()) {
            add(&item.key, field, Presence::Always);
        }
    }
    let are_all_valid = required.is_empty();
    let properties = properties.iter().map(|(name, node)| (name.as_str(), node.clone()));
    entries.add(Keyword::Properties, map(properties));
    let others = ty.any_key().map(|field| export(field, None, work).entries.into_schema(DIALECT));
    entries.add(Keyword::AdditionalProperties, others.unwrap_or(Node::Bool(false)));
    if !are_all_valid {
        entries.add(Keyword::Required, array(required));
    }
    are_all_valid
}

/// Adds the alternatives. If null is allowed, it does not have to satisfy any of them.
fn add_choice(
    choice: &Choice<Field>,
    is_nullable: bool,
    base: Option<&Node>,
    work: &Work<'_>,
    entries: &mut Entries,
) {
    let alternatives = choice.alternatives.iter();
    let alternatives = alternatives.map(|it| alternative(it, base, work).into_schema(DIALECT));
    let alternatives: Vec<Node> = alternatives.collect();
    let keyword = mode_keyword(choice.mode);
    if is_nullable {
        let choice = schema([(keyword, array(alternatives))]);
        entries.add(Keyword::AnyOf, array([choice, schema([(Keyword::Type, "null".into())])]));
    } else {
        entries.add(keyword, array(alternatives));
    }
}

/// Exports one alternative. If it does not fit the default, it only applies if a value is given.
fn alternative(field: &Field, base: Option<&Node>, work: &Work<'_>) -> Entries {
    let Some(foreign) = &field.foreign_default else {
        return export(field, base, work).entries;
    };
    let mut entries = export(field, None, work).entries;
    let is_map = [Some(foreign), base].into_iter().flatten().any(|it| it.as_map().is_some());
    if is_map && !entries.has(Keyword::MinProperties) {
        entries.add(Keyword::MinProperties, Node::Int(1));
    }
    entries
}

/// Returns the accepted types, or `None` if any type is accepted.
fn types(field: &Field, keywords: &Expressed) -> Option<Vec<&'static str>> {
    let own = match &field.ty {
        Type::Scalar(scalar) => Some(vec![type_name(scalar.kind())]),
        Type::Map(_) => Some(vec!["object"]),
        Type::Array(_) => Some(vec!["array"]),
        Type::Kinds(kinds) => Some(kinds.iter().map(|kind| type_name(*kind)).collect()),
        Type::Choice(_) | Type::Any => None,
    };
    let mut types = match (own, &keywords.types) {
        (Some(mut own), Some(left)) => {
            let is_left =
                |it: &&str| left.contains(it) || *it == "integer" && left.contains(&"number");
            own.retain(|it| is_left(it));
            own
        }
        (Some(own), None) => own,
        (None, Some(left)) => left.clone(),
        (None, None) => return None,
    };
    if lets_null_be(field) && !keywords.forbids_null {
        types.push("null");
    }
    Some(types)
}

/// Keys in JSON are strings: other keys are formatted as in YAML.
pub(super) fn property_name(key: &Node) -> String {
    match key {
        Node::String(text) => text.to_string(),
        Node::Null => "null".to_owned(),
        Node::Bool(value) => value.to_string(),
        other => other.repr(),
    }
}
