//! Keywords as conditions in CEL, for keywords without a corresponding rule.
//!
//! A condition is true for exactly the values that the keyword accepts, except for null: rules are
//! not applied to null. For a keyword that cannot be expressed this way, the result is `None`, and
//! a comment names the keyword.

use std::cell::Cell;

use plumb_cel::{field_name, literal, quoted};
use plumb_jsonschema::Keyword;
use plumb_regexp::Regexp;
use plumb_value::{Array, Map, Node, NodeKind};

use crate::convert::Converter;
use crate::keyword::has_wide_spaces;
use crate::origin::Draft;
use crate::types::Types;

/// The greatest depth of nested conditions.
const MAX_LEVEL: usize = 16;

/// The greatest length of a condition, so that it stays readable.
const MAX_LENGTH: usize = 2_000;

/// The greatest number of schemas that one condition may visit, including references.
const MAX_SCHEMAS: usize = 1_000;

/// The same limit for all conditions together.
const MAX_ALL_SCHEMAS: usize = 2_000_000;

/// Whether a keyword does not restrict values.
pub(crate) fn is_annotation(keyword: &str) -> bool {
    Keyword::of_name(keyword).is_some_and(Keyword::is_annotation)
}

/// The keyword that a keyword is read together with.
pub(crate) fn companion_of(keyword: &str) -> Option<&'static str> {
    Some(Keyword::of_name(keyword)?.companion()?.name())
}

/// The value that a condition applies to.
#[derive(Clone)]
struct ConditionValue<'a> {
    /// The expression for the value.
    path: String,
    /// Its kinds, if they are declared.
    kinds: Option<Vec<NodeKind>>,
    /// The schema that declares its keys, if there is one.
    declared: Option<&'a Map>,
    /// Whether it has only declared keys. In CEL it is then an object, not a map: its keys cannot
    /// be counted or listed.
    is_closed: bool,
    level: usize,
}

/// The condition for a keyword of a schema. `kinds` are the kinds that the imported schema accepts;
/// `None` means all kinds.
pub(crate) fn condition(
    converter: &Converter<'_>,
    schema: &Map,
    (keyword, value): (&str, &Node),
    kinds: &[NodeKind],
) -> Option<String> {
    let has_keys = kinds == [NodeKind::Map] && Keyword::Properties.is_in(schema);
    let subject = ConditionValue {
        path: "self".to_owned(),
        kinds: (!kinds.is_empty()).then(|| kinds.to_vec()),
        declared: has_keys.then_some(schema),
        is_closed: kinds == [NodeKind::Map] && !converter.has_others(schema),
        level: 0,
    };
    let n_left = converter.n_conditions_left.get().unwrap_or(MAX_ALL_SCHEMAS);
    let n_given = n_left.min(MAX_SCHEMAS);
    let left = Cell::new(n_given);
    let conditions = Conditions { converter, left: &left, followed: Vec::new() };
    let condition = conditions.keyword(schema, keyword, value, &subject);
    converter.n_conditions_left.set(Some(n_left - (n_given - left.get())));
    condition
}

struct Conditions<'c, 'd> {
    converter: &'c Converter<'d>,
    /// The number of schemas that may still be visited.
    left: &'c Cell<usize>,
    /// The references that are being followed.
    followed: Vec<String>,
}

impl Conditions<'_, '_> {
    fn schema(&self, schema: &Node, subject: &ConditionValue<'_>) -> Option<String> {
        if subject.level > MAX_LEVEL {
            return None;
        }
        self.left.set(self.left.get().checked_sub(1)?);
        let map = match schema {
            Node::Bool(value) => return Some(value.to_string()),
            Node::Map(map) => map,
            _ => return None,
        };
        let mut all = Vec::new();
        if let Some(reference) = Keyword::Ref.of(map) {
            let reference = reference.as_str()?;
            if self.followed.iter().any(|it| it == reference) {
                return None;
            }
            let target = self.converter.resolved(reference)?;
            let followed = [self.followed.as_slice(), &[reference.to_owned()]].concat();
            let below = Conditions { converter: self.converter, left: self.left, followed };
            all.push(below.schema(target, &subject.deeper())?);
            if self.converter.draft < Draft::Later {
                return bounded(and(all));
            }
        }
        for entry in map.items() {
            let keyword = entry.key.as_str()?;
            let is_read = keyword == Keyword::Ref.name() || is_annotation(keyword);
            if !is_read && companion_of(keyword).is_none() {
                all.push(self.keyword(map, keyword, &entry.node, &subject.deeper())?);
            }
        }
        bounded(and(all))
    }

    fn keyword(
        &self,
        schema: &Map,
        keyword: &str,
        value: &Node,
        subject: &ConditionValue<'_>,
    ) -> Option<String> {
        let it = &subject.path;
        let condition = match Keyword::of_name(keyword)? {
            Keyword::MinProperties
            | Keyword::MaxProperties
            | Keyword::PropertyNames
            | Keyword::PatternProperties
            | Keyword::AdditionalProperties
                if subject.is_closed =>
            {
                return None;
            }
            Keyword::MinLength => subject.strings(subject.size(">=", value)?),
            Keyword::MaxLength => subject.strings(subject.size("<=", value)?),
            Keyword::MinItems => subject.arrays(subject.size(">=", value)?),
            Keyword::MaxItems => subject.arrays(subject.size("<=", value)?),
            Keyword::MinProperties => subject.maps(subject.size(">=", value)?),
            Keyword::MaxProperties => subject.maps(subject.size("<=", value)?),
            Keyword::Minimum => subject.numbers(subject.bound(">=", value)?),
            Keyword::Maximum => subject.numbers(subject.bound("<=", value)?),
            Keyword::ExclusiveMinimum => subject.numbers(subject.bound(">", value)?),
            Keyword::ExclusiveMaximum => subject.numbers(subject.bound("<", value)?),
            Keyword::Pattern => subject.strings(matching(it, value.as_str()?)?),
            Keyword::Enum => format!("{it} in {}", literal(value)?),
            Keyword::Const => format!("{it} == {}", literal(value)?),
            Keyword::Type => self.of_type(value, subject)?,
            Keyword::Required => subject.maps(subject.has_all(value.as_array()?)?),
            Keyword::Properties => subject.maps(self.properties(value.as_map()?, subject)?),
            Keyword::PatternProperties => subject.maps(self.patterns(value.as_map()?, subject)?),
            Keyword::AdditionalProperties => subject.maps(self.others(schema, value, subject)?),
            Keyword::PropertyNames => {
                let key = subject.variable("key", Some(NodeKind::String));
                let names = self.schema(value, &key)?;
                subject.maps(format!("{it}.all({}, {names})", key.path))
            }
            Keyword::Items | Keyword::PrefixItems => self.items(schema, keyword, value, subject)?,
            Keyword::Contains => self.contains(schema, value, subject)?,
            Keyword::UniqueItems if matches!(value, Node::Bool(true)) => {
                let item = subject.variable("item", None).path;
                let is_once = format!("{it}.exists_one(other, other == {item})");
                subject.arrays(format!("{it}.all({item}, {is_once})"))
            }
            Keyword::UniqueItems => "true".to_owned(),
            Keyword::DependentRequired | Keyword::DependentSchemas | Keyword::Dependencies => {
                subject.maps(self.dependencies(value.as_map()?, subject)?)
            }
            Keyword::If => self.branches(schema, value, subject)?,
            Keyword::Not => match self.schema(value, subject)? {
                always if always == "true" => "false".to_owned(),
                never if never == "false" => "true".to_owned(),
                condition => format!("!({condition})"),
            },
            Keyword::AllOf => and(self.parts(value, subject)?),
            Keyword::AnyOf => or(self.parts(value, subject)?),
            Keyword::OneOf => {
                format!("[{}].exists_one(it, it)", self.parts(value, subject)?.join(", "))
            }
            _ => return None,
        };
        bounded(condition)
    }

    /// `if` with its `then` and `else`.
    fn branches(
        &self,
        schema: &Map,
        condition: &Node,
        subject: &ConditionValue<'_>,
    ) -> Option<String> {
        let branch = |keyword: Keyword| match keyword.of(schema) {
            Some(branch) => self.schema(branch, subject),
            None => Some("true".to_owned()),
        };
        let condition = self.schema(condition, subject)?;
        let (then, otherwise) = (branch(Keyword::Then)?, branch(Keyword::Else)?);
        Some(format!("{} ? {} : {}", term(condition), term(then), term(otherwise)))
    }

    /// Returns the conditions of `allOf`, `anyOf` or `oneOf`. Returns `None` if one cannot be expressed,
    /// or if there are none.
    fn parts(&self, schemas: &Node, subject: &ConditionValue<'_>) -> Option<Vec<String>> {
        let schemas = schemas.as_array()?.items.iter();
        let parts = schemas.map(|it| self.schema(&it.node, subject));
        parts.collect::<Option<Vec<_>>>().filter(|it| !it.is_empty())
    }

    fn of_type(&self, value: &Node, subject: &ConditionValue<'_>) -> Option<String> {
        let names: Vec<&str> = match value {
            Node::String(name) => vec![name.as_str()?],
            Node::Array(names) => {
                names.items.iter().map(|it| it.node.as_str()).collect::<Option<_>>()?
            }
            _ => return None,
        };
        let mut types = Vec::new();
        for name in names {
            types.extend_from_slice(match name {
                "null" => &["null_type"],
                "boolean" => &["bool"],
                "integer" => {
                    self.converter.has_integers.set(true);
                    &["int", "uint"]
                }
                "number" => &["int", "uint", "double"],
                "string" => &["string"],
                "array" => &["list"],
                "object" => &["map"],
                _ => return None,
            });
        }
        Some(match types.as_slice() {
            [] => "false".to_owned(),
            [only] => format!("type({}) == {only}", subject.path),
            several => format!("type({}) in [{}]", subject.path, several.join(", ")),
        })
    }

    fn properties(&self, properties: &Map, subject: &ConditionValue<'_>) -> Option<String> {
        let mut all = Vec::new();
        for property in properties.items() {
            let key = property.key.as_str()?;
            if subject.is_never_present(key) {
                continue;
            }
            match self.schema(&property.node, &subject.member(key))? {
                always if always == "true" => {}
                condition => {
                    all.push(format!("!{} || {}", term(subject.has(key)), term(condition)));
                }
            }
        }
        Some(and(all))
    }

    fn patterns(&self, patterns: &Map, subject: &ConditionValue<'_>) -> Option<String> {
        let key = subject.variable("key", None).path;
        let mut all = Vec::new();
        for pattern in patterns.items() {
            let matches = matching(&key, pattern.key.as_str()?)?;
            let condition = self.schema(&pattern.node, &subject.under(&key))?;
            let condition = format!("!{matches} || {}", term(condition));
            all.push(format!("{}.all({key}, {condition})", subject.path));
        }
        Some(and(all))
    }

    /// The condition for keys that are neither in `properties` nor in `patternProperties`.
    fn others(&self, schema: &Map, value: &Node, subject: &ConditionValue<'_>) -> Option<String> {
        let key = subject.variable("key", None).path;
        let condition = self.schema(value, &subject.under(&key))?;
        if condition == "true" {
            return Some(condition);
        }
        let keys = |keyword: Keyword| keyword.map(schema).map(Map::items);
        let names = keys(Keyword::Properties).unwrap_or_default().iter();
        let names: Vec<String> =
            names.map(|it| it.key.as_str().map(quoted)).collect::<Option<_>>()?;
        let mut any = Vec::new();
        if !names.is_empty() {
            any.push(format!("{key} in [{}]", names.join(", ")));
        }
        for pattern in keys(Keyword::PatternProperties).unwrap_or_default() {
            any.push(matching(&key, pattern.key.as_str()?)?);
        }
        if condition != "false" || any.is_empty() {
            any.push(term(condition));
        }
        Some(format!("{}.all({key}, {})", subject.path, any.join(" || ")))
    }

    /// The condition for items by position, and for the items after them.
    fn items(
        &self,
        schema: &Map,
        keyword: &str,
        value: &Node,
        subject: &ConditionValue<'_>,
    ) -> Option<String> {
        let it = &subject.path;
        let item = subject.variable("item", None);
        let (first, others) = match value {
            Node::Array(first) => (
                Some(&**first),
                Keyword::AdditionalItems.of(schema).filter(|_| keyword == Keyword::Items.name()),
            ),
            _ => (None, Some(value)),
        };
        let mut all = Vec::new();
        for (at, entry) in first.into_iter().flat_map(|it| &it.items).enumerate() {
            let place = ConditionValue { path: format!("{it}[{at}]"), ..item.clone() };
            match self.schema(&entry.node, &place)? {
                always if always == "true" => {}
                condition => all.push(format!("size({it}) <= {at} || {}", term(condition))),
            }
        }
        if let Some(others) = others {
            let before = first.or_else(|| Keyword::PrefixItems.of(schema)?.as_array());
            let n_before = before.map_or(0, |it| it.items.len());
            match self.schema(others, &item)? {
                always if always == "true" => {}
                never if never == "false" => all.push(format!("size({it}) <= {n_before}")),
                condition if n_before == 0 => {
                    all.push(format!("{it}.all({}, {condition})", item.path));
                }
                condition => {
                    let condition = term(condition);
                    let item = &item.path;
                    all.push(format!("{it}.all(at, {item}, at < {n_before} || {condition})"));
                }
            }
        }
        Some(subject.arrays(and(all)))
    }

    fn contains(&self, schema: &Map, value: &Node, subject: &ConditionValue<'_>) -> Option<String> {
        let it = &subject.path;
        let item = subject.variable("item", None);
        let condition = self.schema(value, &item)?;
        let bound = |keyword: Keyword| match keyword.of(schema) {
            Some(value) if self.converter.draft == Draft::Later => natural(value).map(Some),
            _ => Some(None),
        };
        let found = match (bound(Keyword::MinContains)?, bound(Keyword::MaxContains)?) {
            (None, None) => format!("{it}.exists({}, {condition})", item.path),
            (least, most) => {
                let size = format!("{it}.filter({}, {condition}).size()", item.path);
                let least = format!("{size} >= {}", least.unwrap_or(1));
                and([Some(least), most.map(|it| format!("{size} <= {it}"))]
                    .into_iter()
                    .flatten()
                    .collect())
            }
        };
        Some(subject.arrays(found))
    }

    fn dependencies(&self, dependencies: &Map, subject: &ConditionValue<'_>) -> Option<String> {
        let mut all = Vec::new();
        for dependency in dependencies.items() {
            let needed = match &dependency.node {
                Node::Array(keys) => subject.has_all(keys)?,
                schema => self.schema(schema, subject)?,
            };
            let has = subject.has(dependency.key.as_str()?);
            all.push(format!("!{} || {}", term(has), term(needed)));
        }
        Some(and(all))
    }
}

impl ConditionValue<'_> {
    fn deeper(&self) -> Self {
        Self { level: self.level + 1, ..self.clone() }
    }

    /// A variable of a comprehension over the value.
    fn variable(&self, name: &str, kind: Option<NodeKind>) -> Self {
        let path = format!(
            "{name}{}",
            if self.level == 0 { String::new() } else { self.level.to_string() }
        );
        let kinds = kind.map(|it| vec![it]);
        Self { path, kinds, declared: None, is_closed: false, level: self.level + 1 }
    }

    /// The value of a key that is declared, or that the map may have.
    fn member(&self, key: &str) -> Self {
        let path = match field_name(key) {
            Some(field) => format!("{}.{field}", self.path),
            None => format!("{}[{}]", self.path, quoted(key)),
        };
        let declared = self.declared.and_then(|it| Keyword::Properties.map(it));
        let declared = declared.and_then(|it| it.get_str(key)?.as_map());
        let declared = declared.filter(|it| !Keyword::Ref.is_in(it));
        let kinds = declared.map(Types::of).filter(|it| !it.is_any).map(|it| it.kinds);
        let is_false = |it: &Node| matches!(it, Node::Bool(false));
        let is_closed = kinds.as_deref() == Some(&[NodeKind::Map])
            && declared.and_then(|it| Keyword::AdditionalProperties.of(it)).is_some_and(is_false)
            && !declared.is_some_and(|it| Keyword::PatternProperties.is_in(it));
        let declared = declared.filter(|it| Keyword::Properties.is_in(it));
        Self { path, kinds, declared, is_closed, level: self.level + 1 }
    }

    /// The value of a key that is in a variable.
    fn under(&self, key: &str) -> Self {
        let path = format!("{}[{key}]", self.path);
        Self { path, kinds: None, declared: None, is_closed: false, level: self.level + 1 }
    }

    /// Whether the key is not declared, and undeclared keys are rejected.
    fn is_never_present(&self, key: &str) -> bool {
        let declared = self.declared.and_then(|it| Keyword::Properties.map(it));
        self.is_closed && declared.is_none_or(|it| it.get_str(key).is_none())
    }

    /// Whether a key is present. A declared key may be filled in with null.
    fn has(&self, key: &str) -> String {
        if self.is_never_present(key) {
            return "false".to_owned();
        }
        let declared = self.declared.and_then(|it| Keyword::Properties.map(it));
        let is_declared = declared.is_some_and(|it| it.get_str(key).is_some());
        match field_name(key).filter(|_| is_declared) {
            Some(field) => format!("has({}.{field})", self.path),
            None => format!("{} in {}", quoted(key), self.path),
        }
    }

    fn has_all(&self, keys: &Array) -> Option<String> {
        let keys = keys.items.iter().map(|it| it.node.as_str().map(|key| self.has(key)));
        Some(and(keys.collect::<Option<_>>()?))
    }

    /// Compares the size of the value. Returns `None` if `count` is not a natural number.
    fn size(&self, operator: &str, count: &Node) -> Option<String> {
        Some(format!("size({}) {operator} {}", self.path, natural(count)?))
    }

    /// Compares the value. Returns `None` if `bound` is not a number.
    fn bound(&self, operator: &str, bound: &Node) -> Option<String> {
        match bound {
            Node::Int(_) | Node::UInt(_) | Node::Float(_) => {
                Some(format!("{} {operator} {}", self.path, literal(bound)?))
            }
            _ => None,
        }
    }

    fn strings(&self, condition: String) -> String {
        self.guarded(condition, &[NodeKind::String], "!= string")
    }

    fn arrays(&self, condition: String) -> String {
        self.guarded(condition, &[NodeKind::Array], "!= list")
    }

    fn maps(&self, condition: String) -> String {
        self.guarded(condition, &[NodeKind::Map], "!= map")
    }

    fn numbers(&self, condition: String) -> String {
        let numbers = [NodeKind::Integer, NodeKind::Float];
        self.guarded(condition, &numbers, "in [null_type, bool, string, list, map]")
    }

    /// A condition that only applies to values of some kinds; others are accepted.
    fn guarded(&self, condition: String, kinds: &[NodeKind], is_other: &str) -> String {
        if condition == "true" {
            return condition;
        }
        match &self.kinds {
            Some(own) if own.iter().all(|it| kinds.contains(it)) => condition,
            Some(own) if !own.iter().any(|it| kinds.contains(it)) => "true".to_owned(),
            _ => format!("type({}) {is_other} || {}", self.path, term(condition)),
        }
    }
}

/// Returns `None` if the condition is too long.
fn bounded(condition: String) -> Option<String> {
    (condition.len() <= MAX_LENGTH).then_some(condition)
}

/// Returns `None` for a pattern that Plumb does not support, or matches differently.
fn matching(path: &str, pattern: &str) -> Option<String> {
    let is_same = Regexp::new(pattern).is_ok() && !has_wide_spaces(pattern);
    is_same.then(|| format!("{path}.matches({})", quoted(pattern)))
}

/// Returns a natural number. JSON Schema also allows one that is written with a fraction of zero.
fn natural(count: &Node) -> Option<i64> {
    match count {
        Node::Int(n) if *n >= 0 => Some(*n),
        Node::Float(n) if n.fract() == 0.0 && (0.0..1e15).contains(n) => {
            format!("{n:.0}").parse().ok()
        }
        _ => None,
    }
}

fn and(mut conditions: Vec<String>) -> String {
    conditions.retain(|it| it != "true");
    match conditions.len() {
        0 => "true".to_owned(),
        1 => conditions.swap_remove(0),
        _ if conditions.iter().any(|it| it == "false") => "false".to_owned(),
        _ => conditions.into_iter().map(term).collect::<Vec<_>>().join(" && "),
    }
}

fn or(mut conditions: Vec<String>) -> String {
    conditions.retain(|it| it != "false");
    match conditions.len() {
        0 => "false".to_owned(),
        1 => conditions.swap_remove(0),
        _ if conditions.iter().any(|it| it == "true") => "true".to_owned(),
        _ => conditions.into_iter().map(term).collect::<Vec<_>>().join(" || "),
    }
}

/// A condition as a part of a larger one.
fn term(condition: String) -> String {
    let is_compound = [" || ", " && ", " ? ", " in "].iter().any(|it| condition.contains(it));
    if is_compound { format!("({condition})") } else { condition }
}
