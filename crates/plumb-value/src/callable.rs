//! The interface to user-written code: functions, and their arguments and results.
//!
//! Overlays, schemas and validations call functions that users write (`by=lambda …`). They use
//! [`Callable`] and do not depend on the language; tests pass closures.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use plumb_diagnostic::{Facts, Frame};
use plumb_source::{Limit, LimitError, Message, Origin, Span};

use crate::{Array, ArrayItem, Document, Node, Step};

/// A function that a user wrote.
pub trait Callable: Send + Sync + fmt::Debug {
    /// Returns the name of the definition; `lambda` for a function without one.
    fn name(&self) -> &str;

    /// Returns the number of positional parameters. Returns `None` if it is not known.
    fn arity(&self) -> Option<usize>;

    /// Returns the number of positional parameters without a default. Returns `None` if it is not
    /// known.
    fn required_arity(&self) -> Option<usize> {
        self.arity()
    }

    /// Calls the function with positional arguments.
    fn call(&self, args: Vec<Datum>) -> Result<Datum, CallError>;

    /// Like [`call`](Self::call), but counts the work of native functions: they call `pay` with the
    /// number of their steps. `pay` fails if there are too many steps.
    fn call_counted(
        &self,
        args: Vec<Datum>,
        pay: &dyn Fn(u64) -> Result<(), LimitError>,
    ) -> Result<Datum, CallError> {
        let _ = pay;
        self.call(args)
    }

    /// Returns the name of the function's built-in code, if templates see it as a function of the
    /// language instead of a native function.
    fn built_in_code(&self) -> Option<&'static str> {
        None
    }

    /// Returns the name of the only parameter, if it can be given by name.
    fn parameter(&self) -> Option<&'static str> {
        None
    }

    /// Returns whether templates see the function as a native one.
    fn is_native(&self) -> bool {
        false
    }

    /// Returns where the function is written. Returns `None` if it is built in.
    fn span(&self) -> Option<Span> {
        None
    }

    /// For callers that recognize some implementations (such as a built-in overlay matcher) and can
    /// avoid the call.
    fn as_any(&self) -> &dyn Any;

    /// Returns the function in the form of the language's `repr`.
    fn repr(&self) -> String {
        format!("<function {}>", self.name())
    }
}

/// A value that is passed to or from user-written code: an argument of an annotation or a function,
/// or its result.
#[derive(Clone, Debug)]
pub enum Datum {
    /// Plain data: a scalar, a map or an array.
    Node(Node),
    /// A tuple.
    Tuple(Vec<Datum>),
    /// The documents that a function of a template returns.
    Documents(Vec<Document>),
    /// A function.
    Function(Arc<dyn Callable>),
    /// A value that only the language can inspect, such as a module.
    Opaque(Arc<dyn Opaque>),
}

/// A value of the language with no counterpart in the document model.
pub trait Opaque: Send + Sync + fmt::Debug {
    /// Returns the name of its type in the language.
    fn type_name(&self) -> &'static str;

    /// Returns a method of the value by name, such as the `check` of an assertion.
    fn method(&self, name: &str) -> Option<Arc<dyn Callable>>;

    /// Returns the names of all its methods.
    fn method_names(&self) -> &[&'static str] {
        &[]
    }

    /// Returns the function that is called if the value is called. Returns `None` if the value
    /// cannot be called.
    fn as_function(&self) -> Option<Arc<dyn Callable>> {
        None
    }

    /// Returns the value, so that the language can recognize its type.
    fn as_any(&self) -> &dyn Any;

    /// Returns the approximate size of the value in bytes, in addition to its arguments.
    fn size(&self) -> usize {
        0
    }

    /// Returns the elements of a list that is not plain data, such as a list of functions.
    fn elements(&self) -> Option<Vec<Datum>> {
        None
    }

    /// Returns the value in the form of the language's `repr`.
    fn repr(&self) -> String {
        format!("<{}>", self.type_name())
    }
}

/// A call that failed.
#[derive(Clone, Debug)]
pub struct CallError {
    /// The error text, as code that catches the error sees it.
    pub message: Message,
    /// The finding for readers, if it differs from the message.
    pub finding: Option<Box<CallFinding>>,
    /// The facts from which the message is composed, for code that needs other words.
    pub facts: Option<Facts>,
    /// The active calls, innermost first.
    pub frames: Vec<Frame>,
    /// Whether the function failed on purpose, with `fail` or `assert.fail`.
    pub is_deliberate: bool,
    /// The limit that the function reached; another call would reach it too.
    pub limit: Option<Limit>,
    /// The child of its argument that the function rejects, with `assert.fail(.., at=[..])`.
    pub at: Box<[Step]>,
    /// What the author of the function can do.
    pub help: Option<Box<Message>>,
}

/// A failed call in the form for readers.
#[derive(Clone, Debug)]
pub struct CallFinding {
    /// What is wrong.
    pub message: Message,
    /// The place of the mistake, if it differs from the places of the calls.
    pub place: Option<Span>,
}

impl Datum {
    /// Returns the text of a string. Returns `None` for other values, and for a string that is not
    /// UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Node(node) => node.as_str(),
            Self::Tuple(_) | Self::Documents(_) | Self::Function(_) | Self::Opaque(_) => None,
        }
    }

    /// Returns the value as plain data, with tuples as arrays. Returns `None` if it contains code
    /// or documents.
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

    /// Returns the function. Returns `None` for other values, even if they can be called.
    pub fn as_function(&self) -> Option<&Arc<dyn Callable>> {
        match self {
            Self::Function(function) => Some(function),
            Self::Node(_) | Self::Tuple(_) | Self::Documents(_) | Self::Opaque(_) => None,
        }
    }

    /// Returns the name of the type in the template language.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Node(node) => node.type_name(),
            Self::Tuple(_) => "tuple",
            Self::Documents(_) => "yamlfragment",
            Self::Function(function) if function.is_native() => "builtin_function_or_method",
            Self::Function(_) => "function",
            Self::Opaque(value) => value.type_name(),
        }
    }
}

impl CallError {
    /// A call that failed because of a mistake, such as a wrong type.
    pub fn new(message: impl Into<Message>) -> Self {
        Self {
            message: message.into(),
            finding: None,
            facts: None,
            frames: Vec::new(),
            is_deliberate: false,
            limit: None,
            at: Box::default(),
            help: None,
        }
    }

    /// A call that reached a limit.
    pub fn limit(error: LimitError) -> Self {
        Self { limit: Some(error.limit), ..Self::new(error.message) }
    }

    /// A call whose function failed on purpose.
    pub fn deliberate(message: impl Into<Message>) -> Self {
        Self { is_deliberate: true, ..Self::new(message) }
    }
}
