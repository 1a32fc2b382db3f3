//! Our words for mistakes in a schema: a message, a note at the place, and what to do.

use plumb_diagnostic::Diagnostic;
use plumb_source::message::{plain, secret};
use plumb_source::{Message, Span, message};
use plumb_value::{Datum, Node};

use super::{Arguments, Declares, Malformed, MalformedKind, Target, WrongArgument, WrongType};
use crate::annotation::{ANY_KEY, DEFAULT};
use crate::compile::{meant_name, type_names};

/// How a default is written.
const AS_CODE: &str = "write the value as in code: `True`, `\"text\"`, `[1, 2]` or `{\"key\": 1}`";

/// The words about one mistake.
struct Words {
    message: Message,
    /// The note at the annotation, or at the node if no annotation is concerned.
    note: Message,
    help: Vec<Message>,
}

impl Malformed {
    /// The mistake as a finding.
    pub(crate) fn finding(&self) -> Diagnostic {
        let Words { message, note, help } = self.words();
        let mut diagnostic = Diagnostic::error(self.code(), message);
        for &span in &self.annotations {
            diagnostic = diagnostic.label(span, note.clone());
        }
        let note = if self.annotations.is_empty() { note } else { "on this".into() };
        diagnostic = diagnostic.at(self.node, note);
        if let Some((span, note)) = self.other_place() {
            diagnostic = diagnostic.label(span, note);
        }
        diagnostic.help = help;
        diagnostic
    }

    /// Another place that explains the mistake.
    fn other_place(&self) -> Option<(Span, &'static str)> {
        match &self.kind {
            MalformedKind::WithinAny { declared_at, .. } => {
                declared_at.map(|span| (span, "any type is declared here"))
            }
            MalformedKind::SecondType { first_at, .. } => {
                first_at.map(|span| (span, "the first declaration"))
            }
            MalformedKind::SecondAnyKey { earlier } => earlier.map(|span| (span, "the first one")),
            _ => None,
        }
    }

    fn words(&self) -> Words {
        match &self.kind {
            MalformedKind::NullSample { is_nullable } => self.null_sample(*is_nullable),
            MalformedKind::ArrayShape { n_items } => self.array_shape(*n_items),
            MalformedKind::WithinAny { names, .. } => Words::new(
                message!(
                    "expected no annotations about types within a value of any type, found @{}",
                    plain(names.join(", @"))
                ),
                "not allowed within a value of any type",
                "remove the inner annotations, or `@schema/type any=True` from the value around them",
            ),
            MalformedKind::DefaultOfItem => Words::new(
                "@schema/default must be on an array, not on its item",
                "not allowed on an item of an array",
                "write it above the array, with a list: `#@schema/default […]`",
            ),
            MalformedKind::DeprecatedDocument => Words::new(
                "@schema/deprecated must be on a key, not on a document",
                "not allowed on a document",
                "write it above each key that is deprecated",
            ),
            MalformedKind::Misplaced { annotation, target } => self.misplaced(annotation, *target),
            MalformedKind::TakesNothing { annotation, .. } => takes_nothing(annotation),
            MalformedKind::NullableKeyword => takes_nothing("schema/nullable")
                .help("for another default than null, also write `#@schema/default …`"),
            MalformedKind::Arguments { annotation, expected, found } => {
                arguments(annotation, expected, found)
            }
            MalformedKind::Type(wrong) => wrong.words(),
            MalformedKind::SecondDescription => Words::new(
                "expected one description, found @schema/desc and @schema/doc",
                "a second description",
                "remove one of them: both set the description",
            ),
            MalformedKind::SecondType { annotation, first, .. } => Words::new(
                message!(
                    "expected one annotation that declares the type, found @{} and @{}",
                    plain(first),
                    plain(annotation)
                ),
                "a second declaration of the type",
                "remove one of them",
            ),
            MalformedKind::SecondAnyKey { .. } => Words::new(
                "expected one item with @schema/any-key in a map, found a second one",
                "the second one",
                "remove one of them; for values of several types, use `@schema/any-of`",
            ),
            MalformedKind::RequiredBeside { annotation } => required_beside(annotation),
            MalformedKind::TooDeep { annotation, max } => Words::new(
                message!(
                    "expected at most {max} levels of alternatives in @{}, found more",
                    plain(annotation)
                ),
                message!("expected at most {max} levels"),
                "nest fewer alternatives, or allow any value with `@schema/type any=True`",
            ),
            MalformedKind::TooMany { annotation, max } => Words::new(
                message!(
                    "expected at most {max} nodes in all alternatives, found more in @{}",
                    plain(annotation)
                ),
                message!("expected at most {max} nodes in all alternatives"),
                "declare fewer alternatives, or allow any value with `@schema/type any=True`",
            ),
        }
    }

    fn null_sample(&self, is_nullable: bool) -> Words {
        let message = message!("expected a sample value for {}, found null", self.declares.words());
        let note = "null, or no value, does not declare a type";
        match self.declares {
            Declares::Document => {
                let help = "write the keys of the data values below, each with a sample value";
                return Words::new(message, note, help);
            }
            Declares::Alternative => {
                let help = "to allow null, remove the alternative, and write `#@schema/nullable`";
                return Words::new(message, "an alternative of this is null", help);
            }
            Declares::Key(_) | Declares::Item => {}
        }
        if is_nullable {
            let help = "write a value of the right type, such as `\"\"` or `0`: because of \
                        `@schema/nullable`, the default is still null";
            return Words::new(message, note, help);
        }
        let help = "write a value of the right type, such as `\"\"` or `0`; to make null the \
                    default, also write `#@schema/nullable` above it";
        Words::new(message, note, help)
            .help("to allow any value, write `#@schema/type any=True` above it")
    }

    fn array_shape(&self, n_items: usize) -> Words {
        let name = match &self.declares {
            Declares::Key(key) => Some(message!(" `{}`", key.key_words())),
            Declares::Document | Declares::Item | Declares::Alternative => None,
        };
        let message = message!("expected one item in the array{name}, found {n_items}");
        let note = "expected one item, which declares the type of all items";
        if n_items == 0 {
            let help = "write one item of the right type: the default is still the empty array";
            return Words::new(message, note, help)
                .help("to allow any items, write `#@schema/type \"array\"` above the array");
        }
        let help =
            "keep one item; to set the default, write `#@schema/default […]` above the array";
        Words::new(message, note, help)
            .help("for items of several types, write `#@schema/any-of …` above the one item")
    }

    fn misplaced(&self, annotation: &str, target: Target) -> Words {
        let found = match self.declares {
            Declares::Document => "a document",
            Declares::Key(_) => "a key",
            Declares::Item => "an item of an array",
            Declares::Alternative => "an alternative",
        };
        let (expected, help) = match target {
            Target::Key => ("a key", "write it above each key that it applies to"),
            Target::SectionStart => ("a key", "write it above the first key of the section"),
            Target::KeyOrItem => ("a key or an item", "write it above each key that is secret"),
        };
        Words::new(
            message!("@{} must be on {expected}, not on {found}", plain(annotation)),
            message!("not allowed on {found}"),
            help,
        )
    }
}

impl Words {
    fn new(
        message: impl Into<Message>,
        note: impl Into<Message>,
        help: impl Into<Message>,
    ) -> Self {
        Self { message: message.into(), note: note.into(), help: vec![help.into()] }
    }

    fn help(mut self, help: impl Into<Message>) -> Self {
        self.help.push(help.into());
        self
    }
}

impl Declares {
    /// The node, for a message.
    pub(crate) fn words(&self) -> Message {
        match self {
            Self::Document => "the document".into(),
            Self::Key(key) => message!("`{}`", key.key_words()),
            Self::Item => "the item of an array".into(),
            Self::Alternative => "an alternative".into(),
        }
    }
}

fn takes_nothing(annotation: &str) -> Words {
    Words::new(
        message!("@{} takes no argument", plain(annotation)),
        "expected no argument",
        "remove the argument",
    )
}

fn required_beside(annotation: &'static str) -> Words {
    let help = match annotation {
        DEFAULT => {
            "remove one of them: data values must set a required key, so its default is unused"
        }
        ANY_KEY => "remove one of them: `@schema/any-key` describes keys of any name",
        _ => "remove one of them: a key is either required or optional",
    };
    Words::new(
        message!("expected @schema/required without @{annotation}, found both"),
        message!("contradicts @{annotation}"),
        help,
    )
}

fn arguments(annotation: &str, expected: &Arguments, found: &WrongArgument) -> Words {
    let name = plain(annotation);
    let required = match expected {
        Arguments::OneString => "one string",
        Arguments::Default { .. } => "one value",
        Arguments::Alternatives => "one or more schemas",
        Arguments::Example => "a value, or a pair of a description and a value",
        Arguments::Examples => "pairs of a description and a value",
    };
    let help = match (expected, found) {
        (_, WrongArgument::Value(Datum::Function(function))) => {
            message!("call the function: `{}()`", plain(function.name()))
        }
        (Arguments::OneString, _) => message!("write one text in quotes: `#@{name} \"…\"`"),
        (Arguments::Default { type_name, .. }, WrongArgument::Several(_)) => {
            if type_name == "array" {
                "write the list in brackets: `[1, 2]`"
            } else {
                "keep one value"
            }
            .into()
        }
        (Arguments::Default { .. }, _) => AS_CODE.into(),
        (Arguments::Alternatives, WrongArgument::List(_)) => {
            "remove the brackets: a list would be the schema of an array, and must have one item"
                .into()
        }
        (Arguments::Alternatives, WrongArgument::Documents(_)) => {
            "return one document from the function".into()
        }
        (Arguments::Alternatives, _) => {
            message!("write a sample of each type: `#@{name} 0, \"\"`")
        }
        (Arguments::Example, WrongArgument::Several(_)) => message!(
            "for a description, add parentheses: `#@{name} (\"a port\", 80)`; for several examples, \
             use `@schema/examples`"
        ),
        (Arguments::Example, _) => {
            message!("write `#@{name} 80`, or with a description: `#@{name} (\"a port\", 80)`")
        }
        (Arguments::Examples, _) => {
            message!("write each example in parentheses: `#@{name} (\"a port\", 80), (…)`")
        }
    };
    let message = message!("expected @{name} to have {required}, found {}", found.words());
    Words::new(message, message!("expected {required}"), help)
}

impl WrongArgument {
    fn words(&self) -> Message {
        match self {
            Self::Keyword => "a keyword argument".into(),
            Self::Nothing => "no argument".into(),
            Self::Several(n) => message!("{n} values"),
            Self::Value(value) | Self::NotATuple(value) => of_value(value),
            Self::List(n) => message!("a list of {n} items"),
            Self::Tuple(0) => "an empty tuple".into(),
            Self::Tuple(1) => "a tuple of one value".into(),
            Self::Tuple(n) => message!("a tuple of {n} values"),
            Self::Documents(n) => message!("{n} documents"),
            Self::Description(value) => message!("{} as the description", of_value(value)),
        }
    }
}

impl WrongType {
    fn words(&self) -> Words {
        let names = type_names().collect::<Vec<_>>().join("\", \"");
        let note = message!("expected one or more of \"{}\"", plain(names));
        let expected = "expected @schema/type to have the name of a type";
        let in_quotes = |name: &str| message!("write the name in quotes: \"{}\"", plain(name));
        match self {
            Self::Nothing => {
                Words::new(message!("{expected}, found no argument"), note, in_quotes("int"))
            }
            Self::NotAName(value) => {
                let help = match value {
                    Datum::Node(Node::Array(_)) | Datum::Tuple(_) => {
                        "write the names without brackets".into()
                    }
                    Datum::Function(function) => {
                        in_quotes(meant_name(function.name()).unwrap_or(function.name()))
                    }
                    _ => in_quotes("int"),
                };
                Words::new(message!("{expected}, found {}", of_value(value)), note, help)
            }
            Self::Unknown { name, meant } => {
                let help = meant.map(|it| message!("did you mean \"{it}\"?"));
                let message = message!("{expected}, found `{}`", secret(name));
                Words { message, note, help: help.into_iter().collect() }
            }
            Self::AnyValue(value) => {
                let quotes = value.as_str().map(|_| " without quotes");
                Words::new(
                    message!(
                        "expected `any` in @schema/type to be True or False, found {}",
                        of_value(value)
                    ),
                    "expected any=True or any=False",
                    message!("write `any=True`{quotes}"),
                )
            }
            Self::Keyword(name) => Words::new(
                message!("@schema/type has no argument `{}`", secret(name)),
                "expected any=True, or the names of types",
                "write `any=True`, or the name of a type in quotes: \"int\"",
            ),
        }
    }
}

/// A value of template code, by its type.
fn of_value(value: &Datum) -> Message {
    match value {
        Datum::Node(Node::Null) => "None".into(),
        Datum::Node(Node::Array(_)) => "a list".into(),
        Datum::Node(Node::Map(_)) => "a dict".into(),
        Datum::Node(node) => node.kind().with_article().into(),
        Datum::Tuple(_) => "a tuple".into(),
        Datum::Documents(documents) => message!("{} YAML documents", documents.len()),
        Datum::Function(_) => "a function".into(),
        Datum::Opaque(value) => message!("a value of type {}", value.type_name()),
    }
}
