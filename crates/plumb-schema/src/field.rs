//! The type tree: the valid values at each place of a document.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use plumb_diagnostic::Diagnostic;
use plumb_source::{Origin, Span};
use plumb_validation::{Choice, Declared, Validation, ValueKind, Work};
use plumb_value::{Document, Map, Node, NodeKind};

use crate::all_of;
use crate::conform::fitting;
use crate::export;
use crate::mismatch::DeclaredKeys;

/// The types, rules and defaults of data values.
#[derive(Clone, Debug)]
pub struct Schema {
    root: Arc<Field>,
    /// Whether there is a schema document.
    is_declared: bool,
}

/// The valid values at one place: of a document, of the value of a key, or of an item of an array.
#[derive(Debug)]
pub struct Field {
    /// The type of the value.
    pub ty: Type,
    /// Whether null is valid too.
    pub is_nullable: bool,
    /// The document or item of the schema that declares it.
    pub origin: Origin,
    /// The value if none is given. It fits the type.
    pub default: Node,
    /// The documentation, for exports and warnings.
    pub docs: Docs,
    /// The rules that the final value must satisfy.
    pub validations: Vec<Validation>,
    /// Whether values of the field, or of a field below it, are never shown.
    pub has_secret: bool,
    /// Only for an alternative: the default of the node that it belongs to, if that default does
    /// not fit the alternative. Given values are then checked without that default.
    pub(crate) foreign_default: Option<Node>,
}

/// The type of a value.
#[derive(Debug)]
pub enum Type {
    /// A value without parts.
    Scalar(Scalar),
    /// A map with declared keys.
    Map(Box<MapType>),
    /// An array whose items have one type.
    Array(ArrayType),
    /// A value of one of these kinds, with any content.
    Kinds(Vec<NodeKind>),
    /// Any, all or exactly one of several types.
    Choice(Box<Choice<Field>>),
    /// Any value.
    Any,
}

/// The type of a value that is neither a map nor an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// True or false.
    Boolean,
    /// A whole number.
    Integer,
    /// Integers are accepted too, and are not converted.
    Float,
    /// A string.
    String,
}

/// A map with these keys. Other keys are valid only if there is a type for them.
#[derive(Debug)]
pub struct MapType {
    fields: Vec<Field>,
    /// The default item of each field, in the order of the fields. It is used to find a field by
    /// its key.
    items: Arc<Map>,
    /// The default of the map: the items that always exist.
    default: Arc<Map>,
    presence: Vec<Presence>,
    /// The field for all other keys.
    any_key: Option<Box<Field>>,
    /// The map in the schema that declares the type.
    pub origin: Origin,
    /// The declared keys, for messages; computed when the first key is rejected.
    declared_keys: OnceLock<Arc<DeclaredKeys>>,
}

/// Whether a key exists if it is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It has a default.
    Always,
    /// It exists only if a value is given.
    WhenGiven,
    /// It must be given: it has no default.
    Required,
}

/// An array of any number of items of one type.
#[derive(Debug)]
pub struct ArrayType {
    /// The field of each item.
    pub item: Box<Field>,
    /// The array in the schema that declares the type.
    pub origin: Origin,
}

/// The documentation of a field. Most fields have none, so this is a single pointer.
#[derive(Clone, Debug, Default)]
pub struct Docs(Option<Box<Documentation>>);

/// The documentation of a field.
#[derive(Clone, Debug, Default)]
pub struct Documentation {
    /// The title; empty if there is none.
    pub title: String,
    /// The description; empty if there is none.
    pub description: String,
    /// The examples, in the order of the annotation.
    pub examples: Vec<Example>,
    /// Why the field is deprecated; `None` if it is not.
    pub deprecation: Option<String>,
    /// The title of the section that begins with the field; `None` if none does.
    pub section: Option<String>,
    /// Whether values of the field are never shown.
    pub is_secret: bool,
}

/// An example of a value.
#[derive(Clone, Debug)]
pub struct Example {
    /// A description of the example.
    pub description: String,
    /// The value, which conforms to the type of the field.
    pub value: Node,
    /// The annotation in which it was written.
    pub span: Option<Span>,
}

/// The documentation of a field that has none.
static UNDOCUMENTED: Documentation = Documentation {
    title: String::new(),
    description: String::new(),
    examples: Vec::new(),
    deprecation: None,
    section: None,
    is_secret: false,
};

impl Deref for Docs {
    type Target = Documentation;

    fn deref(&self) -> &Documentation {
        self.0.as_deref().unwrap_or(&UNDOCUMENTED)
    }
}

impl From<Documentation> for Docs {
    fn from(docs: Documentation) -> Self {
        let Documentation { title, description, examples, deprecation, section, is_secret } = &docs;
        let has_texts = !title.is_empty() || !description.is_empty() || !examples.is_empty();
        let is_marked = deprecation.is_some() || section.is_some() || *is_secret;
        Self((has_texts || is_marked).then(|| Box::new(docs)))
    }
}

impl Docs {
    /// Removes all examples.
    pub(crate) fn remove_examples(&mut self) {
        if let Some(docs) = &mut self.0 {
            docs.examples.clear();
        }
    }
}

impl Schema {
    pub(crate) fn new(root: Field) -> Self {
        Self { root: Arc::new(root), is_declared: true }
    }

    /// The schema that is used if no schema is declared: every value is valid.
    pub fn undeclared() -> Self {
        let root = Field {
            ty: Type::Any,
            is_nullable: false,
            origin: Origin::Unknown,
            default: Node::Null,
            docs: Docs::default(),
            validations: Vec::new(),
            has_secret: false,
            foreign_default: None,
        };
        Self { root: Arc::new(root), is_declared: false }
    }

    /// The field of the whole document.
    pub fn root(&self) -> &Field {
        &self.root
    }

    /// Returns a finding for each set of rules that no value can satisfy. ytt finds them only when
    /// it runs the rules on a value.
    pub fn contradictions(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        self.root.visit(&mut |field| {
            let kind = field.ty.value_kind();
            found.extend(field.validations.iter().flat_map(|it| it.contradictions(kind)));
            if let Type::Choice(choice) = &field.ty {
                found.extend(all_of::contradiction(choice));
            }
        });
        found
    }

    /// Returns the data values if nothing is given, or `None` if there is no schema.
    pub fn defaults(&self) -> Option<Document> {
        let origin = as_default(self.root.origin);
        self.is_declared.then(|| Document::new(self.root.default.clone(), origin))
    }
}

impl Field {
    /// Returns whether a predicate is true for this field or one below it.
    pub(crate) fn any(&self, is_so: &impl Fn(&Self) -> bool) -> bool {
        is_so(self)
            || match &self.ty {
                Type::Map(ty) => ty.fields().iter().chain(ty.any_key()).any(|it| it.any(is_so)),
                Type::Array(ty) => ty.item.any(is_so),
                Type::Choice(choice) => choice.alternatives.iter().any(|it| it.any(is_so)),
                Type::Scalar(_) | Type::Kinds(_) | Type::Any => false,
            }
    }

    /// Returns whether a value that conforms to the type also satisfies its rules, except for
    /// functions.
    pub fn is_satisfied_by(&self, value: &Node, work: &Work<'_>) -> bool {
        export::is_valid(self, value, work)
    }

    /// Calls a function for this field and all fields below it.
    fn visit(&self, see: &mut impl FnMut(&Self)) {
        see(self);
        match &self.ty {
            Type::Map(ty) => ty.fields().iter().chain(ty.any_key()).for_each(|it| it.visit(see)),
            Type::Array(ty) => ty.item.visit(see),
            Type::Choice(choice) => choice.alternatives.iter().for_each(|it| it.visit(see)),
            Type::Scalar(_) | Type::Kinds(_) | Type::Any => {}
        }
    }

    /// The place of the type's declaration, which ytt shows after `expected`.
    pub(crate) fn type_origin(&self) -> Origin {
        match &self.ty {
            Type::Map(map) if !self.is_nullable => map.origin,
            Type::Array(array) if !self.is_nullable => array.origin,
            _ => self.origin,
        }
    }

    /// The name of the type in ytt's messages.
    pub(crate) fn type_name(&self) -> Cow<'static, str> {
        match &self.ty {
            Type::Any => "any".into(),
            _ if self.is_nullable => "null".into(),
            ty => ty.name(),
        }
    }
}

impl Type {
    /// The kind that includes all values of the type.
    pub(crate) fn value_kind(&self) -> ValueKind {
        match self {
            Self::Scalar(Scalar::Boolean) => ValueKind::Boolean,
            Self::Scalar(Scalar::Integer) => ValueKind::Integer,
            Self::Scalar(Scalar::Float) => ValueKind::Float,
            Self::Scalar(Scalar::String) => ValueKind::String,
            Self::Map(_) => ValueKind::Map,
            Self::Array(_) => ValueKind::Array,
            Self::Kinds(kinds) if kinds.as_slice() == [NodeKind::Map] => ValueKind::Map,
            Self::Kinds(kinds) if ValueKind::of(kinds) == ValueKind::IntegerOrString => {
                ValueKind::IntegerOrString
            }
            Self::Kinds(_) | Self::Choice(_) | Self::Any => ValueKind::Any,
        }
    }

    pub(crate) fn name(&self) -> Cow<'static, str> {
        match self {
            Self::Scalar(scalar) => scalar.kind().name().into(),
            Self::Map(_) => "map".into(),
            Self::Array(_) => "array".into(),
            // The type of null alone is nullable and has no other kind.
            Self::Kinds(kinds) if kinds.is_empty() => NodeKind::Null.name().into(),
            Self::Kinds(kinds) => {
                let kinds: Vec<&str> = kinds.iter().map(|it| it.name()).collect();
                kinds.join(" or ").into()
            }
            Self::Choice(choice) => {
                let requirement = Choice::requirement(choice.mode, choice.alternatives.len());
                requirement.shown().to_owned().into()
            }
            Self::Any => "any".into(),
        }
    }
}

impl MapType {
    /// `items` contains the default of each field, in order.
    pub(crate) fn new(
        fields: Vec<Field>,
        items: Map,
        presence: Vec<Presence>,
        any_key: Option<Field>,
        origin: Origin,
    ) -> Self {
        debug_assert_eq!(fields.len(), items.len(), "an item for each field");
        let items = Arc::new(items);
        let default = always_there(&items, &presence);
        let any_key = any_key.map(Box::new);
        let declared_keys = OnceLock::new();
        Self { fields, items, default, presence, any_key, origin, declared_keys }
    }

    /// The fields, in the order of the schema.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Calls `change` for each field with its key. It may change their defaults.
    pub(crate) fn change_fields(&mut self, mut change: impl FnMut(&Node, &mut Field)) {
        let mut items = Map::clone(&self.items);
        for (at, field) in self.fields.iter_mut().enumerate() {
            let item = items.item_mut(at);
            change(&item.key, field);
            item.node = field.default.clone();
        }
        self.items = Arc::new(items);
        self.default = always_there(&self.items, &self.presence);
    }

    /// The field for undeclared keys, or `None` if they are not valid.
    pub fn any_key(&self) -> Option<&Field> {
        self.any_key.as_deref()
    }

    /// The key of each field, with its default.
    pub(crate) fn items(&self) -> &Arc<Map> {
        &self.items
    }

    pub(crate) fn default(&self) -> &Arc<Map> {
        &self.default
    }

    /// Whether each field exists if it is not given, in the order of the fields.
    pub fn presence(&self) -> &[Presence] {
        &self.presence
    }

    /// The keys with their fields, in the order of the schema.
    pub fn entries(&self) -> impl Iterator<Item = (&Node, &Field)> {
        self.items.items().iter().map(|item| &item.key).zip(&self.fields)
    }

    /// Returns the field for a key: the one with that name, or the one for all other keys. Returns
    /// `None` if the key is not valid.
    pub(crate) fn field(&self, key: &Node) -> Option<&Field> {
        self.position(key).map(|at| &self.fields[at]).or(self.any_key())
    }

    /// Returns whether a map has all keys that always exist.
    pub(crate) fn is_complete(&self, map: &Map) -> bool {
        let is_closed = self.any_key.is_none() && Arc::ptr_eq(&self.items, &self.default);
        if is_closed {
            return map.len() >= self.fields.len();
        }
        self.default.items().iter().all(|item| map.position(&item.key).is_some())
    }

    /// Returns the required keys that a map lacks, each with its field.
    pub(crate) fn missing<'a>(
        &'a self,
        map: &'a Map,
    ) -> impl Iterator<Item = (&'a Node, &'a Field)> {
        let entries = self.entries().zip(&self.presence);
        let required = entries.filter(|(_, presence)| **presence == Presence::Required);
        required.map(|(entry, _)| entry).filter(|(key, _)| map.position(key).is_none())
    }

    /// Returns whether all keys of a map exist even if they are not given.
    pub(crate) fn brings_all(&self, map: &Map) -> bool {
        map.items().iter().all(|item| self.default.position(&item.key).is_some())
    }

    pub(crate) fn position(&self, key: &Node) -> Option<usize> {
        self.items.position(key)
    }

    pub(crate) fn declared_keys(&self) -> &Arc<DeclaredKeys> {
        self.declared_keys.get_or_init(|| Arc::new(DeclaredKeys::of(self)))
    }
}

impl Declared for Field {
    fn validations(&self) -> &[Validation] {
        &self.validations
    }

    fn entry(&self, key: &Node) -> Option<&Self> {
        match &self.ty {
            Type::Map(map) => map.field(key),
            _ => None,
        }
    }

    fn item(&self) -> Option<&Self> {
        match &self.ty {
            Type::Array(array) => Some(&array.item),
            _ => None,
        }
    }

    fn choice(&self, value: &Node) -> Option<&Choice<Self>> {
        match &self.ty {
            Type::Choice(choice) if !(value.is_null() && self.is_nullable) => Some(choice),
            _ => None,
        }
    }

    fn missing(&self, value: &Node) -> Vec<(Node, Origin)> {
        match (&self.ty, value) {
            (Type::Map(ty), Node::Map(map)) => {
                ty.missing(map).map(|(key, field)| (key.clone(), field.origin)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn is_secret(&self) -> bool {
        self.has_secret
    }

    fn fit(&self, value: &Node, work: &Work<'_>) -> Option<Node> {
        Some(fitting(self, value, work)?.changed.unwrap_or_else(|| value.clone()))
    }
}

/// Returns the items that exist even if they are not given.
fn always_there(items: &Arc<Map>, presence: &[Presence]) -> Arc<Map> {
    if presence.iter().all(|it| *it == Presence::Always) {
        return Arc::clone(items);
    }
    let always = items.items().iter().zip(presence);
    let always = always.filter(|(_, presence)| **presence == Presence::Always);
    let always = always.map(|(item, _)| item.clone()).collect();
    Arc::new(Map::new(always, items.origin))
}

/// Returns the same place, marked as the origin of a default.
pub(crate) fn as_default(origin: Origin) -> Origin {
    origin.span().map_or(Origin::Unknown, Origin::Default)
}

impl Scalar {
    pub(crate) fn kind(self) -> NodeKind {
        match self {
            Self::Boolean => NodeKind::Boolean,
            Self::Integer => NodeKind::Integer,
            Self::Float => NodeKind::Float,
            Self::String => NodeKind::String,
        }
    }
}
