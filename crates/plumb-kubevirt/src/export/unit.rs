//! Templates with the same rules, apart from limits.
//!
//! Many templates differ only in how much memory they require. They share one policy, and their
//! limits become its parameters.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::translate::End;
use crate::rule::{Bound, Choice, Constraint, Entry, Guard, Limit, RulePath, Rules};
use crate::template::{Templates, VmTemplate};

/// All groups of templates, in the order of their first template.
#[derive(Debug)]
pub(super) struct Units {
    units: Vec<Unit>,
    /// The full names of the templates that have a namespace.
    pub full_names: Vec<String>,
}

/// Templates with the same rules, apart from limits.
#[derive(Debug)]
pub(super) struct Unit {
    /// The variants by their limits, in the order of rules and ends.
    pub variants: BTreeMap<Vec<i64>, Variant>,
}

/// Templates with the same rules and limits.
#[derive(Debug)]
pub(super) struct Variant {
    pub rules: Rules,
    /// `namespace/name`, or `*/name` for a template without a namespace.
    pub templates: Vec<String>,
    /// The annotations of virtual machines with these rules, as written.
    pub texts: Vec<Arc<str>>,
}

/// A limit that may differ between the templates of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct LimitId {
    /// The number of the rule.
    pub rule: usize,
    pub end: End,
}

/// The parts that must be the same in all templates of a unit.
#[derive(PartialEq, Eq, Hash)]
struct Shape(Vec<String>);

impl Units {
    /// Groups templates. Rules that cannot be read are left out; they are reported elsewhere.
    pub(super) fn of(templates: &Templates) -> Self {
        let mut units = Self { units: Vec::new(), full_names: Vec::new() };
        let mut known: HashMap<Shape, usize> = HashMap::new();
        for template in templates.iter() {
            let object = template.object();
            if !object.namespace().is_empty() {
                units.full_names.push(template.full_name());
            }
            for rules in template.all_rules() {
                let is_own = template.rules.as_ref().is_some_and(|it| it.text == rules.text);
                units.add(template, rules, is_own, &mut known);
            }
        }
        units
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Unit> {
        self.units.iter()
    }

    fn add(
        &mut self,
        template: &VmTemplate,
        rules: Rules,
        is_own: bool,
        known: &mut HashMap<Shape, usize>,
    ) {
        let shape = Shape(rules.entries.iter().map(described).collect());
        let at = *known.entry(shape).or_insert_with(|| {
            self.units.push(Unit { variants: BTreeMap::new() });
            self.units.len() - 1
        });
        let text = Arc::clone(&rules.text);
        let limits = places(&rules).map(|(_, limit)| limit).collect();
        let variant = self.units[at].variants.entry(limits).or_insert_with(|| Variant {
            rules,
            templates: Vec::new(),
            texts: Vec::new(),
        });
        if is_own {
            let object = template.object();
            variant.templates.push(match object.namespace() {
                "" => format!("*/{}", object.name()),
                _ => template.full_name(),
            });
        }
        if !variant.texts.contains(&text) {
            variant.texts.push(text);
        }
    }
}

impl Unit {
    /// The rules of the first variant.
    pub(super) fn rules(&self) -> &Rules {
        let first = self.variants.values().next().expect("a unit has a variant");
        &first.rules
    }

    /// The limits that differ between the templates.
    pub(super) fn differing(&self) -> Vec<LimitId> {
        let places: Vec<LimitId> = places(self.rules()).map(|(place, _)| place).collect();
        let differs = |at: &usize| {
            let mut limits = self.variants.keys().map(|it| it[*at]);
            let first = limits.next();
            limits.any(|it| Some(it) != first)
        };
        (0..places.len()).filter(differs).map(|at| places[at]).collect()
    }

    /// The annotations with these rules, as written.
    pub(super) fn texts(&self) -> impl Iterator<Item = &Arc<str>> {
        self.variants.values().flat_map(|it| &it.texts)
    }

    /// How many templates there are.
    pub(super) fn n_templates(&self) -> usize {
        self.variants.values().map(|it| it.templates.len()).sum()
    }
}

impl Variant {
    /// The limit at a position in the unit's rules.
    pub(super) fn limit(&self, wanted: LimitId) -> Option<i64> {
        places(&self.rules).find(|(place, _)| *place == wanted).map(|(_, limit)| limit)
    }
}

/// The limits in the rules, as the last integers that they allow.
fn places(rules: &Rules) -> impl Iterator<Item = (LimitId, i64)> {
    rules.entries.iter().enumerate().flat_map(|(rule, entry)| {
        ends(entry).into_iter().filter_map(move |(end, bound)| match bound {
            Some(Bound::Literal(limit)) => Some((LimitId { rule, end }, allowed(end, limit)?)),
            Some(Bound::Path(_)) | None => None,
        })
    })
}

fn ends(entry: &Entry) -> [(End, Option<&Bound>); 2] {
    let (min, max) = match entry.rule.as_ref().map(|it| &it.constraint) {
        Some(Constraint::Integer { min, max }) => (min.as_ref(), max.as_ref()),
        Some(Constraint::String { min_length, max_length }) => {
            (min_length.as_ref(), max_length.as_ref())
        }
        Some(Constraint::Enum(_) | Constraint::Regex(..) | Constraint::RegexAt(_)) | None => {
            (None, None)
        }
    };
    [(End::Min, min), (End::Max, max)]
}

/// The last integer that a limit allows. Returns `None` if it does not fit into 64 bits.
fn allowed(end: End, limit: &Limit) -> Option<i64> {
    let allowed = match end {
        End::Min => limit.ceiling(),
        End::Max => limit.floor(),
    };
    i64::try_from(allowed).ok()
}

/// Everything about a rule except its limits.
fn described(entry: &Entry) -> String {
    let Some(rule) = &entry.rule else { return String::new() };
    let guard = match &rule.guard {
        None => "none",
        Some(Guard::Defaulted) => "defaulted",
        Some(Guard::Path(path)) => &path.text,
    };
    let constraint = match &rule.constraint {
        Constraint::Integer { .. } => "integer".to_owned(),
        Constraint::String { .. } => "string".to_owned(),
        Constraint::Enum(choices) => {
            format!("{:?}", choices.iter().map(choice).collect::<Vec<_>>())
        }
        Constraint::Regex(pattern, _) => format!("regex {:?}", pattern.as_str()),
        Constraint::RegexAt(path) => format!("regex at {:?}", path.text),
    };
    let ends = ends(entry).map(|(end, bound)| match bound {
        None => None,
        Some(Bound::Path(RulePath { text, .. })) => Some(format!("at {text}")),
        Some(Bound::Literal(limit)) => Some(match allowed(end, limit) {
            Some(_) => "a number".to_owned(),
            None => limit.to_string(),
        }),
    });
    let Entry { name, message, just_warning, .. } = entry;
    format!("{:?}", (name, message, just_warning, &rule.path.text, guard, constraint, ends))
}

fn choice(choice: &Choice) -> (&str, bool) {
    match choice {
        Choice::Literal(text) => (text, false),
        Choice::Path(path) => (&path.text, true),
    }
}
