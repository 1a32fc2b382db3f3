//! Errors in overlays.

use plumb_overlay::{Mismatch, OverlayError};
use plumb_source::message::{plain, secret};
use plumb_source::{Message, message};

use crate::term;

pub(crate) fn error(error: &OverlayError) -> Message {
    match error {
        OverlayError::MatchCount { expected, lines } => {
            let n = lines.len();
            let lines = (n > 0).then(|| message!(" (lines: {})", plain(lines.join(", "))));
            message!("Expected number of matched nodes to be {expected}, but was {n}{lines}")
        }
        OverlayError::MatchCountRefused => "Expectation of number of matched nodes failed".into(),
        OverlayError::WrongType { expected, found } => {
            message!("Expected {}, but was {}", plain(expected), plain(found))
        }
        OverlayError::DuplicateKey { key, lines } => message!(
            "Expected key '{}' to be in a map once, but was twice (lines: {})",
            term::message(key),
            plain(lines.join(", "))
        ),
        OverlayError::AssertionFailed(message) => {
            let message = message.as_ref().map(|it| message!(" with message: {it}"));
            message!("Expected via invocation to return true, but was false{message}")
        }
        OverlayError::WrongAnswer => {
            "Expected via invocation to return NoneType, Bool or Tuple(Bool,String), but returned \
             neither of those"
                .into()
        }
        OverlayError::NotData(found) => message!(
            "Expected via invocation to return plain data, but was {}",
            term::message(found)
        ),
        OverlayError::NoDocument => {
            "Expected to find at least one document to add to, but there is none".into()
        }
        OverlayError::OnMapItem { annotation, line } => message!(
            "Found @{} on map item ({}); only array items can be annotated with @{}",
            plain(annotation),
            plain(line),
            plain(annotation)
        ),
        OverlayError::SeveralOperations => "Expected to find only one overlay operation".into(),
        OverlayError::OnlyOne(first, second) => {
            message!(
                "Expected only one of keyword arguments ('{}', '{}') specified",
                plain(first),
                plain(second)
            )
        }
        OverlayError::MissingOk => "Expected keyword argument 'missing_ok' to be a boolean".into(),
        OverlayError::NotBoolean { argument } => message!(
            "Expected keyword argument '{}' to have a function that returns a boolean",
            plain(argument)
        ),
        OverlayError::NotACount(text) => {
            message!("Expected '{}' to be in format 'i+' where i is an integer", secret(text))
        }
        OverlayError::CountType { argument, found } => message!(
            "Expected 'overlay/match' annotation keyword argument '{}' to be either int, string or \
             function, but was {}",
            plain(argument),
            term::message(found)
        ),
        OverlayError::WithoutBy { is_document } => {
            // ytt has two spaces in its message about documents.
            let gap = if *is_document { "  " } else { " " };
            message!(
                "Expected 'overlay/match' annotation keyword argument 'by'{gap}to be specified"
            )
        }
        OverlayError::ByType { found } => message!(
            "Expected 'overlay/match' annotation keyword argument 'by' to be either string (for \
             map key) or function, but was {}",
            term::message(found)
        ),
        OverlayError::NotAFunction { annotation, argument, found } => message!(
            "Expected '{}' annotation keyword argument '{}' to be function, but was {}",
            plain(annotation),
            plain(argument),
            term::message(found)
        ),
        OverlayError::UnknownArgument { annotation, argument } => message!(
            "Unknown '{}' annotation keyword argument '{}'",
            plain(annotation),
            secret(argument)
        ),
        OverlayError::MissingArguments { annotation, arguments } => message!(
            "Expected '{}' annotation to have at least one keyword argument ({})",
            plain(annotation),
            plain(arguments)
        ),
        OverlayError::ArgumentNotData { found } => {
            message!("Expected plain data, but was {}", plain(found))
        }
        OverlayError::MatchedNotData => "Expected plain data to be matched".into(),
        OverlayError::NotAMap { found } => {
            message!("Expected value to be map, but was {}", plain(found))
        }
        OverlayError::NoItem { key } => {
            message!("Expected to find map item with key '{}', but did not", secret(key))
        }
        OverlayError::NotEqual(mismatch) => {
            message!("Expected objects to equal, but did not: {}", not_equal(*mismatch))
        }
    }
}

fn not_equal(mismatch: Mismatch) -> Message {
    match mismatch {
        Mismatch::Kind { expected, found } => {
            message!("Expected {}, but was {}", plain(expected), plain(found))
        }
        Mismatch::Leaf { found, expected } => {
            message!("Expected leaf values to match {} {}", plain(found), plain(expected))
        }
        Mismatch::MissingKey => "Expected at least one map item to match by key".into(),
        Mismatch::TooFewItems => "Expected to have matching number of array items".into(),
    }
}
