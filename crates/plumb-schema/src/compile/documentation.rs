//! The annotations of a node that document it.

use plumb_value::{Annotation, Datum, Node};

use super::default::placed;
use super::{Kind, Sample};
use crate::annotation::{
    ALLOW_EMPTY, ANY_KEY, DEFAULT, DEPRECATED, DESC, DOC, EXAMPLE, EXAMPLES, MAY_BE_PRESENT,
    REQUIRED, SECRET, SECTION, TITLE,
};
use crate::field::{Documentation, Example};
use crate::malformed::{Arguments, MalformedKind, Target, WrongArgument};
use crate::report::SchemaError;

/// Reads the annotations that document a node. `has_titles` is whether a key without a title gets one
/// from its name.
pub(super) fn documentation(
    sample: &Sample<'_>,
    has_titles: bool,
) -> Result<Documentation, SchemaError> {
    check_places(sample)?;
    let description = description(sample)?;
    let title = match (one_string(sample, TITLE)?, sample.kind) {
        (Some(title), _) => title,
        (None, Kind::MapItem(key)) if has_titles => humanized(key),
        (None, _) => String::new(),
    };
    let mut all_examples = example(sample)?;
    all_examples.extend(examples(sample)?);
    let deprecation = deprecation(sample)?;
    let section = one_string(sample, SECTION)?;
    let is_secret = sample.meta.annotations().has(SECRET);
    Ok(Documentation {
        title,
        description,
        examples: all_examples,
        deprecation,
        section,
        is_secret,
    })
}

/// `@schema/doc` is another name of `@schema/desc`.
fn description(sample: &Sample<'_>) -> Result<String, SchemaError> {
    let desc = one_string(sample, DESC)?;
    let Some(doc) = one_string(sample, DOC)? else {
        return Ok(desc.unwrap_or_default());
    };
    match sample.meta.annotation(DOC).filter(|_| desc.is_some()) {
        None => Ok(doc),
        Some(annotation) => Err(sample.malformed(annotation, MalformedKind::SecondDescription)),
    }
}

fn deprecation(sample: &Sample<'_>) -> Result<Option<String>, SchemaError> {
    if let Some(annotation) = sample.meta.annotation(DEPRECATED)
        && matches!(sample.kind, Kind::Document)
    {
        return Err(sample.malformed(annotation, MalformedKind::DeprecatedDocument));
    }
    one_string(sample, DEPRECATED)
}

/// The string that is the only argument of an annotation.
fn one_string(sample: &Sample<'_>, name: &str) -> Result<Option<String>, SchemaError> {
    let Some(annotation) = sample.meta.annotation(name) else {
        return Ok(None);
    };
    let found = match (annotation.kwargs.as_slice(), annotation.args.as_slice()) {
        ([_, ..], _) => WrongArgument::Keyword,
        (_, []) => WrongArgument::Nothing,
        (_, [Datum::Node(Node::String(text))]) => return Ok(Some(text.to_string())),
        (_, [value]) => WrongArgument::Value(value.clone()),
        (_, several) => WrongArgument::Several(several.len()),
    };
    Err(sample.wrong_arguments(annotation, Arguments::OneString, found))
}

/// Annotations about keys are only allowed on map items, and most of them take no arguments.
fn check_places(sample: &Sample<'_>) -> Result<(), SchemaError> {
    check_secret(sample)?;
    if let (Some(annotation), true) =
        (sample.meta.annotation(SECTION), !matches!(sample.kind, Kind::MapItem(_)))
    {
        let (annotation_name, target) = (annotation.name.to_string(), Target::SectionStart);
        let kind = MalformedKind::Misplaced { annotation: annotation_name, target };
        return Err(sample.malformed(annotation, kind));
    }
    for name in [ANY_KEY, MAY_BE_PRESENT, REQUIRED, ALLOW_EMPTY] {
        let Some(annotation) = sample.meta.annotation(name) else {
            continue;
        };
        let target = Target::Key;
        let annotation_name = annotation.name.to_string();
        let kind = match sample.kind {
            Kind::MapItem(_) if !has_arguments(annotation) => continue,
            Kind::MapItem(_) => MalformedKind::TakesNothing { annotation: annotation_name, target },
            Kind::Document | Kind::ArrayItem | Kind::Alternative => {
                MalformedKind::Misplaced { annotation: annotation_name, target }
            }
        };
        return Err(sample.malformed(annotation, kind));
    }
    let Some(required) = sample.meta.annotation(REQUIRED) else {
        return Ok(());
    };
    let rivals = [ANY_KEY, MAY_BE_PRESENT, DEFAULT];
    match rivals.iter().find(|name| sample.meta.annotations().has(name)) {
        None => Ok(()),
        Some(annotation) => {
            Err(sample.malformed(required, MalformedKind::RequiredBeside { annotation }))
        }
    }
}

/// A whole document cannot be secret: users could not see which keys they must set.
fn check_secret(sample: &Sample<'_>) -> Result<(), SchemaError> {
    let Some(annotation) = sample.meta.annotation(SECRET) else {
        return Ok(());
    };
    let (annotation_name, target) = (annotation.name.to_string(), Target::KeyOrItem);
    let kind = match sample.kind {
        Kind::Document => MalformedKind::Misplaced { annotation: annotation_name, target },
        _ if has_arguments(annotation) => {
            MalformedKind::TakesNothing { annotation: annotation_name, target }
        }
        Kind::MapItem(_) | Kind::ArrayItem | Kind::Alternative => return Ok(()),
    };
    Err(sample.malformed(annotation, kind))
}

fn has_arguments(annotation: &Annotation) -> bool {
    !annotation.args.is_empty() || !annotation.kwargs.is_empty()
}

/// `@schema/example` has one value, optionally after a description.
fn example(sample: &Sample<'_>) -> Result<Vec<Example>, SchemaError> {
    let Some(annotation) = sample.meta.annotation(EXAMPLE) else {
        return Ok(Vec::new());
    };
    let refuse = |found| Err(sample.wrong_arguments(annotation, Arguments::Example, found));
    let (description, value) = match (&annotation.kwargs[..], &annotation.args[..]) {
        ([_, ..], _) => return refuse(WrongArgument::Keyword),
        (_, []) => return refuse(WrongArgument::Nothing),
        (_, [Datum::Tuple(items)]) => match &items[..] {
            // This is the form of `@schema/examples`.
            [description, value] => match description.as_str() {
                Some(description) => (description, value),
                None => return refuse(WrongArgument::Description(description.clone())),
            },
            items => return refuse(WrongArgument::Tuple(items.len())),
        },
        (_, [value]) => ("", value),
        (_, several) => return refuse(WrongArgument::Several(several.len())),
    };
    let Some(node) = value.to_node() else {
        return refuse(WrongArgument::Value(value.clone()));
    };
    let value = placed(&node, sample.origin, annotation);
    Ok(vec![Example { description: description.to_owned(), value, span: annotation.span }])
}

fn examples(sample: &Sample<'_>) -> Result<Vec<Example>, SchemaError> {
    let Some(annotation) = sample.meta.annotation(EXAMPLES) else {
        return Ok(Vec::new());
    };
    let wrong = |found| sample.wrong_arguments(annotation, Arguments::Examples, found);
    if !annotation.kwargs.is_empty() {
        return Err(wrong(WrongArgument::Keyword));
    }
    if annotation.args.is_empty() {
        return Err(wrong(WrongArgument::Nothing));
    }
    let examples = annotation.args.iter().map(|arg| {
        let Datum::Tuple(items) = arg else {
            return Err(wrong(WrongArgument::NotATuple(arg.clone())));
        };
        match items.as_slice() {
            [description, value] => {
                let Some(text) = description.as_str() else {
                    return Err(wrong(WrongArgument::Description(description.clone())));
                };
                let Some(value) = value.to_node() else {
                    return Err(wrong(WrongArgument::Value(value.clone())));
                };
                let value = placed(&value, sample.origin, annotation);
                Ok(Example { description: text.to_owned(), value, span: annotation.span })
            }
            items => Err(wrong(WrongArgument::Tuple(items.len()))),
        }
    });
    examples.collect()
}

/// Converts a key to a title: `app_domain` becomes `App domain`.
fn humanized(key: &Node) -> String {
    let key = key.as_str().map_or_else(|| key.repr(), str::to_owned);
    let spaced = key.replace(|it: char| !it.is_alphanumeric(), " ");
    let words = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut characters = words.chars();
    characters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
