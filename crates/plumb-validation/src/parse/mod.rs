//! Converts the arguments of `@schema/validation`, `@assert/validate` and `assert.validate` to
//! rules.

mod argument;
mod cel;

use std::sync::Arc;

use plumb_cel::{Declared, Gives};
use plumb_diagnostic::{Code, Diagnostic};
use plumb_source::message::{plain, term};
use plumb_source::{Sources, Span, message};
use plumb_value::{Annotation, AnnotationDefinition, Datum, Node, Reads};

pub use argument::RULE_ARGUMENTS;

use crate::rule_check::outline;
use crate::{Assertion, AssertionObject, Condition, Constraint, Message, Rule, Validation};

/// The annotation that binds rules to a node of a document.
pub const ASSERT_VALIDATE: &str = "assert/validate";

/// The annotation that this crate reads. Schemas have further annotations with the same arguments.
pub const ANNOTATIONS: &[AnnotationDefinition] = &[AnnotationDefinition::new(
    ASSERT_VALIDATE,
    Reads::All,
    RULE_ARGUMENTS,
    "Rules for this value of the output.",
)];

/// The arguments of a validation annotation are not valid.
///
/// Rules are functions or assertions, alone or as `("description", rule)` or `("description", rule,
/// "message")`, and keywords such as `min_len=1` or `min_len=("description", 1)`.
pub const MALFORMED: Code = Code::new("validation/malformed-rule");

/// Arguments that are not a valid rule.
#[derive(Clone, Debug)]
pub struct AnnotationError {
    /// What is wrong with them.
    pub kind: AnnotationErrorKind,
    /// Where they are written.
    pub span: Option<Span>,
    help: Vec<plumb_source::Message>,
}

/// What is wrong with arguments that are not a valid rule.
#[derive(Clone, Debug)]
pub enum AnnotationErrorKind {
    /// There are no arguments.
    NoArguments,
    /// An argument is not a rule. It has this representation, and this type or shape.
    NotARule { repr: String, outline: String },
    /// A tuple has this many items.
    TupleLength(usize),
    /// The first item of a tuple is not a description.
    NoDescription { type_name: &'static str, outline: String },
    /// The second item of a tuple is not an assertion.
    NotAnAssertion { found: Datum, outline: String },
    /// The rule of a keyword has a message, which is not allowed. Without the message, the error
    /// would be `otherwise`.
    Message { keyword: String, otherwise: Box<AnnotationErrorKind> },
    /// The values or keys of a rule are not a list. This is the message.
    NotAList(plumb_source::Message),
    /// Another error, with this message.
    Other(plumb_source::Message),
}

/// An annotation that is not valid.
#[derive(Clone, Debug)]
pub struct WrongAnnotation {
    pub name: String,
    pub error: AnnotationError,
}

impl Validation {
    /// Reads the rules of an annotation. Fails if it has no arguments or if one of them is not
    /// valid.
    pub fn from_annotation(annotation: &Annotation) -> Result<Self, AnnotationError> {
        if annotation.args.is_empty() && annotation.kwargs.is_empty() {
            return Err(ArgumentError::from(AnnotationErrorKind::NoArguments).at(annotation.span));
        }
        Self::from_arguments(annotation)
    }

    /// Reads rules from left to right; a rule that forbids null is moved to the front. Without
    /// arguments, there are no rules.
    pub fn from_arguments(annotation: &Annotation) -> Result<Self, AnnotationError> {
        let mut rules = Vec::with_capacity(annotation.args.len() + annotation.kwargs.len());
        let mut when = None;
        for (at, arg) in annotation.args.iter().enumerate() {
            let span = annotation.arg_span(at);
            let ordinal = annotation.arg_position(at) + 1;
            let rule = positional(arg, ordinal).map_err(|it| it.at(span))?;
            rules.push(Rule { span, ..rule });
        }
        for (name, value) in &annotation.kwargs {
            let span = annotation.kwarg_span(name);
            if &**name == "when" {
                let assertion = condition(value).map_err(|it| it.at(span))?;
                when = Some(Condition { assertion, span });
            } else {
                let named = named(name, value, rules.len() + 1).map_err(|it| it.at(span))?;
                rules.extend(named.into_iter().map(|rule| Rule { span, ..rule }));
            }
        }
        rules.sort_by_key(|rule: &Rule| !rule.forbids_null());
        let uses = annotation.uses.clone();
        Ok(Self { rules, when, span: annotation.span, uses })
    }

    /// Checks the types of rules in CEL against the declared type of the value, as an API server
    /// does.
    pub fn check_types(&self, declared: &Arc<Declared>) -> Result<(), AnnotationError> {
        for rule in &self.rules {
            if let Some(Constraint::Cel(expression)) = rule.assertion.constraint() {
                let source = expression.source();
                plumb_cel::check(source, declared, Gives::Truth, false)
                    .map_err(|it| argument::unusable(source, it).at(rule.span.or(self.span)))?;
            }
        }
        Ok(())
    }
}

impl AnnotationError {
    /// What is wrong with the arguments.
    pub fn message(&self) -> plumb_source::Message {
        self.kind.message()
    }

    /// The problem as a finding about the annotation of this name.
    pub fn report(&self, annotation: &str, sources: &Sources) -> Diagnostic {
        let name = plain(annotation);
        let message = message!("@{name} is not valid: {}", self.message());
        let facts = WrongAnnotation { name: annotation.to_owned(), error: self.clone() };
        let mut diagnostic = Diagnostic::error(MALFORMED, message).with_facts(facts);
        diagnostic.help.extend(self.help.clone());
        diagnostic = diagnostic.at(self.span, self.message());
        diagnostic.reveal_literals(sources);
        diagnostic
    }
}

/// The forms of a positional argument.
const RULE_FORMS: &str =
    "a function, (\"description\", function) or (\"description\", function, \"message\")";

impl AnnotationErrorKind {
    fn message(&self) -> plumb_source::Message {
        match self {
            Self::NoArguments => {
                message!("expected {RULE_FORMS}, or a keyword such as min=1; found no arguments")
            }
            Self::NotARule { outline, .. } => {
                message!("expected {RULE_FORMS}; found {}", plain(outline))
            }
            Self::TupleLength(length) => {
                message!("expected {RULE_FORMS}; found a tuple of length {length}")
            }
            Self::NoDescription { outline, .. } => message!(
                "expected a string that describes a valid value as the first item; found {}",
                plain(outline)
            ),
            Self::NotAnAssertion { outline, .. } => message!(
                "expected a function, or an assertion such as assert.min(1), as the second item; \
                 found {}",
                plain(outline)
            ),
            Self::Message { keyword, .. } => message!(
                "expected {}= to be a value or (\"description\", value); found a message",
                plain(keyword)
            ),
            Self::NotAList(words) | Self::Other(words) => words.clone(),
        }
    }
}

/// An [`AnnotationError`] whose place is not known yet.
struct ArgumentError {
    kind: AnnotationErrorKind,
    help: Vec<plumb_source::Message>,
}

impl From<AnnotationErrorKind> for ArgumentError {
    fn from(kind: AnnotationErrorKind) -> Self {
        Self { kind, help: Vec::new() }
    }
}

impl ArgumentError {
    fn new(words: impl Into<plumb_source::Message>) -> Self {
        AnnotationErrorKind::Other(words.into()).into()
    }

    fn help(self, help: impl Into<plumb_source::Message>) -> Self {
        Self { help: vec![help.into()], ..self }
    }

    /// A named rule cannot have a message.
    fn because_of_message(self, name: &str) -> Self {
        let argument = if argument::TAKE_NOTHING.contains(&name) { "" } else { "…" };
        let otherwise = Box::new(self.kind);
        let help = message!(
            "for a message, write (\"description\", assert.{}({argument}), \"message\")",
            plain(name)
        );
        Self::from(AnnotationErrorKind::Message { keyword: name.to_owned(), otherwise }).help(help)
    }

    fn at(self, span: Option<Span>) -> AnnotationError {
        let Self { kind, help } = self;
        AnnotationError { kind, span, help }
    }
}

fn positional(arg: &Datum, ordinal: usize) -> Result<Rule, ArgumentError> {
    if let Some(assertion) = assertion_of(arg)? {
        let (description, message) = (None, None);
        return Ok(Rule { assertion, description, message, ordinal, is_named: false, span: None });
    }
    let Datum::Tuple(items) = arg else {
        return Err(
            AnnotationErrorKind::NotARule { repr: arg.repr(), outline: outline(arg) }.into()
        );
    };
    let (description, assertion, message) = match items.as_slice() {
        [description, assertion] => (description, assertion, None),
        [description, assertion, message] => (description, assertion, Some(message)),
        _ => return Err(AnnotationErrorKind::TupleLength(items.len()).into()),
    };
    let Some(description) = description.as_str() else {
        let (type_name, outline) = (description.type_name(), outline(description));
        return Err(AnnotationErrorKind::NoDescription { type_name, outline }.into());
    };
    let assertion =
        assertion_of(assertion)?.ok_or_else(|| AnnotationErrorKind::NotAnAssertion {
            found: assertion.clone(),
            outline: outline(assertion),
        })?;
    let message = message.map(message_of).transpose()?;
    let description = Some(description.to_owned());
    Ok(Rule { assertion, description, message, ordinal, is_named: false, span: None })
}

fn message_of(datum: &Datum) -> Result<Message, ArgumentError> {
    let Some(template) = datum.as_str() else {
        return Err(ArgumentError::new(message!(
            "expected third item in the tuple to be a string with the message, {}",
            message::found(datum.type_name())
        )));
    };
    Message::parse(template).map_err(ArgumentError::new)
}

/// Returns the assertion in a value, or `None` if it is not an assertion.
fn assertion_of(datum: &Datum) -> Result<Option<Assertion>, ArgumentError> {
    Ok(match datum {
        Datum::Function(function) => Some(match uncalled(function.name()) {
            None => Assertion::Function(Arc::clone(function)),
            // Unlike the others, this function also accepts a value.
            Some("not_null") => Constraint::NotNull.into(),
            Some(name) => return Err(not_called(name)),
        }),
        Datum::Opaque(object) => match object.as_any().downcast_ref() {
            Some(AssertionObject { constraint, .. }) => {
                Some(Assertion::Constraint(Arc::clone(constraint)))
            }
            None => object.method("check").map(Assertion::Function),
        },
        Datum::Node(_) | Datum::Tuple(_) | Datum::Documents(_) => None,
    })
}

/// Returns the name of a function of the `assert` module that creates assertions but is not an
/// assertion itself.
fn uncalled(function: &str) -> Option<&str> {
    let name = function.strip_prefix("assert.")?;
    (name != "when" && argument::KEYWORDS.contains(&name)).then_some(name)
}

fn not_called(name: &str) -> ArgumentError {
    let arguments = if argument::TAKE_NOTHING.contains(&name) { "" } else { "…" };
    ArgumentError::new(message!(
        "expected an assertion, but found the function assert.{}, which makes one",
        plain(name)
    ))
    .help(message!("call it: `assert.{}({arguments})`", plain(name)))
}

/// Returns the type of a value, and why it is not data if its type does not say so.
fn type_words(value: &Datum) -> plumb_source::Message {
    match (value, value.type_name()) {
        (Datum::Opaque(_), "int") => {
            plumb_source::Message::of(&[&term("an int of more than 64 bits", LargeInt)])
        }
        (Datum::Opaque(_), name) => mixed_words(value).unwrap_or_else(|| name.into()),
        (_, name) => name.into(),
    }
}

/// Describes a collection that contains something other than data.
fn mixed_words(value: &Datum) -> Option<plumb_source::Message> {
    match (value, value.type_name()) {
        (Datum::Opaque(_) | Datum::Tuple(_), name @ ("list" | "tuple" | "dict" | "struct")) => {
            Some(message!("{name} with an element that is not data"))
        }
        _ => None,
    }
}

/// An integer is too large for data. As a part of a message, the type of such a value.
#[derive(Clone, Copy, Debug)]
pub struct LargeInt;

fn condition(value: &Datum) -> Result<Assertion, ArgumentError> {
    assertion_of(value)?.ok_or_else(|| expected("when", "a function", value))
}

fn expected(keyword: &str, what: &str, value: &Datum) -> ArgumentError {
    ArgumentError::new(message!(
        "expected keyword argument \"{}\" to be {}, {}",
        plain(keyword),
        plain(what),
        message::found(type_words(value))
    ))
}

/// Returns the rules of a keyword: usually one, none if it was switched off (`even=False`), and one
/// for each expression of `cel=`.
fn named(name: &str, value: &Datum, ordinal: usize) -> Result<Vec<Rule>, ArgumentError> {
    if name == "cel" {
        return cel::rules(value, ordinal);
    }
    let is_list = matches!(name, "one_of" | "one_not_null");
    let has_message = has_message(name, value);
    let (description, value) = split_description(value, is_list);
    let constraint = argument::constraint(name, value)
        .map_err(|it| if has_message { it.because_of_message(name) } else { it })?;
    let rule = constraint.map(|constraint| Rule {
        assertion: constraint.into(),
        description: description.map(str::to_owned),
        message: None,
        ordinal,
        is_named: true,
        span: None,
    });
    Ok(rule.into_iter().collect())
}

/// Recognizes `("description", value, "message")`.
fn has_message(name: &str, value: &Datum) -> bool {
    let Datum::Tuple(items) = value else {
        return false;
    };
    match items.as_slice() {
        [description, _, message] => {
            let is_known = argument::KEYWORDS.contains(&name);
            is_known && description.as_str().is_some() && message.as_str().is_some()
        }
        _ => false,
    }
}

/// Splits `("description", value)`, or returns just the value. For a rule that takes a list, a pair
/// of strings is the list itself.
fn split_description(value: &Datum, is_list: bool) -> (Option<&str>, &Datum) {
    let Datum::Tuple(items) = value else {
        return (None, value);
    };
    let [first, second] = items.as_slice() else {
        return (None, value);
    };
    let is_value = match second {
        Datum::Tuple(_) | Datum::Node(Node::Array(_) | Node::Bool(true)) => true,
        _ => !is_list,
    };
    match first.as_str() {
        Some(description) if is_value => (Some(description), second),
        _ => (None, value),
    }
}
