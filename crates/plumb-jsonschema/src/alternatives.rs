//! Alternatives and conditions: which of them a value satisfies, and which to report if it
//! satisfies none.

use plumb_source::Origin;
use plumb_value::Node;

use crate::Types;
use crate::check::Checker;
use crate::evaluated::Evaluated;
use crate::finding::{Finding, FindingKind};
use crate::shape::{Manner, Shape, ShapeId};

impl Checker<'_> {
    pub(crate) fn alternatives(
        &mut self,
        shape: &Shape,
        node: &Node,
        origin: Origin,
        mut seen: Option<&mut Evaluated>,
    ) {
        if !shape.any_of.is_empty() {
            // All satisfied alternatives contribute to the evaluated keys and items, so none may be
            // skipped.
            let is_fitting = match seen.as_deref_mut() {
                Some(seen) => self.n_fitting(&shape.any_of, node, origin, Some(seen)) > 0,
                None => shape.any_of.iter().any(|it| self.accepts(*it, node, origin, None)),
            };
            if !is_fitting {
                self.nearest_alternative(FindingKind::NoneOf, &shape.any_of, node, origin);
            }
        }
        if !shape.one_of.is_empty() {
            match self.n_fitting(&shape.one_of, node, origin, seen.as_deref_mut()) {
                1 => {}
                0 => {
                    let kind = FindingKind::NotOneOf { n_fitting: 0 };
                    self.nearest_alternative(kind, &shape.one_of, node, origin);
                }
                n_fitting => self.report(FindingKind::NotOneOf { n_fitting }, origin),
            }
        }
        if let Some(not) = shape.not
            && self.accepts(not, node, origin, None)
        {
            self.report(FindingKind::RuledOut, origin);
        }
        let Some(rare) = shape.rare.as_deref() else {
            return;
        };
        if let Some(condition) = &rare.condition {
            let is_met = self.accepts(condition.test, node, origin, seen.as_deref_mut());
            let branch = if is_met { condition.then } else { condition.otherwise };
            if let Some(branch) = branch {
                self.in_place(branch, node, origin, seen.as_deref_mut());
            }
        }
        if let Node::Map(map) = node {
            let dependent = rare.dependent.iter().filter(|it| map.position_of(&it.0).is_some());
            for (_, shape) in dependent {
                self.in_place(*shape, node, origin, seen.as_deref_mut());
            }
        }
        for reference in &rare.dynamic {
            let outer = self.scope.iter().find_map(|resource| {
                self.shapes.dynamic.get(&(*resource, reference.anchor.clone()))
            });
            let target = outer.copied().unwrap_or(reference.target);
            self.in_place(target, node, origin, seen.as_deref_mut());
        }
    }

    /// How many of some shapes accept a value.
    fn n_fitting(
        &mut self,
        parts: &[ShapeId],
        node: &Node,
        origin: Origin,
        mut seen: Option<&mut Evaluated>,
    ) -> usize {
        let fitting =
            parts.iter().filter(|it| self.accepts(**it, node, origin, seen.as_deref_mut()));
        fitting.count()
    }

    /// Returns whether a value is valid. Nothing is reported. `seen` is updated only if the value
    /// is valid.
    pub(crate) fn accepts(
        &mut self,
        id: ShapeId,
        node: &Node,
        origin: Origin,
        seen: Option<&mut Evaluated>,
    ) -> bool {
        let before = (self.is_quiet, self.has_found);
        (self.is_quiet, self.has_found) = (true, false);
        let mut own = seen.is_some().then(Evaluated::default);
        self.in_place(id, node, origin, own.as_mut());
        let is_accepted = !self.has_found;
        (self.is_quiet, self.has_found) = before;
        if let (Some(seen), Some(own), true) = (seen, own, is_accepted) {
            seen.add(&own);
        }
        is_accepted
    }

    fn findings_of(&mut self, id: ShapeId, node: &Node, origin: Origin) -> Vec<Finding> {
        let before = std::mem::take(&mut self.findings);
        self.in_place(id, node, origin, None);
        std::mem::replace(&mut self.findings, before)
    }

    /// Reports the findings of the alternative that has the fewest, or that there are no
    /// alternatives.
    fn nearest_alternative(
        &mut self,
        kind: FindingKind,
        parts: &[ShapeId],
        node: &Node,
        origin: Origin,
    ) {
        if self.is_quiet || self.manner == Manner::JsonSchema {
            self.report(kind, origin);
            return;
        }
        let all: Vec<Vec<Finding>> =
            parts.iter().map(|it| self.findings_of(*it, node, origin)).collect();
        let here = self.path.steps().len();
        let is_of_type = |it: &Finding| {
            matches!(it.kind, FindingKind::Type { .. }) && it.path.steps().len() == here
        };
        if all.iter().all(|it| it.iter().all(is_of_type)) {
            let types = parts.iter().filter_map(|it| self.shapes.get(*it).types);
            let types = types.fold(Types::NONE, Types::with);
            self.wrong_type(types, node, origin);
            return;
        }
        let of_type = |it: &&Vec<Finding>| !it.iter().any(is_of_type);
        let nearest = all.iter().filter(of_type).min_by_key(|it| it.len());
        self.findings.extend(nearest.into_iter().flatten().cloned());
    }
}
