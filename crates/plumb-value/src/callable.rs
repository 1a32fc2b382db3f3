//! The seam to user-written code: what can be called, and what is passed to and fro.
//!
//! Overlays, schemas and validations call functions that users write (`by=lambda …`). They see
//! them as [`Callable`] and never hear of the language; tests pass closures.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use plumb_diagnostic::Frame;
use plumb_source::{Message, Origin, Span};

use crate::{Array, ArrayItem, Document, Node, Step};

/// Something that a user wrote and that can be called.
pub trait Callable: Send + Sync + fmt::Debug {
    /// The name it was defined under; `lambda` for one without.
    fn name(&self) -> &str;

    /// How many positional parameters it takes, where that is known.
    fn arity(&self) -> Option<usize>;

    /// How many of them have no default, if that is known.
    fn required_arity(&self) -> Option<usize> {
        self.arity()
    }

    fn call(&self, args: Vec<Datum>) -> Result<Datum, CallError>;

    /// The code that ytt says errors of the function are in, where it has it in its language.
    fn peer_code(&self) -> Option<&'static str> {
        None
    }

    /// Where it is written, if users wrote it.
    fn span(&self) -> Option<Span> {
        None
    }

    /// For callers that know some implementations (an overlay matcher of ours) and can do without
    /// the call.
    fn as_any(&self) -> &dyn Any;

    /// How the language itself shows the function.
    fn repr(&self) -> String {
        format!("<function {}>", self.name())
    }
}

/// A value that crosses the seam: an argument of an annotation or a function, or its result.
#[derive(Clone, Debug)]
pub enum Datum {
    /// Plain data: a scalar, a map or an array.
    Node(Node),
    Tuple(Vec<Datum>),
    Documents(Vec<Document>),
    Function(Arc<dyn Callable>),
    /// A value that only its own language can look into, such as a module.
    Opaque(Arc<dyn Opaque>),
}

/// A value of the language with no counterpart in the document model.
pub trait Opaque: Send + Sync + fmt::Debug {
    fn type_name(&self) -> &'static str;

    /// A method of the value by name, such as the `check` of an assertion.
    fn method(&self, name: &str) -> Option<Arc<dyn Callable>>;

    /// The names of all its methods.
    fn method_names(&self) -> &[&'static str] {
        &[]
    }

    /// What calling the value calls, for a value that can be called.
    fn as_function(&self) -> Option<Arc<dyn Callable>> {
        None
    }

    fn as_any(&self) -> &dyn Any;

    /// The elements of a list that is no plain data, such as one of functions.
    fn elements(&self) -> Option<Vec<Datum>> {
        None
    }

    /// How the language itself shows the value.
    fn repr(&self) -> String {
        format!("<{}>", self.type_name())
    }
}

/// A call that did not return.
#[derive(Clone, Debug)]
pub struct CallError {
    pub message: Message,
    /// The calls under way, innermost first.
    pub frames: Vec<Frame>,
    /// Whether the function itself said so, with `fail` or `assert.fail`.
    pub is_deliberate: bool,
    /// Whether the function met a limit, so that calling it again would take as long again.
    pub is_limit: bool,
    /// Which child of its argument the function blames, with `assert.fail(.., at=[..])`.
    pub at: Vec<Step>,
}

impl Datum {
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Node(node) => node.as_str(),
            Self::Tuple(_) | Self::Documents(_) | Self::Function(_) | Self::Opaque(_) => None,
        }
    }

    /// The value as plain data, with tuples as arrays; none where it holds code.
    pub fn to_node(&self) -> Option<Node> {
        match self {
            Self::Node(node) => Some(node.clone()),
            Self::Tuple(items) => {
                let items =
                    items.iter().map(|it| Some(ArrayItem::new(it.to_node()?, Origin::Unknown)));
                let items: Option<Vec<ArrayItem>> = items.collect();
                Some(Node::array(Array::new(items?, Origin::Unknown)))
            }
            Self::Documents(_) | Self::Function(_) | Self::Opaque(_) => None,
        }
    }

    pub fn as_function(&self) -> Option<&Arc<dyn Callable>> {
        match self {
            Self::Function(function) => Some(function),
            Self::Node(_) | Self::Tuple(_) | Self::Documents(_) | Self::Opaque(_) => None,
        }
    }

    /// The name of the type in the language's own words.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Node(node) => node.type_name(),
            Self::Tuple(_) => "tuple",
            Self::Documents(_) => "yamlfragment",
            Self::Function(_) => "function",
            Self::Opaque(value) => value.type_name(),
        }
    }
}

impl CallError {
    /// A call that went wrong by itself, such as by a wrong type.
    pub fn new(message: impl Into<Message>) -> Self {
        Self {
            message: message.into(),
            frames: Vec::new(),
            is_deliberate: false,
            is_limit: false,
            at: Vec::new(),
        }
    }

    /// A call whose function said so itself.
    pub fn deliberate(message: impl Into<Message>) -> Self {
        Self { is_deliberate: true, ..Self::new(message) }
    }
}
