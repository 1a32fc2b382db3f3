//! The annotations above a node, and the arguments of `@schema/validation`.

use std::fmt;

use plumb_validation::{CelImport, Constraint, Mode};
use plumb_value::{Node, NodeKind};

use crate::literal::literal;
use crate::words::Named;

/// An annotation, except `@schema/validation`.
#[derive(Clone, Debug)]
pub(crate) enum Annotation {
    AnyKey,
    AnyType,
    /// The names of the types that a value may have.
    Types(Vec<NodeKind>),
    Nullable,
    Choice(Mode, Vec<Alternative>),
    MayBePresent,
    /// The key must be given.
    Required,
    Default(Node),
    Title(String),
    Description(String),
    /// The reason why a value is deprecated, which may be empty.
    Deprecated(String),
    /// The value must not be shown.
    Secret,
    /// Descriptions and values.
    Examples(Vec<(String, Node)>),
}

/// An alternative in the form in which an annotation refers to it.
#[derive(Clone, Debug)]
pub(crate) enum Alternative {
    /// A value that serves as its own schema.
    Value(Node),
    /// The name of the function that returns the schema.
    Function(String),
}

/// An argument of `@schema/validation`.
#[derive(Clone, Debug)]
pub(crate) enum Argument {
    /// A named rule, and its author's description of it.
    Named(Named, Option<String>),
    /// All rules in CEL.
    Cel(Vec<Expression>),
}

/// A rule in CEL.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    /// The expression in the template language, or a tuple of a message and the expression.
    text: String,
    constraint: Option<Constraint>,
}

impl Argument {
    /// The rule `not_null=True`.
    pub(crate) fn not_null() -> Self {
        Self::Named(Named::new("not_null", "True", Constraint::NotNull), None)
    }

    pub(crate) fn is(&self, name: &str) -> bool {
        match self {
            Self::Named(named, _) => named.name == name,
            Self::Cel(_) => name == "cel",
        }
    }

    /// Whether the argument is only `min_len=` with this number.
    pub(crate) fn is_min_len(&self, length: i128) -> bool {
        match self {
            Self::Named(named, None) => {
                matches!(named.constraint, Constraint::MinLen(it) if it == length)
            }
            Self::Named(_, Some(_)) | Self::Cel(_) => false,
        }
    }

    /// The constraints of the argument that can be checked here.
    pub(crate) fn constraints(&self) -> impl Iterator<Item = &Constraint> {
        let (named, expressions) = match self {
            Self::Named(named, _) => (Some(&named.constraint), [].as_slice()),
            Self::Cel(expressions) => (None, expressions.as_slice()),
        };
        named.into_iter().chain(expressions.iter().filter_map(|it| it.constraint.as_ref()))
    }
}

impl Expression {
    /// Creates a rule. Returns `None` if the import has no expression.
    pub(crate) fn new(import: CelImport) -> Option<Self> {
        Some(Self { text: import.item?, constraint: import.constraint })
    }
}

impl fmt::Display for Annotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |text: &str| Node::from(text).repr();
        match self {
            Self::AnyKey => f.write_str("schema/any-key"),
            Self::AnyType => f.write_str("schema/type any=True"),
            Self::Types(kinds) => {
                let names: Vec<&str> = kinds.iter().map(|it| type_name(*it)).collect();
                write!(f, "schema/type {}", names.join(", "))
            }
            Self::Nullable => f.write_str("schema/nullable"),
            Self::Choice(mode, alternatives) => {
                let annotation = match mode {
                    Mode::AnyOf => "schema/any-of",
                    Mode::OneOf => "schema/one-of",
                    Mode::AllOf => "schema/all-of",
                };
                let alternatives: Vec<String> =
                    alternatives.iter().map(ToString::to_string).collect();
                write!(f, "{annotation} {}", alternatives.join(", "))
            }
            Self::MayBePresent => f.write_str("schema/key-may-be-present"),
            Self::Required => f.write_str("schema/required"),
            Self::Default(value) => write!(f, "schema/default {}", literal(value)),
            Self::Title(text) => write!(f, "schema/title {}", quoted(text)),
            Self::Description(text) => write!(f, "schema/desc {}", quoted(text)),
            Self::Deprecated(text) => write!(f, "schema/deprecated {}", quoted(text)),
            Self::Secret => f.write_str("schema/secret"),
            Self::Examples(examples) => {
                let shown: Vec<String> = examples
                    .iter()
                    .map(|(about, it)| format!("({}, {})", quoted(about), literal(it)))
                    .collect();
                write!(f, "schema/examples {}", shown.join(", "))
            }
        }
    }
}

impl fmt::Display for Alternative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(node) => f.write_str(&literal(node)),
            Self::Function(name) => write!(f, "{name}()"),
        }
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(named, description) => f.write_str(&named.text(description.as_deref())),
            Self::Cel(expressions) => match expressions.as_slice() {
                [only] => write!(f, "cel={}", only.text),
                several => {
                    let texts: Vec<&str> = several.iter().map(|it| it.text.as_str()).collect();
                    write!(f, "cel=[{}]", texts.join(", "))
                }
            },
        }
    }
}

fn type_name(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Null => "\"null\"",
        NodeKind::Boolean => "\"bool\"",
        NodeKind::Integer => "\"int\"",
        NodeKind::Float => "\"float\"",
        NodeKind::String => "\"string\"",
        NodeKind::Map => "\"map\"",
        NodeKind::Array => "\"array\"",
    }
}
