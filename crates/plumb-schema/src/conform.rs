//! Checks whether a document conforms to a schema, and fills in its defaults.
//!
//! ytt checks twice: first it compares which values are maps, arrays and scalars. Only if all of
//! them match, it looks for unknown keys and wrong scalars. Here, one walk finds both, and a
//! mismatch records its kind.
//!
//! A value that does not conform is replaced with its default, and unknown keys are dropped. So the
//! rest of the document can be checked, and nothing is reported twice.
//!
//! A document is checked again after each step that changes it. Unchanged parts are skipped: a map
//! that is still the default from the schema is not visited, and [`Touched`] names the keys that a
//! step may have changed.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use plumb_source::{Origin, room};
use plumb_validation::{Choice, Fit, Mode, Work};
use plumb_value::{Array, Document, Map, MapItem, Node, NodeKind};

use crate::all_of;
use crate::field::{ArrayType, Field, MapType, Presence, Scalar, Schema, Type};
use crate::given::seen_by;
use crate::mismatch::{Found, HINT_BUDGET, Label, Mismatch};
use crate::touched::{Touched, part_touched};
use crate::trail::Trail;

/// Converts a document to the form that the schema declares. Missing keys are added with their
/// defaults, after the existing ones. Returns everything that did not conform.
pub fn conform(
    schema: &Schema,
    document: &mut Document,
    touched: Touched<'_>,
    work: &Work<'_>,
) -> Vec<Mismatch> {
    let place = ValuePlace { origin: document.origin, label: None, trail: &Trail::Root };
    let mut walk = Walk::new(Goal::Report, work);
    if let Some(filled) = walk.value(schema.root(), &document.node, &place, touched) {
        document.node = filled;
    }
    walk.found
}

/// Like [`conform`], for the value of a field, which may be moved later. Returns only the
/// mismatches that ytt reports.
pub(crate) fn conform_value(
    field: &Field,
    node: &Node,
    origin: Origin,
    work: &Work<'_>,
) -> (Option<Node>, Vec<Mismatch>) {
    conform_at(field, node, origin, &Trail::Root, work)
}

/// Like [`conform_value`], for a value whose place is known.
pub(crate) fn conform_at(
    field: &Field,
    node: &Node,
    origin: Origin,
    trail: &Trail<'_>,
    work: &Work<'_>,
) -> (Option<Node>, Vec<Mismatch>) {
    let place = ValuePlace { origin, label: None, trail };
    work.afresh(|work| conform_node(field, node, &place, work))
}

/// Returns how a value fits a field, or `None` if it does not. Answers are cached.
pub(crate) fn fitting(field: &Field, node: &Node, work: &Work<'_>) -> Option<Fit> {
    work.fitting(field, node, || {
        let seen = seen_by(field, node, work);
        let place = ValuePlace { origin: Origin::Unknown, label: None, trail: &Trail::Root };
        let mut walk = Walk::new(Goal::Answer, work);
        let filled = walk.value(field, &seen, &place, Touched::Everything);
        let is_cut = matches!(seen, Cow::Owned(_));
        let changed = filled.or_else(|| is_cut.then(|| seen.into_owned()));
        walk.conforms.then_some(Fit { changed })
    })
}

fn conform_node(
    field: &Field,
    node: &Node,
    place: &ValuePlace<'_>,
    work: &Work<'_>,
) -> (Option<Node>, Vec<Mismatch>) {
    let mut walk = Walk::new(Goal::Report, work);
    let filled = walk.value(field, node, place, Touched::Everything);
    let mut found = walk.found;
    if found.iter().any(|it| it.is_structural) {
        found.retain(|it| it.is_structural);
    }
    (filled, found)
}

struct Walk<'w> {
    goal: Goal,
    /// Whether everything so far conforms.
    conforms: bool,
    /// The mismatches, if they are reported.
    found: Vec<Mismatch>,
    hint_budget: usize,
    work: &'w Work<'w>,
}

/// The goal of a walk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// To describe everything that does not conform.
    Report,
    /// To find out whether the value conforms. The first mismatch ends the walk.
    Answer,
}

/// The place of a value.
struct ValuePlace<'a> {
    origin: Origin,
    label: Option<Label<'a>>,
    trail: &'a Trail<'a>,
}

impl<'w> Walk<'w> {
    fn new(goal: Goal, work: &'w Work<'w>) -> Self {
        let (conforms, found, hint_budget) = (true, Vec::new(), HINT_BUDGET);
        Self { goal, conforms, found, hint_budget, work }
    }

    /// Returns whether the walk can end, because the result is known.
    fn is_done(&self) -> bool {
        self.goal == Goal::Answer && !self.conforms
    }

    /// Returns the value with missing parts filled in and without parts that do not conform, or
    /// `None` if the value does not change.
    fn value(
        &mut self,
        field: &Field,
        node: &Node,
        place: &ValuePlace<'_>,
        touched: Touched<'_>,
    ) -> Option<Node> {
        if !self.work.count(1) || self.is_done() {
            return None;
        }
        match (&field.ty, node) {
            (Type::Any, _) => None,
            (_, Node::Null) if field.is_nullable => None,
            (Type::Choice(choice), _) => self.choice(field, choice, node, place),
            (Type::Map(ty), Node::Map(map)) => self.map(ty, map, place, touched),
            (Type::Array(ty), Node::Array(array)) => self.array(ty, array, place),
            (Type::Scalar(scalar), _) if scalar.admits(node) => None,
            (Type::Kinds(kinds), _) if admits(kinds, node) => None,
            (_, Node::Map(map)) => {
                self.structural(|| self::mismatch(field, node, place, map.origin));
                Some(field.default.clone())
            }
            (_, Node::Array(array)) => {
                self.structural(|| self::mismatch(field, node, place, array.origin));
                Some(field.default.clone())
            }
            _ => {
                self.add(|| self::mismatch(field, node, place, place.origin));
                Some(field.default.clone())
            }
        }
    }

    fn structural(&mut self, mismatch: impl FnOnce() -> Mismatch) {
        self.add(|| Mismatch { is_structural: true, ..mismatch() });
    }

    fn add(&mut self, mismatch: impl FnOnce() -> Mismatch) {
        self.conforms = false;
        if self.goal == Goal::Report {
            room::push(&mut self.found, mismatch());
        }
    }

    /// Alternatives are distinguished by their types, if possible. If several remain, their rules
    /// decide. Rules only run at the end: see `settle`.
    fn choice(
        &mut self,
        field: &Field,
        choice: &Choice<Field>,
        node: &Node,
        place: &ValuePlace<'_>,
    ) -> Option<Node> {
        let alternatives = choice.alternatives.iter();
        let answers: Vec<Option<Fit>> =
            alternatives.map(|it| fitting(it, node, self.work)).collect();
        let n_fitting = answers.iter().flatten().count();
        let fits = match choice.mode {
            Mode::AnyOf | Mode::OneOf => n_fitting > 0,
            Mode::AllOf => n_fitting == answers.len(),
        };
        if !fits {
            let work = self.work;
            self.structural(|| {
                let origin = place.origin;
                let found = Found { path: place.trail.path(), origin, label: place.label, node };
                let alternatives = choice.alternatives.iter();
                let mismatches: Vec<_> = alternatives
                    .map(|it| conform_node(it, &seen_by(it, node, work), place, work).1)
                    .collect();
                Mismatch::of_choice(&found, field, choice.mode, &mismatches).within(field)
            });
            return Some(field.default.clone());
        }
        let filled: Vec<Option<Node>> =
            answers.into_iter().flatten().map(|it| it.changed).collect();
        match choice.mode {
            Mode::AnyOf | Mode::OneOf if n_fitting == 1 => filled.into_iter().next().flatten(),
            Mode::AnyOf | Mode::OneOf => None,
            Mode::AllOf => all_of::filled(&choice.alternatives, node, &filled, self.work),
        }
    }

    fn map(
        &mut self,
        ty: &MapType,
        map: &Arc<Map>,
        place: &ValuePlace<'_>,
        touched: Touched<'_>,
    ) -> Option<Node> {
        if Arc::ptr_eq(map, ty.default()) {
            return None;
        }
        let part = part_touched(ty, map, touched)
            .unwrap_or_else(|| (0..map.len()).map(|at| (at, Touched::Everything)).collect());
        self.items(ty, map, place, &part)
    }

    /// Checks some of the items of a map. If all were checked, adds the missing ones.
    fn items(
        &mut self,
        ty: &MapType,
        map: &Arc<Map>,
        place: &ValuePlace<'_>,
        part: &[(usize, Touched<'_>)],
    ) -> Option<Node> {
        let positions: Vec<Option<usize>> =
            part.iter().map(|&(at, _)| ty.position(&map.items()[at].key)).collect();
        let mut unknown = HashSet::new();
        for (&(at, _), position) in part.iter().zip(&positions) {
            if position.is_none() && ty.any_key().is_none() {
                self.unknown_key(ty, map, at, place);
                unknown.insert(at);
            }
        }
        let mut changed = Vec::new();
        for (&(at, touched), position) in part.iter().zip(&positions) {
            let field = match *position {
                Some(position) => &ty.fields()[position],
                None => match ty.any_key() {
                    Some(field) => field,
                    None => continue,
                },
            };
            let item = &map.items()[at];
            let place = ValuePlace {
                origin: item.origin,
                label: Some(Label::Key(&item.key)),
                trail: &Trail::Key(place.trail, &item.key),
            };
            let filled = self.value(field, &item.node, &place, touched);
            changed.extend(filled.map(|node| (at, node)));
        }
        let saw_all = part.len() == map.len();
        let missing = if saw_all { missing(ty, &positions) } else { Vec::new() };
        let is_same = changed.is_empty() && missing.is_empty() && unknown.is_empty();
        if is_same || !self.work.build_items(map.len() + missing.len()) {
            return None;
        }
        let whole = Node::Map(Arc::clone(map)).with_children(changed);
        if missing.is_empty() && unknown.is_empty() {
            return whole;
        }
        let mut whole = whole.unwrap_or_else(|| Node::Map(Arc::clone(map)));
        let items = whole.map_mut()?.items_mut();
        if !unknown.is_empty() {
            let mut at = 0..;
            items.retain(|_| !at.next().is_some_and(|at| unknown.contains(&at)));
        }
        items.extend(missing.into_iter().cloned());
        Some(whole)
    }

    fn unknown_key(&mut self, ty: &MapType, map: &Map, at: usize, place: &ValuePlace<'_>) {
        self.conforms = false;
        if self.goal == Goal::Answer {
            return;
        }
        let item = &map.items()[at];
        let found = Found {
            path: Trail::Key(place.trail, &item.key).path(),
            origin: item.origin,
            label: Some(Label::Key(&item.key)),
            node: &item.node,
        };
        let mismatch = Mismatch::of_key(&found, &item.key, ty, &mut self.hint_budget);
        room::push(&mut self.found, mismatch);
    }

    fn array(
        &mut self,
        ty: &ArrayType,
        array: &Arc<Array>,
        place: &ValuePlace<'_>,
    ) -> Option<Node> {
        let mut changed = Vec::new();
        for (at, item) in array.items.iter().enumerate() {
            let place = ValuePlace {
                origin: item.origin,
                label: Some(Label::Item),
                trail: &Trail::Index(place.trail, at),
            };
            let filled = self.value(&ty.item, &item.node, &place, Touched::Everything);
            changed.extend(filled.map(|node| (at, node)));
        }
        if changed.is_empty() || !self.work.build_items(array.items.len()) {
            return None;
        }
        Node::Array(Arc::clone(array)).with_children(changed)
    }
}

/// Returns the items that a map of this type always has and that are not at any of these positions.
fn missing<'a>(ty: &'a MapType, given: &[Option<usize>]) -> Vec<&'a MapItem> {
    let mut is_given = vec![false; ty.fields().len()];
    for &position in given.iter().flatten() {
        is_given[position] = true;
    }
    let items = ty.items().items().iter().zip(ty.presence()).zip(is_given);
    let missing = items
        .filter(|((_, presence), is_given)| !is_given && **presence == Presence::Always)
        .map(|((item, _), _)| item);
    missing.collect()
}

fn mismatch(field: &Field, node: &Node, place: &ValuePlace<'_>, origin: Origin) -> Mismatch {
    let origin = if origin.span().is_some() { origin } else { place.origin };
    let found = Found { path: place.trail.path(), origin, label: place.label, node };
    let declared_at = match &field.ty {
        Type::Map(map) => map.origin,
        Type::Array(array) => array.origin,
        Type::Scalar(_) | Type::Kinds(_) | Type::Choice(_) | Type::Any => field.origin,
    };
    Mismatch::of_type(found, &field.ty, declared_at).within(field)
}

/// Integers are accepted as floats.
fn admits(kinds: &[NodeKind], node: &Node) -> bool {
    let kind = node.kind();
    kinds.contains(&kind) || (kind == NodeKind::Integer && kinds.contains(&NodeKind::Float))
}

impl Scalar {
    fn admits(self, node: &Node) -> bool {
        match self {
            Self::Boolean => matches!(node, Node::Bool(_)),
            Self::Integer => matches!(node, Node::Int(_) | Node::UInt(_)),
            Self::Float => matches!(node, Node::Float(_) | Node::Int(_) | Node::UInt(_)),
            Self::String => matches!(node, Node::String(_)),
        }
    }
}
