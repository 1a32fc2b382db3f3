//! Prints values as HCL 1.
//!
//! Keys are quoted and keep their order. Objects whose members are all objects become labels (`"a"
//! "b" { … }`), and lists of objects become repeated items. An empty line separates two items.

use plumb_value::{Array, Map, Node};

use crate::error::Error;

/// The text of an object.
pub(super) fn print(node: &Node, indent: usize) -> Result<Vec<u8>, Error> {
    let map = node.as_map().ok_or(Error::NotAnObject)?;
    let step = if indent == 0 { "\t".to_owned() } else { " ".repeat(indent) };
    let mut printer = Printer { out: Vec::new(), step, depth: 0 };
    printer.items(map);
    if !map.is_empty() {
        printer.out.push(b'\n');
    }
    Ok(printer.out)
}

struct Printer {
    out: Vec<u8>,
    step: String,
    depth: usize,
}

impl Printer {
    fn items(&mut self, map: &Map) {
        let mut items = Vec::new();
        for item in map.items() {
            flatten(&mut vec![item.key.as_str().unwrap_or_default()], &item.node, &mut items);
        }
        for (at, (labels, node)) in items.into_iter().enumerate() {
            if at > 0 {
                self.out.push(b'\n');
                self.line();
            }
            for label in &labels {
                self.string(label);
                self.out.push(b' ');
            }
            if labels.len() == 1 {
                self.out.extend_from_slice(b"= ");
            }
            self.value(node);
        }
    }

    fn value(&mut self, node: &Node) {
        match node {
            Node::Map(map) => self.body(map),
            Node::Array(array) => self.list(array),
            Node::String(text) => self.string(&text.to_str_lossy()),
            Node::Null | Node::Bool(_) | Node::Int(_) | Node::UInt(_) | Node::Float(_) => {
                let style = plumb_yaml::print::json::JsonStyle::default();
                plumb_yaml::print::json::node(node, style, &mut self.out)
                    .expect("numbers that cross from a script are finite");
            }
        }
    }

    fn body(&mut self, map: &Map) {
        self.out.push(b'{');
        if !map.is_empty() {
            self.depth += 1;
            self.line();
            self.items(map);
            self.depth -= 1;
            self.line();
        }
        self.out.push(b'}');
    }

    fn list(&mut self, array: &Array) {
        let is_flat =
            array.items.iter().all(|item| !matches!(item.node, Node::Map(_) | Node::Array(_)));
        self.out.push(b'[');
        self.depth += 1;
        for (at, item) in array.items.iter().enumerate() {
            match (is_flat, at) {
                (true, 0) => {}
                (true, _) => self.out.extend_from_slice(b", "),
                (false, _) => self.line(),
            }
            self.value(&item.node);
            if !is_flat {
                self.out.push(b',');
            }
        }
        self.depth -= 1;
        if !is_flat {
            self.line();
        }
        self.out.push(b']');
    }

    fn string(&mut self, text: &str) {
        let quoted = serde_json::to_string(text).expect("a string is always JSON");
        self.out.extend_from_slice(quoted.as_bytes());
    }

    fn line(&mut self) {
        self.out.push(b'\n');
        for _ in 0..self.depth {
            self.out.extend_from_slice(self.step.as_bytes());
        }
    }
}

/// The items for a member, with all their labels.
fn flatten<'a>(
    labels: &mut Vec<&'a str>,
    node: &'a Node,
    items: &mut Vec<(Vec<&'a str>, &'a Node)>,
) {
    match node {
        Node::Map(map)
            if !map.is_empty()
                && map.items().iter().all(|item| matches!(item.node, Node::Map(_))) =>
        {
            for item in map.items() {
                labels.push(item.key.as_str().unwrap_or_default());
                flatten(labels, &item.node, items);
                labels.pop();
            }
        }
        Node::Array(array)
            if !array.items.is_empty()
                && array.items.iter().all(|item| matches!(item.node, Node::Map(_))) =>
        {
            for item in &array.items {
                flatten(labels, &item.node, items);
            }
        }
        _ => items.push((labels.clone(), node)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str, expected: &str) {
        let node = crate::format::node_from_json(json).expect("a case is JSON");
        let text = print(&node, 2).expect("an object");
        assert_eq!(String::from_utf8_lossy(&text), expected);
    }

    #[test]
    fn nested_objects_become_labels() {
        check(
            r#"{"provider":{"github":{"organization":"myorg"}},"m":{"x":{"user":"foo","n":[1,"b"]}}}"#,
            "\"provider\" \"github\" {\n  \"organization\" = \"myorg\"\n}\n\n\"m\" \"x\" {\n  \"user\" = \"foo\"\n\n  \"n\" = [1, \"b\"]\n}\n",
        );
    }

    #[test]
    fn lists_of_objects_become_items_and_mixed_lists_lines() {
        check(
            r#"{"a":[{"b":1},{"c":{}}],"l":[[1],2],"e":{},"n":null}"#,
            "\"a\" = {\n  \"b\" = 1\n}\n\n\"a\" \"c\" {}\n\n\"l\" = [\n  [1],\n  2,\n]\n\n\"e\" = {}\n\n\"n\" = null\n",
        );
    }
}
