//! Converts the arguments of `@schema/validation`, `@assert/validate` and `assert.validate` to
//! rules.
//!
//! ytt's words for a mistake do not mention the additional forms of Plumb (a bare function, a third
//! item, a description for a named rule), so there are words of our own beside them.

mod argument;
mod cel;

use std::sync::Arc;

use plumb_cel::{Declared, Gives};
use plumb_diagnostic::{Code, Diagnostic};
use plumb_source::message::{plain, secret};
use plumb_source::{Sources, Span, message};
use plumb_value::{Annotation, Datum, Node};

use crate::report::place;
use crate::rule_check::outline;
use crate::{Assertion, AssertionObject, Condition, Constraint, Message, Rule, Validation};

/// The annotation that binds rules to a node of a document.
pub const ASSERT_VALIDATE: &str = "assert/validate";

/// The arguments of a validation annotation are not valid.
///
/// Rules are functions or assertions, alone or as `("description", rule)` or `("description", rule,
/// "message")`, and keywords such as `min_len=1` or `min_len=("description", 1)`.
pub const MALFORMED: Code = Code::new("validation/malformed-rule");

/// Arguments that are not a valid rule.
#[derive(Clone, Debug)]
pub struct AnnotationError {
    message: plumb_source::Message,
    /// The word before the place in ytt's message, if the message has a place.
    preposition: Option<&'static str>,
    span: Option<Span>,
    /// Our own words, if ytt's are not right for Plumb.
    own: Option<Box<plumb_source::Message>>,
    help: Vec<plumb_source::Message>,
}

impl Validation {
    /// Reads the rules of an annotation. Fails if it has no arguments or if one of them is not
    /// valid.
    pub fn from_annotation(annotation: &Annotation) -> Result<Self, AnnotationError> {
        if annotation.args.is_empty() && annotation.kwargs.is_empty() {
            let error = ArgumentError::by(
                "expected annotation to have 2-tuple as argument(s), but found no arguments",
            );
            let error = error.in_own_words(message!(
                "expected {RULE_FORMS}, or a keyword such as min=1; found no arguments"
            ));
            return Err(error.at(annotation.span));
        }
        Self::from_arguments(annotation)
    }

    /// Reads rules from left to right; a rule that forbids null is moved to the front. No arguments
    /// are no rules.
    pub fn from_arguments(annotation: &Annotation) -> Result<Self, AnnotationError> {
        let mut rules = Vec::new();
        let mut when = None;
        for (at, arg) in annotation.args.iter().enumerate() {
            let span = annotation.arg_span(at);
            let rule = positional(arg, rules.len() + 1).map_err(|it| it.at(span))?;
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

    /// Checks the types of rules in CEL against what is declared about the value, as an API server
    /// does.
    pub fn check_types(&self, declared: &Arc<Declared>) -> Result<(), AnnotationError> {
        for rule in &self.rules {
            if let Assertion::Constraint(Constraint::Cel(expression)) = &rule.assertion {
                let source = expression.source();
                plumb_cel::check(source, declared, Gives::Truth, false)
                    .map_err(|it| argument::unusable(source, it).at(rule.span.or(self.span)))?;
            }
        }
        Ok(())
    }
}

impl AnnotationError {
    /// The problem in ytt's words.
    pub fn text(&self, sources: &Sources) -> plumb_source::Message {
        match (self.preposition, self.span) {
            (Some(preposition), Some(_)) => {
                message!("{} ({preposition} {})", self.message, plain(place(self.span, sources)))
            }
            // Without an annotation, the place is that of the call, which is reported anyway.
            (None, _) | (_, None) => self.message.clone(),
        }
    }

    /// The problem as a finding about the annotation of this name.
    pub fn report(&self, annotation: &str, sources: &Sources) -> Diagnostic {
        let name = plain(annotation);
        let peer = message!("Invalid @{name} annotation - {}", self.text(sources));
        let mut diagnostic = match self.own.as_deref() {
            None => Diagnostic::error(MALFORMED, peer),
            Some(own) => {
                let own = message!("Invalid @{name} annotation - {own}");
                let mut diagnostic = Diagnostic::error(MALFORMED, own);
                diagnostic.peer_message = Some(peer);
                diagnostic
            }
        };
        diagnostic.help.extend(self.help.clone());
        let label = self.own.as_deref().unwrap_or(&self.message).clone();
        diagnostic = diagnostic.at(self.span, label);
        diagnostic.reveal_literals(sources);
        diagnostic
    }
}

/// An [`AnnotationError`] that does not know its place yet.
struct ArgumentError {
    message: plumb_source::Message,
    preposition: Option<&'static str>,
    own: Option<Box<plumb_source::Message>>,
    help: Vec<plumb_source::Message>,
}

/// What a positional argument can be.
const RULE_FORMS: &str =
    "a function, (\"description\", function) or (\"description\", function, \"message\")";

impl ArgumentError {
    fn by(message: impl Into<plumb_source::Message>) -> Self {
        Self { preposition: Some("by"), ..Self::bare(message) }
    }

    fn at_place(message: impl Into<plumb_source::Message>) -> Self {
        Self { preposition: Some("at"), ..Self::bare(message) }
    }

    fn bare(message: impl Into<plumb_source::Message>) -> Self {
        Self { message: message.into(), preposition: None, own: None, help: Vec::new() }
    }

    fn in_own_words(self, own: plumb_source::Message) -> Self {
        Self { own: Some(Box::new(own)), ..self }
    }

    /// A named rule has no message of its own.
    fn because_of_message(self, name: &str) -> Self {
        let argument = if argument::TAKE_NOTHING.contains(&name) { "" } else { "…" };
        let name = plain(name);
        let own =
            message!("expected {name}= to be a value or (\"description\", value); found a message");
        let help = message!(
            "for a message, write (\"description\", assert.{name}({argument}), \"message\")"
        );
        Self { own: Some(Box::new(own)), help: vec![help], ..self }
    }

    fn at(self, span: Option<Span>) -> AnnotationError {
        let Self { message, preposition, own, help } = self;
        AnnotationError { message, preposition, span, own, help }
    }
}

fn positional(arg: &Datum, ordinal: usize) -> Result<Rule, ArgumentError> {
    if let Some(assertion) = assertion_of(arg)? {
        return Ok(Rule { assertion, description: None, message: None, ordinal, span: None });
    }
    let Datum::Tuple(items) = arg else {
        let error = ArgumentError::by(message!(
            "expected annotation to have 2-tuple as argument(s), but found: {}",
            secret(arg.repr())
        ));
        let found = plain(outline(arg));
        return Err(error.in_own_words(message!("expected {RULE_FORMS}; found {found}")));
    };
    let (description, assertion, message) = match items.as_slice() {
        [description, assertion] => (description, assertion, None),
        [description, assertion, message] => (description, assertion, Some(message)),
        _ => {
            let length = items.len();
            let message = message!("expected 2-tuple, but found tuple with length {length}");
            let own = message!("expected {RULE_FORMS}; found a tuple of length {length}");
            return Err(ArgumentError::by(message).in_own_words(own));
        }
    };
    let Some(description) = description.as_str() else {
        let error = ArgumentError::at_place(message!(
            "expected first item in the 2-tuple to be a string describing a valid value, but was {}",
            description.type_name()
        ));
        let found = plain(outline(description));
        return Err(error.in_own_words(message!(
            "expected a string that describes a valid value as the first item; found {found}"
        )));
    };
    let assertion = assertion_of(assertion)?.ok_or_else(|| not_an_assertion(assertion))?;
    let message = message.map(message_of).transpose()?;
    Ok(Rule { assertion, description: Some(description.to_owned()), message, ordinal, span: None })
}

fn message_of(datum: &Datum) -> Result<Message, ArgumentError> {
    let Some(template) = datum.as_str() else {
        return Err(ArgumentError::at_place(message!(
            "expected third item in the tuple to be a string with the message, but was {}",
            datum.type_name()
        )));
    };
    Message::parse(template).map_err(ArgumentError::at_place)
}

/// Returns the assertion in a value, or `None` if it is not an assertion.
fn assertion_of(datum: &Datum) -> Result<Option<Assertion>, ArgumentError> {
    Ok(match datum {
        Datum::Function(function) => Some(match uncalled(function.name()) {
            None => Assertion::Function(Arc::clone(function)),
            // Unlike the others, it takes a value too.
            Some("not_null") => Assertion::Constraint(Constraint::NotNull),
            Some(name) => return Err(not_called(name)),
        }),
        Datum::Opaque(object) => match object.as_any().downcast_ref() {
            Some(AssertionObject(constraint)) => Some(Assertion::Constraint(constraint.clone())),
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
    let error = ArgumentError::at_place(message!(
        "expected an assertion, but found the function assert.{}, which makes one",
        plain(name)
    ));
    let arguments = if argument::TAKE_NOTHING.contains(&name) { "" } else { "…" };
    ArgumentError {
        help: vec![message!("call it: `assert.{}({arguments})`", plain(name))],
        ..error
    }
}

/// ytt looks for `check` first in values that have attributes, and its message depends on that.
fn not_an_assertion(datum: &Datum) -> ArgumentError {
    let type_name = datum.type_name();
    let error = ArgumentError::at_place(match datum {
        Datum::Node(Node::Null | Node::Bool(_) | Node::Int(_) | Node::UInt(_) | Node::Float(_))
        | Datum::Tuple(_) => message!(
            "expected second item in the 2-tuple to be an assertion function, but was {type_name}"
        ),
        Datum::Node(Node::String(_) | Node::Map(_) | Node::Array(_))
        | Datum::Documents(_)
        | Datum::Function(_)
        | Datum::Opaque(_) => message!(
            "expected second item in tuple to be an assertion function or assertion object, but was a {type_name}"
        ),
    });
    let found = plain(outline(datum));
    error.in_own_words(message!(
        "expected a function, or an assertion such as assert.min(1), as the second item; found {found}"
    ))
}

fn condition(value: &Datum) -> Result<Assertion, ArgumentError> {
    assertion_of(value)?.ok_or_else(|| expected("when", "a function", value))
}

fn expected(keyword: &str, what: &str, value: &Datum) -> ArgumentError {
    let found = match (value, value.type_name()) {
        (Datum::Opaque(_), "int") => "an int of more than 64 bits",
        (_, type_name) => type_name,
    };
    ArgumentError::at_place(message!(
        "expected keyword argument \"{}\" to be {}, but was {}",
        plain(keyword),
        plain(what),
        plain(found)
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
        assertion: Assertion::Constraint(constraint),
        description: description.map(str::to_owned),
        message: None,
        ordinal,
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

/// Splits `("description", value)`, or returns just the value. A rule that takes a list reads a
/// pair of texts as its list.
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
