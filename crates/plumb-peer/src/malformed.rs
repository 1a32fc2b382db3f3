//! Mistakes in a schema.
//!
//! ytt does not know all annotations of Plumb. Findings about the others have the same form.

use plumb_schema::malformed::{
    Arguments, Declares, Malformed, MalformedKind, Target, WrongArgument, WrongType,
};
use plumb_schema::type_names;
use plumb_source::message::{plain, secret};
use plumb_source::{Message, Sources, message};
use plumb_validation::report::place;
use plumb_value::Datum;

/// What a report says about a mistake. Each text may be empty.
#[derive(Default)]
pub(crate) struct Words {
    pub(crate) description: Message,
    pub(crate) found: Message,
    pub(crate) expected: Message,
    pub(crate) hints: Vec<Message>,
}

/// The title of the report.
pub(crate) fn summary(kind: &MalformedKind) -> &'static str {
    match kind {
        MalformedKind::NullSample { .. } => "Invalid schema - null value not allowed here",
        MalformedKind::ArrayShape { .. } => {
            "Invalid schema - wrong number of items in array definition"
        }
        MalformedKind::DefaultOfItem => {
            "Invalid schema - @schema/default not supported on array item"
        }
        MalformedKind::WithinAny { .. }
        | MalformedKind::DeprecatedDocument
        | MalformedKind::Misplaced { .. }
        | MalformedKind::TakesNothing { .. }
        | MalformedKind::NullableKeyword
        | MalformedKind::Arguments { .. }
        | MalformedKind::Type(_)
        | MalformedKind::SecondDescription
        | MalformedKind::SecondType { .. }
        | MalformedKind::SecondAnyKey { .. }
        | MalformedKind::RequiredBeside { .. }
        | MalformedKind::TooDeep { .. }
        | MalformedKind::TooMany { .. } => "Invalid schema",
    }
}

/// `#@schema` is attached to something else than data values.
pub(crate) fn attach() -> Message {
    "Invalid @schema annotation - expected no argument or attach= with one of: \"data/values\""
        .into()
}

/// Returns whether ytt quotes the report in another one.
pub(crate) fn is_quoted(kind: &MalformedKind) -> bool {
    matches!(kind, MalformedKind::DefaultOfItem)
}

/// The words of a mistake, without its place.
pub(crate) fn words(malformed: &Malformed, sources: &Sources) -> Words {
    let at = Place { malformed, sources };
    match &malformed.kind {
        MalformedKind::NullSample { .. } => Words {
            found: "null value".into(),
            expected: "non-null value".into(),
            hints: hints([
                "in YAML, omitting a value implies null.",
                "to set the default value to null, annotate with @schema/nullable.",
                "to allow any value, annotate with @schema/type any=True.",
            ]),
            ..Words::default()
        },
        MalformedKind::ArrayShape { n_items } => Words {
            found: message!("{n_items} array items"),
            expected: "exactly 1 array item, of the desired type".into(),
            hints: hints([
                "in schema, the one item of the array implies the type of its elements.",
                "in schema, the default value for an array is always an empty list.",
                "default values can be overridden via a data values overlay.",
            ]),
            ..Words::default()
        },
        MalformedKind::WithinAny { names, .. } => Words {
            description: "Schema was specified within an \"any type\" fragment".into(),
            found: message!("@{} annotation(s)", plain(names.join(", @"))),
            expected: "no '@schema/...' on nodes within a node annotated '@schema/type any=True'"
                .into(),
            hints: hints([
                "an \"any type\" fragment has no constraints; nested schema annotations conflict \
                 and are disallowed",
            ]),
        },
        MalformedKind::DefaultOfItem => Words {
            hints: hints([
                "do you mean to set a default value for the array?",
                "set an array's default by annotating its parent.",
            ]),
            ..Words::default()
        },
        MalformedKind::DeprecatedDocument => Words {
            description: "@schema/deprecated not supported on a document".into(),
            hints: hints([
                "do you mean to deprecate the entire schema document?",
                "use schema/deprecated on individual keys.",
            ]),
            ..Words::default()
        },
        MalformedKind::Misplaced { annotation, target } => {
            at.syntax_error(annotation, kind_of_node(&malformed.declares), belongs_on(*target))
        }
        MalformedKind::TakesNothing { annotation, target } => {
            at.syntax_error(annotation, "argument", belongs_on(*target))
        }
        MalformedKind::NullableKeyword => Words {
            description:
                "expected @schema/nullable annotation to not contain any keyword arguments".into(),
            found: at.by("keyword argument in @schema/nullable"),
            expected: "starlark.Bool".into(),
            hints: hints([ANY_ONLY]),
        },
        MalformedKind::Arguments { annotation, expected, found } => {
            at.arguments(annotation, expected, found)
        }
        MalformedKind::Type(wrong) => at.wrong_type(wrong),
        MalformedKind::SecondDescription => {
            at.syntax_error("schema/doc", "second one, besides @schema/desc,", "one description")
        }
        MalformedKind::SecondType { annotation, first, .. } => at.syntax_error(
            annotation,
            message!("second declaration, besides @{},", plain(first)),
            "one annotation that declares the type",
        ),
        MalformedKind::SecondAnyKey { earlier } => Words {
            description: "a map can have one item annotated @schema/any-key".into(),
            found: at.by_known("second @schema/any-key".into()),
            expected: message!("one (at {})", plain(place(*earlier, sources))),
            ..Words::default()
        },
        MalformedKind::RequiredBeside { annotation } => at.syntax_error(
            "schema/required",
            message!("@{} beside it", *annotation),
            "a key that data values must give",
        ),
        MalformedKind::TooDeep { annotation, max } => at.syntax_error(
            annotation,
            "more levels",
            message!("alternatives of at most {max} levels"),
        ),
        MalformedKind::TooMany { annotation, max } => at.syntax_error(
            annotation,
            "more nodes",
            message!("at most {max} nodes in all alternatives"),
        ),
    }
}

const ANY_ONLY: &str = "Supported kwargs are 'any'";

/// Where a mistake is.
#[derive(Clone, Copy)]
struct Place<'a> {
    malformed: &'a Malformed,
    sources: &'a Sources,
}

impl Place<'_> {
    /// A text with the place of the annotation, even if it is not known.
    fn by(self, found: impl Into<Message>) -> Message {
        self.with_place(&found.into(), "by")
    }

    /// A text with the place of the annotation if it is known.
    fn by_known(self, found: Message) -> Message {
        if self.malformed.annotations.is_empty() { found } else { self.by(found) }
    }

    fn with_place(self, found: &Message, preposition: &'static str) -> Message {
        let span = self.malformed.annotations.first().copied();
        message!("{found} ({preposition} {})", plain(place(span, self.sources)))
    }

    fn syntax_error(
        self,
        annotation: &str,
        found: impl Into<Message>,
        expected: impl Into<Message>,
    ) -> Words {
        let name = plain(annotation);
        Words {
            description: message!("syntax error in @{name} annotation"),
            found: self.by_known(message!("{} in @{name}", found.into())),
            expected: expected.into(),
            ..Words::default()
        }
    }

    fn arguments(self, annotation: &str, expected: &Arguments, found: &WrongArgument) -> Words {
        let required = match expected {
            Arguments::OneString => "string".into(),
            Arguments::Default { type_name, declared_at } => {
                let declared_at = plain(place(*declared_at, self.sources));
                message!("{} (by {declared_at})", plain(type_name))
            }
            Arguments::Alternatives => {
                "one or more schemas: values, or what functions return".into()
            }
            Arguments::Example => "one value, or a pair of a description and a value".into(),
            Arguments::Examples => {
                "2-tuple containing description (string) and example value (of expected type)"
                    .into()
            }
        };
        let hints = argument_hints(expected, found);
        let words = words_of_argument(expected, found);
        let wrong = Words { hints, ..self.syntax_error(annotation, words.clone(), required) };
        match (expected, found) {
            (
                Arguments::Examples,
                WrongArgument::NotATuple(_)
                | WrongArgument::Value(_)
                | WrongArgument::Description(_),
            ) => {
                let found = message!("{words} for @{}", plain(annotation));
                Words { found: self.with_place(&found, "at"), ..wrong }
            }
            _ => wrong,
        }
    }

    fn wrong_type(self, wrong: &WrongType) -> Words {
        let unknown_keyword = "unknown @schema/type annotation keyword argument";
        let (description, found, expected, hints) = match wrong {
            WrongType::Nothing | WrongType::NotAName(_) => (
                "expected @schema/type annotation to have keyword argument and value",
                self.by("missing keyword argument and value"),
                "valid keyword argument and value".into(),
                hints(["Supported key-value pairs are 'any=True', 'any=False'"]),
            ),
            WrongType::Unknown { name, meant } => {
                let names = type_names().collect::<Vec<_>>().join("\", \"");
                (
                    "unknown name in @schema/type annotation",
                    self.by_known(message!("\"{}\"", secret(name))),
                    message!("one or more of \"{}\"", plain(names)),
                    meant.iter().map(|&it| message!("did you mean \"{it}\"?")).collect(),
                )
            }
            WrongType::AnyValue(value) => (
                unknown_keyword,
                self.by(value.type_words()),
                "starlark.Bool".into(),
                hints([ANY_ONLY]),
            ),
            WrongType::Keyword(name) => {
                (unknown_keyword, self.by(secret(name)), "A valid kwarg".into(), hints([ANY_ONLY]))
            }
        };
        Words { description: description.into(), found, expected, hints }
    }
}

fn words_of_argument(expected: &Arguments, found: &WrongArgument) -> Message {
    match (found, expected) {
        (WrongArgument::Keyword, _) => "keyword argument".into(),
        (WrongArgument::Nothing, Arguments::Example) => "no value".into(),
        (WrongArgument::Nothing, _) => "missing value".into(),
        (WrongArgument::Several(n), _) => message!("{n} values"),
        (WrongArgument::Value(_), Arguments::OneString) => "Non-string value".into(),
        (WrongArgument::Value(Datum::Function(_)), Arguments::Alternatives) => "function".into(),
        (WrongArgument::Value(value), Arguments::Example)
        | (WrongArgument::NotATuple(value), _) => value.type_name().into(),
        (WrongArgument::Description(value), Arguments::Example) => {
            message!("{} as description", value.type_name())
        }
        (WrongArgument::Value(value) | WrongArgument::Description(value), _) => {
            message!("{} value", value.type_name())
        }
        (WrongArgument::List(n), _) => message!("list of {n} items"),
        (WrongArgument::Tuple(n), Arguments::Example) => message!("tuple of {n}"),
        (WrongArgument::Tuple(0 | 1), _) => "empty tuple".into(),
        (WrongArgument::Tuple(n), _) => message!("{n}-tuple argument"),
        (WrongArgument::Documents(n), _) => message!("{n} documents"),
    }
}

fn argument_hints(expected: &Arguments, found: &WrongArgument) -> Vec<Message> {
    match (expected, found) {
        (Arguments::OneString, WrongArgument::Keyword) => {
            hints(["this annotation only accepts one argument: a string."])
        }
        (Arguments::Default { .. }, WrongArgument::Keyword) => hints([
            "this annotation only accepts one argument: the default value.",
            "value must be in Starlark format, e.g.: {'key': 'value'}, True.",
        ]),
        (Arguments::Alternatives, WrongArgument::Value(Datum::Function(function))) => {
            vec![message!("call it: `{}()`", plain(function.name()))]
        }
        (Arguments::Alternatives, WrongArgument::List(_)) => hints([
            "remove the brackets: a list would be the schema of an array, and must have one item",
        ]),
        _ => Vec::new(),
    }
}

fn hints<const N: usize>(hints: [&'static str; N]) -> Vec<Message> {
    hints.map(Message::from).into()
}

fn kind_of_node(declares: &Declares) -> &'static str {
    match declares {
        Declares::Key(_) => "argument",
        Declares::Document => "document",
        Declares::Item => "item of an array",
        Declares::Alternative => "alternative",
    }
}

fn belongs_on(target: Target) -> &'static str {
    match target {
        Target::Key => "an item of a map, and no argument",
        Target::SectionStart => "an item of a map: the first key of the section",
        Target::KeyOrItem => "an item of a map or an array, and no argument",
    }
}
