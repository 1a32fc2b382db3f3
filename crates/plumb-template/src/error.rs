//! Converts errors of the language to diagnostics.

use plumb_diagnostic::{Code, Diagnostic, Failure, Frame, FramePlace, Label, Literals};
use plumb_source::message::term;
use plumb_source::{Limit, Message, Text, message};
use plumb_starlark::{CodeErrorKind, Error, ErrorKind, Gap, InstructionInLoad, UnknownKeyword};

use crate::Runtime;
use crate::advice::{self, Confusion};
use crate::early_end::EarlyEnd;
use crate::runtime::INSTRUCTION;
use crate::values::DataValueError;

/// The code of a template has a syntax error.
///
/// A block begins with a line that ends with a colon, and ends with `end`. The message says what
/// was expected and what was found.
pub const SYNTAX: Code = Code::new("template/syntax");

/// A name is not defined, or a statement is not allowed here.
///
/// Define the name before its use, or `load` it from its module.
pub const UNDEFINED: Code = Code::new("template/undefined");

/// An operation failed while a template was evaluated.
///
/// The message comes from the operation; the notes show the active calls, innermost first. Most
/// often, a value has another type than the code expects: `type(x)` and `print(x)` show it.
pub const EVALUATION: Code = Code::new("template/evaluation");

/// A template failed on purpose, with `fail` or `assert.fail`.
///
/// The message comes from the author of the template, and should say what to change.
pub const FAILED: Code = Code::new("template/failed");

/// A template reached a limit on steps, call depth, memory or time.
///
/// It may loop or call itself forever. If not, raise the limit with the flag that the help names.
pub const LIMIT: Code = Code::new("template/limit");

/// An error of template code.
#[derive(Clone, Debug)]
pub struct Raised {
    /// The error text, as code that catches the error sees it: with the name of the instruction
    /// that failed.
    pub text: Message,
    /// What the author of the code confused with another language.
    pub confusion: Option<Confusion>,
    /// Whether it concerns a data value that does not exist.
    pub is_about_data_value: bool,
}

/// Converts the errors of one program to a failure. Errors that were found before the program ran
/// come first.
pub(crate) fn failure(errors: &[Error], runtime: &Runtime) -> Failure {
    if errors.iter().all(|it| it.detail::<Failure>().is_none()) {
        let found: Vec<Diagnostic> = errors.iter().map(|it| diagnostic(it, runtime)).collect();
        return Failure::from(found);
    }
    let failures = errors.iter().map(|it| failure_of_one(it, runtime));
    failures.reduce(Failure::and).unwrap_or_else(|| Failure::from(Vec::new()))
}

/// Converts an error to a failure. If the error was caused by another failure, the findings of that
/// failure are reported, and the error itself is the failure that occurred first.
fn failure_of_one(error: &Error, runtime: &Runtime) -> Failure {
    let raised = Failure::from(diagnostic(error, runtime));
    match error.detail::<Failure>() {
        Some(cause) => caused(cause, error, runtime).with_first(raised),
        None => raised,
    }
}

fn caused(cause: &Failure, error: &Error, runtime: &Runtime) -> Failure {
    let findings = cause.findings().iter().cloned().map(|mut finding| {
        // A value that code created only has the place of the call to which it was passed.
        let is_unplaced = finding.labels.iter().all(|it| finding.rule == Some(it.span));
        let call = error.frames().iter().find_map(|it| it.span);
        if let Some(span) =
            call.filter(|_| is_unplaced && !finding.labels.is_empty() && finding.trace.is_none())
        {
            finding.labels.insert(0, Label { span, message: Message::new() });
        }
        if finding.trace.is_none() {
            reveal_literals(&mut finding.message, error, runtime);
        }
        let calls = error.frames().iter().map(|it| frame(it, runtime));
        finding.trace.get_or_insert_default().extend(calls);
        finding
    });
    findings.collect::<Vec<_>>().into()
}

fn diagnostic(error: &Error, runtime: &Runtime) -> Diagnostic {
    let text = message(error, runtime);
    let confusion = Confusion::of(error, &runtime.sources);
    let early_end = EarlyEnd::of(error, &runtime.sources);
    let place = early_end.as_ref().map(|it| it.place).or_else(|| error.word());
    let own = early_end.map_or_else(|| own_message(error, &text), |it| it.message);
    let is_about_data_value = error.detail::<DataValueError>().is_some();
    let raised = Raised { text, confusion, is_about_data_value };
    let mut diagnostic = Diagnostic::error(code(error.kind()), own).with_facts(raised);
    diagnostic.help.extend(helps(error, runtime));
    diagnostic.trace = Some(error.frames().iter().map(|it| frame(it, runtime)).collect());
    if let Some(place) = place {
        diagnostic = diagnostic.label(place, "");
    }
    if let Some((call, function)) = error.wrong_call() {
        diagnostic =
            diagnostic.plain_label(call, "in this call").plain_label(function, "of this function");
    }
    diagnostic.help.extend(error.reached().and_then(limit_help));
    diagnostic
}

/// What to do about a limit that was reached. Returns `None` if the caller has stopped the run.
fn limit_help(limit: Limit) -> Option<Message> {
    match (limit, limit.flag()) {
        (Limit::Regexp, Some(flag)) => Some(message!("for a larger expression, use {flag}")),
        (_, Some(flag)) => Some(message!("if it ends with a higher limit, use {flag}")),
        (Limit::Cancelled, None) => None,
        (_, None) => Some("this limit cannot be raised: use smaller parts".into()),
    }
}

/// The code of the finding for an error of a kind.
pub(crate) fn code(kind: ErrorKind) -> Code {
    match kind {
        ErrorKind::Syntax => SYNTAX,
        ErrorKind::Resolve => UNDEFINED,
        ErrorKind::Runtime => EVALUATION,
        ErrorKind::Fail => FAILED,
        ErrorKind::Limit(_) => LIMIT,
    }
}

/// What the author of a function can do about its error.
pub(crate) fn help(error: &Error, runtime: &Runtime) -> Option<Message> {
    helps(error, runtime).next()
}

/// What to do.
fn helps(error: &Error, runtime: &Runtime) -> impl Iterator<Item = Message> {
    let confusion = Confusion::of(error, &runtime.sources).map(Confusion::help);
    let missing = error.detail::<DataValueError>().and_then(DataValueError::remedy);
    let remedy = match EarlyEnd::of(error, &runtime.sources) {
        Some(early_end) => early_end.help.map(Message::from),
        None => advice::remedy(error, runtime.vocabulary()),
    };
    let spaced = advice::spaced_annotation(error, &runtime.sources, runtime.vocabulary());
    let unquoted = advice::unquoted_text(error, &runtime.sources)
        .filter(|_| confusion.is_none() && remedy.is_none());
    let keyword = error.detail::<UnknownKeyword>().and_then(advice::keyword);
    [confusion, remedy, missing, spaced, unquoted, keyword].into_iter().flatten()
}

pub(crate) fn frame(frame: &plumb_starlark::Frame, runtime: &Runtime) -> Frame {
    let place = match (frame.span, frame.gap, frame.host) {
        (Some(span), _, _) => FramePlace::Source(span),
        (None, Some(gap), _) => between(gap, runtime),
        (None, None, Some(code)) => FramePlace::Unavailable(code),
        (None, None, None) => FramePlace::Unknown,
    };
    Frame { function: frame.function.clone(), place }
}

/// The place of an error after the code of a template, in generated code.
fn between(gap: Gap, runtime: &Runtime) -> FramePlace {
    let Gap { op, before, after } = gap;
    match (runtime.generated_code(op), before.or(after)) {
        (Some(code), Some(near)) => {
            let file = runtime.sources.get(near.file).name().to_owned();
            FramePlace::Generated { code, file, before, after }
        }
        _ => FramePlace::Unknown,
    }
}

/// The message of an error. Literals in the failed code are shown: they are not secret.
pub(crate) fn message(error: &Error, runtime: &Runtime) -> Message {
    if let Some(InstructionInLoad { op }) = error.detail() {
        let name = Text::from(runtime.instruction_name(*op));
        let words = "expected the name of a symbol to load, found YAML";
        return Message::of(&[&term(words, CodeErrorKind::LoadedName { name })]);
    }
    let mut message = error.message().clone();
    reveal_literals(&mut message, error, runtime);
    message
}

fn reveal_literals(message: &mut Message, error: &Error, runtime: &Runtime) {
    // If a call has wrong arguments, its first frame is the function, but its literals are in the
    // call.
    let call = error.wrong_call().map(|(call, _)| call);
    if message.has_values()
        && let Some(span) = call.or_else(|| error.frames().iter().find_map(|it| it.span))
    {
        let literals = Literals::near(span, &runtime.sources);
        message.reveal(|value| literals.has(value));
    }
}

/// The message of an error with this text: the message of the finding that caused it, or the text
/// without the name of the failed instruction.
pub(crate) fn own_message(error: &Error, text: &Message) -> Message {
    if let Some(finding) = error.detail::<Failure>().and_then(|it| it.findings().first()) {
        return finding.message.clone();
    }
    if let Some(missing) = error.detail::<DataValueError>() {
        return missing.message();
    }
    let shown = text.shown();
    let prefix = shown.find(": ").filter(|_| shown.starts_with(INSTRUCTION));
    let rest = prefix.and_then(|end| text.without_prefix(&shown[..end + 2]));
    rest.unwrap_or_else(|| text.clone())
}
