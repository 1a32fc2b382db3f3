//! What ends a script before its time: exceptions, rejections and limits, and how we word them.

use plumb_diagnostic::{Code, Diagnostic, Failure, Frame, Place};
use plumb_source::{FileId, Span};
use rquickjs::{Object, Value};

use super::{FILE, hint};
use crate::module::{self, Content, Refused, Unresolved};
use crate::session::{Limit, Session};

/// A script threw an error that nothing caught, or a promise was rejected.
///
/// The line that threw is shown, and the calls that led there.
pub const THROWN: Code = Code::new("generate/exception");

/// An import means no module.
///
/// The message lists what was tried: check the spelling, the extension, and that the file is
/// below the directory that imports are confined to.
pub const UNRESOLVED: Code = Code::new("generate/unresolved-import");

/// A script needs more time or memory than it is given.
///
/// `--time-limit` and `--memory-limit` give more.
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

/// A line of a stack trace.
struct Call {
    function: Option<String>,
    module: String,
    line: u32,
    column: u32,
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
    diagnostic.help.extend(hint::for_import(session, unresolved));
    match import_span(session, unresolved) {
        Some(span) => diagnostic.label(span, ""),
        None => diagnostic,
    }
}

/// A module that is not JavaScript, and cannot be made so.
fn not_javascript(session: &Session, refused: &Refused) -> Diagnostic {
    let place = |position: usize| u32::try_from(position).unwrap_or(u32::MAX);
    let call = Call {
        function: None,
        module: refused.module.clone(),
        line: place(refused.line),
        column: place(refused.column),
    };
    let diagnostic = Diagnostic::error(THROWN, format!("SyntaxError: {}", refused.message));
    match call.span(session) {
        Some(span) => diagnostic.label(span, ""),
        None => diagnostic,
    }
}

/// Where the specifier stands in the importing module, with its quotes.
fn import_span(session: &Session, unresolved: &Unresolved) -> Option<Span> {
    let file = session.modules.borrow().get(&unresolved.referrer)?.file?;
    let source = session.surroundings.sources.get(file);
    let text = String::from_utf8_lossy(source.bytes()).into_owned();
    let quoted = ['\'', '"', '`'].map(|quote| format!("{quote}{}{quote}", unresolved.specifier));
    let at = quoted.iter().filter_map(|it| text.find(it.as_str())).min()?;
    span(file, at, quoted[0].len())
}

/// Where a name is imported that its module does not export: the engine does not say.
fn missing_export(session: &Session, message: &str) -> Option<Span> {
    let (name, module) = hint::missing_export(message)?;
    let modules = session.modules.borrow();
    modules.files().find_map(|file| {
        let source = session.surroundings.sources.get(file);
        let text = String::from_utf8_lossy(source.bytes()).into_owned();
        // The module may be named in another way, so its last name has to do.
        let last = module.rsplit('/').next().unwrap_or(module);
        let last = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
        let import = text.split_inclusive(';').scan(0, |start, statement| {
            let at = *start;
            *start += statement.len();
            Some((at, statement))
        });
        let mut import = import.filter_map(|(at, statement)| {
            let clause = statement.rfind("from").filter(|_| statement.contains("import"))?;
            let is_meant = statement[clause..].contains(last);
            let word = word_at(&statement[..clause], name).filter(|_| is_meant)?;
            Some(at + word)
        });
        span(file, import.next()?, name.len())
    })
}

/// Where a word stands in a text, and not only as a part of another.
fn word_at(text: &str, word: &str) -> Option<usize> {
    text.match_indices(word).map(|(at, _)| at).find(|&at| {
        let before = text[..at].bytes().next_back();
        let after = text[at + word.len()..].bytes().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

fn span(file: FileId, at: usize, len: usize) -> Option<Span> {
    Some(Span::new(file, u32::try_from(at).ok()?, u32::try_from(at + len).ok()?))
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
        diagnostic.help.extend(hint::for_message(session, &self.message));
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

impl Call {
    /// Reads a line such as `    at f (a.js:1:2)`. Native functions have no place.
    fn parse(line: &str) -> Option<Self> {
        let call = line.trim().strip_prefix("at ")?;
        let (function, place) = match call.strip_suffix(')').and_then(|it| it.split_once(" (")) {
            Some((function, place)) => (Some(function), place),
            None => (None, call),
        };
        let (rest, column) = place.rsplit_once(':')?;
        let (module, line) = rest.rsplit_once(':')?;
        Some(Self {
            function: function.filter(|it| *it != "<anonymous>").map(str::to_owned),
            module: module.to_owned(),
            line: line.parse().ok()?,
            column: column.parse().ok()?,
        })
    }

    /// The call as the user wrote it: what stands around an expression from the command line is
    /// not theirs.
    fn shown(mut self, session: &Session) -> Self {
        let modules = session.modules.borrow();
        let Some(Content::Expression(code)) = modules.get(&self.module).map(|it| &it.content)
        else {
            return self;
        };
        let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        if self.line == 1 {
            let n_ours = number(module::BEFORE_EXPRESSION.len());
            self.column = self.column.saturating_sub(n_ours).max(1);
        }
        let n_lines = number(code.split('\n').count());
        if self.line > n_lines {
            let last = code.rsplit('\n').next().unwrap_or_default();
            (self.line, self.column) = (n_lines, number(last.chars().count()) + 1);
        }
        self
    }

    /// The word that the call stands at, in a module of the user.
    fn span(&self, session: &Session) -> Option<Span> {
        let file = session.modules.borrow().get(&self.module)?.file?;
        let source = session.surroundings.sources.get(file);
        let at = offset(source.bytes(), self.line, self.column)?;
        let blanks = source.bytes()[at..].iter().take_while(|it| **it == b' ').count();
        let at = if at + blanks < source.bytes().len() { at + blanks } else { at };
        let word = source.bytes()[at..].iter().take_while(|it| is_word(**it)).count();
        span(file, at, word.max(1).min(source.bytes().len() - at))
    }

    /// The expression before the parenthesis of a call that went wrong.
    fn callee(&self, session: &Session) -> Option<String> {
        let file = session.modules.borrow().get(&self.module)?.file?;
        let source = session.surroundings.sources.get(file);
        let bytes = source.bytes();
        let at = offset(bytes, self.line, self.column)?;
        let end = at + bytes[at..].iter().take_while(|it| is_word(**it) || **it == b'.').count();
        let start = bytes[..at].iter().rposition(|it| !is_word(*it) && *it != b'.');
        let text = std::str::from_utf8(&bytes[start.map_or(0, |it| it + 1)..end]).ok()?;
        let text = text.trim_matches('.');
        let is_name = text.starts_with(|first: char| !first.is_ascii_digit());
        (is_name && !text.is_empty()).then(|| text.to_owned())
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || !byte.is_ascii()
}

/// The byte offset of a line and a column, both counted from 1.
fn offset(bytes: &[u8], line: u32, column: u32) -> Option<usize> {
    let mut start = 0;
    for _ in 1..line {
        start += bytes[start..].iter().position(|byte| *byte == b'\n')? + 1;
    }
    let end = bytes[start..].iter().position(|byte| *byte == b'\n');
    let line = &bytes[start..end.map_or(bytes.len(), |it| start + it)];
    let text = String::from_utf8_lossy(line);
    let before = text.char_indices().nth(column.saturating_sub(1) as usize);
    Some(start + before.map_or(line.len(), |(at, _)| at.min(line.len())))
}

/// A value that is no error, for people to read.
fn described(value: &Value<'_>) -> String {
    if let Some(text) = value.as_string().and_then(|it| it.to_string().ok()) {
        return text;
    }
    let json = value.ctx().json_stringify(value.clone()).ok().flatten();
    let json = json.and_then(|it| it.to_string().ok());
    json.unwrap_or_else(|| value.as_object().map_or_else(|| plain(value), type_name))
}

fn plain(value: &Value<'_>) -> String {
    value.type_of().to_string()
}

fn type_name(object: &Object<'_>) -> String {
    object.as_value().type_of().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_read_from_the_lines_of_a_stack() {
        let call = Call::parse("    at f (d/a (1).js:10:2)").expect("a call");
        assert_eq!(call.function.as_deref(), Some("f"));
        assert_eq!((&*call.module, call.line, call.column), ("d/a (1).js", 10, 2));
        let call = Call::parse("    at <anonymous> (a.js:1:2)").expect("a call");
        assert_eq!(call.function, None);
        assert!(Call::parse("    at map (native)").is_none());
        assert!(Call::parse("    at a.js:3:4").is_some());
    }

    #[test]
    fn columns_are_characters() {
        assert_eq!(offset("é = f\nx".as_bytes(), 1, 5), Some(5));
        assert_eq!(offset(b"a\nbc", 2, 2), Some(3));
        assert_eq!(offset(b"a\nbc", 2, 9), Some(4));
        assert_eq!(offset(b"a\nbc", 3, 1), None);
    }
}
