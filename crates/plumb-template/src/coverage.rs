//! What is counted while templates are evaluated, for coverage.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use plumb_source::{Origin, Span, Text};
use plumb_starlark::{Point, PointKind, Program};
use plumb_value::{Node, Uses};

use crate::program::{Constant, Operation, Plan, Tag};

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
    /// The uses of the overlay operation that contains it: if the operation was not applied, the
    /// part had no effect.
    pub operation: Option<Arc<Uses>>,
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
        for (_, name, span) in plan.into_iter().flat_map(|it| annotations(it.0)) {
            if is_counted(name) {
                let counter = Counter { name: Arc::clone(name), uses: Arc::default() };
                counted.annotations.entry(span).or_insert(counter);
            }
        }
        let overlays = plan.map(|it| overlays(it.0, &counted.annotations)).unwrap_or_default();
        for point in program.points() {
            let mut places: Vec<Span> = point.span.into_iter().collect();
            let mut within = None;
            if let (PointKind::Instruction(op), Some((plan, first_op))) = (&point.kind, plan) {
                let number = op - first_op;
                let operation = plan.operation(number);
                if let (Operation::AddText(text, _), Some(span)) = (operation, point.span) {
                    places = lines_of(text, span);
                }
                places.extend(places_of(operation));
                within = overlays.get(number as usize).cloned().flatten();
            }
            counted.parts.push(Part { point: Arc::clone(point), places, operation: within });
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

/// The annotations that the operations of a plan store: node, name and place of each.
fn annotations(plan: &Plan) -> impl Iterator<Item = (Tag, &Arc<str>, Span)> {
    plan.operations().iter().filter_map(|operation| match operation {
        Operation::Annotate(tag, name, span) | Operation::AnnotateQuoted(tag, name, span) => {
            Some((*tag, &plan.name(*name).name, *span))
        }
        _ => None,
    })
}

/// For each operation of a plan, the uses of the nearest overlay annotation on its node or above
/// it.
fn overlays(plan: &Plan, counters: &HashMap<Span, Counter>) -> Vec<Option<Arc<Uses>>> {
    let mut own: HashMap<Tag, Arc<Uses>> = HashMap::new();
    for (tag, name, span) in annotations(plan) {
        if name.starts_with(OVERLAY) {
            own.extend(counters.get(&span).map(|it| (tag, Arc::clone(&it.uses))));
        }
    }
    if own.is_empty() {
        return Vec::new();
    }
    // A node comes after the node that contains it.
    let mut nearest: HashMap<Tag, Arc<Uses>> = HashMap::new();
    for tag in plan.tags() {
        let uses = own.get(&tag).or_else(|| nearest.get(&plan.node(tag).parent)).cloned();
        nearest.extend(uses.map(|it| (tag, it)));
    }
    let mut current = Tag::ROOT;
    let of_operation = |operation: &Operation| {
        let tag = match operation {
            Operation::Start(tag) => {
                current = *tag;
                *tag
            }
            Operation::Add { parent, .. } => *parent,
            Operation::Annotate(tag, ..)
            | Operation::AnnotateQuoted(tag, ..)
            | Operation::SetKey(tag) => *tag,
            Operation::SetScalar(_)
            | Operation::SetValue(_)
            | Operation::SetText
            | Operation::StartText
            | Operation::AddText(..)
            | Operation::AddTextValue(_)
            | Operation::End => current,
        };
        nearest.get(&tag).cloned()
    };
    plan.operations().iter().map(of_operation).collect()
}

/// The prefix of the names of overlay annotations.
const OVERLAY: &str = "overlay/";

/// Whether an annotation declares an operation or rules that are counted.
fn is_counted(name: &str) -> bool {
    name.starts_with(OVERLAY) || matches!(name, "schema/validation" | "assert/validate")
}

/// The places of the nodes that an instruction adds without computing them.
fn places_of(operation: &Operation) -> Vec<Span> {
    let Operation::Add { constant, .. } = operation else { return Vec::new() };
    let node = match &**constant {
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
