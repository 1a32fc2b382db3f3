//! The metadata of nodes: comments and annotations.

use std::sync::Arc;

use crate::{Annotation, Annotations, Comment};

/// Comments and annotations of a document or item. Most nodes have neither, so this is a single
/// pointer. It is shared until it is changed.
#[derive(Clone, Debug, Default)]
pub struct Meta(Option<Arc<Content>>);

#[derive(Clone, Debug, Default)]
struct Content {
    comments: Vec<Comment>,
    annotations: Annotations,
}

const NO_ANNOTATIONS: &Annotations = &Annotations::new();

impl Meta {
    /// Returns the comments in the order of the text.
    pub fn comments(&self) -> &[Comment] {
        self.0.as_ref().map_or(&[], |content| &content.comments)
    }

    /// Returns all annotations.
    pub fn annotations(&self) -> &Annotations {
        self.0.as_ref().map_or(NO_ANNOTATIONS, |content| &content.annotations)
    }

    /// Returns the annotation with this name. Returns `None` if it is missing.
    pub fn annotation(&self, name: &str) -> Option<&Annotation> {
        self.annotations().get(name)
    }

    /// Returns the comments for changes. Copies the metadata first if it is shared.
    pub fn comments_mut(&mut self) -> &mut Vec<Comment> {
        &mut self.content_mut().comments
    }

    /// Returns the annotations for changes. Copies the metadata first if it is shared.
    pub fn annotations_mut(&mut self) -> &mut Annotations {
        &mut self.content_mut().annotations
    }

    /// Returns whether there are neither comments nor annotations.
    pub fn is_empty(&self) -> bool {
        self.comments().is_empty() && self.annotations().is_empty()
    }

    fn content_mut(&mut self) -> &mut Content {
        Arc::make_mut(self.0.get_or_insert_default())
    }
}
