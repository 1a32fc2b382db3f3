//! Alternatives: which of them a value fits, and which to speak of where it fits none.

use plumb_source::Origin;
use plumb_validation::Violation;
use plumb_value::Node;

use crate::check::Checker;
use crate::finding::{NOT_VALID, WRONG_TYPE};
use crate::shape::{Shape, ShapeId, Types};

impl Checker<'_> {
    pub(crate) fn alternatives(&mut self, shape: &Shape, node: &Node, origin: Origin) {
        let fitting = |checker: &mut Self, parts: &[ShapeId]| {
            parts.iter().filter(|it| checker.accepts(**it, node, origin)).count()
        };
        if !shape.any_of.is_empty() && fitting(self, &shape.any_of) == 0 {
            self.nearest_alternative(&shape.any_of, node, origin);
        }
        if !shape.one_of.is_empty() {
            match fitting(self, &shape.one_of) {
                1 => {}
                0 => self.nearest_alternative(&shape.one_of, node, origin),
                n => {
                    let found = format!("it fits {n} of them");
                    let required = "a value that fits one of the alternatives";
                    self.report(NOT_VALID, origin, required, &found);
                }
            }
        }
        if let Some(not) = shape.not
            && self.accepts(not, node, origin)
        {
            self.report(NOT_VALID, origin, "a value that is not ruled out", "it is");
        }
    }

    /// Whether a value is valid, without a word about it.
    fn accepts(&mut self, id: ShapeId, node: &Node, origin: Origin) -> bool {
        let before = (self.is_quiet, self.has_objections);
        (self.is_quiet, self.has_objections) = (true, false);
        self.value(id, node, origin);
        let is_accepted = !self.has_objections;
        (self.is_quiet, self.has_objections) = before;
        is_accepted
    }

    fn objections(&mut self, id: ShapeId, node: &Node, origin: Origin) -> Vec<Violation> {
        let before = std::mem::take(&mut self.violations);
        self.value(id, node, origin);
        std::mem::replace(&mut self.violations, before)
    }

    /// Says what is wrong by the alternative with the least against the value.
    fn nearest_alternative(&mut self, parts: &[ShapeId], node: &Node, origin: Origin) {
        if self.is_quiet {
            self.has_objections = true;
            return;
        }
        let all: Vec<Vec<Violation>> =
            parts.iter().map(|it| self.objections(*it, node, origin)).collect();
        let is_about_value = |it: &Violation| it.path.steps().len() == self.path.steps().len();
        let are_types =
            all.iter().all(|it| it.iter().all(|it| it.code == WRONG_TYPE && is_about_value(it)));
        if are_types {
            let types = parts.iter().filter_map(|it| self.catalog.shapes[*it].types);
            let types = types.fold(Types::NONE, Types::with);
            self.wrong_type(types, node, origin);
            return;
        }
        let of_type =
            |it: &&Vec<Violation>| !it.iter().any(|it| it.code == WRONG_TYPE && is_about_value(it));
        let nearest = all.iter().filter(of_type).min_by_key(|it| it.len());
        self.violations.extend(nearest.into_iter().flatten().cloned());
    }
}
