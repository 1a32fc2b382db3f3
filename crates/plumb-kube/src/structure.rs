//! Checks whether a custom resource definition has the structure that an API server requires.

use plumb_jsonschema::{Keyword, Pattern};
use plumb_source::Origin;
use plumb_value::{Map, Node};

/// A part of a definition that an API server would reject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructureError {
    /// Its path in the definition.
    pub path: String,
    /// The requirement that it breaks, such as "must be an object".
    pub required: String,
    /// Where it was written; if it is missing, the place of the enclosing part.
    pub origin: Origin,
}

/// Keywords that no schema of a definition may have.
const FORBIDDEN: [Keyword; 10] = [
    Keyword::Ref,
    Keyword::SchemaUri,
    Keyword::AdditionalItems,
    Keyword::Definitions,
    Keyword::Deprecated,
    Keyword::Dependencies,
    Keyword::OldId,
    Keyword::PatternProperties,
    Keyword::ReadOnly,
    Keyword::WriteOnly,
];

/// Returns what an API server would reject about the structure of a definition.
pub fn structure_errors(definition: &Node, origin: Origin) -> Vec<StructureError> {
    let mut checker = Checker { errors: Vec::new() };
    checker.definition(definition, origin);
    checker.errors
}

struct Checker {
    errors: Vec<StructureError>,
}

impl Checker {
    fn report(&mut self, path: &str, required: impl Into<String>, origin: Origin) {
        let (path, required) = (path.to_owned(), required.into());
        self.errors.push(StructureError { path, required, origin });
    }

    fn definition(&mut self, definition: &Node, origin: Origin) {
        let Some(spec) = map_at(definition, "spec") else {
            return self.report("spec", "must be an object", origin);
        };
        let text = |map: &Map, key: &str| -> Option<String> {
            map.get_str(key)?.as_str().map(str::to_owned)
        };
        let names = spec.get_str("names").and_then(Node::as_map);
        let group = text(spec, "group");
        let plural = names.and_then(|it| text(it, "plural"));
        if group.is_none() {
            self.report("spec.group", "must be a group such as `example.com`", origin);
        }
        if names.and_then(|it| text(it, "kind")).is_none() {
            self.report("spec.names.kind", "must be a kind", origin);
        }
        if plural.is_none() {
            self.report(
                "spec.names.plural",
                "must be the plural of the kind in lower case",
                origin,
            );
        }
        if !matches!(text(spec, "scope").as_deref(), Some("Namespaced" | "Cluster")) {
            self.report("spec.scope", "must be `Namespaced` or `Cluster`", origin);
        }
        let name = map_at(definition, "metadata").and_then(|it| text(it, "name"));
        if let (Some(plural), Some(group), Some(name)) = (plural, group, name)
            && name != format!("{plural}.{group}")
        {
            let required = "must be `spec.names.plural`, a dot and `spec.group`";
            self.report("metadata.name", required, origin);
        }
        self.versions(spec, origin);
    }

    fn versions(&mut self, spec: &Map, origin: Origin) {
        let versions = spec.get_str("versions").and_then(Node::as_array);
        let versions = versions.map_or(&[][..], |it| &it.items);
        if versions.is_empty() {
            return self.report("spec.versions", "must have at least one version", origin);
        }
        let is_true = |map: &Map, key: &str| matches!(map.get_str(key), Some(Node::Bool(true)));
        let stored = versions.iter().filter_map(|it| it.node.as_map());
        if stored.filter(|it| is_true(it, "storage")).count() != 1 {
            let required = "must have exactly one version with `storage: true`";
            self.report("spec.versions", required, origin);
        }
        for (at, version) in versions.iter().enumerate() {
            let path = format!("spec.versions[{at}].schema.openAPIV3Schema");
            let schema = map_at(&version.node, "schema");
            let schema = schema.and_then(|it| it.get(&"openAPIV3Schema".into()));
            let Some(schema) = schema else {
                self.report(&path, "must be a schema", version.origin);
                continue;
            };
            if schema.node.as_map().and_then(|it| Keyword::Type.text(it)) != Some("object") {
                self.report(&path, "must have `type: object`", schema.origin);
            }
            self.schema(&schema.node, &path, schema.origin, Level::Structure);
        }
    }

    fn schema(&mut self, schema: &Node, path: &str, origin: Origin, level: Level) {
        let Some(map) = schema.as_map() else {
            return self.report(path, "must be a schema", origin);
        };
        for key in FORBIDDEN {
            if let Some(item) = map.get(&key.name().into()) {
                let required =
                    format!("must not have `{}`: Kubernetes does not allow it", key.name());
                self.report(path, required, item.origin);
            }
        }
        let is_any = Keyword::IntOrString.is_on(map) || Keyword::PreserveUnknownFields.is_on(map);
        let ty = Keyword::Type.text(map);
        if level == Level::Structure && ty.is_none() && !is_any {
            self.report(path, "must have a `type`", origin);
        }
        if Keyword::UniqueItems.is_on(map) {
            let required = "must not have `uniqueItems`, which is too slow: use \
                            `x-kubernetes-list-type: set`";
            self.report(path, required, origin);
        }
        if Keyword::Pattern.text(map).is_some_and(|it| Pattern::re2(it).is_none()) {
            self.report(path, "must not have a `pattern` that RE2 rejects", origin);
        }
        if matches!(Keyword::AdditionalProperties.of(map), Some(Node::Bool(false))) {
            let required =
                "must not have `additionalProperties: false`: unknown fields are removed anyway";
            self.report(path, required, origin);
        }
        if Keyword::Properties.is_in(map) && Keyword::AdditionalProperties.is_in(map) {
            let required = "must not have both `properties` and `additionalProperties`";
            self.report(path, required, origin);
        }
        let properties = Keyword::Properties.map(map);
        for item in properties.into_iter().flat_map(Map::items) {
            let path = format!("{path}.properties[{}]", item.key.as_str().unwrap_or_default());
            self.schema(&item.node, &path, item.origin, level);
        }
        if let Some(item) = map.get(&Keyword::AdditionalProperties.name().into())
            && item.node.as_map().is_some()
        {
            let path = format!("{path}.additionalProperties");
            self.schema(&item.node, &path, item.origin, level);
        }
        match map.get(&Keyword::Items.name().into()) {
            Some(item) if item.node.as_map().is_some() => {
                self.schema(&item.node, &format!("{path}.items"), item.origin, level);
            }
            Some(item) => self.report(path, "must have one schema as `items`", item.origin),
            None if ty == Some("array") && level == Level::Structure => {
                self.report(path, "must have `items`, because it is an array", origin);
            }
            None => {}
        }
        for key in [Keyword::AllOf, Keyword::AnyOf, Keyword::OneOf] {
            for (at, item) in key.items(map).iter().enumerate() {
                let path = format!("{path}.{}[{at}]", key.name());
                self.schema(&item.node, &path, item.origin, Level::Condition);
            }
        }
        if let Some(item) = map.get(&Keyword::Not.name().into()) {
            self.schema(&item.node, &format!("{path}.not"), item.origin, Level::Condition);
        }
        if level == Level::Condition {
            self.condition(map, path);
        }
    }

    /// Checks a condition, which must not declare structure.
    fn condition(&mut self, map: &Map, path: &str) {
        let keys = [
            Keyword::AdditionalProperties,
            Keyword::Default,
            Keyword::Description,
            Keyword::Nullable,
            Keyword::Title,
            Keyword::Type,
        ];
        for key in keys {
            // As an exception, `type` is allowed in the two forms of an integer or a string.
            if key == Keyword::Type && map.len() == 1 {
                continue;
            }
            if let Some(item) = map.get(&key.name().into()) {
                let required = format!("must not have `{}` within a condition", key.name());
                self.report(path, required, item.origin);
            }
        }
    }
}

/// Whether a schema declares the structure, or is part of `allOf`, `anyOf`, `oneOf` or `not`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Structure,
    Condition,
}

fn map_at<'n>(node: &'n Node, key: &str) -> Option<&'n Map> {
    node.as_map()?.get_str(key)?.as_map()
}
