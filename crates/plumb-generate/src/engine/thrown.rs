//! What ends a script before its time: exceptions, rejections and limits, and how we word them.

use plumb_diagnostic::{Code, Diagnostic, Failure, Frame, Place};
use plumb_source::{Message, Span};
use rquickjs::Value;

use super::place::{Call, import_span, missing_export};
use super::{FILE, hint};
use crate::module::{self, Refused, Unresolved};
use crate::session::{Limit, Session};

/// A script threw an error that was not caught, or a promise was rejected.
///
/// The finding shows the line that threw, and the calls that led to it.
pub const THROWN: Code = Code::new("generate/exception");

/// An import cannot be resolved to a module.
///
/// The message lists the paths that were tried. Check the spelling and the extension, and that the
/// file is in a directory from which scripts can import.
pub const UNRESOLVED: Code = Code::new("generate/unresolved-import");

/// A script needs more time or memory than it may use.
///
/// Raise the limit with `--time-limit` or `--memory-limit`.
pub const LIMIT_REACHED: Code = Code::new("generate/limit-reached");

/// Why a script did not come to its end.
pub(super) enum Thrown {
    Exception(Exception),
    Null,
    Limit(Limit),
    /// A promise that nothing will settle any more.
    Pending,
    /// The engine itself refused.
    Other(String),
}

pub(super) struct Exception {
    /// Such as `TypeError`; none for a value that is no error.
    name: Option<String>,
    message: String,
    frames: Vec<Call>,
}

impl Thrown {
    pub(super) fn from_value(session: &Session, value: &Value<'_>) -> Self {
        if value.is_null() {
            return Self::Null;
        }
        let Some(object) = value.as_object().filter(|it| it.is_error()) else {
            return Self::Exception(Exception {
                name: None,
                message: described(value),
                frames: Vec::new(),
            });
        };
        let text = |key: &str| object.get::<_, Option<String>>(key).ok().flatten();
        let frames = text("stack").map(|it| {
            let calls = it.lines().filter_map(Call::parse);
            calls.map(|call| call.shown(session)).collect()
        });
        Self::Exception(Exception {
            name: Some(text("name").unwrap_or_else(|| "Error".to_owned())),
            message: text("message").unwrap_or_default(),
            frames: frames.unwrap_or_default(),
        })
    }

    pub(super) fn into_failure(self, session: &Session) -> Failure {
        match self {
            Self::Exception(exception) => exception.diagnostic(session).into(),
            Self::Null => {
                // Whoever throws it on purpose knows where.
                let help = "the engine throws null when it runs out of memory; \
                            `--memory-limit MIB` gives it more";
                Diagnostic::error(THROWN, "uncaught null").help(help).into()
            }
            Self::Limit(Limit::Memory) => out_of_memory(session).into(),
            Self::Limit(Limit::Time) => out_of_time().into(),
            Self::Pending => {
                let message = "the script waits for a promise that nothing will settle";
                Diagnostic::error(THROWN, message).into()
            }
            Self::Other(message) => Diagnostic::error(THROWN, message).into(),
        }
    }

    /// The message and its place, such as `boom (c.js:3:9)`.
    pub(super) fn in_one_line(&self, session: &Session) -> String {
        match self {
            Self::Exception(exception) => exception.in_one_line(session),
            Self::Null => "uncaught null".to_owned(),
            Self::Limit(_) | Self::Pending => "the script was ended".to_owned(),
            Self::Other(message) => message.clone(),
        }
    }
}

pub(super) fn out_of_time() -> Diagnostic {
    let message = "the script ran longer than it may";
    Diagnostic::error(LIMIT_REACHED, message).help("`--time-limit SECONDS` gives it more time")
}

pub(super) fn out_of_memory(session: &Session) -> Diagnostic {
    let limit = session.request.limits.memory >> 20;
    let message = format!("the script needs more than {limit} MiB of memory");
    Diagnostic::error(LIMIT_REACHED, message).help("`--memory-limit MIB` gives it more")
}

/// An import that means nothing, with the import itself if we know where it is.
pub(super) fn unresolved(session: &Session, unresolved: &Unresolved) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(UNRESOLVED, unresolved.message());
    diagnostic.help.extend(hint::for_import(session, unresolved).map(Message::from));
    diagnostic.at(import_span(session, unresolved), "")
}

/// A module that is not JavaScript, and cannot be made so.
pub(super) fn not_javascript(session: &Session, refused: &Refused) -> Diagnostic {
    let place = |position: usize| u32::try_from(position).unwrap_or(u32::MAX);
    let call = Call {
        function: None,
        module: refused.module.clone(),
        line: place(refused.line),
        column: place(refused.column),
    };
    let diagnostic = Diagnostic::error(THROWN, format!("SyntaxError: {}", refused.message));
    diagnostic.at(call.span(session), "")
}

impl Exception {
    fn diagnostic(self, session: &Session) -> Diagnostic {
        if self.message == "out of memory" && self.name.as_deref() == Some("InternalError") {
            return out_of_memory(session);
        }
        let missing = session.modules.borrow().unresolved.clone();
        if let Some(missing) = missing.filter(|it| it.message() == self.message) {
            return unresolved(session, &missing);
        }
        let refused = session.modules.borrow().refused.clone();
        if let Some(refused) = refused.filter(|it| it.message == self.message) {
            return not_javascript(session, &refused);
        }
        let calls: Vec<(&Call, Span)> =
            self.frames.iter().filter_map(|it| Some((it, it.span(session)?))).collect();
        if calls.is_empty() && self.name.as_deref() == Some("Error") {
            // Not of the script, but of what the command did with its result.
            return Diagnostic::error(FILE, self.message);
        }
        let mut diagnostic = Diagnostic::error(THROWN, self.title(session));
        diagnostic.help.extend(hint::for_message(session, &self.message).map(Message::from));
        let place = calls.first().map(|(_, span)| *span);
        if let Some(span) = place.or_else(|| missing_export(session, &self.message)) {
            diagnostic = diagnostic.label(span, "");
        }
        let trace = calls.into_iter().map(|(call, span)| Frame {
            function: call.function.clone(),
            place: Place::Source(span),
        });
        diagnostic.trace = Some(trace.collect());
        diagnostic
    }

    fn in_one_line(&self, session: &Session) -> String {
        let place = self.frames.iter().find(|it| !module::is_builtin(&it.module));
        let message = match &self.name {
            Some(name) if name != "Error" => format!("{name}: {}", self.words(session)),
            Some(_) | None => self.words(session),
        };
        match place {
            Some(Call { module, line, column, .. }) => {
                format!("{message} ({module}:{line}:{column})")
            }
            None => message,
        }
    }

    fn title(&self, session: &Session) -> String {
        match &self.name {
            Some(name) => format!("{name}: {}", self.words(session)),
            None => format!("uncaught {}", self.message),
        }
    }

    /// The message; where the engine forgot what is not a function, we look it up.
    fn words(&self, session: &Session) -> String {
        let callee = || self.frames.iter().find_map(|it| it.callee(session));
        match &*self.message {
            "not a function" => match callee() {
                Some(callee) => format!("{callee} is not a function"),
                None => self.message.clone(),
            },
            _ => self.message.clone(),
        }
    }
}

/// A value that is no error, for people to read.
fn described(value: &Value<'_>) -> String {
    if let Some(text) = value.as_string().and_then(|it| it.to_string().ok()) {
        return text;
    }
    let json = value.ctx().json_stringify(value.clone()).ok().flatten();
    let json = json.and_then(|it| it.to_string().ok());
    json.unwrap_or_else(|| value.type_of().to_string())
}
