//! Mistakes in a schema, as facts. Our words for them are in [`words`].

mod words;

use plumb_diagnostic::Code;
use plumb_source::Span;
use plumb_value::{Datum, Node};

use crate::compile::{ARRAY_SHAPE, MALFORMED_ANNOTATION, NULL_SAMPLE, SCHEMA_WITHIN_ANY};

/// A node or an annotation that declares nothing valid.
#[derive(Clone, Debug)]
pub struct Malformed {
    /// The annotations that it concerns.
    pub annotations: Vec<Span>,
    /// The node with these annotations.
    pub node: Option<Span>,
    /// What this node is.
    pub declares: Declares,
    /// What is wrong.
    pub kind: MalformedKind,
}

/// What a node of a schema declares.
#[derive(Clone, Debug)]
pub enum Declares {
    Document,
    Key(Node),
    /// The items of an array.
    Item,
    /// A schema in an annotation such as `@schema/any-of`.
    Alternative,
}

/// The kinds of mistakes.
#[derive(Clone, Debug)]
pub enum MalformedKind {
    /// A sample is null, which has no type.
    NullSample {
        is_nullable: bool,
    },
    /// An array does not have one item, but this number.
    ArrayShape {
        n_items: usize,
    },
    /// Annotations of these names are within a node of any type, which is declared here.
    WithinAny {
        names: Vec<String>,
        declared_at: Option<Span>,
    },
    /// `@schema/default` is on an item of an array.
    DefaultOfItem,
    /// `@schema/deprecated` is on a document.
    DeprecatedDocument,
    /// An annotation is on a node that it does not apply to.
    Misplaced {
        annotation: String,
        target: Target,
    },
    /// An annotation that takes no argument has one.
    TakesNothing {
        annotation: String,
        target: Target,
    },
    /// `@schema/nullable` has a keyword argument.
    NullableKeyword,
    /// An annotation has other arguments than these.
    Arguments {
        annotation: String,
        expected: Arguments,
        found: WrongArgument,
    },
    Type(WrongType),
    /// `@schema/desc` and `@schema/doc` are on the same node.
    SecondDescription,
    /// An annotation declares the type, and the first one, which is here, declares it too.
    SecondType {
        annotation: String,
        first: String,
        first_at: Option<Span>,
    },
    /// A map already has an item with `@schema/any-key`, which is here.
    SecondAnyKey {
        earlier: Option<Span>,
    },
    /// `@schema/required` is on the same node as this annotation.
    RequiredBeside {
        annotation: &'static str,
    },
    /// Alternatives are nested in more than this number of levels.
    TooDeep {
        annotation: String,
        max: usize,
    },
    /// All alternatives have more than this number of nodes.
    TooMany {
        annotation: String,
        max: usize,
    },
}

/// The nodes that an annotation applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Key,
    /// The first key of a section.
    SectionStart,
    /// A key, or the items of an array.
    KeyOrItem,
}

/// The arguments that an annotation expects.
#[derive(Clone, Debug)]
pub enum Arguments {
    OneString,
    /// The default of a node whose type has this name, and is declared here.
    Default {
        type_name: String,
        declared_at: Option<Span>,
    },
    /// One or more schemas.
    Alternatives,
    /// A value, or a description and a value.
    Example,
    /// Pairs of a description and a value.
    Examples,
}

/// The arguments that an annotation has instead.
#[derive(Clone, Debug)]
pub enum WrongArgument {
    /// A keyword argument.
    Keyword,
    Nothing,
    /// This number of values instead of one.
    Several(usize),
    /// A value of a wrong type.
    Value(Datum),
    /// A list of this length instead of its items.
    List(usize),
    /// A tuple of this length.
    Tuple(usize),
    /// This number of documents instead of one.
    Documents(usize),
    /// A value that is not a tuple.
    NotATuple(Datum),
    /// A description that is not a string.
    Description(Datum),
}

/// Wrong arguments of `@schema/type`.
#[derive(Clone, Debug)]
pub enum WrongType {
    /// There are no arguments.
    Nothing,
    /// This argument is not the name of a type.
    NotAName(Datum),
    /// No type has this name.
    Unknown { name: String, meant: Option<&'static str> },
    /// The value of `any=` is not a boolean but this value.
    AnyValue(Datum),
    /// There is no keyword argument of this name.
    Keyword(String),
}

impl Malformed {
    pub(crate) fn code(&self) -> Code {
        match self.kind {
            MalformedKind::NullSample { .. } => NULL_SAMPLE,
            MalformedKind::ArrayShape { .. } => ARRAY_SHAPE,
            MalformedKind::WithinAny { .. } => SCHEMA_WITHIN_ANY,
            MalformedKind::DefaultOfItem
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
            | MalformedKind::TooMany { .. } => MALFORMED_ANNOTATION,
        }
    }
}
