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
    /// Arguments that other annotations added, in the order in which they did.
    pub added: Vec<Added>,
}

/// Arguments that one annotation added to another.
#[derive(Clone, Debug)]
pub struct Added {
    /// The first of its positional arguments; those of later ones follow.
    first_arg: usize,
    kwargs: Vec<Arc<str>>,
    span: Option<Span>,
}

impl Annotation {
    pub fn new(
        name: Arc<str>,
        args: Vec<Datum>,
        kwargs: Vec<(Arc<str>, Datum)>,
        span: Option<Span>,
    ) -> Self {
        Self { name, args, kwargs, span, added: Vec::new() }
    }

    /// Adds the arguments of another annotation: positional ones are appended, keyword arguments
    /// are added or replaced. Each keeps the place that it was written at.
    pub fn merge(&mut self, other: &Self) {
        let kwargs = other.kwargs.iter().map(|(name, _)| Arc::clone(name)).collect();
        self.added.push(Added { first_arg: self.args.len(), kwargs, span: other.span });
        self.args.extend(other.args.iter().cloned());
        for (name, value) in &other.kwargs {
            match self.kwargs.iter_mut().find(|(it, _)| it == name) {
                Some((_, old)) => *old = value.clone(),
                None => self.kwargs.push((Arc::clone(name), value.clone())),
            }
        }
    }

    /// The annotation that a positional argument was written in.
    pub fn arg_span(&self, at: usize) -> Option<Span> {
        let added = self.added.iter().rfind(|it| it.first_arg <= at);
        added.map_or(self.span, |it| it.span)
    }

    /// The annotation that a keyword argument was written in.
    pub fn kwarg_span(&self, name: &str) -> Option<Span> {
        let added = self.added.iter().rfind(|it| it.kwargs.iter().any(|it| &**it == name));
        added.map_or(self.span, |it| it.span)
    }

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
