//! Advice for errors of the language.

use plumb_diagnostic::nearest;
use plumb_source::message::plain;
use plumb_source::{Message, Sources, Text, lexical, message};
use plumb_starlark::{BinaryOp, CodeErrorKind, Error, Tok, UnknownKeyword, ValueError, Wanted};

use crate::vocabulary::Vocabulary;

/// The maximum number of parameters that a help lists.
const MAX_NAMED: usize = 9;

/// A confusion with another language, made by the author of some code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confusion {
    /// A word that the language spells in another way, such as `true`.
    Word { written: &'static str, meant: &'static str },
    /// An operator that is a word in the language, such as `&&`.
    Operator { written: &'static str, meant: &'static str },
    /// A block without a colon.
    NoColon,
    /// A field that is read like an item.
    FieldAsItem,
}

/// The detail of an error about a built-in module that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownModule {
    pub name: String,
}

impl Confusion {
    /// Recognizes the confusion from the mistake, and the line that failed.
    pub(crate) fn of(error: &Error, sources: &Sources) -> Option<Self> {
        let operator = |written, meant| Some(Self::Operator { written, meant });
        match error.detail::<CodeErrorKind>()? {
            CodeErrorKind::Undefined { name, nearest: None } => {
                let word = |written, meant| Some(Self::Word { written, meant });
                match name.as_str()? {
                    "true" => word("true", "True"),
                    "false" => word("false", "False"),
                    "null" => word("null", "None"),
                    "nil" => word("nil", "None"),
                    "none" => word("none", "None"),
                    _ => None,
                }
            }
            CodeErrorKind::Unexpected {
                found: Tok::Newline,
                wanted: Wanted::Token(Tok::Colon),
            } => Some(Self::NoColon),
            CodeErrorKind::Unexpected { found: Tok::Amp, wanted: Wanted::Operand } => {
                line_has(error, sources, "&&").then_some(())?;
                operator("&&", "and")
            }
            CodeErrorKind::Unexpected { found: Tok::Pipe, wanted: Wanted::Operand } => {
                line_has(error, sources, "||").then_some(())?;
                operator("||", "or")
            }
            CodeErrorKind::Operation { op: BinaryOp::Or, .. } => operator("|", "or"),
            CodeErrorKind::Operation { op: BinaryOp::And, .. } => operator("&", "and"),
            CodeErrorKind::Index { object: "struct", key: "string" } => Some(Self::FieldAsItem),
            _ => None,
        }
    }

    /// What to write instead.
    pub(crate) fn help(self) -> Message {
        match self {
            Self::Word { written, meant } | Self::Operator { written, meant } => {
                message!("write `{meant}` instead of `{written}`")
            }
            Self::NoColon => "end the line of an `if`, `for` or `def` with a colon".into(),
            Self::FieldAsItem => {
                "read a field whose name is computed with `getattr(struct, name)`".into()
            }
        }
    }
}

fn line_has(error: &Error, sources: &Sources, operator: &str) -> bool {
    error.frames().iter().filter_map(|frame| frame.span).any(|span| {
        let source = sources.get(span.file);
        source.line_text(source.line(span.start)).contains(operator)
    })
}

/// Returns what to do if the code that failed is an annotation with a space after `#@`.
pub(crate) fn spaced_annotation(
    error: &Error,
    sources: &Sources,
    vocabulary: &Vocabulary,
) -> Option<Message> {
    let span = error.frames().iter().find_map(|frame| frame.span)?;
    let source = sources.get(span.file);
    let line = source.line_text(source.line(span.start));
    let code = line.trim_start().strip_prefix("#@")?;
    let name = code.strip_prefix([' ', '\t'])?.split_whitespace().next()?;
    let is_annotation = name.contains('/') && vocabulary.annotation(name).is_some();
    is_annotation.then(|| {
        message!("write `#@{}` without the space: it is an annotation, not code", plain(name))
    })
}

/// Returns the help if an argument of an annotation looks like a string without quotes.
pub(crate) fn unquoted_text(error: &Error, sources: &Sources) -> Option<Message> {
    let Some(CodeErrorKind::Undefined { name, .. }) = error.detail() else { return None };
    let span = error.frames().iter().find_map(|frame| frame.span)?;
    let source = sources.get(span.file);
    let line = source.line_text(source.line(span.start));
    let is_annotation =
        line.trim_start().strip_prefix("#@").is_some_and(|it| it.starts_with(char::is_alphabetic));
    is_annotation.then(|| message!("a text must be in quotes: \"{}\"", plain(name)))
}

/// Returns how to load what was probably meant with a path.
fn path_remedy(path: &str) -> Option<Message> {
    let is_library = path.starts_with('@');
    if !is_library && path.contains(':') {
        return Some(message!("write `@` before the name of a library: \"@{}\"", plain(path)));
    }
    let leaves = path.split('/').any(|step| matches!(step, ".." | "_ytt_lib"));
    (!is_library && leaves).then(|| {
        "a path cannot contain `..` or `_ytt_lib`: a file of a library is \"@NAME:PATH\", and \
         \"@/NAME:PATH\" if the library is at the root of the input; \"/PATH\" begins at the root"
            .into()
    })
}

/// Returns what to write instead of a named argument that a function does not have.
pub(crate) fn keyword(unknown: &UnknownKeyword) -> Option<Message> {
    let UnknownKeyword { name, parameters } = unknown;
    let known = parameters.iter().filter_map(Text::as_str);
    if let Some(meant) = nearest(&name.to_str_lossy(), known.clone()) {
        return Some(message!("did you mean `{}`?", plain(meant)));
    }
    let known: Vec<&str> = known.collect();
    let is_short = (1..=MAX_NAMED).contains(&known.len());
    is_short.then(|| message!("the parameters are {}", plain(known.join(", "))))
}

/// Returns the names that a module defines, if there are not too many. The message already has a
/// name that is near.
fn defined(name: &Text, module: &str, known: &[Text]) -> Option<Message> {
    let names = known.iter().filter_map(Text::as_str).filter(|it| !it.starts_with('_'));
    let names: Vec<&str> = names.collect();
    let is_near = nearest(&name.to_str_lossy(), names.iter().copied()).is_some();
    let is_short = (1..=MAX_NAMED).contains(&names.len());
    let module = lexical::one_line(module);
    (is_short && !is_near)
        .then(|| message!("{} defines {}", plain(module), plain(names.join(", "))))
}

/// Returns what to do about an error.
pub(crate) fn remedy(error: &Error, vocabulary: &Vocabulary) -> Option<Message> {
    let modules = vocabulary.modules();
    if let Some(UnknownModule { name }) = error.detail() {
        return Some(match nearest(name, modules.iter().copied()) {
            Some(meant) => message!("did you mean \"@ytt:{}\"?", plain(meant)),
            None => message!("the modules are {}", plain(modules.join(", "))),
        });
    }
    if let Some(ValueError::Unpack { found: "string", wanted: 2 }) = error.detail() {
        return Some("to loop over the keys and values of a dict, write `.items()`".into());
    }
    let remedy = match error.detail::<CodeErrorKind>()? {
        CodeErrorKind::Undefined { name, .. } => {
            let name = name.as_str().filter(|it| modules.contains(it))?;
            return Some(message!(
                "load it first: `load(\"@ytt:{}\", \"{}\")`",
                plain(name),
                plain(name)
            ));
        }
        CodeErrorKind::Load { module } => return path_remedy(&module.to_str_lossy()),
        CodeErrorKind::NotInModule { name, module, known, .. } => {
            let module = module.as_str()?;
            let Some(built_in) = module.strip_prefix("@ytt:") else {
                return defined(name, module, known);
            };
            let name = plain(built_in);
            return Some(message!("load the module itself: `load(\"@ytt:{name}\", \"{name}\")`"));
        }
        CodeErrorKind::NoAttribute { object: "dict", name, .. } => {
            return Some(message!("read a key with brackets: `[\"{}\"]`", plain(name)));
        }
        CodeErrorKind::NoAttribute { object: "NoneType", .. } => {
            "there is no value here: it is null, or a function returned nothing"
        }
        CodeErrorKind::NoKey { object: "dict", .. } => {
            "`.get(key)` returns `None` if the key is missing"
        }
        CodeErrorKind::NotIterable { found: "int" } => "to count, write `range(…)`",
        CodeErrorKind::Operation { op: BinaryOp::Add, left, right } => {
            ((*left == "string") != (*right == "string")).then_some(())?;
            "`str(x)` converts any value to a string"
        }
        CodeErrorKind::Comparison { left: "@ytt:semver.version", .. } => {
            "`semver.compare(a, b)` is -1, 0 or 1"
        }
        CodeErrorKind::OpenBlock => "close the block that begins here with `end`",
        CodeErrorKind::StrayEnd => {
            "no block is open here: remove the word, or look for the `if`, `for` or `def` that is \
             missing"
        }
        CodeErrorKind::Pass => "leave it out: a block may be empty, and `end` closes it",
        CodeErrorKind::NothingLoaded => "name what to load from the file: `load(\"…\", \"name\")`",
        CodeErrorKind::Unexpected { found, wanted } => match (found, wanted) {
            (Tok::Ident | Tok::Host, Wanted::Token(Tok::Comma)) => {
                "write a comma between arguments, and put a text in quotes"
            }
            (Tok::Else, Wanted::Operand) => "write a colon after it: `else:`",
            _ => return None,
        },
        CodeErrorKind::LoadOperand { .. }
        | CodeErrorKind::Operation { .. }
        | CodeErrorKind::UnaryOperation { .. }
        | CodeErrorKind::Comparison { .. }
        | CodeErrorKind::Index { .. }
        | CodeErrorKind::NoAttribute { .. }
        | CodeErrorKind::NoKey { .. }
        | CodeErrorKind::NotIterable { .. }
        | CodeErrorKind::LoadedName { .. }
        | CodeErrorKind::LoadedModule
        | CodeErrorKind::ReservedName { .. }
        | CodeErrorKind::Chained { .. } => return None,
    };
    Some(remedy.into())
}
