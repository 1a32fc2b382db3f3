//! The findings about overlays.
//!
//! The labels point to the overlay's item first, then to the nodes that it should be applied to.

use plumb_diagnostic::{Code, Diagnostic, Frame, FramePlace, Label};
use plumb_source::message::plain;
use plumb_source::{Message, Origin, Span, message};
use plumb_value::{CallError, Node};

/// An item of an overlay matches nothing.
///
/// An item must match exactly one node, unless it has `expects=`. Look for a misspelt key or name.
/// To add the node if it is missing, write `@overlay/match missing_ok=True`.
pub const NO_MATCH: Code = Code::new("overlay/no-match");

/// An item of an overlay matches more or fewer nodes than it expects.
///
/// Make `by=` of `@overlay/match` more specific, or set the expected number with `expects=`:
/// `expects=2`, `expects="1+"` or `expects=[0, 1]`.
pub const MATCH_COUNT: Code = Code::new("overlay/match-count");

/// A map is merged into something that is not a map, or an array into something that is not an
/// array.
///
/// To replace the value by one of another type, write `@overlay/replace`.
pub const WRONG_TYPE: Code = Code::new("overlay/wrong-type");

/// An argument of an overlay annotation is missing, unknown, or of the wrong type.
///
/// The message names what was expected. `@overlay/match` takes `by=`, `expects=`, `missing_ok=` and
/// `when=`; `@overlay/insert` takes `before=` and `after=`; `@overlay/replace` takes `via=` and
/// `or_add=`.
pub const BAD_ARGUMENT: Code = Code::new("overlay/bad-argument");

/// An item has two operations, or one that items of its kind cannot have.
///
/// Keep one of `@overlay/merge`, `remove`, `replace`, `insert`, `append`, `assert` and `noop`. Map
/// items have no order, so nothing can be inserted before or appended after them.
pub const BAD_OPERATION: Code = Code::new("overlay/bad-operation");

/// Items are matched by the value of a key, and one of them does not have the key.
///
/// `by="name"` needs a `name` in the overlay's item and in every item that it is compared with. Add
/// the key, or match with a function that can distinguish the items.
pub const MISSING_KEY: Code = Code::new("overlay/missing-key");

/// An overlay leaves a map with the same key twice.
///
/// An item that is matched by a function gets the key of the overlay's item, and an item that is
/// not matched is added. Choose a key that the map does not have, or remove the other item first.
pub const DUPLICATE_KEY: Code = Code::new("overlay/duplicate-key");

/// An `@overlay/assert` failed.
///
/// The document is not what the overlay expects. Correct the document, or the overlay.
pub const ASSERTION_FAILED: Code = Code::new("overlay/assertion-failed");

/// A function of an overlay annotation failed, or returned an unusable value.
///
/// `by=` takes three arguments and returns a bool, `expects=` and `when=` take a number and return
/// a bool, `via=` takes the left and the right value.
pub const FUNCTION_FAILED: Code = Code::new("overlay/function-failed");

/// A document would be added, but there is no document to add it to; or the only document was
/// removed.
///
/// An overlay adds to the output of another file: give it one. Data values and schemas always have
/// one document, which can be replaced but not removed.
pub const NO_DOCUMENT: Code = Code::new("overlay/no-document");

/// An annotation has no effect: an overlay annotation outside an overlay, or another annotation in
/// an overlay.
///
/// A document is an overlay if it has `@overlay/match`. A node that is merged keeps its
/// annotations: to change them, add `@overlay/replace-ann`, `@overlay/merge-anns` or
/// `@overlay/remove-anns`.
pub const WITHOUT_EFFECT: Code = Code::new("overlay/without-effect");

/// The function of an annotation failed.
#[derive(Clone, Debug)]
pub struct FunctionFailed {
    /// The error text, as code that catches the error sees it.
    pub text: Message,
}

/// The maximum number of matched nodes that are shown.
const MATCHES_SHOWN: usize = 8;

pub(crate) fn finding(code: Code, message: impl Into<Message>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(code, message))
}

/// Converts the failure of a function. As in ytt, labels show its place instead of a trace.
pub(crate) fn from_call(code: Code, error: CallError) -> Box<Diagnostic> {
    let mut finding = match error.finding {
        Some(reported) => {
            let failed = FunctionFailed { text: error.message };
            let mut finding = Diagnostic::error(code, reported.message).with_facts(failed);
            let label = |span| Label { span, message: "fails here".into() };
            finding.labels.extend(reported.place.map(label));
            Box::new(finding)
        }
        None => finding(code, error.message),
    };
    finding.help.extend(error.help.map(|it| *it));
    for frame in error.frames {
        if let Some(span) = frame_span(&frame) {
            let function = frame.function.as_deref().unwrap_or("a function");
            finding.labels.push(Label { span, message: message!("in {}", plain(function)) });
        }
    }
    finding
}

fn frame_span(frame: &Frame) -> Option<Span> {
    match &frame.place {
        FramePlace::Source(span) => Some(*span),
        FramePlace::Unavailable(_) | FramePlace::Generated { .. } | FramePlace::Unknown => None,
    }
}

/// Adds labels that point to nodes of the left side.
pub(crate) fn label_left(
    mut finding: Box<Diagnostic>,
    message: &'static str,
    origins: impl Iterator<Item = Origin>,
) -> Box<Diagnostic> {
    let spans = origins.filter_map(Origin::span).take(MATCHES_SHOWN);
    finding.labels.extend(spans.map(|span| Label { span, message: message.into() }));
    finding
}

/// The activity during which an overlay failed.
#[derive(Clone, Debug)]
pub enum Activity {
    /// The overlays of these files were being applied, in this order.
    Apply { files: Vec<String> },
    /// This item of an overlay was being merged.
    Merge(OverlayItem),
}

/// An item of an overlay.
#[derive(Clone, Debug)]
pub struct OverlayItem {
    pub kind: OverlayItemKind,
    /// Where it was written.
    pub origin: Origin,
}

/// The kind of an [`OverlayItem`].
#[derive(Clone, Debug)]
pub enum OverlayItemKind {
    Document,
    /// A map item, with its key.
    MapItem(Node),
    ArrayItem,
}
