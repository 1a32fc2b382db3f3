//! Compiles a schema document into shapes.

use std::sync::Arc;

use plumb_cel::{Declared, Program};
use plumb_jsonschema::{Expression, Keyword, Others, Pattern, Shape, ShapeId, Types, declared};
use plumb_source::Text;
use plumb_value::{Map, Node};

use crate::catalog::{Catalog, UncheckedRule};
use crate::keyword::{quantity, rules, types, unchecked_keywords, unique, width};

/// The longest chain of references to references.
const MAX_REFERENCES: usize = 64;

/// How a schema is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mode {
    /// A map with declared fields has no other fields.
    Strict,
    /// For a custom resource: a map without declared fields has no fields at all.
    Custom,
    /// One of several schemas of a value: the others may declare further fields.
    Partial,
    /// The same in `allOf` of a custom resource: its rules apply, and it declares no fields.
    CustomPart,
    /// The same in an alternative of a custom resource: an API server ignores its rules.
    CustomAlternative,
}

pub(crate) struct Compiler<'c> {
    catalog: &'c mut Catalog,
    /// The node that references are looked up in.
    root: Node,
    /// What a custom resource declares about the value, if a schema above has rules.
    known: Option<Arc<Declared>>,
}

/// The target of a reference.
struct Followed {
    node: Node,
    /// The document that contains it.
    root: Node,
    /// Whether it is the schema of quantities, which API servers check more strictly than it says.
    is_quantity: bool,
}

impl<'c> Compiler<'c> {
    pub(crate) fn new(catalog: &'c mut Catalog, root: Node) -> Self {
        Self { catalog, root, known: None }
    }

    pub(crate) fn schema(&mut self, node: &Node, mode: Mode) -> ShapeId {
        let is_reference = Keyword::Ref.within(node).is_some();
        if is_reference && mode == Mode::Custom {
            // An API server rejects a custom resource with references.
            return self.add(Shape::default());
        }
        let Some(Followed { node: target, root, is_quantity }) = self.followed(node) else {
            return self.add(Shape::default());
        };
        let Node::Map(map) = &target else {
            let is_nothing = matches!(target, Node::Bool(false));
            let nothing = || Shape::of_types(Types::NONE);
            return self.add(if is_nothing { nothing() } else { Shape::default() });
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
        *self.catalog.shapes.get_mut(shape) = compiled;
        shape
    }

    /// A custom resource: the fields of all resources are added before its own.
    pub(crate) fn custom_resource(&mut self, node: &Node) -> ShapeId {
        let id = self.schema(node, Mode::Custom);
        let text = self.add(Shape::of_types(Types::STRING));
        let meta = self.object_meta();
        let fields = &mut self.catalog.shapes.get_mut(id).fields;
        for (name, shape) in [("apiVersion", text), ("kind", text), ("metadata", meta)] {
            fields.set(&name.into(), shape);
        }
        id
    }

    /// The shape of the metadata of resources, from the built-in file.
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
        self.catalog.shapes.add(shape)
    }

    /// The schema itself, or the target of its reference. Returns `None` if the target does not
    /// exist.
    fn followed(&self, node: &Node) -> Option<Followed> {
        let (mut node, mut root) = (node.clone(), self.root.clone());
        let mut is_quantity = false;
        for _ in 0..MAX_REFERENCES {
            let reference = Keyword::Ref.within(&node).and_then(Node::as_str);
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
        let all_of = nodes(map, Keyword::AllOf);
        // If several schemas apply together, none of them declares all fields.
        let is_alone = all_of.len() <= 1 && !Keyword::Properties.is_in(map);
        let (of_parts, alternative) = match mode {
            Mode::Strict | Mode::Partial if is_alone => (mode, Mode::Partial),
            Mode::Strict | Mode::Partial => (Mode::Partial, Mode::Partial),
            Mode::Custom | Mode::CustomPart => (Mode::CustomPart, Mode::CustomAlternative),
            Mode::CustomAlternative => (mode, mode),
        };
        if matches!(mode, Mode::Custom | Mode::CustomPart)
            && self.known.is_none()
            && Keyword::CelRules.is_in(map)
        {
            self.known = declared(&Node::map(map.clone())).map(Arc::new);
        }
        let mut shape = Shape::default();
        shape.types = types(map);
        shape.is_nullable = Keyword::Nullable.is_on(map);
        shape.rules = rules(map);
        shape.pattern = Keyword::Pattern.text(map).and_then(Pattern::re2);
        shape.width = width(map);
        shape.required = Keyword::Required.texts(map).map(Text::from).collect();
        shape.unique = unique(map);
        shape.all_of = self.all(&all_of, of_parts);
        shape.any_of = self.all(&nodes(map, Keyword::AnyOf), alternative);
        shape.one_of = self.all(&nodes(map, Keyword::OneOf), alternative);
        shape.not = Keyword::Not.of(map).map(|it| self.schema(it, alternative));
        shape.items = match Keyword::Items.of(map) {
            Some(items @ Node::Map(_)) => {
                let item = self.known.as_ref().and_then(Declared::item);
                Some(self.schema_below(items, mode.below(), item))
            }
            _ => None,
        };
        if mode == Mode::Custom {
            shape.default = Keyword::Default.of(map).cloned();
            shape.is_fraction = shape.types == Some(Types::NUMBER);
        }
        if matches!(mode, Mode::Custom | Mode::CustomPart) {
            shape.expressions = self.expressions(map);
        }
        if mode == Mode::Custom {
            self.catalog.unchecked.extend(unchecked_keywords(map));
        }
        self.add_fields(map, &all_of, mode, &mut shape);
        shape
    }

    /// Compiles the schema of a part of the value. `known` is what is declared about that part.
    fn schema_below(&mut self, node: &Node, mode: Mode, known: Option<Arc<Declared>>) -> ShapeId {
        let here = std::mem::replace(&mut self.known, known);
        let shape = self.schema(node, mode);
        self.known = here;
        shape
    }

    fn all(&mut self, parts: &[Node], mode: Mode) -> Vec<ShapeId> {
        parts.iter().map(|it| self.schema(it, mode)).collect()
    }

    /// The CEL rules that can be checked. The others are recorded as unchecked.
    fn expressions(&mut self, map: &Map) -> Vec<Expression> {
        let entries = Keyword::CelRules.items(map).iter();
        let mut rules = Vec::new();
        for entry in entries.filter_map(|it| it.node.as_map()) {
            let Some(rule) = entry.get(&"rule".into()) else {
                continue;
            };
            let source = rule.node.as_str().unwrap_or_default();
            let knows_before = matches!(entry.get_str("optionalOldSelf"), Some(Node::Bool(true)));
            let compile = if knows_before { Program::compile_for_new } else { Program::compile };
            match compile(source) {
                Ok(program) => {
                    let text = |key: &str| entry.get_str(key).and_then(Node::as_str);
                    let message = text("message").map(str::to_owned);
                    let message_program = text("messageExpression").map(compile);
                    rules.push(Expression {
                        program,
                        message,
                        message_program: message_program.and_then(Result::ok),
                        declared: self.known.clone(),
                    });
                }
                Err(error) => {
                    let (why, help) = if error.is_about_change {
                        ("it is a rule about changes".to_owned(), None)
                    } else {
                        (error.message, error.help)
                    };
                    let (rule, origin) = (source.trim().to_owned(), rule.origin);
                    self.catalog.unchecked.push(UncheckedRule { rule, why, help, origin });
                }
            }
        }
        rules
    }

    fn add_fields(&mut self, map: &Map, all_of: &[Node], mode: Mode, shape: &mut Shape) {
        let properties = Keyword::Properties.map(map);
        if let Some(properties) = properties {
            for item in properties.items() {
                if let Node::String(key) = &item.key {
                    let known = self.known.as_ref().and_then(|it| it.field(key.as_str()?));
                    let field = self.schema_below(&item.node, mode.below(), known);
                    shape.fields.set(key, field);
                }
            }
        }
        let is_open = Keyword::PreserveUnknownFields.is_on(map)
            || Keyword::EmbeddedResource.is_on(map)
            || Keyword::PatternProperties.is_in(map);
        let is_map = shape.types.is_some_and(|it| it.has(Types::MAP));
        shape.others = match (Keyword::AdditionalProperties.of(map), mode) {
            _ if is_open => Others::Anything,
            (Some(Node::Bool(false)), _) => Others::Nothing,
            (Some(others @ Node::Map(_)), _) => {
                let value = self.known.as_ref().and_then(Declared::item);
                Others::Of(self.schema_below(others, mode.below(), value))
            }
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

    /// Accepts the fields that further schemas declare; those schemas validate them.
    fn add_fields_of(&mut self, parts: &[Node], shape: &mut Shape) {
        let anything = self.add(Shape::default());
        for part in parts {
            let target = self.followed(part).map(|it| it.node);
            let properties = target.as_ref().and_then(|it| Keyword::Properties.within(it));
            let properties = properties.and_then(Node::as_map);
            let Some(properties) = properties else {
                shape.others = Others::Anything;
                return;
            };
            for item in properties.items() {
                if let Node::String(key) = &item.key
                    && shape.fields.get(key).is_none()
                {
                    shape.fields.set(key, anything);
                }
            }
        }
    }
}

impl Mode {
    /// The mode for the schemas inside a schema.
    fn below(self) -> Self {
        match self {
            Self::Strict | Self::Partial => Self::Strict,
            Self::Custom | Self::CustomPart | Self::CustomAlternative => self,
        }
    }
}

fn nodes(map: &Map, keyword: Keyword) -> Vec<Node> {
    keyword.items(map).iter().map(|it| it.node.clone()).collect()
}
