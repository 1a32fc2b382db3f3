//! The annotations of an overlay item: its operation, and the arguments of the operation.

use plumb_diagnostic::{Diagnostic, Label};
use plumb_source::message::plain;
use plumb_source::{Text, message};
use plumb_value::{Annotation, AnnotationDefinition, Callable, Datum, Meta, Node, Reads};

use crate::error::OverlayError;
use crate::expectation::Expectation;
use crate::finding::{BAD_ARGUMENT, BAD_OPERATION, finding};
use crate::matcher::not_a_bool;

pub(crate) const NAMESPACE: &str = "overlay/";
pub(crate) const MATCH: &str = "overlay/match";
const MATCH_CHILD_DEFAULTS: &str = "overlay/match-child-defaults";
pub(crate) const MATCH_DEFAULTS: &str = "overlay/match-defaults";
const REPLACE: &str = "overlay/replace";
const INSERT: &str = "overlay/insert";
const ASSERT: &str = "overlay/assert";
const MERGE: &str = "overlay/merge";
const REMOVE: &str = "overlay/remove";
const APPEND: &str = "overlay/append";
const NOOP: &str = "overlay/noop";
pub(crate) const REPLACE_ANN: &str = "overlay/replace-ann";
pub(crate) const MERGE_ANNS: &str = "overlay/merge-anns";
pub(crate) const REMOVE_ANNS: &str = "overlay/remove-anns";

/// The annotations that this crate reads.
pub const ANNOTATIONS: &[AnnotationDefinition] = &[
    AnnotationDefinition::new(
        MATCH,
        Reads::Keywords,
        "by=…, expects=…, missing_ok=True, when=…",
        "Which items the overlay changes.",
    ),
    AnnotationDefinition::new(
        MATCH_CHILD_DEFAULTS,
        Reads::Keywords,
        "expects=…, missing_ok=True",
        "Defaults of `@overlay/match` for everything below.",
    ),
    AnnotationDefinition::new(
        MATCH_DEFAULTS,
        Reads::Keywords,
        "by=\"name\"",
        "Items of arrays below are matched by this key, unless they have `@overlay/match`.",
    ),
    AnnotationDefinition::bare(MERGE, "Merges the item into what it matches. This is the default."),
    AnnotationDefinition::bare(REMOVE, "Removes what the item matches."),
    AnnotationDefinition::new(
        REPLACE,
        Reads::Keywords,
        "via=function, or_add=True",
        "Replaces what the item matches.",
    ),
    AnnotationDefinition::new(
        INSERT,
        Reads::Keywords,
        "before=True or after=True",
        "Adds the item before or after what it matches.",
    ),
    AnnotationDefinition::bare(APPEND, "Adds the item after all others."),
    AnnotationDefinition::new(
        ASSERT,
        Reads::Keywords,
        "via=function",
        "Fails unless the function accepts the value.",
    ),
    AnnotationDefinition::bare(NOOP, "Changes nothing."),
    AnnotationDefinition::bare(REPLACE_ANN, "Replaces an annotation of the match."),
    AnnotationDefinition::bare(MERGE_ANNS, "Adds these annotations to those of the match."),
    AnnotationDefinition::new(
        REMOVE_ANNS,
        Reads::AnnotationNames,
        "*names",
        "Removes annotations from the match.",
    ),
];

/// The operation of an item on the nodes that it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Merge,
    Remove,
    Replace,
    Insert,
    Append,
    Assert,
    /// Does not change the value; used to change only annotations.
    Noop,
}

const OPERATIONS: [(&str, Operation); 7] = [
    (MERGE, Operation::Merge),
    (REMOVE, Operation::Remove),
    (REPLACE, Operation::Replace),
    (INSERT, Operation::Insert),
    (APPEND, Operation::Append),
    (ASSERT, Operation::Assert),
    (NOOP, Operation::Noop),
];

/// `@overlay/match`, read but not yet checked: some mistakes are only reported when it is used.
#[derive(Clone, Copy)]
pub(crate) struct Match<'r> {
    pub(crate) by: Option<&'r Datum>,
    pub(crate) expected: Expectation<'r>,
}

/// `@overlay/replace`
pub(crate) struct Replace<'r> {
    pub(crate) via: Option<&'r dyn Callable>,
    pub(crate) or_add: bool,
}

/// `@overlay/insert`
pub(crate) struct Insert<'r> {
    pub(crate) before: bool,
    pub(crate) after: bool,
    pub(crate) via: Option<&'r dyn Callable>,
}

impl Operation {
    pub(crate) fn of(meta: &Meta) -> Result<Self, Box<Diagnostic>> {
        let mut found = None;
        for annotation in meta.annotations() {
            let operation = OPERATIONS.iter().find(|(name, _)| *name == &*annotation.name);
            let Some((_, operation)) = operation else { continue };
            if found.replace(*operation).is_some() {
                let message = OverlayError::SeveralOperations.message();
                return Err(placed(finding(BAD_OPERATION, message), annotation));
            }
        }
        Ok(found.unwrap_or(Self::Merge))
    }

    pub(crate) fn name(self) -> &'static str {
        let (name, _) =
            OPERATIONS.iter().find(|(_, it)| *it == self).expect("every operation has a name");
        name
    }
}

/// Whether the annotation must have arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arguments {
    Needed,
    Optional,
}

impl<'r> Match<'r> {
    pub(crate) fn of(
        meta: &'r Meta,
        arguments: Arguments,
        inherited: Expectation<'r>,
    ) -> Result<Self, Box<Diagnostic>> {
        let annotation = meta.annotation(MATCH);
        let kwargs = annotation.map_or(&[][..], |it| &it.kwargs);
        if arguments == Arguments::Needed && kwargs.is_empty() {
            return Err(missing_arguments(MATCH, "by=..., expects=...", annotation));
        }
        let mut by = None;
        let mut expected = Expectation::default();
        for (annotation, name, value) in kwargs_of(meta, MATCH) {
            if name == "by" {
                by = Some(value);
            } else if !expected.set(name, value) {
                return Err(unknown_argument(annotation, name));
            }
        }
        Ok(Self { by, expected: expected.or(inherited) })
    }
}

/// Returns the `@overlay/match-child-defaults` of an item, with values inherited from its parents
/// for missing arguments.
pub(crate) fn child_defaults<'r>(
    meta: &'r Meta,
    inherited: Expectation<'r>,
) -> Result<Expectation<'r>, Box<Diagnostic>> {
    let mut expected = Expectation::default();
    for (annotation, name, value) in kwargs_of(meta, MATCH_CHILD_DEFAULTS) {
        if !expected.set(name, value) {
            return Err(unknown_argument(annotation, name));
        }
    }
    expected.list_key = list_key(meta)?;
    Ok(expected.or(inherited))
}

/// Returns `by=` of `@overlay/match-defaults`.
fn list_key(meta: &Meta) -> Result<Option<&Text>, Box<Diagnostic>> {
    let Some(annotation) = meta.annotation(MATCH_DEFAULTS) else {
        return Ok(None);
    };
    let mut by = None;
    for (annotation, name, value) in kwargs_of(meta, MATCH_DEFAULTS) {
        match (name, value) {
            ("by", Datum::Node(Node::String(key))) => by = Some(key),
            ("by", other) => {
                let found = other.type_words();
                let message = message!("expected by= to be the name of a key, found {found}");
                return Err(placed(finding(BAD_ARGUMENT, message), annotation));
            }
            _ => return Err(unknown_argument(annotation, name)),
        }
    }
    match by {
        Some(_) => Ok(by),
        None => Err(missing_arguments(MATCH_DEFAULTS, "by=\"name\"", Some(annotation))),
    }
}

impl<'r> Replace<'r> {
    pub(crate) fn of(meta: &'r Meta) -> Result<Self, Box<Diagnostic>> {
        let mut replace = Self { via: None, or_add: false };
        for (annotation, name, value) in kwargs_of(meta, REPLACE) {
            match name {
                "via" => replace.via = Some(function(annotation, name, value)?),
                "or_add" => replace.or_add = boolean(annotation, value)?,
                _ => return Err(unknown_argument(annotation, name)),
            }
        }
        Ok(replace)
    }
}

impl<'r> Insert<'r> {
    pub(crate) fn of(meta: &'r Meta) -> Result<Self, Box<Diagnostic>> {
        let annotation = meta.annotation(INSERT);
        if annotation.is_none_or(|it| it.kwargs.is_empty()) {
            return Err(missing_arguments(INSERT, "before=..., after=...", annotation));
        }
        let mut insert = Self { before: false, after: false, via: None };
        for (annotation, name, value) in kwargs_of(meta, INSERT) {
            match name {
                "before" => insert.before = boolean(annotation, value)?,
                "after" => insert.after = boolean(annotation, value)?,
                "via" => insert.via = Some(function(annotation, name, value)?),
                _ => return Err(unknown_argument(annotation, name)),
            }
        }
        Ok(insert)
    }
}

/// Returns the `via=` argument of `@overlay/assert`, which may have any type: the type is checked
/// when it is used.
pub(crate) fn assert_via(meta: &Meta) -> Result<Option<&Datum>, Box<Diagnostic>> {
    let mut via = None;
    for (annotation, name, value) in kwargs_of(meta, ASSERT) {
        match name {
            "via" => via = Some(value),
            _ => return Err(unknown_argument(annotation, name)),
        }
    }
    Ok(via)
}

pub(crate) fn not_a_function(annotation: &str, argument: &str, value: &Datum) -> Box<Diagnostic> {
    let error = OverlayError::NotAFunction {
        annotation: annotation.to_owned(),
        argument: argument.to_owned(),
        found: value.type_words().into(),
    };
    finding(BAD_ARGUMENT, error.message())
}

pub(crate) fn assert_via_not_a_function(value: &Datum) -> Box<Diagnostic> {
    not_a_function(ASSERT, "via", value)
}

pub(crate) fn unknown_argument(annotation: &Annotation, argument: &str) -> Box<Diagnostic> {
    let name = &annotation.name;
    let error = OverlayError::UnknownArgument {
        annotation: name.to_string(),
        argument: argument.to_owned(),
    };
    let mut finding = finding(BAD_ARGUMENT, error.message());
    let definition = ANNOTATIONS.iter().find(|it| it.name == &**name);
    finding.help.extend(definition.map(|it| message!("its arguments are {}", plain(it.arguments))));
    placed(finding, annotation)
}

/// Labels a finding with the place of the annotation.
pub(crate) fn placed(mut finding: Box<Diagnostic>, annotation: &Annotation) -> Box<Diagnostic> {
    let label = annotation.span.map(|span| Label { span, message: plumb_source::Message::new() });
    finding.labels.extend(label);
    finding
}

pub(crate) fn function<'r>(
    annotation: &Annotation,
    argument: &str,
    value: &'r Datum,
) -> Result<&'r dyn Callable, Box<Diagnostic>> {
    match value {
        Datum::Function(function) => Ok(&**function),
        _ => Err(placed(not_a_function(&annotation.name, argument, value), annotation)),
    }
}

/// Returns the keyword arguments of an annotation, each with the annotation itself.
fn kwargs_of<'r>(
    meta: &'r Meta,
    name: &str,
) -> impl Iterator<Item = (&'r Annotation, &'r str, &'r Datum)> {
    meta.annotation(name)
        .into_iter()
        .flat_map(|it| it.kwargs.iter().map(move |(name, value)| (it, &**name, value)))
}

fn boolean(annotation: &Annotation, value: &Datum) -> Result<bool, Box<Diagnostic>> {
    match value {
        Datum::Node(Node::Bool(value)) => Ok(*value),
        _ => Err(placed(finding(BAD_ARGUMENT, not_a_bool(value)), annotation)),
    }
}

fn missing_arguments(
    name: &str,
    arguments: &str,
    annotation: Option<&Annotation>,
) -> Box<Diagnostic> {
    let error = OverlayError::MissingArguments {
        annotation: name.to_owned(),
        arguments: arguments.to_owned(),
    };
    let finding = finding(BAD_ARGUMENT, error.message());
    match annotation {
        Some(annotation) => placed(finding, annotation),
        None => finding,
    }
}
