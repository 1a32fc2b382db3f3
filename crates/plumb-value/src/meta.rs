//! What nodes carry besides their value.

use std::sync::Arc;

use plumb_source::{Span, Text};

use crate::{Annotation, Annotations};

/// Comments and annotations of a document or item. Most nodes have none, so it is one word, and
/// shared until changed.
#[derive(Clone, Debug, Default)]
pub struct Meta(Option<Arc<Content>>);

#[derive(Clone, Debug, Default)]
struct Content {
    comments: Vec<Comment>,
    annotations: Annotations,
}

/// A comment, without its `#`.
#[derive(Clone, Debug)]
pub struct Comment {
    pub text: Text,
    /// From the `#` to the end of the line.
    pub span: Span,
    /// Whether it stands behind a node on the node's own line.
    pub is_inline: bool,
}

const NO_ANNOTATIONS: &Annotations = &Annotations::new();

impl Meta {
    pub fn comments(&self) -> &[Comment] {
        self.0.as_ref().map_or(&[], |content| &content.comments)
    }

    pub fn annotations(&self) -> &Annotations {
        self.0.as_ref().map_or(NO_ANNOTATIONS, |content| &content.annotations)
    }

    pub fn annotation(&self, name: &str) -> Option<&Annotation> {
        self.annotations().get(name)
    }

    pub fn comments_mut(&mut self) -> &mut Vec<Comment> {
        &mut self.content_mut().comments
    }

    pub fn annotations_mut(&mut self) -> &mut Annotations {
        &mut self.content_mut().annotations
    }

    pub fn is_empty(&self) -> bool {
        self.comments().is_empty() && self.annotations().is_empty()
    }

    fn content_mut(&mut self) -> &mut Content {
        Arc::make_mut(self.0.get_or_insert_default())
    }
}
