//! Compiles a JSON Schema of any draft to shapes.
//!
//! Schemas are put in a queue and compiled one after another, so that neither their depth nor their
//! references use up the stack.

use hashbrown::HashMap;
use plumb_source::{Origin, Text};
use plumb_validation::{Choices, Constraint, Multiple};
use plumb_value::{DataPath, Map, Node};

use crate::check::{Checker, check};
use crate::draft::Draft;
use crate::finding::Finding;
use crate::format::TextFormat;
use crate::keyword::{Keyword, Vocabulary};
use crate::pattern::Pattern;
use crate::read::count;
use crate::registry::{Located, Registry, Retrieve, RetrieveError, SchemaError, hides_siblings};
use crate::shape::{Condition, Contains, Dynamic, Manner, Others, Shape, ShapeId, Shapes};
use crate::{Types, meta, uri};

/// A compiled JSON Schema.
#[derive(Debug)]
pub struct Schema {
    shapes: Shapes,
    root: ShapeId,
}

/// The options of [`Schema::compile`].
pub struct Options<'r> {
    /// The URI of the schema: the base of its references.
    pub uri: String,
    /// Loads the documents that references refer to.
    pub retrieve: &'r dyn Retrieve,
    /// Whether `format` is checked in a schema that does not name its draft.
    pub asserts_formats: bool,
}

/// Retrieves no document: for schemas that only refer to themselves and to the drafts.
#[derive(Debug)]
pub struct Nothing;

impl Retrieve for Nothing {
    fn retrieve(&self, uri: &str) -> Result<Node, RetrieveError> {
        Err(RetrieveError::new(format_args!(
            "{uri} is not available: documents are not loaded here"
        )))
    }
}

impl Schema {
    /// Compiles a schema. `$schema` names its draft. The default is 2020-12.
    pub fn compile(schema: &Node, options: &Options<'_>) -> Result<Self, SchemaError> {
        let mut language = Draft::Twenty.language();
        language.asserts_formats |= options.asserts_formats;
        let mut registry = Registry::new(options.retrieve);
        let draft = registry.language_of(schema, language)?.draft;
        let mistakes = meta::compiled(draft).explain(schema);
        if !mistakes.is_empty() {
            return Err(SchemaError::NotValid(mistakes));
        }
        let resource = registry.add_document(&options.uri, schema, language)?;
        Compiler::new(registry).compile(resource)
    }

    /// Returns the meta-schema of a draft.
    pub fn of_draft(draft: Draft) -> Self {
        let document = meta::document(draft.uri()).expect("each draft has a meta-schema");
        let mut registry = Registry::new(&Nothing);
        let resource = registry.add_document(draft.uri(), &document, draft.language());
        let compiled = resource.and_then(|it| Compiler::new(registry).compile(it));
        compiled.expect("the meta-schemas are valid")
    }

    /// Returns the meta-schema that a document names as its `$schema`, or `None` if it is not the
    /// meta-schema of a draft.
    pub fn named_by(document: &Node) -> Option<&'static Self> {
        let uri = Keyword::SchemaUri.within(document)?.as_str()?;
        Draft::of_uri(uri).map(meta::compiled)
    }

    /// Returns what is wrong with a value; empty if it is valid.
    pub fn check(&self, value: &Node, origin: Origin) -> Vec<Finding> {
        check(&self.shapes, self.root, value, origin, DataPath::root())
    }

    /// Returns what is wrong with a value. If no alternative matches, the findings of the nearest
    /// one are reported.
    fn explain(&self, value: &Node) -> Vec<Finding> {
        let mut checker = Checker::new(&self.shapes, value, DataPath::root());
        checker.manner = Manner::Explained;
        checker.run(self.root, Origin::Unknown)
    }
}

struct Compiler<'r> {
    registry: Registry<'r>,
    shapes: Shapes,
    /// Shapes by the address of their schema and its resource.
    known: HashMap<(usize, usize), ShapeId>,
    queue: Vec<(Located, ShapeId)>,
    anything: ShapeId,
    nothing: ShapeId,
    has_dynamic: bool,
}

impl<'r> Compiler<'r> {
    fn new(registry: Registry<'r>) -> Self {
        let mut shapes = Shapes::new(Manner::JsonSchema);
        let anything = shapes.add(Shape::default());
        let nothing = shapes.add(Shape::of_types(Types::NONE));
        let (known, queue) = (HashMap::new(), Vec::new());
        Self { registry, shapes, known, queue, anything, nothing, has_dynamic: false }
    }

    fn compile(mut self, resource: usize) -> Result<Schema, SchemaError> {
        let node = self.registry.resources[resource].root.clone();
        let root = self.schema(&node, resource);
        loop {
            while let Some((located, id)) = self.queue.pop() {
                let mut shape = self.shape(&located)?;
                shape.resource = u32::try_from(located.resource).expect("resources are few");
                *self.shapes.get_mut(id) = shape;
            }
            if !self.has_dynamic || !self.add_dynamic_targets() {
                break;
            }
        }
        Ok(Schema { shapes: self.shapes, root })
    }

    /// Compiles the possible targets of dynamic references. Returns whether any of them is new.
    fn add_dynamic_targets(&mut self) -> bool {
        let resources = self.registry.resources.iter().enumerate();
        let targets: Vec<(usize, String, Node)> = resources
            .flat_map(|(at, it)| it.dynamic.iter().map(move |(name, node)| (at, name, node)))
            .map(|(at, name, node)| (at, name.clone(), node.clone()))
            .collect();
        let mut is_new = false;
        for (resource, name, node) in targets {
            let key = (u32::try_from(resource).expect("resources are few"), name);
            if !self.shapes.dynamic.contains_key(&key) {
                let target = self.schema(&node, resource);
                self.shapes.dynamic.insert(key, target);
                is_new = true;
            }
        }
        is_new
    }

    fn schema(&mut self, node: &Node, resource: usize) -> ShapeId {
        let Some(address) = node.as_map().and_then(|_| node.address()) else {
            return if matches!(node, Node::Bool(false)) { self.nothing } else { self.anything };
        };
        let resource = self.registry.resource_at(node).unwrap_or(resource);
        if let Some(known) = self.known.get(&(address, resource)) {
            return *known;
        }
        let id = self.shapes.add(Shape::default());
        self.known.insert((address, resource), id);
        self.queue.push((Located { node: node.clone(), resource }, id));
        id
    }

    fn target(&mut self, reference: &str, from: usize) -> Result<ShapeId, SchemaError> {
        let Located { node, resource } = self.registry.resolve(reference, from)?;
        Ok(self.schema(&node, resource))
    }

    fn shape(&mut self, located: &Located) -> Result<Shape, SchemaError> {
        let Located { node, resource } = located;
        let Some(map) = node.as_map() else {
            return Ok(Shape::default());
        };
        let language = self.registry.resources[*resource].language;
        if hides_siblings(map, language.draft) {
            let reference = Keyword::Ref.text(map).unwrap_or_default();
            let all_of = vec![self.target(reference, *resource)?];
            return Ok(Shape { all_of, ..Shape::default() });
        }
        let mut reading = Reading {
            compiler: self,
            resource: *resource,
            schema: map,
            draft: language.draft,
            shape: Shape::default(),
        };
        for item in map.items() {
            let Some(keyword) = item.key.as_str().and_then(Keyword::of_name) else {
                continue;
            };
            let is_known = keyword.drafts().has(language.draft)
                // Later drafts still have it, for compatibility with earlier ones.
                || keyword == Keyword::Dependencies;
            let is_meant = match keyword.vocabulary() {
                Vocabulary::Validation => language.has_validation,
                Vocabulary::Format => language.asserts_formats,
                _ => true,
            };
            if is_known && is_meant {
                reading.keyword(keyword, &item.node)?;
            }
        }
        Ok(reading.shape)
    }
}

/// One schema that is being compiled.
struct Reading<'c, 'r, 'm> {
    compiler: &'c mut Compiler<'r>,
    resource: usize,
    schema: &'m Map,
    draft: Draft,
    shape: Shape,
}

impl Reading<'_, '_, '_> {
    fn keyword(&mut self, keyword: Keyword, value: &Node) -> Result<(), SchemaError> {
        match keyword {
            Keyword::Ref => {
                if let Some(reference) = value.as_str() {
                    let target = self.compiler.target(reference, self.resource)?;
                    self.shape.all_of.push(target);
                }
            }
            Keyword::DynamicRef => self.dynamic_reference(value.as_str().unwrap_or_default())?,
            Keyword::RecursiveRef => self.recursive_reference()?,
            Keyword::AllOf => {
                let parts = self.schemas(value);
                self.shape.all_of.extend(parts);
            }
            Keyword::AnyOf => self.shape.any_of = self.schemas(value),
            Keyword::OneOf => self.shape.one_of = self.schemas(value),
            Keyword::Not => self.shape.not = Some(self.below(value)),
            Keyword::If => self.condition(value),
            Keyword::Type => {
                self.shape.types = Types::of(value).map(|it| match self.draft {
                    Draft::Four => it.exact(),
                    _ => it,
                });
            }
            Keyword::Required => {
                let names = Keyword::Required.texts(self.schema);
                self.shape.required = names.map(Text::from).collect();
            }
            Keyword::PrefixItems
            | Keyword::Items
            | Keyword::AdditionalItems
            | Keyword::Contains
            | Keyword::UnevaluatedItems => self.items(keyword, value),
            Keyword::Properties
            | Keyword::PatternProperties
            | Keyword::AdditionalProperties
            | Keyword::PropertyNames
            | Keyword::Dependencies
            | Keyword::DependentSchemas
            | Keyword::DependentRequired
            | Keyword::UnevaluatedProperties => self.properties(keyword, value)?,
            Keyword::Pattern => {
                self.shape.pattern = value.as_str().map(pattern).transpose()?;
            }
            Keyword::Format => {
                if let Some(format) = value.as_str().and_then(TextFormat::of_name) {
                    self.shape.rare().format = Some(format);
                }
            }
            _ => {
                let rule = rule(keyword, value, self.schema, self.draft);
                self.shape.rules.extend(rule.map(|it| (keyword, it)));
            }
        }
        Ok(())
    }

    fn below(&mut self, schema: &Node) -> ShapeId {
        self.compiler.schema(schema, self.resource)
    }

    fn schemas(&mut self, value: &Node) -> Vec<ShapeId> {
        let parts = value.as_array().map(|it| it.items.as_slice()).unwrap_or_default();
        parts.iter().map(|it| self.below(&it.node)).collect()
    }

    fn dynamic_reference(&mut self, reference: &str) -> Result<(), SchemaError> {
        let located = self.compiler.registry.resolve(reference, self.resource)?;
        let target = self.compiler.schema(&located.node, located.resource);
        let anchor = uri::split(reference).1.unwrap_or_default();
        let own = Keyword::DynamicAnchor.within(&located.node).and_then(Node::as_str);
        if own == Some(anchor) {
            self.add_dynamic(anchor, target);
        } else {
            self.shape.all_of.push(target);
        }
        Ok(())
    }

    fn recursive_reference(&mut self) -> Result<(), SchemaError> {
        let located = self.compiler.registry.resolve("#", self.resource)?;
        let target = self.compiler.schema(&located.node, located.resource);
        let is_recursive =
            located.node.as_map().is_some_and(|it| Keyword::RecursiveAnchor.is_on(it));
        if is_recursive {
            self.add_dynamic("", target);
        } else {
            self.shape.all_of.push(target);
        }
        Ok(())
    }

    fn add_dynamic(&mut self, anchor: &str, target: ShapeId) {
        self.compiler.has_dynamic = true;
        self.shape.rare().dynamic.push(Dynamic { anchor: anchor.to_owned(), target });
    }

    fn condition(&mut self, value: &Node) {
        let test = self.below(value);
        let schema = self.schema;
        let then = Keyword::Then.of(schema).map(|it| self.below(it));
        let otherwise = Keyword::Else.of(schema).map(|it| self.below(it));
        self.shape.rare().condition = Some(Condition { test, then, otherwise });
    }

    fn items(&mut self, keyword: Keyword, value: &Node) {
        match (keyword, value) {
            (Keyword::PrefixItems, _) | (Keyword::Items, Node::Array(_)) => {
                let first = self.schemas(value);
                self.shape.rare().first_items = first;
            }
            (Keyword::Items, _) => self.shape.items = Some(self.below(value)),
            (Keyword::AdditionalItems, _) => {
                // Without a list of first items, the keyword has no effect.
                if matches!(Keyword::Items.of(self.schema), Some(Node::Array(_))) {
                    self.shape.items = Some(self.below(value));
                }
            }
            (Keyword::Contains, _) => {
                let shape = self.below(value);
                let bound =
                    |it: Keyword| it.count(self.schema).filter(|_| it.drafts().has(self.draft));
                let least = bound(Keyword::MinContains).unwrap_or(1);
                let most = bound(Keyword::MaxContains);
                let evaluates = self.draft >= Draft::Twenty;
                self.shape.rare().contains = Some(Contains { shape, least, most, evaluates });
            }
            _ => {
                let others = self.below(value);
                self.shape.rare().unevaluated_items = Some(others);
            }
        }
    }

    fn properties(&mut self, keyword: Keyword, value: &Node) -> Result<(), SchemaError> {
        let entries = value.as_map().map(Map::items).unwrap_or_default();
        match keyword {
            Keyword::Properties => {
                for entry in entries {
                    if let Node::String(key) = &entry.key {
                        let field = self.below(&entry.node);
                        self.shape.fields.set(key, field);
                    }
                }
            }
            Keyword::PatternProperties => {
                for entry in entries {
                    let pattern = pattern(entry.key.as_str().unwrap_or_default())?;
                    let field = self.below(&entry.node);
                    self.shape.rare().patterns.push((pattern, field));
                }
            }
            Keyword::AdditionalProperties => {
                self.shape.others = match value {
                    Node::Bool(false) => Others::Nothing,
                    _ => Others::Of(self.below(value)),
                };
            }
            Keyword::PropertyNames => {
                let names = self.below(value);
                self.shape.rare().names = Some(names);
            }
            Keyword::UnevaluatedProperties => {
                let others = self.below(value);
                self.shape.rare().unevaluated_properties = Some(others);
            }
            _ => {
                for entry in entries {
                    let Node::String(key) = &entry.key else {
                        continue;
                    };
                    if let Node::Array(names) = &entry.node {
                        let names = names.items.iter().filter_map(|it| it.node.as_str());
                        let names = names.map(Text::from).collect();
                        self.shape.rare().dependent_required.push((key.clone(), names));
                    } else {
                        let shape = self.below(&entry.node);
                        self.shape.rare().dependent.push((key.clone(), shape));
                    }
                }
            }
        }
        Ok(())
    }
}

fn pattern(source: &str) -> Result<Pattern, SchemaError> {
    let not_one = || SchemaError::NotAPattern { pattern: source.to_owned() };
    Pattern::ecma(source).ok_or_else(not_one)
}

/// Returns the rule about the value itself that a keyword declares.
fn rule(keyword: Keyword, value: &Node, schema: &Map, draft: Draft) -> Option<Constraint> {
    let is_exclusive = |keyword: Keyword| draft == Draft::Four && keyword.is_on(schema);
    let length = || count(value).map(i128::from);
    let is_number = matches!(value, Node::Int(_) | Node::UInt(_) | Node::Float(_));
    match keyword {
        Keyword::MinLength | Keyword::MinItems | Keyword::MinProperties => {
            length().map(Constraint::MinLen)
        }
        Keyword::MaxLength | Keyword::MaxItems | Keyword::MaxProperties => {
            length().map(Constraint::MaxLen)
        }
        Keyword::Minimum if is_exclusive(Keyword::ExclusiveMinimum) => {
            Some(Constraint::GreaterThan(value.clone()))
        }
        Keyword::Maximum if is_exclusive(Keyword::ExclusiveMaximum) => {
            Some(Constraint::LessThan(value.clone()))
        }
        Keyword::Minimum if is_number => Some(Constraint::Min(value.clone())),
        Keyword::Maximum if is_number => Some(Constraint::Max(value.clone())),
        Keyword::ExclusiveMinimum if is_number => Some(Constraint::GreaterThan(value.clone())),
        Keyword::ExclusiveMaximum if is_number => Some(Constraint::LessThan(value.clone())),
        Keyword::MultipleOf => Multiple::new(value).map(Constraint::MultipleOf),
        Keyword::UniqueItems => matches!(value, Node::Bool(true)).then_some(Constraint::Unique),
        Keyword::Enum => {
            let values = value.as_array()?.items.iter().map(|it| it.node.clone());
            Some(Constraint::OneOf(choices(values.collect())))
        }
        Keyword::Const => Some(Constraint::OneOf(choices(vec![value.clone()]))),
        _ => None,
    }
}

/// The values of an `enum`, together with their text for messages.
pub fn choices(values: Vec<Node>) -> Choices {
    let shown: Vec<String> = values.iter().map(Node::repr).collect();
    Choices { shown: format!("[{}]", shown.join(", ")), values }
}
