//! The reasons why a script ends early: exceptions, rejections and limits, and their messages.

use plumb_diagnostic::{Code, Diagnostic, Failure, Frame, FramePlace};
use plumb_source::message::{plain, secret};
use plumb_source::{Message, Span, message};
use rquickjs::{Object, Symbol, Type, Value};

use super::place::{self, Call, import_span, missing_export};
use super::{FILE, hint, wording};
use crate::Dialect;
use crate::module::{self, ModuleError, ResolveError};
use crate::run::{Limit, Run};

/// A script threw an error that was not caught, or a promise was rejected.
///
/// The finding shows the line that threw, and the calls that led to it.
pub const THROWN: Code = Code::new("generate/exception");

/// An import cannot be resolved to a module.
///
/// The message lists the paths that were tried. Check the spelling and the extension, and that the
/// file is in a directory from which scripts can import.
pub const UNRESOLVED: Code = Code::new("generate/unresolved-import");

/// A script needs more time or memory than allowed.
///
/// Raise the limit with `--time-limit` or `--memory-limit`.
pub const LIMIT_REACHED: Code = Code::new("generate/limit-reached");

/// Why a script did not finish.
pub(super) enum ScriptError {
    Exception(Exception),
    Null,
    Limit(Limit),
    /// A promise that can no longer be settled.
    Pending,
    /// An error of the engine itself.
    Other(String),
}

pub(super) struct Exception {
    /// Such as `TypeError`; `None` for a value that is not an error.
    name: Option<Message>,
    message: Message,
    frames: Vec<Call>,
}

impl ScriptError {
    pub(super) fn from_value(run: &Run, value: &Value<'_>) -> Self {
        if value.is_null() {
            return Self::Null;
        }
        let Some(object) = value.as_object().filter(|it| it.is_error()) else {
            let message = uncaught(run, value);
            return Self::Exception(Exception { name: None, message, frames: Vec::new() });
        };
        let text = |key: &str| object.get::<_, Option<String>>(key).ok().flatten();
        let stack = text("stack").unwrap_or_default();
        let calls = stack.lines().filter_map(Call::parse);
        let frames: Vec<Call> = calls.map(|call| call.shown(run)).collect();
        let name = text("name").unwrap_or_else(|| "Error".to_owned());
        let message = text("message").unwrap_or_default();
        let is_by_author = is_by_author(object);
        let name = if is_by_author || object.ctx().globals().contains_key(&*name).unwrap_or(false) {
            Message::from(plain(name))
        } else {
            Message::from(secret(name))
        };
        // Code and data that a script passes to the engine are not part of a module.
        let is_elsewhere = stack.lines().next().is_some_and(|first| {
            let modules = run.modules.borrow();
            Call::parse(first).is_none_or(|call| modules.get(&call.module).is_none())
        });
        let message = match run.composed(&message) {
            Some(composed) => composed,
            None if is_by_author || hint::missing_export(&message).is_some() => {
                Message::from(plain(message))
            }
            // The message may quote them. The text of modules may be shown.
            None if name.shown() == "SyntaxError" && is_elsewhere => Message::from(secret(message)),
            None if name.shown() == "SyntaxError" => Message::from(plain(message)),
            None => wording::of_engine(&message, |it| {
                !is_elsewhere && place::is_written(run, &frames, it)
            }),
        };
        Self::Exception(Exception { name: Some(name), message, frames })
    }

    pub(super) fn into_failure(self, run: &Run) -> Failure {
        match self {
            Self::Exception(exception) => exception.diagnostic(run).into(),
            Self::Null => {
                // A script that throws null on purpose has a place.
                let help = "the engine throws null when it runs out of memory; \
                            `--memory-limit MIB` sets the limit";
                Diagnostic::error(THROWN, "uncaught null").help(help).into()
            }
            Self::Limit(Limit::Memory) => out_of_memory(run).into(),
            Self::Limit(Limit::Time) => {
                stopped(&(run.surroundings.stop)().unwrap_or_default()).into()
            }
            Self::Pending => {
                let message = "the script waits for a promise that never settles";
                Diagnostic::error(THROWN, message).into()
            }
            Self::Other(message) => Diagnostic::error(THROWN, secret(message)).into(),
        }
    }

    /// The message and its place, such as `boom (c.js:3:9)`.
    pub(super) fn in_one_line(&self, run: &Run) -> Message {
        match self {
            Self::Exception(exception) => exception.in_one_line(run),
            Self::Null => "uncaught null".into(),
            Self::Limit(_) | Self::Pending => "the script was ended".into(),
            Self::Other(message) => Message::from(secret(message)),
        }
    }
}

/// The finding about a script that a front end has stopped.
pub(super) fn stopped(reason: &str) -> Diagnostic {
    Diagnostic::error(LIMIT_REACHED, message!("the script was stopped: {}", plain(reason)))
}

pub(super) fn out_of_memory(run: &Run) -> Diagnostic {
    let limit = run.request.limits.memory >> 20;
    let message = message!("the script needs more than {limit} MiB of memory");
    Diagnostic::error(LIMIT_REACHED, message).help("to allow more, use `--memory-limit MIB`")
}

/// The finding about an import that cannot be resolved, at the import if its place is known.
pub(super) fn unresolved(run: &Run, unresolved: &ResolveError) -> Diagnostic {
    let span = import_span(run, unresolved);
    if span.is_none() && !unresolved.is_of_command_line() {
        // The specifier was computed.
        return Diagnostic::error(UNRESOLVED, unresolved.message_of_computed());
    }
    let mut diagnostic = Diagnostic::error(UNRESOLVED, plain(unresolved.message()));
    diagnostic.help.extend(hint::for_import(run, unresolved).map(|it| plain(it).into()));
    diagnostic.at(span, "")
}

/// The finding about a module that is not JavaScript and cannot be translated.
pub(super) fn not_javascript(run: &Run, error: &ModuleError) -> Diagnostic {
    let place = |position: usize| u32::try_from(position).unwrap_or(u32::MAX);
    let call = Call {
        function: None,
        module: error.module.clone(),
        line: place(error.line),
        column: place(error.column),
    };
    let message = message!("SyntaxError: {}", plain(&error.message));
    Diagnostic::error(THROWN, message).at(call.span(run), "")
}

impl Exception {
    fn diagnostic(self, run: &Run) -> Diagnostic {
        let words = self.message.shown();
        let name = self.name.as_ref().map(Message::shown);
        if words == "out of memory" && name == Some("InternalError") {
            return out_of_memory(run);
        }
        let missing = run.modules.borrow().unresolved.clone();
        if let Some(missing) = missing.filter(|it| it.message() == words) {
            return unresolved(run, &missing);
        }
        let error = run.modules.borrow().module_error.clone();
        if let Some(error) = error.filter(|it| it.message == words) {
            return not_javascript(run, &error);
        }
        let calls: Vec<(&Call, Span)> =
            self.frames.iter().filter_map(|it| Some((it, it.span(run)?))).collect();
        if calls.is_empty() && name == Some("Error") {
            // This was caused by the command's use of the result, not by the script.
            return Diagnostic::error(FILE, self.message);
        }
        let mut diagnostic = Diagnostic::error(THROWN, self.title(run));
        diagnostic.help.extend(hint::for_message(run, words).map(|it| plain(it).into()));
        let place = calls.first().map(|(_, span)| *span);
        if let Some(span) = place.or_else(|| missing_export(run, words)) {
            diagnostic = diagnostic.label(span, "");
        }
        let trace = calls.into_iter().map(|(call, span)| Frame {
            function: call.name(run),
            place: FramePlace::Source(span),
        });
        diagnostic.trace = Some(trace.collect());
        diagnostic
    }

    fn in_one_line(&self, run: &Run) -> Message {
        let place = self.frames.iter().find(|it| !module::is_builtin(&it.module));
        let message = match &self.name {
            Some(name) if name.shown() != "Error" => message!("{}: {}", name, self.words(run)),
            Some(_) | None => self.words(run),
        };
        match place {
            Some(Call { module, line, column, .. }) => {
                message!("{message} ({}:{}:{})", plain(module), line, column)
            }
            None => message,
        }
    }

    fn title(&self, run: &Run) -> Message {
        match &self.name {
            Some(name) => message!("{}: {}", name, self.words(run)),
            None => self.message.clone(),
        }
    }

    /// The message. If the engine does not name the value that is not a function, it is looked up
    /// in the source.
    fn words(&self, run: &Run) -> Message {
        let callee = || self.frames.iter().find_map(|it| it.callee(run));
        match self.message.shown() {
            "not a function" => match callee() {
                Some(callee) => message!("{} is not a function", plain(callee)),
                None => self.message.clone(),
            },
            _ => self.message.clone(),
        }
    }
}

/// Whether the author of a script wrote the message of an error: see `js/prelude.js`.
fn is_by_author(error: &Object<'_>) -> bool {
    let mark = Symbol::new_global(error.ctx().clone(), "plumb:author");
    mark.is_ok_and(|mark| error.contains_key(mark.as_atom()).unwrap_or(false))
}

/// The message about a value that is not an error: its type and the value. jk does not show the
/// type.
fn uncaught(run: &Run, value: &Value<'_>) -> Message {
    let value_text = described(value);
    let kind = match value.type_of() {
        Type::Int | Type::Float => "number",
        Type::Bool => "boolean",
        Type::String => "string",
        Type::Symbol => "symbol",
        Type::BigInt => "bigint",
        Type::Undefined | Type::Uninitialized => return "uncaught undefined".into(),
        _ if value.is_function() => "function",
        _ => "object",
    };
    match run.request.dialect {
        Dialect::Plumb => message!("uncaught {kind}: {}", secret(value_text)),
        Dialect::Jk => message!("uncaught {}", secret(value_text)),
    }
}

/// A value that is not an error, for people to read.
fn described(value: &Value<'_>) -> String {
    if let Some(text) = value.as_string().and_then(|it| it.to_string().ok()) {
        return text;
    }
    let json = value.ctx().json_stringify(value.clone()).ok().flatten();
    let json = json.and_then(|it| it.to_string().ok());
    json.unwrap_or_else(|| value.type_of().to_string())
}
