//! Custom resource definitions among the documents: the rules that an API server would refuse.

use plumb_jsonschema::RefusedRule;
use plumb_value::{Map, Node};

/// Returns the rules of a definition that an API server would refuse, those of all its versions.
pub fn refused_rules(definition: &Node) -> Vec<RefusedRule> {
    let spec = definition.as_map().and_then(|it| it.get_str("spec")?.as_map());
    let versions = spec.and_then(|it| it.get_str("versions")?.as_array());
    let schema = |version: &Node| -> Option<Node> {
        let schema: &Map = version.as_map()?.get_str("schema")?.as_map()?;
        schema.get_str("openAPIV3Schema").cloned()
    };
    let versions = versions.into_iter().flat_map(|it| &it.items);
    let schemas = versions.filter_map(|it| schema(&it.node));
    schemas.flat_map(|it| plumb_jsonschema::refused_rules(&it)).collect()
}
