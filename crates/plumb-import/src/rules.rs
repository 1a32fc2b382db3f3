//! Converts keywords and descriptions of rules into the arguments of an annotation.

use plumb_jsonschema::{Dialect, Expressed, Keyword};
use plumb_validation::{
    Assertion, CelImport, CelSubject, Constraint, Rule, Validation, ValueKind, compare,
    is_same_value,
};
use plumb_value::{ArrayItem, Map, Node, NodeKind};

use crate::annotation::{Argument, Expression};
use crate::expressions::Expressions;
use crate::keyword::{has_wide_spaces, is_loose_format, join_lengths};
use crate::literal::{cut, shortened};
use crate::words::{self, Named};

/// Keywords that restrict values.
const RULES: [Keyword; 18] = [
    Keyword::MinLength,
    Keyword::MaxLength,
    Keyword::MinItems,
    Keyword::MaxItems,
    Keyword::MinProperties,
    Keyword::MaxProperties,
    Keyword::Minimum,
    Keyword::Maximum,
    Keyword::ExclusiveMinimum,
    Keyword::ExclusiveMaximum,
    Keyword::MultipleOf,
    Keyword::Enum,
    Keyword::Const,
    Keyword::Pattern,
    Keyword::Format,
    Keyword::Contains,
    Keyword::UniqueItems,
    Keyword::Not,
];

pub(crate) fn is_rule(keyword: &str) -> bool {
    Keyword::of_name(keyword).is_some_and(|it| RULES.contains(&it))
}

/// Whether a part of an `allOf` has only rules, and no type.
pub(crate) fn has_rules_alone(part: &ArrayItem) -> bool {
    part.node.as_map().is_some_and(are_rules)
}

/// Whether a schema has only rules.
pub(crate) fn are_rules(schema: &Map) -> bool {
    schema.items().iter().all(|it| it.key.as_str().is_some_and(is_rule))
}

/// The rules of a node.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    /// Arguments of `@schema/validation`.
    pub(crate) arguments: Vec<Argument>,
    /// The author's description of the node.
    pub(crate) description: String,
    pub(crate) notes: Vec<String>,
    /// Keywords that no rule expresses.
    pub(crate) left: Vec<(String, Node)>,
}

/// The kinds of values, and the language of the schema.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleTarget<'a> {
    pub(crate) kinds: &'a [NodeKind],
    pub(crate) is_nullable: bool,
    pub(crate) dialect: Dialect,
}

/// The rules of a schema whose `allOf` contains only further keywords.
pub(crate) fn rules(schema: &Map, subject: RuleTarget<'_>) -> Rules {
    let mut gathering = Gathering {
        left: keywords(schema),
        cel: Expressions::of(schema),
        counts_contained: [Keyword::MinContains, Keyword::MaxContains]
            .iter()
            .any(|it| it.is_in(schema)),
        subject,
        ..Gathering::default()
    };
    let description = Keyword::Description.text(schema).unwrap_or_default();
    let (prose, lines) = words::split(description);
    for line in lines {
        gathering.line(line);
    }
    gathering.keywords();
    for description in unsaid(schema) {
        if !gathering.understood.iter().any(|it| it == description) {
            gathering.notes.push(format!("a rule that cannot be expressed here: {description}"));
        }
    }
    gathering.finish(prose)
}

/// All keywords that are rules, including those of an `allOf` that contains only rules.
fn keywords(schema: &Map) -> Vec<(String, Node)> {
    let parts = Keyword::AllOf.of(schema).and_then(Node::as_array);
    let parts = parts.filter(|it| it.items.iter().all(has_rules_alone));
    let parts = parts.into_iter().flat_map(|it| &it.items);
    let parts = parts.filter_map(|it| it.node.as_map());
    let items = std::iter::once(schema).chain(parts).flat_map(Map::items);
    let items = items.filter_map(|it| Some((it.key.as_str()?.to_owned(), it.node.clone())));
    let rules = items.filter(|(keyword, value)| {
        is_rule(keyword)
            && !(*keyword == *Keyword::UniqueItems.name() && matches!(value, Node::Bool(false)))
    });
    let set = is_set(schema).then(|| (Keyword::UniqueItems.name().to_owned(), Node::Bool(true)));
    rules.chain(set).collect()
}

/// Whether the items of a list must be unique, in Kubernetes' notation.
fn is_set(schema: &Map) -> bool {
    Keyword::ListType.text(schema) == Some("set")
}

/// The descriptions of rules that no keyword expresses.
fn unsaid(schema: &Map) -> impl Iterator<Item = &str> {
    let entries = Keyword::Validations.items(schema).iter();
    entries.filter_map(|it| Keyword::Description.within(&it.node)?.as_str())
}

#[derive(Default)]
struct Gathering<'a> {
    /// Keywords that no rule expresses yet.
    left: Vec<(String, Node)>,
    /// CEL rules that no other rule expresses yet.
    cel: Expressions<'a>,
    subject: RuleTarget<'a>,
    /// Whether `contains` restricts the number of items, which no rule can express.
    counts_contained: bool,
    slots: Vec<Slot>,
    /// Descriptions that were understood.
    understood: Vec<String>,
    notes: Vec<String>,
    /// Keywords that no rule can express.
    unsaid: Vec<(String, Node)>,
}

/// A rule, or the description of one, in the author's order.
enum Slot {
    Rule(Named, Option<String>),
    Cel(CelImport),
    Line(String),
}

impl Default for RuleTarget<'_> {
    fn default() -> Self {
        Self { kinds: &[], is_nullable: false, dialect: Dialect::JsonSchema }
    }
}

impl Gathering<'_> {
    fn line(&mut self, line: &str) {
        if words::is_conditional(line) {
            self.notes.push(format!("a rule that cannot be expressed here: {line}"));
            self.understood.push(line.to_owned());
            return;
        }
        let Some(named) = words::named(line) else {
            self.understood.push(line.to_owned());
            let slot = match self.cel.described(line) {
                Some(import) => Slot::Cel(import),
                None => Slot::Line(line.to_owned()),
            };
            self.slots.push(slot);
            return;
        };
        if self.is_borne_out(&named.constraint) && !self.has(named.name) {
            self.slots.push(Slot::Rule(named, None));
            self.understood.push(line.to_owned());
        }
    }

    fn says(&self, named: &Named) -> bool {
        self.slots.iter().any(|it| matches!(it, Slot::Rule(it, _) if is_twin(it, named)))
    }

    fn has(&self, name: &str) -> bool {
        self.slots.iter().any(|it| matches!(it, Slot::Rule(named, _) if named.name == name))
    }

    /// Whether the keywords match a description, as far as they can express it. Matching keywords
    /// are removed.
    fn is_borne_out(&mut self, constraint: &Constraint) -> bool {
        let RuleTarget { is_nullable, dialect, .. } = self.subject;
        let said = said_by(constraint, self.value_kind(), dialect);
        if !said.unexpressed.is_empty() || self.lacks_pattern(&said) {
            return true;
        }
        if !said.cel.is_empty() {
            self.cel.take(constraint, self.value_kind());
            return true;
        }
        if said.forbids_null && is_nullable {
            return false;
        }
        let are_there = said.keywords.iter().all(|(keyword, value)| {
            self.left
                .iter()
                .any(|(it, there)| it == keyword.name() && implies(*keyword, there, value))
                || self.slots.iter().any(|slot| match slot {
                    Slot::Rule(named, _) => {
                        let said = said_by(&named.constraint, self.value_kind(), dialect);
                        let mut said = said.keywords.iter();
                        said.any(|(it, there)| it == keyword && implies(*keyword, there, value))
                    }
                    Slot::Cel(_) | Slot::Line(_) => false,
                })
        });
        if are_there {
            self.left.retain(|(keyword, value)| {
                !said
                    .keywords
                    .iter()
                    .any(|(it, said)| it.name() == keyword && is_same_choice(value, said))
            });
        }
        are_there
    }

    /// Whether a rule is a pattern and the schema has none: earlier versions of Plumb, called as
    /// ytt, described such rules without exporting them.
    fn lacks_pattern(&self, said: &Expressed) -> bool {
        let is_pattern = said.keywords.iter().any(|(it, _)| *it == Keyword::Pattern);
        let has_pattern = self.left.iter().any(|(it, _)| it == Keyword::Pattern.name());
        self.subject.dialect == Dialect::OpenApi && is_pattern && !has_pattern
    }

    fn value_kind(&self) -> ValueKind {
        ValueKind::of(self.subject.kinds)
    }

    /// Converts the keywords that are left into rules.
    fn keywords(&mut self) {
        let mut left = std::mem::take(&mut self.left);
        let is_bool = |value: &Node| matches!(value, Node::Bool(_));
        let bounds = [
            (Keyword::Minimum, Keyword::ExclusiveMinimum),
            (Keyword::Maximum, Keyword::ExclusiveMaximum),
        ];
        // In OpenAPI, a boolean states whether the bound next to it is exclusive.
        for (inclusive, exclusive) in bounds.map(|(it, other)| (it.name(), other.name())) {
            let is_on =
                |(it, value): &(String, Node)| it == exclusive && matches!(value, Node::Bool(true));
            let is_exclusive = left.iter().any(is_on);
            left.retain(|(it, value)| !(it == exclusive && is_bool(value)));
            for (keyword, _) in left.iter_mut().filter(|it| is_exclusive && it.0 == inclusive) {
                exclusive.clone_into(keyword);
            }
        }
        join_lengths(&mut left, self.subject.kinds);
        let mut made = Vec::new();
        for (keyword, value) in left {
            match self.subject.named(&keyword, &value) {
                _ if !self.subject.is_about(&keyword) => {}
                _ if self.subject.is_null_alone(&keyword, &value) => {}
                _ if keyword == Keyword::Contains.name() && self.counts_contained => {
                    self.unsaid.push((keyword, value));
                }
                Some(named) if self.says(&named) || made.iter().any(|it| is_twin(it, &named)) => {
                    // The keyword repeats a rule, as some generators do.
                }
                Some(named) if self.has(named.name) || has(&made, named.name) => {
                    self.unsaid.push((keyword, value));
                }
                // A schema with limits that exclude every value would be rejected.
                Some(named) if made.iter().any(|it| it.constraint.excludes(&named.constraint)) => {
                    self.unsaid.push((keyword, value));
                }
                Some(named) => {
                    let pattern = value.as_str().filter(|_| keyword == Keyword::Pattern.name());
                    let is_ours = self.subject.dialect == Dialect::Kubernetes;
                    if pattern.is_some_and(has_wide_spaces) && !is_ours {
                        let note = "\\s matches only ASCII white space here";
                        self.notes.push(format!("{note}: pattern: {}", shortened(&value)));
                    }
                    made.push(named);
                }
                None if is_loose_format(&keyword, &value) => {}
                None => self.unsaid.push((keyword, value)),
            }
        }
        self.place(made);
    }

    /// Places rules without a description. If there is only one, it gets the only description that
    /// is left.
    fn place(&mut self, mut made: Vec<Named>) {
        let mut lines = self.slots.iter_mut().filter(|it| matches!(it, Slot::Line(_)));
        if let (1, Some(slot), None) = (made.len(), lines.next(), lines.next())
            && let Slot::Line(line) = slot
            && let Some(only) = made.pop()
        {
            *slot = Slot::Rule(only, Some(line.clone()));
        }
        for named in made {
            self.slots.push(Slot::Rule(named, None));
        }
    }

    fn finish(self, description: String) -> Rules {
        let (notes, left) = (self.notes, self.unsaid);
        let mut rules = Rules { description, notes, left, ..Rules::default() };
        let mut unexpressed = Vec::new();
        let mut expressions = Vec::new();
        let mut slots = self.slots;
        slots.extend(self.cel.left().map(Slot::Cel));
        // One argument contains all expressions. It is at the position of the first.
        let mut place = None;
        for slot in slots {
            match slot {
                Slot::Cel(import) => {
                    place = place.or(Some(rules.arguments.len()));
                    let unsaid = import.unsaid.iter().map(|it| cut(it));
                    rules.notes.extend(unsaid.map(|it| format!("cannot be expressed here: {it}")));
                    expressions.extend(Expression::new(import));
                }
                Slot::Rule(named, description) => {
                    rules.arguments.push(Argument::Named(named, description));
                }
                Slot::Line(line) => unexpressed.push(line),
            }
        }
        if let Some(place) = place.filter(|_| !expressions.is_empty()) {
            rules.arguments.insert(place, Argument::Cel(expressions));
        }
        for line in unexpressed {
            rules.notes.push(format!("a rule that cannot be expressed here: {line}"));
        }
        rules
    }
}

fn is_twin(one: &Named, other: &Named) -> bool {
    one.name == other.name && one.argument == other.argument
}

fn has(made: &[Named], name: &str) -> bool {
    made.iter().any(|it| it.name == name)
}

/// The keywords that express a single rule.
fn said_by(constraint: &Constraint, kind: ValueKind, dialect: Dialect) -> Expressed {
    let validation =
        Validation { rules: vec![rule(constraint)], when: None, span: None, uses: None };
    // Items are not considered: the description of a rule is trusted even if an API server cannot
    // check it.
    let subject = CelSubject { kind, keys: &[], has_scalar_items: false };
    Expressed::of(&[validation], subject, dialect)
}

pub(crate) fn rule(constraint: &Constraint) -> Rule {
    let assertion = Assertion::from(constraint.clone());
    let (description, message) = (None, None);
    Rule { assertion, description, message, ordinal: 1, is_named: true, span: None }
}

/// Whether the value `there` of a keyword is at least as strict as the value `said`.
fn implies(keyword: Keyword, there: &Node, said: &Node) -> bool {
    if is_same_choice(there, said) {
        return true;
    }
    let is_exclusive = matches!(keyword, Keyword::ExclusiveMinimum | Keyword::ExclusiveMaximum);
    let narrowing = keyword.narrowing().filter(|_| !is_exclusive);
    narrowing.is_some() && compare(there, said).ok().flatten() == narrowing
}

/// Whether two values of a keyword are the same, ignoring null among choices.
fn is_same_choice(left: &Node, right: &Node) -> bool {
    let without_null = |node: &Node| {
        let mut node = node.clone();
        if let Some(array) = node.array_mut() {
            array.items.retain(|it| !it.node.is_null());
        }
        node
    };
    is_same_value(&without_null(left), &without_null(right))
}
