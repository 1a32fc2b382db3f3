//! What a value by itself must be: types, widths and rules.

use plumb_validation::{Constraint, Verdict};
use plumb_value::Node;

use crate::shape::{Shape, Width};

/// In which way a value is not valid.
pub(crate) struct Objection {
    /// What a valid value is.
    pub(crate) required: String,
    pub(crate) found: String,
}

/// What the rules of a shape have against a value of the right type.
pub(crate) fn objections(shape: &Shape, node: &Node) -> Vec<Objection> {
    let mut objections = Vec::new();
    for constraint in shape.constraints.iter().filter(|it| is_about(it, node)) {
        if let Verdict::Broken { failure, .. } = constraint.judge(node) {
            let required = constraint.description().own;
            objections.push(Objection { required, found: failure.own });
        }
    }
    if let (Some(pattern), Node::String(text)) = (&shape.pattern, node)
        && !pattern.is_match(text.as_bytes())
    {
        let required = format!("a value that matches {}", Node::from(pattern.as_str()).repr());
        objections.push(Objection { required, found: "found a value that does not".to_owned() });
    }
    objections.extend(shape.width.and_then(|it| too_wide(it, node)));
    objections
}

/// Rules about numbers say nothing about strings, and the other way round.
fn is_about(constraint: &Constraint, node: &Node) -> bool {
    let is_number = matches!(node, Node::Int(_) | Node::UInt(_) | Node::Float(_));
    match constraint {
        Constraint::MinLen(_) | Constraint::MaxLen(_) => {
            matches!(node, Node::String(_) | Node::Map(_) | Node::Array(_))
        }
        Constraint::Min(_) | Constraint::Max(_) | Constraint::MultipleOf(_) => is_number,
        Constraint::Format(_) => matches!(node, Node::String(_)),
        _ => true,
    }
}

fn too_wide(width: Width, node: &Node) -> Option<Objection> {
    let objection = |required: &str, found: &str| {
        Some(Objection { required: required.to_owned(), found: found.to_owned() })
    };
    match (width, node) {
        (Width::Int32, Node::Int(value)) if i32::try_from(*value).is_err() => {
            objection("an integer of 32 bits", "it has more")
        }
        (Width::Int32, Node::UInt(_)) => objection("an integer of 32 bits", "it has more"),
        (Width::Int64, Node::UInt(_)) => objection("an integer of 64 bits", "it has more"),
        (Width::Base64, Node::String(text)) if !is_base64(text.as_bytes()) => {
            objection("text in base64", "it is none")
        }
        _ => None,
    }
}

/// Line breaks are let be.
fn is_base64(text: &[u8]) -> bool {
    let is_break = |it: &u8| matches!(it, b'\n' | b'\r');
    let letters: Vec<u8> = text.iter().copied().filter(|it| !is_break(it)).collect();
    let end = letters.strip_suffix(b"=").unwrap_or(&letters);
    let end = end.strip_suffix(b"=").unwrap_or(end);
    letters.len().is_multiple_of(4)
        && end.iter().all(|it| it.is_ascii_alphanumeric() || b"+/".contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_told_from_plain_text() {
        assert!([&b""[..], b"YQ==", b"YWI=", b"YWJj", b"YWJj\nYWJj\n"].into_iter().all(is_base64));
        assert!(![&b"abc"[..], b"a===", b"pass word", b"p@ss"].into_iter().any(is_base64));
    }
}
