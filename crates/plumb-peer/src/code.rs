//! Errors in code.

use plumb_source::message::{Positional, WrongCall, plain};
use plumb_source::{Message, message};
use plumb_starlark::{CodeErrorKind, Tok, Wanted};

/// Returns `None` for errors that ytt words as we do.
pub(crate) fn error(kind: &CodeErrorKind) -> Option<Message> {
    Some(match *kind {
        CodeErrorKind::Unexpected { wanted: Wanted::Name, .. } => "not an identifier".into(),
        CodeErrorKind::Unexpected { found, wanted } => {
            message!("got {}, want {}", plain(token(found)), plain(what(wanted)))
        }
        CodeErrorKind::LoadOperand { found } => message!(
            "load operand must be \"name\" or localname=\"name\" (got {})",
            plain(token(found))
        ),
        CodeErrorKind::OpenBlock => {
            "mismatched set of block openings (if/else/elif/for/def) and closing (end)".into()
        }
        CodeErrorKind::StrayEnd => "unexpected end".into(),
        CodeErrorKind::Operation { op, left, right } => {
            message!("unknown binary op: {left} {} {right}", op.symbol())
        }
        CodeErrorKind::UnaryOperation { symbol, operand } => {
            message!("unknown unary op: {symbol} {operand}")
        }
        CodeErrorKind::Comparison { op, left, right } => {
            message!("{left} {} {right} not implemented", op.symbol())
        }
        CodeErrorKind::Index { object, key } => {
            message!("unhandled index operation {object}[{key}]")
        }
        CodeErrorKind::NoAttribute { object, ref name, ref nearest, .. } => {
            let hint = nearest.as_ref().map(|it| message!(" (did you mean .{}?)", plain(it)));
            message!("{object} has no .{name} field or method{hint}")
        }
        CodeErrorKind::NoKey { object, ref key } => message!("key {key} not in {object}"),
        CodeErrorKind::NotIterable { found } => message!("{found} value is not iterable"),
        CodeErrorKind::NotInModule { ref name, ref module, ref nearest, .. } => {
            let hint = nearest.as_ref().map(|it| message!(" (did you mean {}?)", plain(it)));
            message!("load: name {} not found in module {}{hint}", plain(name), plain(module))
        }
        CodeErrorKind::Undefined { ref name, ref nearest } => {
            let hint = nearest.as_ref().map(|it| message!(" (did you mean {}?)", plain(it)));
            message!("undefined: {}{hint}", plain(name))
        }
        CodeErrorKind::NothingLoaded => "load statement must import at least 1 symbol".into(),
        CodeErrorKind::LoadedName { ref name } => {
            let name = plain(name);
            message!(
                "load operand must be \"{name}\" or {name}=\"originalname\" (want '=' after {name})"
            )
        }
        CodeErrorKind::LoadedModule => {
            "first operand of load statement must be a string literal".into()
        }
        CodeErrorKind::ReservedName { ref word } => message!(
            "use of reserved keyword '{}' is not allowed (expected identifier)",
            plain(word)
        ),
        CodeErrorKind::Chained { before, after } => message!(
            "{} does not associate with {} (use parens)",
            plain(before.text()),
            plain(after.text())
        ),
        CodeErrorKind::Pass | CodeErrorKind::Load { .. } => return None,
    })
}

pub(crate) fn wrong_call(call: &WrongCall) -> Message {
    match call {
        WrongCall::NotAFunction { found } => {
            message!("invalid call of non-function ({})", plain(found))
        }
        WrongCall::TooMany { function, wanted: Positional::None, found } => {
            message!("function {} accepts no arguments ({found} given)", plain(function))
        }
        WrongCall::TooMany { function, wanted: Positional::Exactly(count), found } => message!(
            "function {} accepts {count} positional argument{} ({found} given)",
            plain(function),
            plural(*count)
        ),
        WrongCall::TooMany { function, wanted: Positional::AtMost(count), found } => message!(
            "function {} accepts at most {count} positional argument{} ({found} given)",
            plain(function),
            plural(*count)
        ),
        WrongCall::Missing { function, parameters } => message!(
            "function {} missing {} argument{} ({})",
            plain(function),
            parameters.len(),
            plural(parameters.len()),
            plain(parameters.join(", "))
        ),
        WrongCall::Twice { function, parameter } => {
            message!("function {} got multiple values for parameter {parameter}", plain(function))
        }
        WrongCall::Unknown { function, parameter } => {
            message!("function {} got an unexpected keyword argument {parameter}", plain(function))
        }
        WrongCall::TwiceInBuiltIn { parameter } => {
            message!("got multiple values for keyword argument {parameter}")
        }
        WrongCall::MissingInBuiltIn { parameter } => {
            message!("missing argument for {}", plain(parameter))
        }
        WrongCall::NoElements { found } => {
            message!("argument after * must be iterable, not {}", plain(found))
        }
        WrongCall::NoKeys { found } => {
            message!("argument after ** must be a mapping, not {}", plain(found))
        }
        WrongCall::KeyNotString { found } => {
            message!("keywords must be strings, not {}", plain(found))
        }
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn token(tok: Tok) -> String {
    if tok.is_punctuation() { format!("'{}'", tok.text()) } else { tok.text().to_owned() }
}

fn what(wanted: Wanted) -> String {
    match wanted {
        Wanted::Token(tok) => token(tok),
        Wanted::Name => "identifier".to_owned(),
        Wanted::Operand => "primary expression".to_owned(),
        Wanted::Parameter => "parameter".to_owned(),
        Wanted::Argument => "argument".to_owned(),
        Wanted::EndInFString => "'}' in f-string".to_owned(),
        Wanted::Clause { end } => format!("'{}', for, or if", end.text()),
    }
}
