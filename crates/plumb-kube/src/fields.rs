//! The fields that a schema has at a place of a resource, for editors.

use plumb_jsonschema::Keyword;
use plumb_value::{Map, Node};

use crate::Catalog;
use crate::kind::Gvk;

/// How many references in a row are followed.
const MAX_REFERENCES: usize = 16;

/// A field that a resource may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    /// The name of its type; empty if it is not known.
    pub type_name: String,
    pub description: String,
    pub is_required: bool,
}

impl Catalog {
    /// The fields of a kind at a path, whose steps are keys, or `None` for the items of an array.
    pub fn fields(&self, api_version: &str, kind: &str, path: &[Option<&str>]) -> Vec<Field> {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        let Some((schema, root)) = self.schema(&Gvk::new(group, version, kind)) else {
            return Vec::new();
        };
        let mut here = resolved(schema, root);
        for step in path {
            let Some(next) = below(here, *step) else { return Vec::new() };
            here = resolved(next, root);
        }
        fields_of(here, root)
    }
}

fn fields_of(schema: &Node, root: &Node) -> Vec<Field> {
    let Some(map) = schema.as_map() else { return Vec::new() };
    let required: Vec<&str> =
        Keyword::Required.items(map).iter().filter_map(|it| it.node.as_str()).collect();
    let properties = Keyword::Properties.map(map).map_or(&[][..], Map::items);
    let field = |name: &str, node: &Node| {
        let own = node.as_map();
        let target = resolved(node, root).as_map();
        let text = |keyword: Keyword| {
            own.and_then(|it| keyword.text(it)).or(target.and_then(|it| keyword.text(it)))
        };
        Field {
            name: name.to_owned(),
            type_name: text(Keyword::Type).unwrap_or_default().to_owned(),
            description: text(Keyword::Description).unwrap_or_default().to_owned(),
            is_required: required.contains(&name),
        }
    };
    properties.iter().filter_map(|it| Some(field(it.key.as_str()?, &it.node))).collect()
}

fn below<'a>(schema: &'a Node, step: Option<&str>) -> Option<&'a Node> {
    let map = schema.as_map()?;
    match step {
        None => Keyword::Items.of(map),
        Some(key) => Keyword::Properties
            .map(map)
            .and_then(|it| it.get_str(key))
            .or_else(|| Keyword::AdditionalProperties.of(map)),
    }
}

/// The schema that a reference leads to, also if it is the only part of `allOf`.
fn resolved<'a>(mut schema: &'a Node, root: &'a Node) -> &'a Node {
    for _ in 0..MAX_REFERENCES {
        let Some(map) = schema.as_map() else { return schema };
        if let [only] = Keyword::AllOf.items(map) {
            schema = &only.node;
            continue;
        }
        let Some(reference) = Keyword::Ref.text(map) else { return schema };
        let Some(path) = reference.strip_prefix("#/") else { return schema };
        let target = path.split('/').try_fold(root, |node, key| {
            let key = key.replace("~1", "/").replace("~0", "~");
            node.as_map()?.get_str(&key)
        });
        let Some(target) = target else { return schema };
        schema = target;
    }
    schema
}

#[cfg(test)]
mod tests {
    use plumb_source::{SourceKind, Sources};

    use super::*;
    use crate::SchemaFile;

    #[test]
    fn references_and_items_are_followed() {
        let text = r##"
definitions:
  Pod:
    x-kubernetes-group-version-kind: [{group: "", version: v1, kind: Pod}]
    required: [spec]
    properties:
      spec: {allOf: [{$ref: "#/definitions/PodSpec"}], description: What is run}
  PodSpec:
    type: object
    properties:
      containers: {type: array, items: {$ref: "#/definitions/Container"}}
  Container: {properties: {image: {type: string}}}
"##;
        let sources = Sources::new();
        let file = sources.add("a", SourceKind::File, text.as_bytes().into());
        let documents =
            plumb_yaml::parse(file, text.as_bytes(), &plumb_yaml::ReadOptions::default())
                .expect("it is YAML");
        let catalog = Catalog::new(vec![SchemaFile { path: "a.json".to_owned(), documents }]);
        let fields = catalog.fields("v1", "Pod", &[]);
        let expected = Field {
            name: "spec".to_owned(),
            type_name: "object".to_owned(),
            description: "What is run".to_owned(),
            is_required: true,
        };
        assert_eq!(fields, [expected]);
        let inner = catalog.fields("v1", "Pod", &[Some("spec"), Some("containers"), None]);
        assert_eq!(inner[0].name, "image");
        assert_eq!(catalog.fields("v1", "Node", &[]), []);
    }
}
