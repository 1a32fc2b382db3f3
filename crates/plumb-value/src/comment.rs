//! Comments: those in the source, and those that `@output/comment` computes.

use plumb_source::message::plain;
use plumb_source::{Message, Span, Text, message};

use crate::{Annotation, AnnotationDefinition, Datum, Meta, Node, Reads};

/// The annotation that adds a comment to the output.
pub const OUTPUT_COMMENT: &str = "output/comment";

/// The annotations that this crate reads.
pub const ANNOTATIONS: &[AnnotationDefinition] = &[AnnotationDefinition::new(
    OUTPUT_COMMENT,
    Reads::All,
    "text, above=, beside=",
    "The node below has this comment in the output.",
)];

/// A comment, without its `#`.
#[derive(Clone, Debug)]
pub struct Comment {
    /// The text, without its mark.
    pub text: Text,
    /// From the `#` to the end of the line.
    pub span: Span,
    /// Whether it follows a node on the node's own line.
    pub is_inline: bool,
}

/// Which comments of a document are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShownComments {
    /// No comment.
    #[default]
    None,
    /// Only the comments of `@output/comment`.
    Computed,
    /// The comments of templates too.
    All,
}

impl Comment {
    /// Returns the text of a comment for readers of the output, without the `!` of a plain comment.
    /// Returns `None` for a comment that is code or an annotation.
    pub fn plain_text(&self) -> Option<&[u8]> {
        match self.text.as_bytes() {
            [b'@', ..] => None,
            [b'!', rest @ ..] => Some(rest),
            text => Some(text),
        }
    }
}

/// The texts of `@output/comment` on one node.
#[derive(Clone, Copy, Debug, Default)]
pub struct OutputComment<'a> {
    /// The text above the node.
    pub above: Option<&'a Text>,
    /// The text after the node, in its line.
    pub beside: Option<&'a Text>,
}

impl<'a> OutputComment<'a> {
    /// Reads the annotation of a node. Returns `None` if there is none, or if its arguments are
    /// wrong.
    pub fn of(meta: &'a Meta) -> Option<Self> {
        Self::read(meta.annotation(OUTPUT_COMMENT)?).ok()
    }

    /// Reads the annotation. Fails with a description of wrong arguments. An argument `None` means
    /// no comment, so that an expression can omit it.
    pub fn read(annotation: &'a Annotation) -> Result<Self, Message> {
        let mut found = Self::default();
        match annotation.args.as_slice() {
            [] => {}
            [above] => found.above = text(above)?,
            _ => return Err("expected one text, found several".into()),
        }
        for (name, value) in &annotation.kwargs {
            match &**name {
                "above" if annotation.args.is_empty() => found.above = text(value)?,
                "above" => return Err("expected one text above the node, found two".into()),
                "beside" => found.beside = text(value)?,
                other => return Err(message!("there is no argument `{}`", plain(other))),
            }
        }
        if annotation.is_bare() {
            return Err("expected a text, found no argument".into());
        }
        Ok(found)
    }
}

fn text(datum: &Datum) -> Result<Option<&Text>, Message> {
    match datum {
        Datum::Node(Node::String(text)) => Ok(Some(text)),
        Datum::Node(Node::Null) => Ok(None),
        other => Err(message!("expected a text, found {}", other.type_words())),
    }
}
