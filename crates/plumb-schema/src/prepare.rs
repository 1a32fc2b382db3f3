//! What a schema document says about all its nodes, put on each of them.
//!
//! `#@schema` (its dialect) and `@schema/validation-defaults-for-strings` hold for everything below
//! the node they stand on. They are pushed down while a schema document is still on its own: laid
//! over another schema, they must say nothing about the other's nodes. Which of the nodes are
//! strings is known only when all schemas are one; the compiler then leaves out the others, and
//! those with rules of their own.

use plumb_diagnostic::{Code, Diagnostic};
use plumb_value::{Annotation, Datum, Document, Meta, Node};

/// The annotation of a document whose keys must end up with a value.
pub(crate) const STRICT: &str = "schema";
pub(crate) const STRING_DEFAULTS: &str = "schema/validation-defaults-for-strings";

/// What is pushed down.
const INHERITED: [&str; 2] = [STRICT, STRING_DEFAULTS];

/// A schema document is attached to a kind of documents that schemas cannot describe.
///
/// Schemas describe data values: write `#@schema` or `#@schema attach="data/values"`.
pub const ATTACH: Code = Code::new("schema/attach");

/// Gives the nodes of a schema document what holds for all of them. Call it before the document is
/// laid over others, or others over it.
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
    let message =
        "Invalid @schema annotation - expected no argument or attach= with one of: \"data/values\"";
    let mut diagnostic = Diagnostic::error(ATTACH, message);
    if let Some(span) = annotation.span {
        diagnostic = diagnostic.label(span, "a schema cannot be attached to this");
    }
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

/// What holds for a node: what it says itself, or what comes from above, which it then gets.
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
