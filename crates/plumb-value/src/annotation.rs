//! Annotations as they stand on evaluated nodes: a name, and arguments that were computed.

use std::sync::Arc;

use plumb_source::Span;

use crate::Datum;

/// One annotation with its evaluated arguments, such as `@overlay/match by="name"`.
#[derive(Clone, Debug)]
pub struct Annotation {
    /// The name without its `@`, such as `overlay/match`.
    pub name: Arc<str>,
    pub args: Vec<Datum>,
    pub kwargs: Vec<(Arc<str>, Datum)>,
    /// The comment that the annotation was written in.
    pub span: Option<Span>,
}

impl Annotation {
    /// Whether it has no arguments.
    pub fn is_bare(&self) -> bool {
        self.args.is_empty() && self.kwargs.is_empty()
    }
}

/// The annotations of a node in the order they were written; a name occurs once.
#[derive(Clone, Debug, Default)]
pub struct Annotations(Vec<Annotation>);

impl Annotations {
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    pub fn get(&self, name: &str) -> Option<&Annotation> {
        self.0.iter().find(|annotation| &*annotation.name == name)
    }

    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Adds an annotation; an earlier one of that name gives way to it.
    pub fn set(&mut self, annotation: Annotation) {
        match self.0.iter_mut().find(|it| it.name == annotation.name) {
            Some(earlier) => *earlier = annotation,
            None => self.0.push(annotation),
        }
    }

    pub fn retain(&mut self, keep: impl FnMut(&Annotation) -> bool) {
        self.0.retain(keep);
    }

    pub fn iter(&self) -> std::slice::Iter<'_, Annotation> {
        self.0.iter()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'a> IntoIterator for &'a Annotations {
    type Item = &'a Annotation;
    type IntoIter = std::slice::Iter<'a, Annotation>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Annotation {
    pub fn kwarg(&self, name: &str) -> Option<&Datum> {
        self.kwargs.iter().find(|(it, _)| &**it == name).map(|(_, datum)| datum)
    }
}
