//! The CEL rules of a structural schema, checked as an API server checks them before it accepts a
//! custom resource definition.

use std::sync::Arc;

use plumb_cel::{Checked, CompileError, Declared, Gives};
use plumb_source::Origin;
use plumb_value::{Map, Node};

use crate::Keyword;
use crate::declared::{declared, declared_resource};

/// The maximum cost of one rule in an object, for all its values together.
pub const MAX_RULE_COST: u64 = 10_000_000;
/// The maximum cost of all rules of a definition together.
pub const MAX_TOTAL_COST: u64 = 100_000_000;

/// A rule that an API server does not accept.
#[derive(Clone, Debug)]
pub struct RejectedRule {
    /// The path of the value that it applies to, such as `spec.items[*].name`.
    pub path: String,
    pub rule: String,
    pub origin: Origin,
    pub problem: RuleError,
    /// The keys that lead to the schema with the rule.
    schema: Vec<String>,
    /// The position of the rule among the rules of its schema.
    position: usize,
}

/// Why an API server does not accept a rule.
#[derive(Clone, Debug)]
pub enum RuleError {
    /// The expression does not fit the schema.
    Types(CompileError),
    /// Expressions cannot use the value, because the schema does not declare its type.
    NoType,
    /// The cost of the rule can exceed the limit.
    Cost(u64),
    /// The cost of all rules together can exceed the limit. This rule is the most expensive one.
    TotalCost(u64),
    /// The message is blank.
    BlankMessage,
    /// The rule has several lines and no message.
    NoMessage,
}

impl RejectedRule {
    /// Returns why the rule is rejected, and what to do about it.
    pub fn reason(&self) -> (String, Option<String>) {
        let limits = || {
            let help = "limit the lists, maps and texts that it reads or is in: maxItems, \
                        maxProperties, maxLength (max_len= in a schema of data values)";
            Some(help.to_owned())
        };
        match &self.problem {
            RuleError::Types(error) => {
                (format!("it does not fit the schema: {}", error.message), error.help.clone())
            }
            RuleError::NoType => (
                "the schema does not declare a type for the value".to_owned(),
                Some("declare its keys, or one type for its items".to_owned()),
            ),
            RuleError::Cost(cost) => {
                let factor = factor(*cost, MAX_RULE_COST);
                (format!("its cost may be {factor} times the limit for one rule"), limits())
            }
            RuleError::TotalCost(cost) => {
                let factor = factor(*cost, MAX_TOTAL_COST);
                let why = format!("the cost of all rules together may be {factor} times the limit");
                (why, limits())
            }
            RuleError::BlankMessage => ("its message is blank".to_owned(), None),
            RuleError::NoMessage => {
                ("it has several lines, but no message".to_owned(), Some("add one".to_owned()))
            }
        }
    }
}

/// How many times larger than a limit a cost is.
fn factor(cost: u64, limit: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "it is shown with one digit")]
    let factor = cost as f64 / limit as f64;
    match factor {
        it if it > 100.0 => "more than 100".to_owned(),
        it if it < 2.0 => format!("{it:.2}"),
        it => format!("{it:.1}"),
    }
}

/// Returns the rules of a custom resource's schema that an API server would reject.
pub fn rejected_rules(schema: &Node) -> Vec<RejectedRule> {
    let mut walk = Walk::default();
    if let Some(schema) = schema.as_map() {
        walk.schema(schema, &SchemaPlace { n_values: Some(1), ..SchemaPlace::default() }, None);
    }
    let mut total = walk.costs.iter().fold(0u64, |sum, it| sum.saturating_add(it.0));
    walk.costs.sort_by_key(|it| std::cmp::Reverse(it.0));
    for (cost, mut dearest) in walk.costs {
        if total <= MAX_TOTAL_COST {
            break;
        }
        dearest.problem = RuleError::TotalCost(total);
        total = total.saturating_sub(cost);
        walk.rejected.push(dearest);
    }
    walk.rejected
}

/// Removes the rules that an API server would reject, and returns them.
pub fn take_rejected_rules(schema: &mut Node) -> Vec<RejectedRule> {
    let rejected = rejected_rules(schema);
    let mut places: Vec<(&[String], usize)> =
        rejected.iter().map(|it| (it.schema.as_slice(), it.position)).collect();
    // The last rule of a schema is removed first, so that the other positions stay valid.
    places.sort_unstable();
    places.dedup();
    for (path, position) in places.into_iter().rev() {
        remove(schema, path, position);
    }
    rejected
}

fn remove(schema: &mut Node, path: &[String], position: usize) {
    let Some(map) = schema.map_mut() else {
        return;
    };
    let key = path.first().map_or(Keyword::CelRules.name(), String::as_str);
    let Some(at) = map.items().iter().position(|it| it.key.as_str() == Some(key)) else {
        return;
    };
    let below = &mut map.item_mut(at).node;
    match path {
        [_, rest @ ..] => remove(below, rest, position),
        [] => {
            let rules = below.array_mut().map(|it| {
                it.items.remove(position);
                it.items.len()
            });
            if rules == Some(0) {
                map.items_mut().remove(at);
            }
        }
    }
}

#[derive(Default)]
struct Walk {
    rejected: Vec<RejectedRule>,
    /// The cost of each rule that does not exceed its own limit.
    costs: Vec<(u64, RejectedRule)>,
}

/// A place in the schema.
#[derive(Default)]
struct SchemaPlace {
    path: String,
    /// The maximum number of values here, if all lists and maps above have a limit.
    n_values: Option<u64>,
    schema: Vec<String>,
}

impl SchemaPlace {
    fn below(&self, path: String, keys: &[&str]) -> Self {
        let schema = self.schema.iter().cloned().chain(keys.iter().map(|it| (*it).to_owned()));
        Self { path, n_values: self.n_values, schema: schema.collect() }
    }

    fn key(&self, key: &str) -> Self {
        let dot = if self.path.is_empty() { "" } else { "." };
        self.below(format!("{}{dot}{key}", self.path), &[Keyword::Properties.name(), key])
    }

    fn each(&self, keyword: Keyword, limit: Option<u64>) -> Self {
        let n_values = self.n_values.zip(limit).map(|(n, limit)| n.saturating_mul(limit));
        Self { n_values, ..self.below(format!("{}[*]", self.path), &[keyword.name()]) }
    }
}

impl Walk {
    /// Checks the rules of a schema and below it. `known` is what the schema above declares about
    /// the value, if it has rules.
    fn schema(&mut self, schema: &Map, place: &SchemaPlace, known: Option<Arc<Declared>>) {
        let rules = Keyword::CelRules.items(schema);
        let known = match known {
            None if !rules.is_empty() => {
                let node = Node::map(schema.clone());
                let own =
                    if place.path.is_empty() { declared_resource(&node) } else { declared(&node) };
                own.map(Arc::new)
            }
            known => known,
        };
        for (position, rule) in rules.iter().enumerate() {
            if let Some(rule) = rule.node.as_map() {
                self.rule(rule, position, place, known.as_ref());
            }
        }
        for property in Keyword::Properties.map(schema).map(Map::items).unwrap_or_default() {
            if let (Some(key), Some(below)) = (property.key.as_str(), property.node.as_map()) {
                let known = known.as_ref().and_then(|it| it.field(key));
                self.schema(below, &place.key(key), known);
            }
        }
        let item = || known.as_ref().and_then(Declared::item);
        if let Some(below) = Keyword::Items.map(schema) {
            let limit = Keyword::MaxItems.count(schema);
            self.schema(below, &place.each(Keyword::Items, limit), item());
        }
        if let Some(below) = Keyword::AdditionalProperties.map(schema) {
            let limit = Keyword::MaxProperties.count(schema);
            self.schema(below, &place.each(Keyword::AdditionalProperties, limit), item());
        }
    }

    fn rule(
        &mut self,
        entry: &Map,
        position: usize,
        place: &SchemaPlace,
        known: Option<&Arc<Declared>>,
    ) {
        let Some(rule) = entry.get(&"rule".into()) else {
            return;
        };
        let source = rule.node.as_str().unwrap_or_default();
        let rejected = |problem| RejectedRule {
            path: place.path.clone(),
            rule: source.trim().to_owned(),
            origin: rule.origin,
            problem,
            schema: place.schema.clone(),
            position,
        };
        let message = entry.get_str("message").and_then(Node::as_str);
        match message.map(str::trim) {
            Some("") => self.rejected.push(rejected(RuleError::BlankMessage)),
            None if source.trim().contains(['\n', '\r']) => {
                self.rejected.push(rejected(RuleError::NoMessage));
            }
            _ => {}
        }
        let Some(known) = known else {
            self.rejected.push(rejected(RuleError::NoType));
            return;
        };
        let is_optional = matches!(entry.get_str("optionalOldSelf"), Some(Node::Bool(true)));
        match plumb_cel::check(source, known, Gives::Truth, is_optional) {
            Err(error) => self.rejected.push(rejected(RuleError::Types(error))),
            Ok(Checked { cost, .. }) => {
                let n_values = place.n_values.unwrap_or_else(|| known.max_in_request());
                let cost = cost.saturating_mul(n_values);
                let found = rejected(RuleError::Cost(cost));
                if cost > MAX_RULE_COST {
                    self.rejected.push(found);
                } else {
                    self.costs.push((cost, found));
                }
            }
        }
        let message = entry.get_str("messageExpression").and_then(Node::as_str);
        if let Some(message) = message
            && let Err(error) = plumb_cel::check(message, known, Gives::Text, is_optional)
        {
            self.rejected.push(rejected(RuleError::Types(error)));
        }
    }
}
