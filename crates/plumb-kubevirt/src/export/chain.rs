//! Paths of rules as chains of fields, each with its type in KubeVirt's API.

use plumb_source::Origin;
use plumb_value::{Array, ArrayItem, Map, MapItem, Node};

use crate::api::{Field, Struct, TABLE, Type};
use crate::jsonpath::JsonPath;

/// A path from the virtual machine to the values that it selects.
#[derive(Debug)]
pub(super) struct Chain<'r> {
    pub json: &'r JsonPath,
    /// The fields up to the value, or up to the list whose elements are selected.
    pub fields: Vec<Link>,
    /// The fields within each element of the list.
    pub within_each: Option<Vec<Link>>,
    /// Whether the API has all of these fields.
    pub is_known: bool,
}

#[derive(Debug)]
pub(super) struct Link {
    pub name: String,
    /// The type of the field.
    pub ty: Type,
    /// Whether zero counts as missing, because the API has another default.
    pub has_default: bool,
}

/// The part of a path that cannot be translated.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathError(pub &'static str);

/// How much of a chain is written in a virtual machine.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reach {
    /// The first fields.
    Fields(usize),
    /// All fields, and an empty list.
    EmptyList,
    /// All fields, and a list with one element that has the first of its fields.
    Element(usize),
    /// Everything.
    Value,
}

impl<'r> Chain<'r> {
    /// The chain of a path. Fails if a chain cannot express the path.
    pub(super) fn of(json: &'r JsonPath) -> Result<Self, PathError> {
        let Some(names) = json.plain_path() else {
            return Err(PathError(json.special_step().unwrap_or("text")));
        };
        let mut chain = Self { json, fields: Vec::new(), within_each: None, is_known: true };
        let mut ty = TABLE.named("VirtualMachine");
        for name in names {
            let target = TABLE.target(ty);
            if name == "*" {
                let Type::List(item) = target else {
                    return Err(PathError(
                        "a wildcard for something other than the elements of a list",
                    ));
                };
                if chain.within_each.replace(Vec::new()).is_some() {
                    return Err(PathError("more than one `[*]`"));
                }
                ty = TABLE.held(item);
                continue;
            }
            let link = match target {
                Type::Struct(at) => match field(TABLE.get(at), name) {
                    Some(field) if field.name.is_empty() => {
                        return Err(PathError("a name that only Go uses"));
                    }
                    Some(field) => Link {
                        name: field.name.to_owned(),
                        ty: field.ty,
                        has_default: field.in_document.is_some(),
                    },
                    None => {
                        chain.is_known = false;
                        Link::new(name, Type::Any)
                    }
                },
                Type::Map(value) => Link::new(name, TABLE.held(value)),
                Type::Any => Link::new(name, Type::Any),
                _ => return Err(PathError("a field of a value that has no fields")),
            };
            ty = link.ty;
            chain.within_each.as_mut().unwrap_or(&mut chain.fields).push(link);
        }
        if chain.fields.is_empty() {
            return Err(PathError("the virtual machine as a whole"));
        }
        Ok(chain)
    }

    /// The last field.
    pub(super) fn last(&self) -> Option<&Link> {
        self.within_each.as_ref().unwrap_or(&self.fields).last()
    }

    /// The type of the selected values.
    pub(super) fn value_type(&self) -> Type {
        let element = || match self.fields.last().map(|it| TABLE.target(it.ty)) {
            Some(Type::List(item)) => TABLE.held(item),
            _ => Type::Any,
        };
        TABLE.target(self.last().map_or_else(element, |it| it.ty))
    }

    /// A virtual machine in which only this part of the chain is written.
    pub(super) fn document(&self, reach: Reach) -> Node {
        let names = |links: &[Link]| links.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
        let elements = self.within_each.as_deref().unwrap_or_default();
        let (n_fields, innermost) = match reach {
            Reach::Fields(n_fields) => (n_fields, empty()),
            Reach::EmptyList => (self.fields.len(), list(None)),
            Reach::Element(n_fields) => {
                (self.fields.len(), list(Some(nested(names(&elements[..n_fields]), empty()))))
            }
            Reach::Value => (self.fields.len(), example(self.value_type())),
        };
        nested(names(&self.fields[..n_fields]), innermost)
    }
}

impl Link {
    fn new(name: &str, ty: Type) -> Self {
        Self { name: name.to_owned(), ty, has_default: false }
    }
}

/// Merges two documents. Maps are merged; for other values, the second document takes precedence.
pub(super) fn merged(one: &Node, other: &Node) -> Node {
    let (Some(left), Some(right)) = (one.as_map(), other.as_map()) else { return other.clone() };
    let mut items = left.items().to_vec();
    for item in right.items() {
        match items.iter_mut().find(|it| it.key.as_str() == item.key.as_str()) {
            Some(found) => found.node = merged(&found.node, &item.node),
            None => items.push(item.clone()),
        }
    }
    Node::map(Map::new(items, Origin::Unknown))
}

/// The field of a struct, by its name in documents or in Go, also within inlined structs.
fn field(ty: &'static Struct, name: &str) -> Option<&'static Field> {
    let inlined = || {
        ty.inlined().filter_map(|it| match TABLE.target(it.ty) {
            Type::Struct(at) => Some(TABLE.get(at)),
            _ => None,
        })
    };
    ty.field(name)
        .or_else(|| inlined().find_map(|it| it.field(name)))
        .or_else(|| ty.field_by_go_name(name))
        .or_else(|| inlined().find_map(|it| it.field_by_go_name(name)))
}

fn empty() -> Node {
    Node::map(Map::new(Vec::new(), Origin::Unknown))
}

fn list(element: Option<Node>) -> Node {
    let items = element.into_iter().map(|it| ArrayItem::new(it, Origin::Unknown)).collect();
    Node::array(Array::new(items, Origin::Unknown))
}

fn nested(names: Vec<String>, innermost: Node) -> Node {
    names.into_iter().rev().fold(innermost, |node, name| {
        let item = MapItem::new(name.as_str().into(), node, Origin::Unknown);
        Node::map(Map::new(vec![item], Origin::Unknown))
    })
}

/// A value of a type, neither empty nor zero.
fn example(ty: Type) -> Node {
    match ty {
        Type::Integer(_) => Node::Int(1),
        Type::Bool => Node::Bool(true),
        Type::Struct(_) | Type::Map(_) => empty(),
        Type::List(_) => list(None),
        Type::Any
        | Type::String
        | Type::Quantity
        | Type::IntOrString
        | Type::Time
        | Type::Pointer(_) => "1".into(),
    }
}
