//! Checks that a document matches the API's type of virtual machines.

use plumb_source::message::plain;
use plumb_source::{Message, Origin, message};
use plumb_value::{DataPath, Node, Step};

use super::read::plain_text;
use super::table::{Struct, TABLE, Type, Width};
use plumb_format::quantity::Quantity;

/// At most this many mismatches are reported.
const MAX_MISMATCHES: usize = 20;

/// A value whose type the API does not accept.
#[derive(Clone, Debug)]
pub(crate) struct Mismatch {
    pub path: DataPath,
    pub origin: Origin,
    /// What the API accepts there, such as `a string`.
    pub expected: &'static str,
    /// What was found instead, without the value.
    found: &'static str,
}

/// Compares a document with the type of virtual machines. Unknown fields are ignored here. A null
/// counts as a missing value.
pub(crate) fn conform(document: &Node, origin: Origin) -> Vec<Mismatch> {
    let mut walk = Walk { path: DataPath::root(), mismatches: Vec::new() };
    walk.value(document, TABLE.named("VirtualMachine"), origin);
    walk.mismatches
}

impl Mismatch {
    pub(crate) fn message(&self) -> Message {
        let (expected, found) = (self.expected, self.found);
        if self.path.is_root() {
            return message!("a VirtualMachine must be {expected}, not {found}");
        }
        message!("{} must be {expected}, not {found}", plain(&self.path))
    }
}

struct Walk {
    path: DataPath,
    mismatches: Vec<Mismatch>,
}

impl Walk {
    fn value(&mut self, node: &Node, ty: Type, origin: Origin) {
        if node.is_null() || self.mismatches.len() == MAX_MISMATCHES {
            return;
        }
        match ty {
            Type::Pointer(held) => self.value(node, TABLE.held(held), origin),
            Type::Struct(at) => match node {
                Node::Map(map) => {
                    for item in map.items() {
                        let field =
                            item.key.as_str().and_then(|key| field_type(TABLE.get(at), key));
                        if let Some((name, ty)) = field {
                            self.within(Step::Key(name.into()), &item.node, ty, item.origin);
                        }
                    }
                }
                _ => self.mismatch(node, "an object", origin),
            },
            Type::Map(held) => match node {
                Node::Map(map) => {
                    for item in map.items() {
                        let step = Step::of_key(&item.key);
                        self.within(step, &item.node, TABLE.held(held), item.origin);
                    }
                }
                _ => self.mismatch(node, "an object", origin),
            },
            Type::List(held) => match node {
                Node::Array(array) => {
                    for (at, item) in array.items.iter().enumerate() {
                        self.within(Step::Index(at), &item.node, TABLE.held(held), item.origin);
                    }
                }
                _ => self.mismatch(node, "a list", origin),
            },
            Type::String | Type::Time if node.as_str().is_none() => {
                self.mismatch(node, "a string", origin);
            }
            Type::Bool if !matches!(node, Node::Bool(_)) => {
                self.mismatch(node, "a boolean", origin);
            }
            Type::Integer(width) if !is_integer(node, width) => {
                self.mismatch(node, width.name(), origin);
            }
            Type::IntOrString if node.as_str().is_none() && !is_integer(node, Width::I32) => {
                self.mismatch(node, "a string or an integer", origin);
            }
            Type::Quantity => self.quantity(node, origin),
            Type::Any
            | Type::String
            | Type::Time
            | Type::Bool
            | Type::Integer(_)
            | Type::IntOrString => {}
        }
    }

    fn within(&mut self, step: Step, node: &Node, ty: Type, origin: Origin) {
        self.path.push(step);
        self.value(node, ty, origin);
        self.path.pop();
    }

    fn quantity(&mut self, node: &Node, origin: Origin) {
        match node {
            Node::String(_) | Node::Int(_) | Node::UInt(_) | Node::Float(_) => {
                if Quantity::parse(plain_text(node).trim()).is_err() {
                    self.mismatch(node, "a quantity", origin);
                }
            }
            Node::Null | Node::Bool(_) | Node::Map(_) | Node::Array(_) => {
                self.mismatch(node, "a quantity", origin);
            }
        }
    }

    fn mismatch(&mut self, node: &Node, expected: &'static str, origin: Origin) {
        self.mismatches.push(Mismatch {
            path: self.path.clone(),
            origin,
            expected,
            found: describe(node),
        });
    }
}

fn describe(node: &Node) -> &'static str {
    match node {
        Node::Null => "null",
        Node::Bool(_) => "a boolean",
        Node::Int(_) | Node::UInt(_) | Node::Float(_) => "this number",
        Node::String(_) => "this string",
        Node::Map(_) => "an object",
        Node::Array(_) => "a list",
    }
}

/// The field that a key of a document refers to, and its type.
fn field_type(ty: &Struct, key: &str) -> Option<(&'static str, Type)> {
    let own = ty.field(key).filter(|it| !it.name.is_empty()).or_else(|| {
        let mut named = ty.fields.iter().filter(|it| !it.name.is_empty());
        named.find(|it| it.name.eq_ignore_ascii_case(key))
    });
    if let Some(field) = own {
        return Some((field.name, field.ty));
    }
    ty.inlined().find_map(|field| match field.ty {
        Type::Struct(at) => field_type(TABLE.get(at), key),
        Type::Pointer(held) => match TABLE.held(held) {
            Type::Struct(at) => field_type(TABLE.get(at), key),
            _ => None,
        },
        _ => None,
    })
}

fn is_integer(node: &Node, width: Width) -> bool {
    match node {
        Node::Int(value) => width.holds((*value).into()),
        Node::UInt(value) => width.holds((*value).into()),
        _ => false,
    }
}

impl Width {
    fn name(self) -> &'static str {
        match self {
            Self::I32 => "an integer of 32 bits",
            Self::I64 => "an integer of 64 bits",
            Self::U32 => "a non-negative integer of 32 bits",
            Self::U64 => "a non-negative integer of 64 bits",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn check(domain: &str, expected: &[&str]) {
        let text = format!(r#"{{"spec": {{"template": {{"spec": {{"domain": {domain}}}}}}}}}"#);
        let node = json::read_document(&text).expect("the machine is JSON");
        let found = conform(&node, Origin::Unknown);
        let found: Vec<String> =
            found.iter().map(|it| format!("{}: {}", it.path, it.expected)).collect();
        let expected: Vec<String> =
            expected.iter().map(|it| format!("spec.template.spec.domain.{it}")).collect();
        assert_eq!(found, expected, "{domain}");
    }

    #[test]
    fn values_of_another_type_are_reported() {
        check(r#"{"cpu": {"cores": "4"}}"#, &["cpu.cores: a non-negative integer of 32 bits"]);
        check(r#"{"cpu": {"cores": -1}}"#, &["cpu.cores: a non-negative integer of 32 bits"]);
        check(r#"{"CPU": {"Cores": 1.5}}"#, &["cpu.cores: a non-negative integer of 32 bits"]);
        check(
            r#"{"cpu": {"cores": 4294967296}}"#,
            &["cpu.cores: a non-negative integer of 32 bits"],
        );
        check(r#"{"devices": {"disks": {"name": "x"}}}"#, &["devices.disks: a list"]);
        check(
            r#"{"devices": {"disks": [{"cdrom": 1}, {"name": 7}]}}"#,
            &["devices.disks[0].cdrom: an object", "devices.disks[1].name: a string"],
        );
        check(r#"{"memory": {"guest": true}}"#, &["memory.guest: a quantity"]);
        check(r#"{"memory": {"guest": "1K"}}"#, &["memory.guest: a quantity"]);
        check(r#"{"cpu": null, "unknown": [], "memory": {"guest": 1073741824}}"#, &[]);
    }
}
