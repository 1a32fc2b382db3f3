//! What is wrong with an overlay, as facts. Here are our words for them.

use plumb_source::message::{plain, secret, term};
use plumb_source::{Message, Text, message};
use plumb_value::NodeKind;

use crate::subset::Mismatch;

/// An error in an overlay, or in what it is applied to.
#[derive(Clone, Debug)]
pub enum OverlayError {
    /// An item matches a wrong number of nodes, which are in these lines.
    MatchCount { expected: Message, lines: Vec<String> },
    /// A function does not accept the number of matches.
    MatchCountRefused,
    /// The overlay has a collection of this kind, and is applied to something else.
    WrongType { expected: String, found: String },
    /// A map has this key twice, in these lines.
    DuplicateKey { key: Message, lines: [String; 2] },
    /// The function of an assertion returned false, with or without a message.
    AssertionFailed(Option<Message>),
    /// The function of an assertion returned a value that is not a valid answer.
    WrongAnswer,
    /// A function of `via=` returned a value of this type.
    NotData(Message),
    /// There is no document to which another one can be added.
    NoDocument,
    /// An annotation of this name is on a map item in this line.
    OnMapItem { annotation: &'static str, line: String },
    /// An item has more than one operation.
    SeveralOperations,
    /// Two arguments of `@overlay/match` contradict each other.
    OnlyOne(&'static str, &'static str),
    /// `missing_ok=` is not a boolean.
    MissingOk,
    /// The function of an argument does not return a boolean.
    NotBoolean { argument: String },
    /// The text of a count is not like `2+`.
    NotACount(String),
    /// The argument of `@overlay/match` has a wrong type.
    CountType { argument: String, found: Message },
    /// `@overlay/match` of a document, or of an item, has no `by=`.
    WithoutBy { is_document: bool },
    /// `by=` has a wrong type.
    ByType { found: Message },
    /// An argument must be a function.
    NotAFunction { annotation: String, argument: String, found: Message },
    /// An annotation has no such argument.
    UnknownArgument { annotation: String, argument: String },
    /// An annotation needs one of these arguments.
    MissingArguments { annotation: String, arguments: String },
    /// A function is applied to a value of this type, which is not data.
    ArgumentNotData { found: &'static str },
    /// A matcher is called with a value that is not data.
    MatchedNotData,
    /// Items are matched by a key, and one of them is a value of this kind instead of a map.
    NotAMap { found: NodeKind },
    /// Items are matched by this key, and one of them does not have it.
    NoItem { key: Text },
    /// `@overlay/assert` expects another value.
    NotEqual(Mismatch),
}

impl OverlayError {
    /// The message in our words. Other renderers read the facts.
    pub(crate) fn message(self) -> Message {
        let words = match &self {
            Self::MatchCount { expected, lines } => {
                let n = lines.len();
                match expected.shown() {
                    "1" => message!("expected 1 match, found {n}"),
                    other => match other.strip_prefix(">= ") {
                        Some(least) => {
                            message!("expected at least {} matches, found {n}", plain(least))
                        }
                        None => message!("expected {expected} matches, found {n}"),
                    },
                }
            }
            Self::MatchCountRefused => "the number of matches is not accepted".into(),
            Self::WrongType { expected, found } => {
                message!("expected {}, found {}", with_article(expected), with_article(found))
            }
            Self::DuplicateKey { key, .. } => message!("the key `{key}` is in the map twice"),
            Self::AssertionFailed(None) => "the function of via= returned False".into(),
            Self::AssertionFailed(Some(message)) => {
                message!("the function of via= returned False: {message}")
            }
            Self::WrongAnswer => "expected the function of via= to return None, a boolean, or a \
                                  tuple of a boolean and a string"
                .into(),
            Self::NotData(found) => {
                message!("expected the function of via= to return plain data, found {found}")
            }
            Self::NoDocument => "expected at least one document to add to, found none".into(),
            Self::OnMapItem { annotation, .. } => {
                message!("@{} is for array items, but is on a map item", plain(annotation))
            }
            Self::SeveralOperations => "expected one overlay operation, found several".into(),
            Self::OnlyOne(first, second) => {
                message!(
                    "expected only one of the arguments `{}` and `{}`, found both",
                    plain(first),
                    plain(second)
                )
            }
            Self::MissingOk => "expected `missing_ok` to be a boolean".into(),
            Self::NotBoolean { argument } => {
                message!("expected the function of `{}` to return a boolean", plain(argument))
            }
            Self::NotACount(text) => {
                message!("expected a number followed by `+`, found '{}'", secret(text))
            }
            Self::CountType { argument, found } => message!(
                "expected `{}` to be an integer, a string or a function, found {found}",
                plain(argument)
            ),
            Self::WithoutBy { .. } => "expected the argument `by` in @overlay/match".into(),
            Self::ByType { found } => {
                message!("expected `by` to be a key or a function, found {found}")
            }
            Self::NotAFunction { annotation, argument, found } => message!(
                "expected `{}` of @{} to be a function, found {found}",
                plain(argument),
                plain(annotation)
            ),
            Self::UnknownArgument { annotation, argument } => {
                message!("@{} has no argument `{}`", plain(annotation), secret(argument))
            }
            Self::MissingArguments { annotation, arguments } => message!(
                "expected @{} to have at least one argument ({})",
                plain(annotation),
                plain(arguments)
            ),
            Self::ArgumentNotData { found } => {
                message!("expected plain data, found {}", plain(found))
            }
            Self::MatchedNotData => "expected plain data to be matched".into(),
            Self::NotAMap { found } => {
                message!("expected items that are maps, found {}", with_article(&found.to_string()))
            }
            Self::NoItem { key } => {
                message!("expected each item to have the key `{}`", secret(key))
            }
            Self::NotEqual(mismatch) => not_equal(*mismatch),
        };
        term(words, self).into()
    }
}

fn not_equal(mismatch: Mismatch) -> Message {
    match mismatch {
        Mismatch::Leaf { expected, found } if expected == found => {
            message!("expected an equal {}, found another one", plain(expected))
        }
        Mismatch::Kind { expected, found } | Mismatch::Leaf { expected, found } => message!(
            "expected {}, found {}",
            with_article(&expected.to_string()),
            with_article(&found.to_string())
        ),
        Mismatch::MissingKey => "expected a key that is missing".into(),
        Mismatch::TooFewItems => "expected more items of an array".into(),
    }
}

/// A kind of node, such as `an integer`.
fn with_article(kind: &str) -> Message {
    let article = match kind {
        "null" => "",
        _ if kind.starts_with(['a', 'e', 'i', 'o']) => "an ",
        _ => "a ",
    };
    message!("{article}{}", plain(kind))
}
