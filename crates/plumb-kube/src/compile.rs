//! From a schema document to shapes.

use std::sync::Arc;

use plumb_cel::Program;
use plumb_regexp::Regexp;
use plumb_source::Origin;
use plumb_value::{Map, MapItem, Node};

use crate::catalog::{Catalog, UncheckedRule};
use crate::keyword::{constraints, is_on, nodes, quantity, text, texts, types, unique, width};
use crate::shape::{Expression, Others, Shape, ShapeId, Types};

/// References that lead to references: more than anyone needs.
const MOST_REFERENCES: usize = 64;

/// How a schema is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mode {
    /// A map with fields has no others.
    Strict,
    /// As a custom resource has it: a map without fields has none at all.
    Custom,
    /// One of several schemas of a value: others may have further fields.
    Partial,
}

pub(crate) struct Compiler<'c> {
    catalog: &'c mut Catalog,
    /// The node that references are looked up in.
    root: Node,
}

/// What a reference leads to.
struct Followed {
    node: Node,
    /// The document that it is in.
    root: Node,
    /// Whether it is that of quantities, which say less about themselves than API servers know.
    is_quantity: bool,
}

impl<'c> Compiler<'c> {
    pub(crate) fn new(catalog: &'c mut Catalog, root: Node) -> Self {
        Self { catalog, root }
    }

    pub(crate) fn schema(&mut self, node: &Node, mode: Mode) -> ShapeId {
        let is_reference = node.as_map().is_some_and(|it| it.get_str("$ref").is_some());
        if is_reference && mode == Mode::Custom {
            // An API server takes no custom resource with references.
            return self.add(Shape::default());
        }
        let Some(Followed { node: target, root, is_quantity }) = self.followed(node) else {
            return self.add(Shape::default());
        };
        let Node::Map(map) = &target else {
            let is_nothing = matches!(target, Node::Bool(false));
            let types = is_nothing.then_some(Types::NONE);
            return self.add(Shape { types, ..Shape::default() });
        };
        let address = Arc::as_ptr(map).addr();
        if let Some(shape) = self.catalog.compiled.get(&(address, mode)) {
            return *shape;
        }
        let shape = self.add(Shape::default());
        self.catalog.compiled.insert((address, mode), shape);
        let here = std::mem::replace(&mut self.root, root);
        let compiled = if is_quantity { quantity() } else { self.shape(map, mode) };
        self.root = here;
        self.catalog.shapes[shape] = compiled;
        shape
    }

    /// A custom resource: what all resources have comes before its own fields.
    pub(crate) fn custom_resource(&mut self, node: &Node) -> ShapeId {
        let id = self.schema(node, Mode::Custom);
        let text = self.add(Shape { types: Some(Types::STRING), ..Shape::default() });
        let meta = self.object_meta();
        let fields = self.catalog.shapes[id].fields.get_or_insert_default();
        let implicit = [("apiVersion", text), ("kind", text), ("metadata", meta)];
        for (name, shape) in implicit {
            match fields.position(&name.into()) {
                Some(at) => fields.item_mut(at).node = number(shape),
                None => fields.push(MapItem::new(name.into(), number(shape), Origin::Unknown)),
            }
        }
        id
    }

    /// The metadata of resources, from the file that we bring along.
    fn object_meta(&mut self) -> ShapeId {
        if let Some(meta) = self.catalog.meta {
            return meta;
        }
        let file = self.catalog.files.len() - 1;
        let schema = self.catalog.files[file].documents.first().map(|it| it.node.clone());
        let schema = schema.unwrap_or_default();
        let meta = Compiler::new(self.catalog, schema.clone()).schema(&schema, Mode::Strict);
        self.catalog.meta = Some(meta);
        meta
    }

    fn add(&mut self, shape: Shape) -> ShapeId {
        self.catalog.shapes.push(shape);
        self.catalog.shapes.len() - 1
    }

    /// The schema itself, or what its reference leads to. None where that is nowhere.
    fn followed(&self, node: &Node) -> Option<Followed> {
        let (mut node, mut root) = (node.clone(), self.root.clone());
        let mut is_quantity = false;
        for _ in 0..MOST_REFERENCES {
            let reference = node.as_map().and_then(|it| it.get_str("$ref")).and_then(Node::as_str);
            let Some(reference) = reference else {
                return Some(Followed { node, root, is_quantity });
            };
            is_quantity |= reference.ends_with("api.resource.Quantity");
            let (file, path) = reference.split_once('#').unwrap_or((reference, ""));
            let other = file.rsplit('/').next().filter(|it| !it.is_empty());
            if let Some(name) = other {
                let file = *self.catalog.by_name.get(name)?;
                root = self.catalog.files[file].documents.first()?.node.clone();
            }
            node = path.split('/').skip(1).try_fold(root.clone(), |node, step| {
                let step = step.replace("~1", "/").replace("~0", "~");
                node.as_map()?.get_str(&step).cloned()
            })?;
        }
        None
    }

    fn shape(&mut self, map: &Map, mode: Mode) -> Shape {
        let all_of = nodes(map, "allOf");
        // Of several schemas together, none knows all fields.
        let is_alone = all_of.len() <= 1 && map.get_str("properties").is_none();
        let of_parts = if is_alone { mode } else { Mode::Partial };
        let mut shape = Shape {
            types: types(map),
            is_nullable: is_on(map, "nullable"),
            constraints: constraints(map),
            pattern: text(map, "pattern").and_then(|it| Regexp::new(it).ok()),
            width: width(map),
            required: texts(map, "required"),
            unique: unique(map),
            ..Shape::default()
        };
        shape.all_of = self.all(&all_of, of_parts);
        shape.any_of = self.all(&nodes(map, "anyOf"), Mode::Partial);
        shape.one_of = self.all(&nodes(map, "oneOf"), Mode::Partial);
        shape.not = map.get_str("not").map(|it| self.schema(it, Mode::Partial));
        shape.items = match map.get_str("items") {
            Some(items @ Node::Map(_)) => Some(self.schema(items, mode.below())),
            _ => None,
        };
        if mode == Mode::Custom {
            shape.default = map.get_str("default").cloned();
            shape.is_fraction = shape.types == Some(Types::NUMBER);
            shape.rules = self.rules(map);
        }
        self.add_fields(map, &all_of, mode, &mut shape);
        shape
    }

    fn all(&mut self, parts: &[Node], mode: Mode) -> Vec<ShapeId> {
        parts.iter().map(|it| self.schema(it, mode)).collect()
    }

    /// The rules in CEL that can be checked. The others are put down.
    fn rules(&mut self, map: &Map) -> Vec<Expression> {
        let entries = map.get_str("x-kubernetes-validations").and_then(Node::as_array);
        let entries = entries.into_iter().flat_map(|it| &it.items);
        let mut rules = Vec::new();
        for entry in entries.filter_map(|it| it.node.as_map()) {
            let Some(rule) = entry.get(&"rule".into()) else {
                continue;
            };
            let source = rule.node.as_str().unwrap_or_default();
            let knows_before = is_on(entry, "optionalOldSelf");
            let compile = if knows_before { Program::compile_for_new } else { Program::compile };
            match compile(source) {
                Ok(program) => {
                    let message = text(entry, "message").map(str::to_owned);
                    rules.push(Expression { program, message });
                }
                Err(error) => self.catalog.unchecked.push(UncheckedRule {
                    rule: source.trim().to_owned(),
                    error,
                    origin: rule.origin,
                }),
            }
        }
        rules
    }

    fn add_fields(&mut self, map: &Map, all_of: &[Node], mode: Mode, shape: &mut Shape) {
        let properties = map.get_str("properties").and_then(Node::as_map);
        if let Some(properties) = properties {
            let fields = properties.items().iter().map(|it| {
                let field = self.schema(&it.node, mode.below());
                MapItem::new(it.key.clone(), number(field), Origin::Unknown)
            });
            shape.fields = Some(Map::new(fields.collect(), Origin::Unknown));
        }
        let is_open = is_on(map, "x-kubernetes-preserve-unknown-fields")
            || is_on(map, "x-kubernetes-embedded-resource")
            || map.get_str("patternProperties").is_some();
        let is_map = shape.types.is_some_and(|it| it.has(Types::MAP));
        shape.others = match (map.get_str("additionalProperties"), mode) {
            _ if is_open => Others::Anything,
            (Some(Node::Bool(false)), _) => Others::Nothing,
            (Some(others @ Node::Map(_)), _) => Others::Of(self.schema(others, mode.below())),
            (None, Mode::Custom) if is_map && properties.is_none() && all_of.is_empty() => {
                Others::Nothing
            }
            (None, Mode::Custom | Mode::Strict) if properties.is_some() => Others::Nothing,
            _ => Others::Anything,
        };
        if shape.others == Others::Nothing && !all_of.is_empty() {
            self.add_fields_of(all_of, shape);
        }
    }

    /// Lets the fields of further schemas be; these say themselves what is in them.
    fn add_fields_of(&mut self, parts: &[Node], shape: &mut Shape) {
        let anything = self.add(Shape::default());
        for part in parts {
            let target = self.followed(part).map(|it| it.node);
            let properties = target.as_ref().and_then(|it| it.as_map()?.get_str("properties"));
            let properties = properties.and_then(Node::as_map);
            let Some(properties) = properties else {
                shape.others = Others::Anything;
                return;
            };
            let fields = shape.fields.get_or_insert_default();
            for item in properties.items() {
                if fields.position(&item.key).is_none() {
                    fields.push(MapItem::new(item.key.clone(), number(anything), Origin::Unknown));
                }
            }
        }
    }
}

impl Mode {
    /// How what is in a schema is read.
    fn below(self) -> Self {
        match self {
            Self::Strict | Self::Partial => Self::Strict,
            Self::Custom => Self::Custom,
        }
    }
}

/// A number as a node: fields are kept in a map of nodes, which finds its keys by hash.
fn number(shape: ShapeId) -> Node {
    Node::uint(shape as u64)
}
