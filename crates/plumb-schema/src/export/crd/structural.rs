//! Exports a field as a node of a structural schema.

use plumb_diagnostic::Diagnostic;
use plumb_jsonschema::{Dialect, Entries, Expressed, Keyword, array, map, schema, type_name};
use plumb_source::message::plain;
use plumb_source::{Message, message};
use plumb_validation::{ValueKind, Work};
use plumb_value::{Map, Node, NodeKind};

use super::super::base::{breaks_no_rule, is_described_by_keys, is_valid};
use super::super::json_schema::{is_filled_in, property_name};
use super::super::{can_pay, declared_keys, description, keywords_of, subject};
use super::NOT_IN_CRD;
use crate::field::{Field, MapType, Presence, Type};
use crate::trail::Trail;

pub(super) const DIALECT: Dialect = Dialect::Kubernetes;
pub(super) const OPEN: Keyword = Keyword::PreserveUnknownFields;
pub(super) const INT_OR_STRING: Keyword = Keyword::IntOrString;

/// An exported field.
pub(super) struct Exported {
    pub(super) node: Node,
    /// Whether the value that is used if none is given is valid, as far as the schema can express
    /// this.
    pub(super) is_base_valid: bool,
}

/// Exports fields, and collects the parts that cannot be expressed.
pub(super) struct Exporter<'w> {
    pub(super) warnings: Vec<Diagnostic>,
    pub(super) work: &'w Work<'w>,
}

/// Whether a field is filled in, which determines what can be expressed about it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldPresence {
    /// A key that is filled in: its default is exported.
    Filled,
    /// A key or item that exists only if it is given. The values inside it are filled in.
    Given,
    /// Inside an alternative that a value may not satisfy: nothing is filled in.
    Alternative,
}

impl FieldPresence {
    fn below(self, presence: Presence) -> Self {
        match (self, presence) {
            (Self::Alternative, _) => Self::Alternative,
            (Self::Filled | Self::Given, Presence::Always) => Self::Filled,
            (Self::Filled | Self::Given, Presence::WhenGiven | Presence::Required) => Self::Given,
        }
    }
}

/// A field to export, and where it is.
#[derive(Clone, Copy)]
pub(super) struct Site<'a> {
    pub(super) trail: &'a Trail<'a>,
    pub(super) field: &'a Field,
    /// The value that given values are merged into, if there is one.
    pub(super) base: Option<&'a Node>,
    pub(super) presence: FieldPresence,
}

impl<'w> Exporter<'w> {
    pub(super) fn new(work: &'w Work<'w>) -> Self {
        Self { warnings: Vec::new(), work }
    }

    pub(super) fn field(&mut self, field: &Field, base: Option<&Node>) -> Exported {
        self.at(Site { trail: &Trail::Root, field, base, presence: FieldPresence::Filled })
    }

    pub(super) fn at(&mut self, site: Site<'_>) -> Exported {
        let Site { trail, field, base, presence } = site;
        if !can_pay(field, self.work) {
            return Exported { node: map([]), is_base_valid: true };
        }
        let mut keywords = keywords_of(field, DIALECT);
        if presence == FieldPresence::Alternative && is_filled_in(field, base) {
            let keys = declared_keys(field);
            keywords.take_back_min_properties(&field.validations, subject(field, &keys));
        }
        let mut entries = Entries::new();
        entries.add_unless_empty(Keyword::Title, &field.docs.title);
        entries.add_unless_empty(Keyword::Description, &with_deprecation(field, &keywords));
        let is_nullable = field.is_nullable || matches!(field.ty, Type::Any);
        let mut enums = Vec::new();
        if is_nullable && !keywords.forbids_null {
            entries.add(Keyword::Nullable, true);
            enums = take_enums(&mut keywords);
        }
        let default = base.unwrap_or(&field.default);
        let mut are_keys_valid = None;
        match &field.ty {
            Type::Scalar(scalar) => entries.add(Keyword::Type, type_name(scalar.kind())),
            Type::Kinds(kinds) => self.add_kinds(trail, field, kinds, &mut entries),
            Type::Any => entries.add(OPEN, true),
            Type::Choice(choice) => self.add_choice(site, choice, &mut entries),
            Type::Array(ty) => {
                let trail = &Trail::Index(trail, 0);
                let presence = presence.below(Presence::WhenGiven);
                let item = self.at(Site { trail, field: &ty.item, base: None, presence });
                entries.add(Keyword::Type, "array");
                entries.add(Keyword::Items, item.node);
            }
            Type::Map(ty) => {
                let are_valid = self.add_properties(site, ty, &mut entries);
                if base.is_some_and(|it| it.as_map().is_some()) || is_described_by_keys(field) {
                    are_keys_valid = Some(are_valid);
                }
            }
        }
        self.add_rules(trail, field, &mut keywords, &mut entries);
        if !enums.is_empty() {
            entries.add_to(Keyword::AllOf, enums);
        }
        if let Some(example) = field.docs.examples.first() {
            entries.add(Keyword::Example, example.value.clone());
        }
        let is_base_valid = match are_keys_valid {
            Some(are_valid) => are_valid && breaks_no_rule(field, default),
            None => is_valid(field, default, self.work),
        };
        let is_base_valid = is_base_valid && self.takes_default(trail, field, default, presence);
        if presence == FieldPresence::Filled && is_base_valid && !default.is_null() {
            self.check_default(trail, field, default);
            let is_described = field.validations.is_empty() && is_described(field, base);
            if is_described {
                entries.add(Keyword::Default, map([]));
            } else if !field.has_secret {
                entries.add(Keyword::Default, default.clone());
            }
        }
        Exported { node: entries.into_schema(DIALECT), is_base_valid }
    }

    /// Exports rules as keywords, and warns about rules that only Plumb checks.
    fn add_rules(
        &mut self,
        trail: &Trail<'_>,
        field: &Field,
        keywords: &mut Expressed,
        entries: &mut Entries,
    ) {
        for description in std::mem::take(&mut keywords.unexpressed) {
            self.warn(trail, field, message!("the rule `{}`", plain(description)));
        }
        for name in std::mem::take(&mut keywords.loose_formats) {
            let how = "is checked by an API server's own rules, which differ";
            self.warn_that(trail, field, message!("the format {name}"), how);
        }
        if keywords.has_wide_limit {
            let how = "is beyond the integers of an API server";
            self.warn_that(trail, field, "a limit", how);
        }
        entries.add_rules(keywords);
    }

    /// Returns whether an API server accepts a default that is valid in Plumb. Warns if it does
    /// not: its integers have 64 bits and a sign.
    fn takes_default(
        &mut self,
        trail: &Trail<'_>,
        field: &Field,
        default: &Node,
        place: FieldPresence,
    ) -> bool {
        let has_integers = match &field.ty {
            Type::Scalar(scalar) => scalar.kind() == NodeKind::Integer,
            Type::Kinds(kinds) => !kinds.contains(&NodeKind::Float),
            Type::Array(_) | Type::Choice(_) => true,
            // The keys are checked one by one.
            Type::Map(ty) => ty.any_key().is_some(),
            Type::Any => false,
        };
        let is_taken = !has_integers || !has_wide_integer(default, self.work);
        if !is_taken && place == FieldPresence::Filled {
            let how = "has an integer beyond those of an API server, which requires a value";
            self.warn_that(trail, field, "the default", how);
        }
        is_taken
    }

    /// Warns that given keys replace a default, while Plumb merges them into it: an API server
    /// merges only declared keys.
    fn check_default(&mut self, trail: &Trail<'_>, field: &Field, default: &Node) {
        let has_any_keys = match &field.ty {
            Type::Any => true,
            Type::Kinds(kinds) => kinds.contains(&NodeKind::Map),
            Type::Scalar(_) | Type::Map(_) | Type::Array(_) | Type::Choice(_) => false,
        };
        if has_any_keys && default.as_map().is_some_and(|it| !it.is_empty()) {
            let how = "is replaced by given keys; Plumb merges them into it";
            self.warn_that(trail, field, "the default", how);
        }
    }

    pub(super) fn warn(&mut self, trail: &Trail<'_>, field: &Field, what: impl Into<Message>) {
        self.warn_that(trail, field, what, "is not checked by an API server");
    }

    fn warn_that(
        &mut self,
        trail: &Trail<'_>,
        field: &Field,
        what: impl Into<Message>,
        how: &'static str,
    ) {
        let what = what.into();
        let message = match trail {
            Trail::Root => message!("{what} {how}"),
            _ => message!("{what} of `{}` {how}", plain(trail.path())),
        };
        let mut warning = Diagnostic::warning(NOT_IN_CRD, message);
        let rule = field.validations.iter().find_map(|it| it.span);
        if let Some(span) = rule.or_else(|| field.origin.span()) {
            warning = warning.label(span, "declared here");
        }
        self.warnings.push(warning);
    }

    fn add_kinds(
        &mut self,
        trail: &Trail<'_>,
        field: &Field,
        kinds: &[NodeKind],
        entries: &mut Entries,
    ) {
        match kinds {
            [NodeKind::Map] => {
                entries.add(Keyword::Type, "object");
                entries.add(OPEN, true);
            }
            [only] => entries.add(Keyword::Type, type_name(*only)),
            [NodeKind::Integer, NodeKind::Float] | [NodeKind::Float, NodeKind::Integer] => {
                entries.add(Keyword::Type, "number");
            }
            kinds if ValueKind::of(kinds) == ValueKind::IntegerOrString => {
                entries.add(INT_OR_STRING, true);
            }
            _ => {
                entries.add(OPEN, true);
                self.warn(trail, field, "the type");
            }
        }
    }

    /// Adds the keys of a map. Returns whether the map is valid if no key is given.
    fn add_properties(&mut self, site: Site<'_>, ty: &MapType, entries: &mut Entries) -> bool {
        let trail = site.trail;
        let base = site.base.and_then(Node::as_map);
        entries.add(Keyword::Type, "object");
        let mut properties = Vec::with_capacity(ty.fields().len());
        let mut required = Vec::new();
        for ((key, field), presence) in ty.entries().zip(ty.presence()) {
            let below = base.and_then(|map| map.get(key)).map(|item| &item.node);
            let presence = if below.is_some() { Presence::Always } else { *presence };
            let inner = site.presence.below(presence);
            let trail = &Trail::Key(trail, key);
            let exported = self.at(Site { trail, field, base: below, presence: inner });
            let name = property_name(key);
            let is_required = match presence {
                Presence::Always => !exported.is_base_valid,
                Presence::WhenGiven => false,
                Presence::Required => true,
            };
            if is_required {
                required.push(Node::from(name.as_str()));
            }
            // Which alternative the default satisfies may depend on rules that are functions.
            if is_required && presence == Presence::Always && matches!(field.ty, Type::Choice(_)) {
                let how = "is not known to an API server, which requires a value";
                self.warn_that(trail, field, "the default", how);
            }
            properties.push((name, exported.node));
        }
        let are_all_valid = required.is_empty();
        if !properties.is_empty() {
            let named = properties.iter().map(|(name, node)| (name.as_str(), node.clone()));
            entries.add(Keyword::Properties, map(named));
        }
        match ty.any_key() {
            None => {}
            Some(field) if properties.is_empty() => {
                let key = Node::from("*");
                let presence = site.presence.below(Presence::WhenGiven);
                let trail = &Trail::Key(trail, &key);
                let others = self.at(Site { trail, field, base: None, presence });
                entries.add(Keyword::AdditionalProperties, others.node);
            }
            Some(field) => {
                entries.add(OPEN, true);
                if !matches!(field.ty, Type::Any) || !field.validations.is_empty() {
                    self.warn(trail, field, "the value of additional keys");
                }
            }
        }
        if !are_all_valid {
            entries.add(Keyword::Required, array(required));
        }
        are_all_valid
    }
}

/// Returns whether a value contains an integer that does not fit into 64 bits with a sign.
fn has_wide_integer(value: &Node, work: &Work<'_>) -> bool {
    work.count(1)
        && match value {
            Node::UInt(value) => i64::try_from(*value).is_err(),
            Node::Array(array) => array.items.iter().any(|it| has_wide_integer(&it.node, work)),
            Node::Map(map) => map.items().iter().any(|it| has_wide_integer(&it.node, work)),
            Node::Null | Node::Bool(_) | Node::Int(_) | Node::Float(_) | Node::String(_) => false,
        }
}

/// Takes the values that a nullable field may have besides null. An API server rejects null next to
/// `enum`, even if the list contains null, but not with `enum` in `allOf`.
fn take_enums(keywords: &mut Expressed) -> Vec<Node> {
    let is_enum = |it: &mut (Keyword, Node)| it.0 == Keyword::Enum;
    keywords.keywords.extract_if(.., is_enum).map(|it| schema([it])).collect()
}

/// Returns whether the default of a map consists of the defaults of its keys.
fn is_described(field: &Field, base: Option<&Node>) -> bool {
    let names_all = |map: &Map| match &field.ty {
        Type::Map(ty) => map.items().iter().all(|item| ty.position(&item.key).is_some()),
        _ => false,
    };
    is_described_by_keys(field) || base.and_then(Node::as_map).is_some_and(names_all)
}

fn with_deprecation(field: &Field, keywords: &Expressed) -> String {
    let text = description(field, keywords);
    match field.docs.deprecation.as_deref() {
        None => text,
        Some(notice) => {
            let notice = if notice.is_empty() { "do not use" } else { notice };
            let parts = [text, format!("Deprecated: {notice}")];
            parts.into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join("\n\n")
        }
    }
}
