//! Errors in code.

use plumb_source::message::plain;
use plumb_source::{Message, message};
use plumb_starlark::{CodeErrorKind, Tok, Wanted};

/// Returns `None` for errors that ytt words as we do.
pub(crate) fn error(kind: &CodeErrorKind) -> Option<Message> {
    Some(match *kind {
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
        CodeErrorKind::Undefined { .. }
        | CodeErrorKind::Pass
        | CodeErrorKind::NothingLoaded
        | CodeErrorKind::LoadedName
        | CodeErrorKind::Index { .. }
        | CodeErrorKind::NoAttribute { .. }
        | CodeErrorKind::NoKey { .. }
        | CodeErrorKind::NotIterable { .. }
        | CodeErrorKind::Load { .. }
        | CodeErrorKind::NotInModule { .. } => return None,
    })
}

fn token(tok: Tok) -> String {
    if tok.is_punctuation() { format!("'{}'", tok.text()) } else { tok.text().to_owned() }
}

fn what(wanted: Wanted) -> String {
    match wanted {
        Wanted::Token(tok) => token(tok),
        Wanted::Operand => "primary expression".to_owned(),
        Wanted::Parameter => "parameter".to_owned(),
        Wanted::Argument => "argument".to_owned(),
        Wanted::EndInFString => "'}' in f-string".to_owned(),
        Wanted::Clause { end } => format!("'{}', for, or if", end.text()),
    }
}
