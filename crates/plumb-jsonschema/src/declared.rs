//! What the expressions of a structural schema can know about values: the types and sizes that an
//! API server assigns to them.

use plumb_cel::{Declared, DeclaredKey, Identity};
use plumb_value::{Map, Node};

use crate::Keyword;

/// Returns what a structural schema declares about a value, or `None` if the value has no type, so
/// that expressions cannot use it.
pub fn declared(schema: &Node) -> Option<Declared> {
    let schema = schema.as_map()?;
    of_schema(schema, Keyword::EmbeddedResource.is_on(schema))
}

/// Returns the same for the root of a custom resource, which always has a name.
pub fn declared_resource(schema: &Node) -> Option<Declared> {
    of_schema(schema.as_map()?, true)
}

fn of_schema(schema: &Map, is_resource: bool) -> Option<Declared> {
    let max_length = Keyword::MaxLength.count(schema);
    if Keyword::IntOrString.is_on(schema) {
        return Some(Declared::dynamic(max_length));
    }
    match Keyword::Type.text(schema)? {
        "boolean" => Some(Declared::boolean()),
        "integer" => Some(Declared::integer()),
        "number" => Some(Declared::number()),
        "string" => {
            let format = Keyword::Format.text(schema);
            let formatted = format.and_then(|it| Declared::formatted(it, max_length));
            let values: Vec<&str> = Keyword::Enum.texts(schema).collect();
            Some(formatted.unwrap_or_else(|| Declared::string(max_length, &values)))
        }
        "array" => {
            let item = declared(Keyword::Items.of(schema)?)?;
            let list = Declared::list(item, Keyword::MaxItems.count(schema));
            Some(list.identified_by(identity(schema)))
        }
        "object" => of_object(schema, is_resource),
        _ => None,
    }
}

fn identity(schema: &Map) -> Identity {
    match Keyword::ListType.text(schema) {
        Some("set") => Identity::Value,
        Some("map") => {
            Identity::Keys(Keyword::ListMapKeys.texts(schema).map(str::to_owned).collect())
        }
        _ => Identity::Position,
    }
}

fn of_object(schema: &Map, is_resource: bool) -> Option<Declared> {
    if let Some(others @ Node::Map(_)) = Keyword::AdditionalProperties.of(schema) {
        return Some(Declared::map(declared(others)?, Keyword::MaxProperties.count(schema)));
    }
    let required: Vec<&str> = Keyword::Required.texts(schema).collect();
    let properties = Keyword::Properties.map(schema).map(Map::items).unwrap_or_default();
    let is_resource = is_resource && !declares_resource(schema);
    let of_resource = |name: &str| is_resource && RESOURCE_KEYS.contains(&name);
    let mut keys: Vec<DeclaredKey> = Vec::with_capacity(properties.len());
    for property in properties {
        let Some(name) = property.key.as_str().filter(|it| !of_resource(it)) else {
            continue;
        };
        if let Some(value) = declared(&property.node) {
            let has_default = Keyword::Default.within(&property.node).is_some();
            let is_sent = required.contains(&name) && !has_default;
            keys.push(DeclaredKey { name: name.to_owned(), value, is_sent });
        }
    }
    if is_resource {
        keys.extend(RESOURCE_KEYS.map(|name| {
            let text = || Declared::string(None, &[]);
            let value =
                match name {
                    "metadata" => Declared::object(["name", "generateName"].map(|name| {
                        DeclaredKey { name: name.to_owned(), value: text(), is_sent: false }
                    })),
                    _ => text(),
                };
            DeclaredKey { name: name.to_owned(), value, is_sent: required.contains(&name) }
        }));
    }
    Some(Declared::object(keys))
}

/// Whether a schema itself declares the keys that every resource has, and those of `metadata`. An
/// API server does not change such a schema.
fn declares_resource(schema: &Map) -> bool {
    let property = |name: &str| Keyword::Properties.map(schema)?.get_str(name)?.as_map();
    let has_type =
        |name: &str, ty: &str| property(name).is_some_and(|it| Keyword::Type.text(it) == Some(ty));
    has_type("kind", "string")
        && has_type("apiVersion", "string")
        && has_type("metadata", "object")
        && property("metadata").is_some_and(|it| Keyword::Properties.is_in(it))
}

/// The keys of every resource that expressions may use.
const RESOURCE_KEYS: [&str; 3] = ["apiVersion", "kind", "metadata"];
