//! Edits annotations of the left side, which a merge would keep unchanged.
//!
//! `@overlay/replace-ann` replaces annotations with those of the same name on the right side,
//! `@overlay/merge-anns` adds arguments to them, and `@overlay/remove-anns` removes annotations by
//! name or by a predicate. `@overlay/…` annotations themselves are never copied.

use plumb_diagnostic::Diagnostic;
use plumb_source::message;
use plumb_value::{Annotation, Annotations, Callable, Datum, Meta, OUTPUT_COMMENT};

use crate::annotation::{
    MERGE_ANNS, NAMESPACE, REMOVE_ANNS, REPLACE_ANN, function, placed, unknown_argument,
};
use crate::finding::{BAD_ARGUMENT, BAD_OPERATION, FUNCTION_FAILED, finding, from_call};
use crate::matcher::to_bool;

/// Annotations in these namespaces have an effect on a document or data value.
const EFFECTIVE_NAMESPACES: [&str; 2] = ["schema/", "assert/"];

/// This annotation is always copied: it applies to all nodes of the document in which it was
/// written, and the schema adds it to each of them before documents are merged. Rules of the node
/// itself take precedence.
const INHERITED: &str = "schema/validation-defaults-for-strings";

/// These annotations are always copied. Of several comments, the last one is used.
const CARRIED: [&str; 2] = [INHERITED, OUTPUT_COMMENT];

/// The changes that an item of an overlay makes to the annotations of the nodes that it matches.
pub(crate) struct Edit<'r> {
    removal: Option<Removal<'r>>,
    placing: Placing,
}

/// `@overlay/remove-anns`
struct Removal<'r> {
    names: Vec<&'r str>,
    via: Option<&'r dyn Callable>,
}

/// What happens to the annotations of the right side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Placing {
    /// They have no effect.
    None,
    /// They are added if the left side has no annotation of that name; used together with a
    /// removal.
    Add,
    Replace,
    Merge,
}

impl<'r> Edit<'r> {
    pub(crate) fn of(meta: &'r Meta) -> Result<Self, Box<Diagnostic>> {
        let removal = meta.annotation(REMOVE_ANNS).map(Removal::of).transpose()?;
        let replace = meta.annotation(REPLACE_ANN);
        let merge = meta.annotation(MERGE_ANNS);
        for annotation in replace.into_iter().chain(merge) {
            if let Some((name, _)) = annotation.kwargs.first() {
                return Err(unknown_argument(annotation, name));
            }
        }
        let placing = match (replace, merge, &removal) {
            (Some(_), Some(merge), _) => {
                let message =
                    message!("expected only one of @{REPLACE_ANN} and @{MERGE_ANNS}, found both");
                return Err(placed(finding(BAD_OPERATION, message), merge));
            }
            (Some(_), None, _) => Placing::Replace,
            (None, Some(_), _) => Placing::Merge,
            (None, None, Some(_)) => Placing::Add,
            (None, None, None) => Placing::None,
        };
        Ok(Self { removal, placing })
    }

    pub(crate) fn is_any(&self) -> bool {
        self.placing != Placing::None
    }

    /// Changes the annotations of a matched item. Returns the annotations of the right side that
    /// have no effect although their author probably intended one.
    pub(crate) fn apply(
        &self,
        left: &mut Meta,
        right: &'r Meta,
    ) -> Result<Vec<&'r Annotation>, Box<Diagnostic>> {
        if let Some(removal) = &self.removal {
            removal.apply(left)?;
        }
        let mut ignored = Vec::new();
        for annotation in right.annotations() {
            if annotation.name.starts_with(NAMESPACE) {
                continue;
            }
            if CARRIED.contains(&&*annotation.name) {
                put(left.annotations_mut(), annotation);
                continue;
            }
            let old = same_name(left.annotations(), &annotation.name);
            match (self.placing, old) {
                (Placing::None, _) | (Placing::Add, Some(_)) => {
                    let is_there = old.is_some_and(|it| it.is_bare() && annotation.is_bare());
                    if is_effective(&annotation.name) && !is_there {
                        ignored.push(annotation);
                    }
                }
                (Placing::Merge, Some(old)) => {
                    let mut merged = old.clone();
                    merged.merge(annotation);
                    left.annotations_mut().set(merged);
                }
                (Placing::Add | Placing::Replace | Placing::Merge, _) => {
                    put(left.annotations_mut(), annotation);
                }
            }
        }
        Ok(ignored)
    }
}

/// Returns whether the right side has an annotation that is always copied.
pub(crate) fn carries_over(right: &Meta) -> bool {
    right.annotations().iter().any(|it| CARRIED.contains(&&*it.name))
}

impl<'r> Removal<'r> {
    fn of(annotation: &'r Annotation) -> Result<Self, Box<Diagnostic>> {
        let mut names = Vec::new();
        for name in &annotation.args {
            let Some(text) = name.as_str() else {
                let found = name.type_words();
                let message = message!(
                    "expected the arguments of @{REMOVE_ANNS} to be strings, found {}",
                    found
                );
                return Err(placed(finding(BAD_ARGUMENT, message), annotation));
            };
            names.push(text.strip_prefix('@').unwrap_or(text));
        }
        let mut via = None;
        for (name, value) in &annotation.kwargs {
            match &**name {
                "via" => via = Some(function(annotation, name, value)?),
                _ => return Err(unknown_argument(annotation, name)),
            }
        }
        if names.is_empty() && via.is_none() {
            let message = message!(
                "expected @{REMOVE_ANNS} to have the names of annotations, or the argument `via`"
            );
            return Err(placed(finding(BAD_ARGUMENT, message), annotation));
        }
        Ok(Self { names, via })
    }

    fn apply(&self, left: &mut Meta) -> Result<(), Box<Diagnostic>> {
        let mut doomed = Vec::new();
        for annotation in left.annotations() {
            if self.is_for(&annotation.name)? {
                doomed.push(annotation.name.clone());
            }
        }
        if !doomed.is_empty() {
            left.annotations_mut().retain(|it| !doomed.contains(&it.name));
        }
        Ok(())
    }

    fn is_for(&self, name: &str) -> Result<bool, Box<Diagnostic>> {
        if self.names.iter().any(|it| is_same_name(it, name)) {
            return Ok(true);
        }
        let Some(predicate) = self.via else { return Ok(false) };
        let answer = predicate
            .call(vec![Datum::Node(name.into())])
            .map_err(|error| from_call(FUNCTION_FAILED, error))?;
        to_bool(&answer).map_err(|error| from_call(error.code, *error.error))
    }
}

fn put(annotations: &mut Annotations, annotation: &Annotation) {
    let is_other =
        |it: &Annotation| it.name == annotation.name || !is_same_name(&it.name, &annotation.name);
    annotations.retain(is_other);
    annotations.set(annotation.clone());
}

fn same_name<'a>(annotations: &'a Annotations, name: &str) -> Option<&'a Annotation> {
    annotations.iter().find(|it| is_same_name(&it.name, name))
}

/// Compares names of annotations. A rule on a data value has two spellings.
fn is_same_name(one: &str, other: &str) -> bool {
    let known_as = |name| if name == "schema/validate" { "schema/validation" } else { name };
    known_as(one) == known_as(other)
}

fn is_effective(name: &str) -> bool {
    EFFECTIVE_NAMESPACES.iter().any(|namespace| name.starts_with(namespace))
}
