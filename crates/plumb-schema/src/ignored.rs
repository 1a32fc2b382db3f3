//! Annotations of schemas in places where they have no effect.

use std::collections::BTreeSet;

use plumb_diagnostic::{Code, Diagnostic};
use plumb_source::message::plain;
use plumb_source::{Span, message};
use plumb_value::{Annotation, Datum, Document, Meta, Node};

use crate::annotation::{RULES, STRING_DEFAULTS, TYPE};

/// An annotation of a schema has no effect in this place.
///
/// It is in a document that is not a schema, or within a value of any type. In templates, write a
/// rule as `@assert/validate`; a rule about a data value belongs in its schema. Instead of a rule
/// within a value of any type, write one on that value. Data values cannot remove rules of their
/// schema: edit them in another schema document.
pub const WITHOUT_EFFECT: Code = Code::new("schema/without-effect");

/// Warns about each annotation of a schema in a document that is not a schema.
pub fn outside_schema(document: &Document) -> Vec<Diagnostic> {
    let below = document.node.descendants().map(|(meta, _)| meta);
    let annotations = of_schemas(std::iter::once(&document.meta).chain(below));
    let is_values = document.meta.annotation("data/values").is_some();
    once_each(annotations, |it| {
        let help = if is_rule(&it.name) && !is_values {
            "write `@assert/validate`: it has the same arguments"
        } else {
            "move it to a schema of data values, or remove it"
        };
        warning(it, "the document is not a schema", help)
    })
}

/// Warns about each annotation in data values that would remove or replace rules of their schema:
/// the rules belong to the schema, not to the values.
pub fn kept_rules(values: &Document) -> Vec<Diagnostic> {
    let below = values.node.descendants().map(|(meta, _)| meta);
    let metas = std::iter::once(&values.meta).chain(below);
    let edits = metas.flat_map(|meta| {
        let has_rule = meta.annotations().iter().any(|it| is_rule(&it.name));
        let is_removal = |it: &Annotation| {
            let mut names = it.args.iter().filter_map(Datum::as_str);
            names.any(|name| is_rule(name.strip_prefix('@').unwrap_or(name)))
        };
        let removal = meta.annotation("overlay/remove-anns").filter(|it| is_removal(it));
        let replacement = meta.annotation("overlay/replace-ann").filter(|_| has_rule);
        [(removal, "remove"), (replacement, "replace")]
    });
    let edits = edits.filter_map(|(annotation, verb)| Some((annotation?, verb)));
    let warning = |(annotation, verb): (&Annotation, &'static str)| {
        let message = message!(
            "@{} does not {verb} rules of the schema: data values keep them",
            plain(&annotation.name)
        );
        Diagnostic::warning(WITHOUT_EFFECT, message)
            .at(annotation.span, "")
            .help("write it in another schema document: `#@data/values-schema`")
    };
    edits.map(warning).collect()
}

fn is_rule(name: &str) -> bool {
    RULES.contains(&name)
}

/// Removes the annotations of a schema from a document that is not a schema.
pub fn without_schema(document: &mut Document) {
    drop_annotations(&mut document.meta);
    drop_below(&mut document.node);
}

/// Warns about each annotation within a value of any type of a schema.
/// `@schema/validation-defaults-for-strings` is copied to all nodes, so it is not a mistake of the
/// author.
pub fn within_any(schema: &Document) -> Vec<Diagnostic> {
    let holders = std::iter::once((&schema.meta, &schema.node)).chain(schema.node.descendants());
    let of_any_type = holders.filter(|(meta, _)| is_of_any_type(meta)).map(|(_, node)| node);
    let metas = of_any_type.flat_map(Node::descendants).map(|(meta, _)| meta);
    let annotations = of_schemas(metas).filter(|it| &*it.name != STRING_DEFAULTS);
    once_each(annotations, |it| {
        let help = if is_rule(&it.name) {
            "write a rule on the value of any type, or declare its type"
        } else {
            "remove it"
        };
        warning(it, "it is within a value of any type", help)
    })
}

fn is_of_any_type(meta: &Meta) -> bool {
    let is_true = |it: &Datum| matches!(it, Datum::Node(Node::Bool(true)));
    meta.annotation(TYPE).is_some_and(|it| {
        it.kwarg("any").is_some_and(is_true) || it.args.iter().any(|it| it.as_str() == Some("any"))
    })
}

fn of_schemas<'a>(metas: impl Iterator<Item = &'a Meta>) -> impl Iterator<Item = &'a Annotation> {
    metas.flat_map(Meta::annotations).filter(|it| is_of_schemas(it))
}

fn is_of_schemas(annotation: &Annotation) -> bool {
    annotation.name.starts_with("schema/")
}

/// Reports each annotation once, even if many nodes have it.
fn once_each<'a>(
    annotations: impl Iterator<Item = &'a Annotation>,
    warning: impl Fn(&Annotation) -> Diagnostic,
) -> Vec<Diagnostic> {
    let mut reported: BTreeSet<Span> = BTreeSet::new();
    annotations
        .filter(|it| it.span.is_some_and(|span| reported.insert(span)))
        .map(warning)
        .collect()
}

fn warning(annotation: &Annotation, reason: &'static str, help: &'static str) -> Diagnostic {
    let message = message!("@{} has no effect: {reason}", plain(&annotation.name));
    Diagnostic::warning(WITHOUT_EFFECT, message).at(annotation.span, "").help(help)
}

fn drop_annotations(meta: &mut Meta) {
    if meta.annotations().iter().any(is_of_schemas) {
        meta.annotations_mut().retain(|it| !is_of_schemas(it));
    }
}

fn drop_below(node: &mut Node) {
    for (meta, child) in node.children_mut() {
        drop_annotations(meta);
        drop_below(child);
    }
}
