//! What is counted while templates are evaluated, for coverage.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use plumb_source::{Origin, Span, Text};
use plumb_starlark::{Point, PointKind, Program};
use plumb_value::{Node, Uses};

use crate::program::{Constant, Operation, Plan};

/// Everything that is counted in the templates of several runs.
#[derive(Debug, Default)]
pub struct Coverage(Mutex<Counted>);

#[derive(Debug, Default)]
struct Counted {
    parts: Vec<Part>,
    annotations: HashMap<Span, Counter>,
}

#[derive(Clone, Debug)]
struct Counter {
    name: Arc<str>,
    uses: Arc<Uses>,
}

/// A part of a program.
#[derive(Clone, Debug)]
pub struct Part {
    pub point: Arc<Point>,
    /// Every place that belongs to it: a part without code may have many lines.
    pub places: Vec<Span>,
}

/// An annotation that declares an overlay operation or rules.
#[derive(Clone, Debug)]
pub struct CountedAnnotation {
    /// Its name without `@`.
    pub name: Arc<str>,
    pub place: Span,
    pub uses: Arc<Uses>,
}

impl Coverage {
    /// All parts of programs, in the order in which they were compiled.
    pub fn parts(&self) -> Vec<Part> {
        self.lock().parts.clone()
    }

    /// All annotations that are counted, in the order of their places.
    pub fn annotations(&self) -> Vec<CountedAnnotation> {
        let counted = self.lock();
        let mut all: Vec<CountedAnnotation> = counted
            .annotations
            .iter()
            .map(|(place, it)| CountedAnnotation {
                name: Arc::clone(&it.name),
                place: *place,
                uses: Arc::clone(&it.uses),
            })
            .collect();
        all.sort_by_key(|it| it.place);
        all
    }

    /// Adds a program whose instructions are numbered from `first_op` on.
    pub(crate) fn add(&self, program: &Program, plan: Option<(&Plan, u32)>) {
        let mut counted = self.lock();
        for point in program.points() {
            let mut places: Vec<Span> = point.span.into_iter().collect();
            if let (PointKind::Instruction(op), Some((plan, first_op))) = (&point.kind, plan) {
                let operation = plan.operation(op - first_op);
                if let (Operation::AddText(text), Some(span)) = (operation, point.span) {
                    places = lines_of(text, span);
                }
                places.extend(places_of(operation));
                if let Operation::Annotate(_, name, span) | Operation::AnnotateQuoted(_, name, span) =
                    operation
                    && is_counted(name)
                {
                    let uses = Arc::default();
                    let counter = Counter { name: Arc::clone(name), uses };
                    counted.annotations.entry(*span).or_insert(counter);
                }
            }
            counted.parts.push(Part { point: Arc::clone(point), places });
        }
    }

    /// The counter of an annotation. Returns `None` if it is not counted.
    pub(crate) fn uses(&self, span: Span) -> Option<Arc<Uses>> {
        self.lock().annotations.get(&span).map(|it| Arc::clone(&it.uses))
    }

    fn lock(&self) -> MutexGuard<'_, Counted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether an annotation declares something that can have an effect, or not.
fn is_counted(name: &str) -> bool {
    name.starts_with("overlay/") || matches!(name, "schema/validation" | "assert/validate")
}

/// The places of the nodes that an instruction adds without computing them.
fn places_of(operation: &Operation) -> Vec<Span> {
    let Operation::Add { constant, .. } = operation else { return Vec::new() };
    let node = match constant {
        Constant::Document(document) => &document.node,
        Constant::MapItem(item) => &item.node,
        Constant::ArrayItem(item) => &item.node,
    };
    let mut places = Vec::new();
    collect(node, &mut places);
    places
}

/// The places of the lines of a text that are not blank.
fn lines_of(text: &Text, span: Span) -> Vec<Span> {
    let mut places = Vec::new();
    let mut at = span.start;
    for line in text.as_bytes().split(|it| *it == b'\n') {
        if !line.trim_ascii().is_empty() {
            places.push(Span::new(span.file, at, at));
        }
        at += u32::try_from(line.len()).expect("inside its source") + 1;
    }
    places
}

fn collect(node: &Node, places: &mut Vec<Span>) {
    for (origin, below) in node.parts() {
        if let Origin::Written(span) = origin {
            places.push(span);
        }
        collect(below, places);
    }
}
