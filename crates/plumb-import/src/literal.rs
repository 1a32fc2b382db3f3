//! Values as the template language and YAML write them.

use plumb_source::{Origin, SourceKind, Sources};
use plumb_value::{Document, Node};
use plumb_yaml::ReadOptions;

/// A value as the template language writes it. A float stays one.
pub(crate) fn literal(node: &Node) -> String {
    match node {
        Node::Float(value) if !value.is_finite() => "0.0".to_owned(),
        Node::Float(value) => {
            let text = node.repr();
            if value.fract() == 0.0 && !text.contains(['e', '.']) {
                format!("{text}.0")
            } else {
                text
            }
        }
        Node::Array(array) => {
            let items: Vec<String> = array.items.iter().map(|it| literal(&it.node)).collect();
            format!("[{}]", items.join(", "))
        }
        Node::Map(map) => {
            let items = map.items().iter();
            let items = items.map(|it| format!("{}: {}", it.key.repr(), literal(&it.node)));
            format!("{{{}}}", items.collect::<Vec<_>>().join(", "))
        }
        Node::Null | Node::Bool(_) | Node::Int(_) | Node::UInt(_) | Node::String(_) => node.repr(),
    }
}

/// Reads what [`Node::repr`] wrote: none for any other text.
pub(crate) fn read(text: &str) -> Option<Node> {
    let bytes = text.as_bytes();
    let file = Sources::new().add("", SourceKind::File, bytes.into());
    let mut documents = plumb_yaml::parse(file, bytes, &ReadOptions::default()).ok()?;
    let node = documents.pop().filter(|_| documents.is_empty())?.node;
    (node.repr() == text).then_some(node)
}

/// A scalar or a value of any type as YAML, in lines.
pub(crate) fn yaml(node: &Node) -> String {
    if let Node::Float(value) = node
        && value.fract() == 0.0
        && value.abs() < 1e15
    {
        return format!("{value:.1}\n");
    }
    let mut out = Vec::new();
    plumb_yaml::print::documents([&Document::new(node.clone(), Origin::Unknown)], &mut out);
    String::from_utf8_lossy(&out).into_owned()
}
