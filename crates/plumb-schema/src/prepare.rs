//! Copies annotations that apply to all nodes of a schema document to each node.
//!
//! `#@schema` (its dialect) and `@schema/validation-defaults-for-strings` apply to everything below
//! their node. They are copied before a schema document is merged into another schema, because they
//! must not apply to the other schema's nodes. Which nodes are strings is only known after all
//! schemas are merged. The compiler then ignores the annotations on other nodes, and on nodes with
//! their own rules.

use plumb_diagnostic::{Code, Diagnostic};
use plumb_value::{Annotation, Datum, Document, Meta, Node};

use crate::annotation::STRING_DEFAULTS;

/// The annotation of a document whose keys must all have a value in the end.
pub(crate) const STRICT: &str = "schema";

/// The annotations that are copied to all nodes below.
const INHERITED: [&str; 2] = [STRICT, STRING_DEFAULTS];

/// A schema document is attached to a kind of documents that schemas cannot describe.
///
/// Schemas describe data values: write `#@schema` or `#@schema attach="data/values"`.
pub const ATTACH: Code = Code::new("schema/attach");

/// The facts of [`ATTACH`].
#[derive(Clone, Copy, Debug)]
pub struct WrongAttach;

/// Copies annotations that apply to all nodes of a schema document to each node. Call it before the
/// document is merged with others.
pub fn prepare(document: &mut Document) -> Result<(), Box<Diagnostic>> {
    if let Some(annotation) = document.meta.annotation(STRICT) {
        check_attach(annotation)?;
    }
    let mut below = document.node.descendants();
    if !has_inherited(&document.meta) && !below.any(|(meta, _)| has_inherited(meta)) {
        return Ok(());
    }
    let own = INHERITED.map(|name| document.meta.annotation(name).cloned());
    push_down(&mut document.node, &own);
    Ok(())
}

fn check_attach(annotation: &Annotation) -> Result<(), Box<Diagnostic>> {
    let is_known = annotation.args.is_empty()
        && annotation.kwargs.iter().all(|(name, value)| {
            &**name == "attach" && Datum::as_str(value) == Some("data/values")
        });
    if is_known {
        return Ok(());
    }
    let message = "expected @schema to have no argument, or attach=\"data/values\"";
    let diagnostic = Diagnostic::error(ATTACH, message)
        .with_facts(WrongAttach)
        .at(annotation.span, "a schema cannot be attached to this")
        .help("remove the argument: a schema describes the data values");
    Err(Box::new(diagnostic))
}

fn has_inherited(meta: &Meta) -> bool {
    INHERITED.iter().any(|name| meta.annotations().has(name))
}

type Inherited = [Option<Annotation>; INHERITED.len()];

fn push_down(node: &mut Node, inherited: &Inherited) {
    for (meta, child) in node.children_mut() {
        let own = settle(meta, inherited);
        push_down(child, &own);
    }
}

/// Returns the annotations that apply to a node: its own, or the inherited ones, which are added to
/// it.
fn settle(meta: &mut Meta, inherited: &Inherited) -> Inherited {
    let mut holds = inherited.clone();
    for (name, annotation) in INHERITED.iter().zip(&mut holds) {
        match (meta.annotation(name), annotation) {
            (Some(own), annotation) => *annotation = Some(own.clone()),
            (None, Some(annotation)) => meta.annotations_mut().set(annotation.clone()),
            (None, None) => {}
        }
    }
    holds
}
