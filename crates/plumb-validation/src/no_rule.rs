//! Validations without a rule, which check nothing.

use std::collections::BTreeSet;

use plumb_diagnostic::{Code, Diagnostic};
use plumb_source::message::plain;
use plumb_source::{Span, message};
use plumb_value::{Annotation, Document, Meta};

/// A validation has no rule, so it checks nothing.
///
/// `when=` only states when rules apply. Add a rule, such as `min_len=1` or a function.
pub const NO_RULE: Code = Code::new("validation/no-rule");

/// Returns whether arguments of a validation contain no rule.
pub fn has_no_rule(annotation: &Annotation) -> bool {
    annotation.args.is_empty() && annotation.kwargs.iter().all(|(name, _)| &**name == "when")
}

/// Warns about each annotation with one of these names that has a condition, but no rule.
pub fn conditions_alone(document: &Document, names: &[&str]) -> Vec<Diagnostic> {
    let below = document.node.descendants().map(|(meta, _)| meta);
    let metas = std::iter::once(&document.meta).chain(below);
    let mut reported: BTreeSet<Span> = BTreeSet::new();
    let alone = metas.flat_map(Meta::annotations).filter(|it| {
        names.contains(&&*it.name)
            && !it.kwargs.is_empty()
            && has_no_rule(it)
            && it.span.is_some_and(|span| reported.insert(span))
    });
    let warning = alone.map(|it| {
        let message =
            message!("@{} has only when=: without a rule, it checks nothing", plain(&it.name));
        let help = "add a rule, such as min_len=1 or a function";
        Diagnostic::warning(NO_RULE, message).at(it.span, "").help(help)
    });
    warning.collect()
}
