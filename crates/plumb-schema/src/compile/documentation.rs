//! The annotations of a node that document it.

use plumb_source::message::plain;
use plumb_source::{Message, message};
use plumb_value::{Annotation, Datum, Node};

use super::default::placed;
use super::finding::{malformed, syntax_error};
use super::{Kind, Sample};
use crate::annotation::{
    ALLOW_EMPTY, ANY_KEY, DEFAULT, DEPRECATED, DESC, DOC, EXAMPLE, EXAMPLES, MAY_BE_PRESENT,
    REQUIRED, SECRET, SECTION, TITLE,
};
use crate::field::{Documentation, Example};
use crate::report::{EntryWords, SchemaError, WrongArgument};

const ONE_STRING: &str = "this annotation only accepts one argument: a string.";

const EXAMPLE_TUPLE: &str =
    "2-tuple containing description (string) and example value (of expected type)";

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
        Some(annotation) => {
            let expected = "one description";
            let found = "second one, besides @schema/desc,";
            Err(syntax_error(sample, annotation, found, expected, Vec::new()))
        }
    }
}

fn deprecation(sample: &Sample<'_>) -> Result<Option<String>, SchemaError> {
    if let Some(annotation) = sample.meta.annotation(DEPRECATED)
        && matches!(sample.kind, Kind::Document)
    {
        let hints = [
            "do you mean to deprecate the entire schema document?",
            "use schema/deprecated on individual keys.",
        ];
        return Err(malformed(
            sample,
            annotation,
            EntryWords {
                description: "@schema/deprecated not supported on a document".into(),
                hints: hints.map(Message::from).into(),
                ..EntryWords::default()
            },
        ));
    }
    one_string(sample, DEPRECATED)
}

/// The string that is the only argument of an annotation.
fn one_string(sample: &Sample<'_>, name: &str) -> Result<Option<String>, SchemaError> {
    let Some(annotation) = sample.meta.annotation(name) else {
        return Ok(None);
    };
    let (found, hints) = match (annotation.kwargs.as_slice(), annotation.args.as_slice()) {
        ([_, ..], _) => (Message::from("keyword argument"), vec![ONE_STRING.into()]),
        (_, []) => (Message::from("missing value"), Vec::new()),
        (_, [Datum::Node(Node::String(text))]) => return Ok(Some(text.to_string())),
        (_, [_]) => (Message::from("Non-string value"), Vec::new()),
        (_, several) => (message!("{} values", several.len()), Vec::new()),
    };
    Err(syntax_error(sample, annotation, found, "string", hints))
}

/// Annotations about keys are only allowed on map items, and most of them take no arguments.
fn check_places(sample: &Sample<'_>) -> Result<(), SchemaError> {
    check_secret(sample)?;
    if let (Some(annotation), true) =
        (sample.meta.annotation(SECTION), !matches!(sample.kind, Kind::MapItem(_)))
    {
        let found = place_word(sample.kind);
        let expected = "an item of a map: the first key of the section";
        return Err(syntax_error(sample, annotation, found, expected, Vec::new()));
    }
    for name in [ANY_KEY, MAY_BE_PRESENT, REQUIRED, ALLOW_EMPTY] {
        let Some(annotation) = sample.meta.annotation(name) else {
            continue;
        };
        let has_arguments = !annotation.args.is_empty() || !annotation.kwargs.is_empty();
        let found = match sample.kind {
            Kind::MapItem(_) if !has_arguments => continue,
            kind => place_word(kind),
        };
        let expected = "an item of a map, and no argument";
        return Err(syntax_error(sample, annotation, found, expected, Vec::new()));
    }
    let Some(required) = sample.meta.annotation(REQUIRED) else {
        return Ok(());
    };
    let rivals = [ANY_KEY, MAY_BE_PRESENT, DEFAULT];
    match rivals.iter().find(|name| sample.meta.annotations().has(name)) {
        None => Ok(()),
        Some(rival) => {
            let found = message!("@{} beside it", plain(rival));
            let expected = "a key that data values must give";
            Err(syntax_error(sample, required, found, expected, Vec::new()))
        }
    }
}

/// A whole document cannot be secret: users could not see which keys they must set.
fn check_secret(sample: &Sample<'_>) -> Result<(), SchemaError> {
    let Some(annotation) = sample.meta.annotation(SECRET) else {
        return Ok(());
    };
    let found = match sample.kind {
        Kind::Document => place_word(sample.kind),
        _ if !annotation.args.is_empty() || !annotation.kwargs.is_empty() => "argument",
        Kind::MapItem(_) | Kind::ArrayItem | Kind::Alternative => return Ok(()),
    };
    let expected = "an item of a map or an array, and no argument";
    Err(syntax_error(sample, annotation, found, expected, Vec::new()))
}

/// `@schema/example` has one value, optionally after a description.
fn example(sample: &Sample<'_>) -> Result<Vec<Example>, SchemaError> {
    let Some(annotation) = sample.meta.annotation(EXAMPLE) else {
        return Ok(Vec::new());
    };
    let refuse = |found: Message| {
        let expected = "one value, or a pair of a description and a value";
        Err(syntax_error(sample, annotation, found, expected, Vec::new()))
    };
    let (description, value) = match (&annotation.kwargs[..], &annotation.args[..]) {
        ([_, ..], _) => return refuse("keyword argument".into()),
        (_, []) => return refuse("no value".into()),
        (_, [Datum::Tuple(items)]) => match &items[..] {
            // This is the form of `@schema/examples`.
            [description, value] => match description.as_str() {
                Some(description) => (description, value),
                None => {
                    let found = message!("{} as description", description.type_name());
                    return refuse(found);
                }
            },
            items => return refuse(message!("tuple of {}", items.len())),
        },
        (_, [value]) => ("", value),
        (_, several) => return refuse(message!("{} values", several.len())),
    };
    let Some(node) = value.to_node() else {
        return refuse(value.type_name().into());
    };
    let value = placed(&node, sample.origin, annotation);
    Ok(vec![Example { description: description.to_owned(), value, span: annotation.span }])
}

fn examples(sample: &Sample<'_>) -> Result<Vec<Example>, SchemaError> {
    let Some(annotation) = sample.meta.annotation(EXAMPLES) else {
        return Ok(Vec::new());
    };
    let refuse =
        |found: Message| syntax_error(sample, annotation, found, EXAMPLE_TUPLE, Vec::new());
    if !annotation.kwargs.is_empty() {
        return Err(refuse("keyword argument".into()));
    }
    if annotation.args.is_empty() {
        return Err(refuse("missing value".into()));
    }
    let examples = annotation.args.iter().map(|arg| {
        let Datum::Tuple(items) = arg else {
            return Err(wrong_example(sample, annotation, &arg.type_name().into()));
        };
        match items.as_slice() {
            [description, value] => {
                let Some(description) = description.as_str() else {
                    let found = message!("{} value", description.type_name());
                    return Err(wrong_example(sample, annotation, &found));
                };
                let Some(value) = value.to_node() else {
                    let found = message!("{} value", value.type_name());
                    return Err(wrong_example(sample, annotation, &found));
                };
                let value = placed(&value, sample.origin, annotation);
                let description = description.to_owned();
                Ok(Example { description, value, span: annotation.span })
            }
            [] | [_] => Err(refuse("empty tuple".into())),
            several => Err(refuse(message!("{}-tuple argument", several.len()))),
        }
    });
    examples.collect()
}

fn wrong_example(sample: &Sample<'_>, annotation: &Annotation, found: &Message) -> SchemaError {
    let words = EntryWords {
        description: "syntax error in @schema/examples annotation".into(),
        found: message!("{found} for @schema/examples"),
        found_in: annotation.span,
        expected: EXAMPLE_TUPLE.into(),
        wrong_argument: Some(WrongArgument::Example),
        ..EntryWords::default()
    };
    malformed(sample, annotation, words)
}

/// The word for the place of an annotation in a message. For a key, the place is right and the
/// argument is wrong.
fn place_word(kind: Kind<'_>) -> &'static str {
    match kind {
        Kind::MapItem(_) => "argument",
        Kind::Document => "document",
        Kind::ArrayItem => "item of an array",
        Kind::Alternative => "alternative",
    }
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
